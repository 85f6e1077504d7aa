"""Features of the context of each note of a grid, as rows of tables: distances, motions, degrees.

Rows are looked up and summed by the model; nothing here is learned. Hidden and silent notes have
the row "none"; a voice's own notes before and after are the nearest known ones at any distance.

Dimensions: B batch, T steps, 4 voices, 3 others, 12 cells (4 before, 4 now, 4 after), C conditions,
S slots, R distances, P pitches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.config import FIRST_PITCH_TOKEN
from musicrel.model.features import interval_tables as tables
from musicrel.model.features.interval_tables import DEGREES, MOTIONS, VOICES

REFERENCES: Final = 5
"""Pitches that a pitch is scored relative to: the voice's own before and after, the others now."""
CONTEXT_SLOTS: Final = 6 * VOICES + 2
"""Slots of a voice: distances from its own pitch before and after to the twelve cells around, and
the numbers of steps to its own pitches."""

_AWAY: Final = 32
"""Rows for numbers of steps: 0 if there is no own note, clipped to 31."""

_PAIRS: Final = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
OTHERS: Final = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))
"""The three other voices of each voice."""
_LEADERS: Final = (0, 3, 1, 2)
"""The first known voice in this order is the reference of a step's distances."""


@dataclass(frozen=True, slots=True)
class StepContext:
    """Rows of the features of every step.

    Attributes:
        inputs: rows of the whole step: its tokens and the adjacent ones, intervals, motions,
            distances from the reference voice, degrees; (B, T, S).
        context: rows of each voice; (B, T, 4, 26).
        motions: rows of intervals to and motions of the others, relative to the voice's pitch
            before, then after; (B, T, 4, 2, 3).
        chords: rows of the intervals between the others; (B, T, 4, 3, 1).
        pitch_distances: row of the distance of each pitch from each reference; (B, T, 4, 5, P).
        degrees: row of the degree of each pitch, (B, T, 1, P); None if the model has no key.
        impossible: logit biases against tokens that the adjacent holds rule out; (B, T, 4, V).
    """

    inputs: Tensor
    context: Tensor
    motions: Tensor
    chords: Tensor
    pitch_distances: Tensor
    degrees: Tensor | None
    impossible: Tensor

    def at(self, steps_S: Tensor) -> StepContext:
        """Return the rows of some of the steps."""
        return StepContext(
            inputs=self.inputs[:, steps_S],
            context=self.context[:, steps_S],
            motions=self.motions[:, steps_S],
            chords=self.chords[:, steps_S],
            pitch_distances=self.pitch_distances[:, steps_S],
            degrees=None if self.degrees is None else self.degrees[:, steps_S],
            impossible=self.impossible[:, steps_S],
        )


