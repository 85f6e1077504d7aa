"""The views beside the maps: one note, shares, surprisal and claims, of one model or of two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from musicrel.chorale import Voice
from musicrel.presentation.attention.claim_rows import claim_rows
from musicrel.presentation.comparison import (
    difference_drawing,
    model_difference,
    note_attention,
    share_difference,
)
from musicrel.presentation.comparison.model_difference import ModelDifference
from musicrel.presentation.comparison.note_attention import NoteAttention
from musicrel.presentation.comparison.views import Shown
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.words.palette import Theme
from musicrel.ui.attention.chart_panel import ChartPanel
from musicrel.ui.attention.claim_meters import ClaimMeters
from musicrel.ui.attention.view_switch import ViewSwitch
from musicrel.ui.widgets import layout

NOTE, SHARES, SURPRISAL, CLAIMS = "note", "shares", "surprisal", "claims"
"""Names of the views."""
_TITLES: Final[Mapping[str, tuple[str, str]]] = {
    NOTE: ("&Note", "Attention of the chosen note over time; of A and B on the same scale"),
    SHARES: ("Shares", "Attention by distance and voice, and the difference of A and B"),
    SURPRISAL: ("S&urprisal", "Which notes surprise A more, and which B; their running sum"),
    CLAIMS: ("Claims", "What was claimed about relative attention in 2018, measured here"),
}
CHOOSE_NOTE: Final = "Select a note in the roll to see what it attends to."
CHOOSE_SECOND: Final = (
    "Choose a second model, B, to see where in the piece each of the two predicts better."
)
NOT_YET: Final = "Both models are reading the piece …"
NOTHING_READ: Final = "No note of the piece has been read yet."
_CURVE: Final = "{summary}.  The curve rises where A predicts better."
_CLAIM_MS: Final = 200
"""Least time between two measurements of the claims while a model writes."""


class ComparisonViews(QObject):
    """The views and what they show.

    Attributes:
        difference: the difference in surprisal that is shown; None without one.
    """

    described = Signal(str)  # a sentence about the place under the mouse, or about the whole view
    cell_chosen = Signal(int)

    def __init__(self, switch: ViewSwitch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._switch = switch
        self._shown: Shown | None = None
        self._reading = False
        self._attention: NoteAttention | None = None
        self.difference: ModelDifference | None = None
        self.note, self.surprisal = ChartPanel("Note"), ChartPanel("Surprisal")
        self.shares, self.meters = ChartPanel("Shares", scrolls=True), ClaimMeters()
        inside = QWidget()
        layout.column(self.meters, None, owner=inside, margins=(0, 0, 8, 0))
        panels = (self.note, self.shares, self.surprisal, layout.ColumnScroller(inside))
        for (name, texts), panel in zip(_TITLES.items(), panels, strict=True):
            switch.add(name, *texts, panel)
        self._timer = QTimer(self, singleShot=True, interval=_CLAIM_MS)
        self._timer.timeout.connect(self._show_claims)
        self._show: Mapping[str, Callable[[Shown], str]] = {
            NOTE: self._show_note,
            SHARES: self._show_shares,
            SURPRISAL: self._show_surprisal,
            CLAIMS: self._schedule_claims,
        }
        for panel, slot in ((self.note, self._point_note), (self.surprisal, self._point_curve)):
            panel.view.pointed.connect(slot)
            panel.view.clicked.connect(partial(self._choose, panel))

    def show(self, shown: Shown | None, *, reading: bool = False) -> None:
        """Show the visible view.

        Args:
            shown: the analyses; None: there are none.
            reading: whether the second model is still reading the piece.
        """
        self._shown, self._reading = shown, reading
        self.difference = self._known_difference(shown)
        show = self._show.get(self._switch.current)
        if shown is not None and show is not None:
            self.described.emit(show(shown))

    @property
    def has_view(self) -> bool:
        """Return whether the visible view can be exported: a chart, or the maps."""
        panels = {NOTE: self.note, SHARES: self.shares, SURPRISAL: self.surprisal}
        panel = panels.get(self._switch.current)
        return panel is None or panel.view.drawing is not None

    # ------------------------------------------------------------------ the views

    def _show_note(self, shown: Shown) -> str:
        self._attention = found = shown.note
        if found is None:
            self.note.show_chart(None, CHOOSE_NOTE)
            return ""
        self.note.show_chart(partial(_draw_note, found))
        return f"{found.title}.  {found.words}"

    def _show_shares(self, shown: Shown) -> str:
        groups = shown.shares
        self.shares.show_chart(partial(_draw_shares, groups))
        lines = (share_difference.describe(pair) for _, pairs in groups for pair in pairs)
        self.shares.view.setToolTip("\n".join(lines))
        return share_difference.WORDS if shown.second else share_difference.ALONE

    def _show_surprisal(self, shown: Shown) -> str:
        found = self.difference
        if found is None:
            self.surprisal.show_chart(None, NOT_YET if self._reading else CHOOSE_SECOND)
            return ""
        step = None if shown.cell is None else shown.cell // len(Voice)
        self.surprisal.show_chart(partial(_draw_curve, found, step))
        self.surprisal.view.setToolTip(model_difference.voices(found))
        return _CURVE.format(summary=model_difference.summary(found))

    def _schedule_claims(self, shown: Shown) -> str:
        del shown
        if not self._timer.isActive():
            self._timer.start()
        return ""

    @Slot()
    def _show_claims(self) -> None:
        shown = self._shown
        if shown is None or not shown.first.cells:
            self.meters.clear(NOTHING_READ)
        else:
            rows = claim_rows(shown.first, shown.second, shown.heads)
            self.meters.show_rows(rows, *shown.models)

    def _known_difference(self, shown: Shown | None) -> ModelDifference | None:
        """Return the difference, the same object as long as the analyses are the same."""
        found, before = shown.difference if shown is not None else None, self.difference
        if found is not None and before is not None:
            is_same = (
                found.first_nats.base is before.first_nats.base
                and found.second_nats.base is before.second_nats.base
            )
            return before if is_same else found
        return found

    # ------------------------------------------------------------------ the mouse

    def _point_note(self, x: float, y: float) -> None:
        """Describe the step under the mouse."""
        del y
        found = self._attention
        if found is not None:
            step = note_attention.axis(found, self.note.view.drawn_width).step_at(x)
            words = f"{found.title}.  {found.words}" if step is None else found.at_step(step)
            self.described.emit(words)

    def _point_curve(self, x: float, y: float) -> None:
        """Describe the curve under the mouse."""
        del y
        found = self.difference
        if found is not None:
            step = difference_drawing.axis(found, self.surprisal.view.drawn_width).step_at(x)
            words = _CURVE.format(summary=model_difference.summary(found))
            self.described.emit(words if step is None else model_difference.at_step(found, step))

    def _choose(self, panel: ChartPanel, x: float, y: float) -> None:
        """Choose the soprano at a clicked step."""
        del y
        width = panel.view.drawn_width
        step = None
        if panel is self.note and self._attention is not None:
            step = note_attention.axis(self._attention, width).step_at(x)
        elif panel is self.surprisal and self.difference is not None:
            step = difference_drawing.axis(self.difference, width).step_at(x)
        if step is not None:
            self.cell_chosen.emit(step * len(Voice))


def _draw_note(found: NoteAttention, width: int, height: int, theme: Theme) -> Drawing:
    return note_attention.draw_chart(found, theme, width=width, height=height)


def _draw_shares(groups: share_difference.Groups, width: int, height: int, theme: Theme) -> Drawing:
    del height
    return share_difference.draw_chart(groups, theme, width=width)


def _draw_curve(
    found: ModelDifference, step: int | None, width: int, height: int, theme: Theme
) -> Drawing:
    return difference_drawing.draw_curve(found, theme, width=width, height=height, step=step)
