"""The list of folk tunes that models are judged by: drawn by a seed, fixed by hashes.

``training/folk_tunes.toml`` holds it: file, number, title and the SHA-256 of the notes of each
tune. The tunes themselves are read from the installed music21 and never bundled.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from musicrel import paths
from musicrel.chorale import Chorale, Voice
from musicrel.corpus import bundled, melodies
from musicrel.errors import DataError
from musicrel.score import json_file
from musicrel.score.notes import notes
from training.folk_tunes import essen
from training.folk_tunes.essen import Tune

LIST: Final = Path(__file__).parents[1] / "folk_tunes.toml"
SEED: Final = 22
TUNES: Final = 20
LEFT_OUT: Final = ("han1.abc", "han2.abc", "test0.abc", "test1.abc", "testd.abc", "teste.abc")
"""Chinese tunes, which have no authentic close, and the collection's own tests."""
METERS: Final = ("2/4", "3/4", "4/4", "6/8")
BARS: Final = (8, 24)
RUN: Final = 8
"""Intervals of a run; a tune that shares one with a bundled piece is not drawn."""

_HEAD: Final = """# Folk tunes of music21's essenFolksong that no model was trained on.
# `python -m training.folk_tunes --draw` wrote this file: seed {seed}, music21 {version}; drawn from
# {eligible} tunes (rules: training/folk_tunes/tune_list.py). The tunes are not bundled.
# sha256: of meter, pickup, length, key, and of start, length and pitch of every note.
"""


def runs(melody: Chorale) -> set[tuple[int, ...]]:
    """Return all runs of ``RUN`` intervals of the soprano, repeated notes counted as one."""
    pitches = np.array([note.pitch for note in notes(melody, Voice.SOPRANO)])
    intervals = np.diff(pitches)
    moves = intervals[intervals != 0].tolist()
    return {tuple(moves[start : start + RUN]) for start in range(len(moves) - RUN + 1)}


def is_eligible(melody: Chorale, known: set[tuple[int, ...]]) -> bool:
    """Return True if it has a usual form, ends on its tonic and shares no run with ``known``."""
    bars = (melody.steps - melody.pickup) / melody.meter.steps
    is_usual = str(melody.meter) in METERS and BARS[0] <= bars <= BARS[1]
    last, own = int(melody.pitches[-1, Voice.SOPRANO]), runs(melody)
    ends = melody.key is not None and last % 12 == melody.key.pitch_class
    return is_usual and ends and bool(own) and not own & known


def bundled_runs() -> set[tuple[int, ...]]:
    """Return the runs of all bundled chorales and melodies."""
    chorales = [piece for pieces in bundled.load_all().values() for piece in pieces]
    tunes = [json_file.read(melodies.path(name)) for name in melodies.names()]
    return set().union(*(runs(piece) for piece in [*chorales, *tunes]))


def drawn(tunes: Iterable[Tune], seed: int, count: int) -> list[Tune]:
    """Draw ``count`` tunes by ``seed``; of tunes that share a run only the first is taken."""
    pool, taken, known = list(tunes), list[Tune](), set[tuple[int, ...]]()
    for index in np.random.default_rng(seed).permutation(len(pool)).tolist():
        own = runs(pool[index].melody)
        if len(taken) < count and not own & known:
            taken.append(pool[index])
            known |= own
    return taken


def draw() -> None:
    """Draw the tunes and write the list."""
    known = bundled_runs()
    pool = [
        tune
        for file in essen.files()
        if file not in LEFT_OUT
        for tune in essen.tunes(file)
        if is_eligible(tune.melody, known)
    ]
    head = _HEAD.format(seed=SEED, version=essen.VERSION, eligible=f"{len(pool):,}")
    paths.write_text(LIST, head + "".join(map(_entry, drawn(pool, SEED, TUNES))))


def listed(entries: Sequence[dict[str, Any]] | None = None) -> Iterator[Tune]:
    """Yield the tunes of the list, read from music21.

    Raises:
        DataError: a tune is not in the installed music21, or has other notes than when it was
            drawn.
    """
    for entry in tomllib.loads(LIST.read_text("utf-8"))["tune"] if entries is None else entries:
        found = essen.tune(entry["file"], entry["number"])
        if found is None or found.sha256 != entry["sha256"]:
            raise DataError(
                f"{entry['title']} ({entry['file']}, number {entry['number']}) has other notes "
                "than when it was drawn: expected the music21 of the list's first lines"
            )
        yield found


def _entry(tune: Tune) -> str:
    title = tune.melody.title.replace("\\", "").replace('"', "")
    return (
        f'\n[[tune]]\nfile = "{tune.file}"\nnumber = {tune.number}\ntitle = "{title}"\n'
        f'sha256 = "{tune.sha256}"\n'
    )
