"""Rotary positions (Su et al. 2021, arXiv 2104.09864), and three ways past the trained length.

Pair c of a query or key at position p is turned by p theta_c, theta_c = B^(-2c/d), B = 10,000, so
that q_i . k_j depends on i - j alone. With s = planned length / trained length (1 where the plan is
not longer), fixed for a whole request so that keys in the cache stay right:

    interpolate  p / s instead of p (not rounded, as one book has it)
    ntk          B s^(d/(d-2)) instead of B, which slows the slowest pair by s and the first by none
                 (bloc97 2023; a book prints s^(2/(d-2)), which does next to nothing)
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
from musicrel.model.positions.base import PositionalAttention

SCALINGS = ("none", "interpolate", "ntk", "yarn")

_BASE = 10_000.0
_FEWEST_TURNS, _MOST_TURNS = 1.0, 32.0
_SHARPENING = 0.1
_NARROWEST_FOR_NTK = 4


class RotaryAttention(PositionalAttention):
    """Turns queries and keys.

    Args:
        head_width: d, even.
        trained_length: longest sequence seen in training, in tokens.
        scaling: one of ``SCALINGS``.

    Raises:
        ModelError: the width has no pairs, or too few for the scaling.
    """

    def __init__(self, head_width: int, *, trained_length: int, scaling: str) -> None:
        super().__init__()
        least = _NARROWEST_FOR_NTK if scaling == "ntk" else 2
        if head_width % 2 or head_width < least:
            raise ModelError(
                f"a head has width {head_width}: rope with scaling {scaling!r} turns pairs of "
                f"numbers and needs an even width of at least {least}"
            )
        self._width, self._trained_length, self._scaling = head_width, trained_length, scaling

    def turned(self, x_BHTd: Tensor, first: int, planned: int) -> Tensor:
        """See the base class."""
        stretch = max(1.0, planned / self._trained_length)
        p_T1 = torch.arange(first, first + x_BHTd.shape[2], dtype=torch.float64)[:, None]
        angle_TC = p_T1 * speeds(self._width, self._trained_length, stretch, self._scaling)
        factor = 1.0 + _SHARPENING * math.log(stretch) if self._scaling == "yarn" else 1.0
        cos_TC, sin_TC = (factor * angle_TC.cos()).to(x_BHTd), (factor * angle_TC.sin()).to(x_BHTd)
        even_BHTC, odd_BHTC = x_BHTd[..., 0::2], x_BHTd[..., 1::2]
        turned_BHTCp = torch.stack(
            [even_BHTC * cos_TC - odd_BHTC * sin_TC, odd_BHTC * cos_TC + even_BHTC * sin_TC], dim=-1
        )
        return turned_BHTCp.flatten(-2)


def speeds(width: int, trained_length: int, stretch: float, scaling: str) -> Tensor:
    """How far each pair turns from one position to the next: float64 (d / 2,), radians.

    Args:
        width: d.
        trained_length: longest sequence seen in training, in tokens.
        stretch: s, at least 1.
        scaling: one of ``SCALINGS``.
    """
    base = _BASE * stretch ** (width / (width - 2)) if scaling == "ntk" else _BASE
    theta_C = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    if scaling == "interpolate":
        return theta_C / stretch
    if scaling != "yarn":
        return theta_C
    turns_C = trained_length * theta_C / (2 * math.pi)
    kept_C = ((turns_C - _FEWEST_TURNS) / (_MOST_TURNS - _FEWEST_TURNS)).clamp(0, 1)
    return (1 - kept_C) * theta_C / stretch + kept_C * theta_C
