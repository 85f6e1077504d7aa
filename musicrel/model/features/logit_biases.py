"""Logit biases by rule: small tables of voice leading, rhythm and cadence added to the logits.

Voice leading: for every voice already known in the step, the interval it made with the voice of the
next token one step earlier, its motion since, and the interval the two are about to make. Parallel
motion is a matter of these three.

Cadence: the bias of each degree above the tonic in a voice, by mode and by quarters left. It makes
pieces end on the tonic.

Rhythm: the bias of a new pitch, of a repeated one and of a held one, by voice, by sixteenth of the
beat and by motion of other voices in the step. It sets the share of eighths.

Line, in models with ``lines``: the bias of each continuation by the last move of the voice and the
age of its note; see ``lines``.

The tables are small and are learned after the layers: first from the notes of real pieces, then
calibrated on the model's own samples (``experiment.training.calibration``). Learned together with
the layers they take work off these, and the layers learn less (``training/LOG.md``). The idea is
that of the product of experts (Hinton 2002, Training Products of Experts by Minimizing Contrastive
Divergence).

Dimensions: B batch, T tokens, N neighbours, 3 other voices, M rows of interval and motion, S
intervals within the octave, H rows of mode, quarters left and voice, D degrees, W rows of voice,
beat and motion, G continuations, L rows of voice, beat, last move and age, J continuations by move,
P pitches and one more for none, K rows of the key or steps back, C conditions, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.config import BEAT, ENDING, KEY, VOICE
from musicrel.model.features import interval_tables as tables
from musicrel.model.features.context_features import others
from musicrel.model.features.interval_tables import (
    AGES,
    BEATS,
    CONTINUATIONS,
    GAIN,
    LINE_CONTINUATIONS,
    LINE_ROWS,
    LOOK_BACK,
    MOTION_STATES,
    MOVES,
    OCTAVE,
    OLDEST,
    OWN,
    QUARTERS_LEFT,
    VOICES,
    bias_columns,
    line_tables,
)
from musicrel.model.features.intervals import PitchContext, after


@dataclass(frozen=True, slots=True)
class Line:
    """The line of a voice before a cell."""

    state: Tensor  # number of its last move and age, int64 (...)
    pitch: Tensor  # its last known pitch, int64 (...)


class Lines(nn.Module):
    """Lookup of the lines."""

    def __init__(self, tokens: int, pitches: int) -> None:
        super().__init__()
        self._none = pitches
        for name, table in line_tables(tokens, pitches).items():
            self.register_buffer(name, torch.as_tensor(table), persistent=False)

    move_PP: Tensor
    next_move_PV: Tensor
    is_hold_V: Tensor
    age_A: Tensor

    def forward(self, ids_K: Tensor, pitch_K: Tensor) -> Line:
        unknown_K = _leading(pitch_K == self._none)
        pitch_1 = _at(pitch_K, unknown_K)
        same_K = _leading((pitch_K == pitch_1) | (unknown_K > 0))
        move = self.move_PP[_at(pitch_K, same_K), pitch_1][..., 0]
        held_K = _leading((self.is_hold_V[ids_K] & (same_K > 0)) | (unknown_K > 0))
        age = self.age_A[1 + held_K[..., : OLDEST - 1].sum(-1)]
        return Line(move * AGES + age, pitch_1[..., 0])


def _leading(is_so_K: Tensor) -> Tensor:
    return is_so_K.to(torch.int64).cumprod(-1)


def _at(pitch_K: Tensor, leading_K: Tensor) -> Tensor:
    first_1 = leading_K.sum(-1, keepdim=True)
    return pitch_K.gather(-1, first_1.clamp(max=pitch_K.shape[-1] - 1))


@dataclass(frozen=True, slots=True)
class RuleBias:
    """The contribution of one table to the logits of the next token."""

    table: Tensor  # the table, (R, C)
    rows: Tensor
    columns: Tensor  # column of each of them for every next token, (..., S, V); C: no bias

    def logits(self) -> Tensor:
        """Return the biases before the common factor: (..., V)."""
        biases_BTSC = F.pad(F.embedding(self.rows, self.table), (0, 1))
        return biases_BTSC.gather(-1, self.columns).sum(-2)

    def count(self, next_BT: Tensor) -> Tensor:
        """Count how often each entry of the table applied to the token that followed: (R, C)."""
        next_BTS1 = next_BT[..., None, None].expand(*self.rows.shape, 1)
        columns_BTS = self.columns.gather(-1, next_BTS1)[..., 0]
        rows, columns = self.table.shape
        entries = self.rows * (columns + 1) + columns_BTS
        counts = torch.bincount(entries.flatten(), minlength=rows * (columns + 1))
        return counts.view(rows, columns + 1)[:, :columns]


class LogitBiases(PitchContext):
    """Biases of a causal model, from the pitches so far and the conditions."""

    _motion_states: ClassVar[int] = MOTION_STATES

    def __init__(
        self, tokens: int, pitches: int, conditions: Sequence[str], *, lines: bool = False
    ) -> None:
        super().__init__(tokens, pitches)
        self._voice = conditions.index(VOICE)
        self._beat = conditions.index(BEAT) if BEAT in conditions else None
        self._cadence_columns = None
        self.voice_leading_MS = nn.Parameter(
            torch.zeros(tables.SIMPLE_INTERVALS * tables.MOTION_KINDS, tables.SIMPLE_INTERVALS - 1)
        )
        self.rhythm_WG = nn.Parameter(
            torch.zeros((1 + VOICES) * BEATS * self._motion_states, CONTINUATIONS)
        )
        if KEY in conditions and ENDING in conditions:
            self._cadence_columns = (conditions.index(KEY), conditions.index(ENDING))
            self.cadence_HD = nn.Parameter(torch.zeros(2 * QUARTERS_LEFT * (1 + VOICES), OCTAVE))
        self.lines = Lines(tokens, pitches) if lines else None
        if lines:
            self.line_LJ = nn.Parameter(torch.zeros(LINE_ROWS, LINE_CONTINUATIONS))
        for name, table in bias_columns(tokens, pitches).items():
            self.register_buffer(name, torch.as_tensor(table), persistent=False)

    interval_PP: Tensor
    motion_PP: Tensor
    next_interval_PV: Tensor
    invalid_hold_PV: Tensor
    degree_KV: Tensor
    continuation_PV: Tensor

    def lines_of(self, ids_BT: Tensor, before_BM: Tensor | None = None) -> Line | None:
        """Return the line of the next token's voice at each token; None without a table."""
        if self.lines is None:
            return None
        window = VOICES * LOOK_BACK
        ids_BTM = after(before_BM, ids_BT, window - 1).unfold(1, window, 1)
        return self.line_of(ids_BTM[..., ::VOICES].flip(-1))

    def line_of(self, ids_K: Tensor) -> Line | None:
        """Return the line of a voice with these tokens, newest first (..., K), as ``lines_of``."""
        return None if self.lines is None else self.lines(ids_K, self.pitch_V[ids_K])

    def forward(
        self, pitch_BTN: Tensor, conditions_BTC: Tensor, line: Line | None = None
    ) -> Tensor:
        """Return the biases to be added to the logits: (B, T, V)."""
        rule_biases = self.rule_biases(pitch_BTN, conditions_BTC, line).values()
        bias_BTV = torch.stack([part.logits() for part in rule_biases]).sum(0)
        return GAIN * self._without_invalid_holds(bias_BTV, pitch_BTN[..., OWN])

    def rule_biases(
        self, pitch_BTN: Tensor, conditions_BTC: Tensor, line: Line | None = None
    ) -> dict[str, RuleBias]:
        """Return the biases of each table by parameter name; arguments as in ``forward``."""
        found = {
            "voice_leading_MS": self._voice_leading(pitch_BTN, conditions_BTC),
            "rhythm_WG": self._rhythm(pitch_BTN, conditions_BTC),
        }
        if self._cadence_columns is not None:
            found["cadence_HD"] = self._cadence(conditions_BTC, *self._cadence_columns)
        if line is not None and self.lines is not None:
            found["line_LJ"] = self._line(self.lines, line, conditions_BTC)
        return found

    def count(self, ids_BT: Tensor, conditions_BTC: Tensor) -> dict[str, Tensor]:
        """Count how often each entry of each table applied to the next token of whole pieces.

        Returns:
            (R, C) of every table, by parameter name.
        """
        conditions_BTC = conditions_BTC[:, : ids_BT.shape[1] - 1]
        ids_BT, next_BT = ids_BT[:, :-1], ids_BT[:, 1:]
        rule_biases = self.rule_biases(
            self.neighbours(ids_BT), conditions_BTC, self.lines_of(ids_BT)
        )
        return {name: part.count(next_BT) for name, part in rule_biases.items()}

    @torch.no_grad()
    def adjust(self, name: str, nats: Tensor) -> None:
        """Add ``nats`` (R, C) to the biases of the table ``name``."""
        table = self.get_parameter(name)
        table.add_((nats / GAIN).to(table.device, table.dtype))

    def _voice_leading(self, pitch_BTN: Tensor, conditions_BTC: Tensor) -> RuleBias:
        """Look up the biases by intervals to and motions of the known voices of the step."""
        own_BT1 = pitch_BTN[..., OWN, None]
        now_BT3, before_BT3 = pitch_BTN[..., :OWN], pitch_BTN[..., VOICES : VOICES + OWN]
        rows_BT3 = self.interval_PP[own_BT1, before_BT3] + self.motion_PP[before_BT3, now_BT3]
        is_silent_BT31 = ~self._known_voices(conditions_BTC)[..., None]
        columns_BT3V = self.next_interval_PV[now_BT3].masked_fill(
            is_silent_BT31, tables.SIMPLE_INTERVALS - 1
        )
        return RuleBias(self.voice_leading_MS, rows_BT3, columns_BT3V)

    def _rhythm(self, pitch_BTN: Tensor, conditions_BTC: Tensor) -> RuleBias:
        """Look up the biases of continuations by voice, sixteenth and motion of the others."""
        rows_BT = self._voice_and_beat(conditions_BTC) * self._motion_states
        rows_BT = rows_BT + self._others_moved(pitch_BTN, conditions_BTC)
        columns_BT1V = self.continuation_PV[pitch_BTN[..., OWN, None]]
        return RuleBias(self.rhythm_WG, rows_BT[..., None], columns_BT1V)

    def _cadence(self, conditions_BTC: Tensor, key: int, ending: int) -> RuleBias:
        """Look up the biases of degrees by mode, quarters left and voice."""
        key_BT, left_BT = conditions_BTC[..., key], conditions_BTC[..., ending]
        left_BT = torch.where(left_BT < QUARTERS_LEFT, left_BT, 0)
        rows_BT = (key_BT > OCTAVE) * QUARTERS_LEFT + left_BT
        rows_BT = rows_BT * (1 + VOICES) + conditions_BTC[..., self._voice]
        return RuleBias(self.cadence_HD, rows_BT[..., None], self.degree_KV[key_BT[..., None]])

    def _line(self, lines: Lines, line: Line, conditions_BTC: Tensor) -> RuleBias:
        """Look up the biases of continuations by voice, sixteenth, last move and age."""
        rows_BT = self._voice_and_beat(conditions_BTC) * (MOVES * AGES) + line.state
        return RuleBias(self.line_LJ, rows_BT[..., None], lines.next_move_PV[line.pitch[..., None]])

    def _voice_and_beat(self, conditions_BTC: Tensor) -> Tensor:
        rows_BT = conditions_BTC[..., self._voice] * BEATS
        return rows_BT if self._beat is None else rows_BT + conditions_BTC[..., self._beat]

    def _others_moved(self, pitch_BTN: Tensor, conditions_BTC: Tensor) -> Tensor:
        """Return the index of the motion state, (B, T)."""
        now_BT3, before_BT3 = pitch_BTN[..., :OWN], pitch_BTN[..., VOICES : VOICES + OWN]
        known_BT3 = self._known_voices(conditions_BTC)
        moved_BT = ((now_BT3 != before_BT3) & known_BT3).any(-1).long()
        return moved_BT + known_BT3.any(-1)

    def _known_voices(self, conditions_BTC: Tensor) -> Tensor:
        """Return which of the three nearest neighbours belong to this step: bool (B, T, 3)."""
        known_BT1 = conditions_BTC[..., self._voice, None] - 1
        return torch.arange(OWN, device=conditions_BTC.device) < known_BT1

    def _without_invalid_holds(self, bias_BTV: Tensor, own_BT: Tensor) -> Tensor:
        """Return ``bias_BTV`` with 0 for holds of another pitch than the voice's last one."""
        return bias_BTV.masked_fill(self.invalid_hold_PV[own_BT], 0.0)


