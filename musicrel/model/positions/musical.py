"""Rotary positions in musical coordinates: bar, place in the bar, voice and pitch.

Pair c of a head belongs to the coordinate c mod 4 and is rotated by x theta, x the coordinate, so
that a head can look for "a bar ago", "the same beat", "the voice above" or "a fifth below".
Attention by distances of pitch and onset is that of RIPO (Guo et al. 2022, arXiv 2212.00973). The n
pairs of a coordinate that spans R units have theta_j = (pi / 2) (2 / R)^(j/(n-1)), j = 0 ... n - 1:
from a quarter of a turn for each unit to half a turn for the whole span.

    bar     its number; in 4/4 from the first step if no condition has the meter
    beat    sixteenths from the bar line
    voice   0 soprano to 3 bass
    pitch   semitones from the lowest of the vocabulary; rests and other tokens lie an octave below

All are known when a token is read, whole pieces and single tokens alike, and keys are cached
rotated. Step and voice follow from the index. The row of the condition ``bar`` is the place in the
bar of 4/4 or 3/4; what is left of the step is a number of bars, and the pickup. In a causal model
the query stands at the cell that is predicted, the key at its own; the pitch of both is that of the
token that is read.

Only bar and beat are used, in 4/4 from the first step, if a position is not a token but a step: in
the family ``infill``, in cross-attention and in the encoder before it. Without
parameters. Extends to any length; bars farther apart than in the trained window meet at new angles.

Dimensions: B batch, H heads, T tokens, X coordinates, C pairs or conditions, d head width.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from musicrel.model.config import FIRST_PITCH_TOKEN, ModelConfig
from musicrel.model.positions.base import EmbeddingPositions, Place, PositionalAttention, Tokens
from musicrel.model.positions.rope import check_pairs, places, rotated
from musicrel.model.tokens.codec import VOICES
from musicrel.model.tokens.conditions import METER_ROWS
from musicrel.model.tokens.vocabulary import PITCHES

_SPANS = (64, 16, VOICES, PITCHES)
"""Bars, sixteenths of a bar, voices, semitones."""
_BAR = "bar"
_FIRST_3_4 = METER_ROWS[3, 4]
_STEPS_4_4, _STEPS_3_4 = 16, 12
_NO_PITCH = -12


class MusicalGrid(EmbeddingPositions):
    """The coordinates of tokens; nothing is added to their embeddings."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        names = list(config.conditions)
        self._column = names.index(_BAR) if _BAR in names else None
        self._ahead = int(config.is_causal)  # cells from a token to the one that rows describe

    def coordinates(self, ids_BT: Tensor, conditions_BTC: Tensor, starts_B: Place) -> Tensor | None:
        first = starts_B if isinstance(starts_B, int) else starts_B[:, None]
        own_BT = first + torch.arange(ids_BT.shape[1], device=ids_BT.device)[None] - 1  # START: -1
        cell_BT = own_BT + self._ahead
        step_BT = cell_BT // VOICES
        row_BT = torch.zeros_like(ids_BT)
        if self._column is not None:
            row_BT = conditions_BTC[..., self._column]
        in_bar_BT = torch.where(row_BT > 0, (row_BT - 1) % _FIRST_3_4, step_BT % _STEPS_4_4)
        length_BT1 = torch.where(row_BT > _FIRST_3_4, _STEPS_3_4, _STEPS_4_4)[..., None]
        line_BT1 = (step_BT - in_bar_BT)[..., None]  # step of the bar line
        cell_BT2 = torch.stack([cell_BT, own_BT], -1).expand(*ids_BT.shape, 2)
        since_BT2 = cell_BT2 // VOICES - line_BT1
        pitch_BT = torch.where(
            ids_BT < FIRST_PITCH_TOKEN, _NO_PITCH, (ids_BT - FIRST_PITCH_TOKEN) % PITCHES
        )
        each_BT2 = (
            line_BT1 // length_BT1 + since_BT2 // length_BT1,
            since_BT2 % length_BT1,
            cell_BT2 % VOICES,
            pitch_BT[..., None].expand_as(cell_BT2),
        )
        return torch.stack(each_BT2, -1)


class MusicalRotation(PositionalAttention):
    """Attention with queries and keys rotated by their coordinates."""

    def __init__(self, head_width: int) -> None:
        super().__init__()
        check_pairs(head_width, "musical", 2 * len(_SPANS))
        self._pairs = head_width // 2

    def rotate_q(self, q_BHTd: Tensor, at: Tokens) -> Tensor:
        return self._rotated(q_BHTd, at, 0)

    def rotate_k(self, k_BHTd: Tensor, at: Tokens) -> Tensor:
        return self._rotated(k_BHTd, at, 1)

    def _rotated(self, x_BHTd: Tensor, at: Tokens, which: int) -> Tensor:
        place_T = places(x_BHTd, at.first)
        beat_T = place_T % _STEPS_4_4
        nothing_T = torch.zeros_like(place_T)
        each_T: tuple[Tensor, ...] = (
            (place_T - beat_T) / _STEPS_4_4,
            beat_T,
            nothing_T,
            nothing_T,
        )
        if at.coordinates_BT2X is not None:
            each_T = at.coordinates_BT2X[:, None, :, which].to(place_T).unbind(-1)
        angle_TC = place_T.new_empty((*each_T[0].shape, self._pairs))
        for kind, (x_T, span) in enumerate(zip(each_T, _SPANS, strict=True)):
            n = len(range(kind, self._pairs, len(_SPANS)))
            j_N = torch.arange(n, dtype=place_T.dtype, device=place_T.device)
            theta_N = (math.pi / 2) * (2 / span) ** (j_N / max(n - 1, 1))
            angle_TC[..., kind :: len(_SPANS)] = x_T[..., None] * theta_N
        return rotated(x_BHTd, angle_TC)
