"""Controller of the experiment page: shows the state of all studies, and starts and ends them.

Studies run in processes of their own, which outlive the window. A job in a worker thread watches
their folders; every method here returns at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from musicrel.chorale import Chorale
from musicrel.experiment.study import study_folder
from musicrel.playback.player import Player
from musicrel.presentation.study import study_text
from musicrel.presentation.study.study_text import Action, Entry
from musicrel.ui.document.document import GENERATING, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.experiment.experiment_page import ExperimentPage
from musicrel.ui.experiment.study_form_controller import StudyFormController
from musicrel.ui.experiment.study_jobs import (
    CommandFailed,
    StatusChanged,
    StudiesChanged,
    StudyMoved,
    StudyService,
    WatchEvent,
)
from musicrel.ui.experiment.study_shelf_controller import StudyShelfController
from musicrel.ui.files import dialogs, file_dialogs
from musicrel.ui.jobs.worker import Worker, end_jobs
from musicrel.ui.playback.audition import Audition
from musicrel.ui.widgets.page_switch import Pages

if TYPE_CHECKING:
    from musicrel.experiment.runners.runner_choice import RunnerChoice
    from musicrel.experiment.study.run_watch import RunStatus
    from musicrel.experiment.study.study_watch import StudyStatus

STILL_BUSY: Final = "A model is being copied: try again in a moment"
FROM_STUDY: Final = "A sample of the study {name}"
OPEN_FOLDER: Final = "Open a study folder"
SAVE_REPORT: Final = "Save the report"
STILL_SAVING: Final = "A report is being saved: try again in a moment"
_REPORTS: Final = (".html", ".pdf")


class StudyController(QObject):
    model_installed = Signal(str)  # the model of a run was installed; its name

    def __init__(
        self,
        document: Document,
        messages: Messages,
        *,
        page: ExperimentPage,
        pages: Pages,
        player: Player,
        service: StudyService,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._page, self._pages = document, messages, page, pages
        self._service = service
        self._watcher, self._copier, self._reporter = Worker(self), Worker(self), Worker(self)
        self.study_form = StudyFormController(self._page.form, service, self)
        self.shelf = StudyShelfController(page, service, self)
        self.audition = Audition(player, self)
        self._entries: tuple[Entry, ...] = ()
        self._initial = frozenset(study_folder.known_folders())
        self._listed = False
        self._now: StudyStatus | None = None
        self._pending: Action | None = None
        self._page.study.forbid_cluster(service.no_cluster())
        self._forbidden = service.no_studies()
        if self._forbidden:
            self._page.forbid(self._forbidden)
        self._connect()

    @property
    def now(self) -> StudyStatus | None:
        """Return the state of the shown study; None if the form is shown."""
        return self._now

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for. Studies keep running."""
        self.audition.stop()
        return (
            *end_jobs(self._watcher, self._copier, self._reporter),
            *self.study_form.shut_down(),
        )

    def show(self) -> None:
        """Open the experiment page."""
        self._pages.open("experiment")

    # ------------------------------------------------------------------ user actions

    @Slot(str)
    def _on_page_opened(self, place: str) -> None:
        if place != "experiment":
            self.audition.stop()
        elif not self._forbidden:
            self._watch()
            self.study_form.begin()

    @Slot()
    def watch_existing(self) -> None:
        """Watch existing studies: the next one of the queue may be due."""
        if study_folder.known_folders() and not self._forbidden:
            self._watch()

    @Slot()
    def new(self) -> None:
        self._service.folder = self._now = None
        self.audition.stop()
        self.study_form.begin()
        self._page.show_form()

    @Slot(object)
    def choose(self, folder: Path) -> None:
        self.audition.stop()
        self._service.folder, self._now, self._pending = folder, None, None
        self._page.study.expect(folder)
        self._page.show_study()
        self._page.list.mark(folder)

    @Slot()
    def _choose_folder(self) -> None:
        mode = QFileDialog.FileMode.Directory
        dialog = dialogs.path_dialog(self._page.window(), OPEN_FOLDER, mode)
        dialog.fileSelected.connect(lambda path: self.open_folder(Path(path)))
        dialog.open()

    def open_folder(self, folder: Path) -> None:
        """Show the study of any folder and add it to the known studies."""
        self._service.remember(folder)
        self.choose(folder)

    @Slot(str)
    def do(self, action: Action) -> None:
        now = self._now
        if now is None or study_text.disabled_reasons(now.state, orphaned=now.orphaned)[action]:
            return
        if action == "start":
            self._service.start_process(now.folder)
        elif action == "cancel":
            question, yes, no = study_text.cancel_question(now.folder.name, now.state)
            dialogs.confirm(self._page.window(), question, yes, no, lambda: self._cancel(now))
        else:
            self._service.send_request(now.folder, action)
        if action != "cancel":
            self._show_pending(action)

    def _show_pending(self, action: Action) -> None:
        """Show the requested action at once; the process may take seconds to react."""
        self._pending = action
        if self._now is not None:
            self._page.study.show_study(self._now, action)

    def _cancel(self, study: StudyStatus) -> None:
        """End a study, or delete one that has not started."""
        if study.state != "queued":
            self._service.send_request(study.folder, "cancel")
            if self._now is not None and self._now.folder == study.folder:
                self._show_pending("cancel")
        else:
            self._service.discard(study.folder)
            self.new()

    @Slot(object)
    def _choose_runner(self, chosen: RunnerChoice) -> None:
        if self._now is not None and not self._now.alive:
            self._service.choose_runner(self._now.folder, chosen)

    @Slot()
    def _open_files(self) -> None:
        if self._now is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._now.folder)))

    @Slot()
    def _ask_report_path(self) -> None:
        if self._now is not None:
            folder = self._now.folder
            file_dialogs.ask_new_path(
                self._page.window(),
                SAVE_REPORT,
                name=study_text.title(self._now),
                suffixes=_REPORTS,
                answer=lambda path: self.save_report(folder, path),
            )

    def save_report(self, folder: Path, path: Path) -> None:
        """Write the report of the study in ``folder`` as HTML or as PDF."""
        if self._reporter.busy:
            self._page.banner.show_message(STILL_SAVING)
            return
        self._reporter.start(self._service.save_report(folder, path))

    @Slot(object)
    def take_piece(self, piece: Chorale) -> None:
        if self._document.generating:
            self._page.banner.show_message(GENERATING)
            return
        self.audition.stop()
        name = study_text.title(self._now) if self._now is not None else ""
        self._document.show_piece(piece, action="opened")
        self._messages.show_state(FROM_STUDY.format(name=name))
        self._pages.open("compose")

    @Slot(object)
    def use_model(self, run: RunStatus) -> None:
        if self._copier.busy or self._now is None:
            self._page.banner.show_message(STILL_BUSY)
            return
        alone = self._now.kind == "run"
        name = run.folder.name if alone else f"{self._now.folder.name}-{run.folder.name}"
        self._copier.start(self._service.install(run, name))

    # ------------------------------------------------------------------ events

    @Slot(object)
    def _on_watch_events(self, events: tuple[WatchEvent, ...]) -> None:
        status: StudyStatus | None = None
        for event in events:
            match event:
                case StudiesChanged():
                    self._list(event.studies)
                case StatusChanged():
                    status = event.study
                case CommandFailed():
                    self._show_error(event.sentence)
                    self._pending = None
                    status = status or self._now
                case StudyMoved():
                    self.shelf.on_moved(event)
        if status is not None and status.folder == self._service.folder:
            self._now = status
            if not study_text.pending_text(status, self._pending):
                self._pending = None
            self._page.study.show_study(status, self._pending)
            self.shelf.show(status)

    @Slot(object)
    def _show_moved(self, folder: Path | None) -> None:
        """Show a study that was moved; None: the form."""
        if folder is None:
            self.new()
        else:
            self.choose(folder)

    def _list(self, entries: tuple[Entry, ...]) -> None:
        before, self._entries = self._entries, entries
        self._page.list.show_entries(self._entries)
        self._page.list.mark(self._service.folder)
        self.study_form.set_queue(queues=study_text.running(self._entries))
        for sentence in study_text.ended(before, self._entries):
            self._messages.show_state(sentence)
        following = study_text.next_to_start(before, self._entries)
        if not self._listed:
            following = study_text.study_to_start_on_launch(self._entries, self._initial)
        self._listed = True
        if following is not None:
            self._service.start_process(following)

    @Slot(object)
    def _on_study_prepared(self, folder: Path) -> None:
        if not study_text.running(self._entries):
            self._service.start_process(folder)
        self.choose(folder)

    @Slot(object)
    def _on_model_copied(self, name: str) -> None:
        self.model_installed.emit(name)
        self._pages.open("compose")

    @Slot(str)
    def _show_error(self, sentence: str) -> None:
        self._page.banner.show_message(sentence[:1].upper() + sentence[1:])

    # ------------------------------------------------------------------ internals

    def _watch(self) -> None:
        if not self._watcher.busy:
            self._watcher.start(self._service.watch())

    def _connect(self) -> None:
        page, study = self._page, self._page.study
        for signal, slot in (
            (self._pages.opened, self._on_page_opened),
            (page.list.new_requested, self.new),
            (page.list.chosen, self.choose),
            (page.list.folder_requested, self._choose_folder),
            (study.action_requested, self.do),
            (study.runner.edited, self._choose_runner),
            (study.folder_requested, self._open_files),
            (study.report_requested, self._ask_report_path),
            (study.curves.failed, self._show_error),
            (study.runs.model_requested, self.use_model),
            (study.samples.play_requested, self.audition.toggle),
            (study.samples.open_requested, self.take_piece),
            (self.audition.changed, study.samples.set_playing),
            (self.study_form.prepared, self._on_study_prepared),
            (self.shelf.moved, self._show_moved),
            (self._watcher.events_received, self._on_watch_events),
            (self._watcher.failed, self._show_error),
            (self._copier.finished, self._on_model_copied),
            (self._copier.failed, self._show_error),
            (self._reporter.finished, self._messages.show_state),
            (self._reporter.failed, self._show_error),
        ):
            signal.connect(slot)
