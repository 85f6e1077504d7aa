"""The Compose page: controls, sheet and candidates side by side."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from musicrel.language import tr
from musicrel.presentation.words.keys import with_keys
from musicrel.ui.compose.candidate_panel import CandidatePanel
from musicrel.ui.compose.controls import Controls
from musicrel.ui.compose.rewrite_strip import RewriteStrip
from musicrel.ui.files.midi_drag import DragHandle
from musicrel.ui.roll.legend import LETTERS, HeatLegend, Legend
from musicrel.ui.roll.phrase_brackets import PhraseBrackets
from musicrel.ui.roll.roll_overlay import RollRanges
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.score.score_view import ScoreView
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.banner import Banner
from musicrel.ui.widgets.elided_label import ElidedLabel

_SHEETS = (
    ("roll", tr("Roll"), tr("Notes as a piano roll")),
    ("score", tr("Score"), tr("Notes as an engraved score")),
)  # name, title and tooltip of each sheet
_SHEET: Final = 600  # least width in pixels of the sheet between form and candidates
_CANDIDATES: Final = 0.45  # greatest share of the width that candidates with all columns need
_HEAD_SPACING: Final = 6
_HEAD_EDGES: Final = 64  # sum in pixels of the head's margins and of the spaces between its groups
_TITLE: Final = 90  # least width in pixels of a longer title
_TITLE_STRETCH: Final = 8  # share of the title in spare width, where the legend has 1
_SURPRISAL: Final = tr("Colour notes by surprisal (Ctrl+U)")
_FOUR_STAVES: Final = tr("Four staves ({key[four_staves]})")
_ZOOM_OUT: Final = tr("Zoom out ({key[zoom_out]})")
_ZOOM_FIT: Final = tr("Fit whole piece ({key[zoom_fit]})")
_ZOOM_IN: Final = tr("Zoom in ({key[zoom_in]})")
_SHEET_TIP: Final = "{tip} ({key[score]})"
_EXPORT: Final = tr("Export…")


class ComposePage(QWidget):
    sheet_chosen = Signal(str)  # the user chose a sheet; its name, "roll" or "score"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.controls, self.candidates = Controls(), CandidatePanel()
        self.banner = Banner()
        self.workspace = QWidget()  # messages, sheet and playback; other pages may borrow it
        self.roll, self.score = RollView(), ScoreView()
        self.brackets, self.ranges = PhraseBrackets(self.roll), RollRanges(self.roll)
        self.title, self.heading = ElidedLabel(), ElidedLabel()
        self.legend, self.heat_legend = Legend(), HeatLegend()
        self.surprisal = _toggle(_SURPRISAL, "surprisal")
        self.surprisal.setShortcut(QKeySequence("Ctrl+U"))
        self.sheets = {name: self._sheet_button(name, *texts) for name, *texts in _SHEETS}
        self.four_staves = _toggle(_FOUR_STAVES, "staves")
        self._transport = QWidget()
        self._heat_on = self._beside_on = False
        self.zoom_out = icons.button("zoom-out", _ZOOM_OUT)
        self.zoom_fit = icons.button("zoom-fit", _ZOOM_FIT)
        self.zoom_in = icons.button("zoom-in", _ZOOM_IN)
        self.handle, self.strip = DragHandle(), RewriteStrip()
        self.export = QPushButton(icons.themed("save"), _EXPORT)
        self.export.setIconSize(QSize(18, 18))
        self._lay_out()
        self.show_sheet("roll")

    def set_drag_disabled_reason(self, reason: str, bars: str) -> None:
        before = self.handle.caption
        self.handle.set_disabled_reason(reason, bars)
        if self.handle.caption != before:
            self._arranger.again()

    def set_workspace(self, workspace: QWidget) -> None:
        self._row.insertWidget(self._row.indexOf(self.controls) + 1, workspace, 1)

    def set_transport(self, buttons: QWidget) -> None:
        """Set the buttons that ``show_transport`` shows in the head of the sheet."""
        self._head_row.replaceWidget(self._transport, buttons)
        self._transport = buttons
        self.show_transport(on=False)

    def show_transport(self, *, on: bool) -> None:
        """Show playback in the head of the sheet, in place of drag and export, or not."""
        self._transport.setVisible(on)
        for part in (self.handle, self.export):
            part.setVisible(not on)
        self._arranger.again()

    def show_heat_legend(self, *, on: bool) -> None:
        self._heat_on = on
        self.legend.setHidden(on or self.shown is self.score)
        self.heat_legend.setHidden(not on or self.shown is self.score)
        self._arranger.again()

    @property
    def shown(self) -> RollView | ScoreView:
        return self.roll if self._stack.currentWidget() is self._rolls else self.score

    def show_sheet(self, name: str) -> None:
        self.sheets[name].setChecked(True)
        self._stack.setCurrentWidget(self._rolls if name == "roll" else self.sheet_parts[1])
        self.four_staves.setVisible(name == "score")
        self.surprisal.setVisible(name == "roll")
        self.show_heat_legend(on=self._heat_on)

    def show_candidates(self, *, on: bool) -> None:
        """Show or hide the candidates; if they had the focus, the sheet gets it."""
        focused = QApplication.focusWidget()
        if not on and focused is not None and self.candidates.isAncestorOf(focused):
            self.shown.setFocus()
        self.candidates.setVisible(on)
        self._arranger.again()

    def add_beside(self, panel: QWidget) -> None:
        """Add a panel at the right of the sheet, hidden; the candidates take its place."""
        self._beside.append(panel)
        panel.hide()
        self._row.addWidget(panel)

    def show_beside(self, *, on: bool) -> None:
        self._beside_on = on
        self._arranger.again()

    def _arrange(self) -> None:
        """Hide the form where it does not fit, and zoom buttons before the legend's letters."""
        free = self.candidates.isHidden()
        for panel in self._beside:
            panel.setVisible(self._beside_on and free)
        alone = free and not self._beside_on
        fits = alone or self.width() >= self._width_of_all()
        self.controls.setVisible(fits)
        self._place_candidates(in_place=not fits)
        zooms = (self.zoom_out, self.zoom_fit, self.zoom_in)
        self._show_texts(on=True)
        heading = self.heading.text_width + self._heat()
        rest = self._room() - self._width_of_buttons()
        if rest < max(heading, min(self.title.text_width, _TITLE)):
            self._show_texts(on=False)
            rest = self._room() - self._width_of_buttons()
        width_of_zooms = sum(button.sizeHint().width() + _HEAD_SPACING for button in zooms)
        roomy = rest >= heading + LETTERS + width_of_zooms or self.strip.isHidden()
        for button in zooms:
            button.setVisible(roomy)
        rest -= width_of_zooms if roomy else 0
        self._share(max(rest, 0), heading)

    def _place_candidates(self, *, in_place: bool) -> None:
        """Put the candidates in place of the form where it is hidden, so that the sheet stays."""
        room = int(self.width() * _CANDIDATES)  # the columns scroll where there are many
        width = min(self.candidates.minimumSizeHint().width(), room)
        width = max(width, self.controls.sizeHint().width()) if in_place else width
        if width != self.candidates.minimumWidth():
            self.candidates.setMinimumWidth(width)
        is_first = self._row.indexOf(self.candidates) == 0
        if not self.candidates.isHidden() and is_first != in_place:
            self._row.removeWidget(self.candidates)
            self._row.insertWidget(0 if in_place else self._row.count(), self.candidates)

    def _show_texts(self, *, on: bool) -> None:
        for button, text in ((self.handle, self.handle.caption), (self.export, _EXPORT)):
            button.setText(text if on else "")

    def _width_of_all(self) -> int:
        """Return the width that the form, the sheet and the panel beside it need."""
        beside = [part for part in (self.candidates, *self._beside) if not part.isHidden()]
        below = [_least(part) for part in self._below if not part.isHidden()]
        panels = [_least(part) for part in (self.controls, *beside)]
        return self._gaps() + sum(panels) + max(_SHEET, *below, 0)

    def _gaps(self) -> int:
        """Return the width of the page's margins and of the spaces between three parts."""
        margins = self._row.contentsMargins()
        return margins.left() + margins.right() + 2 * self._row.spacing()

    def _share(self, width: int, heading: int) -> None:
        """Share a width: the least title, the legend's letters, the whole title, its names."""
        title, names = self.title.text_width, self.legend.sizeHint().width()
        least = max(min(title, width - LETTERS), min(title, _TITLE, width))
        self.heading.setMinimumWidth(max(min(heading, width) - self._heat(), 0))
        self.title.setMinimumWidth(least)
        left = width - max(heading, least)
        fitting = [part for part in (names, LETTERS, 0) if part <= max(left, 0)]
        self.legend.setMinimumWidth(fitting[0])

    def _heat(self) -> int:
        """Return the least width of the scale of surprisal beside the heading, if it is shown."""
        least = self.heat_legend.minimumSizeHint().width() + 2 * _HEAD_SPACING
        return 0 if self.heat_legend.isHidden() else least

    def _room(self) -> int:
        if self._row.indexOf(self.workspace) < 0:  # another page has borrowed the sheet
            return self.workspace.width()
        parts = (self.controls, self.candidates, *self._beside)
        beside = [part.width() for part in parts if not part.isHidden()]
        return self.width() - sum(beside)

    def _width_of_buttons(self) -> int:
        """Return the width of the page's margins and of the sheet's head without its texts."""
        shown = (
            *self.sheets.values(), self.surprisal, self.four_staves, self.handle, self.export,
            self._transport,
        )  # fmt: skip
        widths = [part.sizeHint().width() + _HEAD_SPACING for part in shown if not part.isHidden()]
        return self._gaps() + _HEAD_EDGES + sum(widths)

    def show_editing_controls(self, *, on: bool) -> None:
        for part in (*self.sheets.values(), self.strip):
            part.setVisible(on)
        self._arranger.again()

    def set_score_disabled_reason(self, reason: str) -> None:
        button = self.sheets["score"]
        button.setEnabled(not reason)
        button.setToolTip(reason or with_keys(_SHEET_TIP, tip=_SHEETS[1][2]))

    def add_above_sheet(self, widget: QWidget) -> None:
        self._sheet_column.insertWidget(1, widget)

    def add_below_roll(self, widget: QWidget) -> None:
        self._roll_column.addWidget(widget, 1)

    def add_below(self, widget: QWidget) -> None:
        self._below.append(widget)
        self._column.addWidget(widget)

    def set_heading(self, title: str, heading: str) -> None:
        self.title.setText(title)
        self.heading.setText(heading)
        self._arranger.again()
        self.roll.setAccessibleDescription(f"{title}, {heading}")

    def _lay_out(self) -> None:
        self.export.setAccessibleName(_EXPORT)  # its text may be hidden
        self._column = layout.column(
            self.banner, (self._sheet(), 1), owner=self.workspace, spacing=10
        )
        self._row = layout.row(
            self.controls, (self.workspace, 1), self.candidates,
            owner=self, spacing=10, margins=(10, 4, 10, 4),
        )  # fmt: skip
        self._beside: list[QWidget] = []
        self._below: list[QWidget] = []
        self.candidates.hide()

    def _sheet(self) -> QFrame:
        sheet = QFrame()
        sheet.setObjectName("sheet")
        self._stack = QStackedWidget()
        # the roll and the score, alone in theirs; the roll of model B is beside the first
        self.sheet_parts = roll, score = QWidget(), QWidget()
        for part, view in ((roll, self.roll), (score, self.score)):
            part.setSizePolicy(view.sizePolicy())
            layout.column(view, owner=part)
        self._rolls = QWidget()
        self._roll_column = layout.column((roll, 1), owner=self._rolls)
        self._stack.addWidget(self._rolls)
        self._stack.addWidget(score)
        self._sheet_column = layout.column(
            self._head(), (self._stack, 1), self.strip, owner=sheet, margins=(1, 1, 1, 8)
        )
        self._arranger = layout.Arranger(self._arrange, self, self.workspace, self.controls, sheet)
        return sheet

    def _head(self) -> QHBoxLayout:
        stylesheet.scale_font(self.title, 1.4, QFont.Weight.DemiBold)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.heading.setObjectName("quiet")
        group = QButtonGroup(self)
        for button in self.sheets.values():
            group.addButton(button)
        below = layout.row(self.heading, self.heat_legend, None, spacing=2 * _HEAD_SPACING)
        self._head_row = layout.row(
            (layout.column(self.title, below, spacing=2), _TITLE_STRETCH),
            (self.legend, 1),
            self._transport,
            6,
            layout.row(*self.sheets.values()),
            self.surprisal,
            self.four_staves,
            14,
            self.zoom_out,
            self.zoom_fit,
            self.zoom_in,
            6,
            self.handle,
            self.export,
            spacing=_HEAD_SPACING,
            margins=(18, 14, 14, 12),
        )
        return self._head_row

    def _sheet_button(self, name: str, title: str, tooltip: str) -> QToolButton:
        button = _toggle(tooltip, name)
        button.setToolTip(with_keys(_SHEET_TIP, tip=tooltip))
        button.setText(title)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.clicked.connect(lambda: self.sheet_chosen.emit(name))
        return button


def _least(widget: QWidget) -> int:
    return max(widget.minimumWidth(), widget.minimumSizeHint().width())


def _toggle(tooltip: str, icon: str) -> QToolButton:
    button = icons.button(icon, tooltip)
    button.setCheckable(True)
    return button
