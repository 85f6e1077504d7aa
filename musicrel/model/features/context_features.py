"""Features of the context of each note of a grid, as rows of tables: distances, motions, degrees.

Rows are looked up and summed by the model; nothing here is learned. Hidden and silent notes have
the row "none"; a voice's own notes before and after are the nearest known ones at any distance.

Dimensions: B batch, T steps, 4 voices, 3 others, 12 cells (4 before, 4 now, 4 after), C conditions,
S slots, R distances, P pitches, "..." the places (see ``places``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

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

_OTHERS: Final = torch.tensor(OTHERS)


class Places(Protocol):
    """Some places of a grid."""

    def own(self, x_BT4: Tensor) -> Tensor:
        """Return the values of the notes themselves: (B, T, 4) to (...)."""

    def others(self, x_BT4: Tensor) -> Tensor:
        """Return the values of the three other voices of their steps: (B, T, 4) to (..., 3)."""

    def step(self, x_BTX: Tensor) -> Tensor:
        """Return the values of their steps: (B, T, X) to (..., X), to be broadcast."""

    def voice(self, table_4X: Tensor) -> Tensor:
        """Return the rows of their voices: (4, X) to (..., X), to be broadcast."""


@dataclass(frozen=True, slots=True)
class Steps:
    """All four cells of some steps.

    Attributes:
        steps: int64 (S,), or a slice.
    """

    steps: Tensor | slice

    def own(self, x_BT4: Tensor) -> Tensor:
        return x_BT4[:, self.steps]

    def others(self, x_BT4: Tensor) -> Tensor:
        return x_BT4[:, self.steps][..., _OTHERS.to(x_BT4.device)]

    def step(self, x_BTX: Tensor) -> Tensor:
        return x_BTX[:, self.steps, None]

    def voice(self, table_4X: Tensor) -> Tensor:
        return table_4X


@dataclass(frozen=True, slots=True)
class Cells:
    """Single cells, voice by voice.

    Attributes:
        row_N: int64, index in the batch.
        step_N: int64.
        voice_N: int64 in ascending order.
    """

    row_N: Tensor
    step_N: Tensor
    voice_N: Tensor
    counts: tuple[int, ...]

    @classmethod
    def of(cls, wanted_BT4: Tensor) -> Cells:
        """Return the cells that are True in a bool tensor on the CPU."""
        voice_N, row_N, step_N = wanted_BT4.permute(2, 0, 1).nonzero().unbind(-1)
        return cls(row_N, step_N, voice_N, tuple(wanted_BT4.sum((0, 1)).tolist()))

    def to(self, device: str) -> Cells:
        row_N, step_N, voice_N = (x.to(device) for x in (self.row_N, self.step_N, self.voice_N))
        return Cells(row_N, step_N, voice_N, self.counts)

    def own(self, x_BT4: Tensor) -> Tensor:
        return x_BT4[self.row_N, self.step_N, self.voice_N]

    def others(self, x_BT4: Tensor) -> Tensor:
        other_N3 = _OTHERS.to(x_BT4.device)[self.voice_N]
        return x_BT4[self.row_N, self.step_N].gather(-1, other_N3)

    def step(self, x_BTX: Tensor) -> Tensor:
        return x_BTX[self.row_N, self.step_N]

    def voice(self, table_4X: Tensor) -> Tensor:
        return table_4X[self.voice_N]


EVERYWHERE: Final = Steps(slice(None))


@dataclass(frozen=True, slots=True)
class StepContext:
    """Rows of the features of the notes at some places.

    Attributes:
        inputs: rows of every whole step: its tokens and the adjacent ones, intervals, motions,
            distances from the reference voice, degrees; (B, T, S).
        context: rows of each note; (..., 26).
        motions: rows of intervals to and motions of the others, relative to the voice's pitch
            before, then after; (..., 2, 3).
        chords: rows of the intervals between the others; (..., 3, 1).
        pitch_distances: row of the distance of each pitch from each reference; (..., 5, P).
        degrees: row of the degree of each pitch, (..., P) or to be broadcast; None if the model has
            no key.
        impossible: logit biases against tokens that the adjacent holds rule out; (..., V).
    """

    inputs: Tensor
    context: Tensor
    motions: Tensor
    chords: Tensor
    pitch_distances: Tensor
    degrees: Tensor | None
    impossible: Tensor


class ContextFeatures(nn.Module):
    """Computation of the rows of ``StepContext``.

    Args:
        tokens: vocabulary size V, with every pitch as an onset and as a hold.
        key_column: column of the key among the conditions; None: the model has no key.
    """

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
        self, ids_BT4: Tensor, conditions_BTC: Tensor, places: Places = EVERYWHERE
    ) -> StepContext:
        """Return the rows of the notes at ``places``; the key is read from the conditions."""
        near_BT34 = _near(ids_BT4)
        pitch_BT34 = self.pitch_V[near_BT34]
        before_BT4, now_BT4, after_BT4 = pitch_BT34.unbind(2)
        key_BT1 = self._key(conditions_BTC)
        last_BT4, since_BT4 = self._nearest(now_BT4)
        next_BT4, until_BT4 = (found.flip(1) for found in self._nearest(now_BT4.flip(1)))
        own_2 = torch.stack([places.own(last_BT4), places.own(next_BT4)], dim=-1)
        away_2 = torch.stack([places.own(since_BT4), places.own(until_BT4)], dim=-1)
        around_N = places.step(pitch_BT34.flatten(2))
        distance_2N = self.distance_PP[own_2[..., None], around_N[..., None, :]]
        others_3 = places.others(now_BT4)
        references_5 = torch.cat([own_2, others_3], dim=-1)
        sides = [(places.own(side), places.others(side)) for side in (before_BT4, after_BT4)]
        before_V = F.embedding(places.own(near_BT34[:, :, 0]), self.after_VV)
        return StepContext(
            inputs=self._inputs(near_BT34, pitch_BT34, key_BT1),
            context=torch.cat([distance_2N.flatten(-2), away_2], dim=-1)
            + places.voice(self.first_4S),
            motions=torch.stack([self._motions(*side, others_3) for side in sides], dim=-2)
            + self.side_21,
            chords=self._chords(others_3, places),
            pitch_distances=self.distance_PP[references_5, : self.pitches],
            degrees=self._degrees(key_BT1, places),
            impossible=before_V + F.embedding(places.own(near_BT34[:, :, 2]), self.before_VV),
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
        """Return the rows by the pitches at one side and those of the others now: (..., 3)."""
        interval_3 = self.distance_PP[own[..., None], others_3]
        rows_3: Tensor = self.motion_RR[interval_3, self.distance_PP[others_3, now_3]]
        return rows_3

    def _chords(self, others_3: Tensor, places: Places) -> Tensor:
        rows_3 = self.distance_PP[others_3, others_3.roll(1, -1)]
        return (rows_3 + places.voice(self.chord_43))[..., None]

    def _degrees(self, key_BT1: Tensor | None, places: Places) -> Tensor | None:
        if key_BT1 is None:
            return None
        return self.degree_KP[places.step(key_BT1)[..., 0], : self.pitches]


def _near(ids_BT4: Tensor) -> Tensor:
    """Return the tokens of the step before, of the step and of the one after: (B, T, 3, 4).

    PAD, 0, beyond the ends.
    """
    before_BT4 = F.pad(ids_BT4[:, :-1], (0, 0, 1, 0))
    after_BT4 = F.pad(ids_BT4[:, 1:], (0, 0, 0, 1))
    return torch.stack([before_BT4, ids_BT4, after_BT4], dim=2)
