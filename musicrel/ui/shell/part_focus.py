"""The keyboard focus on the Compose page: F6 goes from form to sheet to takes, Esc to the sheet."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from musicrel.ui.compose.compose_page import ComposePage


class PartFocus(QObject):
    """Moves the focus between the parts of the page."""

    def __init__(self, page: ComposePage, takes: QWidget, action: QAction) -> None:
        super().__init__(page)
        self._page, self._takes = page, takes
        page.controls.installEventFilter(self)
        action.triggered.connect(self.go_on)

    @Slot()
    def go_on(self) -> None:
        """Focus the part after the one with the focus; from elsewhere, the sheet."""
        page, focused = self._page, QApplication.focusWidget()
        form = page.controls.compose_form
        parts = (
            (page.controls, form.bars),
            (page.shown, page.shown),
            (self._takes, self._takes),
        )
        visible = [(part, target) for part, target in parts if target.isVisible()]
        present = [part is focused or part.isAncestorOf(focused) for part, _ in visible if focused]
        if not visible:
            return
        if True in present:
            visible[(present.index(True) + 1) % len(visible)][1].setFocus()
        else:
            page.shown.setFocus()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() != Qt.Key.Key_Escape or event.modifiers():
            return False
        self._page.shown.setFocus()
        return True
