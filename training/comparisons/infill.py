"""Comparison of infilling models: melodies harmonised, new pieces.

    python -m training.comparisons.infill TASK [--writers MODEL[:QUALITY] ...] [--pieces N]

TASK is "harmonise", for the sopranos of the validation chorales in their own meter and key and with
their own fermatas, or "new", for pieces of 8 bars. Seeds count from 2000; everything else is a
default of ``musicrel.harmonise`` or ``musicrel.generate``. Prints a table with Bach's chorales in
the first column, measured by ``training.examination`` and ``training.comparisons.search``; see
``training/LOG.md``.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, Literal, cast

import musicrel
from musicrel import LoadedModel
from musicrel.chorale import Chorale
from musicrel.corpus import bundled
from training.comparisons import search
from training.examination import harmony, rhythm, targets
from training.examination.reading import Reading, average

Quality = Literal["draft", "normal", "high"]

_FIRST_SEED: Final = 2000
_BARS: Final = 8
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
    values = {name: found.value for name, found in targets.row(pieces).items()}
    return values | means | search.alike(pieces, pieces)


def harmonised(model: LoadedModel, quality: Quality, number: int) -> Chorale:
    """Return the soprano of a validation chorale with three voices by the model."""
    melody = bundled.load("valid")[number]
    return musicrel.harmonise(melody, model=model, seed=_FIRST_SEED + number, quality=quality)


def new(model: LoadedModel, quality: Quality, number: int) -> Chorale:
    """Return a new piece of 8 bars."""
    return musicrel.generate(model, bars=_BARS, seed=_FIRST_SEED + number, quality=quality)


_TASKS: Final = {"harmonise": harmonised, "new": new}


def written(writer: str, task: str, pieces: int) -> tuple[list[Chorale], float]:
    """Return the pieces of a writer, and the mean processor time of a piece in seconds.

    Raises:
        UsageError: there is no such quality.
    """
    name, _, given = writer.partition(":")
    quality = cast(Quality, given or "normal")  # any other is refused with the first piece
    model, found, seconds = musicrel.load_model(name), [], []
    for number in range(pieces):
        began = time.process_time()
        found.append(_TASKS[task](model, quality, number))
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
