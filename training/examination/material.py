"""Music to examine: Bach, the imitation, files, pieces of models."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import musicrel
import musicrel.score.files  # registers the formats that Chorale.read knows
from musicrel import paths, untrusted
from musicrel.chorale import Chorale, Meter
from musicrel.corpus import bundled
from musicrel.corpus.splits import Split
from musicrel.errors import FileError

SUFFIXES: Final = (".json", ".mid")
"""Formats of pieces in a folder; a piece in both is read from the first."""
_BAR: Final = 16
FAKES: Final = paths.shared_data() / "js-fakes" / "js-fakes-16th.json"


def bach(split: Split) -> list[Chorale]:
    """Return the bundled chorales of a split in four quarters."""
    return [piece for piece in bundled.load(split) if piece.meter == Meter(4, 4)]


def read_folder(folder: Path) -> list[Chorale]:
    """Return the pieces in a folder, by the names of their files."""
    found = files(folder)
    if not found:
        raise FileError(f"{folder} holds no pieces: expected files {' or '.join(SUFFIXES)}")
    return [Chorale.read(path) for path in found]


def files(folder: Path) -> list[Path]:
    """Return the files of the pieces in a folder, one for each name; none without a folder."""
    found: dict[str, Path] = {}
    for suffix in SUFFIXES:
        for path in folder.glob(f"*{suffix}"):
            found.setdefault(path.stem, path)
    return [found[name] for name in sorted(found)]


def js_fakes() -> list[Chorale]:
    return [Chorale.of(piece) for piece in json.loads(untrusted.read(FAKES, "jsb"))]


def lengths(pieces: Iterable[Chorale]) -> list[int]:
    """Return the lengths of pieces in whole bars of four quarters."""
    return [-(-piece.steps // _BAR) for piece in pieces]


def cycled(values: Sequence[int], count: int) -> list[int]:
    """Return ``count`` of ``values``, restarting from the first after the last."""
    return list(itertools.islice(itertools.cycle(values), count))


def composed(name: str, split: Split, number: int, first_seed: int) -> Iterator[Chorale]:
    """Yield new pieces in four quarters with the lengths of a split's chorales in turn.

    Everything else is a default of ``musicrel.generate``: phrases and pickup drawn, ranges of a
    choir, top-p 0.9, normal quality.
    """
    model = musicrel.load_model(name)
    for seed, bars in enumerate(cycled(lengths(bach(split)), number), start=first_seed):
        yield musicrel.generate(model, bars=bars, seed=seed)


def harmonised(name: str, split: Split, first_seed: int) -> Iterator[Chorale]:
    """Yield the melodies of a split harmonised; meter, pickup, key and fermatas are given.

    Everything else is a default of ``musicrel.harmonise``: ranges of a choir, normal quality, an
    authentic close where the melody allows it.
    """
    model = musicrel.load_model(name)
    for seed, melody in enumerate(bundled.load(split), start=first_seed):
        yield musicrel.harmonise(melody, model=model, seed=seed)


def kept(pieces: Iterator[Chorale], folder: Path) -> Iterator[Chorale]:
    """Write each piece into ``folder`` as it comes, and yield it."""
    if files(folder):
        raise FileError(f"{folder} holds pieces already: expected an empty folder or a new one")
    folder.mkdir(parents=True, exist_ok=True)
    for number, piece in enumerate(pieces):
        piece.write(folder / f"{number:03}.json")
        yield piece
