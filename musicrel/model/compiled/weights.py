"""The weights of a causal model as the compiled loops read them: matrices with inputs as rows.

Dimensions: V vocabulary, D width, N layers, O = 3 D outputs of the input projection, F hidden width
of the feed-forward network, H tables of heads, d head width, R distances, M rows of interval
features, U outputs of the head.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from musicrel.model.compiled.arithmetic import UNROLLED, Floats
from musicrel.model.config import ModelConfig
from musicrel.model.features.interval_rows import interval_rows

SCHEMES: Final = ("sinusoidal", "relative")
"""Positional schemes that have a compiled form."""

Tensors = Mapping[str, Floats]


class Weights(NamedTuple):
    """The weights of all layers; queries are scaled by 1 / sqrt d, embeddings by sqrt D.

    Attributes:
        token_VD: embeddings of the tokens.
        interval_MD: embeddings of the interval rows; no rows without interval features.
        norms_N4D: gain and bias of the norms before attention and before the feed-forward network.
        project_in_NDO, project_out_NDD: the projections of the attention.
        widen_NDF, widen_bias_NF, narrow_NFD, narrow_bias_ND: the feed-forward networks.
        distance_NHdR: the relative table, the largest distance first; no columns without.
        norm_2D: gain and bias of the last norm.
        head_DU, head_bias_U: the logits of the tokens, then those by interval.
        is_gelu: whether the activation is GELU, else ReLU.
        heads: number of heads.
    """

    token_VD: Floats
    interval_MD: Floats
    norms_N4D: Floats
    project_in_NDO: Floats
    project_out_NDD: Floats
    widen_NDF: Floats
    widen_bias_NF: Floats
    narrow_NFD: Floats
    narrow_bias_ND: Floats
    distance_NHdR: Floats
    norm_2D: Floats
    head_DU: Floats
    head_bias_U: Floats
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
    sizes = (config.width, config.feedforward, config.width // config.heads)
    if any(size % UNROLLED for size in sizes):
        return f"sizes {sizes} that are no multiples of {UNROLLED}"
    return ""


def prepare(config: ModelConfig, tensors: Tensors) -> Weights:
    """Return the weights of a model.

    Args:
        config: its hyperparameters; ``unsupported`` returns "".
        tensors: its float32 tensors by the names of the checkpoint.
    """
    scale = math.sqrt(config.width)
    heads = [name for name in ("head", "intervals.project") if f"{name}.weight" in tensors]
    project_in_NDO = _turned(config, tensors, "attention.project_in.weight")
    project_in_NDO[..., : config.width] /= math.sqrt(config.width / config.heads)
    return Weights(
        token_VD=_plain(tensors["embed_token.weight"] * np.float32(scale)),
        interval_MD=_interval_table(config, tensors) * np.float32(scale),
        norms_N4D=_norms(config, tensors),
        project_in_NDO=project_in_NDO,
        project_out_NDD=_turned(config, tensors, "attention.project_out.weight"),
        widen_NDF=_turned(config, tensors, "feedforward.0.weight"),
        widen_bias_NF=_stacked(config, tensors, "feedforward.0.bias"),
        narrow_NFD=_turned(config, tensors, "feedforward.2.weight"),
        narrow_bias_ND=_stacked(config, tensors, "feedforward.2.bias"),
        distance_NHdR=_distances(config, tensors),
        norm_2D=_plain(np.stack([tensors["norm.weight"], tensors["norm.bias"]])),
        head_DU=_plain(np.concatenate([tensors[f"{name}.weight"] for name in heads]).T),
        head_bias_U=_plain(np.concatenate([tensors[f"{name}.bias"] for name in heads])),
        is_gelu=config.activation == "gelu",
        heads=config.heads,
    )


def _distances(config: ModelConfig, tensors: Tensors) -> Floats:
    """Return the relative tables of all layers, the largest distance first: (N, H, d, R)."""
    if config.scheme != "relative":
        return np.zeros((config.layers, 1, config.width // config.heads, 0), dtype=np.float32)
    tables_NHRd = _stacked(config, tensors, "attention.positional.table_HRd")
    return _plain(tables_NHRd.transpose(0, 1, 3, 2))


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


def _turned(config: ModelConfig, tensors: Tensors, name: str) -> Floats:
    """Return the matrices of all layers with inputs as rows."""
    return _plain(_stacked(config, tensors, name).transpose(0, 2, 1))


def _stacked(config: ModelConfig, tensors: Tensors, name: str) -> Floats:
    return np.stack([_plain(tensors[f"blocks.{n}.{name}"]) for n in range(config.layers)])


def _plain(array: Floats) -> Floats:
    return np.ascontiguousarray(array, dtype=np.float32)
