"""Controller of harmonising: a melody is selected, read, made the current piece, and harmonised.

The melody becomes a piece like any other: it can be played, saved and undone. Its harmonisations
are candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import Chorale, Voice
from musicrel.corpus import melodies
from musicrel.errors import UsageError
from musicrel.generation.transposition import alone
from musicrel.jobs import Job
from musicrel.presentation.compose import harmonise_form
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.harmonise_form import HarmoniseForm, Source
from musicrel.presentation.compose.models import ModelChoice
from musicrel.score.importing.import_report import itemised
from musicrel.ui.actions import commands
from musicrel.ui.compose.controls import Controls
from musicrel.ui.compose.form_fields import choose
from musicrel.ui.compose.harmonise_dialog import HarmoniseDialog
from musicrel.ui.controllers.candidates_controller import CandidatesController
from musicrel.ui.document.document import GENERATING, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.files import file_dialogs
from musicrel.ui.files.file_jobs import FileEvent, ImportedMelody, read_melody
from musicrel.ui.jobs.worker import Worker, end_jobs

READING: Final = "Reading {name} …"
STILL_READING: Final = "A melody is being read: try again in a moment"
READ_BUT: Final = "the melody of {name} was changed:{report}"
MELODY_OF: Final = "Melody of {title}"
WHAT: Final = "harmony for “{title}”"
READING_FAILED: Final = "Reading the melody failed"
THE_MELODY: Final = "the melody"
ON_ROLL: Final = "Current piece"
ON_ROLL_TITLED: Final = "Current piece: {title}"

ReadMelody = Callable[[Path, Voice], Job[FileEvent, ImportedMelody]]
"""Factory of jobs that read a melody from a file for a voice."""


class HarmoniseController(QObject):
    recording_requested = Signal()  # a melody is to be recorded and then harmonised

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        candidates: CandidatesController,
        controls: Controls,
        action: QAction,
        read: ReadMelody = read_melody,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._candidates, self._controls, self._action = candidates, controls, action
        self._form_view, self._read = controls.compose_form, read
        self._worker = Worker(self)
        self._asked: HarmoniseForm | None = None
        self._last: tuple[HarmoniseForm, Form] | None = None
        self.dialog: HarmoniseDialog | None = None
        for signal, slot in (
            (action.triggered, self.ask),
            (controls.harmonise_clicked, self.ask),
            (document.generation_started, self._update_enabled),
            (document.piece_changed, self._update_enabled),
            (candidates.changed, self._update_enabled),
            (self._worker.finished, self._on_melody_read),
            (self._worker.failed, self._on_reading_failed),
        ):
            signal.connect(slot)
        self._update_enabled()

    @property
    def busy(self) -> bool:
        """Return True while a melody is being read."""
        return self._worker.busy

    # ------------------------------------------------------------------ user actions

    @Slot()
    def ask(self) -> None:
        if self._disabled_reason() or self.dialog is not None:
            return
        self.dialog = dialog = HarmoniseDialog(self._controls.window())
        dialog.set_models(*self._models())
        dialog.set_quality(self._document.form.quality)
        dialog.count.setValue(self._document.form.candidates)
        dialog.muted.follow(self._document)
        dialog.source_chosen.connect(self._show_melody)
        dialog.changed.connect(self._check)
        dialog.file_clicked.connect(self._ask_for_file)
        dialog.play_clicked.connect(self._ask_for_player)
        dialog.accepted.connect(lambda: self.begin(dialog.form()))
        dialog.finished.connect(self._on_dialog_finished)
        piece = self._document.piece
        on_roll = [Source(title=_on_roll(piece))] if piece is not None else []
        dialog.set_sources(
            [*on_roll, *_bundled_sources()], "" if on_roll else harmonise_form.NOTHING_ON_ROLL
        )
        dialog.open()
        dialog.melody.setFocus()

    @Slot()
    def begin(self, asked: HarmoniseForm) -> None:
        """Harmonise with the settings of the dialog; the form takes its model and its number."""
        choose(self._form_view.model, asked.model)
        self._document.set_form(replace(self._document.form, candidates=asked.count))
        piece = self._document.piece
        if asked.source.path is None:
            if piece is not None:
                self._harmonise(piece, asked)
            return
        if self._worker.busy:
            self._messages.report(STILL_READING)
            return
        self._asked = asked
        self._messages.show_state(READING.format(name=asked.source.title))
        self._worker.start(self._read(asked.source.path, asked.voice))

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        if self.dialog is not None:
            self.dialog.close()
        return end_jobs(self._worker)

    @Slot(object)
    def add_file(self, path: Path) -> None:
        if self.dialog is not None:
            self.dialog.add_source(Source(title=path.name, path=path))

    @Slot()
    def _ask_for_file(self) -> None:
        file_dialogs.ask_open_path(
            self.dialog or self._controls.window(),
            folder=self._preferences.settings.save_folder,
            answer=self.add_file,
        )

    @Slot()
    def _ask_for_player(self) -> None:
        if self.dialog is not None:
            self.dialog.reject()
        self.recording_requested.emit()

    @Slot()
    def _check(self) -> None:
        dialog = self.dialog
        if dialog is None:
            return
        entries = dialog.form()
        path = entries.source.path
        melody = self._document.piece if path is None else _bundled_melody(path)
        problem = harmonise_form.problem(melody, entries)
        remark = (
            "" if problem or melody is None else harmonise_form.placed(melody, entries.voice)[1]
        )
        dialog.show_check(problem, remark)

    @Slot(object)
    def _show_melody(self, source: Source) -> None:
        dialog, piece = self.dialog, self._document.piece
        if dialog is None:
            return
        if source.path is not None:
            dialog.set_voice(Voice.SOPRANO)
            dialog.show_melody(_bundled_melody(source.path))
        elif piece is not None:
            selection = self._document.selection
            voice = harmonise_form.likely_voice(piece, selection, self._document.locks)
            dialog.set_voice(voice)
            dialog.show_melody(alone(piece, voice))

    # ------------------------------------------------------------------ events

    @Slot(object)
    def _on_melody_read(self, result: ImportedMelody) -> None:
        asked, self._asked = self._asked, None
        if asked is None:
            return
        if self._document.generating:  # a generation was started meanwhile
            self._messages.report(GENERATING)
            return
        self._harmonise(result.piece, asked, result.report)

    @Slot(str)
    def _on_reading_failed(self, sentence: str) -> None:
        self._asked = None
        self._messages.show_state(READING_FAILED)
        self._messages.report(sentence)

    @Slot()
    def _on_dialog_finished(self) -> None:
        self.dialog = None

    def _harmonise(self, piece: Chorale, asked: HarmoniseForm, report: Sequence[str] = ()) -> None:
        """Harmonise a melody, which becomes the piece, and show the ``report`` of its file."""
        if (asked, self._document.form) == self._last:
            self._form_view.seed.randomize()  # the same seed would give the same candidates
        form = self._document.form
        self._last = (asked, form)
        try:
            melody, moved = harmonise_form.placed(piece, asked.voice)
            builder = harmonise_form.harmonisation(melody, asked, form)
        except UsageError as reason:
            self._messages.report(str(reason))
            return
        if melody is not self._document.piece:
            self._document.show_piece(melody, action="opened")
            self._messages.show_state(MELODY_OF.format(title=melody.title))
        self._candidates.start(builder, WHAT.format(title=piece.title or THE_MELODY))
        if report:
            changes = itemised([*report, *filter(None, [moved])])
            self._messages.report(READ_BUT.format(name=asked.source.title, report=changes))
        elif moved:
            self._messages.report(moved)

    # ------------------------------------------------------------------ internals

    def _models(self) -> tuple[list[ModelChoice], str, str]:
        """Return the models; that of the form, which is selected; a reason if there are none."""
        choices = list(self._document.choices)
        no_model = "" if choices else harmonise_form.NO_MODEL
        return choices, self._document.form.model, no_model

    def _disabled_reason(self) -> str:
        """Return the reason why no melody can be harmonised now, or ""."""
        return GENERATING if self._document.generating or self._candidates.busy else ""

    @Slot()
    def _update_enabled(self) -> None:
        commands.set_enabled(self._action, self._disabled_reason())
        self._controls.set_harmonise_disabled_reason(self._disabled_reason())


def _on_roll(piece: Chorale) -> str:
    return ON_ROLL_TITLED.format(title=piece.title) if piece.title else ON_ROLL


@cache
def _bundled_sources() -> tuple[Source, ...]:
    """Return the bundled melodies, sorted by title."""
    from musicrel.score import files

    bundled = [melodies.path(name) for name in melodies.names()]
    found = [Source(title=files.read(path).title, path=path) for path in bundled]
    return tuple(sorted(found, key=lambda source: source.title))


@cache
def _bundled_melody(path: Path) -> Chorale | None:
    """Return the melody of a bundled file; None for other files."""
    if path.parent != melodies.path(melodies.names()[0]).parent:
        return None
    from musicrel.score import files

    return files.read(path)
