"""The controller of the dialog in which words become a hymn."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Slot

from musicrel.chorale import Voice
from musicrel.language import tr
from musicrel.presentation.compose.hymn_form import NEW_TUNE, HymnForm
from musicrel.ui.actions import commands
from musicrel.ui.compose.harmonise_dialog import Melody
from musicrel.ui.compose.hymn_dialog import HymnDialog
from musicrel.ui.controllers.writing_controller import WritingController
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets.words_entry import system_language

TIP: Final = tr(
    "Write a new hymn to words, or set them under a bundled tune ({key[rewriting.hymn]})"
)
NO_MODEL: Final = tr("No model is installed: import one with Compose > Models…")


class HymnController(QObject):
    def __init__(self, services: Services, writing: WritingController) -> None:
        super().__init__(services.document)
        self._document, self._window, self._writing = services.document, services.window, writing
        self._form = HymnForm(language=system_language())
        self.dialog: HymnDialog | None = None
        actions, controls = services.commands.rewriting, services.page.controls
        actions.hymn.triggered.connect(self.ask)
        commands.follow(controls.hymn, actions.hymn, TIP)

    @Slot()
    def ask(self) -> None:
        if self.dialog is not None:
            return
        form = self._form.with_words_of(self._document.piece)
        reason = "" if self._document.form.model else NO_MODEL
        self.dialog = dialog = HymnDialog(form, reason, self._window)
        dialog.accepted.connect(self._compose)
        dialog.finished.connect(self._forget_dialog)
        dialog.open()

    @Slot()
    def _compose(self) -> None:
        dialog = self.dialog
        if dialog is None:
            return
        self._form, melody = dialog.form(), dialog.melody()
        if dialog.tune.value() == NEW_TUNE:
            self._writing.compose(melody)
        else:
            chosen = Melody(title=melody.title, voice=Voice.SOPRANO)
            self._writing.harmonise_piece(melody, chosen, self._document.form)

    @Slot()
    def _forget_dialog(self) -> None:
        self.dialog = None
