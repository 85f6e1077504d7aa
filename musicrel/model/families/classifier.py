"""A sequence classifier: an encoder, mean pooling and a linear head.

Dimensions: B batch, T tokens, D width, C classes.
"""

from __future__ import annotations

from torch import Tensor

from musicrel.model.families.transformer import Transformer


class Classifier(Transformer):
    """Token ids to logits of the classes of the whole sequence, (B, 1, C)."""

    def logits(self, states_BTD: Tensor, mask: Tensor | None) -> Tensor:
        """Project the mean of the states of real tokens, their number clamped to at least 1."""
        mean_B1D = states_BTD.mean(1, keepdim=True)
        if mask is not None:
            real_BT1 = mask[:, 0, 0, :, None].to(states_BTD.dtype)
            sum_B1D = (states_BTD * real_BT1).sum(1, keepdim=True)
            mean_B1D = sum_B1D / real_BT1.sum(1, keepdim=True).clamp(min=1.0)
        logits_B1C: Tensor = self.head(mean_B1D)
        return logits_B1C
