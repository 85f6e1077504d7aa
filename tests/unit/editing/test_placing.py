"""The voice of a new note."""

from __future__ import annotations

import pytest

from musicrel.chorale import RANGES, REST, Chorale
from musicrel.editing.placing import fitting_voice

PIECE = Chorale.of([(72, 67, 60, 48)] * 16)


@pytest.mark.parametrize(("pitch", "voice"), [(79, 0), (66, 1), (61, 2), (50, 3), (90, 0), (30, 3)])
def test_voice_is_the_nearest_one_that_can_sing_the_note(pitch: int, voice: int) -> None:
    """Far outside all ranges it is an outer voice."""
    assert fitting_voice(PIECE, 8, pitch, RANGES) == voice


def test_resting_voice_is_preferred() -> None:
    """Its last note and its neighbours must fit."""
    rows = [(72, 67, 60, 48)] * 8 + [(72, REST, 60, 48)] * 8
    assert fitting_voice(Chorale.of(rows), 10, 69, RANGES) == 1


def test_empty_piece_has_voices_by_their_ranges() -> None:
    """The middle of a range is near."""
    empty = Chorale.of([(REST,) * 4] * 16)
    assert [fitting_voice(empty, 0, pitch, RANGES) for pitch in (76, 65, 58, 45)] == [0, 1, 2, 3]
