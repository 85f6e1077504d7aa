"""The place where pieces are written: controls at the left, the sheet beside them.

This file knows where things stand; it knows nothing of what they do.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from musicrel.presentation.words.palette import Theme
from musicrel.ui.compose.candidate_panel import CandidatePanel
from musicrel.ui.compose.controls import Controls
from musicrel.ui.compose.rewrite_strip import RewriteStrip
from musicrel.ui.files.midi_drag import DragHandle
from musicrel.ui.roll.heat_legend import HeatLegend
from musicrel.ui.roll.legend import Legend
from musicrel.ui.roll.roll_cursor import RollCursor
from musicrel.ui.roll.roll_selection import RollSelection
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.score.score_view import ScoreView
from musicrel.ui.widgets import icons, stylesheet
from musicrel.ui.widgets.banner import Banner
from musicrel.ui.widgets.short_label import ShortLabel

_SHEETS = (
    ("roll", "Roll", "Notes as a piano roll"),
    ("score", "Score", "Notes as an engraved score"),
)
"""The name of each sheet, its title, and what it is."""
_WIDE_ENOUGH: Final = 1210
"""Width in pixels that has room for form, sheet and candidates beside each other."""
_ROOMY: Final = 660
"""Width that the sheet needs for all its buttons; zooming is in the menu, too."""
_TITLE: Final = 140
"""Width that a title has at least, where it is as long."""


class ComposePage(QWidget):
    """Controls, messages, and the sheet with its head.

    Signals:
        sheet_chosen: the user wants the other sheet; its name, roll or score.
    """

    sheet_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.controls, self.candidates = Controls(), CandidatePanel()
        self.banner = Banner()
        self.desk = QWidget()
        """Messages and the sheet; other places may borrow it."""
        self.roll = RollView()
        self.roll.setAccessibleName("Piano roll")
        self.score = ScoreView()
        self.selecting = RollSelection(self.roll)
        self.playhead = RollCursor(self.roll)
        self.title, self.heading = ShortLabel(), QLabel()
        self.legend, self.heat_legend = Legend(), HeatLegend()
        self.surprisal = _toggle("Colour notes by surprisal (Ctrl+U)")
        self.surprisal.setShortcut(QKeySequence("Ctrl+U"))
        self.sheets = {name: self._sheet_button(name, *words) for name, *words in _SHEETS}
        self.four_staves = _toggle("Four staves (Ctrl+Shift+E)")
        self._heat_on = False
        self.zoom_out = _tool("Show more of the piece (Ctrl+-)")
        self.zoom_fit = _tool("Show the whole piece (Ctrl+0)")
        self.zoom_in = _tool("Show it larger (Ctrl++)")
        self.handle, self.strip = DragHandle(), RewriteStrip()
        self.save = QPushButton("Save…")
        self.save.setIconSize(QSize(18, 18))
        self._lay_out()
        self.show_sheet("roll")

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        parts = (self.controls, self.banner, self.roll, self.score, self.selecting, self.legend)
        for part in (*parts, self.candidates, self.strip):
            part.set_theme(theme)
        self.heat_legend.set_theme(theme)
        for button, name in (
            (self.surprisal, "surprisal"),
            (self.four_staves, "staves"),
            (self.zoom_out, "zoom-out"),
            (self.zoom_fit, "zoom-fit"),
            (self.zoom_in, "zoom-in"),
            (self.save, "save"),
        ):
            button.setIcon(icons.tinted(name, theme))
        self.handle.set_theme(theme)
        self.playhead.set_theme(theme)

    def take_desk(self, desk: QWidget) -> None:
        """Show the sheet here."""
        self._row.insertWidget(1, desk, 1)

    def show_heat_legend(self, *, on: bool) -> None:
        """Show the scale of surprisal in place of the voices' colours, or these."""
        self._heat_on = on
        self.legend.setHidden(on or self.shown is self.score)
        self.heat_legend.setHidden(not on or self.shown is self.score)

    @property
    def shown(self) -> RollView | ScoreView:
        """The sheet that is seen."""
        return self.score if self._stack.currentWidget() is self.score else self.roll

    def show_sheet(self, name: str) -> None:
        """Show the roll or the score, and what belongs to it."""
        self.sheets[name].setChecked(True)
        self._stack.setCurrentWidget(self.score if name == "score" else self.roll)
        self.four_staves.setVisible(name == "score")
        self.surprisal.setVisible(name == "roll")
        self.show_heat_legend(on=self._heat_on)

    def show_candidates(self, *, on: bool) -> None:
        """Show the candidates, or leave them out."""
        self.candidates.setVisible(on)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the room there is."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Leave the form out where the sheet has no room beside it and the candidates."""
        wide = self.width() >= _WIDE_ENOUGH
        self.controls.setVisible(wide or self.candidates.isHidden())
        beside = [part.width() for part in (self.controls, self.candidates) if not part.isHidden()]
        roomy = self.width() - sum(beside) >= _ROOMY or self.strip.isHidden()
        for button in (self.zoom_out, self.zoom_fit, self.zoom_in):
            button.setVisible(roomy)

    def show_switch(self, *, on: bool) -> None:
        """Whether one can go from roll to score here, and rewrite."""
        for part in (*self.sheets.values(), self.strip):
            part.setVisible(on)
        self._make_room()

    def allow_score(self, obstacle: str) -> None:
        """Why there can be no score; "" where there can."""
        button = self.sheets["score"]
        button.setEnabled(not obstacle)
        button.setToolTip(obstacle or f"{_SHEETS[1][2]} (Ctrl+E)")

    @Slot()
    def enlarge(self) -> None:
        """Show what is seen larger."""
        self.shown.zoom_in()

    @Slot()
    def reduce(self) -> None:
        """Show more of what is seen."""
        self.shown.zoom_out()

    @Slot()
    def fit(self) -> None:
        """Show what is seen as large as it is at first."""
        self.shown.fit()

    def add_below(self, widget: QWidget) -> None:
        """Put ``widget`` below the sheet, wherever that is shown."""
        self._column.addWidget(widget)

    def set_heading(self, title: str, heading: str) -> None:
        """Name the piece and say what it is."""
        self.title.say(title)
        self.title.setMinimumWidth(min(self.title.wanted, _TITLE))
        self.heading.setText(heading)
        self.roll.setAccessibleDescription(f"{title}, {heading}")

    def set_saveable(self, reason: str) -> None:
        """Why there is nothing to save; "" where there is."""
        self.save.setEnabled(not reason)
        self.save.setToolTip(reason or "Save as notes, score, sound or picture (Ctrl+S)")

    def _lay_out(self) -> None:
        self._column = QVBoxLayout(self.desk)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(10)
        self._column.addWidget(self.banner)
        self._column.addWidget(self._sheet(), 1)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(10, 4, 10, 4)
        self._row.setSpacing(10)
        self._row.addWidget(self.controls)
        self.take_desk(self.desk)
        self._row.addWidget(self.candidates)
        self.candidates.hide()

    def _sheet(self) -> QFrame:
        sheet = QFrame()
        sheet.setObjectName("sheet")
        column = QVBoxLayout(sheet)
        column.setContentsMargins(1, 1, 1, 8)
        column.setSpacing(0)
        column.addLayout(self._head())
        self._stack = QStackedWidget()
        self._stack.addWidget(self.roll)
        self._stack.addWidget(self.score)
        column.addWidget(self._stack, 1)
        column.addWidget(self.strip)
        return sheet

    def _head(self) -> QHBoxLayout:
        stylesheet.scaled(self.title, 1.4, QFont.Weight.DemiBold)
        self.heading.setObjectName("quiet")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.heading)
        head = QHBoxLayout()
        head.setContentsMargins(18, 14, 14, 12)
        head.setSpacing(6)
        head.addLayout(words, 1)
        head.addWidget(self.legend, 1)
        head.addWidget(self.heat_legend)
        head.addSpacing(6)
        head.addLayout(self._switch())
        head.addWidget(self.surprisal)
        head.addWidget(self.four_staves)
        head.addSpacing(14)
        for button in (self.zoom_out, self.zoom_fit, self.zoom_in):
            head.addWidget(button)
        head.addSpacing(6)
        head.addWidget(self.handle)
        head.addWidget(self.save)
        return head

    def _switch(self) -> QHBoxLayout:
        """The buttons for roll and score, side by side, one of them down."""
        group, row = QButtonGroup(self), QHBoxLayout()
        row.setSpacing(0)
        for button in self.sheets.values():
            group.addButton(button)
            row.addWidget(button)
        return row

    def _sheet_button(self, name: str, title: str, says: str) -> QToolButton:
        button = _toggle(f"{says} (Ctrl+E)")
        button.setText(title)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.clicked.connect(lambda: self.sheet_chosen.emit(name))
        return button


def _tool(says: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName("flat")
    button.setIconSize(QSize(20, 20))
    button.setToolTip(says)
    button.setAccessibleName(says.rpartition(" (")[0])
    return button


def _toggle(says: str) -> QToolButton:
    button = _tool(says)
    button.setCheckable(True)
    return button
