"""Bach's own repetition."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis.claims import bach, intervals
from musicrel.analysis.claims.intervals import Pool
from musicrel.analysis.claims.measures import OF_PIECES
from musicrel.analysis.claims.repetition import longest_pitch, repeated_notes
from musicrel.corpus import bundled


def test_figures_are_those_of_the_test_pieces() -> None:
    """With their intervals."""
    pieces = bundled.load("test")
    draws = intervals.draws(len(pieces), np.random.default_rng(0))
    repeated = [repeated_notes(piece).ravel() for piece in pieces]
    owners = np.repeat(np.arange(len(pieces)), [len(values) for values in repeated])
    pools = (
        Pool.of(np.concatenate(repeated), owners, len(pieces)),
        Pool.of_units([longest_pitch(piece) for piece in pieces]),
    )

    assert len(pieces) == bach.PIECES
    assert tuple(bach.REPETITION) == OF_PIECES
    for name, pool in zip(OF_PIECES, pools, strict=True):
        assert bach.REPETITION[name] == pytest.approx(intervals.mean(pool, draws), abs=1e-4)
