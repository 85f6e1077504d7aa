"""Features of the context of each note of a grid, as rows of tables: distances, motions, degrees.

Rows are looked up and summed by the model; nothing here is learned. Hidden and silent notes have
the row "none"; a voice's own notes before and after are the nearest known ones at any distance.

Dimensions: B batch, T steps, 4 voices, 3 others, 12 cells (4 before, 4 now, 4 after), C conditions,
S slots, R distances, P pitches.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.features.context_rows import (
    AWAY,
    LEADERS,
    OTHERS,
    context_rows,
    context_sizes,
    input_sizes,
    number_of_pitches,
)
from musicrel.model.features.interval_tables import MOTIONS, VOICES


@cache
def _others(device: torch.device) -> Tensor:
    """Return the others of each voice; a captured step cannot copy them to its device."""
    return torch.tensor(OTHERS, device=device)


@dataclass(frozen=True, slots=True)
class StepContext:
    """Rows of the features of the notes of some steps."""

    # rows of every whole step: its tokens and the adjacent ones, intervals, motions, distances from
    # the reference voice, degrees; (B, all T, S)
    inputs: Tensor
    context: Tensor  # rows of each note; (B, T, 4, 26)
    # (B, T, 4, 2, 3): rows of intervals to and motions of the others, relative to the voice's
    # pitch before, then after
    motions: Tensor
    chords: Tensor  # rows of the intervals between the others; (B, T, 4, 3, 1)
    # row of the distance of each pitch from each reference; (B, T, 4, 5, P)
    pitch_distances: Tensor
    # row of the degree of each pitch, (B, T, 1, P); None if the model has no key
    degrees: Tensor | None
    impossible: Tensor  # logit biases against tokens that the adjacent holds rule out; (B, T, 4, V)


class ContextFeatures(nn.Module):
    """Computation of the rows of ``StepContext``."""

    def __init__(self, tokens: int, key_column: int | None) -> None:
        super().__init__()
        self._key_column = key_column
        has_key = key_column is not None
        self.pitches = number_of_pitches(tokens)
        self.distances = 2 * self.pitches
        self.input_rows = sum(input_sizes(tokens, has_key=has_key))
        self.context_rows = sum(context_sizes(tokens))
        for name, table in context_rows(tokens, has_key=has_key).items():
            self.register_buffer(name, torch.as_tensor(table), persistent=False)
        chord_43 = torch.arange(3 * VOICES).view(VOICES, 3) * self.distances
        self.chord_43 = nn.Buffer(chord_43, persistent=False)
        self.side_21 = nn.Buffer(torch.arange(2)[:, None] * MOTIONS, persistent=False)

    pitch_V: Tensor
    distance_PP: Tensor
    degree_KP: Tensor
    motion_RR: Tensor
    after_VV: Tensor
    before_VV: Tensor
    first_S: Tensor
    first_4S: Tensor
    pair_2: Tensor

    def inputs(self, ids_BT4: Tensor, conditions_BTC: Tensor) -> Tensor:
        near_BT34 = _near(ids_BT4)
        return self._inputs(near_BT34, self.pitch_V[near_BT34], self._key(conditions_BTC))

    def _key(self, conditions_BTC: Tensor) -> Tensor | None:
        return None if self._key_column is None else conditions_BTC[..., self._key_column, None]

    def forward(
        self, ids_BT4: Tensor, conditions_BTC: Tensor, steps: Tensor | slice = slice(None)
    ) -> StepContext:
        near_BT34 = _near(ids_BT4)
        pitch_BT34 = self.pitch_V[near_BT34]
        before_BT4, now_BT4, after_BT4 = pitch_BT34.unbind(2)
        key_BT1 = self._key(conditions_BTC)
        last_BT4, since_BT4 = self._nearest(now_BT4)
        next_BT4, until_BT4 = (found.flip(1) for found in self._nearest(now_BT4.flip(1)))
        own_2 = torch.stack([last_BT4, next_BT4], dim=-1)[:, steps]
        away_2 = torch.stack([since_BT4, until_BT4], dim=-1)[:, steps]
        around_N = pitch_BT34.flatten(2)[:, steps, None]
        distance_2N = self.distance_PP[own_2[..., None], around_N[..., None, :]]
        others_3 = others(now_BT4[:, steps])
        references_5 = torch.cat([own_2, others_3], dim=-1)
        sides = [(side[:, steps], others(side[:, steps])) for side in (before_BT4, after_BT4)]
        before_V, after_V = (
            F.embedding(near_BT34[:, steps, side], table)
            for side, table in ((0, self.after_VV), (2, self.before_VV))
        )
        return StepContext(
            inputs=self._inputs(near_BT34, pitch_BT34, key_BT1),
            context=torch.cat([distance_2N.flatten(-2), away_2], dim=-1) + self.first_4S,
            motions=torch.stack([self._motions(*side, others_3) for side in sides], dim=-2)
            + self.side_21,
            chords=self._chords(others_3),
            pitch_distances=self.distance_PP[references_5, : self.pitches],
            degrees=None if key_BT1 is None else self.degree_KP[key_BT1[:, steps], : self.pitches],
            impossible=before_V + after_V,
        )

    def _nearest(self, pitch_BT4: Tensor) -> tuple[Tensor, Tensor]:
        """Return each voice's last known pitch and the number of steps since: (B, T, 4) each."""
        step_T1 = torch.arange(pitch_BT4.shape[1], device=pitch_BT4.device)[:, None]
        known_BT4 = torch.where(pitch_BT4 < self.pitches, step_T1, -1)
        last_BT4 = F.pad(known_BT4.cummax(dim=1).values[:, :-1], (0, 0, 1, 0), value=-1)
        found_BT4 = pitch_BT4.gather(1, last_BT4.clamp(min=0))
        is_none_BT4 = last_BT4 < 0
        away_BT4 = (step_T1 - last_BT4).clamp(max=AWAY - 1).masked_fill(is_none_BT4, 0)
        return found_BT4.masked_fill(is_none_BT4, self.pitches), away_BT4

    def _inputs(self, near_BT34: Tensor, pitch_BT34: Tensor, key_BT1: Tensor | None) -> Tensor:
        before_BT4, now_BT4, _ = pitch_BT34.unbind(2)
        lower, upper = self.pair_2
        leader_BT1 = self._leader(now_BT4)
        around_BTN = pitch_BT34.flatten(2)
        from_BTN = [now_BT4[..., upper], before_BT4, leader_BT1.expand_as(around_BTN)]
        to_BTN = [now_BT4[..., lower], now_BT4, around_BTN]
        rows = [
            near_BT34.flatten(2),
            self.distance_PP[torch.cat(from_BTN, dim=-1), torch.cat(to_BTN, dim=-1)],
        ]
        if key_BT1 is not None:
            rows.append(self.degree_KP[key_BT1, now_BT4])
        return torch.cat(rows, dim=-1) + self.first_S

    def _leader(self, now_BT4: Tensor) -> Tensor:
        """Return the first known pitch of each step in the order soprano, bass, alto, tenor."""
        leader_BT = now_BT4[..., LEADERS[-1]]
        for voice in reversed(LEADERS[:-1]):
            pitch_BT = now_BT4[..., voice]
            leader_BT = torch.where(pitch_BT < self.pitches, pitch_BT, leader_BT)
        return leader_BT[..., None]

    def _motions(self, own: Tensor, others_3: Tensor, now_3: Tensor) -> Tensor:
        interval_3 = self.distance_PP[own[..., None], others_3]
        rows_3: Tensor = self.motion_RR[interval_3, self.distance_PP[others_3, now_3]]
        return rows_3

    def _chords(self, others_3: Tensor) -> Tensor:
        rows_3 = self.distance_PP[others_3, others_3.roll(1, -1)]
        return (rows_3 + self.chord_43)[..., None]


def others(x_BT4: Tensor) -> Tensor:
    """Return the values of the three other voices beside each: (B, T, 4) to (B, T, 4, 3)."""
    return x_BT4[..., _others(x_BT4.device)]


def _near(ids_BT4: Tensor) -> Tensor:
    """Return the tokens of the step before, of the step and of the one after: (B, T, 3, 4).

    PAD, 0, beyond the ends.
    """
    before_BT4 = F.pad(ids_BT4[:, :-1], (0, 0, 1, 0))
    after_BT4 = F.pad(ids_BT4[:, 1:], (0, 0, 0, 1))
    return torch.stack([before_BT4, ids_BT4, after_BT4], dim=2)
