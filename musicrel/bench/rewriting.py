"""The rewriting part of ``musicrel bench``: a melody harmonised, two bars of two voices anew.

Every figure is what a user waits for, from the request to the measured proposal. Beside it stands
what the processor needed: on a busy machine one waits longer than that.

This file knows what is measured; how a piece is filled in stands in ``musicrel.generation``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from musicrel.bench.timing import REPEATS, Row, row

if TYPE_CHECKING:
    from musicrel.chorale import Chorale
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.generation.request import GenerationRequest

MODEL: Final = "relative-infill"
_BARS: Final = 16
_REWRITTEN: Final = 2
"""Bars, those before the middle."""
_CANDIDATES: Final = 8


def rows(asked: argparse.Namespace, bars: int = _BARS, candidates: int = _CANDIDATES) -> list[Row]:
    """Seconds of all that is asked of a piece that is there; the sizes are smaller in tests."""
    from musicrel.generation.candidates import judging
    from musicrel.generation.loaded_model import load_model

    model = load_model(MODEL, asked.device, asked.threads)
    judging.shipped()  # what is loaded once is no cost of a proposal
    piece = _piece(bars)
    _propose(model, _rewritten(piece, "draft"), 1)
    found: list[Row] = []
    for patience in ("draft", "normal", "careful"):
        work = partial(_propose, model, _rewritten(piece, patience), 1)
        name = f"rewrite {_REWRITTEN} bars of {bars} in 2 voices, {patience}"
        found += _timed(name, work, REPEATS)
    for patience, count in (("draft", 1), ("normal", 1), ("normal", candidates)):
        work = partial(_propose, model, _harmonised(piece, patience), count)
        name = f"harmonise {bars} bars, {patience}, {count} {'candidate' + 's' * (count > 1)}"
        found += _timed(name, work)
    return found


def _timed(name: str, work: Callable[[], object], repeats: int = 1) -> list[Row]:
    """The fewest seconds of some repeats, and the fewest that the processor needed."""
    waited, worked = [], []
    for _ in range(repeats):
        began, idle = time.perf_counter(), time.process_time()
        work()
        worked.append(time.process_time() - idle)
        waited.append(time.perf_counter() - began)
    ratio = min(worked) / min(waited)
    return [
        row(name, min(waited), "s"),
        row(f"{name}, processor", min(worked), "s", name, ratio),
    ]


def _piece(bars: int) -> Chorale:
    """The beginning of a chorale of the corpus that no model has learned."""
    from musicrel.chorale import Meter
    from musicrel.corpus import bundled

    steps = bars * Meter(4, 4).steps
    whole = (one for one in bundled.load("test") if one.meter == Meter(4, 4) and not one.pickup)
    return next(one for one in whole if one.steps >= steps).cropped(0, steps)


def _rewritten(piece: Chorale, patience: str) -> GenerationRequest:
    from musicrel.chorale import Voice
    from musicrel.generation import edit_requests

    bar = piece.meter.steps
    first = piece.steps // 2 - _REWRITTEN * bar
    voices, stop = (Voice.ALTO, Voice.TENOR), first + _REWRITTEN * bar
    return edit_requests.infilling(piece, voices, first, stop, patience=patience, seed=1)


def _harmonised(piece: Chorale, patience: str) -> GenerationRequest:
    from musicrel.generation import edit_requests

    return edit_requests.harmony(piece, patience=patience, seed=1)


def _propose(model: LoadedModel, request: GenerationRequest, count: int) -> None:
    from musicrel import jobs
    from musicrel.generation.candidates.candidate_job import propose

    jobs.run(propose(model, request, count))
