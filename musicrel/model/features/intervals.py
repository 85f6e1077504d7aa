"""Interval features: notes as distances from the last pitch of the voice and from the tonic.

Counterpoint is a matter of intervals; embeddings of pitches have to learn each interval again for
every pitch. A model with interval features has additional embeddings of the last eight tokens, that
is, back to one step of the grid earlier, relative to the pitch that the voice of the next token had
one step earlier:

- the distance of each, in semitones and within the octave;
- the motion of the voices known in this step, each with its earlier interval within the octave:
  fifths and octaves are parallel if both voices move alike;
- the distance of each from the tonic, where a key is given.

Additional logits score the next pitch by its distance from the voice's last one and from the tonic.
The idea is that of the relative pitch terms of Huang et al. 2018 (arXiv 1809.04281), placed where
both arms of a comparison share them: before and after the layers, not in the attention.

Dimensions: B batch, T tokens, N neighbours, M rows, D width, V vocabulary, P pitches and one more
for none, R distances with one for none, K rows of the condition ``key``.
"""

from __future__ import annotations

from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.config import FIRST_PITCH_TOKEN
from musicrel.model.features.interval_tables import (
    KEY_ROWS,
    LEAPS,
    NEIGHBOURS,
    OCTAVE,
    OWN,
    VOICES,
    interval_rows,
    pitch_of_token,
)


class PitchContext(nn.Module):
    """Lookup of the pitches of the most recent tokens."""

    def __init__(self, tokens: int, pitches: int) -> None:
        super().__init__()
        self.pitch_V = nn.Buffer(torch.as_tensor(pitch_of_token(tokens, pitches)), persistent=False)

    def neighbours(self, ids_BT: Tensor, before_BM: Tensor | None = None) -> Tensor:
        """Return the pitches at each token and the seven before it, newest first: (B, T, N)."""
        pitch_BT = self.pitch_V[after(before_BM, ids_BT, NEIGHBOURS - 1)]
        return pitch_BT.unfold(1, NEIGHBOURS, 1).flip(-1)


def after(before_BM: Tensor | None, ids_BT: Tensor, number: int) -> Tensor:
    """Return the last ``number`` ids of ``before_BM``, zeros if it is None, then ``ids_BT``."""
    if before_BM is None:
        return F.pad(ids_BT, (number, 0))
    return torch.cat([before_BM[:, before_BM.shape[1] - number :], ids_BT], dim=1)


