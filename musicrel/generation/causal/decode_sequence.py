"""One sequence that is to be written: what it is told, and its chance.

This file knows tokens and numbers; it knows nothing of models.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from musicrel.generation.sampling import Numbers, Sampling, chance
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One sequence to be written.

    Attributes:
        told_NC: the rows of its conditions, START's first, of the whole piece and of its END.
        seed: of its chance.
        sampling: how it is sampled.
        prompt: the ids it begins with, START first.
        turns: where its chance turns into another way, and into which: (index, way).
    """

    told_NC: Rows
    seed: int
    sampling: Sampling
    prompt: codec.Ids
    turns: tuple[tuple[int, int], ...] = ()

    def turned(self, index: int, way: int) -> Line:
        """The same line, going on from the token ``index`` in that way."""
        return replace(self, turns=(*self.turns, (index, way)))

    def chance(self, length: int) -> Numbers:
        """The numbers that decide on its tokens, index 1 to ``length``: (N,)."""
        numbers_N = chance(self.seed, length)
        for index, way in self.turns:
            numbers_N[index - 1 :] = chance(self.seed, length, way)[index - 1 :]
        return numbers_N
