"""Music to examine: Bach, the imitation, Bach with a voice shuffled, files, pieces of models."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

import musicrel
from musicrel import api, jobs, paths, untrusted
from musicrel.analysis.corpus import bundled
from musicrel.analysis.corpus.splits import Split
from musicrel.chorale import (
    STEPS_PER_QUARTER,
    Chorale,
    Meter,
    Voice,
    onsets_where_pitch_changes,
    spans,
)
from musicrel.errors import FileError
from musicrel.generation.candidates.candidate_job import generate_pieces

SUFFIXES: Final = (".json", ".mid")
"""Formats of pieces in a folder; a piece in both is read from the first."""
_PHRASE: Final = 32
"""Length of a phrase of a piece without fermatas, in steps."""
_BAR: Final = 16
_LEAST_STEPS: Final = 8 * STEPS_PER_QUARTER
"""Steps of the shortest passage that counts as a Stollen."""
_ENDING_STEPS: Final = 2 * STEPS_PER_QUARTER
"""Last steps of a Stollen, in which a repeat may end differently."""
_NEARLY: Final = 0.95
FAKES: Final = paths.shared_data() / "js-fakes" / "js-fakes-16th.json"


def bach(split: Split) -> list[Chorale]:
    return [piece for piece in bundled.load(split) if piece.meter == Meter(4, 4)]


def bare(piece: Chorale) -> Chorale:
    """Return the pitches alone, on the piece's beats, as JS Fakes have them: repeats merged."""
    return Chorale.of(piece.pitches, pickup=piece.pickup % 4)


def shuffled(piece: Chorale, seed: int) -> Chorale:
    """Return the piece with the phrases of one voice in another order."""
    random = np.random.default_rng(seed)
    voice = Voice(int(random.integers(len(Voice))))
    stops = [stop for _, stop in spans(piece.fermatas)] or list(
        range(_PHRASE, piece.steps, _PHRASE)
    )
    parts = np.split(np.arange(piece.steps), [stop for stop in stops if stop < piece.steps])
    order = _another_order(len(parts), random)
    places = np.concatenate([parts[n] for n in order])
    pitches, onsets = piece.pitches.copy(), piece.onsets.copy()
    pitches[:, voice], onsets[:, voice] = pitches[places, voice], onsets[places, voice]
    return replace(piece, pitches=pitches, onsets=onsets | onsets_where_pitch_changes(pitches))


def _another_order(number: int, random: np.random.Generator) -> Sequence[int]:
    while number > 1:
        order: list[int] = random.permutation(number).tolist()
        if order != sorted(order):
            return order
    return [0]


def stollen(piece: Chorale) -> int:
    """Return the steps of the first passage of the soprano that comes twice in a row, 0: none.

    Nearly all of its pitches are the same, those of its last two quarters aside.
    """
    line = piece.pitches[:, Voice.SOPRANO]
    for length in range(_LEAST_STEPS, piece.steps // 2 + 1, STEPS_PER_QUARTER):
        same = length - _ENDING_STEPS
        if np.mean(line[:same] == line[length : length + same]) >= _NEARLY:
            return length
    return 0


def played_once(piece: Chorale) -> Chorale:
    """Return the piece without the first time of a Stollen: the bundled chorales play no repeats.

    The second time leads on to what follows, and has the pickup of the first.
    """
    return piece.cropped(stollen(piece), piece.steps)


def read_folder(folder: Path) -> list[Chorale]:
    found = files(folder)
    if not found:
        raise FileError(f"{folder} holds no pieces: expected files {' or '.join(SUFFIXES)}")
    return [Chorale.read(path) for path in found]


def files(folder: Path) -> list[Path]:
    found: dict[str, Path] = {}
    for suffix in SUFFIXES:
        for path in folder.glob(f"*{suffix}"):
            found.setdefault(path.stem, path)
    return [found[name] for name in sorted(found)]


def js_fakes() -> list[Chorale]:
    return [Chorale.of(piece) for piece in json.loads(untrusted.read(FAKES, "jsb"))]


def lengths(pieces: Iterable[Chorale]) -> list[int]:
    return [-(-piece.steps // _BAR) for piece in pieces]


def cycled(values: Sequence[int], count: int) -> list[int]:
    return list(itertools.islice(itertools.cycle(values), count))


def composed(
    name: str, split: Split, number: int, first_seed: int, device: str = "cpu"
) -> Iterator[Chorale]:
    """Yield new pieces in four quarters with the lengths of a split's chorales in turn.

    Everything else is a default of ``musicrel.generate``: phrases and pickup drawn, ranges of a
    choir, top-p 0.9, normal quality.
    """
    model = musicrel.load_model(name, device)
    requests = [
        api.request(None, {"bars": bars, "seed": seed}).resolved(model.conditions)
        for seed, bars in enumerate(cycled(lengths(bach(split)), number), start=first_seed)
    ]
    for job in generate_pieces(model, requests):
        yield jobs.run(job).chorale


def harmonised(name: str, split: Split, first_seed: int) -> Iterator[Chorale]:
    """Yield the melodies of a split harmonised; meter, pickup, key and fermatas are given.

    Everything else is a default of ``musicrel.harmonise``: ranges of a choir, normal quality, an
    authentic close where the melody allows it.
    """
    model = musicrel.load_model(name)
    for seed, melody in enumerate(bundled.load(split), start=first_seed):
        yield musicrel.harmonise(melody, model=model, seed=seed)


def kept(pieces: Iterator[Chorale], folder: Path) -> Iterator[Chorale]:
    if files(folder):
        raise FileError(f"{folder} holds pieces already: expected an empty folder or a new one")
    folder.mkdir(parents=True, exist_ok=True)
    for number, piece in enumerate(pieces):
        piece.write(folder / f"{number:03}.json")
        yield piece
