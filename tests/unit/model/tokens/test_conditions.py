"""Conditions of models."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale, Meter
from musicrel.model.tokens import conditions
from musicrel.model.tokens.codec import VOICES

GRID = ("beat", "bar", "ending", "phrase")


@pytest.mark.parametrize(
    ("meter", "simple"), [("12/8", "4/4"), ("9/8", "3/4"), ("6/8", "2/4"), ("12/4", "4/4")]
)
def test_models_count_the_beats_of_a_compound_meter(meter: str, simple: str) -> None:
    """On its beats, and on the last third of each, rows are those of quarters and eighths."""
    beats, beat = 24, 12 * 4 // int(meter.split("/")[1])
    rows = {}
    for name, length in ((meter, beat), (simple, 4)):
        held = np.arange(beats * length) // length % 8 == 7
        plan = Chorale.of(
            np.full((beats * length, 4), 60), fermatas=held, meter=Meter.parse(name), pickup=length
        )
        rows[name] = conditions.rows(plan, GRID, GRID)[:-2:VOICES].reshape(beats, length, -1)
    assert np.array_equal(rows[meter][:, 0], rows[simple][:, 0])
    assert np.array_equal(rows[meter][:, beat * 2 // 3], rows[simple][:, 2])
    assert (np.diff(rows[meter][..., 0], axis=1) >= 0).all()
    assert (rows[meter][:, 1:, 0] > 1).all()  # one step of a beat is its beginning
