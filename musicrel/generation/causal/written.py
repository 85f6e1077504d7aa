"""Tokens that some sequences have written side by side, and random numbers for the next ones.

Dimensions: B sequences, N indices of tokens; START has 0.
"""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from musicrel.chorale import Flags
from musicrel.generation.sampling import Choice, Floats
from musicrel.model.tokens import codec


class Written(NamedTuple):
    """Tokens of some sequences with their probabilities."""

    choices: Choice  # each (B, N); the tokens of a prompt have no probabilities
    uniforms_BN: Floats  # random number of the token after each index
    is_dead_BN: Flags  # whether the rules have left no token there

    @classmethod
    def of(cls, prompts_BN: codec.Ids, length: int, uniforms_BN: Floats | None = None) -> Self:
        """Return sequences that have written their prompts; ``length`` is the last index."""
        batch, first = prompts_BN.shape
        shape = batch, length + 1
        ids_BN = np.zeros(shape, dtype=np.int64)
        ids_BN[:, :first] = prompts_BN
        choices = Choice(ids_BN, np.zeros(shape), np.zeros(shape), np.zeros(shape))
        if uniforms_BN is None:
            uniforms_BN = np.zeros((batch, length))
        return cls(choices, uniforms_BN, np.zeros(shape, dtype=np.bool_))

    @property
    def ids_BN(self) -> codec.Ids:  # noqa: N802  # shape suffix
        return self.choices.tokens

    def part(self, rows: slice) -> Written:
        """Return some of the sequences; they are written in both."""
        return Written(self.choices.at(rows), self.uniforms_BN[rows], self.is_dead_BN[rows])

    def take(self, row: int, part: slice, other: Written, source: int) -> None:
        """Take over a part of a sequence of ``other``."""
        self.is_dead_BN[row, part] = other.is_dead_BN[source, part]
        for own_BN, its_BN in zip(self.choices, other.choices, strict=True):
            own_BN[row, part] = its_BN[source, part]
