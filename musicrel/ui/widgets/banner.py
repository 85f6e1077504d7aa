"""A message bar above the sheet that stays until it is closed and never blocks the window.

A message with a button stays until it is answered: a later message covers it and uncovers it again
when it is closed.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QLabel, QProgressBar, QPushButton, QWidget

from musicrel.language import tr
from musicrel.ui.widgets import icons, layout, stylesheet

_CLOSE, _MORE, _CANCEL = tr("Close the message"), tr("and {} more"), tr("Cancel: {doing}")
_MOST_LINES: Final = 6  # A heading and five changes; the tooltip has the others


class Banner(QFrame):
    """A message with a close button and an optional second button; hidden without a message."""

    accepted = Signal()  # the user clicked the second button

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAccessibleName(tr("Message"))
        self._label = QLabel(
            textFormat=Qt.TextFormat.PlainText,
            wordWrap=True,
            textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse,
        )
        self._close = icons.button("close", _CLOSE, 16, "on_warning")
        self._close.clicked.connect(self._decline)
        self._offer = QPushButton()
        self._offer.clicked.connect(self._accept)
        self._pending: tuple[str, str, bool] | None = None
        self._sign = icons.IconLabel("warning", 20, "on_warning")
        parts = (self._sign, (self._label, 1), self._offer, self._close)
        layout.row(*parts, owner=self, spacing=10, margins=(14, 10, 10, 10))
        self.hide()

    def show_message(self, message: str, offer: str = "", *, notice: bool = False) -> None:
        if offer:
            self._pending = (message, offer, notice)
        self._show_look("notice" if notice else "banner")
        lines = message.splitlines()
        more = len(lines) - _MOST_LINES
        shown = [*lines[:_MOST_LINES], *([_MORE.format(more)] if more > 0 else [])]
        self._label.setText("\n".join(shown))
        self._label.setToolTip(message if more > 0 else "")
        self._offer.setText(offer)
        self._offer.setVisible(bool(offer))
        self.setAccessibleDescription(message)
        self.show()

    def dismiss(self) -> None:
        """Hide the message, or go back to the one that is not answered yet."""
        if self._pending is not None:
            message, offer, notice = self._pending
            self.show_message(message, offer, notice=notice)
        else:
            self.hide()

    def clear(self) -> None:
        self._pending = None
        self.hide()

    @property
    def message(self) -> str:
        return "" if self.isHidden() else self._label.text()

    @property
    def offer(self) -> str:
        return self._offer.text()

    def _show_look(self, name: str) -> None:
        if self.objectName() == name:
            return
        self.setObjectName(name)
        warns = name == "banner"
        self._sign.setVisible(warns)
        self._close.setIcon(icons.themed("close", "on_warning" if warns else "text"))
        for part in (self, self._label):
            stylesheet.read_again(part)

    @Slot()
    def _accept(self) -> None:
        self.clear()
        self.accepted.emit()

    @Slot()
    def _decline(self) -> None:
        if self.offer:
            self.clear()
        else:
            self.dismiss()


_FINE: Final = 1000


class JobStrip(QWidget):
    cancelled = Signal()  # Cancel was clicked

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bar = QProgressBar(textVisible=False, maximum=_FINE)
        self._bar.setFixedWidth(120)
        self._bar.setAccessibleName(tr("Progress"))
        self._cancel = QPushButton(tr("Cancel"))
        self._cancel.setObjectName("flat")
        self._cancel.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._cancel.clicked.connect(self.cancelled)
        layout.row(self._bar, self._cancel, owner=self, spacing=8, margins=(0, 0, 8, 0))
        self.hide()

    def show_share(self, share: float, doing: str) -> None:
        self._bar.setValue(round(share * _FINE))
        self._cancel.setToolTip(_CANCEL.format(doing=doing))
        self.show()
