"""The devices of this machine, for tests that run on each of them."""

from __future__ import annotations

from typing import Final

import pytest
import torch

IS_THERE: Final = {
    "cpu": True,
    "cuda": torch.cuda.is_available(),
    "mps": torch.backends.mps.is_available(),
}


def _parameter(name: str) -> object:
    missing = pytest.mark.skipif(not IS_THERE[name], reason=f"there is no {name} device here")
    return pytest.param(name, marks=missing)


devices_here = pytest.mark.parametrize("device", [_parameter(name) for name in IS_THERE])
"""Runs a test on every device; those that are not there are skipped, with the reason."""
accelerators_here = pytest.mark.parametrize("device", [_parameter("cuda"), _parameter("mps")])
"""The same without the CPU."""
