"""Hearing and saying notes as distances: how far they lie from what the same voice sang before.

What fits and what is forbidden in counterpoint is a matter of intervals; embeddings of pitches have
to learn each of them anew from every pitch. So besides the pitches a model may be told, about the
last eight tokens, which are one step of the grid back, all seen from the pitch that the voice about
to sing had one step earlier:

- how far each lies from it, in semitones and within the octave;
- how the voices heard last have moved, each with its distance within the octave before: fifths and
  octaves become parallel by moving on alike;
- how far each lies from the tonic, where a key is told.

And it may say its next pitch as a distance from its own last one and from the tonic. In spirit
these are the relative pitch terms of Huang et al. 2018 (arXiv 1809.04281), put where both arms have
them alike: before and after the layers, not in their attention.

Dimensions: B batch, T tokens, N neighbours, M rows, D width, V vocabulary, P pitches and one more
for none, R distances with one for none, K rows of the condition ``key``.

This file knows the order of pitches, voices and keys; it knows nothing of attention.
"""

from __future__ import annotations

from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.blocks.kv_cache import REACH
from musicrel.model.config import FIRST_PITCH
from musicrel.model.features import interval_tables as tables

NEIGHBOURS: Final = REACH + 1
"""Tokens looked back at, the newest included: the four voices now and one step earlier."""

VOICES: Final = 4
OWN: Final = VOICES - 1
"""The neighbour that is of the voice of the next token."""
OCTAVE: Final = 12
MOTIONS: Final = 2 * OCTAVE + 2
KEY_ROWS: Final = 1 + 2 * OCTAVE


class Neighbourhood(nn.Module):
    """Knows the pitches of the tokens that came last.

    Args:
        tokens: size V of the vocabulary: the onsets of all pitches from id 5 on, the lowest a C,
            then, where there are any, their holds.
        pitches: how many pitches there are.
    """

    def __init__(self, tokens: int, pitches: int) -> None:
        super().__init__()
        pitch_V = tables.pitch_of_token(tokens, pitches)
        self.register_buffer("pitch_V", pitch_V, persistent=False)

    pitch_V: Tensor

    def neighbours(self, ids_BT: Tensor, before_BM: Tensor | None = None) -> Tensor:
        """The pitches at each token and at the seven before it, the newest first: (B, T, N).

        Args:
            ids_BT: int64 token ids.
            before_BM: the seven that come before them; None: there are none.
        """
        if before_BM is None:
            before_BM = ids_BT.new_zeros(len(ids_BT), REACH)
        pitch_BT = self.pitch_V[torch.cat([before_BM, ids_BT], dim=1)]
        return pitch_BT.unfold(1, NEIGHBOURS, 1).flip(-1)


