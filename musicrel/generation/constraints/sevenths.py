"""Sevenths of chords, which resolve if the voice moves on a step down.

The chords are those on the beats. After Aldwell and Schachter, *Harmony and Voice Leading*,
chapters 8 and 12.

Dimensions: T steps, 4 voices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from musicrel.analysis.motion import FIFTH
from musicrel.chorale import REST, STEPS_PER_QUARTER, Voice
from musicrel.harmony.numeral import INTERVALS, Quality

_KINDS: Final[tuple[Quality, ...]] = (
    "dominant", "minor-seventh", "major-seventh", "half-diminished"
)  # fmt: skip
_STEPS_DOWN: Final = (1, 2)


def _sevenths() -> dict[frozenset[int], int]:
    """Return the pitch class of the seventh by the pitch classes of its chord."""
    shapes = [INTERVALS[kind] for kind in _KINDS]
    bare = [(0, third, seventh) for _, third, fifth, seventh in shapes if fifth == FIFTH]
    return {
        frozenset((root + tone) % 12 for tone in tones): (root + tones[-1]) % 12
        for tones in (*bare, *shapes)
        for root in range(12)
    }


_SEVENTHS: Final = _sevenths()


def unresolved(pitches: Sequence[Sequence[int]]) -> int:
    """Return how many sevenths are left unresolved in the last beat, its first step included.

    Args:
        pitches: for each step the MIDI numbers of the four voices, or ``REST``; the last step ends
            a beat.
    """
    return _departures(pitches, is_step_down=False)


def resolved(pitches: Sequence[Sequence[int]]) -> int:
    """Return how many sevenths move a step down in the last beat; see ``unresolved``."""
    return _departures(pitches, is_step_down=True)


def _departures(pitches: Sequence[Sequence[int]], *, is_step_down: bool) -> int:
    """Return how often a voice leaves a seventh in the last beat.

    Args:
        pitches: as in ``unresolved``.
        is_step_down: True counts the moves a step down, False all others.
    """
    first = max(len(pitches) - STEPS_PER_QUARTER, 1)
    return sum(
        _leaves(pitches, step, voice, is_step_down=is_step_down)
        for step in range(first, len(pitches))
        for voice in Voice
    )


def _leaves(pitches: Sequence[Sequence[int]], step: int, voice: int, *, is_step_down: bool) -> bool:
    """Return True if a voice leaves a seventh at a step in this way."""
    before, after = pitches[step - 1][voice], pitches[step][voice]
    if (
        before == after
        or REST in (before, after)
        or (before - after in _STEPS_DOWN) != is_step_down
    ):
        return False
    while step and pitches[step - 1][voice] == before:
        step -= 1
        is_on_beat = (len(pitches) - step) % STEPS_PER_QUARTER == 0
        if is_on_beat and _seventh(pitches[step]) == before % 12:
            return True
    return False


def _seventh(chord: Sequence[int]) -> int | None:
    """Return the pitch class of the seventh of a chord; None if it has none."""
    return _SEVENTHS.get(frozenset(pitch % 12 for pitch in chord if pitch != REST))
