"""The weights of a causal model as the compiled loops read them: matrices in panels (``tiles``).

Dimensions: V vocabulary, D width, N layers, I inputs, O outputs, H tables of heads, d head width, M
rows of interval features, P panels of n columns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from musicrel.model.compiled.arithmetic import Floats
from musicrel.model.compiled.tiles import panels
from musicrel.model.config import ModelConfig
from musicrel.model.features.interval_rows import interval_rows

SCHEMES: Final = ("sinusoidal", "relative")
"""Positional schemes that have a compiled form."""

Tensors = Mapping[str, Floats]


class Matrices(NamedTuple):
    """The matrices of one product, one of each layer.

    Attributes:
        panels_NPIn: the matrices.
        bias_NO: what is added to the outputs; no outputs for nothing.
    """

    panels_NPIn: Floats
    bias_NO: Floats


class Weights(NamedTuple):
    """The weights of all layers; queries are scaled by 1 / sqrt d, embeddings by sqrt D.

    Attributes:
        token_VD: embeddings of the tokens.
        interval_MD: embeddings of the interval rows; no rows without interval features.
        norms_N4D: gain and bias of the norms before attention and before the feed-forward network.
        project_in, project_out: the projections of the attention.
        widen, narrow: the feed-forward networks.
        distance_NHPdn: the relative table, the largest distance first; no panels without.
        distances: number of distances in it.
        norm_2D: gain and bias of the last norm.
        head: the logits of the tokens, then those by interval; one matrix.
        is_gelu: whether the activation is GELU, else ReLU.
        heads: number of heads.
    """

    token_VD: Floats
    interval_MD: Floats
    norms_N4D: Floats
    project_in: Matrices
    project_out: Matrices
    widen: Matrices
    narrow: Matrices
    distance_NHPdn: Floats
    distances: int
    norm_2D: Floats
    head: Matrices
    is_gelu: bool
    heads: int


def unsupported(config: ModelConfig) -> str:
    """Return the reason why a model has no compiled form, or ""."""
    if config.family != "causal":
        return f"family {config.family}"
    if config.scheme not in SCHEMES:
        return f"positional scheme {config.scheme}"
    if config.norm != "pre":
        return "post-norm blocks"
    return ""


def prepare(config: ModelConfig, tensors: Tensors) -> Weights:
    """Return the weights of a model.

    Args:
        config: its hyperparameters; ``unsupported`` returns "".
        tensors: its float32 tensors by the names of the checkpoint.
    """
    scale = math.sqrt(config.width)
    project_in_NOD = _stacked(config, tensors, "attention.project_in.weight")
    project_in_NOD[:, : config.width] /= math.sqrt(config.width / config.heads)
    project_out_NOD = _stacked(config, tensors, "attention.project_out.weight")
    nothing_N0 = np.zeros((config.layers, 0), dtype=np.float32)
    table_NHRd = _relative_tables(config, tensors)
    return Weights(
        token_VD=_plain(tensors["embed_token.weight"] * np.float32(scale)),
        interval_MD=_interval_table(config, tensors) * np.float32(scale),
        norms_N4D=_norms(config, tensors),
        project_in=Matrices(_in_panels(project_in_NOD), nothing_N0),
        project_out=Matrices(_in_panels(project_out_NOD), nothing_N0),
        widen=_feedforward(config, tensors, 0),
        narrow=_feedforward(config, tensors, 2),
        distance_NHPdn=np.stack([_in_panels(table_HRd) for table_HRd in table_NHRd]),
        distances=table_NHRd.shape[2],
        norm_2D=_plain(np.stack([tensors["norm.weight"], tensors["norm.bias"]])),
        head=_head(tensors),
        is_gelu=config.activation == "gelu",
        heads=config.heads,
    )


def _feedforward(config: ModelConfig, tensors: Tensors, number: int) -> Matrices:
    name = f"feedforward.{number}"
    w_NOI = _stacked(config, tensors, f"{name}.weight")
    return Matrices(_in_panels(w_NOI), _stacked(config, tensors, f"{name}.bias"))


def _head(tensors: Tensors) -> Matrices:
    names = [name for name in ("head", "intervals.project") if f"{name}.weight" in tensors]
    w_OD = np.concatenate([tensors[f"{name}.weight"] for name in names])
    bias_O = np.concatenate([tensors[f"{name}.bias"] for name in names])
    return Matrices(_in_panels(_plain(w_OD)[None]), _plain(bias_O)[None])


def _relative_tables(config: ModelConfig, tensors: Tensors) -> Floats:
    """Return the relative tables of all layers, the largest distance first: (N, H, R, d)."""
    if config.scheme == "relative":
        return _stacked(config, tensors, "attention.positional.table_HRd")
    return np.zeros((config.layers, 1, 0, config.width // config.heads), dtype=np.float32)


def _interval_table(config: ModelConfig, tensors: Tensors) -> Floats:
    """Return the vectors of all interval rows, each distance summed with its class."""
    if not config.pitches:
        return np.zeros((0, config.width), dtype=np.float32)
    weight_MD = tensors["intervals.embed_row.weight"]
    class_Q = interval_rows(config.tokens, config.pitches)["class_NR"].flatten()
    near_MD = weight_MD[: len(class_Q)] + tensors["intervals.embed_class.weight"][class_Q]
    return _plain(np.concatenate([near_MD, weight_MD[len(class_Q) :]]))


def _norms(config: ModelConfig, tensors: Tensors) -> Floats:
    names = [f"{norm}.{part}" for norm in ("norm_attention", "norm_feedforward")
             for part in ("weight", "bias")]  # fmt: skip
    return np.stack([_stacked(config, tensors, name) for name in names], axis=1)


def _in_panels(w_NOI: Floats) -> Floats:
    """Return matrices in panels, inputs as rows: (N, P, I, n)."""
    return np.stack([panels(w_OI.T) for w_OI in w_NOI])


def _stacked(config: ModelConfig, tensors: Tensors, name: str) -> Floats:
    return np.stack([_plain(tensors[f"blocks.{n}.{name}"]) for n in range(config.layers)])


def _plain(array: Floats) -> Floats:
    return np.ascontiguousarray(array, dtype=np.float32)
