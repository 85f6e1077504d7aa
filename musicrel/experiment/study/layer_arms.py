"""The implementations of one attention layer whose costs are compared, by name.

Dimensions: B batch, H heads, T queries, S keys, L tokens, R rows of a table, d head width.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import torch
from torch import Tensor

from musicrel.model.positions.base import PositionalAttention
from musicrel.model.positions.relative import RelativeAttention
from musicrel.model.positions.shaw import ShawAttention

MakeScheme = Callable[[int, int, int], PositionalAttention]
"""(heads, head width, max distance) -> a causal scheme."""


class NaiveShaw(ShawAttention):
    """Shaw's attention with one vector per pair, (L, L, d), a common implementation.

    Source: Shaw et al. 2018, "Self-Attention with Relative Position Representations", eq. 4.
    """

    def scores(
        self, q_BHTd: Tensor, k_BHSd: Tensor, *, causal: bool, first: int | None = None
    ) -> Tensor:
        del causal
        queries, keys = q_BHTd.shape[2], k_BHSd.shape[2]
        first = keys - queries if first is None else first
        place_S = torch.arange(keys, device=k_BHSd.device)
        distance_TS = place_S - place_S[first : first + queries, None]
        most = len(self.keys_Rd) - 1 - self.max_distance
        rows_TSd = self.keys_Rd[distance_TS.clamp(-self.max_distance, most) + self.max_distance]
        content_BHTS = q_BHTd @ k_BHSd.transpose(-1, -2)
        by_row_BHTS = torch.einsum("bhtd,tsd->bhts", q_BHTd, rows_TSd)
        return (content_BHTS + by_row_BHTS) / math.sqrt(q_BHTd.shape[-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerArm:
    description: str  # a few words
    make: MakeScheme
    # whether the scores of all pairs are materialised, instead of the fastest path
    explicit: bool = False


def _relative(heads: int, head_width: int, max_distance: int) -> PositionalAttention:
    return RelativeAttention(
        heads, head_width, max_distance=max_distance, shared=False, causal=True
    )


LAYER_ARMS: Final[Mapping[str, LayerArm]] = MappingProxyType(
    {
        "vanilla": LayerArm(
            description="no positions in the scores, fused", make=lambda *_: PositionalAttention()
        ),
        "relative-tiled": LayerArm(description="relative, skewed tile by tile", make=_relative),
        "relative-skew": LayerArm(
            description="relative, all scores materialised and skewed",
            make=_relative,
            explicit=True,
        ),
        "shaw-naive": LayerArm(
            description="relative after Shaw, one vector per pair",
            make=lambda _, head_width, max_distance: NaiveShaw(
                head_width, max_distance=max_distance, values=False, causal=True
            ),
            explicit=True,
        ),
    }
)
"""All implementations by name."""
