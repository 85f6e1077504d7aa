"""Export of several takes: the dialog, the question before files are replaced, and the job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from musicrel.jobs import Job, map_events
from musicrel.presentation.files import take_files
from musicrel.presentation.files.take_files import NamedPiece, TakeFile, WriteFile
from musicrel.presentation.words import names
from musicrel.ui.files import dialogs, file_dialogs
from musicrel.ui.files.file_jobs import FileEvent, FileProgress, FileStarted, StartJob, Written
from musicrel.ui.files.takes_dialog import TakesDialog

DOING: Final = "Exporting {takes}"
HEADING: Final = "{takes} as {files}"
_TOGETHER: Final = ", "


class TakesExport(QObject):
    """The way from the command to the job that writes the files."""

    def __init__(
        self,
        window: QWidget,
        start: StartJob,
        place: Callable[[], tuple[str, str]],
        write_file: Callable[[], WriteFile],
    ) -> None:
        super().__init__(window)
        self._window, self._start, self._place = window, start, place
        self._write_file = write_file
        self._suffixes: tuple[str, ...] = ()

    def ask(self, takes: Sequence[NamedPiece]) -> TakesDialog:
        """Open the dialog for folder and formats."""
        titles = file_dialogs.name_filters(file_dialogs.writable_suffixes())
        dialog = TakesDialog({suffix: title for title, suffix in titles.items()}, self._window)
        dialog.changed.connect(lambda: _show_names(dialog, takes))
        dialog.export_clicked.connect(lambda: self._check(dialog, takes))
        folder, suffix = self._place()
        dialog.set_choice(folder or file_dialogs.music_folder(), self._suffixes or (suffix,))
        dialog.open()
        return dialog

    def _check(self, dialog: TakesDialog, takes: Sequence[NamedPiece]) -> None:
        """Ask before files are replaced, then export."""
        folder, self._suffixes = dialog.folder, dialog.suffixes
        files = take_files.plan(takes, folder, dialog.suffixes)
        beside = take_files.plan(takes, folder, dialog.suffixes, beside=True)

        def export(chosen: Sequence[TakeFile]) -> None:
            dialog.accept()
            job = export_files(chosen, self._write_file())
            self._start(job, _doing(chosen))

        dialogs.check_existing(
            dialog,
            [file.path for file in files],
            on_replace=partial(export, files),
            on_keep=partial(export, beside),
        )


def export_files(files: Sequence[TakeFile], write_file: WriteFile) -> Job[FileEvent, Written]:
    """Write ``files``; see ``take_files.write``."""
    yield FileStarted(doing=_doing(files))
    writing = take_files.write(files, write_file)
    exported = yield from map_events(writing, lambda event: FileProgress(share=event.share))
    return Written(sentence=exported.sentence, folder=files[0].path.parent)


def _doing(files: Sequence[TakeFile]) -> str:
    return DOING.format(takes=names.count(len({id(file.take) for file in files}), "take"))


def _show_names(dialog: TakesDialog, takes: Sequence[NamedPiece]) -> None:
    files = take_files.plan(takes, dialog.folder, dialog.suffixes)
    counted = names.count(len(takes), "take"), names.count(len(files), "file")
    shown = _TOGETHER.join(file.path.name for file in files)
    dialog.show_names(HEADING.format(takes=counted[0], files=counted[1]), shown)
