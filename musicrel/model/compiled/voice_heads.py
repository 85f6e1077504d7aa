"""The output layers of an infilling model; see ``families.infiller``.

Dimensions: S wanted steps, D width, H hidden units of a voice, I = 4 H, O outputs of a voice, P
panels of n columns each, R distances, V vocabulary, M rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.model.compiled import grid as grids
from musicrel.model.compiled.arithmetic import F32, Floats, compiled, gelu
from musicrel.model.compiled.attention import Places
from musicrel.model.compiled.context import Biases
from musicrel.model.compiled.grid import Grid, GridTables
from musicrel.model.compiled.layers import Matrices, Tensors, in_panels, multiply, plain
from musicrel.model.compiled.tiles import PANEL
from musicrel.model.config import FIRST_PITCH_TOKEN
from musicrel.model.features.context_rows import CONTEXT_SLOTS, MOTION_GAIN, REFERENCES
from musicrel.model.features.interval_tables import OCTAVE, VOICES

Flags = npt.NDArray[np.bool_]

_OTHERS = VOICES - 1


class VoiceHeads(NamedTuple):
    """The weights of the output layers."""

    inner: Matrices
    context_MH: Floats
    # the outputs of each voice: logits of the tokens, those by distance from each reference, those
    # by degree
    heads: Matrices
    # motion_MR, chord_MR: outputs by motion and by chord, multiplied by their gain
    motion_MR: Floats
    chord_MR: Floats


def prepare(tensors: Tensors) -> VoiceHeads:
    """Return the weights of a model, from its tensors by the names of the checkpoint."""
    gain = F32(MOTION_GAIN)
    return VoiceHeads(
        inner=Matrices(
            in_panels(tensors["inner.weight"][None]), plain(tensors["inner.bias"])[None]
        ),
        context_MH=plain(tensors["embed_context.weight"]),
        heads=Matrices(
            in_panels(tensors["head.weight"].swapaxes(1, 2)), plain(tensors["head.bias"][:, 0])
        ),
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
    biases: Biases,
    logit_S4V: Floats,
) -> None:
    """Set the logits of some voices of some steps."""
    hidden_SI = _hidden(state_SD, at_S, wanted_S4, grid, w, t)
    units = w.context_MH.shape[1]
    for voice in range(VOICES):
        if not wanted_S4[:, voice].any():
            continue
        columns = w.heads.panels_NPIn.shape[1] * PANEL
        output_SO = np.empty((state_SD.shape[0], columns), dtype=F32)
        multiply(hidden_SI, voice * units, w.heads, voice, output_SO)
        for s in np.flatnonzero(wanted_S4[:, voice]):
            logit_V = logit_S4V[s, voice]
            _set_of_cell(logit_V, output_SO[s], grid, at_S[s], voice, w, t)
            if biases.rhythm_WG.shape[0]:
                grids.add_biases(logit_V, grid, at_S[s], voice, t, biases)


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
    columns = w.inner.panels_NPIn.shape[1] * PANEL
    hidden_SI = np.empty((state_SD.shape[0], columns), dtype=F32)
    multiply(state_SD, 0, w.inner, 0, hidden_SI)
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
