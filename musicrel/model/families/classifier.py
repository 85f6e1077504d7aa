"""One statement on a sequence of any length: an encoder, the mean of its states, a linear head.

Dimensions: B batch, T tokens, D width, C classes.

This file knows how states become classes; the encoder is ``transformer``'s.
"""

from __future__ import annotations

from torch import Tensor

from musicrel.model.families.transformer import Transformer


class Classifier(Transformer):
    """Token ids in, one distribution over classes for the whole sequence out, as (B, 1, C)."""

    def said(self, states_BTD: Tensor, mask: Tensor | None) -> Tensor:
        """The head over the mean of the states of real tokens, their number at least 1."""
        if mask is None:
            return self._classes(states_BTD.mean(1, keepdim=True))
        real_BT1 = mask[:, 0, 0, :, None].to(states_BTD.dtype)
        sum_B1D = (states_BTD * real_BT1).sum(1, keepdim=True)
        return self._classes(sum_B1D / real_BT1.sum(1, keepdim=True).clamp(min=1.0))

    def _classes(self, pooled_B1D: Tensor) -> Tensor:
        logits_B1C: Tensor = self.head(pooled_B1D)
        return logits_B1C
