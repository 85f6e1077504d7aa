"""The left panel: the form, the Generate button and facts about the piece, without logic."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from musicrel.language import tr
from musicrel.presentation.compose.summary import Fact
from musicrel.presentation.words.keys import with_keys
from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.ui.compose.compose_form import ComposeForm
from musicrel.ui.document.document import Document
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.layout import ColumnScroller, SideColumn

WIDTH: Final = 312
_FINE: Final = 1000
_FACTS, _BETWEEN = 2, 7  # rows of facts that are seen at least; pixels between them
_SCROLL_BAR: Final = 12  # width in pixels
_FIRST: Final = 1_000_000  # stretch factor: the form gets its height before the blank space does
# greatest width of a fact in letters; the names of own models may be longer
_VALUE_LETTERS: Final = 26
_HARMONISE_TEXT: Final = tr("Harmonise a melody…")
_HYMN_TEXT: Final = tr("Hymn from words…")
_STOPPING: Final = tr("Stopping …")
_STOP_TIP: Final = tr("Stop generating ({key[stop]})")
_GENERATE_TIP: Final = tr("Generate a new piece ({key[generate]})")
_CLEAR: Final = tr("Unmute all")
_NAME: Final = tr("Muted heads")


class Controls(SideColumn):
    generate_clicked = Signal()
    stop_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(WIDTH, parent)
        self.setObjectName("panel")
        self._running = self._stopping = self._was_shown = False
        self._disabled_reason = ""
        self.compose_form = ComposeForm()
        self.generate_button, self.harmonise = QPushButton(), QPushButton(_HARMONISE_TEXT)
        self.hymn = QPushButton(_HYMN_TEXT)
        self.progress = QProgressBar(textVisible=False, maximum=_FINE)
        self.preparation = layout.quiet("")
        self.facts = FactsCard()
        self._lay_out()
        self.generate_button.clicked.connect(self._emit_clicked)
        self._update_generate_button()

    def set_disabled_reason(self, reason: str) -> None:
        self._disabled_reason = reason
        self._update_generate_button()

    def show_preparation(self, text: str, share: float | None) -> None:
        """Show what is prepared before the first piece, and how much of it is done; "": nothing."""
        self.preparation.setText(text)
        self.preparation.setVisible(bool(text))
        self.progress.setVisible(self._running or bool(text))
        if text:
            self.set_progress(share)

    def set_running(self, running: bool) -> None:
        self._running, self._stopping = running, False
        self.progress.hide()  # where it is seen, it repaints at once
        self.set_progress(None)
        self._update_generate_button()

    def set_stopping(self) -> None:
        self._stopping = True
        self._update_generate_button()

    def set_progress(self, share: float | None) -> None:
        """Show the progress, 0 to 1; None: unknown."""
        self.progress.setRange(0, 0 if share is None else _FINE)
        self.progress.setValue(round((share or 0) * _FINE))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            self._show_advanced(self.compose_form.advanced.heading.isChecked())

    @Slot(bool)
    def _show_advanced(self, on: bool) -> None:
        if on:
            top = self.compose_form.advanced.y()
            bar = self._form.verticalScrollBar()
            QTimer.singleShot(0, bar, lambda: bar.setValue(top))

    @Slot()
    def _emit_clicked(self) -> None:
        if not self._stopping:
            (self.stop_clicked if self._running else self.generate_clicked).emit()

    def _update_generate_button(self) -> None:
        running = self._running
        text = _STOPPING if self._stopping else tr("Stop") if running else tr("Generate")
        self.generate_button.setText(text)
        self.generate_button.setAccessibleName(self.generate_button.text())
        self.generate_button.setEnabled(running or not self._disabled_reason)
        tip = with_keys(_STOP_TIP if running else _GENERATE_TIP)
        self.generate_button.setToolTip(
            tip if running or not self._disabled_reason else self._disabled_reason
        )
        self.generate_button.setProperty("running", "true" if running else "false")
        stylesheet.read_again(self.generate_button)
        self.progress.setVisible(running or not self.preparation.isHidden())
        icon = ("stop", "accent") if running else ("generate", "on_accent")
        self.generate_button.setIcon(icons.themed(*icon))

    def _lay_out(self) -> None:
        self.generate_button.setObjectName("main")
        self.generate_button.setMinimumHeight(44)
        self.generate_button.setIconSize(QSize(22, 22))
        stylesheet.scale_font(self.generate_button, 1.12, QFont.Weight.DemiBold)
        self.progress.setAccessibleName(tr("Progress"))
        policy = self.progress.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.progress.setSizePolicy(policy)
        self._form = form = _Scrolled(self.compose_form)
        self.preparation.hide()
        parts = (self.generate_button, self.progress, self.preparation, self.harmonise, self.hymn)
        self._below = layout.column(*parts, spacing=8, margins=(18, 4, 18, 8))
        facts = layout.row(self.facts, margins=(18, 0, 18 - _SCROLL_BAR, 8))
        layout.column((form, _FIRST), self._below, facts, None, owner=self, margins=(0, 1, 0, 0))
        self.facts.setFixedHeight(self.facts.least)
        arranger = layout.Arranger(self._arrange, self, self.facts.inside)
        for slot in (self._show_advanced, arranger.again):
            self.compose_form.advanced.opened.connect(slot)

    def _arrange(self) -> None:
        """Let the facts scroll where the form needs their room."""
        whole = self.facts.sizeHint().height()
        others = self._form.sizeHint().height() + self._below.sizeHint().height()
        room = self.height() - others - 2 * _BETWEEN
        self.facts.setFixedHeight(min(max(room, self.facts.least), whole))


class FactsCard(ColumnScroller):
    def __init__(self) -> None:
        super().__init__(QWidget())
        self._grid = QGridLayout(self.inside)
        self._grid.setContentsMargins(0, 0, _SCROLL_BAR, 0)
        self._grid.setVerticalSpacing(_BETWEEN)
        self.hide()

    @property
    def least(self) -> int:
        """Return the height of the first rows."""
        return _FACTS * (self.fontMetrics().height() + _BETWEEN)

    def sizeHint(self) -> QSize:
        return self.inside.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Return the width of the content: the scroll bar covers its margin."""
        return QSize(self.inside.minimumSizeHint().width(), self.least)

    def set_facts(self, facts: Iterable[Fact]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for row, fact in enumerate(facts):
            label, value = QLabel(fact.label), _value(fact)
            label.setObjectName("quiet")
            label.setToolTip(fact.meaning)
            for column, widget in enumerate((label, value)):
                self._grid.addWidget(widget, row, column)
            self._grid.setAlignment(value, Qt.AlignmentFlag.AlignRight)
        self.setVisible(self._grid.count() > 0)


def _value(fact: Fact) -> QLabel:
    """Return the label of a value; a long one loses its middle, which the tooltip has."""
    value = QLabel()
    metrics = value.fontMetrics()
    room = _VALUE_LETTERS * metrics.averageCharWidth()
    value.setText(metrics.elidedText(fact.value, Qt.TextElideMode.ElideMiddle, room))
    value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    is_whole = value.text() == fact.value
    tip = fact.meaning if is_whole else f"{fact.value}\n{fact.meaning}"
    value.setToolTip(tip)
    return value


class _Scrolled(ColumnScroller):
    def __init__(self, inside: QWidget) -> None:
        super().__init__(inside)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def resizeEvent(self, event: QResizeEvent) -> None:
        cut = self.width() < self.inside.minimumSizeHint().width()
        policy = Qt.ScrollBarPolicy
        self.setHorizontalScrollBarPolicy(
            policy.ScrollBarAsNeeded if cut else policy.ScrollBarAlwaysOff
        )
        super().resizeEvent(event)

    def minimumSizeHint(self) -> QSize:
        """Return the width of the content: the scroll bar covers its margin."""
        width = self.inside.minimumSizeHint().width()
        return QSize(width, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        width = max(WIDTH - 2, self.minimumSizeHint().width())
        height = self.inside.heightForWidth(width)
        return QSize(width, height if height >= 0 else self.inside.sizeHint().height())


class MutedRemark(QFrame):
    """The muted heads of each model, with a button; hidden where no head is muted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAccessibleName(_NAME)
        self.text = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.clear = QPushButton(_CLEAR)
        self.clear.setAutoDefault(False)
        layout.row((self.text, 1), self.clear, owner=self, spacing=10, margins=(14, 6, 10, 6))
        self.hide()

    def follow(self, document: Document) -> None:
        self._document = document
        document.form_changed.connect(self._show)
        self.clear.clicked.connect(
            lambda: self._document.set_form(replace(self._document.form, muted=MutedHeads()))
        )
        self._show()

    @Slot()
    def _show(self) -> None:
        remarks = list(self._document.form.muted.remarks())
        self.text.setText("; ".join(words for words, _ in remarks))
        self.text.setToolTip("\n".join(f"{words}. {meaning}" for words, meaning in remarks))
        self.setAccessibleDescription(self.text.text())
        self.setVisible(bool(remarks))
