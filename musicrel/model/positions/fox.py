"""Forget gates (FoX: Lin et al. 2025, arXiv 2503.02130, eq. 7-10), without other positions.

e_ij = q_i . k_j / sqrt d + sum of log f_h(x_l) over l = j + 1 ... i, f_h(x) = sigmoid(w_h . x +
b_h): each token decides how far all that lies before it is forgotten. x_l is the state that query
and key are projections of. w_h starts from N(0, 0.02^2), b_h at 0, as in the authors' code: D + 1
parameters for each head. Extends to any length.

The paper is about causal attention. Here a key after the query is forgotten by the gates between
them, too, those of l = i + 1 ... j: the sum depends on the pair and not on its order.

log f is cached with the key, as one number more; the sums are differences of running sums over all
keys.

Dimensions: B batch, H heads, T queries, S keys, D width, d head width.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.positions.base import INITIAL_STD, Place, Tokens, by_head
from musicrel.model.positions.distance_bias import BiasedAttention


class ForgettingAttention(BiasedAttention):
    """Scores plus the logarithms of the forget gates between query and key."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.gate_HD = nn.Parameter(torch.empty(heads, width))  # w
        self.open_H = nn.Parameter(torch.zeros(heads))  # b
        nn.init.normal_(self.gate_HD, std=INITIAL_STD)

    def rotate_k(self, k_BHTd: Tensor, at: Tokens) -> Tensor:
        gate_BHT = by_head(self.gate_HD, at.states_BTD) + self.open_H[:, None]
        return torch.cat([k_BHTd, F.logsigmoid(gate_BHT)[..., None]], dim=-1)

    def bias(self, q_BHTd: Tensor, k_BHSd: Tensor, first: Place) -> Tensor:
        sum_BHS = k_BHSd[..., -1].cumsum(-1)
        place_T = first + torch.arange(q_BHTd.shape[2], device=q_BHTd.device)
        # a query may stand after the last key where these are of another sequence
        here_BHT = sum_BHS.index_select(-1, place_T.clamp(max=k_BHSd.shape[2] - 1))
        return -(here_BHT[..., None] - sum_BHS[..., None, :]).abs()
