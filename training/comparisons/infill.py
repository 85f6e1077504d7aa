"""Comparison of infilling models: melodies harmonised, new pieces.

    python -m training.comparisons.infill TASK [--writers MODEL[:QUALITY] ...] [--pieces N]

TASK is "harmonise", for the sopranos of the validation chorales in their own meter and key and with
their own fermatas, or "new", for pieces of 8 bars with drawn phrases and pickup in the ranges of a
choir. Seeds count from 2000, top-p is 0.9. Prints a table with Bach's chorales in the first column,
measured by ``training.examination`` and ``training.comparisons.search``; see ``training/LOG.md``.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.corpus import bundled
from musicrel.generation import edit_requests
from musicrel.generation.candidates import candidate_job
from musicrel.generation.constraints.voice_ranges import PRESETS
from musicrel.generation.drawn_phrases import DrawnPhrases
from musicrel.generation.loaded_model import load_model
from musicrel.generation.request import DEFAULT_TOP_P, GenerationRequest
from training.comparisons import search
from training.examination import harmony, rhythm, targets
from training.examination.reading import Reading, average

_FIRST_SEED: Final = 2000
_PIECES: Final = 72
_WRITERS: Final = ("relative-infill:normal", "vanilla-infill:normal")
_MEANS: Final[Mapping[str, Callable[[Reading], float]]] = {
    "struck again on a beat, %": partial(rhythm.struck_on_beat, letters="ATB"),
    "held over the beat, A, %": partial(rhythm.held_over, letters="A"),
    "held over the beat, T, %": partial(rhythm.held_over, letters="T"),
    "begun within a beat, A, %": partial(rhythm.eighths, letters="A"),
    "begun within a beat, T, %": partial(rhythm.eighths, letters="T"),
    "begun within a beat, B, %": partial(rhythm.eighths, letters="B"),
    "root a fourth up, %": lambda one: harmony.root_motion(one, "5"),
    "suspensions, A, %": lambda one: harmony.suspensions(one, "A"),
    "suspensions, T, %": lambda one: harmony.suspensions(one, "T"),
    "chord held into the bar, %": lambda one: harmony.held_into_bar(one, "chord"),
}
"""Further measures, the means of the pieces."""


def measures(pieces: Sequence[Chorale]) -> dict[str, float]:
    """Return all measures of some pieces, each with a note."""
    readings = [Reading(piece=piece) for piece in pieces]
    means = {
        name: 100 * average(value for one in readings if (value := measure(one)) == value)
        for name, measure in _MEANS.items()
    }
    return targets.row(pieces) | means | search.alike(pieces, pieces)


def harmonised(quality: str, number: int) -> GenerationRequest:
    """Return the request for three voices to the soprano of a validation chorale."""
    melody = bundled.load("valid")[number]
    return edit_requests.harmony_request(
        melody, seed=_FIRST_SEED + number, quality=quality, top_p=DEFAULT_TOP_P
    )


def new(quality: str, number: int) -> GenerationRequest:
    """Return the request for a piece of 8 bars, without phrases."""
    return GenerationRequest(
        bars=8, seed=_FIRST_SEED + number, quality=quality, top_p=DEFAULT_TOP_P,
        ranges=PRESETS["choir"].ranges,
    )  # fmt: skip


_TASKS: Final = {"harmonise": harmonised, "new": new}


def written(writer: str, task: str, pieces: int) -> tuple[list[Chorale], float]:
    """Return the pieces of a writer, and the mean processor time of a piece in seconds."""
    name, _, quality = writer.partition(":")
    model, found, seconds = load_model(name), [], []
    drawn = DrawnPhrases(phrases=task == "new", pickup=task == "new")
    for number in range(pieces):
        began = time.process_time()
        request = _TASKS[task](quality or "normal", number)
        request = drawn.applied(request, model.conditions)
        made = jobs.run(candidate_job.generate_candidates(model, request, 1))
        found.append(made.ranked[0].chorale)
        seconds.append(time.process_time() - began)
    return found, statistics.mean(seconds)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m training.comparisons.infill")
    parser.add_argument("task", choices=_TASKS)
    parser.add_argument("--writers", nargs="+", default=_WRITERS, metavar="MODEL[:QUALITY]")
    parser.add_argument("--pieces", type=int, default=_PIECES, metavar="N")
    given = parser.parse_args(argv)
    rows = {"Bach": measures(bundled.load("valid")[: given.pieces])}
    for writer in given.writers:
        pieces, seconds = written(writer, given.task, given.pieces)
        rows[writer] = measures(pieces) | {"processor time, s": seconds}
    print(search.table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
