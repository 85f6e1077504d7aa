"""Export of a view as PNG, SVG or CSV: the dialog, and the job that writes the file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from musicrel.jobs import Job
from musicrel.presentation.comparison import views
from musicrel.presentation.comparison.views import View
from musicrel.presentation.words.palette import Theme
from musicrel.ui.files import file_dialogs
from musicrel.ui.jobs.worker import Worker, end_jobs
from musicrel.ui.widgets import stylesheet

TITLE: Final = "Export the view"
BUSY: Final = "Another view is still being exported: try again in a moment"


class ViewExport(QObject):
    """Exports one view at a time, in a worker thread: a large map takes seconds."""

    exported = Signal(object)  # the file was written
    failed = Signal(str)  # it was not; the reason as one sentence

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._worker = Worker(self)
        self._worker.finished.connect(self._on_finished)
        self._worker.failed.connect(self.failed)

    def ask(self, view: View) -> QFileDialog:
        """Open the dialog for file name and format."""
        return file_dialogs.ask_new_path(
            self._window,
            TITLE,
            name=view.title,
            suffixes=views.SUFFIXES,
            answer=lambda path: self.write(view, path),
        )

    def write(self, view: View, path: Path) -> None:
        """Write ``view`` in the colours of the theme; the suffix is the format."""
        if self._worker.busy:
            self.failed.emit(BUSY)
        else:
            self._worker.start(_writing(view, path, stylesheet.current_theme()))

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the end of the job; return the workers to wait for."""
        return end_jobs(self._worker)

    @Slot(object)
    def _on_finished(self, path: Path) -> None:
        self.exported.emit(path)


def _writing(view: View, path: Path, theme: Theme) -> Job[Path, Path]:
    """Write a view; yields the path before."""
    yield path
    views.write(view, path, theme)
    return path
