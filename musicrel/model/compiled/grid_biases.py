"""Logit biases by rule for the cells of a grid; see ``features.context_biases``.

Dimensions: P pitches and one more for none, V vocabulary, K rows of the key. The learned tables are
multiplied by their gain, and have one more column of zeros for tokens without a bias.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.model.compiled.arithmetic import Floats, compiled
from musicrel.model.compiled.context import Lines, find_line, learned_table
from musicrel.model.compiled.encoder_weights import plain
from musicrel.model.compiled.grid import Grid
from musicrel.model.compiled.weights import Tensors
from musicrel.model.config import BEAT, ENDING, KEY, ModelConfig
from musicrel.model.features.bias_columns import BEATS, GAIN, QUARTERS_LEFT, bias_columns
from musicrel.model.features.context_rows import OTHERS
from musicrel.model.features.interval_tables import OCTAVE, VOICES, pitch_of_token
from musicrel.model.features.line_rows import AGES, MOVES, line_tables

Table = npt.NDArray[np.int64]

_OTHERS: Final = np.array(OTHERS)
_COLUMNS: Final = (
    "interval_PP", "motion_PP", "next_interval_PV", "degree_KV", "continuation_PV"
)  # fmt: skip


class GridBiases(NamedTuple):
    """Tables of the biases.

    Attributes:
        voice_leading_MS, rhythm_WG, cadence_HD: the learned tables; no rows without.
        interval_PP, motion_PP, next_interval_PV, degree_KV, continuation_PV: the lookup tables.
        lines: the tables of lines.
        pitch_V: the pitch of each token.
        beat, key, ending: columns of the conditions, -1 without.
    """

    voice_leading_MS: Floats
    rhythm_WG: Floats
    cadence_HD: Floats
    interval_PP: Table
    motion_PP: Table
    next_interval_PV: Table
    degree_KV: Table
    continuation_PV: Table
    lines: Lines
    pitch_V: Table
    beat: int
    key: int
    ending: int


def prepare(config: ModelConfig, tensors: Tensors) -> GridBiases:
    """Return the tables of a model, without rows where it has no biases."""
    names = list(config.conditions)
    columns = bias_columns(config.tokens, config.counterpoint or 1)
    beat, key, ending = (names.index(name) if name in names else -1 for name in (BEAT, KEY, ENDING))
    return GridBiases(
        voice_leading_MS=_learned(tensors, "voice_leading_MS"),
        rhythm_WG=_learned(tensors, "rhythm_WG"),
        cadence_HD=_learned(tensors, "cadence_HD"),
        **{name: columns[name] for name in _COLUMNS},
        lines=Lines(_learned(tensors, "line_LJ"), **line_tables(config.tokens, config.lines or 1)),
        pitch_V=pitch_of_token(config.tokens, config.lines or 1),
        beat=beat,
        key=key,
        ending=ending,
    )


def _learned(tensors: Tensors, name: str) -> Floats:
    table = learned_table(tensors, name) * np.float32(GAIN)
    return plain(np.pad(table, ((0, 0), (0, 1))))


@compiled
def add_biases(logit_V: Floats, grid: Grid, step: int, voice: int, t: GridBiases) -> None:
    """Add the biases of voice leading, rhythm, cadence and line to the logits of a cell."""
    condition_C = grid.condition_TC[step]
    before_4, now_4 = grid.pitch_T4[step], grid.pitch_T4[step + 1]
    own = before_4[voice]
    for i in range(VOICES - 1):
        other = _OTHERS[voice, i]
        row = t.interval_PP[own, before_4[other]] + t.motion_PP[before_4[other], now_4[other]]
        _add_columns(logit_V, t.voice_leading_MS[row], t.next_interval_PV[now_4[other]])
    voice_and_beat = (voice + 1) * BEATS + (condition_C[t.beat] if t.beat >= 0 else 0)
    _add_columns(logit_V, t.rhythm_WG[voice_and_beat], t.continuation_PV[own])
    if t.cadence_HD.shape[0]:
        key, left = condition_C[t.key], condition_C[t.ending]
        row = (QUARTERS_LEFT if key > OCTAVE else 0) + (left if left < QUARTERS_LEFT else 0)
        _add_columns(logit_V, t.cadence_HD[row * (1 + VOICES) + voice + 1], t.degree_KV[key])
    if t.lines.line_LJ.shape[0]:
        state, pitch = find_line(grid.id_T4[step::-1, voice], t.pitch_V, t.lines)
        row = voice_and_beat * (MOVES * AGES) + state
        _add_columns(logit_V, t.lines.line_LJ[row], t.lines.next_move_PV[pitch])


@compiled
def _add_columns(logit_V: Floats, row_S: Floats, column_V: Table) -> None:
    for v in range(logit_V.shape[0]):
        logit_V[v] += row_S[column_V[v]]
