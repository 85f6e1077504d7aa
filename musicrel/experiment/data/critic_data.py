"""Training data of the critic: windows of Bach's chorales and of their opponents.

``critic:FILE`` names a file with opponents by split, each titled by its kind (written by
``training.opponents``). The positives are the bundled chorales. Some opponents are corrupted
chorales of the same split. A window follows from its random generator alone, so that a resumed run
needs no stored state.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from musicrel import gate
from musicrel.chorale import STEPS_PER_QUARTER, Chorale
from musicrel.corpus import archive, bundled
from musicrel.corpus.splits import Split
from musicrel.errors import DataError, FileError
from musicrel.experiment.data.corruptions import CORRUPTIONS, corrupted

BACH: Final = "Bach"
MIN_WINDOW_STEPS: Final = 32
"""Steps of the shortest window: two bars of 4/4."""

_CORRUPTED_SHARE: Final = 0.7
"""Share of the opponents that are corrupted chorales; kinds within each group are equally
likely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticWindow:
    piece: Chorale
    kind: str  # its source, or the corruption that was applied

    @property
    def is_bach(self) -> bool:
        return self.kind == BACH


def read(file: Path) -> tuple[str, Mapping[Split, Sequence[Chorale]]]:
    if not file.is_file():
        raise FileError(
            f"there are no opponents in {file}: make them with python -m training.opponents, from "
            "the top folder of the source tree"
        )
    content = gate.read(file, "corpus")
    both = bundled.source_sha256() + hashlib.sha256(content).hexdigest()
    return hashlib.sha256(both.encode()).hexdigest(), archive.unpack(content)


class WindowSampler:
    """A random sampler of windows of one split.

    Attributes:
        kinds: kinds of opponents: sources of pieces, then corruptions.
    """

    def __init__(
        self, bach: Sequence[Chorale], others: Sequence[Chorale], *, transpose: bool
    ) -> None:
        if not bach or not others:
            raise DataError("a critic needs pieces by Bach and by others in each split")
        self._pieces = {BACH: list(bach)}
        for piece in others:
            self._pieces.setdefault(piece.title, []).append(piece)
        self._made = [kind for kind in self._pieces if kind != BACH]
        self._transpose = transpose
        self.kinds = (*self._made, *CORRUPTIONS)

    def number(self, kind: str) -> int:
        """Return the number of pieces that windows of a kind are cut from."""
        return len(self._pieces.get(kind, self._pieces[BACH]))

    def draw_kind(self, rng: np.random.Generator) -> str:
        among = list(CORRUPTIONS) if rng.random() < _CORRUPTED_SHARE else self._made
        return among[int(rng.integers(len(among)))]

    def draw(
        self, kind: str, steps: int, rng: np.random.Generator, index: int | None = None
    ) -> CriticWindow:
        """Draw a window of a kind.

        Args:
            index: index of the piece among those of the kind; None: a random one.
        """
        pieces = self._pieces.get(kind, self._pieces[BACH])
        piece = pieces[int(rng.integers(len(pieces))) if index is None else index]
        piece = _window(piece, steps, rng)
        if self._transpose:
            shifts = piece.shifts()
            piece = piece.transposed(int(rng.integers(shifts.start, shifts.stop)))
        if kind in CORRUPTIONS:
            worse = corrupted(piece.pitches, kind, rng)
            piece = Chorale.of(worse, meter=piece.meter, pickup=piece.pickup)
        return CriticWindow(piece=piece, kind=kind)


def _window(piece: Chorale, steps: int, rng: np.random.Generator) -> Chorale:
    """Cut a part that starts on a beat; a short piece is returned whole."""
    first = piece.pickup % STEPS_PER_QUARTER
    beats = (piece.steps - steps - first) // STEPS_PER_QUARTER
    if beats < 0:
        return piece
    start = first + int(rng.integers(beats + 1)) * STEPS_PER_QUARTER
    return piece.cropped(start, start + steps)
