"""Controller of harmonising: a melody is read, made the current piece, and harmonised.

The melody becomes a piece like any other: it can be played, saved and undone. Its harmonisations
are candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale, Voice
from musicrel.jobs import Job
from musicrel.presentation.compose import form as forms
from musicrel.presentation.compose.form import Form
from musicrel.score.importing.conversion import itemised
from musicrel.ui.actions import commands
from musicrel.ui.compose.harmonise_dialog import HarmoniseDialog, Melody
from musicrel.ui.controllers.writing_controller import WritingController
from musicrel.ui.document.document import GENERATING
from musicrel.ui.files.file_jobs import OpenedPiece, read_melody
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.shell.main_window import Services

READING: Final = "Reading {name} …"
STILL_READING: Final = "A melody is being read: try again in a moment"
READ_BUT: Final = "the melody of {name} was changed:{report}"
MELODY_OF: Final = "Melody of {title}"
WHAT: Final = "harmony for “{title}”"
READING_FAILED: Final = "Reading the melody failed"
THE_MELODY: Final = "the melody"
TIP: Final = "Add three voices to a bundled melody, a file or the roll (Ctrl+H)"

ReadMelody = Callable[[Path, Voice], Job[float, OpenedPiece]]
"""Factory of jobs that read a melody from a file for a voice."""


class HarmoniseController(QObject):
    recording_requested = Signal()  # a melody is to be recorded and then harmonised

    def __init__(
        self, services: Services, writing: WritingController, *, read: ReadMelody = read_melody
    ) -> None:
        super().__init__(services.document)
        self._document, self._messages = services.document, services.messages
        self._preferences, self._writing, self._read = services.preferences, writing, read
        actions = services.commands.rewriting
        self._controls, self._action = services.page.controls, actions.harmonise
        self.worker = LatestJob(self)
        self._asked: tuple[Melody, Form] | None = None
        self.dialog: HarmoniseDialog | None = None
        for signal, slot in (
            (self._action.triggered, self.ask),
            (self.worker.finished, self._on_melody_read),
            (self.worker.failed, self._on_reading_failed),
        ):
            signal.connect(slot)
        commands.follow(self._controls.harmonise, self._action, TIP)

    @Slot()
    def ask(self) -> None:
        if not self._action.isEnabled() or self.dialog is not None:
            return
        folder = self._preferences.settings.save_folder
        self.dialog = dialog = HarmoniseDialog(self._document, folder, self._controls.window())
        dialog.recording_requested.connect(self.recording_requested)
        dialog.accepted.connect(lambda: self.begin(dialog.chosen(), dialog.form()))
        dialog.finished.connect(self._on_dialog_finished)
        dialog.open()
        dialog.melody.setFocus()

    def begin(self, melody: Melody, form: Form) -> None:
        """Harmonise a melody; model and number of candidates are those of the form from now on."""
        form_view = self._controls.compose_form
        form_view.model.set_value(form.model)
        self._document.set_form(replace(self._document.form, candidates=form.candidates))
        if melody.path is None:
            if self._document.piece is not None:
                self._harmonise(self._document.piece, melody, form)
            return
        if self.worker.busy:
            self._messages.report(STILL_READING)
            return
        self._asked = melody, form
        self._messages.show_state(READING.format(name=melody.title))
        self.worker.start(self._read(melody.path, melody.voice))

    def shut_down(self) -> None:
        if self.dialog is not None:
            self.dialog.close()

    # ------------------------------------------------------------------ events

    @Slot(object)
    def _on_melody_read(self, result: OpenedPiece) -> None:
        asked, self._asked = self._asked, None
        if asked is None:
            return
        if self._document.generating:  # a generation was started meanwhile
            self._messages.report(GENERATING)
            return
        self._harmonise(result.piece, *asked, result.report)

    @Slot(str)
    def _on_reading_failed(self, sentence: str) -> None:
        self._asked = None
        self._messages.show_state(READING_FAILED)
        self._messages.report(sentence)

    @Slot()
    def _on_dialog_finished(self) -> None:
        self.dialog = None

    def _harmonise(
        self, piece: Chorale, asked: Melody, form: Form, report: Sequence[str] = ()
    ) -> None:
        """Harmonise a melody, which becomes the piece, and show the ``report`` of its file."""
        placed, moved = forms.placed(piece, asked.voice)
        make = partial(forms.harmonisation, placed, asked.voice, phrases=asked.phrases)
        task = self._writing.prepared(lambda: make(replace(form, seed=self._document.form.seed)))
        if task is None:
            return
        if placed is not self._document.piece:
            self._document.show_piece(placed, action="opened")
            self._messages.show_state(MELODY_OF.format(title=placed.title))
        self._writing.start(task, WHAT.format(title=piece.title or THE_MELODY))
        if report:
            changes = itemised([*report, *filter(None, [moved])])
            self._messages.report(READ_BUT.format(name=asked.title, report=changes))
        elif moved:
            self._messages.report(moved)
