"""A study of the time and memory of one attention layer by sequence length; nothing is trained.

    name = "memory"
    kind = "memory"
    lengths = [256, 512, 1024]          # tokens, rising
    arms = ["vanilla", "relative-tiled"]    # see ``LAYER_ARMS``
    batch = 1
    width = 256
    heads = 4
    max_distance = 256
    repeats = 3                         # the fastest is reported
    limit_gigabytes = 8                 # rows that would need more are estimated

The study is run by ``layer_costs``.

Dimensions: B batch, H heads, T queries, S keys, L tokens, R rows of a table, d head width.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, Literal

import torch
from torch import Tensor

from musicrel import bounds, validated
from musicrel.errors import UsageError
from musicrel.model.positions.base import Place, PositionalAttention
from musicrel.model.positions.relative import RelativeAttention
from musicrel.model.positions.shaw import ShawAttention

MakeScheme = Callable[[int, int, int], PositionalAttention]
"""(heads, head width, max distance) -> a causal scheme."""


class NaiveShaw(ShawAttention):
    """Shaw's attention with one vector per pair, (L, L, d), a common implementation.

    Source: Shaw et al. 2018, "Self-Attention with Relative Position Representations", eq. 4.
    """

    def scores(
        self, q_BHTd: Tensor, k_BHSd: Tensor, *, causal: bool, first: Place | None = None
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

KIND: Final = "memory"

_NUMBERS: Final = ("batch", "width", "heads", "max_distance", "repeats", "limit_gigabytes")
_LENGTH: Final = bounds.BOUNDS["length"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStudy:
    name: str
    kind: Literal["memory"] = KIND
    lengths: tuple[int, ...] = (256, 512, 1024, 2048, 4096)
    arms: tuple[str, ...] = tuple(LAYER_ARMS)
    batch: int = 1
    width: int = 256
    heads: int = 4
    max_distance: int = 256
    repeats: int = 3
    limit_gigabytes: float = 8.0
    text: str = field(default="", repr=False, compare=False)  # the TOML it was read from

    def __post_init__(self) -> None:
        for name in _NUMBERS:
            bounds.check(f"layer {name}", getattr(self, name), name)
        if self.width % self.heads:
            raise UsageError(f"width is {self.width}: expected a multiple of heads, {self.heads}")
        _check_lengths(self.lengths)
        unknown = [arm for arm in self.arms if arm not in LAYER_ARMS]
        if unknown or not self.arms or len(set(self.arms)) != len(self.arms):
            raise UsageError(
                f"arms is {list(self.arms)!r}: expected some of {', '.join(LAYER_ARMS)}, each once"
            )

    @property
    def rows(self) -> tuple[tuple[str, int], ...]:
        return tuple((arm, length) for length in self.lengths for arm in self.arms)


def from_tables(tables: Mapping[str, Any], text: str, where: str) -> MemoryStudy:
    return replace(validated.convert(tables, MemoryStudy, where, exact=True), text=text)


def _check_lengths(lengths: tuple[int, ...]) -> None:
    ok = all(length in _LENGTH for length in lengths)
    if len(lengths) < 2 or not ok or any(after <= before for before, after in pairwise(lengths)):  # noqa: PLR2004
        raise UsageError(
            f"lengths is {list(lengths)!r}: expected at least two rising whole numbers from "
            f"{_LENGTH}"
        )
