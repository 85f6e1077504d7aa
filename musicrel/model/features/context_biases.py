"""The tables of counterpoint for a model that finds notes in any order, from both sides.

There no voice sings before another: the three others are looked at wherever they are known, and the
table of pace, which has to be right when little is known yet, does not ask whether they have moved.
What a hold may follow the model itself knows.

Dimensions: B batch, N tokens, T steps, 4 voices, C conditions, P neighbours, V vocabulary.

This file knows steps and voices; what the tables say stands in ``counterpoint``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor

from musicrel.model.config import VOICE
from musicrel.model.features.context_features import OTHERS, VOICES
from musicrel.model.features.intervals import OWN
from musicrel.model.features.logit_biases import Counterpoint


class CounterpointAround(Counterpoint):
    """Cells and conditions in, something to be added to the logits of every cell out.

    Args:
        tokens: size V of the vocabulary, as in ``Neighbourhood``.
        pitches: how many pitches there are.
        conditions: names of what is told; without the voice, which every cell has by its place.
    """

    _stirs: ClassVar[int] = 1
    """Nothing is asked of that."""

    def __init__(self, tokens: int, pitches: int, conditions: Sequence[str]) -> None:
        super().__init__(tokens, pitches, [*conditions, VOICE])
        self.register_buffer("other_43", torch.tensor(OTHERS), persistent=False)

    other_43: Tensor

    def beside(
        self, ids_BT4: Tensor, told_BTC: Tensor, steps: Tensor | slice = slice(None)
    ) -> tuple[Tensor, Tensor]:
        """The arguments of ``forward`` and ``parts`` for the cells of some steps.

        Args:
            ids_BT4: int64 token ids.
            told_BTC: int64 rows of the conditions of every step.
            steps: which; usually all.

        Returns:
            The pitches of the others now, of the voice itself one step before and of the others
            then, (B, T, 4, P), and the conditions with the voice, (B, T, 4, C + 1).
        """
        pitch_BT4 = self.pitch_V[ids_BT4]
        before_BT4 = F.pad(pitch_BT4[:, :-1], (0, 0, 1, 0), value=len(self.goes_PV) - 1)
        now_BT4, before_BT4 = pitch_BT4[:, steps], before_BT4[:, steps]
        others = now_BT4[..., self.other_43], before_BT4[..., self.other_43]
        pitch_BT4P = torch.cat([others[0], before_BT4[..., None], others[1]], dim=-1)
        told_BT4C = told_BTC[:, steps, None].expand(-1, -1, VOICES, -1)
        voice_4 = torch.arange(1, VOICES + 1, device=told_BTC.device)
        voice_BT41 = voice_4.expand(told_BT4C.shape[:-1])[..., None]
        return pitch_BT4P, torch.cat([told_BT4C, voice_BT41], dim=-1)

    def counted(self, ids_BT: Tensor, told_BTC: Tensor) -> dict[str, Tensor]:
        """As in ``Counterpoint``; every cell in view of the whole piece."""
        steps = (ids_BT.shape[1] - 1) // VOICES
        ids_BT4 = ids_BT[:, 1 : 1 + steps * VOICES].reshape(-1, steps, VOICES)
        parts = self.parts(*self.beside(ids_BT4, told_BTC[:, : steps * VOICES : VOICES]))
        return {name: part.counted(ids_BT4) for name, part in parts.items()}

    def _others_moved(self, pitch_BTN: Tensor, told_BTC: Tensor) -> Tensor:
        del pitch_BTN
        return torch.zeros_like(told_BTC[..., 0])

    def _has_sung(self, told_BTC: Tensor) -> Tensor:
        return torch.ones_like(told_BTC[..., :OWN], dtype=torch.bool)

    def _possible(self, fit_BTV: Tensor, own_BT: Tensor) -> Tensor:
        del own_BT
        return fit_BTV
