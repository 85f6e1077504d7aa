"""The two token vocabularies, as tables.

``pitch`` is the published grid: one symbol per pitch, without a distinction of held and repeated
notes. ``articulated`` has each pitch as an onset and as a hold, so repeats are preserved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from musicrel.errors import UsageError

PAD: Final = 0
MASK: Final = 1
START: Final = 2
END: Final = 3
REST_TOKEN: Final = 4
LOWEST_PITCH: Final = 36
HIGHEST_PITCH: Final = 81
PITCHES: Final = HIGHEST_PITCH - LOWEST_PITCH + 1
PUBLISHED_TOKENS: Final = 53
"""Size of the vocabulary of the published comparison: 5 specials and the 48 values of JSB16's
train split."""

_FIRST_PITCH_TOKEN: Final = REST_TOKEN + 1


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A table of symbols; a token id is an index into it."""

    name: str
    holds: bool  # whether held pitches have their own tokens

    @property
    def size(self) -> int:
        return _FIRST_PITCH_TOKEN + PITCHES * (2 if self.holds else 1)

    @property
    def first_onset(self) -> int:
        """Return the id of the onset of the lowest pitch; the others follow in semitones."""
        return _FIRST_PITCH_TOKEN

    @property
    def first_hold(self) -> int:
        """Return the id of the hold of the lowest pitch; ``first_onset`` without hold tokens."""
        return _FIRST_PITCH_TOKEN + (PITCHES if self.holds else 0)

    def symbols(self) -> tuple[str, ...]:
        """List the names of all tokens in the order of their ids, as stored in a model's card."""
        pitches = range(LOWEST_PITCH, HIGHEST_PITCH + 1)
        onsets = tuple(str(pitch) for pitch in pitches)
        held = tuple(f"{pitch}_" for pitch in pitches) if self.holds else ()
        return ("PAD", "MASK", "START", "END", "REST", *onsets, *held)


PITCH: Final = Vocabulary("pitch", holds=False)
ARTICULATED: Final = Vocabulary("articulated", holds=True)
VOCABULARIES: Final[Mapping[str, Vocabulary]] = {
    vocabulary.name: vocabulary for vocabulary in (PITCH, ARTICULATED)
}


def vocabulary(name: str) -> Vocabulary:
    """Return the vocabulary named ``name``."""
    try:
        return VOCABULARIES[name]
    except KeyError:
        known = " or ".join(VOCABULARIES)
        raise UsageError(f"unknown vocabulary {name!r}: expected {known}") from None
