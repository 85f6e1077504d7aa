"""The unfinished piece while a model generates it, token by token."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from musicrel.chorale import REST, Chorale, Flags, Pitches, Voice
from musicrel.generation.edit_requests import numbered_bars
from musicrel.generation.events import GenerationStep


class Composition:
    """The unfinished piece, filled from the events of a generation job."""

    def __init__(self, plan: Chorale) -> None:
        self._plan = plan
        self._pitches = plan.pitches.copy()
        self._onsets = plan.onsets.copy()
        self._cells = 0

    def add(self, step: GenerationStep) -> None:
        """Write one cell; cells arrive in the order S A T B, step by step."""
        self._pitches[step.step, step.voice] = step.pitch
        self._onsets[step.step, step.voice] = step.onset
        self._cells = step.step * len(Voice) + step.voice + 1

    @property
    def tokens(self) -> int:
        return self._cells

    @property
    def whole_steps(self) -> int:
        return self._cells // len(Voice)

    @property
    def started_steps(self) -> int:
        return -(-self._cells // len(Voice))

    @property
    def share(self) -> float:
        """Return the written share of the piece, 0 to 1."""
        return self._cells / (self._plan.steps * len(Voice))

    @property
    def bar(self) -> int:
        """Return the bar being written, as the ruler numbers it: a pickup is part of bar 1."""
        return max(self._plan.bar_number(self.started_steps - 1), 1)

    @property
    def bars(self) -> int:
        return numbered_bars(self._plan)

    def padded_piece(self) -> Chorale:
        """Return the whole piece, silent after the written part."""
        return replace(self._plan, pitches=self._pitches.copy(), onsets=self._onsets.copy())

    def so_far(self) -> Chorale | None:
        """Return the written part as a piece; None before the first step."""
        if not self.whole_steps:
            return None
        padded_piece = self.padded_piece()
        whole = self.whole_steps == self._plan.steps
        return padded_piece if whole else padded_piece.cropped(0, self.whole_steps)


def padded_piece(plan: Chorale, pitches: Pitches, onsets: Flags) -> Chorale:
    """Return the piece as far as known, silent where nothing is written yet.

    A note whose onset is not written yet begins at its first known cell.

    Args:
        pitches: int16 (T, 4), MIDI numbers, below 0 for rests and unknown cells.
        onsets: bool (T, 4), where notes begin.
    """
    known = np.where(pitches >= 0, pitches, REST).astype(np.int16)
    others = np.vstack([np.ones_like(onsets[:1]), known[1:] != known[:-1]])
    return replace(plan, pitches=known, onsets=(known != REST) & (onsets | others))
