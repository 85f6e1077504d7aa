"""The features of the notes of a grid, for one piece; see ``features.context_features``.

Dimensions: T steps, 4 voices, 12 cells (4 before, 4 now, 4 after), C conditions, S slots, P pitches
and one more for none, R distances, K rows of the key, V vocabulary.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.model.compiled.arithmetic import Floats, compiled
from musicrel.model.compiled.context import (
    BIAS_GAIN,
    Biases,
    add_cadence_and_line,
    add_columns,
    voice_and_beat,
)
from musicrel.model.config import KEY, ModelConfig
from musicrel.model.features.context_rows import (
    AWAY,
    LEADERS,
    OTHERS,
    PAIRS,
    context_rows,
    number_of_pitches,
)
from musicrel.model.features.interval_tables import (
    MOTIONS,
    VOICES,
)

Table = npt.NDArray[np.int64]

_OTHERS: Final = np.array(OTHERS)
_PAIRS: Final = np.array(PAIRS)
_LEADERS: Final = np.array(LEADERS)


class GridTables(NamedTuple):
    """The tables of row numbers; see ``features.context_rows``."""

    pitch_V: Table
    distance_PP: Table
    degree_KP: Table
    motion_RR: Table
    first_S: Table
    first_4S: Table
    # after_VV, before_VV: biases of the token after and before each token of a voice
    after_VV: Floats
    before_VV: Floats
    pitches: int  # number of pitches, which is also the row of none
    key: int  # column of the key among the conditions, -1 without


class Grid(NamedTuple):
    """A piece of one empty step, the notes, and one more empty step."""

    id_T4: Table  # the tokens, (T + 2, 4)
    pitch_T4: Table  # their pitches, (T + 2, 4)
    condition_TC: Table  # the conditions of each step, (T, C)
    # last_T4, since_T4: each voice's last known pitch before a step, and the steps since, (T, 4)
    last_T4: Table
    since_T4: Table
    # next_T4, until_T4: each voice's next known pitch, and the steps to it, (T, 4)
    next_T4: Table
    until_T4: Table


def prepare(config: ModelConfig) -> GridTables:
    """Return the tables of a model."""
    names = list(config.conditions)
    tables = context_rows(config.tokens, has_key=KEY in names)
    wanted = set(GridTables._fields) & set(tables)
    return GridTables(
        **{name: tables[name] for name in wanted},
        pitches=number_of_pitches(config.tokens),
        key=names.index(KEY) if KEY in names else -1,
    )


@compiled
def of_piece(id_T4: Table, condition_TC: Table, t: GridTables) -> Grid:
    """Return the grid of a piece."""
    steps = id_T4.shape[0]
    around_T4 = np.zeros((steps + 2, VOICES), dtype=np.int64)
    pitch_T4 = np.full((steps + 2, VOICES), t.pitches, dtype=np.int64)
    for step in range(steps):
        for voice in range(VOICES):
            around_T4[step + 1, voice] = id_T4[step, voice]
            pitch_T4[step + 1, voice] = t.pitch_V[id_T4[step, voice]]
    near_4T4 = np.zeros((4, steps, VOICES), dtype=np.int64)
    _find_nearest(pitch_T4, range(1, steps + 1), t.pitches, near_4T4[0], near_4T4[1])
    _find_nearest(pitch_T4, range(steps, 0, -1), t.pitches, near_4T4[2], near_4T4[3])
    return Grid(
        around_T4, pitch_T4, condition_TC, near_4T4[0], near_4T4[1], near_4T4[2], near_4T4[3]
    )


@compiled
def _find_nearest(
    pitch_T4: Table, order: range, none: int, found_T4: Table, away_T4: Table
) -> None:
    """Set each voice's last known pitch in this order and the number of steps since."""
    for voice in range(VOICES):
        found, place = none, 0
        for step in order:
            found_T4[step - 1, voice] = found
            away_T4[step - 1, voice] = 0 if found == none else min(abs(step - place), AWAY - 1)
            if pitch_T4[step, voice] < none:
                found, place = pitch_T4[step, voice], step


@compiled
def input_rows(grid: Grid, t: GridTables) -> Table:
    """Return the rows of every whole step: tokens, intervals, motions, distances, degrees."""
    row_TS = np.empty((grid.condition_TC.shape[0], t.first_S.shape[0]), dtype=np.int64)
    for step in range(row_TS.shape[0]):
        _set_input_rows(row_TS[step], grid, step, t)
    return row_TS


