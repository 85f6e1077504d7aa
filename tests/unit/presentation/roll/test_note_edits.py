"""Edits of single notes."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.presentation.roll import note_edits

S, B = Voice.SOPRANO, Voice.BASS
EMPTY = Chorale.of(np.full((16, 4), REST))


def notes_of(piece: Chorale, voice: Voice = S) -> list[tuple[int, int, int]]:
    """Start, stop and pitch of every note of a voice."""
    starts = np.flatnonzero(piece.onsets[:, voice]).tolist()
    spans = [note_edits.span_at(piece, voice, start) for start in starts]
    return [(*span, int(piece.pitches[span[0], voice])) for span in spans]


def test_a_note_is_put_into_an_empty_sheet() -> None:
    """And into no other voice."""
    piece = note_edits.put_note(EMPTY, S, (4, 8), 72)
    assert notes_of(piece) == [(4, 8, 72)]
    assert (piece.pitches[:, 1:] == REST).all()


def test_a_note_cuts_off_what_it_covers() -> None:
    """One that began before ends there; one that began under it is gone."""
    piece = note_edits.put_note(note_edits.put_note(EMPTY, S, (0, 8), 72), S, (8, 12), 74)
    assert notes_of(note_edits.put_note(piece, S, (4, 6), 71)) == [
        (0, 4, 72),
        (4, 6, 71),
        (8, 12, 74),
    ]
    assert notes_of(note_edits.put_note(piece, S, (6, 10), 71)) == [(0, 6, 72), (6, 10, 71)]


def test_a_repeated_note_is_two_notes() -> None:
    """Side by side on one pitch."""
    piece = note_edits.put_note(note_edits.put_note(EMPTY, S, (0, 4), 72), S, (4, 8), 72)
    assert notes_of(piece) == [(0, 4, 72), (4, 8, 72)]


def test_a_note_is_taken_out_whole() -> None:
    """Wherever it is touched; the others stay."""
    piece = note_edits.put_note(note_edits.put_note(EMPTY, S, (0, 4), 72), S, (4, 8), 74)
    assert notes_of(note_edits.remove_note(piece, S, 2)) == [(4, 8, 74)]
    assert notes_of(note_edits.remove_note(piece, S, 7)) == [(0, 4, 72)]


@pytest.mark.parametrize(
    ("steps", "span"),
    [
        ((4.0, 4.0), (4, 8)),
        ((5.7, 5.7), (4, 8)),
        ((4.2, 5.9), (4, 6)),
        ((11.0, 3.0), (2, 12)),
        ((15.9, 15.9), (14, 16)),
        ((14.0, 40.0), (14, 16)),
    ],
)
def test_notes_lie_on_eighths_within_the_piece(
    steps: tuple[float, float], span: tuple[int, int]
) -> None:
    """A click is a quarter."""
    assert note_edits.span_between(steps, 16) == span


def test_a_letter_is_the_nearest_note_of_the_key() -> None:
    """After the last one, within the voice's range."""
    in_d = Chorale.of(np.full((16, 4), REST), key=Key("D", "major"))
    first = note_edits.nearest_pitch("F", in_d, S)
    assert first % 12 == 6
    high = note_edits.put_note(in_d, S, (0, 4), 81)
    assert note_edits.nearest_pitch("C", high, S) == 73
    assert note_edits.nearest_pitch("G", high, S) == 79
    in_f = Chorale.of(np.full((16, 4), REST), key=Key("F", "major"))
    assert note_edits.nearest_pitch("B", in_f, B) % 12 == 10
    assert note_edits.nearest_pitch("B", EMPTY, B) % 12 == 11


def test_the_end_of_a_voice_is_where_the_next_letter_goes() -> None:
    """0 where it is silent."""
    assert note_edits.end(EMPTY, S) == 0
    assert note_edits.end(note_edits.put_note(EMPTY, S, (4, 6), 72), S) == 6
