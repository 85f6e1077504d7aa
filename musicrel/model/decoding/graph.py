"""A step of decoding recorded once and repeated: on a GPU most of a step's time is asking for it.

A recording has fixed shapes. So it looks at a fixed number of keys, the smallest of 256, 512, 1,024
... that holds the newest, and is made anew when that number grows; what has not been written yet
has weight 0.

This file knows steps and recordings; it knows nothing of what a step computes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import torch
from torch import Tensor

from musicrel.model.decoding.step import Read, Stepper

Step: TypeAlias = Callable[[], Read]
Recorder: TypeAlias = Callable[[Step], Step]
"""Makes of a step one that does the same to the same memory, faster."""

_FEWEST_KEYS: Final = 256
_WARM_UPS: Final = 3


class RecordedStepper:
    """Reads tokens as its stepper does, by recordings; by the stepper itself where that fails.

    Args:
        stepper: one that ``replays``.
        recorder: makes the recordings.

    Attributes:
        refused: why recording failed; None while it works.
    """

    def __init__(self, stepper: Stepper, recorder: Recorder) -> None:
        self._stepper, self._recorder = stepper, recorder
        device = stepper.cache.device
        self._ids_B = torch.zeros(stepper.batch, dtype=torch.int64, device=device)
        self._place_1 = torch.zeros(1, dtype=torch.int64, device=device)
        self._recordings: dict[int, Step] = {}
        self.refused: str | None = None

    @torch.inference_mode()
    def read(self, ids_B: Tensor) -> Read:
        """See ``Stepper.read``; the result's memory is used again by the next."""
        cache = self._stepper.cache
        cache.check_room(1)
        self._ids_B.copy_(ids_B)
        self._place_1.fill_(cache.length)
        repeat = None if self.refused else self._recording(cache.length + 1)
        if repeat is None:
            return self._stepper.read(ids_B)
        seen = repeat()
        cache.advance(1)
        return seen

    def _recording(self, least: int) -> Step | None:
        keys = _FEWEST_KEYS
        while keys < least:
            keys *= 2
        keys = min(keys, self._stepper.room)
        if keys not in self._recordings:
            try:
                self._recordings[keys] = self._recorder(
                    lambda: self._stepper.replay(self._ids_B, self._place_1, keys)
                )
            except RuntimeError as reason:
                self.refused = str(reason).partition("\n")[0]
                return None
        return self._recordings[keys]


def cuda_recorder(step: Step) -> Step:
    """Records ``step`` as a CUDA graph.

    Raises:
        RuntimeError: the device refuses.
    """
    aside = torch.cuda.Stream()  # type: ignore[no-untyped-call]  # torch leaves it untyped
    aside.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(aside):  # kernels are chosen and memory is taken before the recording
        for _ in range(_WARM_UPS):
            step()
    torch.cuda.current_stream().wait_stream(aside)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        seen = step()

    def repeat() -> Read:
        graph.replay()
        return seen

    return repeat
