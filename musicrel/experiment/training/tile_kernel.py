"""The compiled tiles of relative attention, used in training where the kernel is available."""

from __future__ import annotations

import importlib
from types import ModuleType

from torch import nn

from musicrel.generation import kernel
from musicrel.model.positions.kernel_tiles import TileKernel
from musicrel.model.positions.relative import RelativeAttention

_PART = "relative attention in training"


def use_tile_kernel(model: nn.Module) -> None:
    """Let all relative attention of ``model`` use compiled tiles on a CPU.

    Without numba, or where it is switched off, nothing changes.
    """
    layers = [part for part in model.modules() if isinstance(part, RelativeAttention)]
    if not layers or not kernel.works(_PART, lambda: _compiled().run_once()):
        return
    functions = _compiled()
    tiles = TileKernel(weigh=functions.weigh, differentiate=functions.differentiate)
    for layer in layers:
        layer.tile_kernel = tiles


def _compiled() -> ModuleType:
    return importlib.import_module("musicrel.model.compiled.tile_softmax")
