"""Export of practice files: the dialog and the job."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from musicrel.chorale import Chorale, Voice
from musicrel.jobs import Job, map_events
from musicrel.presentation.files import practice_files
from musicrel.presentation.files.practice_files import PracticeFiles, Sounding
from musicrel.presentation.words import names
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.score.performance import FERMATA_STRETCH, Style
from musicrel.ui.files import dialogs, file_dialogs
from musicrel.ui.files.file_jobs import FileEvent, FileProgress, FileStarted, StartJob, Written
from musicrel.ui.files.practice_dialog import PracticeChoice, PracticeDialog

DOING: Final = "Exporting {files}"
DONE: Final = "Exported {files} to {folder}"
_FILE: Final = "practice file"


class PracticeExport(QObject):
    """The way from the command to the job that writes the files."""

    def __init__(self, window: QWidget, start: StartJob, folder: Callable[[], str]) -> None:
        super().__init__(window)
        self._window, self._start, self._folder = window, start, folder
        self._last: PracticeChoice | None = None

    def ask(self, piece: Chorale, mix: Mix, style: Style) -> PracticeDialog:
        """Open the dialog, with the entries of the last time.

        Args:
            mix: of the voices; its volumes are replaced.
        """
        dialog = PracticeDialog(self._window)
        last = self._last or PracticeChoice(held=style.fermata_stretch > 1)
        folder = Path(self._folder() or file_dialogs.music_folder())
        dialog.changed.connect(lambda: _show_names(dialog, piece))
        dialog.export_clicked.connect(lambda: self._export(dialog, piece, mix, style))
        dialog.set_choice(replace(last, folder=folder))
        dialog.set_present(practice_files.voices(piece))
        dialog.open()
        return dialog

    def _export(self, dialog: PracticeDialog, piece: Chorale, mix: Mix, style: Style) -> None:
        """Ask before files are replaced, then export."""
        wanted = request(piece, dialog.choice, mix, style)

        def export(chosen: PracticeFiles) -> None:
            silent = set(Voice) - set(practice_files.voices(piece))
            self._last = replace(dialog.choice, voices=(*dialog.choice.voices, *silent))
            dialog.accept()
            doing = DOING.format(files=names.count(len(chosen.versions), _FILE))
            self._start(export_files(piece, chosen), doing)

        dialogs.check_existing(
            dialog,
            wanted.paths,
            on_replace=partial(export, wanted),
            on_keep=partial(export, wanted.beside()),
        )


def request(piece: Chorale, choice: PracticeChoice, mix: Mix, style: Style) -> PracticeFiles:
    beat = Metronome(on=choice.clicks, count_in="start" if choice.count_in else "never")
    held = replace(style, fermata_stretch=FERMATA_STRETCH if choice.held else 1.0)
    return PracticeFiles(
        folder=choice.folder,
        title=file_dialogs.file_name(piece.title, ""),
        suffix=choice.suffix,
        versions=choice.versions,
        sounding=Sounding(mix=mix, style=held, beat=beat),
    )


def export_files(piece: Chorale, wanted: PracticeFiles) -> Job[FileEvent, Written]:
    """Write practice files; see ``practice_files.write``."""
    count = names.count(len(wanted.versions), _FILE)
    yield FileStarted(doing=DOING.format(files=count))
    writing = practice_files.write(piece, wanted)
    yield from map_events(writing, lambda event: FileProgress(share=event.share))
    return Written(sentence=DONE.format(files=count, folder=wanted.folder), folder=wanted.folder)


def _show_names(dialog: PracticeDialog, piece: Chorale) -> None:
    paths = request(piece, dialog.choice, Mix(), Style()).paths
    dialog.show_names([path.name for path in paths])
