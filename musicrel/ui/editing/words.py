"""The dialog of a piece's words, and its controller: a whole text is set under the melody."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QWidget

from musicrel.chorale import Chorale
from musicrel.language import tr
from musicrel.presentation.compose.words_form import WordsForm
from musicrel.score.editing.draft import Edit
from musicrel.ui.editing.edit_controller import Editor
from musicrel.ui.editing.piece_dialog import PieceDialog, PieceDialogController
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.fields import enable
from musicrel.ui.widgets.words_entry import WordsEntry, system_language

_TITLE: Final = tr("Words of the piece")
_OK: Final = tr("Set the words")
_REMOVE: Final = tr("&Remove words")
_REMOVE_TIP: Final = tr("Remove the words of all voices and verses")
_NO_WORDS: Final = tr("The piece has no words")
_INTRODUCTION: Final = tr(
    "The text is set under the melody, a line for each phrase. It replaces the words that are "
    "there; corrected words keep their notes."
)
_SIZE: Final = (820, 520)


class WordsDialog(PieceDialog):
    def __init__(self, piece: Chorale, language: str, parent: QWidget | None = None) -> None:
        super().__init__(_TITLE, _OK, parent)
        self._piece = piece
        self._removes = False
        self.words = WordsEntry()
        self.remove = QPushButton(_REMOVE)
        self._lay_out()
        self.words.language.set_value(language)
        self.words.text.setPlainText(WordsForm.of(piece, language).text)
        self._check()
        self.words.changed.connect(self._check)
        self.remove.clicked.connect(self._remove)

    def form(self) -> WordsForm:
        text = "" if self._removes else self.words.text.toPlainText()
        return WordsForm(text=text, language=self.words.language.value())

    def edit(self, piece: Chorale) -> Edit:
        return self.form().edit(piece)

    @Slot()
    def _remove(self) -> None:
        self._removes = True
        self.accept()

    @Slot()
    def _check(self) -> None:
        fit = self.form().fit(self._piece)
        self.words.show_fit(fit)
        enable(self.action_button, fit.problem)
        enable(self.remove, "" if self._piece.lyrics else _NO_WORDS, _REMOVE_TIP)

    def _lay_out(self) -> None:
        self.remove.setAutoDefault(False)
        self.buttons.addButton(self.remove, QDialogButtonBox.ButtonRole.ResetRole)
        self.lay_out(layout.quiet(_INTRODUCTION), (self.words, 1))
        self.resize(*_SIZE)


class WordsController(PieceDialogController[WordsDialog]):
    def __init__(self, services: Services, editor: Editor) -> None:
        super().__init__(services, editor, services.commands.edit.words)
        self._language = system_language()

    def make(self, piece: Chorale) -> WordsDialog:
        dialog = WordsDialog(piece, self._language, self._window)
        dialog.accepted.connect(self._keep_language)
        return dialog

    @Slot()
    def _keep_language(self) -> None:
        """Keep the language for the next dialog."""
        if self.dialog is not None:
            self._language = self.dialog.form().language
