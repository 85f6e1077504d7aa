"""Pieces of a model to examine: new ones, or Bach's melodies harmonised, both with the defaults."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import musicrel
from musicrel.chorale import Chorale
from musicrel.corpus import bundled
from musicrel.corpus.splits import Split
from musicrel.errors import FileError
from training.examination import material
from training.quality import cycled

_BAR = 16


def composed(name: str, split: Split, number: int, first_seed: int) -> Iterator[Chorale]:
    """Yield new pieces in four quarters with the lengths of a split's chorales in turn.

    Everything else is a default of ``musicrel.generate``: phrases and pickup drawn, ranges of a
    choir, top-p 0.9, normal quality.
    """
    model = musicrel.load_model(name)
    lengths = [-(-piece.steps // _BAR) for piece in material.bach(split)]
    for seed, bars in enumerate(cycled(lengths, number), start=first_seed):
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
    """Write each piece into ``folder`` as it comes, and yield it.

    Raises:
        FileError: there are pieces in the folder, which would be examined with these.
    """
    if material.files(folder):
        raise FileError(f"{folder} holds pieces already: expected an empty folder or a new one")
    folder.mkdir(parents=True, exist_ok=True)
    for number, piece in enumerate(pieces):
        piece.write(folder / f"{number:03}.json")
        yield piece
