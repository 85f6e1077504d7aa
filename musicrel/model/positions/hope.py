"""Rotary positions of high frequencies alone (HoPE: Chen et al. 2024, arXiv 2410.21216).

Pair c is rotated as in ``rope`` if it completes a turn in the trained window, 2 pi / theta_c <= L;
slower pairs are not rotated, so that no angle beyond the window is new. No parameters.
"""

from __future__ import annotations

import torch
from torch import Tensor

from musicrel.model.positions.rope import RotaryAttention, check_pairs, fast_pairs


class HighFrequencyRotation(RotaryAttention):
    """Attention with queries and keys rotated in their fast pairs."""

    def __init__(self, head_width: int, *, trained_length: int) -> None:
        check_pairs(head_width, "hope")
        super().__init__(head_width, trained_length=trained_length)

    def speeds(self, stretch: float, device: torch.device) -> Tensor:
        theta_C = super().speeds(stretch, device)
        fast = fast_pairs(self.width, self.trained_length)
        return theta_C * (torch.arange(len(theta_C), device=device) < fast)
