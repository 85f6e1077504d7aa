"""Marks of rule violations and locked cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.analysis import voice_leading
from musicrel.analysis.rules import RULES
from musicrel.chorale import REST, Chorale, Provenance, Voice
from musicrel.generation.request import GenerationRequest
from musicrel.presentation import lock_cells, marks
from musicrel.presentation.lock_cells import Span
from musicrel.presentation.marks import Mark, RuleChanges
from musicrel.score.editing.notes import Note
from musicrel.score.editing.selection import Selection
from tests.helpers.music import random_chorale

PIECE = Chorale.of([(72, 67, 64, 48)] * 4 + [(74, 65, 62, 50)] * 12)


ALTO = Selection(voices=(1,), start=2, stop=6)


def written(**settings: object) -> Chorale:
    return replace(PIECE, provenance=Provenance(model="m", sha256="0", seed=1, settings=settings))


def test_toggling_locks_a_part_and_unlocks_it_where_all_of_it_was() -> None:
    part = lock_cells.cells(PIECE, ALTO)
    half = lock_cells.cells(PIECE, replace(ALTO, stop=4))

    once = lock_cells.toggled(half, part)
    assert (once == part).all()
    assert not lock_cells.toggled(once, part).any()
    assert not lock_cells.holds(once, lock_cells.nothing(PIECE))


def test_voices_and_chords_are_parts() -> None:
    assert lock_cells.spans(lock_cells.of_voice(PIECE, 3)) == (Span(3, 0, 16),)
    assert lock_cells.spans(lock_cells.of_chord(PIECE, "first")) == tuple(
        Span(v, 0, 4) for v in range(4)
    )
    assert lock_cells.spans(lock_cells.of_chord(PIECE, "last")) == tuple(
        Span(v, 4, 16) for v in range(4)
    )


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (lock_cells.nothing(PIECE), ""),
        (lock_cells.cells(PIECE, ALTO), "Locked: part of Alto"),
        (
            lock_cells.of_voice(PIECE, 3) | lock_cells.cells(PIECE, ALTO),
            "Locked: Bass, part of Alto",
        ),
        (lock_cells.of_chord(PIECE, "last"), "Locked: notes at bar 1, beat 2"),
        (~lock_cells.nothing(PIECE), "Everything is locked"),
    ],
)
def test_locks_are_described(cells: np.ndarray, words: str) -> None:
    assert lock_cells.describe(PIECE, cells) == words


def test_locks_go_with_the_piece() -> None:
    cells = lock_cells.cells(PIECE, ALTO)
    signed = lock_cells.with_locks_in_provenance(written(bars=1), cells)

    assert signed.provenance is not None
    assert signed.provenance.settings == {"bars": 1, "locked": [[1, 2, 6]]}
    assert (lock_cells.locks_from_provenance(signed) == cells).all()
    assert lock_cells.with_locks_in_provenance(signed, lock_cells.nothing(PIECE)) == written(bars=1)
    assert lock_cells.with_locks_in_provenance(PIECE, cells) is PIECE


@pytest.mark.parametrize(
    "stored", [7, [3], [[0, 1]], [["a", 0, 1]], [[4, 0, 1]], [[0, 5, 5]], [[0, 0, 99]]]
)
def test_locks_that_cannot_be_read_are_none(stored: object) -> None:
    assert not lock_cells.locks_from_provenance(written(locked=stored)).any()


FIFTHS = Chorale.of([(67, REST, REST, 60)] * 20 + [(69, REST, REST, 62)] * 4)
UPPER = Note(20, 24, 69, 0)


def test_a_mark_names_place_voices_rule_and_source() -> None:
    (mark,) = found = marks.marks(FIFTHS)
    assert mark == Mark(
        step=20, stop=21, previous=19, voices=(Voice.SOPRANO, Voice.BASS), rule="parallel_fifths",
        where="bar 2, beat 2", bach="Bach: 0.64 per 1,000 notes",
    )  # fmt: skip
    assert mark.sentence.startswith("Parallel fifths: Soprano and Bass, bar 2, beat 2. Two voices")
    assert mark.source == "Source: Fux, Gradus ad Parnassum (1725)"
    assert marks.marks_of(found, UPPER) == found
    assert marks.marks_of(found, Note(0, 20, 67, 0)) == ()
    (text,) = marks.descriptions(found, UPPER)
    assert text == f"{mark.sentence} {mark.source}. {mark.bach}."


def test_a_violation_selects_both_notes_of_its_voices() -> None:
    piece = Chorale.of(
        [(67, REST, REST, 60)] * 4 + [(69, REST, REST, 62)] * 4 + [(71, REST, REST, 62)] * 2
    )
    (mark,) = marks.marks(piece)
    assert marks.selected_by(piece, mark) == Selection(voices=(0, 3), start=0, stop=8)
    crossed = Chorale.of([(72, 67, 55, 43)] * 2 + [(60, 67, 54, 43)] * 3)
    (mark,) = marks.marks(crossed, ("crossing",))
    assert marks.selected_by(crossed, mark) == Selection(voices=(0, 1), start=2, stop=5)


def test_a_passage_is_one_mark() -> None:
    crossed = Chorale.of([(60, 67, 54, 43)] * 3 + [(72, 67, 55, 43)] * 3)
    found = [(mark.step, mark.stop, mark.previous) for mark in marks.marks(crossed, ("crossing",))]
    assert found == [(0, 3, None)]


def test_there_is_a_mark_for_every_finding() -> None:
    music = random_chorale(3, 60)
    found = marks.marks(music, tuple(RULES))
    assert len(found) == voice_leading.rates(music, rules=tuple(RULES)).total
    assert [mark.step for mark in found] == sorted(mark.step for mark in found)
    assert all(mark.sentence.endswith(".") for mark in found)


def test_summary_names_what_is_broken_beside_bach() -> None:
    rates = voice_leading.rates(FIFTHS)

    assert marks.summary_line(rates) == "1 violation: parallel fifths 1"
    assert marks.summary_line(rates, "1 new") == "1 violation (1 new): parallel fifths 1"
    assert marks.summary_line(voice_leading.rates(FIFTHS.cropped(0, 20))) == marks.NO_VIOLATIONS
    assert marks.summary_lines(rates) == ("Parallel fifths: 1, 250.00 per 1,000 notes, Bach 0.64",)


def test_summary_has_the_most_frequent_rule_first() -> None:
    crossed = [(60, 67, 54, 43)] * 5 + [(72, 67, 55, 43)] * 3
    piece = Chorale.of([*crossed, *FIFTHS.pitches, *FIFTHS.pitches])

    assert marks.summary_line(voice_leading.rates(piece)) == (
        "7 violations: parallel fifths 3, voice crossing 1, overlap 1, wide spacing 1, "
        "leap beyond an octave 1"
    )
    assert len(marks.marks(piece)) == 7


SIXTH = (69, REST, REST, 60)
FIFTH = (67, REST, REST, 60)
HIGHER = (69, REST, REST, 62)
FINE = Chorale.of([SIXTH] * 16 + [HIGHER] * 16)
WRONG = Chorale.of([FIFTH] * 16 + [HIGHER] * 16)


def changes(before: Chorale, after: Chorale) -> RuleChanges:
    return marks.compare(before, after, marks.marks(after))


def test_a_broken_rule_is_new_and_a_removed_one_fixed() -> None:
    what = "parallel fifths, Soprano and Bass, bar 2, beat 1"
    assert changes(FINE, WRONG).describe() == f"New: {what}"
    assert changes(WRONG, FINE).describe() == f"Fixed: {what}"
    assert changes(WRONG, WRONG) == RuleChanges()
    assert RuleChanges().describe() == ""


@pytest.mark.parametrize("bars", [1, 2])
def test_violations_after_inserted_bars_are_not_new(bars: int) -> None:
    silence = Chorale.of([(REST,) * 4] * 16 * bars)
    longer = Chorale.of([*silence.pitches, *WRONG.pitches])
    assert changes(WRONG, longer) == RuleChanges()
    assert changes(longer, WRONG) == RuleChanges()


def test_a_passage_that_gets_longer_is_the_same_violation() -> None:
    crossed, apart = (60, 67, 54, 43), (72, 67, 55, 43)
    short = Chorale.of([crossed] * 3 + [apart] * 5)
    longer = Chorale.of([crossed] * 4 + [apart] * 4)
    found = changes(short, longer)
    assert "crossing" not in [mark.rule for mark in (*found.new, *found.fixed)]
    assert "crossing" in [mark.rule for mark in changes(FINE, short).new]


def test_other_ranges_of_a_request_break_no_rule() -> None:
    low = Chorale.of([(67, 60, 55, 37)] * 16)
    request = GenerationRequest(bars=1, ranges=((60, 81), (53, 76), (48, 69), (40, 64)))
    origin = Provenance(model="relative", sha256="0", seed=1, settings=request.to_json())
    narrow = replace(low, provenance=origin)
    assert [mark.rule for mark in marks.marks(narrow)] == ["range"]
    assert changes(low, narrow) == changes(narrow, low) == RuleChanges()


def test_many_violations_are_counted() -> None:
    """Their places would not fit in a line, and their rules are in that of the piece."""
    steps = [FIFTH, HIGHER] * 8
    piece = Chorale.of([step for step in steps for _ in range(2)])
    still = Chorale.of([FIFTH] * 32)
    assert (changes(still, piece).describe(), changes(still, piece).count()) == ("", "15 new")
    assert (changes(piece, still).describe(), changes(piece, still).count()) == ("", "15 fixed")
    assert changes(FINE, WRONG).count() == ""