class Intervals(PitchContext):
    """Embeddings and logits by interval."""

    def __init__(self, tokens: int, pitches: int, width: int, key_column: int | None) -> None:
        super().__init__(tokens, pitches)
        self.key_column = key_column
        self._distances = 2 * pitches
        keys = 0 if key_column is None else NEIGHBOURS * KEY_ROWS
        motions = OWN * (OCTAVE + 1) * LEAPS
        self.embed_row = nn.Embedding(NEIGHBOURS * self._distances + motions + keys, width)
        self.embed_class = nn.Embedding(NEIGHBOURS * (OCTAVE + 1), width)
        self.project = nn.Linear(width, self._distances + OCTAVE)
        for name, table in interval_rows(tokens, pitches).items():
            self.register_buffer(name, torch.as_tensor(table), persistent=False)
        self.distance_NPP: Tensor
        self.class_NR: Tensor
        self.before_3PP: Tensor
        self.motion_PP: Tensor
        self.degree_KP: Tensor
        self.degree_NKP: Tensor
        self.by_distance_PV: Tensor
        self.by_degree_KV: Tensor
        self.slot_N: Tensor

    def rows(self, pitch_BTN: Tensor, conditions_BTC: Tensor) -> Tensor:
        """Return the rows of ``table`` for each token: int64 (B, T, M)."""
        own_BT1 = pitch_BTN[..., OWN, None]
        now_BT3, before_BT3 = pitch_BTN[..., :OWN], pitch_BTN[..., VOICES : VOICES + OWN]
        slot_3 = self.slot_N[:OWN]
        distant_BTN = self.distance_NPP[self.slot_N, own_BT1, pitch_BTN]
        moved_BT3 = self.before_3PP[slot_3, own_BT1, before_BT3]
        rows = [distant_BTN, moved_BT3 + self.motion_PP[now_BT3, before_BT3]]
        if self.key_column is not None:
            key_BT1 = conditions_BTC[..., self.key_column, None]
            rows.append(self.degree_NKP[self.slot_N, key_BT1, pitch_BTN])
        return torch.cat(rows, dim=-1)

    def table(self) -> Tensor:
        """Return the vectors of all rows, each distance summed with its class in the octave."""
        weight_MD = self.embed_row.weight
        near_MD = weight_MD[: self.class_NR.numel()] + self.embed_class(self.class_NR.flatten())
        return torch.cat([near_MD, weight_MD[len(near_MD) :]])

    def embed(self, pitch_BTN: Tensor, conditions_BTC: Tensor) -> Tensor:
        """Return the vectors to be added to the token embeddings: (B, T, D)."""
        return F.embedding(self.rows(pitch_BTN, conditions_BTC), self.table()).sum(-2)

    def logits(self, states_BTD: Tensor, pitch_BTN: Tensor, conditions_BTC: Tensor) -> Tensor:
        """Return the logits by interval, to be added to those of the head: (B, T, V)."""
        return self.token_logits(self.project(states_BTD), pitch_BTN, conditions_BTC)

    def token_logits(
        self, outputs_BTR: Tensor, pitch_BTN: Tensor, conditions_BTC: Tensor
    ) -> Tensor:
        """Scatter outputs for distances and degrees to tokens: (B, T, V)."""
        outputs_BTR = F.pad(outputs_BTR, (0, 1))
        logits_BTV = outputs_BTR.gather(-1, self.by_distance_PV[pitch_BTN[..., OWN]])
        if self.key_column is None:
            return logits_BTV
        return logits_BTV + outputs_BTR.gather(
            -1, self.by_degree_KV[conditions_BTC[..., self.key_column]]
        )


_AFTER: Final = VOICES - 1
"""Voices after that of the next token, in the first voice of a step."""
_PITCHES: Final = _AFTER + 2 * VOICES
_STEP_ROWS: Final = 32
"""Rows for the steps to a note: 0 if there is none, clipped to 31."""
_STATES: Final = 3
_COLUMNS: Final = _PITCHES + VOICES + _AFTER
"""Columns of a token: pitches, steps to the notes, and whether notes begin."""


