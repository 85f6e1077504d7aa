"""What fits by rule, added to what a model has said: small tables on their way past the layers.

Led: for every voice that has sung already in the step, which interval it made with the voice about
to sing, how it has moved, and which interval the two are about to make. Whether voices move in
parallel is a matter of these three.

Home: how likely each degree above the tonic is to sound in a voice, by mode and by how near the end
is. Where a piece is at home, where its last notes should be, is a matter of these.

Pace: how likely a voice is to sing a new pitch, to strike the same one again or to hold it, by
voice, by sixteenth of the beat and by whether others have moved in the step. How many eighths there
are is a matter of these.

The tables are few numbers, learned by counting what a finished model gives too much or too little
of: first to the notes of real pieces, then in what it writes itself (``experiment.weighing``).
Learned together with the layers they spare these the trouble of finding out why, and the layers
learn less (``training/LOG.md``). In spirit this is the product of experts of Hinton 2002, Training
Products of Experts by Minimizing Contrastive Divergence.

Dimensions: B batch, T tokens, N neighbours, 3 other voices, M rows of how they stand and move, S
intervals within the octave, H rows of how near the end is, D degrees, W rows of voice, beat and
motion, G ways to go on, P pitches and one more for none, K rows of the key, C conditions, V
vocabulary.

This file knows the order of voices, keys and quarters left; it knows nothing of attention.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.config import BEAT, ENDING, KEY, VOICE
from musicrel.model.features import interval_tables as tables
from musicrel.model.features.interval_tables import OCTAVE
from musicrel.model.features.intervals import OWN, VOICES, Neighbourhood

_GAIN: Final = 8.0
"""What the tables are multiplied by: they learn so much faster than layers, being so small."""
_LEFT: Final = 1 + 8
"""Rows for quarters left: more than eight or unknown, then 0 to 7."""
_BEATS: Final = 1 + 4
"""Rows for the sixteenth within the beat: unknown, then the four."""
_GOES: Final = 3
"""A new pitch, the same one struck again, the same one held; where no token holds, what goes on is
struck again."""
_AGAIN, _ON = 1, 2


@dataclass(frozen=True, slots=True)
class Part:
    """What one of the tables says of the next token.

    Attributes:
        table: it, (R, C).
        rows: which of its rows speak at each token, (..., S).
        columns: of what each of them says of every next token, (..., S, V); C: of nothing.
    """

    table: Tensor
    rows: Tensor
    columns: Tensor

    def said(self) -> Tensor:
        """What is added to the logits: (..., V)."""
        said_BTSC = F.pad(F.embedding(self.rows, self.table), (0, 1))
        return said_BTSC.gather(-1, self.columns).sum(-2)

    def counted(self, next_BT: Tensor) -> Tensor:
        """How often each entry of the table has spoken for a token that came next: (R, C)."""
        next_BTS1 = next_BT[..., None, None].expand(*self.rows.shape, 1)
        columns_BTS = self.columns.gather(-1, next_BTS1)[..., 0]
        rows, across = self.table.shape
        places = self.rows * (across + 1) + columns_BTS
        counts = torch.bincount(places.flatten(), minlength=rows * (across + 1))
        return counts.view(rows, across + 1)[:, :across]


class Counterpoint(Neighbourhood):
    """Pitches and conditions in, something to be added to logits out.

    Args:
        tokens: size V of the vocabulary, as in ``Neighbourhood``.
        pitches: how many pitches there are.
        conditions: names of what is told, in the order of their columns; the voice among them.
            Without key and ending there is nothing to be said of home, without the beat all beats
            are alike to the table of pace.
    """

    _stirs: ClassVar[int] = 3
    """No voice has sung in this step, none that has moved, or one has."""

    def __init__(self, tokens: int, pitches: int, conditions: Sequence[str]) -> None:
        super().__init__(tokens, pitches)
        self._voice = conditions.index(VOICE)
        self._beat = conditions.index(BEAT) if BEAT in conditions else None
        self._home = None
        self.led_MS = nn.Parameter(torch.zeros(tables.SIMPLE * tables.WAYS, tables.SIMPLE - 1))
        self.pace_WG = nn.Parameter(torch.zeros((1 + VOICES) * _BEATS * self._stirs, _GOES))
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
    goes_PV: Tensor

    def forward(self, pitch_BTN: Tensor, told_BTC: Tensor) -> Tensor:
        """What is added to the logits: (B, T, V).

        Args:
            pitch_BTN: as ``neighbours`` gives them.
            told_BTC: int64 rows of the conditions.
        """
        parts = self.parts(pitch_BTN, told_BTC).values()
        fit_BTV = torch.stack([part.said() for part in parts]).sum(0)
        return _GAIN * self._possible(fit_BTV, pitch_BTN[..., OWN])

    def parts(self, pitch_BTN: Tensor, told_BTC: Tensor) -> dict[str, Part]:
        """What each table says, by the name of its parameter; arguments as in ``forward``."""
        found = {
            "led_MS": self._led(pitch_BTN, told_BTC),
            "pace_WG": self._pace(pitch_BTN, told_BTC),
        }
        if self._home is not None:
            found["home_HD"] = self._at_home(told_BTC, *self._home)
        return found

    def counted(self, ids_BT: Tensor, told_BTC: Tensor) -> dict[str, Tensor]:
        """How often each entry of each table has spoken for what came next in whole pieces.

        Args:
            ids_BT: int64 token ids, START first.
            told_BTC: int64 rows of the conditions, of every token but the last at least.
        """
        told_BTC = told_BTC[:, : ids_BT.shape[1] - 1]
        parts = self.parts(self.neighbours(ids_BT[:, :-1]), told_BTC)
        return {name: part.counted(ids_BT[:, 1:]) for name, part in parts.items()}

    @torch.no_grad()
    def lean(self, name: str, nats: Tensor) -> None:
        """Make what each entry of the table ``name`` speaks for likelier by so many nats."""
        table = self.get_parameter(name)
        table.add_((nats / _GAIN).to(table.device, table.dtype))

    def _led(self, pitch_BTN: Tensor, told_BTC: Tensor) -> Part:
        """What the voices make of it that have sung in this step already."""
        own_BT1 = pitch_BTN[..., OWN, None]
        now_BT3, before_BT3 = pitch_BTN[..., :OWN], pitch_BTN[..., VOICES : VOICES + OWN]
        rows_BT3 = self.stood_PP[own_BT1, before_BT3] + self.moved_PP[before_BT3, now_BT3]
        is_silent_BT31 = ~self._has_sung(told_BTC)[..., None]
        columns_BT3V = self.made_PV[now_BT3].masked_fill(is_silent_BT31, tables.SIMPLE - 1)
        return Part(self.led_MS, rows_BT3, columns_BT3V)

    def _pace(self, pitch_BTN: Tensor, told_BTC: Tensor) -> Part:
        """Whether one goes on, for this voice, at this place of the beat, beside those others."""
        rows_BT = told_BTC[..., self._voice] * _BEATS
        if self._beat is not None:
            rows_BT = rows_BT + told_BTC[..., self._beat]
        rows_BT = rows_BT * self._stirs + self._others_moved(pitch_BTN, told_BTC)
        columns_BT1V = self.goes_PV[pitch_BTN[..., OWN, None]]
        return Part(self.pace_WG, rows_BT[..., None], columns_BT1V)

    def _at_home(self, told_BTC: Tensor, key: int, ending: int) -> Part:
        """What the key makes of each degree, for this voice and so far from the end."""
        key_BT, left_BT = told_BTC[..., key], told_BTC[..., ending]
        left_BT = torch.where(left_BT < _LEFT, left_BT, 0)
        rows_BT = (key_BT > OCTAVE) * _LEFT + left_BT
        rows_BT = rows_BT * (1 + VOICES) + told_BTC[..., self._voice]
        return Part(self.home_HD, rows_BT[..., None], self.degree_KV[key_BT[..., None]])

    def _others_moved(self, pitch_BTN: Tensor, told_BTC: Tensor) -> Tensor:
        """Which of the ``_stirs`` it is, (B, T)."""
        now_BT3, before_BT3 = pitch_BTN[..., :OWN], pitch_BTN[..., VOICES : VOICES + OWN]
        has_sung_BT3 = self._has_sung(told_BTC)
        moved_BT = ((now_BT3 != before_BT3) & has_sung_BT3).any(-1).long()
        return moved_BT + has_sung_BT3.any(-1)

    def _has_sung(self, told_BTC: Tensor) -> Tensor:
        """Which of the three neighbours nearest are of this step: bool (B, T, 3)."""
        sung_BT1 = told_BTC[..., self._voice, None] - 1
        return torch.arange(OWN, device=told_BTC.device) < sung_BT1

    def _possible(self, fit_BTV: Tensor, own_BT: Tensor) -> Tensor:
        """``fit_BTV`` without what it says of holds that do not go on with one's own pitch."""
        return fit_BTV.masked_fill(self.held_PV[own_BT], 0.0)


def _tables(tokens: int, pitches: int) -> dict[str, Tensor]:
    """What follows from the vocabulary alone."""
    apart_PP, simple_R = tables.distances(pitches), tables.simple_intervals(pitches)
    pitch_V = tables.pitch_of_token(tokens, pitches)
    is_hold_V = torch.arange(tokens) >= tables.FIRST_PITCH + pitches
    degree_KV = tables.degrees(pitches)[:, pitch_V]
    goes_PV = (torch.arange(pitches + 1)[:, None] == pitch_V).long() * _AGAIN
    goes_PV = torch.where(is_hold_V, _ON, goes_PV).masked_fill(pitch_V == pitches, _GOES)
    return {
        "stood_PP": simple_R[apart_PP] * tables.WAYS,
        "moved_PP": tables.ways(pitches)[apart_PP],
        "made_PV": simple_R[apart_PP][:, pitch_V],
        "held_PV": is_hold_V & (torch.arange(pitches + 1)[:, None] != pitch_V),
        "degree_KV": torch.where(degree_KV == tables.DEGREES - 1, OCTAVE, degree_KV % OCTAVE),
        "goes_PV": goes_PV,
    }
