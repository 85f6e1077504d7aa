"""What a critic learns from: Bach's chorales, and what is to be told from them.

``critic:FILE`` names a file of opponents by split, each titled by its kind (``training.opponents``
makes one); Bach is the bundled corpus. Some opponents are Bach made worse, in the same split. A
window of music is drawn from chance alone, so that nothing has to be stored to go on with a run.

This file knows windows of music and who made them; it knows nothing of models.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from musicrel import paths
from musicrel.chorale import STEPS_PER_QUARTER, Chorale
from musicrel.corpus import archive, bundled
from musicrel.corpus.splits import Split
from musicrel.errors import DataError, FileError
from musicrel.experiment.data.corruptions import CORRUPTIONS, corrupted

OPPONENTS: Final = "runs/opponents.npz"
"""Where ``training.opponents`` puts them and the shipped recipe looks for them."""
BACH: Final = "Bach"
SHORTEST: Final = 32
"""Steps of the shortest windows: two bars of 4/4."""

_LARGEST_FILE: Final = 64_000_000
_WORSENED: Final = 0.7
"""Share of the opponents that are Bach made worse; every kind of both is as frequent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A window of music.

    Attributes:
        piece: the music.
        kind: who made it, or what was done to it.
    """

    piece: Chorale
    kind: str

    @property
    def is_bach(self) -> bool:
        """Whether it is as Bach wrote it."""
        return self.kind == BACH


def read(file: Path) -> tuple[str, Mapping[Split, Sequence[Chorale]]]:
    """The sha256 of Bach's and the opponents' files together, and the opponents.

    Raises:
        FileError: there is no such file, or it is damaged.
    """
    if not file.is_file():
        raise FileError(
            f"there are no opponents in {file}: make them with python -m training.opponents, from "
            "the top folder of the source tree"
        )
    content = paths.read_bytes(file, limit=_LARGEST_FILE)
    both = bundled.source_sha256() + hashlib.sha256(content).hexdigest()
    return hashlib.sha256(both.encode()).hexdigest(), archive.unpack(content)


class Windows:
    """Windows of a split, drawn by chance.

    Args:
        bach: his pieces.
        others: pieces titled by their kind.
        transpose: whether windows are moved to any key in which all voices keep their range.

    Attributes:
        kinds: of opponents, pieces first, then what is done to Bach's.

    Raises:
        DataError: there is nothing by Bach, or by no other.
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
        """Pieces that windows of a kind are cut from."""
        return len(self._pieces.get(kind, self._pieces[BACH]))

    def opponent(self, rng: np.random.Generator) -> str:
        """A kind of opponent."""
        among = list(CORRUPTIONS) if rng.random() < _WORSENED else self._made
        return among[int(rng.integers(len(among)))]

    def draw(
        self, kind: str, steps: int, rng: np.random.Generator, index: int | None = None
    ) -> Judged:
        """A window of a kind.

        Args:
            kind: ``BACH`` or one of ``kinds``.
            steps: its length; that of the piece where it is shorter.
            rng: of the place, the key and what is done.
            index: of the piece among those of the kind; None: any.
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
        return Judged(piece=piece, kind=kind)


def _window(piece: Chorale, steps: int, rng: np.random.Generator) -> Chorale:
    """A part that begins on a beat, or all of a short piece."""
    first = piece.pickup % STEPS_PER_QUARTER
    beats = (piece.steps - steps - first) // STEPS_PER_QUARTER
    if beats < 0:
        return piece
    start = first + int(rng.integers(beats + 1)) * STEPS_PER_QUARTER
    return piece.cropped(start, start + steps)
