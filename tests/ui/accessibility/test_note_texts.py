"""Notes and passages as a screen reader speaks them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key
from musicrel.figures import roll
from musicrel.presentation import marks
from musicrel.score.editing.selection import Selection
from musicrel.ui.accessibility.accessibility import MessageFilter, NoteTexts, quarter_of

PIECE = Chorale.of(
    [(78, 67, 64, -1)] * 4 + [(78, 70, 64, 50)] * 12, key=Key("F", "major"), pickup=4
)
NOTES = roll.draw(PIECE).notes
TEXTS = NoteTexts(roll.draw(PIECE))


def some(voices: tuple[int, ...], start: int, stop: int) -> Selection:
    return Selection(voices=voices, start=start, stop=stop)


def test_signs_are_words() -> None:
    flat = roll.draw(replace(PIECE, key=Key("Ab", "major")))
    assert NoteTexts(flat).note(NOTES[0]) == "Soprano G flat 5, pickup, beat 4, whole"
    sharp = roll.draw(replace(PIECE, key=None))
    assert NoteTexts(sharp).note(NOTES[0]) == "Soprano F sharp 5, pickup, beat 4, whole"


def test_notes_and_passages_are_locked_whole_or_in_part() -> None:
    locked = np.zeros((16, 4), dtype=np.bool_)
    locked[:8, 0] = True
    locked[:4, 1] = True
    texts = TEXTS._replace(locked=locked)

    assert texts.note(NOTES[0]).endswith("whole, partly locked")
    assert texts.note(NOTES[1]).endswith("quarter, locked")
    assert texts.note(NOTES[2]).endswith("whole")

    locked = np.zeros((16, 4), dtype=np.bool_)
    locked[:, 3] = True
    texts = TEXTS._replace(locked=locked)

    assert texts.passage(some((3,), 0, 1), NOTES).endswith("rest, pickup, beat 4, locked")
    assert texts.passage(some((2, 3), 0, 16), NOTES).endswith("2 notes, partly locked")


def test_broken_rules_are_named_and_explained() -> None:
    fifths = Chorale.of([(67, 64, 55, 48)] * 4 + [(69, 64, 55, 50)] * 4)
    texts = NoteTexts(roll.draw(fifths), marks=marks.marks(fifths))
    last = texts.picture.notes[-1]

    assert texts.note(last) == (
        "Bass D3, bar 1, beat 2, quarter, Parallel fifths: Soprano and Bass"
    )
    assert texts.explanation(last).startswith("Parallel fifths: Soprano and Bass, bar 1, beat 2. ")
    assert texts.explanation(texts.picture.notes[1]) == ""


@pytest.mark.parametrize(
    ("selection", "text"),
    [
        (some((1,), 4, 5), "Alto B flat 4, bar 1, beat 1, dotted half"),
        (some((1,), 6, 7), "Alto B flat 4, held, bar 1, beat 1½"),
        (some((3,), 0, 1), "Bass, rest, pickup, beat 4"),
        (some((3,), 0, 4), "Bass, pickup, beat 4, 0 notes"),
        (some((1, 2), 0, 16), "Alto, Tenor, pickup, beat 4 to bar 1, beat 3, 3 notes"),
    ],
)
def test_passage_is_a_note_a_rest_or_a_number_of_notes(selection: Selection, text: str) -> None:
    assert TEXTS.passage(selection, NOTES) == text


def announced(*texts: str) -> list[str]:
    chosen = MessageFilter()
    return [text for text in texts if chosen.is_due(text)]


def test_progress_is_announced_by_quarters() -> None:
    bars = [f"Generating bar {bar} of 8" for bar in range(1, 9)]

    assert announced(*(bar for bar in bars for _ in range(30)), "Generated in 2.5 s") == [
        "Generating bar 1 of 8", "Generating bar 3 of 8", "Generating bar 5 of 8",
        "Generating bar 7 of 8", "Generated in 2.5 s",
    ]  # fmt: skip


def test_search_between_bars_is_announced_once_and_other_messages_each_time() -> None:
    first, search, done = "Generating bar 1 of 8", "Searching: 40 of 64 continuations fit", "Done"
    again = "Searching: 12 of 64 continuations fit"

    found = announced(first, search, first, again, "Generating bar 2 of 8", done, first)

    assert found == [first, search, done, first]

    assert announced("Generated in 1.0 s", "", "Generated in 1.0 s") == ["Generated in 1.0 s"] * 2


@pytest.mark.parametrize(
    ("text", "quarter"),
    [
        ("Engraving the score: 0%", 0),
        ("Engraving the score: 49%", 1),
        ("Writing and revising candidate 1 of 8: 100 %", 4),
        ("Generating bar 8 of 8", 3),
        ("Stopped in bar 8 of 8", None),
        ("Rated 3 of 5", None),
        ("Score engraved", None),
    ],
)
def test_quarter_of_a_message(text: str, quarter: int | None) -> None:
    assert quarter_of(text) == quarter
