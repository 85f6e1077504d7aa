"""How much memory tensors take while something runs.

This file knows torch's operations; it knows nothing of models.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor
from torch.profiler import ProfilerActivity, profile
from torch.utils._python_dispatch import TorchDispatchMode


class Allocations(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch leaves it untyped
    """Looks at the result of every operation, in the backward pass too.

    Attributes:
        largest: elements of the largest tensor.
        total: elements of all tensors together, views counted as if they were copies.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.largest = 0
        self.total = 0

    def __torch_dispatch__(  # torch names and passes them so
        self, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Run the operation, look at what it gives."""
        del types
        result = func(*args, **(kwargs or {}))
        for output in result if isinstance(result, (tuple, list)) else (result,):
            if isinstance(output, Tensor) and output.device.type != "meta":
                self.largest = max(self.largest, output.numel())
                self.total += output.numel()
        return result


def peak_bytes(work: Callable[[], object]) -> int:
    """The most memory that tensors made by ``work`` hold at one time, on the CPU."""
    with profile(
        activities=[ProfilerActivity.CPU], profile_memory=True, acc_events=True
    ) as watched:
        work()
    found: Any = watched.profiler
    told = [event for event in found.kineto_results.events() if event.name() == "[memory]"]
    held = most = 0
    for event in sorted(told, key=lambda event: event.start_ns()):
        held += event.nbytes()  # negative where memory is given back
        most = max(most, held)
    return most