class ContextFeatures(nn.Module):
    """Computation of the rows of ``StepContext``.

    Args:
        tokens: vocabulary size V, with every pitch as an onset and as a hold.
        key_column: column of the key among the conditions; None: the model has no key.

    Attributes:
        distances: number R of rows of a distance.
        context_rows: number of rows that ``StepContext.context`` refers to.
        input_rows: number of rows that ``StepContext.inputs`` refers to.
    """

    def __init__(self, tokens: int, key_column: int | None) -> None:
        super().__init__()
        self._tokens, self._key_column = tokens, key_column
        self.pitches = (tokens - FIRST_PITCH_TOKEN) // 2
        self.distances = 2 * self.pitches
        sizes = [tokens] * 3 * VOICES + [self.distances] * (len(_PAIRS) + VOICES + 3 * VOICES)
        sizes += [DEGREES] * (VOICES if key_column is not None else 0)
        self.input_rows = sum(sizes)
        context = ([self.distances] * (CONTEXT_SLOTS - 2) + [_AWAY] * 2) * VOICES
        self.context_rows = sum(context)
        after_VV, before_VV = tables.ruled_out(tokens, self.pitches)
        for name, table in {
            "pitch_V": tables.pitch_of_token(tokens, self.pitches),
            "distance_PP": tables.distances(self.pitches),
            "degree_KP": tables.degrees(self.pitches),
            "motion_RR": tables.motions(self.pitches),
            "after_VV": after_VV,
            "before_VV": before_VV,
            "first_S": np.cumsum([0, *sizes[:-1]]),
            "first_4S": np.cumsum([0, *context[:-1]]).reshape(VOICES, CONTEXT_SLOTS),
            "pair_2": np.array(_PAIRS).T.copy(),
            "other_43": np.array(OTHERS),
        }.items():
            self.register_buffer(name, torch.as_tensor(table), persistent=False)

    pitch_V: Tensor
    distance_PP: Tensor
    degree_KP: Tensor
    motion_RR: Tensor
    after_VV: Tensor
    before_VV: Tensor
    first_S: Tensor
    first_4S: Tensor
    pair_2: Tensor
    other_43: Tensor

    def inputs(self, ids_BT4: Tensor, conditions_BTC: Tensor) -> Tensor:
        """Return ``StepContext.inputs`` alone."""
        near_BT34 = _near(ids_BT4)
        return self._inputs(near_BT34, self.pitch_V[near_BT34], self._key(conditions_BTC))

    def _key(self, conditions_BTC: Tensor) -> Tensor | None:
        return None if self._key_column is None else conditions_BTC[..., self._key_column, None]

    def forward(self, ids_BT4: Tensor, conditions_BTC: Tensor) -> StepContext:
        """Return the rows of the tokens ``ids_BT4``; the key is read from the conditions."""
        near_BT34 = _near(ids_BT4)
        pitch_BT34 = self.pitch_V[near_BT34]
        before_BT4, now_BT4, after_BT4 = pitch_BT34.unbind(2)
        key_BT1 = self._key(conditions_BTC)
        last_BT4, since_BT4 = self._nearest(now_BT4)
        next_BT4, until_BT4 = (found.flip(1) for found in self._nearest(now_BT4.flip(1)))
        own_BT42 = torch.stack([last_BT4, next_BT4], dim=-1)
        away_BT42 = torch.stack([since_BT4, until_BT4], dim=-1)
        around_BTN = pitch_BT34.flatten(2)
        distance_BT42N = self.distance_PP[own_BT42[..., None], around_BTN[:, :, None, None]]
        references_BT45 = torch.cat([own_BT42, now_BT4[..., self.other_43]], dim=-1)
        return StepContext(
            inputs=self._inputs(near_BT34, pitch_BT34, key_BT1),
            context=torch.cat([distance_BT42N.flatten(3), away_BT42], dim=-1) + self.first_4S,
            motions=self._motions(before_BT4, now_BT4, after_BT4),
            chords=self._chords(now_BT4),
            pitch_distances=self.distance_PP[references_BT45, : self.pitches],
            degrees=None if key_BT1 is None else self.degree_KP[key_BT1, : self.pitches],
            impossible=F.embedding(near_BT34[:, :, 0], self.after_VV)
            + F.embedding(near_BT34[:, :, 2], self.before_VV),
        )

    def _nearest(self, pitch_BT4: Tensor) -> tuple[Tensor, Tensor]:
        """Return each voice's last known pitch and the number of steps since: (B, T, 4) each."""
        step_T1 = torch.arange(pitch_BT4.shape[1], device=pitch_BT4.device)[:, None]
        known_BT4 = torch.where(pitch_BT4 < self.pitches, step_T1, -1)
        last_BT4 = F.pad(known_BT4.cummax(dim=1).values[:, :-1], (0, 0, 1, 0), value=-1)
        found_BT4 = pitch_BT4.gather(1, last_BT4.clamp(min=0))
        is_none_BT4 = last_BT4 < 0
        away_BT4 = (step_T1 - last_BT4).clamp(max=_AWAY - 1).masked_fill(is_none_BT4, 0)
        return found_BT4.masked_fill(is_none_BT4, self.pitches), away_BT4

    def _inputs(self, near_BT34: Tensor, pitch_BT34: Tensor, key_BT1: Tensor | None) -> Tensor:
        before_BT4, now_BT4, _ = pitch_BT34.unbind(2)
        lower, upper = self.pair_2
        leader_BT1 = self._leader(now_BT4)
        rows = [
            near_BT34.flatten(2),
            self.distance_PP[now_BT4[..., upper], now_BT4[..., lower]],
            self.distance_PP[before_BT4, now_BT4],
            self.distance_PP[leader_BT1, pitch_BT34.flatten(2)],
        ]
        if key_BT1 is not None:
            rows.append(self.degree_KP[key_BT1, now_BT4])
        return torch.cat(rows, dim=-1) + self.first_S

    def _leader(self, now_BT4: Tensor) -> Tensor:
        """Return the first known pitch of each step in the order soprano, bass, alto, tenor."""
        leader_BT = now_BT4[..., _LEADERS[-1]]
        for voice in reversed(_LEADERS[:-1]):
            pitch_BT = now_BT4[..., voice]
            leader_BT = torch.where(pitch_BT < self.pitches, pitch_BT, leader_BT)
        return leader_BT[..., None]

    def _motions(self, before_BT4: Tensor, now_BT4: Tensor, after_BT4: Tensor) -> Tensor:
        sides: list[Tensor] = []
        for own_BT4 in (before_BT4, after_BT4):
            others_BT43 = own_BT4[..., self.other_43]
            interval_BT43 = self.distance_PP[own_BT4[..., None], others_BT43]
            motion_BT43 = self.distance_PP[others_BT43, now_BT4[..., self.other_43]]
            sides.append(self.motion_RR[interval_BT43, motion_BT43] + len(sides) * MOTIONS)
        return torch.stack(sides, dim=3)

    def _chords(self, now_BT4: Tensor) -> Tensor:
        others_BT43 = now_BT4[..., self.other_43]
        rows_BT43 = self.distance_PP[others_BT43, others_BT43.roll(1, -1)]
        slot_S = torch.arange(VOICES * 3, device=now_BT4.device) * self.distances
        return (rows_BT43 + slot_S.view(VOICES, 3))[..., None]


def _near(ids_BT4: Tensor) -> Tensor:
    """Return the tokens of the step before, of the step and of the one after: (B, T, 3, 4).

    PAD, 0, beyond the ends.
    """
    before_BT4 = F.pad(ids_BT4[:, :-1], (0, 0, 1, 0))
    after_BT4 = F.pad(ids_BT4[:, 1:], (0, 0, 0, 1))
    return torch.stack([before_BT4, ids_BT4, after_BT4], dim=2)
