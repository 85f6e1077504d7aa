"""The controls below the sheet: rewrite, vary, continue, draw, lock and rule marks."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from musicrel.presentation.compose import rewrite_form
from musicrel.ui.actions import compare_menu
from musicrel.ui.actions.compare_menu import CompareMenu
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.widgets import icons, layout
from musicrel.ui.widgets.elided_label import ElidedLabel

_SELECTION: Final = "Rewrite selection"
_WHOLE: Final = "Vary piece"
_CANCEL: Final = "Cancel"
_TIPS: Final = {
    _SELECTION: "Generate other notes for the selection; all others stay",
    _WHOLE: "Generate other notes for all that are not locked; to rewrite a part, select it",
}
_AMOUNT: Final = "How much of the piece is rewritten"
_ALL_SELECTED: Final = "All selected notes are rewritten"
_MORE: Final = "Add bars at the end; the present notes do not change (Ctrl+Shift+G)"
_ROOMY: Final = 600
"""Width in pixels below which Continue is in the menu only."""
_ONE_LINE: Final = 860
"""Width in pixels from which the status text fits beside the buttons."""
_AMOUNT_TIP: Final = "Rewrite {what}"
_REWRITE_TIP: Final = "{tip} (Ctrl+Shift+R)\n\n{lookahead}"
_STOP_TIP: Final = "Stop generating (Esc)"
_AMOUNT_OF: Final = "Amount of change"
_CONTINUE: Final = "Continue ▾"
_COMPARE: Final = "A/B ▾"
_COMPARE_NAME: Final = "Compare with another model"
_CONTINUE_NAME: Final = "Continue the piece"


class RewriteStrip(QWidget):
    """A row of controls and a status text.

    Signals:
        rewrite_clicked: Rewrite was clicked.
        cancel_clicked: Cancel was clicked.
    """

    rewrite_clicked = Signal()
    cancel_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selected = self._running = self._both_sides = False
        self._models: CompareMenu | None = None
        self._disabled_reason = ""
        self.rewrite = QPushButton()
        self.amount = QComboBox()
        for row, (change, name, description) in enumerate(rewrite_form.AMOUNTS):
            self.amount.addItem(name, change)
            self.amount.setItemData(
                row, _AMOUNT_TIP.format(what=description), Qt.ItemDataRole.ToolTipRole
            )
        self.more, self._bars = _flat(), QMenu(self)
        self.draw, self.lock, self.marks = _flat(), _flat(), _flat()
        self.compare = _flat()
        self.status = ElidedLabel()
        self.status.setObjectName("quiet")
        self.status.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._lay_out()
        self.rewrite.clicked.connect(self._emit_clicked)
        self.more.clicked.connect(self._offer_bars)
        self.compare.clicked.connect(self._offer_models)
        self._update_buttons()

    def set_actions(self, commands: RewriteCommands, models: CompareMenu) -> None:
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

    def set_lookahead(self, *, both_sides: bool) -> None:
        """Show in the tooltip whether the model sees the notes on both sides."""
        self._both_sides = both_sides
        self._update_buttons()

    def set_selected(self, *, selected: bool) -> None:
        """Offer to rewrite the selection or to vary the piece."""
        self._selected = selected
        self._update_buttons()

    def set_disabled_reason(self, reason: str) -> None:
        """Disable rewriting and show ``reason`` in the tooltips; "" enables it."""
        self._disabled_reason = reason
        self._update_buttons()

    def set_running(self, *, running: bool) -> None:
        """Show Cancel on the button while candidates are generated."""
        self._running = running
        self._update_buttons()

    @Slot()
    def _emit_clicked(self) -> None:
        (self.cancel_clicked if self._running else self.rewrite_clicked).emit()

    @Slot()
    def _offer_bars(self) -> None:
        """Open the menu of numbers of bars, without blocking the window."""
        self._bars.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    @Slot()
    def _offer_models(self) -> None:
        """Open the menu of models to compare with, without blocking the window."""
        if self._models is not None:
            self._models.popup(self.compare.mapToGlobal(self.compare.rect().bottomLeft()))

    def _update_buttons(self) -> None:
        task = _SELECTION if self._selected else _WHOLE
        self.rewrite.setText(_CANCEL if self._running else task)
        self.rewrite.setEnabled(self._running or not self._disabled_reason)
        lookahead = rewrite_form.lookahead_text(sees_both_sides=self._both_sides)
        tip = _REWRITE_TIP.format(tip=_TIPS[task], lookahead=lookahead)
        tooltip = _STOP_TIP if self._running else self._disabled_reason or tip
        self.rewrite.setToolTip(tooltip)
        self.rewrite.setAccessibleDescription(tooltip)
        self.amount.setEnabled(not self._selected)
        self.amount.setToolTip(_ALL_SELECTED if self._selected else _AMOUNT)
        self.more.setEnabled(not self._disabled_reason)
        self.more.setToolTip(self._disabled_reason or _MORE)

    def _lay_out(self) -> None:
        self.rewrite.setMinimumWidth(self._widest())
        self.amount.setAccessibleName(_AMOUNT_OF)
        self.more.setText(_CONTINUE)
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.more.setAccessibleName(_CONTINUE_NAME)
        self.compare.setText(_COMPARE)
        self.compare.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.compare.setToolTip(compare_menu.TIP)
        self.compare.setAccessibleName(_COMPARE_NAME)
        self._row = layout.row(
            self.rewrite, self.amount, self.more, self.compare, self.draw, self.lock,
            (self.status, 1), self.marks, spacing=8,
        )  # fmt: skip
        self._column = layout.column(self._row, owner=self, spacing=4, margins=(14, 8, 14, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move the status below the buttons in a narrow window; the menu has what is hidden."""
        super().resizeEvent(event)
        self.more.setVisible(self.width() >= _ROOMY)
        self._place_status(below=self.width() < _ONE_LINE)
        self.compare.setVisible(self._has_room(self.compare))

    def _has_room(self, button: QToolButton) -> bool:
        """Return True if no other widget is narrower than its text beside ``button``."""
        own = button.sizeHint().width() + self._row.spacing()
        needed = self._column.sizeHint().width() + (own if button.isHidden() else 0)
        return needed <= self.width()

    def _place_status(self, *, below: bool) -> None:
        """Put the status into a row of its own, or between the buttons."""
        if below == (self._column.indexOf(self.status) >= 0):
            return
        if below:
            self._row.removeWidget(self.status)
            self._row.insertStretch(self._row.count() - 1, 1)
            self._column.addWidget(self.status)
        else:
            self._column.removeWidget(self.status)
            self._row.takeAt(self._row.count() - 2)
            self._row.insertWidget(self._row.count() - 1, self.status, 1)

    def _widest(self) -> int:
        """Return the width of the longest text of the button, so that its width never changes."""
        texts = (_SELECTION, _WHOLE, _CANCEL)
        return max(self.fontMetrics().horizontalAdvance(text) for text in texts) + 34


def _flat() -> QToolButton:
    button = QToolButton()
    button.setObjectName("flat")
    button.setIconSize(QSize(20, 20))
    return button
