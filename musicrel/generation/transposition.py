"""Transposition of pieces into the range of the vocabulary, and of what a model writes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import RANGES, REST, Chorale, Key, Pitches, Voice
from musicrel.errors import UsageError
from musicrel.language import tr
from musicrel.model.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH
from musicrel.score.importing import melody_import

_NAMES: Final = tr("C C♯ D D♯ E F F♯ G G♯ A B♭ B").split()


@dataclass(frozen=True, slots=True, kw_only=True)
class Transposition:
    """The transposition of a piece for a model."""

    semitones: int = 0
    key: Key | None = None  # requested before, whose spelling is kept; None: the model's choice

    @property
    def requested_key(self) -> Key | None:
        return self.key and self.key.transposed(self.semitones)

    def back(self, piece: Chorale) -> Chorale:
        """Return ``piece``, written by the model, in the key of the piece before."""
        if not self.semitones:
            return piece
        back = piece.transposed(-self.semitones)
        return replace(back, key=self.key or back.key)

    def pitches_back(self, pitches: Pitches) -> Pitches:
        return np.where(pitches < 0, pitches, pitches - self.semitones).astype(np.int16)


def fit_to_vocabulary(piece: Chorale, key: Key | None = None) -> tuple[Chorale, Transposition]:
    """Return ``piece`` transposed into the range of the vocabulary, and its transposition.

    A piece inside the range is not transposed. Any other is transposed by the fewest semitones that
    bring every voice into its own range, so that kept notes obey the rule "range". If there is no
    such transposition, it is transposed by the fewest semitones into the vocabulary.
    """
    lines = [line[line != REST] for line in piece.pitches.T]
    sounding = [(RANGES[voice], lines[voice]) for voice in Voice if lines[voice].size]
    span = [((LOWEST_PITCH, HIGHEST_PITCH), line) for _, line in sounding]
    into_ranges, into_span = _fewest_semitones(sounding), _fewest_semitones(span)
    if into_span is None:
        pitches = piece.pitches[piece.pitches != REST]
        raise UsageError(
            tr(
                "the piece ranges from {lowest} to {highest}: expected pitches from {low} to "
                "{high}; move its highest or lowest notes by an octave",
                lowest=_name(pitches.min()),
                highest=_name(pitches.max()),
                low=_name(LOWEST_PITCH),
                high=_name(HIGHEST_PITCH),
            )
        )
    semitones = into_span and (into_ranges or into_span)
    moved = piece.transposed(semitones) if semitones else piece
    return moved, Transposition(semitones=semitones, key=key or piece.key)


class Placed(NamedTuple):
    """A melody in the range of its voice."""

    melody: Chorale  # the piece, with the melody alone if it was moved
    transposition: Transposition  # back, only of a melody that lies near the range
    sentence: str = ""  # for the user, on a melody that is moved for good


def place_melody(piece: Chorale, voice: Voice, key: Key | None = None) -> Placed:
    """Transpose a melody, and with it the choir, into the range of its voice.

    A melody up to ``melody_import.NEAR`` semitones outside is harmonised inside and moved back, so
    that it sounds where it was written. One farther outside stays transposed: moved back, the other
    voices would leave their ranges. Only the notes of ``voice`` count; a silent one is not moved.
    """
    line = piece.pitches[:, voice]
    pitches = line[line != REST].tolist()
    if not pitches:
        return Placed(piece, Transposition(key=key or piece.key))
    lowest, highest = min(pitches), max(pitches)
    semitones = melody_import.shift_into_range(pitches, voice)
    if not LOWEST_PITCH <= lowest + semitones <= highest + semitones <= HIGHEST_PITCH:
        low, high = RANGES[voice]
        raise UsageError(
            tr(
                "the melody ranges from {lowest} to {highest}, {semitones} semitones: expected at "
                "most {most} for the {voice}; move its highest or lowest notes by an octave",
                lowest=_name(lowest),
                highest=_name(highest),
                semitones=highest - lowest,
                most=high - low,
                voice=voice.title,
            )
        )
    if not semitones:
        return Placed(piece, Transposition(key=key or piece.key))
    moved = alone(piece, voice).transposed(semitones)
    if abs(semitones) <= melody_import.NEAR:
        return Placed(moved, Transposition(semitones=semitones, key=key or piece.key))
    return Placed(
        moved,
        Transposition(key=key and key.transposed(semitones)),
        melody_import.moved(semitones, voice),
    )


def alone(piece: Chorale, voice: Voice) -> Chorale:
    """Return ``piece`` with all voices but ``voice`` silent."""
    own = np.arange(len(Voice)) == voice
    pitches = np.where(own, piece.pitches, REST).astype(np.int16)
    return replace(piece, pitches=pitches, onsets=piece.onsets & own)


def _fewest_semitones(lines: Sequence[tuple[tuple[int, int], Pitches]]) -> int | None:
    """Return the smallest transposition that brings all lines between their bounds, if any."""
    rise = max((low - int(line.min()) for (low, _), line in lines), default=0)
    fall = min((high - int(line.max()) for (_, high), line in lines), default=0)
    if rise > fall:
        return None
    return max(rise, 0) or min(fall, 0)


def _name(pitch: int) -> str:
    return f"{_NAMES[pitch % 12]}{pitch // 12 - 1}"
