"""The limit part of ``musicrel bench``: decoding beside its bare arithmetic and beside torch alone.

The bare loop has the shape of the model it is compared with and does nothing but the products of a
step (see ``bare_loop``). The alternatives take turns.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from musicrel import jobs
from musicrel.bench import bare_loop, workloads
from musicrel.bench.bare_loop import BareLoop
from musicrel.bench.timing import Row, best, row
from musicrel.chorale import Meter, Voice
from musicrel.generation import kernel
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest

_MODEL: Final = "relative"
_BARS: Final = 16
_TOKENS: Final = 256
_BATCH: Final = 32


def rows(
    device: str, threads: int, *, bars: int = _BARS, tokens: int = _TOKENS, batch: int = _BATCH
) -> list[Row]:
    """Return all rows; those beside the bare loop only where it can be compiled.

    Args:
        bars: length of the piece; tests use smaller sizes.
    """
    model = load_model(_MODEL, device, threads)
    found: list[Row] = []
    if not bare_loop.missing():
        found += _piece_beside_loop(model, bars)
        found += _batch_beside_loop(device, threads, tokens, batch)
    return found + _beside_torch(model, bars)


def _piece_beside_loop(model: LoadedModel, bars: int) -> list[Row]:
    """Write a piece with attention recorded, rules and sampling, beside the bare loop."""
    tokens = bars * Meter(4, 4).steps * len(Voice)
    loop = BareLoop(model.card.config, tokens)
    bare = f"bare loop, {tokens:,} tokens, shape of {_MODEL}"
    name = f"write {bars} bars, {_MODEL}, attention recorded, rules"
    request = GenerationRequest(bars=bars, quality="draft")
    seconds = best({bare: loop.decode, name: partial(_write, model, request, record=True)})
    speed, limit = tokens / seconds[name], tokens / seconds[bare]
    return [
        row(bare, limit, "tokens/s"),
        row(name, speed, "tokens/s", bare, speed / limit),
    ]


def _batch_beside_loop(device: str, threads: int, tokens: int, batch: int) -> list[Row]:
    """Decode many sequences at once, beside the bare loop for a single one."""
    model = workloads.random_model("sinusoidal", tokens, device, threads)
    loop = BareLoop(model.card.config, tokens)
    bare = f"bare loop, {tokens:,} tokens, width {workloads.WIDTH}"
    one, many = (
        f"decode {tokens:,} tokens, width {workloads.WIDTH}, batch {n}" for n in (1, batch)
    )
    works: dict[str, Callable[[], object]] = {
        bare: loop.decode,
        one: partial(workloads.decode, model, tokens),
        many: partial(workloads.decode, model, tokens, batch),
    }
    seconds = best(works)
    limit = tokens / seconds[bare]
    speeds = {one: tokens / seconds[one], many: batch * tokens / seconds[many]}
    return [
        row(bare, limit, "tokens/s"),
        *(row(name, speed, "tokens/s", bare, speed / limit) for name, speed in speeds.items()),
    ]


def _beside_torch(model: LoadedModel, bars: int) -> list[Row]:
    """Write a piece at normal quality with the kernel, where it is used, and with torch alone."""
    request = GenerationRequest(bars=bars)
    name = f"{bars} bars, shipped, {_MODEL}, normal quality"
    eager = f"{name}, torch alone"
    works: dict[str, Callable[[], object]] = {
        name: partial(_write, model, request),
        eager: partial(_write_with_torch, model, request),
    }
    seconds = best(works)
    return [
        row(name, seconds[name], "s"),
        row(eager, seconds[eager], "s", name, seconds[eager] / seconds[name]),
    ]


def _write(model: LoadedModel, request: GenerationRequest, *, record: bool = False) -> None:
    jobs.run(generate(model, request, record=record))


def _write_with_torch(model: LoadedModel, request: GenerationRequest) -> None:
    with kernel.switched_off():
        _write(model, request)
