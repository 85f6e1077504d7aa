"""Reading by torch: the reference of the compiled step, on every device and for every model.

Dimensions: B sequences, T tokens, N positions, C conditions, V vocabulary, L layers, H heads, S
tokens seen.
"""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt
import torch

from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.decoding.graph import Capture, GraphDecoder, capture_cuda_graph
from musicrel.model.decoding.step import IncrementalDecoder
from musicrel.model.replaced_heads import ReplacedHeads
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows

Floats = npt.NDArray[np.float32]


class TorchReader:
    """A reader by torch.

    Args:
        model: a causal model.
        conditions_BNC: int64, the condition rows of every position.
        record: record attention weights.
        capture: captures a step, so that it can be replayed; None: every step is computed.
        replaced: heads that are replaced at all positions; None: none.
    """

    def __init__(
        self,
        model: LoadedModel,
        conditions_BNC: Rows,
        *,
        record: bool = False,
        capture: Capture | None = None,
        replaced: ReplacedHeads | None = None,
    ) -> None:
        self._device = model.device
        rows_BNC = torch.from_numpy(conditions_BNC).to(self._device)
        self._decoder = IncrementalDecoder(
            model.network, rows_BNC, record=record, replaced=replaced
        )
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

    def branch_from(self, other: Self, row: int, tokens: int, shared: int = 0) -> None:
        """Continue a sequence of ``other`` in every sequence; see ``StepReader``."""
        self._decoder.cache.fill(other._decoder.cache, row, tokens, shared)  # its own kind

    def take(self, row: int, other: Self, source: int, tokens: int, shared: int = 0) -> None:
        """Continue a sequence of ``other`` in one sequence; see ``StepReader``."""
        cache = self._decoder.cache
        cache.row(row).fill(other._decoder.cache, source, tokens, shared)
        cache.length = tokens

    def select(self, rows_B: codec.Ids, shared: int = 0) -> None:
        """Continue in every sequence a copy of another one; see ``StepReader``."""
        self._decoder.cache.select(torch.from_numpy(rows_B).to(self._device), shared)


def capture_for(device: str) -> Capture | None:
    """Return what captures a step on this type of device, so that it can be replayed."""
    return capture_cuda_graph if device == "cuda" else None
