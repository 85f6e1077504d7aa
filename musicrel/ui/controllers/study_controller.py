"""The conductor of experiments: what is known of all studies goes to the page, wishes go to them.

The studies themselves are carried out by processes of their own, which outlive the window. One job
in a worker's thread looks after their folders; every method here returns at once.

This file knows the page, the desk and the rest of the app; it knows nothing of training.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from musicrel.chorale import Chorale
from musicrel.experiment.study import study_folder
from musicrel.playback.player import Player
from musicrel.presentation.compose import models
from musicrel.presentation.study import study_text
from musicrel.presentation.study.study_text import Deed, Entry
from musicrel.ui.controllers.compose_controller import Studio
from musicrel.ui.controllers.file_controller import NOT_NOW
from musicrel.ui.experiment.study_form_controller import Planning
from musicrel.ui.experiment.study_jobs import Desk, Listed, Looked, Trouble, WatchEvent
from musicrel.ui.files import dialogs
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.playback.audition import Audition
from musicrel.ui.shell.main_window import MainWindow

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunNow
    from musicrel.experiment.study.study_watch import StudyNow

STILL_BUSY: Final = "A model is being copied: try again in a moment"
FROM_A_STUDY: Final = "A small piece of the study {name}"


class Experimenting(QObject):
    """Wires studies to the window.

    Args:
        window: with the Experiment place.
        studio: takes pieces and models.
        player: lets small pieces be heard.
        desk: makes the jobs.
    """

    def __init__(self, window: MainWindow, studio: Studio, player: Player, desk: Desk) -> None:
        super().__init__(studio)
        self._window, self._page, self._studio = window, window.experiment, studio
        self._desk = desk
        self._watcher, self._copier = Worker(self), Worker(self)
        self.planning = Planning(self._page.form, desk, self)
        self.audition = Audition(player, self)
        self._entries: tuple[Entry, ...] = ()
        self._there = frozenset(study_folder.known())
        self._listed = False
        self._now: StudyNow | None = None
        self._asked: Deed | None = None
        self._connect()

    @property
    def now(self) -> StudyNow | None:
        """The study that is seen, as it stands; None: the form is."""
        return self._now

    def shut_down(self) -> bool:
        """End what runs here and wait for that, whether it has ended; studies go on."""
        self.audition.stop()
        planning = self.planning.shut_down()
        return all([self._watcher.shut_down(), self._copier.shut_down(), planning])

    def show(self) -> None:
        """Open the place."""
        self._window.places.open("experiment")

    # ------------------------------------------------------------------ what the user did

    @Slot(str)
    def _opened(self, place: str) -> None:
        if place == "experiment":
            self._look_after()
            self.planning.begin()
        else:
            self.audition.stop()

    @Slot()
    def _painted(self) -> None:
        """Look after studies that are there already: the next in the queue may be due."""
        if study_folder.known():
            self._look_after()

    @Slot()
    def new(self) -> None:
        """Show the form."""
        self._desk.folder = self._now = None
        self.audition.stop()
        self.planning.begin()
        self._page.show_form()

    @Slot(object)
    def choose(self, folder: Path) -> None:
        """Show a study."""
        self.audition.stop()
        self._desk.folder, self._now, self._asked = folder, None, None
        self._page.study.expect(folder)
        self._page.show_study()
        self._page.list.mark(folder)

    @Slot()
    def _ask_for_folder(self) -> None:
        mode = QFileDialog.FileMode.Directory
        dialog = dialogs.for_path(self._window, "Open a study folder", mode)
        dialog.fileSelected.connect(lambda path: self.open_folder(Path(path)))
        dialog.open()

    def open_folder(self, folder: Path) -> None:
        """Show the study in a folder anywhere, and know it from now on."""
        self._desk.remember(folder)
        self.choose(folder)

    @Slot(str)
    def do(self, deed: Deed) -> None:
        """Start, pause, resume, stop or cancel the study that is seen."""
        now = self._now
        if now is None or study_text.obstacles(now.state, orphaned=now.orphaned)[deed]:
            return
        if deed == "start":
            self._desk.go_on(now.folder, now.kind)
        elif deed == "cancel":
            question, yes = study_text.cancelling(now.folder.name, now.state)
            dialogs.whether(self._window, question, yes, lambda: self._cancel(now))
        else:
            self._desk.ask(now.folder, deed)
        if deed != "cancel":
            self._tell_asked(deed)

    def _tell_asked(self, deed: Deed) -> None:
        """Say at once what was asked: until it is done, a process may take seconds."""
        self._asked = deed
        if self._now is not None:
            self._page.study.show_study(self._now, deed)

    def _cancel(self, study: StudyNow) -> None:
        """End a study, or take back one that has not begun."""
        if study.state != "queued":
            self._desk.ask(study.folder, "cancel")
            if self._now is not None and self._now.folder == study.folder:
                self._tell_asked("cancel")
        else:
            self._desk.discard(study.folder)
            self.new()

    @Slot()
    def _open_files(self) -> None:
        if self._now is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._now.folder)))

    @Slot(object)
    def take_piece(self, piece: Chorale) -> None:
        """Put a small piece on the sheet, and go there."""
        if self._studio.busy:
            self._page.banner.tell(NOT_NOW)
            return
        self.audition.stop()
        name = self._now.folder.name if self._now is not None else ""
        self._studio.show_piece(piece, None, FROM_A_STUDY.format(name=name), saved=False)
        self._window.places.open("compose")

    @Slot(object)
    def use_model(self, run: RunNow) -> None:
        """Copy the model of a run to the user's models, and write with it."""
        if self._copier.busy or self._now is None:
            self._page.banner.tell(STILL_BUSY)
            return
        alone = self._now.kind == "run"
        name = run.folder.name if alone else f"{self._now.folder.name}-{run.folder.name}"
        self._copier.start(self._desk.adopt(run, name))

    # ------------------------------------------------------------------ what came of it

    @Slot(object)
    def _happened(self, events: tuple[WatchEvent, ...]) -> None:
        looked: StudyNow | None = None
        for event in events:
            match event:
                case Listed():
                    self._list(event)
                case Looked():
                    looked = event.study
                case Trouble():
                    self._tell(event.sentence)
                    self._asked = None
                    looked = looked or self._now
        if looked is not None and looked.folder == self._desk.folder:
            self._now = looked
            if not study_text.underway(looked, self._asked):
                self._asked = None
            self._page.study.show_study(looked, self._asked)

    def _list(self, listed: Listed) -> None:
        before = self._entries
        self._entries = tuple(
            Entry(folder=known.folder, kind=known.kind, state=known.state) for known in listed.known
        )
        self._page.list.show_entries(self._entries)
        self._page.list.mark(self._desk.folder)
        self.planning.set_queue(queues=study_text.running(self._entries))
        for sentence in study_text.ended(before, self._entries):
            self._window.set_state(sentence)
        following = study_text.next_to_start(before, self._entries)
        if not self._listed:
            following = study_text.due_at_the_start(self._entries, self._there)
        self._listed = True
        if following is not None:
            self._desk.go_on(following, "study")

    @Slot(object)
    def _begin(self, folder: Path) -> None:
        """Start a study that was prepared, unless another is at work."""
        if not study_text.running(self._entries):
            self._desk.go_on(folder, "study")
        self.choose(folder)

    @Slot(object)
    def _copied(self, name: str) -> None:
        """The model is among the user's own now: choose it, and go where it writes."""
        choices, _ = models.installed()
        self._window.page.controls.entries.set_models(choices, name)
        self._studio.machine.choose_model(name)
        self._studio.look_at_form()
        self._window.places.open("compose")

    @Slot(str)
    def _tell(self, sentence: str) -> None:
        self._page.banner.tell(sentence[:1].upper() + sentence[1:])

    # ------------------------------------------------------------------ inside

    def _look_after(self) -> None:
        if not self._watcher.busy:
            self._watcher.start(self._desk.watch())

    def _connect(self) -> None:
        window, page = self._window, self._page
        for signal, slot in (
            (window.places.opened, self._opened),
            (window.painted, self._painted),
            (page.list.new_wished, self.new),
            (page.list.chosen, self.choose),
            (page.list.folder_wished, self._ask_for_folder),
            (page.study.done, self.do),
            (page.study.folder_wished, self._open_files),
            (page.study.runs.model_wished, self.use_model),
            (page.study.samples.play_wished, self.audition.toggle),
            (page.study.samples.open_wished, self.take_piece),
            (self.audition.changed, page.study.samples.set_playing),
            (self.planning.prepared, self._begin),
            (self._watcher.happened, self._happened),
            (self._watcher.failed, self._tell),
            (self._copier.finished, self._copied),
            (self._copier.failed, self._tell),
        ):
            signal.connect(slot)
