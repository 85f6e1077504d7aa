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
from musicrel.model.positions.base import Place, PositionalAttention

SCALINGS = ("none", "interpolate", "ntk", "yarn")

_BASE = 10_000.0
_MIN_TURNS, _MAX_TURNS = 1.0, 32.0
_SHARPENING = 0.1
_MIN_NTK_WIDTH = 4


class RotaryAttention(PositionalAttention):
    """Attention with rotated queries and keys."""

    def __init__(self, head_width: int, *, trained_length: int, scaling: str) -> None:
        super().__init__()
        least = _MIN_NTK_WIDTH if scaling == "ntk" else 2
        if head_width % 2 or head_width < least:
            raise ModelError(
                f"a head has width {head_width}: rope with scaling {scaling!r} rotates pairs of "
                f"dimensions and needs an even width of at least {least}"
            )
        self._width, self._trained_length, self._scaling = head_width, trained_length, scaling

    def rotate_qk(self, x_BHTd: Tensor, first: Place, planned_length: int) -> Tensor:
        stretch = max(1.0, planned_length / self._trained_length)
        device = torch.device("cpu") if x_BHTd.device.type == "mps" else x_BHTd.device  # float64
        place_T = torch.arange(x_BHTd.shape[2], dtype=torch.float64, device=device)
        place_T = place_T + (first if isinstance(first, int) else first.to(device))
        speed_C = speeds(self._width, self._trained_length, stretch, self._scaling, device)
        angle_TC = place_T[:, None] * speed_C
        factor = 1.0 + _SHARPENING * math.log(stretch) if self._scaling == "yarn" else 1.0
        cos_TC, sin_TC = (factor * angle_TC.cos()).to(x_BHTd), (factor * angle_TC.sin()).to(x_BHTd)
        even_BHTC, odd_BHTC = x_BHTd[..., 0::2], x_BHTd[..., 1::2]
        turned_BHTCp = torch.stack(
            [even_BHTC * cos_TC - odd_BHTC * sin_TC, odd_BHTC * cos_TC + even_BHTC * sin_TC], dim=-1
        )
        return turned_BHTCp.flatten(-2)


def speeds(  # all on the device, so that a step can be captured
    width: int,
    trained_length: int,
    stretch: float,
    scaling: str,
    device: torch.device | None = None,
) -> Tensor:
    """Return the angle of each pair per position: float64 (d / 2,), radians."""
    base = _BASE * stretch ** (width / (width - 2)) if scaling == "ntk" else _BASE
    theta_C = base ** (-torch.arange(0, width, 2, dtype=torch.float64, device=device) / width)
    if scaling == "interpolate":
        return theta_C / stretch
    if scaling != "yarn":
        return theta_C
    turns_C = trained_length * theta_C / (2 * math.pi)
    kept_C = ((turns_C - _MIN_TURNS) / (_MAX_TURNS - _MIN_TURNS)).clamp(0, 1)
    return (1 - kept_C) * theta_C / stretch + kept_C * theta_C
