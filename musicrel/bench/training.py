"""The training part of ``musicrel bench``: a step of relative attention beside a fused one.

Relative attention is computed in tiles in training. It is measured beside vanilla attention, which
is fused, and beside the explicit path, which materialises all scores: the same model, batch and
threads, the alternatives taking turns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812  # the customary name

from musicrel.bench import workloads
from musicrel.bench.timing import Row, best, row
from musicrel.bench.workloads import LAYERS, WIDTH
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
        Transformer(workloads.config(scheme, length, width, layers)).to(resolved).train()
        for scheme in ("sinusoidal", "relative")
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
    ]


def _step(
    model: Transformer, batch: int, length: int, *, explicit: bool = False
) -> Callable[[], object]:
    """Return a step with AdamW on random tokens; ``explicit``: with all scores materialised."""
    device = model.embed_token.weight.device
    ids = torch.randint(model.config.tokens, (batch, length + 1), device=device)
    conditions = torch.zeros(
        batch, length, len(model.config.conditions), dtype=torch.int64, device=device
    )
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)

    def step() -> None:
        optimizer.zero_grad(set_to_none=True)
        logits = model(ids[:, :-1], conditions, record=explicit).logits_BTV
        loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        torch.autograd.backward(loss)
        optimizer.step()
        if device.type == "cuda":
            torch.cuda.synchronize(device)

    return step
