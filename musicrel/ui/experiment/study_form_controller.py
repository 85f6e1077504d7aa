"""Controller of the form for a new study: it validates the entries and creates the study."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog

from musicrel import paths
from musicrel.errors import MusicrelError
from musicrel.experiment.study import study_folder, study_form
from musicrel.experiment.study.study_form import StudyForm
from musicrel.language import tr
from musicrel.presentation.words import display_names
from musicrel.ui.experiment import study_jobs
from musicrel.ui.experiment.study_form_view import StudyFormView
from musicrel.ui.experiment.study_jobs import StudyService
from musicrel.ui.files import dialogs
from musicrel.ui.jobs.worker import LatestJob

if TYPE_CHECKING:
    from musicrel.experiment.study.definition import Definition

WAIT_FOR_FOLDER: Final = tr("The study is being prepared: wait a moment")
START_NOW: Final = tr("Start now; the study continues when this window is closed")
QUEUE: Final = tr("Another study is running: this one starts when that one is finished")
_FROM_FILE: Final = tr("Start from a study")
_STUDIES: Final = tr("Studies (*.toml)")
_CHOOSE_DATA: Final = tr("Choose the data")
_READING: Final = tr("Reading …")
_ADD: Final = tr("Add to queue")
CHECKING: Final = tr("Checking …")
WAIT_FOR_CHECK: Final = tr("The entries are being checked: wait a moment")


class StudyFormController(QObject):
    prepared = Signal(object)  # the folder of a study that is ready to start

    def __init__(self, view: StudyFormView, study_service: StudyService, parent: QObject) -> None:
        super().__init__(parent)
        self._view, self._study_service = view, study_service
        self._checker, self._maker, self._reader = LatestJob(self), LatestJob(self), LatestJob(self)
        self._timing, self._timed = LatestJob(self), False
        self._timer = QTimer(self, singleShot=True, interval=250)
        self._files: list[Path] = []
        self._queues, self._problem = False, ""  # of the form that was checked last
        self._asked: StudyForm | None = None  # whose check runs, or was the last one
        self._validated: StudyForm | None = None  # whose check was the last one
        self._study: Definition | None = None  # the study of that form, if it is valid
        self._connect()
        self._update_enabled()

    def begin(self) -> None:
        """Offer the templates when the form is shown for the first time; estimate their times."""
        self._timed = False
        if self._files:
            self._time_templates()
            return
        self._files = study_folder.templates()
        self._files.sort(key=_by_time)
        titles = []
        for path in self._files:
            try:
                about = _about(path, study_folder.text(path))
            except MusicrelError as reason:
                about = str(reason)
            titles.append((display_names.study(path.stem), about))
        self._view.templates.set_cards(titles, first=0)
        for row, path in enumerate(self._files):  # until they are estimated for this computer
            self._view.templates.set_time(row, display_names.STUDY_TIMES.get(path.stem, ""))
        if self._files:
            self.start_from(0)

    def set_queue(self, *, queues: bool) -> None:
        self._queues = queues
        self._update_enabled()

    def shut_down(self) -> None:
        self._timer.stop()

    @Slot(int)
    def start_from(self, row: int) -> None:
        self.read(self._files[row], row)

    def read(self, path: Path, row: int) -> None:
        """Read a study file into the form."""
        try:
            text = study_folder.text(path)
            form = study_form.read(text)
        except MusicrelError as reason:
            self._view.set_plan("", str(reason))
            return
        self._view.choose_template(row, _about(path, text))
        self._view.set_form(study_form.offering(form, self._study_service.schemes))

    @Slot()
    def _ask_for_file(self) -> None:
        dialog = dialogs.path_dialog(self._view, _FROM_FILE, QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([_STUDIES])
        dialog.fileSelected.connect(lambda path: self.read(Path(path), -1))
        dialog.open()

    @Slot()
    def _ask_for_data(self) -> None:
        modes, folder = QFileDialog.FileMode, self._view.form().source == "folder"
        mode = modes.Directory if folder else modes.ExistingFile
        dialog = dialogs.path_dialog(self._view, _CHOOSE_DATA, mode)
        dialog.fileSelected.connect(self._use_data)
        dialog.open()

    @Slot(str)
    def _use_data(self, path: str) -> None:
        """Enter a file or a folder, and read the pieces of a folder."""
        self._view.path.setText(path)
        if self._view.form().source == "folder":
            self._inspect()

    @Slot()
    def _inspect(self) -> None:
        if not self._reader.busy:
            self._view.set_read(_READING)
            self._reader.start(study_jobs.inspect(Path(self._view.form().path).expanduser()))

    @Slot()
    def _start(self) -> None:
        if self._study is not None and not (self._maker.busy or self._is_stale):
            self._maker.start(study_jobs.prepare(self._study, self._view.runner.choice()))
            self._update_enabled()

    @Slot()
    def _check(self) -> None:
        form = self._view.form()
        if not self._checker.busy and form != self._asked:
            self._asked = form
            self._checker.start(self._study_service.check(study_form.text(form)))

    @Slot(object)
    def _end_check(self, found: tuple[Definition | None, str], problem: str = "") -> None:
        (self._study, plan), self._problem = found, problem
        self._view.set_plan(plan, problem)
        form, schemes = self._view.form(), self._study_service.schemes
        if self._asked is not None:
            self._asked = self._validated = study_form.offering(self._asked, schemes)
        offered = study_form.offering(form, schemes)
        if offered != form:
            self._view.set_form(offered)
        self._update_enabled()
        self._time_templates()
        self._timer.start()  # the entries may have changed meanwhile

    def _time_templates(self) -> None:
        """Estimate the times of the templates once each time that the form is shown."""
        if not self._timed and not self._timing.busy:
            self._timed = True
            self._timing.start(self._study_service.time_templates(self._files))

    @Slot(object)
    def _show_times(self, times: Sequence[tuple[Path, str]]) -> None:
        for path, text in times:
            self._view.templates.set_time(self._files.index(path), text)

    @Slot(object)
    def _prepared(self, folder: Path) -> None:
        self._update_enabled()
        self.prepared.emit(folder)

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        self._view.set_plan("", sentence)
        self._update_enabled()

    @Slot()
    def _changed(self) -> None:
        if self._is_stale and not self._view.plan.text():
            self._view.set_plan(CHECKING, "")
        self._update_enabled()
        self._timer.start()

    @property
    def _is_stale(self) -> bool:
        return self._view.form() != self._validated

    def _update_enabled(self) -> None:
        unchecked = WAIT_FOR_CHECK if self._is_stale else self._problem
        disabled_reason = WAIT_FOR_FOLDER if self._maker.busy else unchecked
        title, tip = (_ADD, QUEUE) if self._queues else (tr("Start", "study"), START_NOW)
        self._view.set_start(title, disabled_reason, tip)

    def _connect(self) -> None:
        view = self._view
        for signal, slot in (
            (view.changed, self._changed),
            (view.templates.chosen, self.start_from),
            (view.file.clicked, self._ask_for_file),
            (view.browse.clicked, self._ask_for_data),
            (view.inspect.clicked, self._inspect),
            (view.start.clicked, self._start),
            (self._timer.timeout, self._check),
            (self._timing.events_received, self._show_times),
            (self._checker.finished, self._end_check),
            (self._checker.failed, partial(self._end_check, (None, ""))),
            (self._maker.finished, self._prepared),
            (self._maker.failed, self._failed),
            (self._reader.finished, lambda found: view.set_read(*found)),
            (self._reader.failed, lambda why: view.set_read(f"{why[:1].upper()}{why[1:]}.")),
        ):
            signal.connect(slot)


def _about(path: Path, text: str) -> str:
    known = study_form.DESCRIPTIONS if path.is_relative_to(paths.assets()) else {}
    return known.get(path.stem) or study_form.about(text) or path.name


def _by_time(path: Path) -> tuple[int, str]:
    """Return the place of a study in the list: the shortest first, the user's own last."""
    known = [*display_names.STUDIES]
    return known.index(path.stem) if path.stem in known else len(known), path.stem
