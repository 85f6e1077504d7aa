"""The output layers of an infilling model; see ``families.infiller``.

Dimensions: S wanted steps, D width, H hidden units of a voice, I = 4 H, O outputs of a voice, P
panels of n columns each, R distances, V vocabulary, M rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.model.compiled import grid as grids
from musicrel.model.compiled import grid_biases
from musicrel.model.compiled.arithmetic import F32, Floats, compiled, gelu
from musicrel.model.compiled.encoder import Places, add_bias, product
from musicrel.model.compiled.encoder_weights import padded_bias, plain
from musicrel.model.compiled.grid import Grid, GridTables
from musicrel.model.compiled.grid_biases import GridBiases
from musicrel.model.compiled.tiles import add_product, panels
from musicrel.model.compiled.weights import Tensors
from musicrel.model.config import FIRST_PITCH_TOKEN
from musicrel.model.features.context_rows import CONTEXT_SLOTS, MOTION_GAIN, REFERENCES
from musicrel.model.features.interval_tables import OCTAVE, VOICES

Flags = npt.NDArray[np.bool_]

_OTHERS = VOICES - 1


class VoiceHeads(NamedTuple):
    """The weights of the output layers.

    Attributes:
        inner_PDn, inner_bias_I: the hidden layer of all voices.
        context_MH: vectors of the rows of a voice's context.
        head_4PHn, head_bias_4O: the outputs of each voice: logits of the tokens, those by distance
            from each reference, those by degree.
        motion_MR, chord_MR: outputs by motion and by chord, multiplied by their gain.
    """

    inner_PDn: Floats
    inner_bias_I: Floats
    context_MH: Floats
    head_4PHn: Floats
    head_bias_4O: Floats
    motion_MR: Floats
    chord_MR: Floats


def prepare(tensors: Tensors) -> VoiceHeads:
    """Return the weights of a model, from its tensors by the names of the checkpoint."""
    gain = F32(MOTION_GAIN)
    return VoiceHeads(
        inner_PDn=panels(tensors["inner.weight"].T),
        inner_bias_I=padded_bias(tensors["inner.bias"]),
        context_MH=plain(tensors["embed_context.weight"]),
        head_4PHn=np.stack([panels(weight_HO) for weight_HO in tensors["head.weight"]]),
        head_bias_4O=np.stack([padded_bias(bias_1O[0]) for bias_1O in tensors["head.bias"]]),
        motion_MR=plain(tensors["motion_biases.weight"] * gain),
        chord_MR=plain(tensors["chord_biases.weight"] * gain),
    )


@compiled
def set_logits(
    state_SD: Floats,
    at_S: Places,
    wanted_S4: Flags,
    grid: Grid,
    w: VoiceHeads,
    t: GridTables,
    biases: GridBiases,
    logit_S4V: Floats,
) -> None:
    """Set the logits of some voices of some steps.

    Args:
        state_SD: states of these steps, padded.
        at_S: the steps.
        wanted_S4: whether a voice of a step is wanted; the logits of the others are left.
        grid: the piece.
        w: the weights.
        t: the tables of the features.
        biases: the biases by rule.
        logit_S4V: gets the logits.
    """
    hidden_SI = _hidden(state_SD, at_S, wanted_S4, grid, w, t)
    units = w.context_MH.shape[1]
    for voice in range(VOICES):
        if not wanted_S4[:, voice].any():
            continue
        output_SO = np.zeros((state_SD.shape[0], w.head_bias_4O.shape[1]), dtype=F32)
        add_bias(output_SO, w.head_bias_4O[voice])
        add_product(
            hidden_SI, 0, voice * units, hidden_SI.shape[0], w.head_4PHn[voice], output_SO, 0
        )
        for s in np.flatnonzero(wanted_S4[:, voice]):
            logit_V = logit_S4V[s, voice]
            _set_of_cell(logit_V, output_SO[s], grid, at_S[s], voice, w, t)
            if biases.rhythm_WG.shape[0]:
                grid_biases.add_biases(logit_V, grid, at_S[s], voice, biases)


@compiled
def _hidden(
    state_SD: Floats,
    at_S: Places,
    wanted_S4: Flags,
    grid: Grid,
    w: VoiceHeads,
    t: GridTables,
) -> Floats:
    """Return the hidden units of all voices; those of voices that are not wanted are undefined."""
    units = w.context_MH.shape[1]
    hidden_SI = product(state_SD, w.inner_PDn)
    add_bias(hidden_SI, w.inner_bias_I)
    row_M = np.empty(CONTEXT_SLOTS, dtype=np.int64)
    for s in range(at_S.shape[0]):
        for voice in range(VOICES):
            if not wanted_S4[s, voice]:
                continue
            hidden_H = hidden_SI[s, voice * units : (voice + 1) * units]
            grids.set_context_rows(row_M, grid, at_S[s], voice, t)
            add_rows_of(hidden_H, w.context_MH, row_M)
            gelu(hidden_H)
    return hidden_SI


@compiled
def add_rows_of(x_D: Floats, table_MD: Floats, row_S: npt.NDArray[np.int64]) -> None:
    """Add some rows of a table to ``x_D``."""
    for s in range(row_S.shape[0]):
        for i in range(x_D.shape[0]):
            x_D[i] += table_MD[row_S[s], i]


@compiled
def _set_of_cell(
    logit_V: Floats,
    output_O: Floats,
    grid: Grid,
    step: int,
    voice: int,
    w: VoiceHeads,
    t: GridTables,
) -> None:
    """Set the logits of one cell: of the tokens, by distance, by degree, and of possible holds."""
    tokens = logit_V.shape[0]
    after_V = t.after_VV[grid.id_T4[step, voice]]
    before_V = t.before_VV[grid.id_T4[step + 2, voice]]
    for v in range(tokens):
        logit_V[v] = output_O[v] + after_V[v] + before_V[v]
    distances = w.motion_MR.shape[1]
    score_P = np.zeros(t.pitches, dtype=F32)
    for number in range(REFERENCES):
        first = tokens + number * distances
        distance_R = output_O[first : first + distances]
        _add_rules(distance_R, grid, step, voice, number, w, t)
        distance_R[distances - 1] = F32(0.0)  # no distance: no score
        row_P = t.distance_PP[grids.reference(grid, step, voice, number)]
        for pitch in range(t.pitches):
            score_P[pitch] += distance_R[row_P[pitch]]
    if t.key >= 0 and grid.condition_TC[step, t.key] > 0:
        degree_P = t.degree_KP[grid.condition_TC[step, t.key]]
        first = tokens + REFERENCES * distances
        for pitch in range(t.pitches):
            score_P[pitch] += output_O[first + degree_P[pitch] % OCTAVE]
    for pitch in range(t.pitches):
        logit_V[FIRST_PITCH_TOKEN + pitch] += score_P[pitch]
        logit_V[FIRST_PITCH_TOKEN + t.pitches + pitch] += score_P[pitch]


@compiled
def _add_rules(
    distance_R: Floats,
    grid: Grid,
    step: int,
    voice: int,
    number: int,
    w: VoiceHeads,
    t: GridTables,
) -> None:
    """Add the outputs by motion (references before and after) or by chord (the others)."""
    own = REFERENCES - _OTHERS
    if number >= own:
        row_R = w.chord_MR[grids.chord_row(grid, step, voice, number - own, t)]
        for r in range(distance_R.shape[0]):
            distance_R[r] += row_R[r]
        return
    for other in range(_OTHERS):
        row_R = w.motion_MR[grids.motion_row(grid, step, voice, other, number, t)]
        for r in range(distance_R.shape[0]):
            distance_R[r] += row_R[r]
