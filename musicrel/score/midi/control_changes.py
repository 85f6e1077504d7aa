"""Controllers of General MIDI and their values."""

from __future__ import annotations

from typing import Final

VOLUME: Final = 7
PAN: Final = 10
ALL_SOUND_OFF: Final = 120
ALL_NOTES_OFF: Final = 123

DEFAULT_VOLUME: Final = 100
"""The channel volume of level 1."""
HIGHEST: Final = 127
"""The highest value of a controller, and the highest velocity."""


def channel_volume(level: float) -> int:
    """Return the value of ``VOLUME`` for a level, 1 being the default."""
    return min(round(DEFAULT_VOLUME * level), HIGHEST)