class Intervals(Neighbourhood):
    """Distances in, distances out.

    Args:
        tokens: size V of the vocabulary: the onsets of all pitches from id 5 on, the lowest a C,
            then, where there are any, their holds.
        pitches: how many pitches there are.
        width: D.
        key_column: which of the conditions is the key; None: it is never told.
    """

    def __init__(self, tokens: int, pitches: int, width: int, key_column: int | None) -> None:
        super().__init__(tokens, pitches)
        self.key_column = key_column
        self._distances = 2 * pitches
        keys = 0 if key_column is None else NEIGHBOURS * KEY_ROWS
        motions = OWN * (OCTAVE + 1) * MOTIONS
        self.embed_row = nn.Embedding(NEIGHBOURS * self._distances + motions + keys, width)
        self.embed_class = nn.Embedding(NEIGHBOURS * (OCTAVE + 1), width)
        self.say = nn.Linear(width, self._distances + OCTAVE)
        for name, table in _tables(tokens, pitches).items():
            self.register_buffer(name, table, persistent=False)
        self.distance_NPP: Tensor
        self.class_NR: Tensor
        self.before_3PP: Tensor
        self.motion_PP: Tensor
        self.degree_KP: Tensor
        self.degree_NKP: Tensor
        self.said_PV: Tensor
        self.said_KV: Tensor
        self.slot_N: Tensor

    def rows(self, pitch_BTN: Tensor, told_BTC: Tensor) -> Tensor:
        """The rows of ``table`` that say it: int64 (B, T, M)."""
        own_BT1 = pitch_BTN[..., OWN, None]
        now_BT3, before_BT3 = pitch_BTN[..., :OWN], pitch_BTN[..., VOICES : VOICES + OWN]
        slot_3 = self.slot_N[:OWN]
        distant_BTN = self.distance_NPP[self.slot_N, own_BT1, pitch_BTN]
        moved_BT3 = self.before_3PP[slot_3, own_BT1, before_BT3]
        rows = [distant_BTN, moved_BT3 + self.motion_PP[now_BT3, before_BT3]]
        if self.key_column is not None:
            key_BT1 = told_BTC[..., self.key_column, None]
            rows.append(self.degree_NKP[self.slot_N, key_BT1, pitch_BTN])
        return torch.cat(rows, dim=-1)

    def table(self) -> Tensor:
        """The vectors of all rows, those of a distance and its place in the octave summed."""
        weight_MD = self.embed_row.weight
        near_MD = weight_MD[: self.class_NR.numel()] + self.embed_class(self.class_NR.flatten())
        return torch.cat([near_MD, weight_MD[len(near_MD) :]])

    def heard(self, pitch_BTN: Tensor, told_BTC: Tensor) -> Tensor:
        """What is added to the embeddings: (B, T, D)."""
        return F.embedding(self.rows(pitch_BTN, told_BTC), self.table()).sum(-2)

    def said(self, states_BTD: Tensor, pitch_BTN: Tensor, told_BTC: Tensor) -> Tensor:
        """What is added to the logits: (B, T, V)."""
        return self.spread(self.say(states_BTD), pitch_BTN, told_BTC)

    def spread(self, said_BTR: Tensor, pitch_BTN: Tensor, told_BTC: Tensor) -> Tensor:
        """What is said of distances and degrees as what is said of tokens: (B, T, V)."""
        said_BTR = F.pad(said_BTR, (0, 1))
        logits_BTV = said_BTR.gather(-1, self.said_PV[pitch_BTN[..., OWN]])
        if self.key_column is None:
            return logits_BTV
        return logits_BTV + said_BTR.gather(-1, self.said_KV[told_BTC[..., self.key_column]])


def _tables(tokens: int, pitches: int) -> dict[str, Tensor]:
    """What follows from the vocabulary alone, as tables of row numbers."""
    far = 2 * pitches - 1
    pitch_V = tables.pitch_of_token(tokens, pitches)
    is_hold_V = torch.arange(tokens) >= FIRST_PITCH + pitches
    pitch_P = torch.arange(pitches + 1)
    distance_PP = tables.distances(pitches)
    class_R = (torch.arange(2 * pitches) - (pitches - 1)) % OCTAVE
    class_R[far] = OCTAVE
    motion_PP = (pitch_P[:, None] - pitch_P).clamp(-OCTAVE, OCTAVE) + OCTAVE
    degree_KP = tables.degrees(pitches)
    slot_N11 = torch.arange(NEIGHBOURS)[:, None, None]
    after = NEIGHBOURS * (far + 1)
    before_3PP = (class_R[distance_PP] + slot_N11[:OWN] * (OCTAVE + 1)) * MOTIONS + after
    after += OWN * (OCTAVE + 1) * MOTIONS
    return {
        "slot_N": slot_N11.flatten(),
        "distance_NPP": distance_PP + slot_N11 * (far + 1),
        "class_NR": class_R + slot_N11[..., 0] * (OCTAVE + 1),
        "before_3PP": before_3PP,
        "motion_PP": _where_both(motion_PP, MOTIONS - 1),
        "degree_KP": degree_KP,
        "degree_NKP": degree_KP + slot_N11 * KEY_ROWS + after,
        "said_PV": _by_distance(distance_PP[:, pitch_V], is_hold_V, far),
        "said_KV": _by_degree(degree_KP[:, pitch_V], is_hold_V, far),
    }


def _where_both(table_PP: Tensor, none: int) -> Tensor:
    """``table_PP`` with ``none`` where either pitch is none."""
    table_PP[-1], table_PP[:, -1] = none, none
    return table_PP


def _by_distance(distance_PV: Tensor, is_hold_V: Tensor, far: int) -> Tensor:
    """Which number of what is said goes to each token; ``far`` is that of a hold."""
    silent_PV = (distance_PV == far) | (is_hold_V & (distance_PV != far // 2))
    return torch.where(is_hold_V, far, distance_PV).masked_fill(silent_PV, far + 1 + OCTAVE)


def _by_degree(degree_KV: Tensor, is_hold_V: Tensor, far: int) -> Tensor:
    """Which number of what is said goes to each token; none to holds."""
    silent_KV = (degree_KV == 2 * OCTAVE) | is_hold_V
    return (far + 1 + degree_KV % OCTAVE).masked_fill(silent_KV, far + 1 + OCTAVE)
