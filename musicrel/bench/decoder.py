"""The decoder part of ``musicrel bench``: a random model of width 256 and six layers.

Every figure covers the whole path from request to notes, with sampling and probabilities; ratios
are those of one run, the alternatives taking turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from musicrel import jobs
from musicrel.bench import bare_loop, peers, workloads
from musicrel.bench.bare_loop import BareLoop
from musicrel.bench.timing import Row, best, row
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest

_TOKENS: Final = 1024
_BATCH_TOKENS: Final = 256
_BATCHES: Final = (1, 8, 32)
_PROMPT: Final = 512
_BARS: Final = 16
_VANILLA: Final = f"decode {_TOKENS:,} tokens, vanilla"
_SCHEMES: Final = {"vanilla": "sinusoidal", "relative": "relative"}
"""Names of models, also of bundled ones, and their positional schemes."""


def rows(device: str, threads: int) -> list[Row]:
    """Return all figures of the decoder."""
    models = {
        name: workloads.random_model(scheme, _TOKENS, device, threads)
        for name, scheme in _SCHEMES.items()
    }
    bundled = {name: load_model(name, device, threads) for name in _SCHEMES}
    return [
        *_beside_peers(models["vanilla"], models["relative"]),
        *_batches(models["vanilla"]),
        *_first_token(models),
        *_pieces(models, bundled),
    ]


def _beside_peers(vanilla: LoadedModel, relative: LoadedModel) -> list[Row]:
    config, device = vanilla.card.config, str(vanilla.device)
    ours: dict[str, Callable[[], object]] = {
        _VANILLA: partial(workloads.decode, vanilla, _TOKENS),
        f"{_VANILLA}, attention recorded": partial(workloads.decode, vanilla, _TOKENS, record=True),
        f"decode {_TOKENS:,} tokens, relative": partial(workloads.decode, relative, _TOKENS),
    }
    seconds = best(ours | _bound(vanilla) | peers.found(config, _TOKENS, device))
    beside = _beside_gpt2(seconds)
    first = _TOKENS / seconds.pop(_VANILLA)
    others = [
        row(name, _TOKENS / taken, "tokens/s", _VANILLA, _TOKENS / taken / first)
        for name, taken in seconds.items()
    ]
    return [row(_VANILLA, first, "tokens/s"), *others, *beside]


def _beside_gpt2(seconds: Mapping[str, float]) -> list[Row]:
    """Return our speeds as multiples of its speed; nothing where it is not installed."""
    if peers.GPT2 not in seconds:
        return []
    return [
        row(
            f"{_VANILLA}, beside GPT-2",
            _TOKENS / seconds[_VANILLA],
            "tokens/s",
            peers.GPT2,
            seconds[peers.GPT2] / seconds[_VANILLA],
        )
    ]


def _bound(vanilla: LoadedModel) -> dict[str, Callable[[], object]]:
    """Return the bare loop of the same shape, by name; nothing where it cannot be compiled."""
    if bare_loop.missing():
        return {}
    name = f"bare loop, {_TOKENS:,} tokens, width {workloads.WIDTH}"
    return {name: BareLoop(vanilla.card.config, _TOKENS).decode}


def _batches(model: LoadedModel) -> list[Row]:
    name = f"decode {_BATCH_TOKENS} tokens, vanilla, batch"
    seconds = best(
        {
            f"{name} {batch}": partial(workloads.decode, model, _BATCH_TOKENS, batch)
            for batch in _BATCHES
        }
    )
    found: list[Row] = []
    for (name, taken), batch in zip(seconds.items(), _BATCHES, strict=True):
        speed = batch * _BATCH_TOKENS / taken
        ratio = (found[0]["name"], speed / found[0]["value"]) if found else ()
        found.append(row(name, speed, "tokens/s", *ratio))
    return found


def _first_token(models: Mapping[str, LoadedModel]) -> list[Row]:
    works = {
        f"first token after {_PROMPT} of a prompt, {name}": partial(
            workloads.decode, model, _PROMPT, prompt=_PROMPT
        )
        for name, model in models.items()
    }
    return [row(name, 1e3 * taken, "ms") for name, taken in best(works).items()]


def _pieces(models: Mapping[str, LoadedModel], bundled: Mapping[str, LoadedModel]) -> list[Row]:
    """Time whole pieces of all models, and candidates of the bundled ones."""
    piece, short = GenerationRequest(bars=_BARS), GenerationRequest(bars=4)
    works: dict[str, Callable[[], object]] = {
        f"{_BARS} bars, {size}, {name}": partial(_write, model, piece)
        for size, group in {"width 256": models, "shipped": bundled}.items()
        for name, model in group.items()
    }
    for name, model in bundled.items():
        works[f"8 candidates of 4 bars, shipped, {name}"] = partial(
            workloads.generate_candidates, model, short, 8
        )
    return [row(name, taken, "s") for name, taken in best(works).items()]


def _write(model: LoadedModel, request: GenerationRequest) -> None:
    jobs.run(generate(model, request))
