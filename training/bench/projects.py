"""The projects part of ``musicrel bench``: opening a project with many takes, writing its edits.

An edit adds a take and a step of Undo. It is timed until it cannot be lost by a killed program.
Before the first edit after a save, the app copies the project as well; that edit has its own row.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.presentation.compose.form import Form
from musicrel.project import SUFFIX
from musicrel.project.contents import Contents, State, Take
from musicrel.project.project_file import ProjectFile
from training.bench.rows import Row, best, row

_TAKES: Final = 1000
_EDITS: Final = 500
_SAVES: Final = 20
_STEPS: Final = 256
"""Length of a take: 16 bars."""


def rows(takes: int = _TAKES, edits: int = _EDITS, saves: int = _SAVES) -> list[Row]:
    """Return the rows of the projects part; tests use smaller sizes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"bench{SUFFIX}"
        pieces = _pieces()
        contents = Contents()
        for _ in range(takes):
            contents = _edited(contents, next(pieces))
        ProjectFile.create(path, contents).close()
        size = path.stat().st_size
        work = f"project of {takes:,} takes"
        opened = best({work: lambda: ProjectFile.open(path).close()})[work]
        first = 1e3 * _seconds_of_edits(path, pieces, saves, copies=True)
        later = 1e3 * _seconds_of_edits(path, pieces, edits)
    return [
        row(f"{work}: size", size / 1e6, "MB"),
        row(f"{work}: open", opened, "s"),
        row(f"{work}: first edit after a save, snapshot and edit", float(np.median(first)), "ms"),
        row(f"{work}: write a later edit, median", float(np.median(later)), "ms"),
        row(f"{work}: write a later edit, p99", float(np.percentile(later, 99)), "ms"),
    ]


def _seconds_of_edits(
    path: Path, pieces: Iterator[Chorale], edits: int, *, copies: bool = False
) -> np.ndarray:
    snapshot = path.with_suffix(".snapshot")
    seconds = np.zeros(edits)
    with contextlib.closing(ProjectFile.open(path)) as project:
        for number in range(edits):
            contents = _edited(project.read(), next(pieces))
            start = time.perf_counter()
            if copies:
                project.copy_to(snapshot)
            project.write(contents)
            seconds[number] = time.perf_counter() - start
            snapshot.unlink(missing_ok=True)
    return seconds


def _edited(contents: Contents, piece: Chorale) -> Contents:
    number = len(contents.takes) + 1
    form = Form(seed=number)
    take = Take(number=number, name=f"Take {number}", piece=piece, form=form, accepted=True)
    locks = np.zeros_like(piece.onsets)
    state = State(piece=piece, locks=locks, form=form, generated=True, take=number)
    return replace(
        contents,
        takes=(*contents.takes, take),
        states=(*contents.states, state),
        position=len(contents.states),
        present=True,
        form=form,
    )


def _pieces() -> Iterator[Chorale]:
    """Yield pieces that are all different: bars of chorales in random order."""
    rng = np.random.default_rng(0)
    long = [piece for piece in bundled.load("test") if piece.steps >= _STEPS]
    while True:
        piece = long[rng.integers(len(long))]
        start = int(rng.integers(piece.steps - _STEPS + 1))
        yield replace(piece.cropped(start, start + _STEPS), tempo=float(rng.integers(50, 150)))
