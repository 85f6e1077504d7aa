"""A message bar above the sheet that stays until it is closed and never blocks the window.

A message with a button stays until it is answered: a later message covers it and uncovers it again
when it is closed.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets import icons


class Banner(QFrame):
    """A message with a close button and an optional second button; hidden without a message.

    Signals:
        accepted: the user clicked the second button.
        declined: the user closed a message with a second button.
    """

    accepted = Signal()
    declined = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAccessibleName("Message")
        self._icon = QLabel()
        self._icon.setFixedSize(20, 20)
        self._label = QLabel()
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._close = QToolButton()
        self._close.setObjectName("flat")
        self._close.setAccessibleName("Close the message")
        self._close.setToolTip("Close the message")
        self._close.setIconSize(QSize(16, 16))
        self._close.clicked.connect(self._decline)
        self._offer = QPushButton()
        self._offer.clicked.connect(self._accept)
        self._pending: tuple[str, str] | None = None
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 10, 10, 10)
        row.setSpacing(10)
        row.addWidget(self._icon)
        row.addWidget(self._label, 1)
        row.addWidget(self._offer)
        row.addWidget(self._close)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._icon.setPixmap(icons.tinted("warning", theme, theme.on_warning).pixmap(20, 20))
        self._close.setIcon(icons.tinted("close", theme, theme.on_warning))

    def show_message(self, message: str, offer: str = "") -> None:
        """Show a message in place of the one before.

        Args:
            message: plain text.
            offer: text of the second button; "": no second button.
        """
        if offer:
            self._pending = (message, offer)
        self._label.setText(message)
        self._offer.setText(offer)
        self._offer.setVisible(bool(offer))
        self.setAccessibleDescription(message)
        self.show()

    def dismiss(self) -> None:
        """Hide the message, or go back to the one that is not answered yet."""
        if self._pending is not None:
            self.show_message(*self._pending)
        else:
            self.hide()

    @property
    def message(self) -> str:
        """Return the message; "" while the banner is hidden."""
        return "" if self.isHidden() else self._label.text()

    @property
    def offer(self) -> str:
        """Return the text of the second button; "" without one."""
        return self._offer.text()

    @Slot()
    def _accept(self) -> None:
        self._pending = None
        self.hide()
        self.accepted.emit()

    @Slot()
    def _decline(self) -> None:
        if not self.offer:
            self.dismiss()
            return
        self._pending = None
        self.hide()
        self.declined.emit()
