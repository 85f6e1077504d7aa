"""Below the sheet: what rewrites, varies and continues the piece, the lock, the marks of rules.

A passive widget: it shows what it is told and tells what the user did.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)

from musicrel.presentation.compose import rewrite_form
from musicrel.presentation.words.palette import Theme
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.widgets import icons
from musicrel.ui.widgets.fields import NumberField
from musicrel.ui.widgets.short_label import ShortLabel

_SELECTION: Final = "Rewrite selection"
_WHOLE: Final = "Vary piece"
_CANCEL: Final = "Cancel"
_TIPS: Final = {
    _SELECTION: "Write new versions of what is selected; all else stays note for note",
    _WHOLE: "Write new versions of the whole piece but for what is locked; select voices over "
    "time to rewrite just that",
}
_AMOUNT: Final = "How much of the piece is varied, from all anew to very similar"
_ALL_OF_IT: Final = "All that is selected is written anew; without a selection one can vary a part"
_MORE: Final = "Write more bars at the end; all that is there stays note for note (Ctrl+Shift+G)"
_COUNT_WIDTH: Final = 62
_ROOMY: Final = 600


class RewriteStrip(QWidget):
    """One line of controls and a line of words.

    Signals:
        rewrite_clicked: the user wants new versions.
        cancel_clicked: the user wants that to end.
    """

    rewrite_clicked = Signal()
    cancel_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selected = self._running = self._sees = False
        self._obstacle = ""
        self.rewrite = QPushButton()
        self.amount = QComboBox()
        for row, (change, name, says) in enumerate(rewrite_form.AMOUNTS):
            self.amount.addItem(name, change)
            self.amount.setItemData(row, f"Vary {says}", Qt.ItemDataRole.ToolTipRole)
        self.count = NumberField(1, rewrite_form.MOST, rewrite_form.USUAL)
        self.more, self._bars = _flat(), QMenu(self)
        self.pencil, self.lock, self.marks = _flat(), _flat(), _flat()
        self.words = ShortLabel()
        self.words.setObjectName("quiet")
        self._lay_out()
        self.rewrite.clicked.connect(self._clicked)
        self.more.clicked.connect(self._offer_bars)
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        for button, name in (
            (self.pencil, "pencil"),
            (self.lock, "lock"),
            (self.marks, "marks"),
        ):
            button.defaultAction().setIcon(icons.tinted(name, theme))

    def set_actions(self, act: RewriteCommands) -> None:
        """Let the buttons be those of the menu's commands."""
        self._bars.setToolTipsVisible(True)
        self._bars.addActions(list(act.continue_by))
        for button, action in (
            (self.pencil, act.draw),
            (self.lock, act.lock),
            (self.marks, act.marks),
        ):
            action.setIconVisibleInMenu(False)
            button.setDefaultAction(action)
            button.setAccessibleName(action.text().replace("&", ""))

    def set_sight(self, *, both_sides: bool) -> None:
        """Whether the model that would write knows what comes after."""
        self._sees = both_sides
        self._show()

    def set_selected(self, *, selected: bool) -> None:
        """Whether there is a selection to be rewritten."""
        self._selected = selected
        self._show()

    def set_obstacle(self, reason: str) -> None:
        """Why nothing can be rewritten now; "" where it can."""
        self._obstacle = reason
        self._show()

    def set_running(self, *, running: bool) -> None:
        """Make the button Cancel while versions are being written."""
        self._running = running
        self._show()

    @Slot()
    def _clicked(self) -> None:
        (self.cancel_clicked if self._running else self.rewrite_clicked).emit()

    @Slot()
    def _offer_bars(self) -> None:
        """Ask by how many bars, without holding up the window."""
        self._bars.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _show(self) -> None:
        what = _SELECTION if self._selected else _WHOLE
        self.rewrite.setText(_CANCEL if self._running else what)
        self.rewrite.setEnabled(self._running or not self._obstacle)
        way = rewrite_form.way(sees_both_sides=self._sees)
        tip = f"{_TIPS[what]} (Ctrl+Shift+R)\n\n{way}"
        now = "End the writing of new versions (Esc)" if self._running else self._obstacle or tip
        self.rewrite.setToolTip(now)
        self.rewrite.setAccessibleDescription(now)
        self.amount.setEnabled(not self._selected)
        self.amount.setToolTip(_ALL_OF_IT if self._selected else _AMOUNT)
        self.more.setEnabled(not self._obstacle)
        self.more.setToolTip(self._obstacle or _MORE)

    def _lay_out(self) -> None:
        self.rewrite.setMinimumWidth(self._widest())
        self.count.setFixedWidth(_COUNT_WIDTH)
        self.count.setAccessibleName("How many versions")
        self.count.setToolTip("How many versions are written at once, to choose from")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 14, 0)
        row.setSpacing(8)
        self.amount.setAccessibleName("How much of the piece is varied")
        self.more.setText("Continue ▾")
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.more.setAccessibleName("Continue the piece")
        for widget in (self.rewrite, self.amount, self.count, self.more, self.pencil, self.lock):
            row.addWidget(widget)
        row.addWidget(self.words, 1)
        row.addWidget(self.marks)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave to the menu what there is no room for beside the words."""
        super().resizeEvent(event)
        self.more.setVisible(self.width() >= _ROOMY)

    def _widest(self) -> int:
        """Room for every text of the button, so that nothing moves when it changes."""
        texts = (_SELECTION, _WHOLE, _CANCEL)
        return max(self.fontMetrics().horizontalAdvance(text) for text in texts) + 34


def _flat() -> QToolButton:
    button = QToolButton()
    button.setObjectName("flat")
    button.setIconSize(QSize(20, 20))
    return button
