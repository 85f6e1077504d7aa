"""The notes of the roll in the colours of surprisal, or of the difference of two models."""

from __future__ import annotations

from collections.abc import Callable

from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.presentation.attention.surprisal import NoteColours, SurprisalColours
from musicrel.presentation.comparison.model_difference import DifferenceColours, ModelDifference
from musicrel.presentation.words.palette import Theme
from musicrel.ui.roll.heat_legend import HeatLegend
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.widgets import stylesheet


class NoteTint:
    def __init__(
        self, roll: RollView, legend: HeatLegend, show_legend: Callable[[bool], None]
    ) -> None:
        self._roll, self._legend, self._show_legend = roll, legend, show_legend
        self._on = False
        self._compared: tuple[ModelDifference, Theme] | None = None

    def show_voices(self) -> None:
        self._set(None, on=False)

    def show_surprisal(self, analysis: PieceAnalysis | None) -> None:
        """Colour the notes by surprisal as far as it is known."""
        picture, heat = self._roll.picture, None
        if analysis is not None and picture is not None:
            heat = SurprisalColours(picture.notes, analysis.nats, stylesheet.current_theme())
        self._legend.show_scale(heat.scale if heat else None, analysis.model if analysis else "")
        self._set(heat, on=True)

    def show_difference(self, difference: ModelDifference) -> None:
        """Colour each note by the model that is surprised more."""
        shown = difference, stylesheet.current_theme()
        if self._compared is not None and all(map(_is, self._compared, shown)):
            return
        heat = DifferenceColours(*shown)
        self._legend.show_difference(heat.full, difference.first, difference.second)
        self._set(heat, on=True)
        self._compared = shown

    def _set(self, heat: NoteColours | None, *, on: bool) -> None:
        self._compared = None
        self._show_legend(on)
        if on or self._on:
            self._roll.set_heat(heat)
        self._on = on


def _is(one: object, other: object) -> bool:
    return one is other
