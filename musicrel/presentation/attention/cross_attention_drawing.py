"""The attention of a head to steps as a drawing: cells by steps, four cells high as a step is wide.

In cross-attention rows are the generated cells, columns the steps that the encoder reads, with the
names of the given notes above. In infilling models every cell has a row: its weights when it is
hidden and predicted from all others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.errors import DataError
from musicrel.presentation.attention import axis_ticks, heat_map
from musicrel.presentation.attention.attention_record import Weights
from musicrel.presentation.attention.heat_map import Captions, HeatMap
from musicrel.presentation.drawing.drawing import Drawing, Item
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import Theme

_NAME_ROOM: Final = 22.0
"""Least distance of two note names in pixels; closer ones are left out."""
_VOICES: Final = len(Voice)


def draw(
    weights: Weights,
    chorale: Chorale,
    given: Flags,
    *,
    layer: int | None,
    head: int | None,
    theme: Theme,
    model: str = "",
    full: float | None = None,
) -> Drawing:
    """Draw the cross-attention of one head.

    Args:
        weights: float32 (4 T, T), row n: weights of cell n over the steps.
        given: bool (T, 4), the given cells; the others were generated.
        layer: counted from 1; None: the mean of all heads of all layers.
        head: counted from 1; None: the mean of the layer's heads.
        model: its name in the heading; "": none.
        full: the weight of the last colour; None: that which suits the weights.
    """
    words = Captions(
        heading=heat_map.heading("Cross-attention", model, layer, head),
        piece=chorale.title,
        axes="Rows: generated cells (queries). Columns: steps of the given voices (keys).",
        footer="Numbers are bars. Every cell may attend to every step, later ones included.",
    )
    _check(weights, chorale, given)
    heat = heat_map.scaled(weights[~given.ravel()], theme, cells=_VOICES, full=full)
    return _page(heat, chorale, given, words)


def draw_infill(
    weights: Weights,
    chorale: Chorale,
    *,
    layer: int | None,
    head: int | None,
    theme: Theme,
    model: str = "",
    full: float | None = None,
) -> Drawing:
    """Draw the attention of one head of an infilling model; arguments and errors as of ``draw``."""
    words = Captions(
        heading=heat_map.heading("Attention", model, layer, head),
        piece=chorale.title,
        axes="Rows: hidden cells, each predicted from all others (queries). Columns: steps (keys).",
        footer="Numbers are bars. Each sixteenth has four rows: S, A, T, B.",
    )
    nothing = np.zeros(chorale.pitches.shape, dtype=np.bool_)
    _check(weights, chorale, nothing)
    heat = heat_map.scaled(weights, theme, cells=_VOICES, full=full)
    return _page(heat, chorale, nothing, words)


def _page(heat: HeatMap, chorale: Chorale, given: Flags, words: Captions) -> Drawing:
    """Lay out a map whose rows are the cells that are not given."""
    written = np.flatnonzero(~given)
    marks = (
        *_bars(heat, chorale, written),
        *heat_map.voices(heat, written.tolist()),
        *_notes(heat, chorale, given),
    )
    return heat_map.page(heat, heat_map.dots(heat), words, marks)


def _check(weights: Weights, chorale: Chorale, given: Flags) -> None:
    expected = (chorale.steps * _VOICES, chorale.steps)
    if weights.shape != expected or given.shape != chorale.pitches.shape:
        raise DataError(
            f"weights have shape {weights.shape} and the given cells {given.shape}: expected "
            f"{expected} and {chorale.pitches.shape} for this piece"
        )
    if given.all():
        raise DataError(
            "all notes are given: expected at least one generated note; give fewer voices"
        )


def _bars(heat: HeatMap, chorale: Chorale, written: npt.NDArray[np.int64]) -> Iterator[Item]:
    for tick in axis_ticks.bar_ticks(chorale):
        row = int(np.searchsorted(written, tick.place))
        yield from heat_map.bar(heat, heat.x(tick.place // _VOICES), heat.y(row), tick.label)


def _notes(heat: HeatMap, chorale: Chorale, given: Flags) -> Iterator[Item]:
    """Draw the note names of the highest given voice, where there is room."""
    voice, free_from = int(given.any(axis=0).argmax()), 0.0
    for step in np.flatnonzero(given[:, voice] & chorale.onsets[:, voice]).tolist():
        if heat.x(step) >= free_from:
            free_from = heat.x(step) + _NAME_ROOM
            pitch = int(chorale.pitches[step, voice])
            yield heat_map.label_across(heat, step, names.pitch(pitch, chorale.key))
