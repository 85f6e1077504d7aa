"""Transposition of pieces into the range of the vocabulary, and of what a model writes back.

The command line, Python and the app use the same two functions, so that the same seed gives the
same notes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from musicrel.chorale import RANGES, REST, Chorale, Key, Pitches, Voice
from musicrel.errors import UsageError
from musicrel.score.notation.spelling import spell
from musicrel.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH


@dataclass(frozen=True, slots=True, kw_only=True)
class Transposition:
    """The transposition of a piece for a model.

    Attributes:
        semitones: semitones by which the piece was transposed.
        key: key requested for the piece before; its spelling is kept. None: the model's choice.
    """

    semitones: int = 0
    key: Key | None = None

    @property
    def requested_key(self) -> Key | None:
        """Return the transposed key, to be requested from the model."""
        return self.key and self.key.transposed(self.semitones)

    def back(self, piece: Chorale) -> Chorale:
        """Return ``piece``, written by the model, in the key of the piece before."""
        if not self.semitones:
            return piece
        back = piece.transposed(-self.semitones)
        return replace(back, key=self.key or back.key)

    def pitches_back(self, pitches: Pitches) -> Pitches:
        """Return transposed pitches; values below 0 are not pitches."""
        return np.where(pitches < 0, pitches, pitches - self.semitones).astype(np.int16)


def fit_to_vocabulary(piece: Chorale, key: Key | None = None) -> tuple[Chorale, Transposition]:
    """Return ``piece`` transposed into the range of the vocabulary, and its transposition.

    A piece inside the range is not transposed. Any other is transposed by the fewest semitones that
    bring every voice into its own range, so that kept notes obey the rule "range". If there is no
    such transposition, it is transposed by the fewest semitones into the vocabulary.

    Args:
        piece: any piece.
        key: key to request instead of the piece's.

    Raises:
        UsageError: the piece is wider than the vocabulary.
    """
    lines = [line[line != REST] for line in piece.pitches.T]
    sounding = [(RANGES[voice], lines[voice]) for voice in Voice if lines[voice].size]
    span = [((LOWEST_PITCH, HIGHEST_PITCH), line) for _, line in sounding]
    into_ranges, into_span = _fewest_semitones(sounding), _fewest_semitones(span)
    if into_span is None:
        pitches = piece.pitches[piece.pitches != REST]
        raise UsageError(
            f"the piece ranges from {_name(pitches.min())} to {_name(pitches.max())}: expected "
            f"pitches from {_name(LOWEST_PITCH)} to {_name(HIGHEST_PITCH)}; move its highest or "
            "lowest notes by an octave"
        )
    semitones = into_span and (into_ranges or into_span)
    moved = piece.transposed(semitones) if semitones else piece
    return moved, Transposition(semitones=semitones, key=key or piece.key)


def _fewest_semitones(lines: Sequence[tuple[tuple[int, int], Pitches]]) -> int | None:
    """Return the smallest transposition that brings all lines between their bounds, None if none.

    Args:
        lines: lowest and highest legal pitch, and the pitches of a line, at least one.
    """
    rise = max((low - int(line.min()) for (low, _), line in lines), default=0)
    fall = min((high - int(line.max()) for (_, high), line in lines), default=0)
    if rise > fall:
        return None
    return max(rise, 0) or min(fall, 0)


def _name(pitch: int) -> str:
    """Return the name of a pitch, as 'F♯4'."""
    step, alter, octave = spell(int(pitch), None)
    return f"{step}{('', '♯', '♭')[alter]}{octave}"
