"""The rewriting part of ``musicrel bench``: harmonise a melody, rewrite two bars of two voices.

Every figure is the wall-clock time from the request to the measured candidate. The processor time
is given as well; it is less on a busy machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Final

from musicrel.bench.timing import REPEATS, Row, row
from musicrel.bench.workloads import generate_candidates, unlearned_piece
from musicrel.chorale import Chorale, Voice
from musicrel.generation import edit_requests
from musicrel.generation.candidates.candidate_job import bundled_evaluator
from musicrel.generation.loaded_model import load_model
from musicrel.generation.request import GenerationRequest

MODEL: Final = "relative-infill"
"""The default model for rewriting."""
_HARMONISING: Final = "relative"
"""The default model for harmonising."""
_BARS: Final = 16
_REWRITTEN: Final = 2
"""Bars, the last ones before the middle."""
_CANDIDATES: Final = 8


def rows(device: str, threads: int, bars: int = _BARS, candidates: int = _CANDIDATES) -> list[Row]:
    """Return the seconds of rewriting and harmonising; tests use smaller sizes."""
    model = load_model(MODEL, device, threads)
    bundled_evaluator()  # loaded once, not part of the measurement
    piece = unlearned_piece(bars)
    generate_candidates(model, rewrite_request(piece, "draft"), 1)
    found: list[Row] = []
    for quality in ("draft", "normal", "high"):
        work = partial(generate_candidates, model, rewrite_request(piece, quality), 1)
        found += _timed(f"{name(bars)}, {quality}", work, REPEATS)
    model = load_model(_HARMONISING, device, threads)
    generate_candidates(model, edit_requests.harmony_request(piece, quality="draft"), 1)
    for quality, count in (("draft", 1), ("normal", 1), ("normal", candidates)):
        request = edit_requests.harmony_request(piece, quality=quality, seed=1)
        work = partial(generate_candidates, model, request, count)
        what = f"harmonise {bars} bars, {quality}, {count} {'candidate' + 's' * (count > 1)}"
        found += _timed(what, work)
    return found


def name(bars: int) -> str:
    """Return the name of the work of rewriting in a piece of ``bars`` bars."""
    return f"rewrite {_REWRITTEN} bars of {bars} in 2 voices"


def rewrite_request(piece: Chorale, quality: str) -> GenerationRequest:
    """Return the request that rewrites alto and tenor before the middle of a piece."""
    bar = piece.meter.steps
    first = piece.steps // 2 - _REWRITTEN * bar
    voices, stop = (Voice.ALTO, Voice.TENOR), first + _REWRITTEN * bar
    return edit_requests.infill_request(piece, voices, first, stop, quality=quality, seed=1)


def _timed(what: str, work: Callable[[], object], repeats: int = 1) -> list[Row]:
    """Return the fewest seconds of some repeats, and the fewest of processor time."""
    wall, processor = [], []
    for _ in range(repeats):
        start, processor_start = time.perf_counter(), time.process_time()
        work()
        processor.append(time.process_time() - processor_start)
        wall.append(time.perf_counter() - start)
    ratio = min(processor) / min(wall)
    return [
        row(what, min(wall), "s"),
        row(f"{what}, processor", min(processor), "s", what, ratio),
    ]
