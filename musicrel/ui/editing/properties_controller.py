"""Controller of the dialog of a piece's properties; the menu or the title opens it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QWidget

from musicrel.presentation.compose import properties_form
from musicrel.ui.document.document import Document
from musicrel.ui.editing.editor import Editor
from musicrel.ui.editing.properties_dialog import PropertiesDialog


class PropertiesController(QObject):
    """The controller of the properties.

    Args:
        title: the title on the page; a double click opens the dialog, too.
    """

    def __init__(
        self, document: Document, editor: Editor, *, title: QWidget, action: QAction
    ) -> None:
        super().__init__(document)
        self._document, self._editor, self._title, self._action = document, editor, title, action
        self.dialog: PropertiesDialog | None = None
        title.installEventFilter(self)
        action.triggered.connect(self.ask)
        document.shown_changed.connect(self._close)

    @Slot()
    def ask(self) -> None:
        piece = self._document.piece
        if piece is None or self.dialog is not None:
            return
        self.dialog = dialog = PropertiesDialog(self._title.window())
        dialog.show_piece(piece)
        dialog.changed.connect(self._check)
        dialog.accepted.connect(self._apply)
        dialog.finished.connect(self._on_finished)
        self._check()
        dialog.open()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonDblClick:
            left = event.button() == Qt.MouseButton.LeftButton
            if left and watched is self._title and self._action.isEnabled():
                self.ask()
                return True
        return False

    @Slot()
    def _check(self) -> None:
        piece, dialog = self._document.piece, self.dialog
        if piece is not None and dialog is not None:
            form = dialog.form()
            dialog.set_transpose_disabled_reason(
                properties_form.transpose_disabled_reason(form.key, piece)
            )
            dialog.show_problem(properties_form.problem(dialog.form(), piece))

    @Slot()
    def _apply(self) -> None:
        """Apply the entries; the selection stays."""
        dialog, self.dialog = self.dialog, None
        piece, selection = self._document.piece, self._document.selection
        if dialog is not None and piece is not None:
            form = dialog.form()
            self._editor.apply(lambda: replace(form.edit(piece), selection=selection), unchanged="")

    @Slot()
    def _close(self) -> None:
        """Close the dialog without a change: another piece is shown."""
        if self.dialog is not None:
            self.dialog.reject()

    @Slot()
    def _on_finished(self) -> None:
        self.dialog = None
