"""The cross-attention of a head to the given notes as a drawing: cells by steps.

Rows are the generated cells, columns the steps of the piece, with the names of the given notes
above. A step is as wide as four cells are high.
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
    layer: int,
    head: int | None,
    theme: Theme,
) -> Drawing:
    """Draw the cross-attention of one head.

    Args:
        weights: float32 (4 T, T), row n: weights of cell n over the steps.
        chorale: the piece of T steps.
        given: bool (T, 4), the given cells; the others were generated.
        layer: counted from 1.
        head: counted from 1; None: the mean of the layer's heads.
        theme: the colours.

    Raises:
        DataError: the weights do not fit the piece, or all notes are given.
    """
    _check(weights, chorale, given)
    written = np.flatnonzero(~given)
    heat = heat_map.scaled(weights[written], theme, cells=_VOICES)
    words = Captions(
        heading=f"Cross-attention, layer {layer}, {f'head {head}' if head else 'mean of heads'}",
        piece=chorale.title,
        axes="Rows: generated cells (queries). Columns: steps of the given voices (keys).",
        footer="Numbers are bars. Every cell may attend to every step, later ones included.",
    )
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
