"""The offers on the empty sheet at the first start, without logic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from musicrel.ui.widgets import layout, stylesheet

_TITLE: Final = "First steps"
_AGAIN: Final = "Help > First steps on the empty sheet shows this again."
_WIDTH: Final = 400


class StartOffers(QFrame):
    """A card with buttons in the middle of a sheet; hidden at first."""

    def __init__(self, sheet: QWidget, offers: Sequence[tuple[str, QAction]]) -> None:
        super().__init__(sheet)
        self._sheet = sheet
        self.setObjectName("sheet")
        self.setAccessibleName(_TITLE)
        self.buttons = tuple(_OfferButton(text, action) for text, action in offers)
        self.buttons[0].setObjectName("main")
        title, again = QLabel(_TITLE), QLabel(_AGAIN, wordWrap=True)
        stylesheet.scale_font(title, 1.35, QFont.Weight.DemiBold)
        stylesheet.scale_font(again, 0.92)
        again.setObjectName("quiet")
        for label in (title, again):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        layout.column(
            title, 6, *self.buttons, 4, again, owner=self, spacing=10, margins=(28, 22, 28, 20)
        )
        self.setFixedWidth(_WIDTH)
        sheet.installEventFilter(self)
        self.hide()

    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        self._centre()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._sheet:
            self._centre()
        return False

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._centre()

    def _centre(self) -> None:
        self.adjustSize()
        place = self.rect()
        place.moveCenter(self._sheet.rect().center())
        self.move(max(place.x(), 0), max(place.y(), 0))


class _OfferButton(QPushButton):
    """A button that triggers a command and is disabled with it."""

    def __init__(self, text: str, action: QAction) -> None:
        super().__init__(text)
        self._action = action
        self.clicked.connect(action.trigger)
        action.changed.connect(self._update)
        self._update()

    @Slot()
    def _update(self) -> None:
        enabled = self._action.isEnabled()
        self.setEnabled(enabled)
        self.setToolTip("" if enabled else self._action.toolTip())
