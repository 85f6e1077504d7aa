"""The ghost of a note."""

from __future__ import annotations

import pytest

from musicrel.chorale import Key
from musicrel.presentation.score.ghost import ghost
from musicrel.presentation.score.score_picture import SPACE, Column, Staff, System

TREBLE, BASS = Staff(0.0, 4 * SPACE, (0, 1)), Staff(10 * SPACE, 14 * SPACE, (2, 3))
SYSTEM = System(
    ink=(), heads=(), staves=(TREBLE, BASS), columns=(Column(0, 0.0), Column(16, 9.0)),
    lines=(Column(0, 0.0), Column(16, 9.0)), top=0.0, bottom=14 * SPACE, right=9.0,
)  # fmt: skip


@pytest.mark.parametrize(
    ("voice", "degree", "pitch", "name", "spaces", "ledgers"),
    [
        (0, 34, 71, "B4", 2.0, ()),
        (1, 28, 60, "C4", 5.0, (5.0,)),
        (2, 31, 66, "F♯4", 7.5, (9.0, 8.0)),
        (3, 18, 43, "G2", 14.0, ()),
    ],
)
def test_it_is_on_the_staff_of_its_voice(
    *, voice: int, degree: int, pitch: int, name: str, spaces: float, ledgers: tuple[float, ...]
) -> None:
    """With the ledger lines that it needs, and its name in the key."""
    found = ghost(2, SYSTEM, x=5.0, voice=voice, degree=degree, pitch=pitch, key=Key("G", "major"))

    assert (found.system, found.x, found.name) == (2, 5.0, name)
    assert found.y == spaces * SPACE
    assert found.ledgers == tuple(y * SPACE for y in ledgers)
