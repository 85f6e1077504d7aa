"""The sizes of tensors that are allocated."""

from __future__ import annotations

from typing import Any

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode


class Allocations(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch leaves it untyped
    """A recorder of the result of every operation, in the backward pass too."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.largest = 0  # elements of the largest tensor
        self.total = 0  # elements of all tensors together, views counted as if they were copies

    def __torch_dispatch__(  # torch names and passes them so
        self, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        del types
        result = func(*args, **(kwargs or {}))
        for output in result if isinstance(result, (tuple, list)) else (result,):
            if isinstance(output, Tensor) and output.device.type != "meta":
                self.largest = max(self.largest, output.numel())
                self.total += output.numel()
        return result
