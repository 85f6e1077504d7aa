"""The remark above Generate that names the muted heads."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QWidget

from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.ui.widgets import layout

_CLEAR: Final = "Clear"
_CLEAR_TIP: Final = "Unmute all heads"
_NAME: Final = "Muted heads"
_BETWEEN: Final = "; "
_LINES: Final = 2
_RAGGED: Final = 0.85
"""Share of two lines that is filled before words are wrapped."""


class MutedRemark(QFrame):
    """The muted heads of each model, with a button; hidden where no head is muted.

    Its place stays free where the window is high enough, so that Generate below does not move under
    the mouse.

    Attributes:
        text: names them; elided in its middle where two lines do not hold it.
        clear: the button.

    Signals:
        cleared: all heads are to be unmuted.
    """

    cleared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setAccessibleName(_NAME)
        self.text, self.clear = _TwoLines(), QPushButton(_CLEAR)
        self.clear.setToolTip(_CLEAR_TIP)
        self.clear.clicked.connect(self.cleared)
        parts = ((self.text, 1), self.clear)
        layout.row(*parts, owner=self, spacing=8, margins=(10, 6, 6, 6))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self.hide()

    def minimumSizeHint(self) -> QSize:
        """Return no height while the remark is hidden: a low window has no room for it."""
        size = super().minimumSizeHint()
        return QSize(size.width(), 0) if self.isHidden() else size

    def show_muted(self, muted: MutedHeads) -> None:
        """Name the muted heads of all models; the text stays while none is muted."""
        remarks = list(muted.remarks())
        if remarks:
            self.text.setText(_BETWEEN.join(words for words, _ in remarks))
            self.text.setToolTip("\n".join(f"{words}. {meaning}" for words, meaning in remarks))
            self.setAccessibleDescription(self.text.text())
        self.setVisible(bool(remarks))
        self.updateGeometry()


class _TwoLines(QLabel):
    """A text that is as high as two lines, without its middle where they do not hold it."""

    def __init__(self) -> None:
        super().__init__(alignment=Qt.AlignmentFlag.AlignVCenter)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def sizeHint(self) -> QSize:
        """Return the height of two lines; the width is what is left beside the button."""
        return QSize(0, _LINES * self.fontMetrics().lineSpacing())

    def minimumSizeHint(self) -> QSize:
        """Return the same."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as much of the text as fits."""
        del event
        room, wraps = self.contentsRect(), Qt.TextFlag.TextWordWrap
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideMiddle, round(_LINES * _RAGGED * room.width())
        )
        painter = QPainter(self)
        self.style().drawItemText(
            painter, room, int(self.alignment()) | wraps.value, self.palette(), self.isEnabled(),
            shown, self.foregroundRole(),
        )  # fmt: skip
        painter.end()
