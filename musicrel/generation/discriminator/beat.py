"""A beat with the music before it, as the features of the discriminator read it.

Pitches are lists of Python numbers: the features read single cells, for which arrays are slow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Key

CONTEXT_STEPS: Final = 10 * STEPS_PER_QUARTER
"""The beat and what is known before it, in steps."""


class Note(NamedTuple):
    """A note: its first step, its length in steps, and its MIDI number."""

    start: int
    length: int
    pitch: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Beat:
    """A quarter and the music before it.

    Attributes:
        pitches: for each step the MIDI numbers of the four voices, or ``REST``. The last four steps
            are those of the beat.
        onsets: for each step whether the voices begin a note.
        position: sixteenths since the last bar line.
        has_fermata: whether a fermata begins or sounds on the beat.
        key: key of the piece; None: unknown.
    """

    pitches: Sequence[Sequence[int]]
    onsets: Sequence[Sequence[bool]]
    position: int
    has_fermata: bool
    key: Key | None

    @property
    def first(self) -> int:
        """Return the index of the first step of the beat."""
        return len(self.pitches) - STEPS_PER_QUARTER

    @property
    def number(self) -> int:
        """Return the number of the beat in its bar, counted from 1."""
        return self.position // STEPS_PER_QUARTER + 1

    @property
    def chord(self) -> Sequence[int]:
        return self.pitches[self.first]

    @property
    def chord_before(self) -> Sequence[int] | None:
        """Return the pitches a quarter before; None at the beginning."""
        return self.pitches[self.first - STEPS_PER_QUARTER] if self.first else None

    def notes(self, voice: int, before: int) -> list[Note]:
        """Return the notes of a voice that begin in the beat, and some that precede them, in order.

        Args:
            voice: number of the voice.
            before: number of notes before the beat, as far as they are known.
        """
        found: list[Note] = []
        stop, missing = len(self.pitches), before
        for step in range(stop - 1, -1, -1):
            pitch = self.pitches[step][voice]
            if pitch == REST:
                stop = step
            elif self.onsets[step][voice]:
                found.append(Note(step, stop - step, pitch))
                stop = step
                missing -= step < self.first
                if not missing:
                    break
        return found[::-1]


def beats(piece: Chorale) -> Iterator[Beat]:
    """Yield the whole beats of a piece, each with what precedes it."""
    pitches, onsets = piece.pitches.tolist(), piece.onsets.tolist()
    positions = piece.bar_positions().tolist()
    for step in range(piece.steps - STEPS_PER_QUARTER + 1):
        if positions[step] % STEPS_PER_QUARTER == 0:
            stop = step + STEPS_PER_QUARTER
            known = slice(max(stop - CONTEXT_STEPS, 0), stop)
            yield Beat(
                pitches=pitches[known],
                onsets=onsets[known],
                position=positions[step],
                has_fermata=bool(piece.fermatas[step]),
                key=piece.key,
            )
