"""Which notes get an accidental in print, on a staff that one or two voices read.

An accidental holds for its line until the bar line, for the voice that has it; the other voice of
the staff gets its own. A note tied over the bar line needs none, and leaves none to the notes
behind it. Where a line had another accidental in the bar before, the note gets a courtesy one.
After E. Gould, *Behind Bars*, 2011, "Accidentals".

This file knows spelled pitches; it knows nothing of lengths or files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from musicrel.score.notation.spelling import Spelled

Sign = Literal["flat-flat", "flat", "natural", "sharp", "double-sharp"]

_SIGNS: Final[Mapping[int, Sign]] = {
    -2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp",
}  # fmt: skip
_SHARPS: Final = "FCGDAEB"
"""The order of sharps in a signature; flats come in the other."""

_Line = tuple[str, int]
"""A letter and an octave: a line of the staff or the space between two."""


class Accidental(NamedTuple):
    """An accidental before a note.

    Attributes:
        sign: as MusicXML calls it.
        courtesy: whether it only reminds.
    """

    sign: Sign
    courtesy: bool


class Staff:
    """What the singers who read one staff believe of its lines; told each head in time."""

    def __init__(self, signature: int) -> None:
        """A staff with ``signature`` sharps (negative: flats)."""
        letters = _SHARPS[:signature] if signature >= 0 else _SHARPS[signature:]
        self._signature = dict.fromkeys(letters, 1 if signature > 0 else -1)
        self._here: dict[_Line, int] = {}
        self._by_voice: dict[tuple[int, _Line], int] = {}
        self._before: dict[_Line, int] = {}
        self._heard: dict[_Line, int] = {}
        self._signed_at: dict[_Line, int] = {}

    def begin_bar(self) -> None:
        """A bar line: only the signature still holds."""
        self._before, self._heard = self._heard, {}
        self._here, self._by_voice, self._signed_at = {}, {}, {}

    def held(self, pitch: Spelled) -> None:
        """A head that only goes on with the one before: no accidental, whatever it is."""
        self._heard[pitch.step, pitch.octave] = pitch.alter

    def sung(self, voice: int, step: int, pitch: Spelled) -> Accidental | None:
        """A note that begins; the accidental it gets, if any.

        Args:
            voice: who sings it.
            step: when; heads are told in time, of the same time from the upper voice down.
            pitch: how it is spelled.
        """
        line = (pitch.step, pitch.octave)
        of_signature = self._signature.get(pitch.step, 0)
        believed = {
            self._here.get(line, of_signature),
            self._by_voice.get((voice, line), of_signature),
        }
        remembered = self._heard.get(line, self._before.get(line, of_signature))
        needed = believed != {pitch.alter}
        shared = self._signed_at.get(line) == step and self._here[line] == pitch.alter
        self._here[line] = self._by_voice[voice, line] = self._heard[line] = pitch.alter
        if shared or not (needed or remembered != pitch.alter):
            return None
        self._signed_at[line] = step
        return Accidental(_SIGNS[pitch.alter], courtesy=not needed)
