"""Matrix products by tiles against float64."""
# shape suffixes

from __future__ import annotations

import numpy as np
import pytest

from musicrel.model.compiled.arithmetic import Floats
from musicrel.model.compiled.tiles import PANEL, add_product, padded, panels


def normal(*shape: int, seed: int = 0) -> Floats:
    """Return normal random numbers, float32."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def test_the_last_panel_is_filled_with_zeros() -> None:
    """Columns stay in their order."""
    w_IO = normal(3, PANEL + 2)

    found_PIn = panels(w_IO)

    assert found_PIn.shape == (2, 3, PANEL)
    assert np.array_equal(found_PIn.transpose(1, 0, 2).reshape(3, -1)[:, : PANEL + 2], w_IO)
    assert not found_PIn[1, :, 2:].any()


@pytest.mark.parametrize("rows", [1, 3, 4, 8, 13, 29])
@pytest.mark.parametrize("outputs", [1, PANEL, PANEL + 1, 3 * PANEL])
def test_a_product_is_added_to_each_row_the_same_among_any_others(rows: int, outputs: int) -> None:
    """To the bit; and it is the product."""
    x_RI, w_IO = normal(rows, 40), normal(40, outputs, seed=1)
    before_RO = normal(rows, padded(outputs), seed=2)
    y_RO = before_RO.copy()
    add_product(x_RI, 0, 0, rows, panels(w_IO), y_RO, 0)

    expected_RO = before_RO[:, :outputs] + x_RI.astype(np.float64) @ w_IO.astype(np.float64)
    np.testing.assert_allclose(y_RO[:, :outputs], expected_RO, atol=3e-5)
    for row in range(rows):
        alone_1O = before_RO[row : row + 1].copy()
        add_product(x_RI, row, 0, 1, panels(w_IO), alone_1O, 0)
        assert np.array_equal(alone_1O[0], y_RO[row])


def test_some_rows_and_inputs_are_multiplied_and_no_others_change() -> None:
    """Inputs from a column on, sums from a row on."""
    x_RI, w_IO = normal(12, 30), normal(10, PANEL, seed=1)
    y_RO = np.zeros((20, PANEL), dtype=np.float32)
    add_product(x_RI, 2, 20, 9, panels(w_IO), y_RO, 5)

    np.testing.assert_allclose(y_RO[5:14], x_RI[2:11, 20:] @ w_IO, atol=1e-5)
    assert not y_RO[:5].any()
    assert not y_RO[14:].any()