@compiled
def _set_input_rows(row_S: Table, grid: Grid, step: int, t: GridTables) -> None:
    now_4, leader = grid.pitch_T4[step + 1], t.pitches
    for i in range(VOICES - 1, -1, -1):
        pitch = now_4[_LEADERS[i]]
        leader = pitch if pitch < t.pitches else leader
    for cell in range(3 * VOICES):
        row_S[cell] = grid.id_T4[step + cell // VOICES, cell % VOICES]
        pitch = grid.pitch_T4[step + cell // VOICES, cell % VOICES]
        row_S[_FROM_LEADER + cell] = t.distance_PP[leader, pitch]
    for pair in range(_PAIRS.shape[0]):
        row_S[_INTERVAL + pair] = t.distance_PP[now_4[_PAIRS[pair, 1]], now_4[_PAIRS[pair, 0]]]
    for voice in range(VOICES):
        row_S[_MOTION + voice] = t.distance_PP[grid.pitch_T4[step, voice], now_4[voice]]
        if t.key >= 0:
            key = grid.condition_TC[step, t.key]
            row_S[_DEGREE + voice] = t.degree_KP[key, now_4[voice]]
    for slot in range(row_S.shape[0]):
        row_S[slot] += t.first_S[slot]


_INTERVAL: Final = 3 * VOICES
_MOTION: Final = _INTERVAL + len(PAIRS)
_FROM_LEADER: Final = _MOTION + VOICES
_DEGREE: Final = _FROM_LEADER + 3 * VOICES
"""First slot of each kind of feature of a step."""


@compiled
def set_context_rows(row_S: Table, grid: Grid, step: int, voice: int, t: GridTables) -> None:
    """Set the rows of a voice: the cells around as distances from its notes before and after."""
    cells = 3 * VOICES
    last, following = grid.last_T4[step, voice], grid.next_T4[step, voice]
    for cell in range(cells):
        pitch = grid.pitch_T4[step + cell // VOICES, cell % VOICES]
        row_S[cell] = t.distance_PP[last, pitch]
        row_S[cells + cell] = t.distance_PP[following, pitch]
    row_S[2 * cells] = grid.since_T4[step, voice]
    row_S[2 * cells + 1] = grid.until_T4[step, voice]
    for slot in range(row_S.shape[0]):
        row_S[slot] += t.first_4S[voice, slot]


@compiled
def motion_row(grid: Grid, step: int, voice: int, other: int, side: int, t: GridTables) -> int:
    """Return the row of the interval to another voice and its motion since or until then."""
    other = _OTHERS[voice, other]
    there_4, now_4 = grid.pitch_T4[step + 2 * side], grid.pitch_T4[step + 1]
    interval = t.distance_PP[there_4[voice], there_4[other]]
    row: int = t.motion_RR[interval, t.distance_PP[there_4[other], now_4[other]]]
    return row + side * MOTIONS


@compiled
def chord_row(grid: Grid, step: int, voice: int, other: int, t: GridTables) -> int:
    """Return the row of the interval from another voice to the one before it among the others."""
    now_4 = grid.pitch_T4[step + 1]
    distance: int = t.distance_PP[now_4[_OTHERS[voice, other]], now_4[_OTHERS[voice, other - 1]]]
    rows: int = t.motion_RR.shape[0]
    return distance + (voice * 3 + other) * rows


@compiled
def reference(grid: Grid, step: int, voice: int, number: int) -> int:
    """Return a pitch that pitches are scored relative to: the voice's last, its next, others."""
    pitch: int = grid.pitch_T4[step + 1, _OTHERS[voice, max(number - 2, 0)]]
    if number == 0:
        pitch = grid.last_T4[step, voice]
    if number == 1:
        pitch = grid.next_T4[step, voice]
    return pitch


@compiled
def add_biases(
    logit_V: Floats, grid: Grid, step: int, voice: int, tables: GridTables, t: Biases
) -> None:
    """Add the biases of voice leading, rhythm, cadence and line to the logits of a cell."""
    condition_C = grid.condition_TC[step]
    before_4, now_4 = grid.pitch_T4[step], grid.pitch_T4[step + 1]
    own, bias_V = before_4[voice], np.zeros_like(logit_V)
    for i in range(VOICES - 1):
        other = _OTHERS[voice, i]
        row = t.interval_PP[own, before_4[other]] + t.motion_PP[before_4[other], now_4[other]]
        add_columns(bias_V, t.voice_leading_MS[row], t.next_interval_PV[now_4[other]])
    row = voice_and_beat(voice + 1, condition_C, t)
    add_columns(bias_V, t.rhythm_WG[row], t.continuation_PV[own])
    id_I = grid.id_T4[step::-1, voice]
    add_cadence_and_line(bias_V, voice + 1, condition_C, id_I, tables.pitch_V, t)
    logit_V += BIAS_GAIN * bias_V
