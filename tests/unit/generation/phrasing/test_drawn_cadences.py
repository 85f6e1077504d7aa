"""Kinds of phrase ends, drawn."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from musicrel.analysis import cadences
from musicrel.chorale import REST, Mode, Pitches, Voice
from musicrel.corpus import bundled
from musicrel.generation.phrasing import drawn_cadences
from musicrel.generation.phrasing.drawn_cadences import Close

DRAWS = 3000


def in_bach(*, is_last: bool) -> Counter[str]:
    """Count the kinds of the training chorales."""
    found = Counter[str]()
    for chorale in bundled.load("train"):
        kinds = [end.kind for end in cadences.phrase_ends(chorale)]
        found.update([kinds[-1]] if is_last else kinds[:-1])
    return found


def test_the_counts_are_those_of_the_training_chorales() -> None:
    """They stand in the code, since counting takes longer than drawing."""
    assert in_bach(is_last=False) == drawn_cadences.WITHIN
    assert in_bach(is_last=True) == drawn_cadences.AT_THE_END


@pytest.mark.parametrize("is_last", [False, True])
def test_kinds_have_the_proportions_of_bach(*, is_last: bool) -> None:
    """The ends of pieces have proportions of their own."""
    generator = np.random.default_rng(0)
    counts = Counter(drawn_cadences.AT_THE_END if is_last else drawn_cadences.WITHIN)
    drawn = Counter(
        drawn_cadences.as_in_bach(2, generator)[1 if is_last else 0] for _ in range(DRAWS)
    )
    for kind in ("", *cadences.KINDS):
        assert drawn[kind] / DRAWS == pytest.approx(counts[kind] / counts.total(), abs=0.03)


@pytest.mark.parametrize("left_open", [2, 3])
def test_ends_are_left_to_the_model_in_proportion(left_open: int) -> None:
    """The kinds of the others are in Bach's proportions."""
    counts = Counter(drawn_cadences.WITHIN)
    drawn = Counter(drawn_cadences.draw_within(seed, 24, left_open) for seed in range(DRAWS))
    assert drawn[""] / DRAWS == pytest.approx(left_open * counts[""] / counts.total(), abs=0.03)
    closed = DRAWS - drawn[""]
    for kind in cadences.KINDS:
        share = counts[kind] / (counts.total() - counts[""])
        assert drawn[kind] / closed == pytest.approx(share, abs=0.03)


def test_closes_before_the_last_phrase_are_those_of_the_training_chorales() -> None:
    """Authentic cadences and ends without one have the degree of the last bass note."""
    found: dict[Mode, Counter[Close]] = {"major": Counter(), "minor": Counter()}
    for chorale in bundled.load("train"):
        assert chorale.key is not None
        for end in cadences.phrase_ends(chorale)[1:-1][-1:]:
            bass = int(chorale.pitches[end.stop - 1, Voice.BASS])
            degree = (
                (bass - chorale.key.pitch_class) % 12 if end.kind in {"authentic", ""} else None
            )
            found[chorale.key.mode][Close(end.kind, degree)] += 1
    assert found == drawn_cadences.BEFORE_THE_LAST


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
    assert found == drawn_cadences.PREPARED["authentic"]


@pytest.mark.parametrize("mode", ["major", "minor"])
def test_closes_before_the_last_phrase_have_the_proportions_of_bach(mode: Mode) -> None:
    """The tonic is rare; half cadences and open ends need no chord before."""
    counts = Counter(drawn_cadences.BEFORE_THE_LAST[mode])
    closes = [drawn_cadences.draw_before_the_last(seed, 24, mode) for seed in range(DRAWS)]
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
    closes = [drawn_cadences.draw_last(seed, 24) for seed in range(DRAWS)]
    assert {close.degree for close in closes} == {0}
    assert {close.prepared for close in closes} == {2, 4}
    drawn = Counter(close.kind for close in closes)
    assert drawn.keys() == {"authentic", "plagal"}
    counts = drawn_cadences.AT_THE_END
    share = counts["plagal"] / (counts["plagal"] + counts["authentic"])
    assert drawn["plagal"] / DRAWS == pytest.approx(share, abs=0.01)


def test_every_end_draws_for_itself() -> None:
    """It is the same for the same seed and step."""
    first, again = (
        [drawn_cadences.draw_within(7, step, 1) for step in range(0, 400, 16)] for _ in range(2)
    )
    assert first == again
    assert len(set(first)) > 1


def test_no_phrases_have_no_kinds() -> None:
    """There is nothing to draw."""
    assert drawn_cadences.as_in_bach(0, np.random.default_rng(0)) == ()
