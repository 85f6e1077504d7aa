"""Logit biases by rule for an infilling model, which predicts notes in any order.

All three other voices count wherever they are known. The rhythm table ignores their motion, because
it has to be right when few notes are known. Invalid holds are masked by the model itself.

Dimensions: B batch, N tokens, T steps, 4 voices, C conditions, P neighbours, V vocabulary, K
steps back, "..." the places (see ``places``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.config import VOICE
from musicrel.model.features.interval_rows import OWN
from musicrel.model.features.interval_tables import VOICES
from musicrel.model.features.line_rows import LOOK_BACK
from musicrel.model.features.lines import Line
from musicrel.model.features.logit_biases import LogitBiases
from musicrel.model.features.places import Places, Steps

_EVERYWHERE: Final = Steps(slice(None))


class ContextBiases(LogitBiases):
    """Biases of every cell, from the cells around it and the conditions.

    Args:
        tokens: vocabulary size V, as in ``PitchContext``.
        pitches: number of pitches.
        conditions: names of the conditions; without the voice, which follows from the cell.
        lines: whether there is a table of lines.
    """

    _motion_states: ClassVar[int] = 1
    """The motion of other voices is ignored."""

    def __init__(
        self, tokens: int, pitches: int, conditions: Sequence[str], *, lines: bool = False
    ) -> None:
        super().__init__(tokens, pitches, [*conditions, VOICE], lines=lines)
        self.voice_41 = nn.Buffer(torch.arange(1, VOICES + 1)[:, None], persistent=False)

    def neighbourhood(
        self, ids_BT4: Tensor, conditions_BTC: Tensor, places: Places = _EVERYWHERE
    ) -> tuple[Tensor, Tensor, Line | None]:
        """Return the arguments of ``forward`` and ``rule_biases`` for the cells at some places.

        Args:
            ids_BT4: int64 token ids.
            conditions_BTC: int64 rows of the conditions of every step.
            places: the cells; all by default.

        Returns:
            Pitches of the other voices now, of the voice itself one step earlier and of the others
            then, (..., P), the conditions with the voice appended, (..., C + 1), and the voice's
            line.
        """
        pitch_BT4 = self.pitch_V[ids_BT4]
        before_BT4 = F.pad(pitch_BT4[:, :-1], (0, 0, 1, 0), value=len(self.continuation_PV) - 1)
        own = places.own(before_BT4)[..., None]
        pitch_P = torch.cat([places.others(pitch_BT4), own, places.others(before_BT4)], dim=-1)
        voice_1 = places.voice(self.voice_41).expand_as(own)
        conditions_C = places.step(conditions_BTC).expand(*own.shape[:-1], -1)
        return pitch_P, torch.cat([conditions_C, voice_1], dim=-1), self._line_at(ids_BT4, places)

    def _line_at(self, ids_BT4: Tensor, places: Places) -> Line | None:
        if self.lines is None:
            return None
        before_BT4K = F.pad(ids_BT4[:, :-1], (0, 0, LOOK_BACK, 0)).unfold(1, LOOK_BACK, 1)
        return self.line_of(places.own(before_BT4K).flip(-1))

    def count(self, ids_BT: Tensor, conditions_BTC: Tensor) -> dict[str, Tensor]:
        """Count as in ``LogitBiases``, every cell in the context of the whole piece."""
        steps = (ids_BT.shape[1] - 1) // VOICES
        ids_BT4 = ids_BT[:, 1 : 1 + steps * VOICES].reshape(-1, steps, VOICES)
        rule_biases = self.rule_biases(
            *self.neighbourhood(ids_BT4, conditions_BTC[:, : steps * VOICES : VOICES])
        )
        return {name: part.count(ids_BT4) for name, part in rule_biases.items()}

    def _others_moved(self, pitch_BTN: Tensor, conditions_BTC: Tensor) -> Tensor:
        return torch.zeros_like(conditions_BTC[..., 0])

    def _known_voices(self, conditions_BTC: Tensor) -> Tensor:
        return torch.ones_like(conditions_BTC[..., :OWN], dtype=torch.bool)

    def _without_invalid_holds(self, bias_BTV: Tensor, own_BT: Tensor) -> Tensor:
        return bias_BTV
