"""Phrases as text, planned phrase ends and their closes, and kinds of phrase ends, drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from musicrel.analysis import cadences
from musicrel.analysis.corpus import bundled
from musicrel.chorale import REST, Chorale, Key, Meter, Mode, Pitches, Voice, spans
from musicrel.errors import UsageError
from musicrel.generation.phrasing import openings, phrase_ends, planned_phrase
from musicrel.generation.phrasing.phrase_ends import Close, PhraseEnd, planned_ends
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase
from musicrel.generation.request import GenerationRequest

KNOWN = ("fermata", "ending")
C_MAJOR, D_MAJOR = Key("C", "major"), Key("D", "major")
C, F, G = (72, 67, 64, 48), (72, 69, 65, 53), (71, 67, 62, 55)
D7, AM = (72, 66, 62, 50), (72, 69, 64, 57)
WITHIN, LAST = PhraseEnd(8, 12, ""), PhraseEnd(8, 12, "authentic")
DRAWS = 3000


def piece(*chords: tuple[int, ...]) -> Chorale:
    """Return a piece of quarters whose last one has a fermata."""
    fermatas = np.arange(4 * len(chords)) >= 4 * len(chords) - 4
    return Chorale.of(np.repeat(np.array(chords), 4, axis=0), fermatas=fermatas)


def cadences_in_bach(*, is_last: bool) -> Counter[str]:
    found = Counter[str]()
    for chorale in bundled.load("train"):
        kinds = [end.kind for end in cadences.phrase_ends(chorale)]
        found.update([kinds[-1]] if is_last else kinds[:-1])
    return found


def test_phrases_are_bars_and_quarters_under_a_fermata_in_the_shortest_text() -> None:
    found = planned_phrase.parse(" 2, 1.75:3;0.5 12:4,")
    assert found == (2, PlannedPhrase(1.75, 3), PlannedPhrase(0.5), PlannedPhrase(12, 4))
    assert planned_phrase.parse(" , ") == ()

    phrases = (2, PlannedPhrase(1.5, 1), PlannedPhrase(2.25))
    assert planned_phrase.to_text(phrases) == "2,1.5:1,2.25"
    assert planned_phrase.parse("2,1.5:1,2.25") == phrases


@pytest.mark.parametrize("text", ["2,x", "2.3", "0", "0.0", "-2", "2:", "2:0", "99999", "²", "٢"])
def test_other_text_is_no_phrases(text: str) -> None:
    with pytest.raises(UsageError, match="such as 2,2,4"):
        planned_phrase.parse(text)


COMMON, TRIPLE = Meter(4, 4), Meter(3, 4)


PHRASES = (PlannedPhrase(1.75), PlannedPhrase(2.25, 3), PlannedPhrase(2))


def test_a_fermata_begins_on_the_last_strong_beat_or_as_many_quarters_before_the_end() -> None:
    assert [*planned_phrase.at_ends(PHRASES, COMMON, 4, 96)] == [(20, 28), (52, 64), (92, 96)]
    assert [*planned_phrase.at_ends(PHRASES, COMMON, 0, 96)] == [(24, 28), (52, 64), (88, 96)]


def test_phrases_are_cut_off_by_the_end_of_the_piece() -> None:
    assert [*planned_phrase.at_ends(PHRASES, COMMON, 4, 60)][-2:] == [(48, 60), (60, 60)]
    short = (PlannedPhrase(0.5, 4), PlannedPhrase(0.5, 1))
    assert [*planned_phrase.at_ends(short, COMMON, 0, 16)] == [(0, 8), (12, 16)]


def test_fermatas_give_their_phrases_back() -> None:
    given = tuple(planned_phrase.at_ends(PHRASES, COMMON, 4, 96))
    assert planned_phrase.phrases_of(given, COMMON, 4, 96) == PHRASES


def test_the_last_phrase_reaches_the_end() -> None:
    """In whole bars; its fermata is one on the last strong beat then."""
    assert planned_phrase.phrases_of([(24, 32), (44, 48)], COMMON, 0, 60) == (
        PlannedPhrase(2),
        PlannedPhrase(2),
    )


@pytest.mark.parametrize("meter", [COMMON, TRIPLE], ids=str)
def test_phrases_of_chorales_sum_to_whole_bars(meter: Meter) -> None:
    """And keep most of their fermatas; in triple time they are rounded to bars."""
    kept = total = 0
    for chorale in bundled.load("valid"):
        if chorale.meter != meter or not chorale.fermatas.any():
            continue
        form = meter, chorale.pickup, chorale.steps
        found = planned_phrase.phrases_of(spans(chorale.fermatas), *form)
        assert sum(phrase.bars for phrase in found) == -(-chorale.steps // meter.steps)
        kept += len({*planned_phrase.at_ends(found, *form)} & {*spans(chorale.fermatas)})
        total += len(found)
    assert kept > (0.95 if meter == COMMON else 0.6) * total


def test_a_kind_is_that_of_all_phrases_unless_each_has_its_own_and_written_once() -> None:
    assert planned_phrase.cadences_of_phrases("half", 3) == ("half",) * 3
    assert planned_phrase.cadences_of_phrases("", 2) == ("", "")

    assert planned_phrase.cadences_of_phrases("half, ,authentic", 3) == ("half", "", "authentic")

    assert planned_phrase.cadences_to_text(("half", "half")) == "half"
    assert planned_phrase.cadences_to_text(("", "")) == ""


@pytest.mark.parametrize("kinds", [("half", "", "authentic"), ("", "half"), ("half",), ("", "")])
def test_text_is_parsed_back(kinds: tuple[str, ...]) -> None:
    assert (
        planned_phrase.cadences_of_phrases(planned_phrase.cadences_to_text(kinds), len(kinds))
        == kinds
    )


def test_unknown_kinds_and_wrong_numbers_are_refused() -> None:
    with pytest.raises(UsageError, match="cadence is 'perfect': expected authentic, half"):
        planned_phrase.parse_cadences("half,perfect")
    with pytest.raises(UsageError, match="2 cadences for 3 phrases: expected one for all, or one"):
        planned_phrase.cadences_of_phrases("half,half", 3)


@pytest.mark.parametrize(("phrases", "place"), [(1, None), (2, None), (3, 1), (6, 4)])
def test_a_piece_of_three_phrases_or_more_has_one_before_the_last(
    phrases: int, place: int | None
) -> None:
    plan = GenerationRequest(bars=2 * phrases, phrases=(2,) * phrases).plan()
    marked = [end.place for end in planned_ends(plan, KNOWN, ("",))]
    first, before_last, last = 0, place, phrases - 1
    names = {before_last: "before the last", first: "first", last: ""}
    assert marked == [names.get(number, "") for number in range(phrases)]


def test_the_phrase_before_the_last_draws_a_degree_of_the_key() -> None:
    before_last = WITHIN._replace(place="before the last")
    for seed in range(20):
        close = phrase_ends.draw_of(phrase_ends.BEFORE_THE_LAST["major"], seed, 8)
        drawn = before_last.drawn(seed, 64, C_MAJOR, 1.0)
        assert (drawn.kind, drawn.degree, drawn.prepared, drawn.is_drawn) == (*close, True)
        degree = close.degree
        assert drawn.root(64, D_MAJOR) == (None if degree is None else (degree + 2) % 12)
        kind = phrase_ends.draw_within(seed, 8, 1.0)
        for other in (WITHIN.drawn(seed, 64, C_MAJOR, 1.0), before_last.drawn(seed, 64, None, 1.0)):
            assert (other.kind, other.degree, other.prepared) == (kind, None, 0)
            assert other.root(64, C_MAJOR) is None


@pytest.mark.parametrize(
    ("chords", "degree", "is_met"),
    [((C, D7, G), 7, True), ((C, G, C), 7, False), ((C, G, C), 0, True), ((C, C, G), 7, False)],
)
def test_an_authentic_close_is_on_its_degree(
    chords: tuple[tuple[int, ...], ...], degree: int, *, is_met: bool
) -> None:
    end = WITHIN._replace(kind="authentic", is_drawn=True, degree=degree)
    assert end.is_met_by(piece(*chords), 64, C_MAJOR) == is_met


def test_an_end_that_is_left_to_the_model_may_have_a_degree() -> None:
    free = WITHIN._replace(is_drawn=True)
    for chords, degree in (((C, F, AM), 9), ((C, D7, G), 7)):
        assert free.is_met_by(piece(*chords), 64, C_MAJOR)
        assert free._replace(degree=degree).is_met_by(piece(*chords), 64, C_MAJOR)
        assert not free._replace(degree=5).is_met_by(piece(*chords), 64, C_MAJOR)


def test_any_cadence_will_do_where_none_is_requested_but_none_over_a_bass_that_rests() -> None:
    assert WITHIN.is_met_by(piece(C, D7, G), 64, C_MAJOR)
    assert not WITHIN.is_met_by(piece(C, F, AM), 64, C_MAJOR)

    silent = piece(C, F, (72, 69, 64, REST))
    assert not WITHIN._replace(is_drawn=True, degree=11).is_met_by(silent, 64, C_MAJOR)


def test_the_last_cadence_is_on_the_tonic() -> None:
    assert LAST.is_met_by(piece(C, G, C), 12, C_MAJOR)
    assert not LAST.is_met_by(piece(C, D7, G), 12, C_MAJOR)
    assert LAST.is_met_by(piece(C, D7, G), 12, None)
    assert LAST.root(12, D_MAJOR) == 2
    assert LAST.root(64, C_MAJOR) is None


def test_the_counts_are_those_of_the_training_chorales() -> None:
    """They stand in the code, since counting takes longer than drawing."""
    assert cadences_in_bach(is_last=False) == phrase_ends.WITHIN
    assert cadences_in_bach(is_last=True) == phrase_ends.AT_THE_END


@pytest.mark.parametrize("is_last", [False, True])
def test_kinds_have_the_proportions_of_bach(*, is_last: bool) -> None:
    counts = Counter(phrase_ends.AT_THE_END if is_last else phrase_ends.WITHIN)
    drawn = Counter(phrase_ends.draw_cadences(2, seed)[is_last] for seed in range(DRAWS))
    for kind in ("", *cadences.KINDS):
        assert drawn[kind] / DRAWS == pytest.approx(counts[kind] / counts.total(), abs=0.03)


@pytest.mark.parametrize("left_open", [2, 3])
def test_ends_are_left_to_the_model_in_proportion(left_open: int) -> None:
    counts = Counter(phrase_ends.WITHIN)
    drawn = Counter(phrase_ends.draw_within(seed, 24, left_open) for seed in range(DRAWS))
    assert drawn[""] / DRAWS == pytest.approx(left_open * counts[""] / counts.total(), abs=0.03)
    closed = DRAWS - drawn[""]
    for kind in cadences.KINDS:
        share = counts[kind] / (counts.total() - counts[""])
        assert drawn[kind] / closed == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize(
    ("place", "counts"),
    [
        (lambda ends: ends[1:-1][-1:], phrase_ends.BEFORE_THE_LAST),
        (lambda ends: ends[:1], phrase_ends.OF_THE_FIRST),
    ],
    ids=["before the last", "of the first"],
)
def test_closes_of_a_phrase_are_those_of_the_training_chorales(
    place: Callable[[Sequence[Any]], Sequence[Any]], counts: object
) -> None:
    found: dict[Mode, Counter[Close]] = {"major": Counter(), "minor": Counter()}
    for chorale in bundled.load("train"):
        assert chorale.key is not None
        for end in place(cadences.phrase_ends(chorale)):
            bass = int(chorale.pitches[end.stop - 1, Voice.BASS])
            degree = (
                (bass - chorale.key.pitch_class) % 12 if end.kind in {"authentic", ""} else None
            )
            found[chorale.key.mode][Close(end.kind, degree)] += 1
    assert found == counts


def is_dominant(pitches_4: Pitches, tonic: int) -> bool:
    """Return whether a sonority is a dominant of ``tonic`` that does not lead to a 6-3 chord."""
    *_, bass = above = [(int(pitch) - tonic) % 12 for pitch in pitches_4 if pitch != REST]
    tones = {*above}
    return tones <= {2, 5, 7, 11} and 11 in tones and bool(tones & {5, 7}) and bass != 5


def test_chords_prepare_authentic_cadences_as_in_the_training_chorales() -> None:
    """Three of four for a quarter, a dominant on the beat; most others for an eighth."""
    found = Counter[int]()
    for chorale in bundled.load("train"):
        for end in cadences.phrase_ends(chorale)[:-1]:
            if end.kind == "authentic":
                tonic = int(chorale.pitches[end.stop - 1, Voice.BASS])
                on_beat, off_beat = (
                    is_dominant(chorale.pitches[end.step - steps], tonic) for steps in (4, 2)
                )
                found[4 if on_beat else 2 if off_beat else 0] += 1
    assert found.pop(0) == 22
    assert found == phrase_ends.PREPARED["authentic"]


@pytest.mark.parametrize("mode", ["major", "minor"])
def test_closes_before_the_last_phrase_have_the_proportions_of_bach(mode: Mode) -> None:
    """The tonic is rare; half cadences and open ends need no chord before."""
    counts = Counter(phrase_ends.BEFORE_THE_LAST[mode])
    closes = [phrase_ends.draw_of(counts, seed, 24) for seed in range(DRAWS)]
    drawn = Counter(close._replace(prepared=0) for close in closes)
    for close in counts | drawn:
        assert drawn[close] / DRAWS == pytest.approx(counts[close] / counts.total(), abs=0.03)
    assert drawn[Close("authentic", 0)] / DRAWS < 0.1
    assert {close.prepared for close in closes if close.kind in {"half", ""}} == {0}
    prepared = Counter(close.prepared for close in closes if close.kind == "authentic")
    assert prepared[4] / prepared.total() == pytest.approx(571 / 760, abs=0.03)
    assert prepared[4] + prepared[2] == prepared.total()


def test_the_end_of_a_piece_is_authentic_or_plagal() -> None:
    """Authentic and plagal cadences have Bach's proportions; no piece is left open."""
    closes = [phrase_ends.draw_last(seed, 24) for seed in range(DRAWS)]
    assert {close.degree for close in closes} == {0}
    assert {close.prepared for close in closes} == {2, 4}
    drawn = Counter(close.kind for close in closes)
    assert drawn.keys() == {"authentic", "plagal"}
    counts = phrase_ends.AT_THE_END
    share = counts["plagal"] / (counts["plagal"] + counts["authentic"])
    assert drawn["plagal"] / DRAWS == pytest.approx(share, abs=0.01)


def first_chord(chorale: Chorale) -> str:
    assert chorale.key is not None
    first = chorale.pitches[0][chorale.pitches[0] != REST]
    above = {(int(pitch) - chorale.key.pitch_class) % 12 for pitch in first}
    for chord in (openings.TONIC, openings.DOMINANT):
        needed, others, _ = openings.OPENINGS[chord, chorale.key.mode]
        if above <= {*needed, *others} and (chord == openings.TONIC or 11 in above):
            return chord
    return openings.ANY


def test_pieces_begin_on_the_chords_of_the_training_chorales() -> None:
    """Fewer are left to the model, which also begins on the tonic."""
    counts = Counter(map(first_chord, bundled.load("train")))
    assert counts == openings._COUNTS
    drawn = Counter(map(openings.draw, range(DRAWS)))
    share = {chord: drawn[chord] / DRAWS for chord in openings.CHORDS}
    assert share["tonic"] == pytest.approx(0.80, abs=0.03)
    assert share["dominant"] == pytest.approx(0.04, abs=0.02)
    assert share[""] == pytest.approx(1.3 * counts[""] / counts.total(), abs=0.03)
