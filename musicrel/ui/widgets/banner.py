"""A message that stands above the sheet until it is closed; it never interrupts.

An offer stands until it is answered: a message that comes meanwhile covers it, and gives it free
again. This file knows sentences; it knows nothing of what went wrong.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets import icons


class Banner(QFrame):
    """One sentence with a button to close it; hidden until there is one.

    Signals:
        accepted: the user takes what the sentence offers.
        declined: the user closed it.
    """

    accepted = Signal()
    declined = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAccessibleName("Message")
        self._sign = QLabel()
        self._sign.setFixedSize(20, 20)
        self._sentence = QLabel()
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self._sentence.setWordWrap(True)
        self._sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._close = QToolButton()
        self._close.setObjectName("flat")
        self._close.setAccessibleName("Close the message")
        self._close.setToolTip("Close the message")
        self._close.setIconSize(QSize(16, 16))
        self._close.clicked.connect(self._decline)
        self._offer = QPushButton()
        self._offer.clicked.connect(self._accept)
        self._standing: tuple[str, str] | None = None
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 10, 10, 10)
        row.setSpacing(10)
        row.addWidget(self._sign)
        row.addWidget(self._sentence, 1)
        row.addWidget(self._offer)
        row.addWidget(self._close)

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._sign.setPixmap(icons.tinted("warning", theme, theme.on_warning).pixmap(20, 20))
        self._close.setIcon(icons.tinted("close", theme, theme.on_warning))

    def tell(self, sentence: str, offer: str = "") -> None:
        """Show a sentence; it replaces the one before.

        Args:
            sentence: what is told.
            offer: the words of a button that takes what the sentence offers; "" for none.
        """
        if offer:
            self._standing = (sentence, offer)
        self._sentence.setText(sentence)
        self._offer.setText(offer)
        self._offer.setVisible(bool(offer))
        self.setAccessibleDescription(sentence)
        self.show()

    def dismiss(self) -> None:
        """What it says is no longer so; an offer stands."""
        if self._standing is not None:
            self.tell(*self._standing)
        else:
            self.hide()

    @property
    def sentence(self) -> str:
        """What it says, "" while it is hidden."""
        return "" if self.isHidden() else self._sentence.text()

    @property
    def offer(self) -> str:
        """The words of its button, "" where it has none."""
        return self._offer.text()

    @Slot()
    def _accept(self) -> None:
        self._standing = None
        self.hide()
        self.accepted.emit()

    @Slot()
    def _decline(self) -> None:
        if not self.offer:
            self.dismiss()
            return
        self._standing = None
        self.hide()
        self.declined.emit()
