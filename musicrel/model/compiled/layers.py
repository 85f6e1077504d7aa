"""The layers of compiled models: their weights, with matrices in panels (``tiles``), and products.

Dimensions: D width, F hidden width of the feed-forward network, N layers, I inputs, O outputs, H
tables of heads, d head width, P panels of n columns, R rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from musicrel.model.compiled.arithmetic import F32, Floats, compiled, gelu, layer_norm, relu
from musicrel.model.compiled.tiles import add_product, panels
from musicrel.model.config import ModelConfig

SCHEMES: Final = ("sinusoidal", "relative")
"""Positional schemes that have a compiled form."""

Tensors = Mapping[str, Floats]


class Matrices(NamedTuple):
    """The matrices of one product, one of each layer."""

    panels_NPIn: Floats
    bias_NO: Floats  # what is added to the outputs; no outputs for nothing


class Layers(NamedTuple):
    """The weights of all layers; queries are scaled by 1 / sqrt d."""

    # gain and bias of the norms before attention and before the feed-forward network
    norms_N4D: Floats
    project_in: Matrices
    project_out: Matrices
    # widen, narrow: the feed-forward networks
    widen: Matrices
    narrow: Matrices
    distance_NHPdn: Floats  # the relative table, the first distance first; no panels without
    distances: int  # number of distances in it
    norm_2D: Floats  # gain and bias of the last norm
    is_gelu: bool  # whether the activation is GELU, else ReLU
    heads: int


def supported(config: ModelConfig) -> bool:
    """Return whether the layers of a model have a compiled form."""
    return config.scheme in SCHEMES and config.norm == "pre"


def prepare(config: ModelConfig, tensors: Tensors) -> Layers:
    """Return the layers of a model."""
    project_in_NOD = _stacked(config, tensors, "attention.project_in.weight")
    project_in_NOD[:, : config.width] /= math.sqrt(config.head_width)
    project_out_NOD = _stacked(config, tensors, "attention.project_out.weight")
    nothing_N0 = np.zeros((config.layers, 0), dtype=np.float32)
    table_NHRd = np.zeros((config.layers, 1, 0, config.head_width), dtype=np.float32)
    if config.scheme == "relative":
        table_NHRd = _stacked(config, tensors, "attention.positional.table_HRd")
    norms = [f"{norm}.{part}" for norm in ("norm_attention", "norm_feedforward")
             for part in ("weight", "bias")]  # fmt: skip
    return Layers(
        norms_N4D=np.stack([_stacked(config, tensors, name) for name in norms], axis=1),
        project_in=Matrices(in_panels(project_in_NOD), nothing_N0),
        project_out=Matrices(in_panels(project_out_NOD), nothing_N0),
        widen=_feedforward(config, tensors, 0),
        narrow=_feedforward(config, tensors, 2),
        distance_NHPdn=np.stack([in_panels(table_HRd) for table_HRd in table_NHRd]),
        distances=table_NHRd.shape[2],
        norm_2D=plain(np.stack([tensors["norm.weight"], tensors["norm.bias"]])),
        is_gelu=config.activation == "gelu",
        heads=config.heads,
    )


def _feedforward(config: ModelConfig, tensors: Tensors, number: int) -> Matrices:
    name = f"feedforward.{number}"
    w_NOI = _stacked(config, tensors, f"{name}.weight")
    return Matrices(in_panels(w_NOI), _stacked(config, tensors, f"{name}.bias"))


def in_panels(w_NOI: Floats) -> Floats:
    """Return matrices in panels, float32, inputs as rows: (N, P, I, n)."""
    return np.stack([panels(w_OI.T) for w_OI in w_NOI])


def _stacked(config: ModelConfig, tensors: Tensors, name: str) -> Floats:
    return np.stack([plain(tensors[f"blocks.{n}.{name}"]) for n in range(config.layers)])


def plain(array: Floats) -> Floats:
    """Return a contiguous copy, float32; loops would be compiled again for a read-only array."""
    return np.array(array, dtype=np.float32, order="C")


@compiled
def multiply(x_RI: Floats, column: int, w: Matrices, n: int, y_RO: Floats) -> None:
    """Set ``y_RO`` to x W + b with the matrix and the bias of layer ``n``."""
    bias_O = w.bias_NO[n]
    known = bias_O.shape[0]
    for r in range(x_RI.shape[0]):
        y_RO[r, :known] = bias_O[:known]
        y_RO[r, known:] = F32(0.0)
    add_product(x_RI, 0, column, x_RI.shape[0], w.panels_NPIn[n], y_RO, 0)


@compiled
def normalise(x_RD: Floats, gain_D: Floats, bias_D: Floats, y_RD: Floats) -> None:
    """Set the first columns of ``y_RD`` to the normalised rows."""
    for r in range(x_RD.shape[0]):
        layer_norm(x_RD[r], gain_D, bias_D, y_RD[r, : x_RD.shape[1]])


@compiled
def feed_forward(x_RD: Floats, n: int, w: Layers, y_RD: Floats, h_RF: Floats) -> None:
    """Add the output of the feed-forward network of layer ``n`` to ``x_RD``."""
    normalise(x_RD, w.norms_N4D[n, 2], w.norms_N4D[n, 3], y_RD)
    multiply(y_RD, 0, w.widen, n, h_RF)
    for r in range(h_RF.shape[0]):
        if w.is_gelu:
            gelu(h_RF[r])
        else:
            relu(h_RF[r])
    multiply(h_RF, 0, w.narrow, n, y_RD)
    add_rows(y_RD, x_RD)


@compiled
def add_rows(y_RD: Floats, x_RD: Floats) -> None:
    """Add the first columns of ``y_RD`` to ``x_RD``."""
    for r in range(x_RD.shape[0]):
        x_D, y_D = x_RD[r], y_RD[r]
        for i in range(x_D.shape[0]):
            x_D[i] += y_D[i]
