"""The left panel: the form, the button that starts and stops the writing, facts of the piece.

A passive panel: it shows what it is told and tells what the user did.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from musicrel.presentation.compose.summary import Fact
from musicrel.presentation.words.palette import Theme
from musicrel.ui.compose.entries import Entries
from musicrel.ui.widgets import icons, stylesheet

WIDTH: Final = 312
_FINE: Final = 1000
_HARMONISE: Final = "Three voices to a melody: a tune from here, a file, or the roll (Ctrl+H)"


class Controls(QFrame):
    """The panel.

    Signals:
        generate_clicked: the user wants a piece.
        stop_clicked: the user wants the writing to end.
        harmonise_clicked: the user wants a melody harmonised.
    """

    generate_clicked = Signal()
    stop_clicked = Signal()
    harmonise_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setFixedWidth(WIDTH)
        self._theme: Theme | None = None
        self._running = self._stopping = False
        self._obstacle = ""
        self.entries = Entries()
        self.main, self.harmonise = QPushButton(), QPushButton("Harmonise a melody…")
        self.progress = QProgressBar(textVisible=False, maximum=_FINE)
        self.facts = FactsCard()
        self._lay_out()
        self.main.clicked.connect(self._main_clicked)
        self.harmonise.clicked.connect(self.harmonise_clicked)
        self._show_main()

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._theme = theme
        self.entries.set_theme(theme)
        self._show_main()

    def set_obstacle(self, reason: str) -> None:
        """Why nothing can be generated now, told by the button's tooltip; "" where it can."""
        self._obstacle = reason
        self._show_main()

    def allow_harmony(self, reason: str) -> None:
        """Why no melody can be harmonised now, told by the button's tooltip; "" where one can."""
        self.harmonise.setEnabled(not reason)
        self.harmonise.setToolTip(reason or _HARMONISE)

    def set_running(self, running: bool) -> None:
        """Make the button Stop while a piece is written, Generate otherwise."""
        self._running, self._stopping = running, False
        self.set_progress(None)
        self._show_main()

    def set_stopping(self) -> None:
        """Say that Stop was heard; the note being written is finished first."""
        self._stopping = True
        self._show_main()

    def set_progress(self, share: float | None) -> None:
        """How much is written, 0 to 1; None while that is not known."""
        self.progress.setRange(0, 0 if share is None else _FINE)
        self.progress.setValue(round((share or 0) * _FINE))

    @Slot()
    def _main_clicked(self) -> None:
        if not self._stopping:
            (self.stop_clicked if self._running else self.generate_clicked).emit()

    def _show_main(self) -> None:
        """The button as it is now: what it does, whether it can, and if not, why."""
        running = self._running
        words = "Stopping …" if self._stopping else "Stop" if running else "Generate"
        self.main.setText(words)
        self.main.setAccessibleName(self.main.text())
        self.main.setEnabled(running or not self._obstacle)
        now = "Stop writing (Esc)" if running else "Let the model write a new piece (Ctrl+G)"
        self.main.setToolTip(now if running or not self._obstacle else self._obstacle)
        self.main.setProperty("running", "true" if running else "false")
        self.main.style().unpolish(self.main)  # a style sheet reads properties only then
        self.main.style().polish(self.main)
        self.progress.setVisible(running)
        if self._theme is not None:
            colour = self._theme.accent if running else self._theme.on_accent
            self.main.setIcon(icons.tinted("stop" if running else "generate", self._theme, colour))

    def _lay_out(self) -> None:
        self.main.setObjectName("main")
        self.main.setMinimumHeight(44)
        self.main.setIconSize(QSize(22, 22))
        stylesheet.scaled(self.main, 1.12, QFont.Weight.DemiBold)
        self.progress.setAccessibleName("How much of the piece is written")
        policy = self.progress.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.progress.setSizePolicy(policy)
        below = QVBoxLayout()
        below.setContentsMargins(18, 8, 18, 16)
        below.setSpacing(8)
        self.allow_harmony("")
        for widget in (self.main, self.progress, self.harmonise, self.facts):
            below.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 1, 0, 0)
        column.setSpacing(0)
        column.addWidget(_Scrolled(self.entries), 1000)
        column.addLayout(below)
        column.addStretch(1)


class FactsCard(QWidget):
    """What is told of a finished piece; hidden until there is one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 8, 0, 0)
        self._grid.setVerticalSpacing(7)
        self.hide()

    def tell(self, facts: Iterable[Fact]) -> None:
        """Show these facts instead of those before; none hides the card."""
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for row, fact in enumerate(facts):
            label, value = QLabel(fact.label), QLabel(fact.value)
            label.setObjectName("quiet")
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            for column, widget in enumerate((label, value)):
                widget.setToolTip(fact.meaning)
                self._grid.addWidget(widget, row, column)
            self._grid.setAlignment(value, Qt.AlignmentFlag.AlignRight)
        self.setVisible(self._grid.count() > 0)


class _Scrolled(QScrollArea):
    """Takes as much height as its widget needs, and scrolls where there is less."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self._inner = widget
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setWidget(widget)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def sizeHint(self) -> QSize:
        """That of the widget, at the width there is."""
        width = WIDTH - 2
        return QSize(width, self._inner.heightForWidth(width))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ask for another height when the widget does."""
        if watched is self._inner and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)