class Lookahead(Intervals):
    """Embeddings by interval of past and of given notes; logits by interval."""

    def __init__(
        self, tokens: int, pitches: int, width: int, key_column: int | None, given_column: int
    ) -> None:
        super().__init__(tokens, pitches, width, key_column)
        self._given_column = given_column
        sizes = (
            [2 * pitches] * _PITCHES
            + [OCTAVE + 1] * _PITCHES
            + [(OCTAVE + 1) * LEAPS] * _AFTER
            + [_STEP_ROWS] * VOICES
            + [_STATES] * _AFTER
            + [0 if key_column is None else KEY_ROWS] * _PITCHES
        )
        self.embed_ahead = nn.Embedding(sum(sizes), width)
        first = torch.tensor([0, *sizes[:-1]]).cumsum(0) + len(super().table())
        self.first_S = nn.Buffer(first, persistent=False)
        self.apart_PP = nn.Buffer(self.distance_NPP[0], persistent=False)
        self.within_R = nn.Buffer(self.class_NR[0], persistent=False)

    def with_lookahead(self, conditions_BNC: Tensor) -> Tensor:
        """Append the columns of given notes ahead to the conditions.

        Returns:
            int64 (B, N, C + 18).
        """
        length = conditions_BNC.shape[1]
        given_BN = F.pad(conditions_BNC[..., self._given_column], (0, -length % VOICES))
        given_BT4 = given_BN.view(len(given_BN), -1, VOICES)
        ahead_BTC = torch.cat(self._lookahead_columns(given_BT4), dim=-1)
        return torch.cat([conditions_BNC, ahead_BTC.flatten(1, 2)[:, :length]], dim=-1)

    def rows(self, pitch_BTN: Tensor, conditions_BTC: Tensor) -> Tensor:
        own_BT1 = pitch_BTN[..., OWN, None]
        ahead_BTC = conditions_BTC[..., -_COLUMNS:]
        pitch_BTS, steps_BT4, state_BT3 = torch.split(ahead_BTC, [_PITCHES, VOICES, _AFTER], dim=-1)
        before_BT3 = pitch_BTN[..., :OWN].flip(-1)  # of voices 1, 2, 3: three, two, one tokens back
        distance_BTS = self.apart_PP[own_BT1, pitch_BTS]
        moved_BT3 = self.motion_PP[pitch_BTS[..., :_AFTER], before_BT3]
        rows = [
            distance_BTS,
            self.within_R[distance_BTS],
            self.within_R[self.apart_PP[own_BT1, before_BT3]] * LEAPS + moved_BT3,
            steps_BT4,
            state_BT3,
        ]
        if self.key_column is not None:
            rows.append(self.degree_KP[conditions_BTC[..., self.key_column, None], pitch_BTS])
        ahead_BTM = torch.cat(rows, dim=-1) + self.first_S[: sum(row.shape[-1] for row in rows)]
        return torch.cat([super().rows(pitch_BTN, conditions_BTC), ahead_BTM], dim=-1)

    def table(self) -> Tensor:
        return torch.cat([super().table(), self.embed_ahead.weight])

    def _lookahead_columns(self, given_BT4: Tensor) -> list[Tensor]:
        """Return the columns of each step and voice, each (B, T, 4, columns)."""
        none = self._distances // 2  # a number, so that the device is not asked for it
        pitch_BT4 = self.pitch_V[given_BT4]
        sounds_BT4 = pitch_BT4 < none
        onsets_BT4 = sounds_BT4 & (given_BT4 < FIRST_PITCH_TOKEN + none)
        begins_BT4 = onsets_BT4 | (sounds_BT4 & ~F.pad(given_BT4[:, :-1] > 0, (0, 0, 1, 0)))
        first_BT4 = _next(begins_BT4)
        steps, step_T1 = given_BT4.shape[1], _steps(given_BT4)
        second_BT4 = F.pad(first_BT4, (0, 0, 0, 1), value=steps).gather(1, first_BT4)
        padded = F.pad(pitch_BT4, (0, 0, 0, 1), value=none)
        follows_BT42 = [padded.gather(1, place) for place in (first_BT4, second_BT4)]
        steps_BT4 = (
            (first_BT4 - step_T1).clamp(max=_STEP_ROWS - 1).masked_fill(first_BT4 == steps, 0)
        )
        state_BT4 = torch.where(onsets_BT4, 2, sounds_BT4.long())
        now_BT43, state_BT43 = (
            _later_voices(each, empty) for each, empty in ((pitch_BT4, none), (state_BT4, 0))
        )
        later = [_rotate_to_each_voice(each) for each in follows_BT42]
        return [now_BT43, *later, _rotate_to_each_voice(steps_BT4), state_BT43]


def _steps(like_BT4: Tensor) -> Tensor:
    return torch.arange(like_BT4.shape[1], device=like_BT4.device)[:, None]


def _next(is_there_BT4: Tensor) -> Tensor:
    """Return the first later step where the flag is set, T if there is none: int64 (B, T, 4)."""
    steps = is_there_BT4.shape[1]
    place_BT4 = torch.where(is_there_BT4, _steps(is_there_BT4), steps)
    nearest_BT4 = place_BT4.flip(1).cummin(1).values.flip(1)
    return F.pad(nearest_BT4[:, 1:], (0, 0, 0, 1), value=steps)


def _rotate_to_each_voice(of_voice_BT4: Tensor) -> Tensor:
    """Return the values of the four voices, counted from each voice: (B, T, 4, 4)."""
    return torch.stack([of_voice_BT4.roll(-voice, -1) for voice in range(VOICES)], dim=-2)


def _later_voices(of_voice_BT4: Tensor, empty: int) -> Tensor:
    padded = F.pad(of_voice_BT4, (0, _AFTER), value=empty)
    return padded[..., 1:].unfold(-1, _AFTER, 1)
