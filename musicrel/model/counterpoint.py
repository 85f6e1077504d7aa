"""What fits by rule, added to what a model has said: two small tables on their way past the layers.

Led: for every voice that has sung already in the step, which interval it made with the voice about
to sing, how it has moved, and which interval the two are about to make. Whether voices move in
parallel is a matter of these three.

Home: how likely each degree above the tonic is for a voice, by mode and by how near the end is.
Where a piece is at home, where its last notes should be, is a matter of these.

The tables are few numbers, learned by counting what a finished model gives too much or too little
of. Learned together with the layers they spare these the trouble of finding out why, and the layers
learn less (``training/LOG.md``). In spirit this is the product of experts of Hinton 2002, Training
Products of Experts by Minimizing Contrastive Divergence.

Dimensions: B batch, T tokens, N neighbours, 3 other voices, M rows of how they stand and move, S
intervals within the octave, H rows of how near the end is, P pitches and one more for none, K rows
of the key, C conditions, V vocabulary.

This file knows the order of voices, keys and quarters left; it knows nothing of attention.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model import interval_tables as tables
from musicrel.model.config import ENDING, KEY, VOICE
from musicrel.model.interval_tables import OCTAVE
from musicrel.model.intervals import OWN, VOICES, Neighbourhood

_GAIN: Final = 8.0
"""What the tables are multiplied by: they learn so much faster than layers, being so small."""
_LEFT: Final = 1 + 8
"""Rows for quarters left: more than eight or unknown, then 0 to 7."""


class Counterpoint(Neighbourhood):
    """Pitches and conditions in, something to be added to logits out.

    Args:
        tokens: size V of the vocabulary, as in ``Neighbourhood``.
        pitches: how many pitches there are.
        conditions: names of what is told, in the order of their columns; the voice among them.
            Without key and ending there is nothing to be said of home.
    """

    def __init__(self, tokens: int, pitches: int, conditions: Sequence[str]) -> None:
        super().__init__(tokens, pitches)
        self._voice = conditions.index(VOICE)
        self._home = None
        self.led_MS = nn.Parameter(torch.zeros(tables.SIMPLE * tables.WAYS, tables.SIMPLE))
        if KEY in conditions and ENDING in conditions:
            self._home = (conditions.index(KEY), conditions.index(ENDING))
            self.home_HD = nn.Parameter(torch.zeros(2 * _LEFT * (1 + VOICES), OCTAVE))
        for name, table in _tables(tokens, pitches).items():
            self.register_buffer(name, table, persistent=False)

    stood_PP: Tensor
    moved_PP: Tensor
    made_PV: Tensor
    held_PV: Tensor
    degree_KV: Tensor

    def forward(self, pitch_BTN: Tensor, told_BTC: Tensor) -> Tensor:
        """What is added to the logits: (B, T, V).

        Args:
            pitch_BTN: as ``neighbours`` gives them.
            told_BTC: int64 rows of the conditions.
        """
        fit_BTV = self._led(pitch_BTN, told_BTC)
        if self._home is not None:
            fit_BTV = fit_BTV + self._at_home(told_BTC, *self._home)
        return _GAIN * fit_BTV

    def _led(self, pitch_BTN: Tensor, told_BTC: Tensor) -> Tensor:
        """What the voices make of it that have sung in this step already."""
        own_BT1 = pitch_BTN[..., OWN, None]
        now_BT3, before_BT3 = pitch_BTN[..., :OWN], pitch_BTN[..., VOICES : VOICES + OWN]
        rows_BT3 = self.stood_PP[own_BT1, before_BT3] + self.moved_PP[before_BT3, now_BT3]
        sung_BT1 = told_BTC[..., self._voice, None] - 1
        has_sung_BT3 = torch.arange(OWN, device=rows_BT3.device) < sung_BT1
        led_BT3S = F.embedding(rows_BT3, self.led_MS) * has_sung_BT3[..., None]
        led_BT3S = F.pad(led_BT3S[..., :-1], (0, 1))  # no interval says nothing
        led_BTV = led_BT3S.gather(-1, self.made_PV[now_BT3]).sum(-2)
        return led_BTV.masked_fill(self.held_PV[own_BT1[..., 0]], 0.0)

    def _at_home(self, told_BTC: Tensor, key: int, ending: int) -> Tensor:
        """What the key makes of each degree, for this voice and so far from the end."""
        key_BT, left_BT = told_BTC[..., key], told_BTC[..., ending]
        left_BT = torch.where(left_BT < _LEFT, left_BT, 0)
        rows_BT = (key_BT > OCTAVE) * _LEFT + left_BT
        home_BTD = F.embedding(rows_BT * (1 + VOICES) + told_BTC[..., self._voice], self.home_HD)
        return F.pad(home_BTD, (0, 1)).gather(-1, self.degree_KV[key_BT])


def _tables(tokens: int, pitches: int) -> dict[str, Tensor]:
    """What follows from the vocabulary alone."""
    apart_PP, simple_R = tables.distances(pitches), tables.simple_intervals(pitches)
    pitch_V = tables.pitch_of_token(tokens, pitches)
    is_hold_V = torch.arange(tokens) >= tables.FIRST_PITCH + pitches
    degree_KV = tables.degrees(pitches)[:, pitch_V]
    is_silent_KV = (degree_KV == tables.DEGREES - 1) | is_hold_V
    return {
        "stood_PP": simple_R[apart_PP] * tables.WAYS,
        "moved_PP": tables.ways(pitches)[apart_PP],
        "made_PV": simple_R[apart_PP][:, pitch_V],
        "held_PV": is_hold_V & (torch.arange(pitches + 1)[:, None] != pitch_V),
        "degree_KV": torch.where(is_silent_KV, OCTAVE, degree_KV % OCTAVE),
    }
