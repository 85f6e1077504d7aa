"""The writing part of ``musicrel bench``: tokens per second of the bundled causal models."""

from __future__ import annotations

from typing import Final

from musicrel import jobs
from musicrel.bench.timing import REPEATS, Row, row
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest

_BARS: Final = 16
_MODELS: Final = ("vanilla", "relative")


def rows(device: str, threads: int) -> list[Row]:
    """Return two rows for each model: without and with attention recorded."""
    found: list[Row] = []
    for name in _MODELS:
        model = load_model(name, device, threads)
        plain = max(_speed(model, record=False) for _ in range(REPEATS))
        recorded = max(_speed(model, record=True) for _ in range(REPEATS))
        title = f"write {_BARS} bars, {name}"
        to_first = (found[0]["name"], plain / found[0]["value"]) if found else ()
        found.append(row(title, plain, "tokens/s", *to_first))
        ratio = recorded / plain
        found.append(row(f"{title}, attention recorded", recorded, "tokens/s", title, ratio))
    return found


def _speed(model: LoadedModel, *, record: bool) -> float:
    """Write a piece; return tokens per second."""
    request = GenerationRequest(bars=_BARS, quality="draft")
    piece = jobs.run(generate(model, request, record=record))
    return piece.tokens / piece.seconds
