"""Controller of the experiment page: shows the state of all studies, and starts and ends them.

Studies run in processes of their own, which outlive the window. A job in a worker thread watches
their folders; every method here returns at once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QInputDialog

from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError
from musicrel.experiment.runners import runner_choice
from musicrel.experiment.runners.runner_choice import RunnerChoice
from musicrel.experiment.study import study_folder, study_text
from musicrel.experiment.study.blocks import Report
from musicrel.experiment.study.study_folder import MovedStudy, ShelfAction
from musicrel.experiment.study.study_text import Action
from musicrel.language import english, tr
from musicrel.model import devices
from musicrel.model.device_choice import Measurement
from musicrel.playback.player import Player
from musicrel.presentation.words import display_names
from musicrel.ui.document.document import GENERATING, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.experiment import study_jobs
from musicrel.ui.experiment.experiment_page import ExperimentPage
from musicrel.ui.experiment.study_form_controller import StudyFormController
from musicrel.ui.experiment.study_jobs import StudyService, WatchEvent
from musicrel.ui.experiment.teach_controller import TeachController
from musicrel.ui.files import dialogs
from musicrel.ui.jobs.generation_service import measurement_text
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.playback.audition import Audition
from musicrel.ui.widgets.page_switch import Pages

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunStatus
    from musicrel.experiment.study.study_status import StudyStatus

FROM_STUDY: Final = tr("A sample of the study {name}")
OPEN_FOLDER: Final = tr("Open a study folder")
SAVE_REPORT: Final = tr("Save the report")
REPORT_SAVED: Final = tr("Saved the report as {name} in {folder}")
STILL_SAVING: Final = tr("A report is being saved: try again in a moment")
NO_STUDIES: Final = tr(
    "This light package of musicrel does not include torch: it writes, rewrites, harmonises, "
    "plays, shows and exports. The full package adds the training and comparison of models, the "
    "attention of infilling models, the diagnosis of models, GPUs, and models with layers other "
    "than the bundled ones."
)
STILL_BUSY: Final = tr("A model is being copied: try again in a moment")
UNDO: Final = tr("Undo")
NAME: Final = tr("Name of the study:")
RENAME: Final = tr("Rename study")
SENTENCES: Final[dict[ShelfAction, str]] = {
    "rename": tr("{before} is now {name}."),
    "archive": tr("{before} is archived."),
    "unarchive": tr("{before} is listed again."),
    "delete": tr("{before} was deleted; it is kept in {folder}."),
    "restore": tr("{name} is back."),
}
_HIDES: Final[frozenset[ShelfAction]] = frozenset(("archive", "delete"))


class StudyController(QObject):
    model_installed = Signal(str)  # the model of a run was installed; its name
    ended = Signal()  # a study or run has ended; one that teaches has installed its model

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
        self._watcher, self._copier, self._reporter = (LatestJob(self) for _ in range(3))
        self.study_form = StudyFormController(page.form, service, self)
        self.teaching = TeachController(page.teaching, self)
        self.audition = Audition(player, self)
        self._undo: MovedStudy | None = None
        self._studies: tuple[StudyStatus, ...] = ()
        self._report_path = Path()
        self._initial: frozenset[Path] | None = frozenset(study_folder.known_folders())
        self._folder: Path | None = None  # of the shown study; None if the form is shown
        self.now: StudyStatus | None = None  # its status, once it is known
        self._pending: Action | None = None
        self._forbidden = not devices.has_torch()
        if self._forbidden:
            page.forbid(NO_STUDIES)
        self._connect()

    def shut_down(self) -> None:
        """Be silent and start no more jobs; studies keep running."""
        self.audition.stop()
        self.study_form.shut_down()
        self.teaching.shut_down()

    @Slot(str)
    def _on_page_opened(self, place: str) -> None:
        if place != "experiment":
            self.audition.stop()
        elif not self._forbidden:
            self._watch()
            self.study_form.begin()

    @Slot()
    def watch_existing(self) -> None:
        if not self._forbidden:
            self._watch()

    @Slot()
    def new(self) -> None:
        self._show(None)
        self.study_form.begin()
        self._page.show_form()

    @Slot()
    def teach(self) -> None:
        self._show(None)
        self._page.show_teaching()

    def _show(self, folder: Path | None) -> None:
        self.audition.stop()
        self._folder, self.now, self._pending = folder, None, None
        self._service.show(folder)

    @Slot(object)
    def choose(self, folder: Path) -> None:
        self._show(folder)
        self._page.study.expect(folder)
        self._page.show_study()
        self._page.list.mark(folder)

    @Slot()
    def _choose_folder(self) -> None:
        window = self._page.window()
        dialog = dialogs.path_dialog(window, OPEN_FOLDER, QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(lambda path: self.open_folder(Path(path)))
        dialog.open()

    def open_folder(self, folder: Path) -> None:
        self._service.do(partial(study_folder.remember, folder))
        self.choose(folder)

    def do(self, action: Action, _checked: object = None) -> None:
        now = self.now
        if now is None or study_text.disabled_reasons(now)[action]:
            return
        if action == "start":
            self._service.start_process(now.folder)
        elif action == "cancel":
            question, yes, no = study_text.cancel_question(now)
            dialogs.confirm(self._page.window(), question, yes, no, lambda: self._cancel(now))
        else:
            self._service.do(partial(study_folder.send_request, now.folder, action))
        if action != "cancel":
            self._show_pending(action)

    def _show_pending(self, action: Action) -> None:
        """Show the requested action at once; the process may take seconds to react."""
        self._pending = action
        if self.now is not None:
            self._page.study.show_study(self.now, action)

    def _cancel(self, study: StudyStatus) -> None:
        if study.state != "queued":
            self._service.do(partial(study_folder.send_request, study.folder, "cancel"))
            if self.now is not None and self.now.folder == study.folder:
                self._show_pending("cancel")
        else:
            self._service.do(partial(study_folder.discard, study.folder))
            self.new()

    def _choose_runner(self, now: StudyStatus, chosen: RunnerChoice) -> None:
        if not now.alive:
            self._service.do(partial(runner_choice.write, now.folder, chosen))

    def _ask_report_path(self, now: StudyStatus) -> None:
        dialogs.ask_new_path(
            self._page.window(),
            SAVE_REPORT,
            name=study_text.title(now),
            suffixes=(".html", ".pdf"),
            answer=lambda path: self.save_report(now.folder, path),
        )

    def save_report(self, folder: Path, path: Path) -> None:
        if self._reporter.busy:
            self._page.banner.show_message(STILL_SAVING)
            return
        self._report_path = path
        self._reporter.start(study_jobs.read_report(folder))

    @Slot(object)
    def _write_report(self, report: Report) -> None:
        from musicrel.ui.experiment import report_pdf  # with the classes that paint on paper

        path = self._report_path
        try:
            with english():
                report_pdf.save(report, path)
        except MusicrelError as reason:
            self._show_error(str(reason))
        else:
            self._messages.show_state(REPORT_SAVED.format(name=path.name, folder=path.parent))

    @Slot(object)
    def take_piece(self, piece: Chorale) -> None:
        if self._document.generating:
            self._page.banner.show_message(GENERATING)
            return
        self.audition.stop()
        name = study_text.title(self.now) if self.now is not None else ""
        self._document.show_piece(piece, action="opened")
        self._messages.show_state(FROM_STUDY.format(name=name))
        self._pages.open("compose")

    @Slot(object)
    def use_model(self, run: RunStatus) -> None:
        if self._copier.busy or self.now is None:
            self._page.banner.show_message(STILL_BUSY)
            return
        alone = self.now.kind == "run"
        name = run.folder.name if alone else f"{self.now.folder.name}-{run.folder.name}"
        self._copier.start(study_folder.install(run.folder / "model", name))

    def _move(self, action: ShelfAction, folder: Path, name: str = "") -> None:
        self._service.do(partial(study_folder.move, folder, action, name))

    def _ask_name(self, now: StudyStatus) -> None:
        dialog = QInputDialog(self._page.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(RENAME)
        dialog.setOkButtonText(tr("&Rename"))
        dialog.setLabelText(NAME)
        dialog.setTextValue(now.folder.name)
        dialog.textValueSelected.connect(lambda name: self._move("rename", now.folder, name))
        dialog.open()

    def _delete(self, now: StudyStatus) -> None:
        self._move("delete", now.folder)

    def _archive(self, now: StudyStatus) -> None:
        self._move("unarchive" if now.archived else "archive", now.folder)

    @Slot()
    def _restore(self) -> None:
        if self._undo is not None:
            self._service.do(partial(study_folder.restore, self._undo))

    @Slot(object)
    def _on_watch_events(self, events: tuple[WatchEvent, ...]) -> None:
        status: StudyStatus | None = None
        for event in events:
            if isinstance(event, tuple):
                self._list(event)
            elif isinstance(event, MovedStudy):
                self._report_move(event)
            elif isinstance(event, Measurement):
                self._messages.show_state(measurement_text(event))
            elif isinstance(event, str):
                self._show_error(event)
                self._pending = None
                status = status or self.now
            elif event is not None:
                status = event
        if status is not None and status.folder == self._folder:
            self._show_status(status)

    def _show_status(self, status: StudyStatus) -> None:
        self.now = status
        if not study_text.pending_text(status, self._pending):
            self._pending = None
        self._page.study.show_study(status, self._pending)

    def _report_move(self, event: MovedStudy) -> None:
        """Report a finished action and offer to undo it; show the study, if it was shown."""
        before, name = (
            study_text.short(display_names.study(path.name))
            for path in (event.origin, event.folder)
        )
        sentence = SENTENCES[event.action].format(
            before=before, name=name, folder=event.folder.parent
        )
        can_undo = event.action != "restore"
        self._undo = event if can_undo else None
        self._page.banner.show_message(sentence, UNDO if can_undo else "", notice=True)
        if event.action == "restore" or self._folder == event.origin:
            if event.action in _HIDES:
                self.new()
            else:
                self.choose(event.folder)

    def _list(self, studies: tuple[StudyStatus, ...]) -> None:
        before, self._studies = self._studies, studies
        self._page.list.show_studies(studies)
        self._page.list.mark(self._folder)
        self.study_form.set_queue(queues=any(study.alive for study in studies))
        for sentence in study_text.ended(before, studies):
            self._messages.show_state(sentence)
            self.ended.emit()
            self._messages.ended.emit(sentence)
        if self._initial is None:
            following = study_text.next_to_start(before, studies)
        else:  # the app was opened: the oldest of those that were queued before
            following = study_text.oldest_queued(
                [study for study in studies if study.alive or study.folder in self._initial]
            )
        self._initial = None
        if following is not None:
            self._service.start_process(following)

    @Slot(object)
    def _on_study_prepared(self, folder: Path) -> None:
        if not any(study.alive for study in self._studies):
            self._service.start_process(folder)
        self.choose(folder)

    @Slot(str)
    def _show_error(self, sentence: str) -> None:
        self._page.banner.show_message(sentence[:1].upper() + sentence[1:])

    def _watch(self) -> None:
        if not self._watcher.busy:
            self._watcher.start(self._service.watch())

    def _on_shown(self, act: Callable[..., object]) -> Callable[..., None]:
        """Return a slot that acts on the shown study; signals without it have ``checked``."""

        def slot(*values: object) -> None:
            if self.now is not None:
                act(self.now, *(one for one in values if not isinstance(one, bool)))

        return slot

    def _connect(self) -> None:
        page, study = self._page, self._page.study
        menu, listed = study.more, page.list
        for signal, slot in (
            (self._pages.opened, self._on_page_opened),
            (listed.new.clicked, self.new),
            (listed.teach.clicked, self.teach),
            (listed.chosen, self.choose),
            (listed.open.clicked, self._choose_folder),
            *((button.clicked, partial(self.do, name)) for name, button in study.buttons.items()),
            (menu.rename.triggered, self._on_shown(self._ask_name)),
            (menu.archive.triggered, self._on_shown(self._archive)),
            (menu.delete.triggered, self._on_shown(self._delete)),
            (page.banner.accepted, self._restore),
            (study.runner.edited, self._on_shown(self._choose_runner)),
            (study.folder.clicked, self._on_shown(_show_files)),
            (study.report.clicked, self._on_shown(self._ask_report_path)),
            (study.curves.failed, self._show_error),
            (study.runs.model_requested, self.use_model),
            (study.samples.play_requested, self.audition.toggle),
            (study.samples.open_requested, self.take_piece),
            (self.audition.changed, study.samples.set_playing),
            (self.study_form.prepared, self._on_study_prepared),
            (self.teaching.prepared, self._on_study_prepared),
            (self._watcher.events_received, self._on_watch_events),
            (self._watcher.failed, self._show_error),
            (self._copier.finished, self.model_installed.emit),
            (self._copier.finished, lambda _: self._pages.open("compose")),
            (self._copier.failed, self._show_error),
            (self._reporter.finished, self._write_report),
            (self._reporter.failed, self._show_error),
        ):
            signal.connect(slot)


def _show_files(now: StudyStatus) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(now.folder)))
