"""Pieces shared by the tests of file formats."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Meter, Provenance

STEPS = 24


@pytest.fixture
def hymn() -> Chorale:
    """Build a pickup of a quarter and a bar of 4/4 with repeats, rests, fermatas; all fields set.

    The soprano repeats its first note, the alto starts and ends with a rest, the tenor has one
    long note, the bass moves in eighths.
    """
    soprano = [67] * 8 + [69] * 4 + [71] * 8 + [-1] * 4
    alto = [-1] * 4 + [62] * 12 + [-1] * 8
    tenor = [59] * STEPS
    bass = [43 + step // 2 for step in range(STEPS)]
    pitches = np.array([soprano, alto, tenor, bass], dtype=np.int16).T.copy()
    onsets = np.zeros((STEPS, 4), dtype=np.bool_)
    for voice, starts in enumerate(([0, 4, 8, 12], [4, 8], [0], range(0, STEPS, 2))):
        onsets[list(starts), voice] = True
    fermatas = np.zeros(STEPS, dtype=np.bool_)
    fermatas[[12, 13, 14, 15, 22, 23]] = True
    return Chorale(
        pitches=pitches,
        onsets=onsets,
        fermatas=fermatas,
        meter=Meter(4, 4),
        pickup=4,
        key=Key("Bb", "major"),
        tempo=72.5,
        title="Nun lob, mein Seel (B♭) für vier Stimmen",
        provenance=Provenance(
            model="relative♯",
            sha256="0f" * 32,
            seed=2**40,
            settings={"temperature": 0.9, "locks": [[0, 1, 62]], "key": None},
            machine={"device": "cpu", "threads": 1, "musicrel": "0.1.0"},
        ),
    )