class ContextBiases(LogitBiases):
    """Biases of every cell, from the cells around it and the conditions."""

    _motion_states: ClassVar[int] = 1
    """The motion of other voices is ignored."""

    def __init__(
        self, tokens: int, pitches: int, conditions: Sequence[str], *, lines: bool = False
    ) -> None:
        super().__init__(tokens, pitches, [*conditions, VOICE], lines=lines)
        self.voice_41 = nn.Buffer(torch.arange(1, VOICES + 1)[:, None], persistent=False)

    def neighbourhood(
        self, ids_BT4: Tensor, conditions_BTC: Tensor, steps: Tensor | slice = slice(None)
    ) -> tuple[Tensor, Tensor, Line | None]:
        """Return the arguments of ``forward`` and ``rule_biases`` for the cells of some steps."""
        pitch_BT4 = self.pitch_V[ids_BT4]
        before_BT4 = F.pad(pitch_BT4[:, :-1], (0, 0, 1, 0), value=len(self.continuation_PV) - 1)
        now_BT4, before_BT4 = pitch_BT4[:, steps], before_BT4[:, steps]
        own = before_BT4[..., None]
        pitch_P = torch.cat([others(now_BT4), own, others(before_BT4)], dim=-1)
        conditions_C = conditions_BTC[:, steps, None].expand(*own.shape[:-1], -1)
        conditions_C = torch.cat([conditions_C, self.voice_41.expand_as(own)], dim=-1)
        if self.lines is None:
            return pitch_P, conditions_C, None
        line_BT4K = F.pad(ids_BT4[:, :-1], (0, 0, LOOK_BACK, 0)).unfold(1, LOOK_BACK, 1)
        return pitch_P, conditions_C, self.line_of(line_BT4K[:, steps].flip(-1))

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
