"""Names of edits, found by comparing two pieces."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key, Meter
from musicrel.presentation import changes
from musicrel.presentation.changes import Changes
from musicrel.score.editing import note_edits, piece_edits
from musicrel.score.editing.draft import Edit
from musicrel.score.editing.notes import Note
from musicrel.score.editing.selection import Selection

ROWS = [[(72 + i % 3, 67, 64, 48 + i % 5)] * 4 for i in range(16)]
PIECE = Chorale.of([row for rows in ROWS for row in rows], title="Air")


def some(voices: tuple[int, ...], start: int, stop: int) -> Selection:
    return Selection(voices=voices, start=start, stop=stop)


def test_one_note_is_named_with_voice_and_bar() -> None:
    one = note_edits.move(PIECE, some((0,), 16, 17), semitones=1).piece
    assert changes.name(PIECE, one) == "transposed note of the soprano in bar 2"
    two = note_edits.move(PIECE, some((0,), 16, 24), semitones=1).piece
    assert changes.name(PIECE, two) == "transposed notes of the soprano in bar 2"
    assert changes.name(two, PIECE) == "transposed notes of the soprano in bar 2"


def test_notes_of_several_voices_of_another_and_after_the_end_are_named() -> None:
    edited = note_edits.move(PIECE, some((0, 3), 4, 40), semitones=1).piece
    assert changes.name(PIECE, edited) == "transposed notes in bars 1 to 3"

    edited = note_edits.change_voice(PIECE, some((0,), 16, 17), 3).piece
    assert changes.name(PIECE, edited) == "notes in bar 2"

    longer = note_edits.put(PIECE, Note(64, 68, 70, 2)).piece
    assert changes.name(PIECE, longer) == "new note of the tenor in bar 5"


def test_pickup_is_no_bar() -> None:
    piece = replace(PIECE, pickup=4)
    edited = note_edits.delete(piece, some((0,), 0, 1)).piece
    assert changes.name(piece, edited) == "deleted note of the soprano in the pickup"
    both = note_edits.delete(piece, some((0,), 0, 8)).piece
    assert changes.name(piece, both) == "deleted notes of the soprano in the pickup and bar 1"
    more = note_edits.delete(piece, some((0,), 0, 30)).piece
    assert changes.name(piece, more) == "deleted notes of the soprano in the pickup to bar 2"
    assert changes.passage(more, piece) == "Soprano, pickup to bar 2"
    assert changes.passage(edited, piece) == "Soprano, pickup"
    assert changes.summary_of_notes(piece, some((0, 1, 2, 3), 0, 8)).endswith(
        " notes, pickup and bar 1"
    )


@pytest.mark.parametrize(
    ("edit", "kind"),
    [
        (note_edits.move(PIECE, some((0,), 16, 17), steps=1), "moved note"),
        (note_edits.move(PIECE, some((0,), 16, 17), steps=4), "moved note"),
        (note_edits.resize(PIECE, some((0,), 16, 17), 1), "longer note"),
        (note_edits.resize(PIECE, some((0,), 16, 17), -1), "shorter note"),
        (note_edits.split(PIECE, some((0,), 16, 17)), "split note"),
        (note_edits.join(PIECE, some((0,), 16, 24)), "joined notes"),
        (note_edits.delete(PIECE, some((0,), 16, 17)), "deleted note"),
        (note_edits.put(PIECE, Note(17, 19, 80, 0)), "new note"),
    ],
)
def test_kind_of_an_edit_is_named(edit: Edit, kind: str) -> None:
    assert changes.name(PIECE, edit.piece) == f"{kind} of the soprano in bar 2"


def test_bars_that_move_others_are_not_notes() -> None:
    longer = piece_edits.insert_bar(PIECE, 16).piece
    assert changes.name(PIECE, longer) == "bars"
    assert changes.name(longer, PIECE) == "bars"
    assert changes.name(PIECE, piece_edits.add_bar(PIECE).piece) == "bars"
    assert changes.name(PIECE, piece_edits.remove_bars(PIECE, some((1,), 0, 4)).piece) == "bars"


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"title": "Other"}, "title"),
        ({"composer": "Somebody"}, "composer"),
        ({"key": Key("G", "major")}, "key"),
        ({"meter": Meter(3, 4)}, "meter"),
        ({"pickup": 4}, "pickup"),
        ({"tempo": 60.0}, "tempo"),
        ({"title": "Other", "key": Key("G", "major")}, "title and key"),
        ({"title": "Other", "tempo": 60.0, "pickup": 4}, "properties"),
        ({"fermatas": np.arange(64) >= 60}, "fermata"),
        ({}, ""),
    ],
)
def test_properties_are_named(fields: dict[str, object], name: str) -> None:
    assert changes.name(PIECE, replace(PIECE, **fields)) == name  # type: ignore[arg-type]


def test_place_is_where_notes_differ() -> None:
    edited = note_edits.move(PIECE, some((0,), 16, 17), steps=4).piece
    assert changes.place(PIECE, edited) == some((0,), 16, 24)
    longer = note_edits.put(PIECE, Note(62, 70, 80, 0)).piece
    assert changes.place(PIECE, longer) == some((0,), 60, 64)
    assert changes.place(longer, PIECE) == some((0,), 60, 70)
    assert changes.place(PIECE, replace(PIECE, title="Other")) is None
    assert changes.place(PIECE, piece_edits.add_bar(PIECE).piece) is None


CHORDS = [(72, 67, 64, 48)] * 16
PLAIN = Chorale.of(CHORDS)


def with_alto(pitch: int, start: int, stop: int) -> Chorale:
    pitches = np.array(CHORDS)
    pitches[start:stop, 1] = pitch
    return Chorale.of(pitches)


def test_changed_notes_are_counted_and_their_steps_found() -> None:
    made = changes.compare(with_alto(69, 4, 8), PLAIN)

    assert made.describe() == "3 notes changed"
    assert made.region == (4, 8)
    assert {(note.start, note.stop, note.pitch) for note in made.new} == {
        (0, 4, 67), (4, 8, 69), (8, 16, 67),
    }  # fmt: skip


def test_removed_notes_are_named_and_a_shorter_piece_has_only_its_own_steps() -> None:
    made = changes.compare(Chorale.of(CHORDS, tempo=60.0, title="Other"), PLAIN)

    assert made == Changes()
    assert (made.describe(), made.region) == ("no note changed", None)

    made = changes.compare(with_alto(REST, 0, 16), PLAIN)

    assert made.describe() == "1 note removed"
    assert made.region == (0, 16)

    made = changes.compare(PLAIN.cropped(0, 8), PLAIN)

    assert (made.region, made.describe()) == (None, "4 notes changed")


def test_a_continuation_adds_bars() -> None:
    longer = Chorale.of([*CHORDS, *[(74, 69, 65, 50)] * 32])
    made = changes.compare(longer, PLAIN)

    assert (made.describe(), made.added_bars) == ("2 bars added", 2)
    assert made.region == (16, 48)


def test_a_repeated_note_in_place_of_a_held_one_is_a_change() -> None:
    onsets = PLAIN.onsets.copy()
    onsets[6, 1] = True
    made = changes.compare(replace(PLAIN, onsets=onsets), PLAIN)

    assert (made.region, made.describe()) == ((6, 7), "2 notes changed")
