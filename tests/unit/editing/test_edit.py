"""Edits, what moves with them, and long sessions of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Meter
from musicrel.editing import clipboard, note_edits, note_input, piece_edits
from musicrel.editing.clipboard import Clip
from musicrel.editing.edit import Edit
from musicrel.editing.notes import Note
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError
from tests.helpers.music import random_case, random_chorale


def test_locks_of_a_piece_of_the_same_length_stay(hymn: Chorale) -> None:
    """Those of a longer one are free at its end."""
    locks = hymn.onsets
    assert np.array_equal(Edit(piece=hymn).moved(locks), locks)
    longer = Edit(piece=hymn.padded(4)).moved(locks)
    assert np.array_equal(longer[:48], locks)
    assert not longer[48:].any()


def test_locks_follow_the_steps_that_are_left(hymn: Chorale) -> None:
    """-1 is a new step."""
    edit = Edit(piece=hymn.cropped(0, 3), source_T=np.array([5, -1, 0]))
    locks = np.zeros((48, 4), dtype=np.bool_)
    locks[[0, 5], [1, 2]] = True
    assert np.argwhere(edit.moved(locks)).tolist() == [[0, 2], [2, 1]]


@dataclass
class Session:
    """A piece that is edited at random, as by someone at the keyboard."""

    rng: np.random.Generator
    piece: Chorale
    clip: Clip = field(default=Clip(voices=(0,), length=4, notes=(Note(0, 4, 72, 0),)))

    def number(self, low: int, high: int) -> int:
        """Draw a number, both ends included."""
        return int(self.rng.integers(low, high + 1))

    def selection(self) -> Selection:
        """Draw a selection in the piece."""
        voices = self.rng.choice(4, size=self.number(1, 4), replace=False)
        start = self.number(0, self.piece.steps - 1)
        stop = min(start + self.number(1, 24), self.piece.steps)
        return Selection(voices=tuple(sorted(map(int, voices))), start=start, stop=stop)

    def cut(self, piece: Chorale, selection: Selection) -> Edit:
        """Cut to the clipboard."""
        self.clip, edit = clipboard.cut(piece, selection)
        return edit

    def enter(self, piece: Chorale, selection: Selection) -> Edit:
        """Enter a note, a rest, or Backspace, at any place of the cursor."""
        cursor = note_input.Cursor(
            voice=selection.voices[0],
            step=self.number(0, piece.steps),
            duration=int(self.rng.choice([*note_input.DURATIONS.values()])),
            dotted=self.number(0, 1) == 1,
        )
        letter = "ABCDEFG"[self.number(0, 6)]
        entries: list[Callable[[], tuple[Edit, note_input.Cursor]]] = [
            lambda: note_input.enter(piece, cursor, letter),
            lambda: note_input.rest(piece, cursor),
            lambda: note_input.backspace(piece, cursor),
        ]
        return entries[self.number(0, 2)]()[0]

    def set_properties(self, piece: Chorale, _: Selection) -> Edit:
        """Set key, meter, pickup and tempo."""
        return piece_edits.with_properties(
            piece,
            piece_edits.Properties(
                title="",
                composer="",
                key=Key.of(self.number(0, 11), "minor") if self.number(0, 3) else None,
                meter=Meter(self.number(2, 6), int(self.rng.choice([2, 4, 8]))),
                pickup=self.number(0, 8),
                tempo=self.number(5, 600),
            ),
        )

    def edit(self) -> Edit:
        """Apply an edit, drawn at random."""
        number, of = self.number, self.selection()
        edits: list[Callable[[Chorale, Selection], Edit]] = [
            note_edits.delete,
            lambda p, s: note_edits.move(p, s, steps=number(-8, 8), semitones=number(-3, 3)),
            lambda p, s: note_edits.move_by_scale(p, s, number(-3, 3)),
            lambda p, s: note_edits.resize(p, s, number(-3, 5)),
            lambda p, s: note_edits.split(p, s, number(s.start, s.stop) if number(0, 1) else None),
            note_edits.join,
            lambda p, s: note_edits.change_voice(p, s, number(0, 3)),
            clipboard.duplicate,
            self.cut,
            lambda p, s: clipboard.paste(p, self.clip, s.start, number(0, 3)),
            piece_edits.toggle_fermata,
            lambda p, s: piece_edits.insert_bars(p, s.start, number(1, 2)),
            piece_edits.remove_bars,
            lambda p, _: piece_edits.add_bars(p),
            lambda p, _: piece_edits.transposed_to(p, Key.of(number(0, 11), "minor")),
            self.set_properties,
            *([self.enter] * 4),
        ]
        return edits[number(0, len(edits) - 1)](self.piece, of)


@pytest.mark.parametrize("seed", range(20))
def test_a_long_session_of_edits_leaves_valid_pieces(seed: int) -> None:
    """A hundred random edits raise nothing but sentences, and selections lie in the piece."""
    session = Session(np.random.default_rng(seed), random_chorale(seed, 48))
    for _ in range(100):
        before = session.piece
        copied = before.pitches.copy()
        with contextlib.suppress(UsageError):
            edit = session.edit()
            session.piece = edit.piece
            assert edit.selection is None or edit.selection.stop <= edit.piece.steps
            assert edit.moved(np.ones((before.steps, 4), dtype=np.bool_)).shape == (
                edit.piece.steps,
                4,
            )
        assert np.array_equal(before.pitches, copied)


def test_a_random_case_is_drawn_again() -> None:
    """From its seed."""
    assert random_case(3).piece == random_case(3).piece
    assert random_case(3).selection == random_case(3).selection
