"""Scores with a bias for every distance: ALiBi, KERPLE, and learned biases (T5, simplified).

e_ij = q_i . k_j / sqrt d + b_h(i - j), the bias not scaled.

Dimensions: B batch, H heads, T queries, S keys, W distances, d head width.
"""

from __future__ import annotations

from abc import abstractmethod

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.positions.base import ExplicitAttention, Place, causal_mask

_STEEPEST_POWER = 8.0


class BiasedAttention(ExplicitAttention):
    """Scores plus ``bias``; computed by a fused kernel with an explicit mask.

    Keys may have more numbers than queries, which only ``bias`` reads.
    """

    @abstractmethod
    def bias(self, q_BHTd: Tensor, k_BHSd: Tensor, first: Place) -> Tensor:
        """Return the biases by query and key, (H, T, S) or (B, H, T, S)."""

    def scores(
        self, q_BHTd: Tensor, k_BHSd: Tensor, *, causal: bool, first: Place | None = None
    ) -> Tensor:
        first = k_BHSd.shape[2] - q_BHTd.shape[2] if first is None else first
        content_BHSd = k_BHSd[..., : q_BHTd.shape[-1]]
        content_BHTS = super().scores(q_BHTd, content_BHSd, causal=causal, first=first)
        return content_BHTS + self.bias(q_BHTd, k_BHSd, first).to(q_BHTd.dtype)

    def _part(
        self,
        q_BHtd: Tensor,
        k_BHSd: Tensor,
        v_BHSd: Tensor,
        *,
        causal: bool,
        mask: Tensor | None,
        first: int,
    ) -> Tensor:
        queries, keys = q_BHtd.shape[2], k_BHSd.shape[2]
        added_BHtS = self.bias(q_BHtd, k_BHSd, first).to(q_BHtd.dtype)
        added_BHtS = added_BHtS.expand(len(q_BHtd), *added_BHtS.shape[-3:])
        if causal:
            past_tS = causal_mask(queries, keys, q_BHtd.device)
            added_BHtS = added_BHtS.masked_fill(~past_tS, -torch.inf)
        if mask is not None:
            added_BHtS = added_BHtS.masked_fill(~mask, -torch.inf)
        content_BHSd = k_BHSd[..., : q_BHtd.shape[-1]]
        return F.scaled_dot_product_attention(q_BHtd, content_BHSd, v_BHSd, attn_mask=added_BHtS)


class DistanceBiasAttention(BiasedAttention):
    """Scores plus ``by_distance``."""

    @abstractmethod
    def by_distance(self, back_W: Tensor) -> Tensor:
        """Return the biases, (H, W)."""

    def bias(self, q_BHTd: Tensor, k_BHSd: Tensor, first: Place) -> Tensor:
        """Return the biases, (H, T, S), from those of W = S + T - 1 distances."""
        queries, keys = q_BHTd.shape[2], k_BHSd.shape[2]
        back_W = first + queries - 1 - torch.arange(keys + queries - 1, device=q_BHTd.device)
        # row t begins T - 1 - t columns in
        return self.by_distance(back_W).unfold(-1, keys, 1).flip(-2)


class LinearBias(DistanceBiasAttention):
    """ALiBi (Press et al. 2021, arXiv 2108.12409): scores minus a slope times the distance.

    b_a = -m_a |i - j|, m_a = 2^(-8a/h) for the heads a = 1 ... h. The sign is a minus (some tables
    print a plus): distant keys count less. No parameters; extends to any length.
    """

    def __init__(self, heads: int) -> None:
        super().__init__()
        # no arithmetic of torch: on the meta device it imports the compiler, which takes a second
        self.slopes_H = nn.Buffer(torch.tensor(slopes(heads)), persistent=False)

    def by_distance(self, back_W: Tensor) -> Tensor:
        return -self.slopes_H[:, None] * back_W.abs()


def slopes(heads: int) -> list[float]:
    """Return m_a for the heads a = 1 ... h."""
    return [2.0 ** (-_STEEPEST_POWER * a / heads) for a in range(1, heads + 1)]


class LearnedBias(DistanceBiasAttention):
    """Scores plus a learned bias for every distance and head (T5, simplified).

    b_h(clip(i - j, -R, R)), b = 0 at the start (Raffel et al. 2020, 2.1, with a row for every
    distance instead of buckets). Larger distances use the row of R.
    """

    def __init__(self, heads: int, *, max_distance: int, causal: bool) -> None:
        super().__init__()
        self.max_distance = max_distance
        self._least = 0 if causal else -max_distance
        self.table_HR = nn.Parameter(torch.zeros(heads, max_distance - self._least + 1))

    def by_distance(self, back_W: Tensor) -> Tensor:
        """Return the biases; for keys after the query a causal table repeats distance 0."""
        row_W = back_W.clamp(self._least, self.max_distance) - self._least
        numbers_HW: Tensor = self.drop(self.table_HR)[:, row_W]
        return numbers_HW


class LogarithmicBias(DistanceBiasAttention):
    """KERPLE, logarithmic (Chi et al. 2022, arXiv 2205.09921, eq. 7): slopes that become flatter.

    b_h = -p_h log(1 + a_h |i - j|), p_h and a_h the absolute values of what is learned (the
    authors' code sets weights below 0.01 to it instead). They start uniform in [0, 2] and [0, 1].
    Extends to any length.
    """

    def __init__(self, heads: int) -> None:
        super().__init__()
        self.power_H, self.rate_H = (nn.Parameter(torch.empty(heads)) for _ in range(2))
        nn.init.uniform_(self.power_H, 0.0, 2.0)
        nn.init.uniform_(self.rate_H)

    def by_distance(self, back_W: Tensor) -> Tensor:
        rate_HW = self.rate_H.abs()[:, None] * back_W.abs()
        return -self.power_H.abs()[:, None] * rate_HW.log1p()
