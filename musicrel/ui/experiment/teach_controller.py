"""Controller of the form that teaches a model: it reads the folder and makes the run."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel.language import tr
from musicrel.ui.experiment import study_jobs
from musicrel.ui.experiment.teach_view import TeachView
from musicrel.ui.jobs.worker import LatestJob

NO_FOLDER: Final = tr("Choose a folder first")
READING: Final = tr("Reading …")
PREPARING: Final = tr("It is being prepared: wait a moment")
START: Final = tr(
    "Start now; it continues when this window is closed, and can be stopped and resumed"
)
_WAIT_MS: Final = 400


class TeachController(QObject):
    prepared = Signal(object)  # the folder of a run that is ready to start

    def __init__(self, view: TeachView, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._reader, self._maker = LatestJob(self), LatestJob(self)
        self._timer = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._reason, self._named = NO_FOLDER, ""
        for signal, slot in (
            (view.folder.textChanged, self._on_folder_changed),
            (view.teach.clicked, self._teach),
            (self._timer.timeout, self._read),
            (self._reader.events_received, view.add_files),
            (self._reader.finished, self._on_read),
            (self._reader.failed, self._refuse),
            (self._maker.finished, self._on_prepared),
            (self._maker.failed, self._on_not_prepared),
        ):
            signal.connect(slot)
        self._update_enabled()

    def shut_down(self) -> None:
        self._timer.stop()

    @property
    def _folder(self) -> Path:
        return Path(self._view.folder.text().strip()).expanduser()

    @Slot()
    def _on_folder_changed(self) -> None:
        self._reader.cancel()
        self._view.clear_files()
        is_empty = not self._view.folder.text().strip()
        self._view.show_summary("" if is_empty else READING, "")
        self._reason = NO_FOLDER if is_empty else READING
        self._update_enabled()
        if is_empty:
            self._timer.stop()
        else:
            self._timer.start()

    @Slot()
    def _read(self) -> None:
        if self._view.name.text() == self._named:  # not the user's own
            self._named = self._folder.name
            self._view.name.setText(self._named)
        self._reader.request(partial(study_jobs.read_pieces, self._folder))

    @Slot(object)
    def _on_read(self, found: tuple[str, str]) -> None:
        summary, problem = found
        self._view.show_summary(summary, problem)
        self._reason = problem
        self._update_enabled()

    @Slot()
    def _teach(self) -> None:
        name = self._view.name.text().strip() or self._folder.name
        self._view.show_summary(self._view.summary.text(), "")
        self._maker.start(study_jobs.prepare_lesson(self._folder, name))
        self._update_enabled()

    @Slot(object)
    def _on_prepared(self, folder: Path) -> None:
        self._update_enabled()
        self.prepared.emit(folder)

    @Slot(str)
    def _on_not_prepared(self, sentence: str) -> None:
        """Show why there is no run; it can be tried again."""
        self._view.show_summary(self._view.summary.text(), sentence)
        self._update_enabled()

    @Slot(str)
    def _refuse(self, sentence: str) -> None:
        self._view.show_summary("", sentence)
        self._reason = sentence
        self._update_enabled()

    def _update_enabled(self) -> None:
        self._view.set_disabled_reason(PREPARING if self._maker.busy else self._reason, START)
