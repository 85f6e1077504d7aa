"""The controls below the sheet: rewrite, vary, continue, draw, lock and rule marks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from musicrel.language import tr
from musicrel.presentation.compose import models
from musicrel.presentation.words.keys import with_keys
from musicrel.ui.actions.commands import COMPARE_TIP, CompareMenu, Group
from musicrel.ui.widgets import icons, layout
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.fields import add_entries, enable

AMOUNTS: Final = (
    (1.0, tr("Rewrite everything"), tr("all notes that are not locked")),
    (0.6, tr("Different"), tr("about six notes in ten, chosen at random")),
    (0.3, tr("Similar"), tr("about three notes in ten, chosen at random")),
    (0.1, tr("Very similar"), tr("about one note in ten, chosen at random")),
)  # share, title and tooltip
_SELECTION: Final = tr("Rewrite selection")
_WHOLE: Final = tr("Vary piece")
_CANCEL: Final = tr("Cancel")
_TIPS: Final = {
    _SELECTION: tr("Generate other notes for the selection; all others are kept"),
    _WHOLE: tr("Rewrite all notes that are not locked; to rewrite only a passage, select it"),
}
_AMOUNT: Final = tr("How much of the piece is rewritten")
_ALL_SELECTED: Final = tr("All selected notes are rewritten")
_MORE: Final = tr("Add bars at the end; existing notes do not change (Ctrl+Shift+G)")
_FEWEST_LETTERS: Final = 10  # of the status: fewer are not read
_ONE_LINE: Final = 860  # width in pixels from which the status text fits beside the buttons
_AMOUNT_TIP: Final = tr("Rewrite {what}")
_REWRITE_TIP: Final = tr("{tip} ({key[rewriting.rewrite]})\n\n{lookahead}")
_STOP_TIP: Final = tr("Stop generating ({key[stop]})")
_AMOUNT_OF: Final = tr("Amount of change")
_CONTINUE: Final = tr("Continue ▾")
_COMPARE_NAME: Final = tr("Compare with another model")
_CONTINUE_NAME: Final = tr("Continue the piece")


class RewriteStrip(QWidget):
    rewrite_clicked = Signal()
    cancel_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._running = False
        self._models: CompareMenu | None = None
        self.rewrite = QPushButton()
        self.amount = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        add_entries(
            self.amount,
            ((name, change, _AMOUNT_TIP.format(what=what)) for change, name, what in AMOUNTS),
        )
        self.more, self._bars = _flat(), QMenu(self)
        self.draw, self.lock, self.marks = _flat(), _flat(), _flat()
        self.compare = _flat()
        # the parts below the buttons; None before the first layout
        self._below: list[QWidget] | None = None
        self.status = _Status()
        self.status.setObjectName("quiet")
        self.status.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._lay_out()
        self.rewrite.clicked.connect(self._emit_clicked)
        self.more.clicked.connect(
            lambda: self._bars.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))
        )
        self.compare.clicked.connect(self._offer_models)
        self.show_state(selected=False, running=False, both_sides=False, disabled_reason="")

    def set_actions(self, commands: Group, models: CompareMenu) -> None:
        """Connect the buttons to the actions of the menu; offer ``models`` to compare with."""
        self._models = models
        self._bars.setToolTipsVisible(True)
        self._bars.addActions(list(commands.continue_by))
        for button, action, icon in (
            (self.draw, commands.draw, "pencil"),
            (self.lock, commands.lock, "lock"),
            (self.marks, commands.marks, "marks"),
        ):
            action.setIcon(icons.themed(icon))
            action.setIconVisibleInMenu(False)
            button.setDefaultAction(action)
            button.setAccessibleName(action.text().replace("&", ""))

    def show_state(
        self, *, selected: bool, running: bool, both_sides: bool, disabled_reason: str
    ) -> None:
        """Offer what is possible now.

        Args:
            selected: True offers to rewrite the selection, False to vary the piece.
            running: True if candidates are generated, which the button cancels.
            both_sides: True if the model sees the notes on both sides.
            disabled_reason: why nothing can be rewritten; "" if it can.
        """
        self._running = running
        task = _SELECTION if selected else _WHOLE
        self.rewrite.setText(_CANCEL if running else task)
        self.rewrite.setEnabled(running or not disabled_reason)
        lookahead = models.lookahead(sees_both_sides=both_sides)
        tip = with_keys(_REWRITE_TIP, tip=_TIPS[task], lookahead=lookahead)
        tooltip = with_keys(_STOP_TIP) if running else disabled_reason or tip
        self.rewrite.setToolTip(tooltip)
        self.rewrite.setAccessibleDescription(tooltip)
        self.amount.setEnabled(not selected)
        self.amount.setToolTip(_ALL_SELECTED if selected else _AMOUNT)
        enable(self.more, disabled_reason, _MORE)

    @Slot()
    def _emit_clicked(self) -> None:
        (self.cancel_clicked if self._running else self.rewrite_clicked).emit()

    @Slot()
    def _offer_models(self) -> None:
        if self._models is not None:
            self._models.popup(self.compare.mapToGlobal(self.compare.rect().bottomLeft()))

    def _lay_out(self) -> None:
        self.amount.setAccessibleName(_AMOUNT_OF)
        self.more.setText(_CONTINUE)
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.more.setAccessibleName(_CONTINUE_NAME)
        self.compare.setText("A/B ▾")
        self.compare.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.compare.setToolTip(COMPARE_TIP)
        self.compare.setAccessibleName(_COMPARE_NAME)
        self._row, self._second = layout.row(spacing=8), layout.row(spacing=8)
        self._column = layout.column(
            self._row, self._second, owner=self, spacing=4, margins=(14, 8, 14, 0)
        )
        layout.Arranger(self._arrange, self).again()

    def _arrange(self) -> None:
        """Move the status, and then menus, below the buttons where these do not fit otherwise."""
        self.rewrite.setMinimumWidth(self._widest())
        parts = [self.rewrite, self.amount, self.more, self.compare, self.draw, self.lock]
        below: list[QWidget] = [] if self.width() >= _ONE_LINE else [self.status]
        for menu in (self.compare, self.more, self.amount):
            if self._width_of(part for part in (*parts, self.marks) if part not in below) > (
                self.width()
            ):
                below = [self.status, menu, *below[1:]]
        if below == self._below:
            return
        self._below = below
        above: list[layout.Part] = [part for part in parts if part not in below]
        middle: layout.Part = None if below else (self.status, 1)
        layout.fill(self._row, *above, middle, self.marks)
        layout.fill(self._second, *((part, 1) if part is self.status else part for part in below))

    def minimumSizeHint(self) -> QSize:
        parts = (self.rewrite, self.draw, self.lock, self.marks)
        return QSize(self._width_of(parts), super().minimumSizeHint().height())

    def _width_of(self, parts: Iterable[QWidget]) -> int:
        widths = [max(part.sizeHint().width(), part.minimumWidth()) for part in parts]
        margins = self._column.contentsMargins()
        spaces = len(widths) * self._row.spacing()
        return sum(widths) + spaces + margins.left() + margins.right()

    def _widest(self) -> int:
        """Return the width of the longest text of the button, so that its width never changes."""
        texts = (_SELECTION, _WHOLE, _CANCEL)
        return max(self.fontMetrics().horizontalAdvance(text) for text in texts) + 34


class _Status(ElidedLabel):
    @property
    def shown_text(self) -> str:
        shown = super().shown_text
        return "" if self.is_elided and len(shown) < _FEWEST_LETTERS else shown


def _flat() -> QToolButton:
    button = QToolButton()
    button.setObjectName("flat")
    button.setIconSize(QSize(20, 20))
    return button
