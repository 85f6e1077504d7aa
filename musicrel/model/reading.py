"""Readers of token sequences, with a cache: the compiled step, and torch for all else.

Dimensions: B sequences, T tokens, V vocabulary, L layers, H heads, S tokens seen, N steps.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, Self

import numpy as np
import numpy.typing as npt

from musicrel.model.replaced_heads import Ablations

Ids = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


class Reading(NamedTuple):
    """Output for consecutive tokens of one sequence.

    Attributes:
        weights_LHTS: attention over all tokens so far; None unless recorded.
        weights_LHTN: attention over the steps that an encoder read; None without cross-attention or
            unless recorded.
    """

    logits_TV: Floats
    weights_LHTS: Floats | None = None
    weights_LHTN: Floats | None = None


class Reader(Protocol):
    """A causal model with the conditions of some sequences and a cache of the tokens so far."""

    @property
    def failure(self) -> str | None:
        """Return a change of method that the user should know of, if any."""

    def prefill(self, ids_BT: Ids) -> None:
        """Read a prompt, int64 (B, T)."""
        ...

    def step(self, ids_B: Ids, ablations: Ablations | None = None) -> tuple[Floats, Floats | None]:
        """Read the newest token of every sequence, int64 (B,).

        Args:
            ablations: a row for each sequence, for this step alone; None: those of all positions.

        Returns:
            Logits (B, V), and attention weights (B, L, H, S) or None.
        """
        ...

    def read(self, ids_T: Ids) -> Reading:
        """Read the next tokens of the only sequence together, int64 (T,)."""
        ...

    def branch_from(self, other: Self, rows_B: Ids, tokens: int, shared: int = 0) -> None:
        """Continue the first ``tokens`` of a sequence of ``other`` in every sequence.

        Args:
            other: a reader of the same kind.
            rows_B: int64, the sequence that each continues.
            shared: number of first tokens that every sequence has already.
        """
        ...

    def take(self, row: int, other: Self, source: int, tokens: int, shared: int = 0) -> None:
        """Continue the first ``tokens`` of a sequence of ``other`` in one sequence.

        Args:
            row: the sequence; all sequences must continue as many tokens.
            other: a reader of the same kind.
            shared: number of first tokens that the sequence has already.
        """
        ...

    def select(self, rows_B: Ids, shared: int = 0) -> None:
        """Continue in every sequence a copy of another one; all must have the same conditions.

        Args:
            rows_B: int64, the sequence that each continues.
            shared: number of first tokens that are the same in all sequences.
        """
        ...
