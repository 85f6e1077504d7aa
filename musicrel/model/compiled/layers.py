"""The layers of a causal model over rows of several sequences, with a key-value cache.

A row is one token of one sequence. Keys and values of all rows are stored before any row attends,
so that the rows may be one token of many sequences or many tokens of one.

Dimensions: R rows, D width, N layers, B sequences, H heads, d head width, L capacity, S keys, P
panels of n columns each (``tiles``). Columns of results are padded to whole panels.
"""

from __future__ import annotations

import numpy as np

from musicrel.model.compiled.arithmetic import (
    F32,
    Floats,
    compiled,
    gelu,
    layer_norm,
    relu,
)
from musicrel.model.compiled.attention import Cache, Rows, attend_all
from musicrel.model.compiled.tiles import PANEL, add_product
from musicrel.model.compiled.weights import Matrices, Weights


@compiled
def product(x_RI: Floats, w: Matrices, n: int, y_RO: Floats) -> None:
    """Set ``y_RO`` to x W + b with the matrix and the bias of layer ``n``."""
    bias_O = w.bias_NO[n]
    known = bias_O.shape[0]
    for r in range(x_RI.shape[0]):
        y_RO[r, :known] = bias_O[:known]
        y_RO[r, known:] = F32(0.0)
    add_product(x_RI, 0, 0, x_RI.shape[0], w.panels_NPIn[n], y_RO, 0)


@compiled
def run(x_RD: Floats, rows: Rows, w: Weights, cache: Cache) -> None:
    """Run all layers on the embedded tokens ``x_RD`` in place; the cache gets their keys."""
    count, width = x_RD.shape
    y_RD = np.empty((count, w.project_out.panels_NPIn.shape[1] * PANEL), dtype=F32)
    qkv_RO = np.empty((count, w.project_in.panels_NPIn.shape[1] * PANEL), dtype=F32)
    h_RF = np.empty((count, w.widen.panels_NPIn.shape[1] * PANEL), dtype=F32)
    for n in range(w.norms_N4D.shape[0]):
        for r in range(count):
            layer_norm(x_RD[r], w.norms_N4D[n, 0], w.norms_N4D[n, 1], y_RD[r, :width])
        product(y_RD, w.project_in, n, qkv_RO)
        attend_all(qkv_RO, n, rows, w, cache)
        product(qkv_RO, w.project_out, n, y_RD)
        x_RD += y_RD[:, :width]
        for r in range(count):
            layer_norm(x_RD[r], w.norms_N4D[n, 2], w.norms_N4D[n, 3], y_RD[r, :width])
        product(y_RD, w.widen, n, h_RF)
        _activate(h_RF, w.is_gelu)
        product(h_RF, w.narrow, n, y_RD)
        x_RD += y_RD[:, :width]


@compiled
def _activate(h_RF: Floats, is_gelu: bool) -> None:  # numba passes by place
    for r in range(h_RF.shape[0]):
        if is_gelu:
            gelu(h_RF[r])
        else:
            relu(h_RF[r])
