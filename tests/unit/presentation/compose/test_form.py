"""The Compose form, read from a piece, and for a melody that is to be harmonised."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import RANGES, REST, Chorale, Key, Lyric, Meter, Provenance, Voice
from musicrel.errors import UsageError
from musicrel.generation import transposition
from musicrel.generation.constraints import last_chord, voice_ranges
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.phrasing import phrase_ends, planned_phrase
from musicrel.generation.phrasing.planned_phrase import parse
from musicrel.generation.request import DEFAULT_TOP_P, GenerationRequest
from musicrel.presentation import lock_cells
from musicrel.presentation.compose import form
from musicrel.presentation.compose.form import TITLE, Form, blank_piece
from musicrel.presentation.compose.form_from_provenance import (
    RestoredForm,
    form_from_provenance,
    machine_differences,
)
from musicrel.presentation.lock_cells import Span
from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.score.editing.selection import Selection

HERE: dict[str, Any] = {
    "device": "cpu", "threads": 1, "kernel": "compiled", "precision": "single",
    "torch": "2.8.0", "musicrel": "2.0.0",
}  # fmt: skip


def of(request: GenerationRequest, seed: int | None = None) -> Provenance:
    return Provenance(
        model="full",
        sha256="0",
        seed=request.seed if seed is None else seed,
        settings=request.to_json() | {"written_steps": 3},
    )


TUNE = Chorale.of([(72, REST, REST, REST)] * 16, key=Key("C", "major"), title="Air")

MELODY = Chorale.of([(72, 67, 64, 48)] * 16)

HARMONISED = Form(model="both", seed=5, temperature=0.9, quality="draft", candidates=3)

PIECE = Chorale.of([(72, 67, 60, 48)] * 16)

CHOIR = Form(rules=("range",), ranges="choir")


def test_form_becomes_the_request() -> None:
    filled = Form(
        model="any",
        bars=8,
        meter=Meter(3, 4),
        pickup=4,
        key=Key("G", "major"),
        phrases=(4, 4),
        temperature=0.8,
        seed=7,
        cadence="half,authentic",
        begins_on="dominant",
        ranges="60-72,57-69,50-62,43-55",
        top_p=0.95,
    )

    assert filled.request() == GenerationRequest(
        bars=8,
        meter=Meter(3, 4),
        pickup=4,
        key=Key("G", "major"),
        phrases=(4, 4),
        temperature=0.8,
        top_p=0.95,
        seed=7,
        cadence="half,authentic",
        begins_on="dominant",
        ranges=((60, 72), (57, 69), (50, 62), (43, 55)),
    )


def test_a_new_form_has_drawn_phrases_and_the_ranges_of_a_choir() -> None:
    request = Form(bars=8, seed=1).request()

    assert request == replace(request, phrases=None, pickup=None).resolved()
    assert request.phrases
    assert (request.cadence, request.top_p) == ("", DEFAULT_TOP_P)
    assert request.ranges == voice_ranges.parse("choir")


def test_phrases_pickup_and_cadences_are_drawn_with_the_seed() -> None:
    # Either may be given; without phrases there is no pickup to draw.
    assert len({Form(seed=seed).request().plan().fermatas.tobytes() for seed in range(20)}) > 5
    assert Form(phrases=(8, 8)).request().phrases == (8, 8)
    assert Form(pickup=8, seed=2).request().pickup == 8
    unplanned = Form(phrases=()).request()
    assert (unplanned.phrases, unplanned.pickup) == ((), 0)

    # One for each phrase; without phrases there are none.
    request = Form(seed=3, cadence="auto", form="").request()
    kinds = phrase_ends.draw_cadences(len(request.phrases or ()), 3)
    assert request.cadence == planned_phrase.cadences_to_text(kinds)
    assert Form(phrases=(), cadence="auto").request().cadence == ""


def test_phrases_that_come_twice_have_the_same_cadences() -> None:
    for seed in range(20):
        request = Form(phrases=(2, 3, 2, 3, 2), form="aab", cadence="auto", seed=seed).request()
        first, second, *again, _ = planned_phrase.cadences_of_phrases(request.cadence, 5)
        assert again == [first, second]


def test_a_new_document_has_no_entries_of_another_piece() -> None:
    piece = Form(bars=8, meter=Meter(3, 4), pickup=4, key=Key("G", "major"), phrases=(4, 4))
    own = replace(piece, cadence="half,", model="m", seed=3, temperature=0.8, candidates=4)

    new = own.for_new_document()

    assert new == Form(model="m", seed=3, temperature=0.8)
    assert new.candidates == 4


def test_a_loop_fills_its_bars_from_tonic_to_dominant_without_fermatas() -> None:
    form = Form(model="m", phrases=(2, 2), bars=4, pickup=4, form="aab", key=Key("G", "major"))
    request = form.for_loop(8).request()

    plan = request.plan()
    assert (plan.steps, plan.pickup, bool(plan.fermatas.any())) == (128, 0, False)
    assert (request.begins_on, request.cadence, request.form) == ("tonic", "half", "")
    assert (request.key, form.for_loop(8).model) == (Key("G", "major"), "m")


def test_invalid_ranges_and_cadences_are_refused() -> None:
    with pytest.raises(UsageError, match=r"voice ranges are 'opera': expected one of choir"):
        Form(ranges="opera").request()
    with pytest.raises(UsageError, match="2 cadences for 3 phrases"):
        Form(bars=8, phrases=(2, 2, 4), cadence="half,half").request()


def test_pickups_are_less_than_a_bar() -> None:
    assert form.pickups(Meter(3, 4)) == ((0, "None"), (4, "1 quarter"), (8, "2 quarters"))


def test_phrases_may_end_within_a_bar() -> None:
    request = Form(bars=4, phrases=parse("1.75,2.25:3"), pickup=4).request()
    assert request.to_json()["fermatas"] == [[20, 28], [52, 64]]


@pytest.mark.parametrize(
    ("text", "total"), [("2,5", "7 bars"), ("2.5,5", "7.5 bars"), ("1", "1 bar")]
)
def test_phrases_that_do_not_fill_the_piece_are_counted(text: str, total: str) -> None:
    with pytest.raises(UsageError, match=f"have {total}: expected 8, the length of the piece"):
        Form(bars=8, phrases=parse(text)).request()


def test_a_melody_has_phrases_of_whole_bars() -> None:
    assert form.parse_whole_phrases("2,6") == (2, 6)
    for text in ("2.5,5.5", "2:3,6"):
        with pytest.raises(UsageError, match=f"'{text}': expected whole bars, such as 2,2,4"):
            form.parse_whole_phrases(text)


def test_piece_has_bars_meter_key_and_entered_phrases_of_a_valid_form() -> None:
    piece = blank_piece(Form(bars=5, meter=Meter(3, 4), key=Key("D", "major"), phrases=()))
    assert (piece.steps, piece.meter, piece.key) == (60, Meter(3, 4), Key("D", "major"))
    assert (piece.pitches == REST).all()
    assert (piece.title, piece.provenance) == (TITLE, None)

    # Those that the seed would draw are Bach's, not those of the melody.
    drawn = blank_piece(Form(bars=8, seed=3))
    assert (drawn.pickup, bool(drawn.fermatas.any())) == (0, False)
    entered = blank_piece(Form(bars=8, pickup=4, phrases=(4, 4)))
    assert (entered.pickup, bool(entered.fermatas.any())) == (4, True)

    with pytest.raises(UsageError, match="the phrases have 3 bars"):
        blank_piece(Form(bars=8, phrases=(3,)))


def test_form_comes_back_as_it_was() -> None:
    """Every entry; asking again is asking the same."""
    form = Form(
        model="full", bars=7, meter=Meter(3, 4), pickup=4, key=Key("F#", "minor"),
        phrases=(3, 3, 1), begins_on="dominant", form="aab", temperature=0.9, seed=12,
        rules=("crossing", "scale"), quality="draft",
        cadence="half,,", ranges="61-80,55-74,48-69,41-60", top_p=0.95,
    )  # fmt: skip

    assert form_from_provenance(of(form.request())) == RestoredForm(form=form)


def test_settings_without_an_entry_are_named() -> None:
    asked = GenerationRequest(
        meter=Meter(6, 8), temperature=0, top_k=5, top_p=0.5, tempo=60, seed=2**40
    )

    recalled = form_from_provenance(of(asked))

    assert recalled.form is not None
    assert recalled.form.temperature == 0.5
    assert recalled.form.top_p == 0.5
    assert recalled.left_out == (
        "meter 6/8", "temperature 0", "top-k 5", f"seed {2**40}",
    )  # fmt: skip


def test_muted_heads_are_named_but_not_muted_again() -> None:
    asked = GenerationRequest(bars=2, mutes=Mutes.parse("2.3,4", "zero"))
    restored = form_from_provenance(of(asked))

    assert restored.form is not None
    assert restored.form.muted == MutedHeads()
    assert restored.left_out == ("the muted heads 2.3, 4",)


def test_what_was_given_is_not_named() -> None:
    """Nobody expects locks and the form of another piece of a seed; a tempo changes no notes."""
    locks = Locks(steps=20, cells=(Cell(0, 0, 67),))
    asked = GenerationRequest(bars=2, length=20, locks=locks, tempo=76)

    assert form_from_provenance(of(asked)).left_out == ()


@pytest.mark.parametrize("settings", [{}, {"meter": "odd"}, {"bars": 0, "meter": "4/4"}])
def test_foreign_settings_give_no_form(settings: dict[str, object]) -> None:
    foreign = Provenance(model="m", sha256="0", seed=1, settings=settings)

    assert form_from_provenance(foreign) == form_from_provenance(None) == RestoredForm()


def test_drawn_phrases_come_back_as_numbers() -> None:
    drawn = [Form(model="full", bars=8, seed=seed) for seed in range(6)]
    for typed in (*drawn, replace(drawn[3], cadence="auto"), Form(phrases=(), cadence="half")):
        restored = form_from_provenance(of(typed.request()))

        assert restored.form is not None
        assert not restored.left_out
        assert restored.form.request() == typed.request()
        assert restored.form.phrases is not None
        assert restored.form.cadence != "auto"
        assert restored.form.pickup >= 0


def test_fermatas_that_no_phrases_end_with_give_no_phrases() -> None:
    asked = GenerationRequest(bars=4, fermatas=((20, 22), (40, 48)))
    restored = form_from_provenance(of(asked))

    assert restored.form is not None
    assert restored.form.phrases == ()


def test_a_piece_without_ranges_has_the_full_ones() -> None:
    settings = GenerationRequest(bars=2).to_json()
    restored = form_from_provenance(
        Provenance(model="m", sha256="0", seed=0, settings=settings)
    ).form

    assert "ranges" not in settings
    assert restored is not None
    assert restored.ranges == "full"
    assert restored.phrases == ()
    assert restored.pickup == 0


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({}, ""),
        ({"kernel": "torch"}, "kernel torch (here compiled)"),
        ({"precision": "mixed"}, "precision mixed (here single)"),
        (
            {"device": "cuda:0", "musicrel": "1.0.0"},
            "device cuda:0 (here cpu), musicrel 1.0.0 (here 2.0.0)",
        ),
    ],
)
def test_what_differs_is_named(changed: dict[str, Any], sentence: str) -> None:
    assert machine_differences(HERE | changed, HERE) == sentence


def test_a_piece_of_version_1_was_made_by_torch() -> None:
    made = {fact: HERE[fact] for fact in ("device", "threads", "torch", "musicrel")}

    assert machine_differences(made, HERE) == "kernel torch (here compiled)"


def test_torch_matters_only_where_it_computes() -> None:
    other = {"torch": "2.7.0", "threads": 2}
    by_torch = HERE | {"kernel": "torch"}

    assert machine_differences(HERE | other, HERE) == ""
    assert machine_differences(by_torch | other, by_torch) == (
        "torch 2.7.0 (here 2.8.0), threads 2 (here 1)"
    )


def test_an_unknown_machine_differs_in_nothing() -> None:
    assert machine_differences({}, HERE) == ""
    assert machine_differences(HERE | {"musicrel": ""}, HERE) == ""


def test_the_melody_is_given_and_the_others_are_free() -> None:
    task = form.harmonisation(TUNE, Voice.SOPRANO, HARMONISED)

    assert task.free.any(axis=0).tolist() == [False, True, True, True]
    request = task.request
    assert (request.quality, request.temperature, request.seed) == ("draft", 0.9, 5)
    assert (request.key, task.count) == (TUNE.key, 3)


def test_phrases_of_a_melody_become_fermatas() -> None:
    """A sum other than the bars is refused."""
    two = Chorale.of([(72, REST, REST, REST)] * 32)
    task = form.harmonisation(two, Voice.SOPRANO, HARMONISED, (1, 1))
    assert task.request.fermatas == ((8, 16), (24, 32))
    with pytest.raises(UsageError, match="have 3 bars: expected 2"):
        form.harmonisation(two, Voice.SOPRANO, HARMONISED, (1, 2))


def test_a_silent_voice_is_no_melody() -> None:
    with pytest.raises(UsageError, match="the Bass has no notes: choose another voice or melody"):
        form.harmonisation(TUNE, Voice.BASS, HARMONISED)


def test_the_voice_that_is_chosen_or_locked_has_the_melody() -> None:
    bass = Selection(voices=(3,), start=0, stop=4)
    kept = lock_cells.of_voice(MELODY, Voice.TENOR)

    assert form.likely_voice(MELODY, bass, kept) == Voice.BASS
    assert form.likely_voice(MELODY, None, kept) == Voice.TENOR
    assert form.likely_voice(MELODY, None, None) == Voice.SOPRANO
    low = Chorale.of([(REST, REST, REST, 48)] * 4)
    assert form.likely_voice(low, None, None) == Voice.BASS


def test_a_voice_stands_alone() -> None:
    alone = transposition.alone(MELODY, Voice.ALTO)
    assert (alone.pitches == (REST, 67, REST, REST)).all()
    assert alone.onsets.sum() == 1


def test_a_melody_closes_where_it_ends() -> None:
    notes = [(72, REST, REST, REST)] * 18 + [(REST, REST, REST, REST)] * 30
    drawn = Chorale.of(notes, pickup=4)
    task = form.harmonisation(drawn, Voice.SOPRANO, HARMONISED)

    assert task.request.steps == 20
    assert form.harmonisation(MELODY, Voice.SOPRANO, HARMONISED).piece is MELODY


def test_a_verse_closes_like_a_melody() -> None:
    words = tuple(Lyric(Voice.SOPRANO, verse, 0, "la") for verse in (1, 2))
    tune = Chorale.of([(72, 67, 64, 48)] * 16, lyrics=words)
    task = form.verse_harmony(tune, 2, None, HARMONISED)
    assert np.flatnonzero(task.free[:, Voice.BASS]).tolist() == [*range(16, 32)]
    assert task.request.last_chord == last_chord.AUTHENTIC


def test_a_longer_or_shorter_candidate_has_the_locks_of_what_is_left() -> None:
    tune = Chorale.of([(72, 67, 64, 48)] * 16 + [(REST,) * 4] * 32)
    locks = lock_cells.of_voice(tune, Voice.SOPRANO)
    for task, steps in (
        (form.continuation(tune, 2, HARMONISED), (0, 48)),
        (form.harmonisation(tune, Voice.SOPRANO, HARMONISED), (0, 16)),
    ):
        moved = task.moved(locks)
        assert moved is not None
        assert len(moved) == task.request.steps
        assert lock_cells.spans(moved) == (Span(0, *steps),)


def test_piece_without_provenance_has_the_ranges_of_the_form() -> None:
    """No narrower ranges bind with the rule off, or if its ranges cannot be read."""
    assert form.ranges_of(PIECE, CHOIR)[Voice.SOPRANO] == (60, 79)
    assert form.ranges_of(PIECE, replace(CHOIR, rules=())) == RANGES
    assert form.ranges_of(PIECE, replace(CHOIR, ranges="none")) == RANGES


def test_generated_piece_keeps_its_own_ranges() -> None:
    """The form may have changed since."""
    asked = Provenance(model="m", sha256="0", seed=1, settings={"ranges": [[50, 60]] * 4})
    piece = replace(PIECE, provenance=asked)
    assert form.to_check(piece, CHOIR) is piece
    assert form.ranges_of(piece, CHOIR)[Voice.BASS] == (50, 60)
