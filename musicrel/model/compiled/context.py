"""Interval features and logit biases of one token, from the tokens before it.

The arithmetic of ``features.intervals`` and ``features.logit_biases``, for one position at a time.

Dimensions: V vocabulary, P pitches and one more for none, K rows of the key, N neighbours, I steps
back, the newest first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.model.compiled.arithmetic import F32, Floats, compiled
from musicrel.model.config import BEAT, ENDING, KEY, VOICE, ModelConfig
from musicrel.model.features.interval_tables import (
    AGES,
    BEATS,
    GAIN,
    LOOK_BACK,
    MOTION_STATES,
    MOVES,
    OCTAVE,
    OLDEST,
    OWN,
    QUARTERS_LEFT,
    VOICES,
    bias_columns,
    interval_rows,
    line_tables,
    pitch_of_token,
)

Table = npt.NDArray[np.int64]
BIAS_GAIN = F32(GAIN)


class Intervals(NamedTuple):
    """Tables of the interval features; empty without them."""

    distance_NPP: Table
    before_3PP: Table
    motion_PP: Table
    degree_NKP: Table
    # by_distance_PV, by_degree_KV: output of each token by the voice's last pitch and by key
    by_distance_PV: Table
    by_degree_KV: Table
    outputs: int  # number of outputs by interval, 0 without interval features
    key: int  # column of the key among the conditions, -1 without


class Lines(NamedTuple):
    """Tables of the biases by line; see ``features.interval_tables``."""

    line_LJ: Floats  # the learned table; no rows without
    move_PP: Table
    next_move_PV: Table
    is_hold_V: npt.NDArray[np.bool_]
    age_A: Table


class Biases(NamedTuple):
    """Tables of the logit biases by rule; see ``features.logit_biases``."""

    # voice_leading_MS, rhythm_WG, cadence_HD: the learned tables; no rows without
    voice_leading_MS: Floats
    rhythm_WG: Floats
    cadence_HD: Floats
    interval_PP: Table
    motion_PP: Table
    next_interval_PV: Table
    invalid_hold_PV: npt.NDArray[np.bool_]
    degree_KV: Table
    continuation_PV: Table
    lines: Lines
    # voice, beat, key, ending: columns of the conditions, -1 without
    voice: int
    beat: int
    key: int
    ending: int


class Context(NamedTuple):
    """Everything the context of a token is looked up in."""

    pitch_V: Table  # pitch of each token; P - 1 if it has none
    intervals: Intervals
    biases: Biases


def prepare(config: ModelConfig, tensors: Mapping[str, Floats]) -> Context:
    """Return the tables of a model."""
    conditions = list(config.conditions)
    pitches = config.pitches or config.counterpoint or 1
    return Context(
        pitch_V=pitch_of_token(config.tokens, pitches),
        intervals=_intervals(config, conditions),
        biases=biases(config, tensors),
    )


def _intervals(config: ModelConfig, conditions: Sequence[str]) -> Intervals:
    tables = interval_rows(config.tokens, config.pitches or 1)
    return Intervals(
        distance_NPP=tables["distance_NPP"],
        before_3PP=tables["before_3PP"],
        motion_PP=tables["motion_PP"],
        degree_NKP=tables["degree_NKP"],
        by_distance_PV=tables["by_distance_PV"],
        by_degree_KV=tables["by_degree_KV"],
        outputs=2 * config.pitches + OCTAVE if config.pitches else 0,
        key=_column(conditions, KEY),
    )


def biases(config: ModelConfig, tensors: Mapping[str, Floats]) -> Biases:
    """Return the tables of the biases of a model, without rows where it has none."""
    conditions, nothing = list(config.conditions), np.zeros((0, 1), dtype=F32)

    def learned(name: str) -> Floats:
        return np.array(tensors.get(f"counterpoint.{name}", nothing), dtype=F32)

    return Biases(
        voice_leading_MS=learned("voice_leading_MS"),
        rhythm_WG=learned("rhythm_WG"),
        cadence_HD=learned("cadence_HD"),
        **bias_columns(config.tokens, config.counterpoint or 1),
        lines=Lines(learned("line_LJ"), **line_tables(config.tokens, config.lines or 1)),
        voice=_column(conditions, VOICE),
        beat=_column(conditions, BEAT),
        key=_column(conditions, KEY),
        ending=_column(conditions, ENDING),
    )


def _column(conditions: Sequence[str], name: str) -> int:
    return conditions.index(name) if name in conditions else -1


@compiled
def add_intervals(
    x_D: Floats, pitch_N: Table, condition_C: Table, table_MD: Floats, t: Intervals
) -> None:
    """Add the embeddings of the intervals between the recent pitches to ``x_D``."""
    own = pitch_N[OWN]
    for i in range(pitch_N.shape[0]):
        x_D += table_MD[t.distance_NPP[i, own, pitch_N[i]]]
        if t.key >= 0:
            x_D += table_MD[t.degree_NKP[i, condition_C[t.key], pitch_N[i]]]
    for i in range(OWN):
        before = pitch_N[VOICES + i]
        x_D += table_MD[t.before_3PP[i, own, before] + t.motion_PP[pitch_N[i], before]]


@compiled
def add_interval_logits(
    logit_V: Floats, output_U: Floats, pitch_N: Table, condition_C: Table, t: Intervals
) -> None:
    """Add the outputs by interval to the logits of the tokens."""
    distance_V = t.by_distance_PV[pitch_N[OWN]]
    for v in range(logit_V.shape[0]):
        if distance_V[v] < t.outputs:
            logit_V[v] += output_U[distance_V[v]]
    if t.key >= 0:
        degree_V = t.by_degree_KV[condition_C[t.key]]
        for v in range(logit_V.shape[0]):
            if degree_V[v] < t.outputs:
                logit_V[v] += output_U[degree_V[v]]


@compiled
def add_biases(
    logit_V: Floats, pitch_N: Table, condition_C: Table, id_I: Table, pitch_V: Table, t: Biases
) -> None:
    """Add the biases of voice leading, rhythm, cadence and line to the logits of the tokens."""
    own, voice = pitch_N[OWN], condition_C[t.voice]
    bias_V = np.zeros_like(logit_V)
    moved = _add_voice_leading(bias_V, pitch_N, voice, t)
    row = voice_and_beat(voice, condition_C, t) * MOTION_STATES + moved
    add_columns(bias_V, t.rhythm_WG[row], t.continuation_PV[own])
    add_cadence_and_line(bias_V, voice, condition_C, id_I, pitch_V, t)
    for v in range(bias_V.shape[0]):
        if not t.invalid_hold_PV[own, v]:
            logit_V[v] += BIAS_GAIN * bias_V[v]


@compiled
def voice_and_beat(voice: int, condition_C: Table, t: Biases) -> int:
    """Return the row of a voice, from 1, and of the sixteenth of the beat."""
    row: int = voice * BEATS + (condition_C[t.beat] if t.beat >= 0 else 0)
    return row


@compiled
def add_cadence_and_line(
    bias_V: Floats, voice: int, condition_C: Table, id_I: Table, pitch_V: Table, t: Biases
) -> None:
    """Add the biases of cadence and line of a voice, from 1; see ``add_biases``."""
    if t.cadence_HD.shape[0]:
        key, left = condition_C[t.key], condition_C[t.ending]
        row = (QUARTERS_LEFT if key > OCTAVE else 0) + (left if left < QUARTERS_LEFT else 0)
        add_columns(bias_V, t.cadence_HD[row * (1 + VOICES) + voice], t.degree_KV[key])
    if t.lines.line_LJ.shape[0]:
        state, pitch = find_line(id_I, pitch_V, t.lines)
        row = voice_and_beat(voice, condition_C, t) * (MOVES * AGES) + state
        add_columns(bias_V, t.lines.line_LJ[row], t.lines.next_move_PV[pitch])


@compiled
def _add_voice_leading(bias_V: Floats, pitch_N: Table, voice: int, t: Biases) -> int:
    """Add the biases by the voices known in this step; return the state of their motion."""
    own, moved = pitch_N[OWN], 0
    for i in range(min(voice - 1, OWN)):
        now, before = pitch_N[i], pitch_N[VOICES + i]
        moved = max(moved, 2 if now != before else 1)
        row = t.interval_PP[own, before] + t.motion_PP[before, now]
        add_columns(bias_V, t.voice_leading_MS[row], t.next_interval_PV[now])
    return moved


@compiled
def find_line(id_I: Table, pitch_V: Table, t: Lines) -> tuple[int, int]:
    """Return the state of a voice's line and its last pitch; see ``features.interval_tables``."""
    none = t.move_PP.shape[0] - 1
    pitch, before, age, is_held = none, none, 1, True
    for i in range(min(id_I.shape[0], LOOK_BACK)):
        found = pitch_V[id_I[i]]
        if pitch == none:
            pitch = found
        if found != pitch:
            before = found
            break
        is_held = is_held and (found == none or t.is_hold_V[id_I[i]])
        age += 1 if is_held else 0
    return t.move_PP[before, pitch] * AGES + t.age_A[min(age, OLDEST)], pitch


@compiled
def add_columns(bias_V: Floats, row_S: Floats, column_V: Table) -> None:
    """Add the entry of ``row_S`` that each token has; a column past its end has none."""
    for v in range(bias_V.shape[0]):
        if column_V[v] < row_S.shape[0]:
            bias_V[v] += row_S[column_V[v]]
