"""The piece as it grows, token by token, while a model writes it.

This file knows cells and steps; it knows nothing of models or of how the piece is drawn.
"""

from __future__ import annotations

from dataclasses import replace

from musicrel.chorale import Chorale, Voice
from musicrel.generation.events import GenerationStep


class Composition:
    """Takes in what a generation job tells and gives the unfinished piece at any time.

    Args:
        plan: the empty piece, silent but with its meter, key and fermatas.
    """

    def __init__(self, plan: Chorale) -> None:
        self._plan = plan
        self._pitches = plan.pitches.copy()
        self._onsets = plan.onsets.copy()
        self._cells = 0

    def add(self, step: GenerationStep) -> None:
        """Write one cell; they come in the order S A T B, one step after another."""
        self._pitches[step.step, step.voice] = step.pitch
        self._onsets[step.step, step.voice] = step.onset
        self._cells = step.step * len(Voice) + step.voice + 1

    @property
    def tokens(self) -> int:
        """How many cells are written."""
        return self._cells

    @property
    def whole_steps(self) -> int:
        """How many steps have all four voices."""
        return self._cells // len(Voice)

    @property
    def begun_steps(self) -> int:
        """How many steps have at least one voice."""
        return -(-self._cells // len(Voice))

    @property
    def share(self) -> float:
        """How much is written, 0 to 1."""
        return self._cells / (self._plan.steps * len(Voice))

    @property
    def bar(self) -> int:
        """The bar being written, counted from 1, a pickup being the first."""
        meter, pickup = self._plan.meter, self._plan.pickup
        lead = -pickup % meter.steps
        return (max(self.begun_steps - 1, 0) + lead) // meter.steps + 1

    @property
    def bars(self) -> int:
        """Bars of the whole piece."""
        return self._plan.bars

    def sheet(self) -> Chorale:
        """The whole sheet: what is written, and silence after it."""
        return replace(self._plan, pitches=self._pitches.copy(), onsets=self._onsets.copy())

    def so_far(self) -> Chorale | None:
        """What is written, as a piece of its own that ends there; None before the first step."""
        if not self.whole_steps:
            return None
        sheet = self.sheet()
        whole = self.whole_steps == self._plan.steps
        return sheet if whole else sheet.cropped(0, self.whole_steps)
