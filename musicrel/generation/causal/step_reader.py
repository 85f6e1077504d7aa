"""Readers: a causal model that reads tokens of a batch and returns the logits of the next ones.

The compiled step reads on a CPU, for models that have a compiled form; torch reads everywhere else.

Dimensions: B sequences, T tokens, C conditions, V vocabulary, L layers, H heads, S tokens seen.
"""

from __future__ import annotations

from typing import Protocol, Self

import numpy as np
import numpy.typing as npt
import torch

from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.compiled.decoder import CompiledDecoder
from musicrel.model.decoding.graph import Capture, GraphDecoder, capture_cuda_graph
from musicrel.model.decoding.step import IncrementalDecoder
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

    def branch_from(self, other: Self, row: int, tokens: int) -> None:
        """Continue the first ``tokens`` of a sequence of ``other`` in every sequence."""
        ...


class TorchReader:
    """A reader by torch.

    Args:
        model: a causal model.
        conditions_BNC: int64, the condition rows of every position.
        record: record attention weights.
        capture: captures a step, so that it can be replayed; None: every step is computed.
    """

    def __init__(
        self,
        model: LoadedModel,
        conditions_BNC: Rows,
        *,
        record: bool = False,
        capture: Capture | None = None,
    ) -> None:
        self._device = model.device
        rows_BNC = torch.from_numpy(conditions_BNC).to(self._device)
        self._decoder = IncrementalDecoder(model.network, rows_BNC, record=record)
        can_replay = capture is not None and self._decoder.graph_capturable
        self._graph = GraphDecoder(self._decoder, capture) if capture and can_replay else None

    @property
    def failure(self) -> str | None:
        """Return the reason why steps cannot be recorded; None if they can."""
        return self._graph.failure if self._graph else None

    def prefill(self, ids_BT: codec.Ids) -> None:
        """Read a prompt, int64 (B, T)."""
        self._decoder.prefill(torch.from_numpy(ids_BT).to(self._device))

    def step(self, ids_B: codec.Ids) -> tuple[Floats, Floats | None]:
        """Read the newest token of every sequence; see ``StepReader``."""
        seen = (self._graph or self._decoder).step(torch.from_numpy(ids_B).to(self._device))
        weights = seen.weights_BLHS
        recorded = None if weights is None else weights.float().cpu().numpy()
        return seen.logits_BV.float().cpu().numpy(), recorded

    def branch_from(self, other: Self, row: int, tokens: int) -> None:
        """Continue the first ``tokens`` of a sequence of ``other`` in every sequence."""
        self._decoder.cache.fill(other._decoder.cache, row, tokens)  # its own kind


def open_reader(
    model: LoadedModel, conditions_BNC: Rows, *, record: bool, replay: bool
) -> StepReader:
    """Return the fastest reader of ``model``.

    Args:
        model: a causal model.
        conditions_BNC: int64, the condition rows of every position.
        record: record attention weights.
        replay: capture and replay steps on CUDA, which takes time at first.
    """
    if model.compiled is not None:
        return CompiledDecoder(model.compiled, conditions_BNC, record=record)
    capture = capture_cuda_graph if replay and model.device.type == "cuda" else None
    return TorchReader(model, conditions_BNC, record=record, capture=capture)
