"""A decoding step as a CUDA graph: most of the time of a step on a GPU is spent on kernel launches.

A graph has fixed shapes. It reads a fixed number of keys, the smallest of 256, 512, 1,024, ... that
includes the newest, and is captured again when that number grows; keys not yet written have
weight 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import torch
from torch import Tensor

from musicrel.model.decoding.step import IncrementalDecoder, StepOutput

Step: TypeAlias = Callable[[], StepOutput]
Capture: TypeAlias = Callable[[Step], Step]
"""Capture a step; the result repeats it on the same memory, faster."""

_MIN_KEYS: Final = 256
_WARM_UPS: Final = 3


class GraphDecoder:
    """A decoder that replays captured steps, or calls its decoder directly if capturing fails.

    Args:
        decoder: one that is ``graph_capturable``.
        capture: function that captures a step.

    Attributes:
        failure: reason why capturing failed; None while it works.
    """

    def __init__(self, decoder: IncrementalDecoder, capture: Capture) -> None:
        self._decoder, self._capture = decoder, capture
        device = decoder.cache.ids_BL.device
        self._ids_B = torch.zeros(decoder.batch, dtype=torch.int64, device=device)
        self._place_1 = torch.zeros(1, dtype=torch.int64, device=device)
        self._graphs: dict[int, Step] = {}
        self.failure: str | None = None

    @torch.inference_mode()
    def step(self, ids_B: Tensor) -> StepOutput:
        """Decode one token as ``IncrementalDecoder.step``; the next call overwrites the result."""
        cache = self._decoder.cache
        cache.check_capacity(1)
        self._ids_B.copy_(ids_B)
        self._place_1.fill_(cache.length)
        repeat = None if self.failure else self._graph(cache.length + 1)
        if repeat is None:
            return self._decoder.step(ids_B)
        captured = repeat()
        cache.length += 1
        return captured

    def _graph(self, least: int) -> Step | None:
        keys = _MIN_KEYS
        while keys < least:
            keys *= 2
        keys = min(keys, self._decoder.capacity)
        if keys not in self._graphs:
            try:
                self._graphs[keys] = self._capture(
                    lambda: self._decoder.fixed_step(self._ids_B, self._place_1, keys)
                )
            except RuntimeError as reason:
                self.failure = str(reason).partition("\n")[0]
                return None
        return self._graphs[keys]


def capture_cuda_graph(step: Step) -> Step:
    """Capture ``step`` as a CUDA graph.

    Raises:
        RuntimeError: the device cannot capture it.
    """
    stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]  # torch leaves it untyped
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):  # kernels are chosen and memory is taken before the recording
        for _ in range(_WARM_UPS):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = step()

    def repeat() -> StepOutput:
        graph.replay()
        return captured

    return repeat
