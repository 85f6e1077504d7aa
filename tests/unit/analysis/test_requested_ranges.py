"""The ranges of a piece's settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from musicrel.analysis import requested_ranges, voice_leading
from musicrel.chorale import RANGES, Chorale, Provenance, Voice

PIECE = Chorale.of([(72, 67, 60, 40)] * 8)
NARROW = [[60, 72], [57, 69], [50, 62], [43, 55]]


def with_ranges(ranges: Any) -> Chorale:
    """Return the piece as generated with ``ranges`` in its settings."""
    settings = {"ranges": ranges}
    return replace(PIECE, provenance=Provenance(model="m", sha256="0", seed=0, settings=settings))


def test_notes_are_out_of_the_ranges_that_were_requested() -> None:
    """Without any, the full ones count."""
    found = voice_leading.find(with_ranges(NARROW), ["range"])
    assert [(one.step, one.stop, one.voices) for one in found] == [(0, 8, (Voice.BASS,))]
    assert voice_leading.find(PIECE, ["range"]) == []


@pytest.mark.parametrize("ranges", [7, [[60, 72]], [["a", "b"]] * 4, [[1, 2, 3]] * 4, "60-81"])
def test_damaged_settings_count_as_none(ranges: Any) -> None:
    """Settings are read from files."""
    assert requested_ranges.of_piece(with_ranges(ranges)) == RANGES
