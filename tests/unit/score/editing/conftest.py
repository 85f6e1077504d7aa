"""Random pieces and selections, and a piece in bars that can be read at a glance."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key
from tests.helpers.music import Case, random_case


@pytest.fixture(params=range(40))
def case(request: pytest.FixtureRequest) -> Case:
    return random_case(request.param)


@pytest.fixture
def empty() -> Chorale:
    return Chorale.of(np.full((32, 4), REST), key=Key("G", "major"))


@pytest.fixture
def hymn() -> Chorale:
    """Build three bars of 4/4 in C major: quarters in the soprano, halves in the bass, no more."""
    soprano = np.repeat([72, 74, 76, 77, 79, 77, 76, 74, 72, 71, 72, 72], 4)
    bass = np.repeat([48, 52, 55, 53, 52, 48], 8)
    rests = np.full(48, REST)
    onsets = np.zeros((48, 4), dtype=np.bool_)
    onsets[::4, 0], onsets[::8, 3] = True, True
    return Chorale.of(
        np.stack([soprano, rests, rests, bass], axis=1), onsets=onsets, key=Key("C", "major")
    )
