"""Hearing what is given ahead as distances: where the voices will go, from where one's own is.

Like ``intervals``, for notes that are not written yet but known. Seen from the pitch that the voice
about to sing had one step earlier, and from the tonic:

- the pitches that the voices after it have in this very step, how these voices move there, and
  whether a note begins;
- the next two notes that are given in each voice, and how far off the first is.

Voices are counted from the one about to sing: 0 itself, 1 the next below, and round.

Dimensions: B batch, N tokens, T steps, 4 voices, C conditions, M rows, S slots, K rows of the key.

This file knows given tokens, voices and steps; it knows nothing of encoders.
"""

from __future__ import annotations

from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.config import FIRST_PITCH
from musicrel.model.features.intervals import KEY_ROWS, MOTIONS, OCTAVE, OWN, VOICES, Intervals

_AFTER: Final = VOICES - 1
"""Voices after the one about to sing, all of a step but the last."""
_PITCHES: Final = _AFTER + 2 * VOICES
_AWAY: Final = 32
"""Rows for how far off a note is: 0 where there is none, farther ones count as 31."""
_BEGINS: Final = 3
_COLUMNS: Final = _PITCHES + VOICES + _AFTER
"""Pitches, how far off, and whether a note begins: what a place knows of what is given."""


class Foresight(Intervals):
    """Distances in, of what was sung and of what is given; distances out.

    Args:
        tokens: size V of a vocabulary with every pitch as an onset and as a hold.
        pitches: how many pitches there are.
        width: D.
        key_column: which of the conditions is the key; None: it is never told.
        given_column: which of them is the token that is given.
    """

    def __init__(
        self, tokens: int, pitches: int, width: int, key_column: int | None, given_column: int
    ) -> None:
        super().__init__(tokens, pitches, width, key_column)
        self._given_column = given_column
        sizes = (
            [2 * pitches] * _PITCHES
            + [OCTAVE + 1] * _PITCHES
            + [(OCTAVE + 1) * MOTIONS] * _AFTER
            + [_AWAY] * VOICES
            + [_BEGINS] * _AFTER
            + [0 if key_column is None else KEY_ROWS] * _PITCHES
        )
        self.embed_ahead = nn.Embedding(sum(sizes), width)
        first = torch.tensor([0, *sizes[:-1]]).cumsum(0) + len(super().table())
        self.register_buffer("first_S", first, persistent=False)
        self.register_buffer("apart_PP", self.distance_NPP[0], persistent=False)
        self.register_buffer("within_R", self.class_NR[0], persistent=False)

    first_S: Tensor
    apart_PP: Tensor
    within_R: Tensor

    def widened(self, told_BNC: Tensor) -> Tensor:
        """The conditions of a whole piece, or of a window from a step on, with what is given ahead.

        Args:
            told_BNC: int64, as the model's config has them.

        Returns:
            int64 (B, N, C + 18); what is known at a place stands behind its conditions.
        """
        length = told_BNC.shape[1]
        given_BN = F.pad(told_BNC[..., self._given_column], (0, -length % VOICES))
        given_BT4 = given_BN.view(len(given_BN), -1, VOICES)
        ahead_BTC = torch.cat(self._ahead(given_BT4), dim=-1)
        return torch.cat([told_BNC, ahead_BTC.flatten(1, 2)[:, :length]], dim=-1)

    def rows(self, pitch_BTN: Tensor, told_BTC: Tensor) -> Tensor:
        """The rows of ``table`` that say it, from conditions as ``widened`` makes them."""
        own_BT1 = pitch_BTN[..., OWN, None]
        ahead_BTC = told_BTC[..., -_COLUMNS:]
        pitch_BTS, away_BT4, begins_BT3 = torch.split(ahead_BTC, [_PITCHES, VOICES, _AFTER], dim=-1)
        before_BT3 = pitch_BTN[..., :OWN].flip(-1)  # of voices 1, 2, 3: three, two, one tokens back
        distance_BTS = self.apart_PP[own_BT1, pitch_BTS]
        moved_BT3 = self.motion_PP[pitch_BTS[..., :_AFTER], before_BT3]
        rows = [
            distance_BTS,
            self.within_R[distance_BTS],
            self.within_R[self.apart_PP[own_BT1, before_BT3]] * MOTIONS + moved_BT3,
            away_BT4,
            begins_BT3,
            *self._degrees(told_BTC, pitch_BTS),
        ]
        ahead_BTM = torch.cat(rows, dim=-1) + self.first_S[: sum(row.shape[-1] for row in rows)]
        return torch.cat([super().rows(pitch_BTN, told_BTC), ahead_BTM], dim=-1)

    def table(self) -> Tensor:
        """The vectors of all rows."""
        return torch.cat([super().table(), self.embed_ahead.weight])

    def _degrees(self, told_BTC: Tensor, pitch_BTS: Tensor) -> list[Tensor]:
        if self.key_column is None:
            return []
        return [self.degree_KP[told_BTC[..., self.key_column, None], pitch_BTS]]

    def _ahead(self, given_BT4: Tensor) -> list[Tensor]:
        """What is known at each step and voice, each (B, T, 4, some)."""
        none = self.pitch_V[0]
        pitch_BT4 = self.pitch_V[given_BT4]
        sings_BT4 = pitch_BT4 < none
        strikes_BT4 = sings_BT4 & (given_BT4 < FIRST_PITCH + none)
        begins_BT4 = strikes_BT4 | (sings_BT4 & ~F.pad(given_BT4[:, :-1] > 0, (0, 0, 1, 0)))
        first_BT4 = _next(begins_BT4)
        steps, step_T1 = given_BT4.shape[1], _steps(given_BT4)
        second_BT4 = F.pad(first_BT4, (0, 0, 0, 1), value=steps).gather(1, first_BT4)
        padded = F.pad(pitch_BT4, (0, 0, 0, 1), value=int(none))
        follows_BT42 = [padded.gather(1, place) for place in (first_BT4, second_BT4)]
        away_BT4 = (first_BT4 - step_T1).clamp(max=_AWAY - 1).masked_fill(first_BT4 == steps, 0)
        said_BT4 = torch.where(strikes_BT4, 2, sings_BT4.long())
        now_BT43, news_BT43 = (
            _of_those_after(each, empty) for each, empty in ((pitch_BT4, int(none)), (said_BT4, 0))
        )
        later = [_from_each(each) for each in follows_BT42]
        return [now_BT43, *later, _from_each(away_BT4), news_BT43]


def _steps(like_BT4: Tensor) -> Tensor:
    return torch.arange(like_BT4.shape[1], device=like_BT4.device)[:, None]


def _next(is_there_BT4: Tensor) -> Tensor:
    """The first later step where it is there; T where there is none: int64 (B, T, 4)."""
    steps = is_there_BT4.shape[1]
    place_BT4 = torch.where(is_there_BT4, _steps(is_there_BT4), steps)
    nearest_BT4 = place_BT4.flip(1).cummin(1).values.flip(1)
    return F.pad(nearest_BT4[:, 1:], (0, 0, 0, 1), value=steps)


def _from_each(of_voice_BT4: Tensor) -> Tensor:
    """The four voices' numbers, counted from each voice: (B, T, 4, 4)."""
    return torch.stack([of_voice_BT4.roll(-voice, -1) for voice in range(VOICES)], dim=-2)


def _of_those_after(of_voice_BT4: Tensor, empty: int) -> Tensor:
    """The numbers of the voices still to sing in the step, after each voice: (B, T, 4, 3)."""
    padded = F.pad(of_voice_BT4, (0, _AFTER), value=empty)
    return padded[..., 1:].unfold(-1, _AFTER, 1)
