"""Sevenths that are not resolved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from musicrel.chorale import REST
from musicrel.generation.constraints import sevenths
from tests.helpers.music import random_chorale

G7 = (65, 62, 59, 55)
"""The soprano has the seventh."""


def steps(*chords: Sequence[int], times: int = 4) -> list[list[int]]:
    """Return chords that sound for some steps each."""
    return [list(chord) for chord in chords for _ in range(times)]


@pytest.mark.parametrize(
    ("after", "resolved", "unresolved"),
    [
        ((64, 60, 60, 48), 1, 0),
        ((63, 60, 60, 48), 1, 0),
        ((67, 60, 60, 48), 0, 1),
        ((60, 64, 60, 48), 0, 1),
        ((65, 60, 60, 53), 0, 0),
        ((REST, 60, 60, 48), 0, 0),
    ],
    ids=["semitone down", "tone down", "up", "leap", "held", "rest"],
)
def test_a_seventh_resolves_a_step_down(
    after: Sequence[int], resolved: int, unresolved: int
) -> None:
    assert sevenths.resolved(steps(G7, after)) == resolved
    assert sevenths.unresolved(steps(G7, after)) == unresolved


def test_a_seventh_counts_where_it_is_left() -> None:
    """It may be held into another chord first."""
    held, leap = (65, 62, 57, 50), (60, 64, 57, 45)

    assert sevenths.unresolved(steps(G7, held)) == 0
    assert sevenths.unresolved(steps(G7, held, leap)) == 1
    assert sevenths.unresolved(steps(G7, held, leap, leap)) == 0


def test_a_seventh_may_leap_inside_its_beat() -> None:
    """It is left on the third sixteenth of the beat."""
    beat = [list(G7)] * 2 + [[71, 62, 59, 55]] * 2

    assert sevenths.unresolved(beat) == 1


def test_a_tone_between_the_beats_is_no_seventh() -> None:
    """A passing seventh begins off the beat."""
    passing = [[67, 62, 59, 55]] * 2 + [[65, 62, 59, 55]] * 2

    assert sevenths.unresolved([*passing, *steps((67, 60, 64, 48))]) == 0


@pytest.mark.parametrize(
    ("chord", "seventh"),
    [
        ((65, 62, 59, 55), 5),
        ((72, 65, 57, 50), 0),
        ((71, 64, 67, 48), 11),
        ((69, 65, 62, 59), 9),
        ((65, 59, 55, 55), 5),
        ((72, 67, 64, 48), None),
        ((68, 65, 62, 59), None),
    ],
    ids=["dominant", "minor", "major", "half-diminished", "no fifth", "triad", "diminished"],
)
def test_a_seventh_chord_is_known_by_its_pitch_classes(
    chord: Sequence[int], seventh: int | None
) -> None:
    assert sevenths._seventh(chord) == seventh


@pytest.mark.parametrize("seed", range(4))
def test_a_seventh_is_counted_once_in_a_piece(seed: int) -> None:
    """Beat by beat, each departure from a seventh of a chord on a beat counts where it happens."""
    pitches = random_chorale(seed, 64).pitches
    found = sum(sevenths.unresolved(pitches[:stop].tolist()) for stop in range(4, 65, 4))

    expected = 0
    for voice in range(4):
        line = pitches[:, voice]
        for step in np.flatnonzero(np.diff(line)) + 1:
            old, new = int(line[step - 1]), int(line[step])
            run = step - 1
            while run and line[run - 1] == old:
                run -= 1
            beats = [beat for beat in range(run, step) if beat % 4 == 0]
            is_seventh = any(
                sevenths._seventh(pitches[beat].tolist()) == old % 12 for beat in beats
            )
            is_left = REST not in (old, new) and old - new not in (1, 2)
            expected += is_seventh and is_left
    assert found == expected
