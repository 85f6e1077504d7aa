"""Relative positions of Transformer-XL (Dai et al. 2019, arXiv 1901.02860, 3.3).

e_ij = ((q_i + u) . k_j + (q_i + v) . W r_(i-j)) / sqrt d: r is the sinusoid of the distance, W
projects it to a key, u and v are biases of content and position. Extends to any length.

Dimensions: B batch, H heads, T queries, S keys, W distances, D width, d head width.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from musicrel.model.positions.base import INITIAL_STD, ExplicitAttention, Place
from musicrel.model.positions.sinusoidal import sinusoids
from musicrel.model.positions.skew import skew


class TransformerXLAttention(ExplicitAttention):
    """Scores with projected sinusoids of the distance."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        head_width = width // heads
        self.project_HDd = nn.Parameter(torch.empty(heads, width, head_width))
        self.content_Hd = nn.Parameter(torch.empty(heads, head_width))  # u
        self.place_Hd = nn.Parameter(torch.empty(heads, head_width))  # v
        nn.init.normal_(self.project_HDd, std=width**-0.5)
        for part in (self.content_Hd, self.place_Hd):
            nn.init.normal_(part, std=INITIAL_STD)

    def scores(
        self, q_BHTd: Tensor, k_BHSd: Tensor, *, causal: bool, first: Place | None = None
    ) -> Tensor:
        scale = 1.0 / math.sqrt(q_BHTd.shape[-1])
        queries, keys = q_BHTd.shape[2], k_BHSd.shape[2]
        content_BHTd = (q_BHTd + self.content_Hd[:, None]) * scale
        place_BHTd = (q_BHTd + self.place_Hd[:, None]) * scale
        rows_HWd = self.drop(self._sinusoids(queries, keys, first)) @ self.project_HDd
        by_distance_BHTW = place_BHTd @ rows_HWd.transpose(-1, -2)
        return content_BHTd @ k_BHSd.transpose(-1, -2) + skew(by_distance_BHTW, keys)

    def _sinusoids(self, queries: int, keys: int, first: Place | None) -> Tensor:
        """Return the sinusoids r by distance with one row more as required by ``skew``: (S + T, D).

        Column c of the skew is the distance j - i = c - last, so its sinusoid is that of last - c.
        """
        last = keys - 1 if first is None else first + queries - 1
        like = self.project_HDd
        back_W = last - torch.arange(keys + queries, device=like.device)
        return sinusoids(back_W, like.shape[1]).to(like)
