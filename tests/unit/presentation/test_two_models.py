"""The agreement of two pieces."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Meter
from musicrel.presentation import marks
from musicrel.presentation.compose.models import ModelChoice
from musicrel.presentation.two_models import (
    HEADER,
    Agreement,
    compare,
    in_words,
    model_b,
    percent,
    reason,
    surprisal_lines,
    table,
)
from musicrel.score.editing.notes import Note
from tests.helpers.music import random_chorale


def chords(steps: int = 32) -> Chorale:
    piece = Chorale.of(np.tile([72, 67, 64, 48], (steps, 1)))
    onsets = np.zeros((steps, 4), dtype=np.bool_)
    onsets[::4] = True
    return replace(piece, onsets=onsets)


def changed(piece: Chorale, step: int, voice: int, pitch: int) -> Chorale:
    pitches = piece.pitches.copy()
    pitches[step : step + 4, voice] = pitch
    return replace(piece, pitches=pitches)


def found(first: Chorale, second: Chorale, written: int | None = None) -> Agreement:
    agreement = compare(first, second, written)
    assert agreement is not None
    return agreement


def test_equal_pieces_agree() -> None:
    agreement = found(chords(), chords())

    assert (agreement.share, agreement.first, agreement.notes) == (1.0, None, 64)
    assert agreement.only == (frozenset(), frozenset())
    assert agreement.describe() == "All notes agree"


def test_a_changed_note_differs_in_both_pieces() -> None:
    agreement = found(chords(), changed(chords(), 20, 1, 65))

    assert agreement.only == (
        frozenset({Note(20, 24, 67, 1)}),
        frozenset({Note(20, 24, 65, 1)}),
    )
    assert agreement.share == pytest.approx(62 / 64)
    assert agreement.describe() == "97 % of notes agree; first difference bar 2, beat 2"


def test_a_note_of_another_length_differs() -> None:
    onsets = chords().onsets.copy()
    onsets[8, 0] = False
    agreement = found(chords(), replace(chords(), onsets=onsets))

    assert agreement.only[1] == {Note(4, 12, 72, 0)}
    assert agreement.only[0] == {Note(4, 8, 72, 0), Note(8, 12, 72, 0)}
    assert agreement.first == 8


def test_only_steps_that_both_have_written_are_compared() -> None:
    agreement = found(chords(), changed(chords(), 20, 1, 65), written=20)

    assert (agreement.first, agreement.notes) == (None, 40)
    assert [piece.steps for piece in agreement.pieces] == [20, 20]

    agreement = found(chords(48), chords())

    assert agreement.share == 1
    assert agreement.pieces[0].steps == 32

    assert compare(chords(), chords(), written=0) is None


@pytest.mark.parametrize(
    "other", [replace(chords(), meter=Meter(3, 4)), replace(chords(), pickup=4)]
)
def test_pieces_of_another_form_cannot_be_compared(other: Chorale) -> None:
    assert compare(chords(), other) is None


def test_the_counter_equals_a_count_note_by_note() -> None:
    first, second = (replace(random_chorale(seed, 64), pickup=0) for seed in (1, 2))
    pitches, onsets = second.pitches.copy(), second.onsets.copy()
    pitches[:24], onsets[:24] = first.pitches[:24], first.onsets[:24]
    onsets[24] = True
    second = replace(second, pitches=pitches, onsets=onsets & (pitches >= 0))
    agreement = found(first, second)

    notes: list[set[tuple[int, int, int, int]]] = []
    for piece in (first, second):
        these = set()
        for voice in range(4):
            begun = np.flatnonzero(piece.onsets[:, voice])
            for start in begun.tolist():
                stop = start + 1
                while (
                    stop < 64
                    and not piece.onsets[stop, voice]
                    and (piece.pitches[stop, voice] == piece.pitches[start, voice])
                ):
                    stop += 1
                these.add((start, stop, int(piece.pitches[start, voice]), voice))
        notes.append(these)
    both = len(notes[0] & notes[1])
    assert agreement.notes == len(notes[0]) + len(notes[1])
    assert agreement.share == pytest.approx(2 * both / agreement.notes)


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0 %"), (0.001, "1 %"), (0.614, "61 %"), (0.999, "99 %"), (1.0, "100 %")],
)
def test_a_share_is_whole_only_where_it_is(share: float, text: str) -> None:
    """One differing note of a thousand is not 100 %."""
    assert percent(share) == text


def test_the_table_has_each_note_that_only_one_piece_has() -> None:
    pitches = np.tile([72, 67, 64, 48], (32, 1))
    first = Chorale.of(pitches, key=Key("F", "major"))
    pitches[16:20, 1] = 70
    agreement = found(first, Chorale.of(pitches, key=Key("F", "major")))

    assert list(table(agreement, ("relative", "vanilla"))) == [
        HEADER,
        ("A", "relative", "Alto", "bar 1, beat 1", 0, 32, "G4", 67),
        ("B", "vanilla", "Alto", "bar 1, beat 1", 0, 16, "G4", 67),
        ("B", "vanilla", "Alto", "bar 2, beat 1", 16, 4, "B♭4", 70),
        ("B", "vanilla", "Alto", "bar 2, beat 2", 20, 12, "G4", 67),
    ]


def choice(name: str, family: str = "causal", *, is_test_run: bool = False) -> ModelChoice:
    return ModelChoice(
        name=name, title=name, detail="", conditions=frozenset(), family=family,
        is_test_run=is_test_run,
    )  # fmt: skip


CHOICES = (
    choice("relative"),
    choice("vanilla"),
    choice("cross", "encoder_decoder"),
    choice("smoke-infill", "infill", is_test_run=True),
    choice("relative-infill", "infill"),
    choice("vanilla-infill", "infill"),
)


@pytest.mark.parametrize(
    ("model", "other", "expected"),
    [
        ("relative", "vanilla", "vanilla"),
        ("relative", "cross", "cross"),
        ("relative-infill", "vanilla-infill", "vanilla-infill"),
        ("relative-infill", "vanilla", "vanilla-infill"),
        ("relative", "vanilla-infill", "vanilla"),
        ("relative-infill", "cross", "vanilla-infill"),
        ("relative-infill", "relative", "vanilla-infill"),
        ("relative", "smoke-infill", "vanilla"),
    ],
)
def test_the_partner_is_of_the_same_kind(model: str, other: str, expected: str) -> None:
    assert model_b(model, other, CHOICES) == expected


@pytest.mark.parametrize(
    ("model", "other"),
    [("relative", ""), ("relative", "relative"), ("relative", "gone"), ("gone", "vanilla")],
)
def test_there_is_none_without_two_models(model: str, other: str) -> None:
    assert model_b(model, other, CHOICES) == ""


def test_there_is_none_without_another_model_of_the_kind() -> None:
    assert model_b("relative-infill", "vanilla", CHOICES[:2] + CHOICES[4:5]) == ""
    assert "Vanilla (writes) cannot do the same as Relative (rewrites)" in reason(
        "relative-infill", "vanilla"
    )
    assert reason("relative", "relative").startswith("A and B are both Relative (writes)")


MEANS = ((0.41, 0.55), (0.62, 0.47))


def test_a_piece_is_described_by_its_violations_and_cadences() -> None:
    """The second phrase of three ends on a sixth chord; the fifths lead into the last chord."""
    c, g, d, sixth = (72, 67, 64, 48), (71, 67, 62, 55), (74, 69, 66, 50), (72, 67, 60, 52)
    pitches = np.repeat([c, g, c, c, g, sixth, c, d, g], 4, axis=0)
    fermatas = np.zeros(36, dtype=np.bool_)
    fermatas[8:12] = fermatas[20:24] = fermatas[32:] = True
    piece = Chorale.of(pitches, fermatas=fermatas, key=Key("C", "major"))
    found = len(marks.marks(piece))

    assert found > 0
    assert in_words(piece, "your notes") == (
        f"Your notes: {found} rule violations; cadences at 2 of 3 phrase ends (V–I, V–I in G)"
    )
    assert in_words(Chorale.of([c] * 16), "Vanilla") == "Vanilla: 0 rule violations"


def test_surprisal_is_a_line_about_each_piece() -> None:
    assert surprisal_lines(MEANS) == (
        "A: 0.41 nats per note under itself, 0.55 under B",
        "B: 0.47 nats per note under itself, 0.62 under A",
    )
