"""Matrices rounded to int8."""
# shape suffixes

from __future__ import annotations

import numpy as np

from musicrel.model.compiled.rounding import rounded


def test_every_output_has_its_own_factor() -> None:
    """Its largest weight becomes 127, and no weight moves by more than half a factor."""
    w_NOI = np.random.default_rng(0).standard_normal((2, 5, 40)).astype(np.float32)
    w_NOI[1] *= 100

    q_NOI, scale_NO = rounded(w_NOI)

    assert q_NOI.dtype == np.int8
    assert (np.abs(q_NOI.astype(int)).max(axis=-1) == 127).all()
    error_NOI = np.abs(w_NOI - q_NOI * scale_NO[..., None].astype(np.float64))
    assert (error_NOI <= 0.5001 * scale_NO[..., None]).all()


def test_an_output_without_weights_stays_zero() -> None:
    """Nothing is divided by zero."""
    q_NOI, scale_NO = rounded(np.zeros((1, 2, 3), dtype=np.float32))

    assert not q_NOI.any()
    assert np.isfinite(scale_NO).all()
