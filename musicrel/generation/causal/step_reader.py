"""Readers: a causal model that reads tokens of a batch and returns the logits of the next ones.

The compiled step reads on a CPU, for models that have a compiled form; torch reads everywhere else.

Dimensions: B sequences, T tokens, C conditions, V vocabulary, L layers, H heads, S tokens seen.
"""

from __future__ import annotations

from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.replaced_heads import ReplacedHeads
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows

Floats = npt.NDArray[np.float32]


class StepReader(Protocol):
    """A reader of one token of every sequence at a time, with a cache."""

    @property
    def failure(self) -> str | None:
        """Return a change of method that the user should know of, if any."""

    def prefill(self, ids_BT: codec.Ids) -> None:
        """Read a prompt, int64 (B, T)."""
        ...

    def step(self, ids_B: codec.Ids) -> tuple[Floats, Floats | None]:
        """Read the newest token of every sequence, int64 (B,).

        Returns:
            Logits (B, V), and attention weights (B, L, H, S) or None.
        """
        ...

    def branch_from(self, other: Self, row: int, tokens: int, shared: int = 0) -> None:
        """Continue the first ``tokens`` of a sequence of ``other`` in every sequence.

        Args:
            other: a reader of the same kind.
            row: its sequence.
            tokens: number of tokens.
            shared: number of first tokens that every sequence has already.
        """
        ...

    def take(self, row: int, other: Self, source: int, tokens: int, shared: int = 0) -> None:
        """Continue the first ``tokens`` of a sequence of ``other`` in one sequence.

        Args:
            row: the sequence; all sequences must continue as many tokens.
            other: a reader of the same kind.
            source: its sequence.
            tokens: number of tokens.
            shared: number of first tokens that the sequence has already.
        """
        ...

    def select(self, rows_B: codec.Ids, shared: int = 0) -> None:
        """Continue in every sequence a copy of another one; all must have the same conditions.

        Args:
            rows_B: int64, the sequence that each continues.
            shared: number of first tokens that are the same in all sequences.
        """
        ...


def open_reader(
    model: LoadedModel,
    conditions_BNC: Rows,
    *,
    record: bool,
    replay: bool,
    replaced: ReplacedHeads | None = None,
) -> StepReader:
    """Return the fastest reader of ``model``.

    Args:
        model: a causal model.
        conditions_BNC: int64, the condition rows of every position.
        record: record attention weights.
        replay: capture and replay steps on CUDA, which takes time at first.
        replaced: heads that are replaced at all positions; None: none.
    """
    compiled = model.compiled_decoder(conditions_BNC, record=record, replaced=replaced)
    if compiled is not None:
        return compiled
    from musicrel.generation.causal import torch_reader  # noqa: PLC0415  # it imports torch

    capture = torch_reader.capture_for(model.device.type) if replay else None
    return torch_reader.TorchReader(
        model, conditions_BNC, record=record, capture=capture, replaced=replaced
    )
