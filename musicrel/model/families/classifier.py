"""Classifiers of sequences: a head over the mean of all states.

Dimensions: B batch, T tokens, or steps of N tokens in raster order, 4 voices, 12 cells (4 before,
4 now, 4 after), 6 pairs, S rows summed, D width, K classes.
"""

from __future__ import annotations

from torch import Tensor

from musicrel.model.blocks.attention import Recording
from musicrel.model.families.transformer import Output, Transformer


class Classifier(Transformer):
    """Token ids to logits of the classes of the whole sequence, (B, 1, K)."""

    def forward(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        *,
        starts_B: Tensor | int = 0,
        mask: Tensor | None = None,
        record: bool = False,
    ) -> Output:
        x_BTD = self.embed_token(ids_BT) * self.scale
        x_BTD = x_BTD + self.embed_conditions(conditions_BTC).added_BND
        return self._classified(self.positions(x_BTD, starts_B), mask, record=record)

    def _classified(self, x_BTD: Tensor, mask: Tensor | None, *, record: bool) -> Output:
        """Project the mean of the states of real tokens, their number clamped to at least 1."""
        recorded = Recording() if record else None
        states_BTD = self.norm(self.run_blocks(self.dropout(x_BTD), mask, record=recorded))
        mean_B1D = states_BTD.mean(1, keepdim=True)
        if mask is not None:
            real_BT1 = mask[:, 0, 0, :, None].to(states_BTD.dtype)
            sum_B1D = (states_BTD * real_BT1).sum(1, keepdim=True)
            mean_B1D = sum_B1D / real_BT1.sum(1, keepdim=True).clamp(min=1.0)
        return Output.of(self.head(mean_B1D), recorded)
