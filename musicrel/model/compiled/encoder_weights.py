"""The weights of a bidirectional model as the compiled loops read them: matrices in panels.

Dimensions: N layers, D width, F hidden width of the feed-forward network, H tables of heads, d head
width, C conditions, K rows of all conditions, P panels of n columns. Widths of sums are padded to
whole panels; the columns beyond are 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.model.compiled.arithmetic import Floats
from musicrel.model.compiled.tiles import PANEL, padded, panels
from musicrel.model.compiled.weights import SCHEMES, Tensors
from musicrel.model.config import Family, ModelConfig


class EncoderWeights(NamedTuple):
    """The weights of all layers; queries are scaled by 1 / sqrt d, embeddings by sqrt D.

    Attributes:
        embed_RD: vectors of the rows of features.
        condition_KD: vectors of the rows of all conditions.
        first_C: first row of each condition.
        norms_N4D: gain and bias of the norms before attention and before the feed-forward network.
        query_NPDn: projections to queries.
        key_value_NPDn: projections to keys, then to values, each from a new panel on.
        project_out_NPDn: projections of the attended values.
        widen_NPDn, widen_bias_NF, narrow_NPFn, narrow_bias_ND: the feed-forward networks.
        distance_NHPdn: the relative tables, a column for each distance from -R to R; no panels
            without.
        reach: the largest distance R with a column of its own.
        norm_2D: gain and bias of the last norm.
        is_gelu: whether the activation is GELU, else ReLU.
        heads: number of heads.
    """

    embed_RD: Floats
    condition_KD: Floats
    first_C: npt.NDArray[np.int64]
    norms_N4D: Floats
    query_NPDn: Floats
    key_value_NPDn: Floats
    project_out_NPDn: Floats
    widen_NPDn: Floats
    widen_bias_NF: Floats
    narrow_NPFn: Floats
    narrow_bias_ND: Floats
    distance_NHPdn: Floats
    reach: int
    norm_2D: Floats
    is_gelu: bool
    heads: int


def unsupported(config: ModelConfig, family: Family) -> str:
    """Return the reason why a model has no compiled form as one of ``family``, or ""."""
    if config.family != family:
        return f"family {config.family}"
    if config.scheme not in SCHEMES:
        return f"positional scheme {config.scheme}"
    if config.norm != "pre":
        return "post-norm blocks"
    return ""


def prepare(config: ModelConfig, tensors: Tensors) -> EncoderWeights:
    """Return the weights of a model.

    Args:
        config: its hyperparameters; ``unsupported`` returns "".
        tensors: its float32 tensors by the names of the checkpoint.
    """
    scale = np.float32(math.sqrt(config.width))
    layers = [_Layer(config, tensors, n) for n in range(config.layers)]
    sizes = list(config.conditions.values())
    return EncoderWeights(
        embed_RD=plain(tensors["embed_token.weight"] * scale),
        condition_KD=_conditions(config, tensors) * scale,
        first_C=np.cumsum([0, *sizes])[:-1],
        norms_N4D=np.stack([layer.norms() for layer in layers]),
        query_NPDn=np.stack([layer.query() for layer in layers]),
        key_value_NPDn=np.stack([layer.key_value() for layer in layers]),
        project_out_NPDn=np.stack([layer.matrix("attention.project_out") for layer in layers]),
        widen_NPDn=np.stack([layer.matrix("feedforward.0") for layer in layers]),
        widen_bias_NF=np.stack([layer.bias("feedforward.0") for layer in layers]),
        narrow_NPFn=np.stack([layer.matrix("feedforward.2") for layer in layers]),
        narrow_bias_ND=np.stack([layer.bias("feedforward.2") for layer in layers]),
        distance_NHPdn=np.stack([layer.distances() for layer in layers]),
        reach=_reach(config, tensors),
        norm_2D=plain(np.stack([tensors["norm.weight"], tensors["norm.bias"]])),
        is_gelu=config.activation == "gelu",
        heads=config.heads,
    )


def plain(array: Floats) -> Floats:
    """Return a contiguous copy, float32; loops would be compiled again for a read-only array."""
    return np.array(array, dtype=np.float32, order="C")


def padded_bias(bias_O: Floats) -> Floats:
    """Return a bias with zeros up to a whole panel."""
    return np.pad(plain(bias_O), (0, padded(len(bias_O)) - len(bias_O)))


class _Layer:
    """The tensors of one layer."""

    def __init__(self, config: ModelConfig, tensors: Tensors, number: int) -> None:
        self._config, self._tensors, self._prefix = config, tensors, f"blocks.{number}."

    def matrix(self, name: str) -> Floats:
        """Return a matrix in panels."""
        return panels(self._tensor(f"{name}.weight").T)

    def bias(self, name: str) -> Floats:
        """Return a bias, padded."""
        return padded_bias(self._tensor(f"{name}.bias"))

    def norms(self) -> Floats:
        """Return gain and bias of both norms."""
        names = ("norm_attention", "norm_feedforward")
        parts = [self._tensor(f"{name}.{part}") for name in names for part in ("weight", "bias")]
        return plain(np.stack(parts))

    def query(self) -> Floats:
        """Return the projection to scaled queries."""
        return panels(self._projections()[0].T / np.float32(math.sqrt(self._config.head_width)))

    def key_value(self) -> Floats:
        """Return the projections to keys and values."""
        _, key_DD, value_DD = self._projections()
        return np.concatenate([panels(key_DD.T), panels(value_DD.T)])

    def distances(self) -> Floats:
        """Return the relative tables in panels."""
        if self._config.scheme != "relative":
            return np.zeros((1, 0, self._config.head_width, PANEL), dtype=np.float32)
        table_HRd = self._tensor("attention.positional.table_HRd")
        return np.stack([panels(table_Rd.T) for table_Rd in table_HRd])

    def _projections(self) -> list[Floats]:
        return np.split(self._tensor("attention.project_in.weight"), 3)

    def _tensor(self, name: str) -> Floats:
        return self._tensors[self._prefix + name]


def _reach(config: ModelConfig, tensors: Tensors) -> int:
    """Return the largest distance of the relative tables, 0 without."""
    if config.scheme != "relative":
        return 0
    columns: int = tensors["blocks.0.attention.positional.table_HRd"].shape[1]
    return columns // 2


def _conditions(config: ModelConfig, tensors: Tensors) -> Floats:
    """Return the tables of all conditions, one after the other."""
    nothing = np.zeros((0, config.width), dtype=np.float32)
    columns = range(len(config.conditions))
    tables = [tensors[f"embed_condition.{column}.weight"] for column in columns]
    return plain(np.concatenate([nothing, *tables]))
