"""The training part of ``musicrel bench``: a step of relative attention beside a fused one.

Relative attention is computed in tiles in training. It is measured beside vanilla attention, which
is fused, and beside the explicit path, which materialises all scores: the same model, batch and
threads, the alternatives taking turns. Vanilla and relative are compared at half the length, too,
and in bfloat16 where the machine has arithmetic for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812  # the customary name

from musicrel.bench import workloads
from musicrel.bench.timing import Row, best, row
from musicrel.bench.workloads import LAYERS, WIDTH
from musicrel.experiment.training.tile_kernel import use_tile_kernel
from musicrel.model import devices
from musicrel.model.families.transformer import Transformer

LENGTH: Final = 1024
BATCH: Final = 2


def rows(
    device: str,
    threads: int,
    *,
    length: int = LENGTH,
    batch: int = BATCH,
    width: int = WIDTH,
    layers: int = LAYERS,
) -> list[Row]:
    """Return the seconds of a step: forward, backward and update; tests use smaller sizes."""
    devices.use_threads(threads)
    resolved = devices.resolve(device)
    vanilla, relative = (
        _model(scheme, length, width, layers, resolved) for scheme in ("sinusoidal", "relative")
    )
    names = [
        f"training step, {batch} x {length:,} tokens, {path}"
        for path in ("vanilla", "relative", "relative, scores written out")
    ]
    works = (
        _step(vanilla, batch, length),
        _step(relative, batch, length),
        _step(relative, batch, length, explicit=True),
    )
    for work in works:
        work()  # preparations are not part of the cost
    seconds = best(dict(zip(names, works, strict=True)))
    fused, tiled, written = seconds.values()
    return [
        row(names[0], fused, "s"),
        row(names[1], tiled, "s", names[0], tiled / fused),
        row(names[2], written, "s", names[1], written / tiled),
        *_pair(vanilla, relative, 2 * batch, length // 2),
        *_mixed(vanilla, relative, batch, length),
    ]


def _model(scheme: str, length: int, width: int, layers: int, device: str) -> Transformer:
    """Return a model as a run trains it."""
    model = Transformer(workloads.config(scheme, length, width, layers)).to(device).train()
    use_tile_kernel(model)
    return model


def _mixed(vanilla: Transformer, relative: Transformer, batch: int, length: int) -> list[Row]:
    """Return the steps in bfloat16, at half the length, too; nothing without arithmetic for it."""
    if devices.without_bfloat16(str(vanilla.embed_token.weight.device)):
        return []
    return [
        *_pair(vanilla, relative, 2 * batch, length // 2, mixed=True),
        *_pair(vanilla, relative, batch, length, mixed=True),
    ]


def _pair(
    vanilla: Transformer, relative: Transformer, batch: int, length: int, *, mixed: bool = False
) -> list[Row]:
    """Return a step of both models; relative with its ratio to vanilla."""
    prefix, suffix = f"training step, {batch} x {length:,} tokens,", ", mixed" if mixed else ""
    works = {
        f"{prefix} {name}{suffix}": _step(model, batch, length, mixed=mixed)
        for name, model in (("vanilla", vanilla), ("relative", relative))
    }
    for work in works.values():
        work()
    (fused_name, fused), (tiled_name, tiled) = best(works).items()
    return [
        row(fused_name, fused, "s"),
        row(tiled_name, tiled, "s", fused_name, tiled / fused),
    ]


def _step(
    model: Transformer,
    batch: int,
    length: int,
    *,
    explicit: bool = False,
    mixed: bool = False,
) -> Callable[[], object]:
    """Return a step with AdamW on random tokens.

    Args:
        mixed: with products in bfloat16.
    """
    device = model.embed_token.weight.device
    ids = torch.randint(model.config.tokens, (batch, length + 1), device=device)
    conditions = torch.zeros(
        batch, length, len(model.config.conditions), dtype=torch.int64, device=device
    )
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)

    def step() -> None:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device.type, torch.bfloat16, enabled=mixed):
            logits = model(ids[:, :-1], conditions, record=explicit).logits_BTV
        loss = F.cross_entropy(logits.float().flatten(0, 1), ids[:, 1:].flatten())
        torch.autograd.backward(loss)
        optimizer.step()
        if device.type == "cuda":
            torch.cuda.synchronize(device)

    return step
