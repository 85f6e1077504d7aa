"""Printed accidentals on a staff with one or two voices.

An accidental applies to its staff position until the bar line, within one voice; the other voice of
the staff gets its own. A note tied over the bar line needs none, and none applies after it. A note
gets a courtesy accidental if its position had another alteration in the bar before.
After E. Gould, *Behind Bars*, 2011, "Accidentals".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from musicrel.score.notation.spelling import SpelledPitch, altered_letters

Sign = Literal["flat-flat", "flat", "natural", "sharp", "double-sharp"]

_SIGNS: Final[Mapping[int, Sign]] = {
    -2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp",
}  # fmt: skip

_Position = tuple[str, int]
"""A letter and an octave: a line or space of the staff."""


class Accidental(NamedTuple):
    """An accidental before a note.

    Attributes:
        sign: its MusicXML name.
        courtesy: whether it is a reminder only.
    """

    sign: Sign
    courtesy: bool


class AccidentalState:
    """The accidentals in force on one staff; updated with each note in order of time."""

    def __init__(self, signature: int) -> None:
        """Start with a signature of ``signature`` sharps (negative: flats)."""
        self._signature = altered_letters(signature)
        self._in_bar: dict[_Position, int] = {}
        self._in_voice: dict[tuple[int, _Position], int] = {}
        self._last_before: dict[_Position, int] = {}
        self._last: dict[_Position, int] = {}
        self._signed_at: dict[_Position, int] = {}

    def begin_bar(self) -> None:
        """Reset to the signature at a bar line."""
        self._last_before, self._last = self._last, {}
        self._in_bar, self._in_voice, self._signed_at = {}, {}, {}

    def tied(self, pitch: SpelledPitch) -> None:
        """Add a note tied from the one before, which gets no accidental."""
        self._last[pitch.step, pitch.octave] = pitch.alter

    def accidental_for(self, voice: int, step: int, pitch: SpelledPitch) -> Accidental | None:
        """Add a note and return its accidental, if it needs one.

        Args:
            voice: voice of the note.
            step: start of the note; notes are added in order of time, then from the upper voice
                down.
            pitch: its spelling.
        """
        position = (pitch.step, pitch.octave)
        of_signature = self._signature.get(pitch.step, 0)
        in_force = {
            self._in_bar.get(position, of_signature),
            self._in_voice.get((voice, position), of_signature),
        }
        remembered = self._last.get(position, self._last_before.get(position, of_signature))
        needed = in_force != {pitch.alter}
        shared = self._signed_at.get(position) == step and self._in_bar[position] == pitch.alter
        self._in_bar[position] = self._in_voice[voice, position] = pitch.alter
        self._last[position] = pitch.alter
        if shared or not (needed or remembered != pitch.alter):
            return None
        self._signed_at[position] = step
        return Accidental(_SIGNS[pitch.alter], courtesy=not needed)
