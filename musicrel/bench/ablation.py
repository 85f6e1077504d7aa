"""The ablation part of ``musicrel bench``: effects of heads, voices and earlier notes on a note.

The piece has been read before, as when a note is chosen in the app. Heads are replaced by zero,
which takes as long as by their means.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from musicrel import jobs
from musicrel.bench import workloads
from musicrel.bench.timing import Row, best, row
from musicrel.chorale import Chorale, Voice
from musicrel.generation.ablation.global_effects import global_effects
from musicrel.generation.ablation.note_reader import NoteReader
from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.generation.loaded_model import LoadedModel, load_model

MODELS: Final = ("relative", "vanilla", "relative-infill", "vanilla-infill")
_BARS: Final = 16
_HEAD: Final = Mutes((Head(0, 0),), "zero")


def rows(device: str, threads: int, bars: int = _BARS, models: Sequence[str] = MODELS) -> list[Row]:
    """Return the times of local and global effects; tests use smaller sizes."""
    piece = workloads.unlearned_piece(bars)
    middle = len(Voice) * (piece.steps // 2)
    works: dict[str, Callable[[], object]] = {}
    for name in models:
        model = load_model(name, device, threads)
        reader = NoteReader(model, piece)
        cells = itertools.cycle(range(middle, middle + len(Voice)))  # a note is kept, once read
        where = f"of {bars} bars, {name}"
        works |= {
            f"heads and voices of a note {where}": partial(_local, reader, cells),
            f"64 + 64 sources of a note {where}": partial(_sources, reader, cells),
            f"a head {where}, and none": partial(_everywhere, model, piece),
        }
    return [row(name, 1e3 * seconds, "ms") for name, seconds in best(works).items()]


def _local(reader: NoteReader, cells: Iterator[int]) -> None:
    reader.local(next(cells), "zero")


def _sources(reader: NoteReader, cells: Iterator[int]) -> None:
    reader.sources(next(cells))


def _everywhere(model: LoadedModel, piece: Chorale) -> None:
    jobs.run(global_effects(model, piece, _HEAD, "zero"))
