"""The conductor of the form for a new study: what is typed is checked by the engine, then begun.

This file knows the form and the jobs; it knows nothing of studies that are under way.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog

from musicrel.errors import MusicrelError
from musicrel.experiment.study import study_folder
from musicrel.presentation.study import study_form, study_text
from musicrel.ui.experiment.study_form_view import StudyFormView
from musicrel.ui.experiment.study_jobs import Checked, Desk, template
from musicrel.ui.files import dialogs
from musicrel.ui.jobs.worker import Worker

FIRST: Final = "quick"
CHECKING: Final = "Checking …"
PREPARING: Final = "Preparing …"
START_NOW: Final = "Begin at once; it goes on when this window is closed"
QUEUE: Final = "Another study is at work: this one starts when that one is finished"
_PATIENCE: Final = 250
"""Milliseconds without a key press after which the engine is asked."""


class Planning(QObject):
    """Wires the form to the engine.

    Args:
        view: the form.
        desk: makes the jobs.
        parent: who needs it.

    Signals:
        prepared: the folder of a study that is ready to be started.
    """

    prepared = Signal(object)

    def __init__(self, view: StudyFormView, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._view, self._desk = view, desk
        self._checker, self._maker, self._reader = Worker(self), Worker(self), Worker(self)
        self._timer = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._files: list[Path] = []
        self._problem, self._queues, self._began = "", False, False
        self._checked_text, self._answered_text = "", ""
        self._connect()
        self._allow()

    def begin(self) -> None:
        """Offer what there is to start from, the first time the form is seen."""
        if self._began:
            return
        self._began = True
        self._offer_templates()
        names = [path.stem for path in self._files]
        if self._files:
            self.start_from(names.index(FIRST) if FIRST in names else 0)

    def set_queue(self, *, queues: bool) -> None:
        """Whether another study is at work, so that a new one has to wait."""
        self._queues = queues
        self._allow()

    def shut_down(self) -> bool:
        """End what runs and wait for that; whether it has ended."""
        self._timer.stop()
        ended = [worker.shut_down() for worker in (self._checker, self._maker, self._reader)]
        return all(ended)

    # ------------------------------------------------------------------ what the user did

    @Slot(int)
    def start_from(self, row: int) -> None:
        """Show the entries of a study that is offered."""
        if 0 <= row < len(self._files):
            self._read(self._files[row], row)

    def _read(self, path: Path, row: int) -> None:
        try:
            text = template(path)
            form = study_form.read(text)
        except MusicrelError as reason:
            self._view.set_plan("", str(reason))
            return
        self._view.choose_template(row, study_form.about(path, text))
        self._view.set_form(study_form.offering(form, self._desk.schemes))

    @Slot()
    def _ask_for_file(self) -> None:
        mode = QFileDialog.FileMode.ExistingFile
        dialog = dialogs.for_path(self._view, "Start from a study", mode)
        dialog.setNameFilters(["Studies (*.toml)"])
        dialog.fileSelected.connect(lambda path: self._read(Path(path), -1))
        dialog.open()

    @Slot()
    def _ask_for_data(self) -> None:
        folder = self._view.form().source == "folder"
        mode = QFileDialog.FileMode.Directory if folder else QFileDialog.FileMode.ExistingFile
        dialog = dialogs.for_path(self._view, "Choose the data", mode)
        dialog.fileSelected.connect(self._view.path.setText)
        dialog.open()

    @Slot()
    def _inspect(self) -> None:
        if not self._reader.busy:
            self._view.set_report("Reading …")
            self._reader.start(self._desk.inspect(Path(self._view.form().path).expanduser()))

    @Slot()
    def _start(self) -> None:
        if not self._maker.busy and not self._problem and not self._is_stale:
            self._maker.start(self._desk.prepare(study_form.text(self._view.form())))
            self._allow()

    # ------------------------------------------------------------------ what came of it

    @Slot()
    def _check(self) -> None:
        """Ask the engine, when it is not at it already."""
        text = study_form.text(self._view.form())
        if self._checker.busy or text == self._checked_text:
            return
        self._checked_text = text
        self._checker.start(self._desk.check(text))

    @Slot(object)
    def _checked(self, found: Checked) -> None:
        self._problem = found.problem
        self._answered_text = self._checked_text
        self._view.set_plan("" if found.problem else _plan(found), found.problem)
        if self._desk.schemes and not self._offers_all():
            self._view.set_form(study_form.offering(self._view.form(), self._desk.schemes))
        self._allow()
        self._timer.start()  # something may have been typed meanwhile

    def _offers_all(self) -> bool:
        if not self._view.form().trains:
            return True
        offered = {arm.table.get("scheme") for arm in self._view.form().arms}
        return offered.issuperset(name for name, _ in self._desk.schemes)

    @Slot(object)
    def _prepared(self, folder: Path) -> None:
        self._allow()
        self.prepared.emit(folder)

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        self._view.set_plan("", sentence)
        self._answered_text = self._checked_text
        self._allow()

    # ------------------------------------------------------------------ inside

    def _offer_templates(self) -> None:
        self._files = study_folder.templates()
        titles = []
        for path in self._files:
            try:
                titles.append((path.stem, study_form.about(path, template(path))))
            except MusicrelError as reason:
                titles.append((path.stem, str(reason)))
        self._view.set_templates(titles)

    @Slot()
    def _changed(self) -> None:
        if self._is_stale and not self._view.plan.text():
            self._view.set_plan(CHECKING, "")
        self._allow()
        self._timer.start()

    @property
    def _is_stale(self) -> bool:
        """Whether something was typed that the engine has not answered yet."""
        return study_form.text(self._view.form()) != self._answered_text

    def _allow(self) -> None:
        title = "Add to queue" if self._queues else "Start"
        obstacle = PREPARING if self._maker.busy else CHECKING if self._is_stale else self._problem
        self._view.set_start(title, obstacle, QUEUE if self._queues else START_NOW)

    def _connect(self) -> None:
        view = self._view
        for signal, slot in (
            (view.changed, self._changed),
            (view.template_chosen, self.start_from),
            (view.file_wished, self._ask_for_file),
            (view.path_wished, self._ask_for_data),
            (view.inspect_wished, self._inspect),
            (view.start_wished, self._start),
            (self._timer.timeout, self._check),
            (self._checker.finished, self._checked),
            (self._checker.failed, self._failed),
            (self._maker.finished, self._prepared),
            (self._maker.failed, self._failed),
            (self._reader.finished, view.set_report),
            (self._reader.failed, view.set_report),
        ):
            signal.connect(slot)


def _plan(found: Checked) -> str:
    """What the study would do, in words."""
    if found.rows is not None:
        return study_text.measuring(*found.rows)
    return study_text.plan(found.runs, found.arms, found.seconds)
