"""Notes drawn from pieces: as many from each, or all notes of a piece that has fewer.

Dimensions: P pieces, N notes of a piece.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale
from musicrel.errors import UsageError

Places = npt.NDArray[np.int64]


def draw(pieces: Sequence[Chorale], number: int, seed: int) -> tuple[Places, ...]:
    """Draw notes without replacement."""
    cells = [np.flatnonzero(piece.onsets.reshape(-1)) for piece in pieces]
    sizes_P = np.array([len(of_piece) for of_piece in cells], dtype=np.int64)
    if not len(pieces) <= number <= sizes_P.sum():
        raise UsageError(
            f"notes is {number}: expected {len(pieces)}, one for each piece, to {sizes_P.sum()}"
        )
    rng = np.random.default_rng(seed)
    counts_P = even_counts(sizes_P, number, rng)
    return tuple(
        np.sort(rng.choice(of_piece, size=count, replace=False))
        for of_piece, count in zip(cells, counts_P.tolist(), strict=True)
    )


def even_counts(sizes_P: Places, number: int, rng: np.random.Generator) -> Places:
    """Return the number of notes of each piece; those that exceed an even number are drawn."""
    order_P = rng.permutation(len(sizes_P))
    counts_P = np.zeros_like(sizes_P)
    while (left := number - int(counts_P.sum())) > 0:
        open_P = order_P[counts_P[order_P] < sizes_P[order_P]]
        counts_P[open_P[:left]] += 1
    return counts_P
