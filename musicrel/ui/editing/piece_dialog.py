"""Dialogs that edit the whole piece in one step of Undo, and the controllers that open them."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from musicrel.chorale import Chorale
from musicrel.score.editing.draft import Edit
from musicrel.ui.editing.edit_controller import Editor
from musicrel.ui.files.dialogs import ActionDialog
from musicrel.ui.shell.main_window import Services


class PieceDialog(ActionDialog):
    def __init__(self, title: str, action: str, parent: QWidget | None) -> None:
        super().__init__(title, action, parent)
        self.action_button.setObjectName("main")
        self.buttons.accepted.connect(self.accept)

    def edit(self, piece: Chorale) -> Edit:
        raise NotImplementedError


_Dialog = TypeVar("_Dialog", bound=PieceDialog)


class PieceDialogController(QObject, Generic[_Dialog]):
    """Opens a dialog by its command; it closes when another piece is shown."""

    def __init__(self, services: Services, editor: Editor, action: QAction) -> None:
        super().__init__(services.document)
        self._document, self._editor, self._window = services.document, editor, services.window
        self.dialog: _Dialog | None = None
        action.triggered.connect(self.ask)
        self._document.screen_changed.connect(self._close)

    def make(self, piece: Chorale) -> _Dialog:
        raise NotImplementedError

    @Slot()
    def ask(self) -> None:
        piece = self._document.piece
        if piece is not None and self.dialog is None:
            self.dialog = dialog = self.make(piece)
            dialog.accepted.connect(self._apply)
            dialog.finished.connect(self._on_finished)
            dialog.open()

    @Slot()
    def _apply(self) -> None:
        dialog, self.dialog = self.dialog, None
        piece, selection = self._document.piece, self._document.selection
        if dialog is not None and piece is not None:
            self._editor.apply(
                lambda: replace(dialog.edit(piece), selection=selection), unchanged=""
            )

    @Slot()
    def _close(self) -> None:
        if self.dialog is not None:
            self.dialog.reject()

    @Slot()
    def _on_finished(self) -> None:
        self.dialog = None
