"""What a model looked at in the notes it was given, as a drawing: a heat map of cells by steps.

Down run the cells that it wrote, across the steps of the piece with the names of the given notes
above; so a melody and the harmony to it meet. A step is as wide as four cells are high.

This file knows which cell and which step is where; it knows nothing of models or of how a map
stands on a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.errors import DataError
from musicrel.presentation.attention import attention_record, heat_map
from musicrel.presentation.attention.attention_record import Weights
from musicrel.presentation.attention.heat_map import HeatMap, Words
from musicrel.presentation.drawing.drawing import Drawing, Item
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import Theme

_NARROWEST_LETTER: Final = 8.0
_NAME_ROOM: Final = 22.0
"""Pixels from one note's name to the next; names that come sooner are left out."""
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
    """The map of one head.

    Args:
        weights: float32 (4 T, T), row n is how much cell n looked at each step.
        chorale: the piece of T steps.
        given: bool (T, 4), the cells it was given; the others it wrote.
        layer: which, counted from 1.
        head: which, counted from 1; None: the mean of the layer's heads.
        theme: the colours.

    Raises:
        DataError: the weights do not fit the piece, or nothing was written.
    """
    _check(weights, chorale, given)
    written = np.flatnonzero(~given)
    heat = _map(weights[written], theme)
    words = Words(
        what=f"Looking across, layer {layer}, {f'head {head}' if head else 'mean of all heads'}",
        piece=chorale.title,
        axes="Down: the cells written. Across: the steps heard beforehand, and the notes given.",
        footer="The numbers are bars. Every cell may look at every step, also at those to come.",
    )
    marks = (
        *_bars(heat, chorale, written),
        *_letters(heat, written),
        *_notes(heat, chorale, given),
    )
    return heat_map.page(heat, heat_map.dots(heat), words, marks)


def _check(weights: Weights, chorale: Chorale, given: Flags) -> None:
    expected = (chorale.steps * _VOICES, chorale.steps)
    if weights.shape != expected or given.shape != chorale.pitches.shape:
        raise DataError(
            f"weights have shape {weights.shape} and what is given {given.shape}: expected "
            f"{expected} and {chorale.pitches.shape}, the cells and steps of the piece"
        )
    if given.all():
        raise DataError("all notes are given, none is written: expected fewer given voices")


def _map(weights: Weights, theme: Theme) -> HeatMap:
    dot = heat_map.dot_of(weights.shape[1] * _VOICES)
    full = heat_map.full_weight(weights)
    return HeatMap(weights=weights, full=full, down=dot, across=_VOICES * dot, theme=theme)


def _bars(heat: HeatMap, chorale: Chorale, written: npt.NDArray[np.int64]) -> Iterator[Item]:
    for tick in attention_record.bar_ticks(chorale):
        row = int(np.searchsorted(written, tick.place))
        yield from heat_map.bar(heat, heat.x(tick.place // _VOICES), heat.y(row), tick.label)


def _letters(heat: HeatMap, written: npt.NDArray[np.int64]) -> Iterator[Item]:
    """The voice of each row, where they are high enough."""
    if heat.down >= _NARROWEST_LETTER:
        for row, cell in enumerate(written.tolist()):
            yield heat_map.letter_down(heat, row, Voice(cell % _VOICES).letter)


def _notes(heat: HeatMap, chorale: Chorale, given: Flags) -> Iterator[Item]:
    """The notes of the highest voice that is given, where there is room for their names."""
    voice, free_from = int(given.any(axis=0).argmax()), 0.0
    for step in np.flatnonzero(given[:, voice] & chorale.onsets[:, voice]).tolist():
        if heat.x(step) >= free_from:
            free_from = heat.x(step) + _NAME_ROOM
            pitch = int(chorale.pitches[step, voice])
            yield heat_map.letter_across(heat, step, names.pitch(pitch, chorale.key))
