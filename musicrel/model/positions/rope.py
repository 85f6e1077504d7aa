"""Rotary positions (Su et al. 2021, arXiv 2104.09864), with three scalings for long sequences.

Pair c of a query or key at position p is rotated by p theta_c, theta_c = B^(-2c/d), B = 10,000, so
that q_i . k_j depends on i - j alone. With s = planned length / trained length (at least 1), fixed
for a whole sequence so that cached keys stay valid:

    interpolate  p / s instead of p (not rounded, as one book has it)
    ntk          B s^(d/(d-2)) instead of B, which slows the slowest pair by s and the first by none
                 (bloc97 2023; a book prints s^(2/(d-2)), which has almost no effect)
    yarn         theta'_c = (1 - g) theta_c / s + g theta_c, g = clip((r_c - 1) / 31, 0, 1),
                 r_c = trained length x theta_c / 2 pi; logits times (0.1 ln s + 1)^2 (Peng et al.
                 2023, arXiv 2309.00071)

No parameters.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.positions.base import Place, PositionalAttention, Tokens

SCALINGS = ("none", "interpolate", "ntk", "yarn")

BASE = 10_000.0
"""B of unscaled positions."""
_MIN_TURNS, _MAX_TURNS = 1.0, 32.0
_SHARPENING = 0.1
_MIN_NTK_WIDTH = 4


class RotaryAttention(PositionalAttention):
    """Attention with rotated queries and keys."""

    def __init__(self, head_width: int, *, trained_length: int, scaling: str = "none") -> None:
        super().__init__()
        least = _MIN_NTK_WIDTH if scaling == "ntk" else 2
        check_pairs(head_width, f"rope with scaling {scaling!r}", least)
        self.width, self.trained_length, self._scaling = head_width, trained_length, scaling

    def rotate_q(self, q_BHTd: Tensor, at: Tokens) -> Tensor:
        stretch = max(1.0, at.planned_length / self.trained_length)
        place_T = places(q_BHTd, at.first)
        angle_TC = place_T[:, None] * self.speeds(stretch, place_T.device)
        factor = 1.0 + _SHARPENING * math.log(stretch) if self._scaling == "yarn" else 1.0
        return rotated(q_BHTd, angle_TC, factor)

    def speeds(self, stretch: float, device: torch.device) -> Tensor:
        return speeds(self.width, self.trained_length, stretch, self._scaling, device)


def check_pairs(head_width: int, scheme: str, least: int = 2) -> None:
    """Check that the width of a head, which ``scheme`` rotates, is even and large enough."""
    if head_width % 2 or head_width < least:
        raise ModelError(
            f"a head has width {head_width}: {scheme} rotates pairs of dimensions and needs an "
            f"even width of at least {least}"
        )


def places(x_BHTd: Tensor, first: Place) -> Tensor:
    """Return the positions of queries or keys: float64 (T,), which keeps distant ones exact."""
    device = torch.device("cpu") if x_BHTd.device.type == "mps" else x_BHTd.device  # no float64
    place_T = torch.arange(x_BHTd.shape[2], dtype=torch.float64, device=device)
    return place_T + (first if isinstance(first, int) else first.to(device))


def rotated(x_BHTd: Tensor, angle_TC: Tensor, factor: float = 1.0) -> Tensor:
    """Rotate pair c of each query or key by its angle, (T, d / 2) or (B, H, T, d / 2), radians."""
    cos_TC, sin_TC = (factor * angle_TC.cos()).to(x_BHTd), (factor * angle_TC.sin()).to(x_BHTd)
    even_BHTC, odd_BHTC = x_BHTd[..., 0::2], x_BHTd[..., 1::2]
    turned_BHTCp = torch.stack(
        [even_BHTC * cos_TC - odd_BHTC * sin_TC, odd_BHTC * cos_TC + even_BHTC * sin_TC], dim=-1
    )
    return turned_BHTCp.flatten(-2)


def fast_pairs(head_width: int, trained_length: int) -> int:
    """Return the number of pairs that complete a turn in the trained window.

    K = #{c : theta_c >= 2 pi / trained length}: these are the first K pairs.
    """
    slowest = 2 * math.pi / trained_length
    return sum(BASE ** (-c / head_width) >= slowest for c in range(0, head_width, 2))


def speeds(  # all on the device, so that a step can be captured
    width: int,
    trained_length: int,
    stretch: float,
    scaling: str,
    device: torch.device | None = None,
) -> Tensor:
    """Return the angle of each pair per position: float64 (d / 2,), radians."""
    base = BASE * stretch ** (width / (width - 2)) if scaling == "ntk" else BASE
    theta_C = base ** (-torch.arange(0, width, 2, dtype=torch.float64, device=device) / width)
    if scaling == "interpolate":
        return theta_C / stretch
    if scaling != "yarn":
        return theta_C
    turns_C = trained_length * theta_C / (2 * math.pi)
    kept_C = ((turns_C - _MIN_TURNS) / (_MAX_TURNS - _MIN_TURNS)).clamp(0, 1)
    return (1 - kept_C) * theta_C / stretch + kept_C * theta_C
