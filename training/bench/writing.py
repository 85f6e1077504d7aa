"""Rows of the bundled models: writing, rewriting, two models at once, effects on a note."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeAlias

from musicrel import jobs
from musicrel.chorale import Voice
from musicrel.generation import edit_requests
from musicrel.generation.candidates.candidate_job import bundled_evaluator, generate_candidates
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest
from musicrel.interpretability.ablation import NoteReader, global_effects
from musicrel.interpretability.readers import open_reader
from musicrel.jobs import Job
from training.bench.rows import BARS, REPEATS, Row, Work, best, milliseconds, row
from training.bench.workloads import REWRITTEN, candidates_of, rewrite_request, unlearned_piece

_WRITERS: Final = ("relative", "vanilla")
_REWRITERS: Final = ("relative-infill", "vanilla-infill")
_HEAD: Final = Mutes((Head(0, 0),), "zero")
"""Heads are replaced by zero, which takes as long as by their means."""

MakeJob: TypeAlias = Callable[[], Job[Any, Any]]


def writing(device: str, threads: int | None, bars: int = BARS) -> list[Row]:
    """Return the tokens a second of each causal model, without and with attention recorded."""
    found: list[Row] = []
    for name in reversed(_WRITERS):
        model = load_model(name, device, threads)
        plain, recorded = (
            max(_speed(model, bars, record=record) for _ in range(REPEATS))
            for record in (False, True)
        )
        title = f"write {bars} bars, {name}"
        to_first = (found[0]["name"], plain / found[0]["value"]) if found else ()
        found.append(row(title, plain, "tokens/s", *to_first))
        ratio = recorded / plain
        found.append(row(f"{title}, attention recorded", recorded, "tokens/s", title, ratio))
    return found


def _speed(model: LoadedModel, bars: int, *, record: bool) -> float:
    request = GenerationRequest(bars=bars, quality="draft")
    piece = jobs.run(generate(model, request, record=record))
    return piece.tokens / piece.seconds


def rewriting(device: str, threads: int | None, bars: int = BARS, candidates: int = 8) -> list[Row]:
    """Return the seconds of rewriting two bars of two voices, and of harmonising.

    They are the wall-clock time from the request to the measured candidate, and the processor time,
    which is less on a busy machine. The models are the defaults for each.
    """
    bundled_evaluator()  # loaded once, not part of the measurement
    piece, found = unlearned_piece(bars), list[Row]()
    model = load_model(_REWRITERS[0], device, threads)
    candidates_of(model, rewrite_request(piece, "draft"), 1)
    for quality in ("draft", "normal", "high"):
        work = partial(candidates_of, model, rewrite_request(piece, quality), 1)
        found += _wall_and_processor(f"{_rewritten(bars)}, {quality}", work, REPEATS)
    model = load_model(_WRITERS[0], device, threads)
    candidates_of(model, edit_requests.harmony_request(piece, quality="draft"), 1)
    for quality, count in (("draft", 1), ("normal", 1), ("normal", candidates)):
        request = edit_requests.harmony_request(piece, quality=quality, seed=1)
        what = f"harmonise {bars} bars, {quality}, {count} {'candidate' + 's' * (count > 1)}"
        found += _wall_and_processor(what, partial(candidates_of, model, request, count))
    return found


def _rewritten(bars: int) -> str:
    return f"rewrite {REWRITTEN} bars of {bars} in 2 voices"


def _wall_and_processor(what: str, work: Work, repeats: int = 1) -> list[Row]:
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


def two_models(device: str, threads: int | None, bars: int = BARS) -> list[Row]:
    """Return three rows for each pair and quality: two models alone, and both in two threads.

    A ratio is the speed of each of the two, relative to one alone (the mean time of both).
    """
    bundled_evaluator()  # loaded once, not part of the measurement
    writers, rewriters = (
        {name: load_model(name, device, threads) for name in pair}
        for pair in (_WRITERS, _REWRITERS)
    )
    piece, found = unlearned_piece(bars), list[Row]()
    for quality in ("draft", "normal"):
        request = GenerationRequest(bars=bars, quality=quality)
        make = partial(generate, request=request, record=True)
        alone = {name: partial(make, model) for name, model in writers.items()}
        found += pair_rows(f"write {bars} bars, {quality}, attention recorded", alone)
    for quality in ("draft", "normal"):
        request = rewrite_request(piece, quality)
        again = partial(generate_candidates, request=request, count=1)
        jobs_alone = {name: partial(again, model) for name, model in rewriters.items()}
        found += pair_rows(f"{_rewritten(bars)}, {quality}", jobs_alone)
    return found


def pair_rows(work: str, alone: Mapping[str, MakeJob]) -> list[Row]:
    """Return the seconds of each model alone, and of both with the speed of each."""
    together = f"{work}, {' and '.join(alone)} at once"
    works: dict[str, Work] = {
        f"{work}, {name}": partial(_run, make) for name, make in alone.items()
    }
    works[together] = partial(run_both, *alone.values())
    seconds = best(works)
    both = seconds.pop(together)
    mean = sum(seconds.values()) / len(seconds)
    return [
        *(row(name, taken, "s") for name, taken in seconds.items()),
        row(together, both, "s", "the speed of one alone", mean / both),
    ]


def _run(make: MakeJob) -> None:
    jobs.run(make())


def run_both(first: MakeJob, second: MakeJob) -> None:
    with ThreadPoolExecutor(max_workers=2) as threads:
        for running in [threads.submit(_run, make) for make in (first, second)]:
            running.result()


def ablation(
    device: str,
    threads: int | None,
    bars: int = BARS,
    models: Sequence[str] = (*_WRITERS, *_REWRITERS),
) -> list[Row]:
    """Return the times of effects of heads, voices and earlier notes on a note.

    The piece has been read before, as when a note is chosen in the app.
    """
    piece = unlearned_piece(bars)
    middle = len(Voice) * (piece.steps // 2)
    works: dict[str, Work] = {}
    for name in models:
        model = load_model(name, device, threads)
        reader = open_reader(model, piece)
        cells = itertools.cycle(range(middle, middle + len(Voice)))  # a note is kept, once read
        where = f"of {bars} bars, {name}"
        everywhere = partial(global_effects, model, piece, _HEAD, "zero")
        works |= {
            f"heads and voices of a note {where}": partial(_local, reader, cells),
            f"64 + 64 sources of a note {where}": partial(_sources, reader, cells),
            f"a head {where}, and none": partial(_run, everywhere),
        }
    return milliseconds(works)


def _local(reader: NoteReader, cells: Iterator[int]) -> None:
    reader.local(next(cells), "zero")


def _sources(reader: NoteReader, cells: Iterator[int]) -> None:
    reader.sources(next(cells))
