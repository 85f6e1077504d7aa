"""Controller of what is done with a whole study: renamed, archived, deleted, and undone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QInputDialog

from musicrel.experiment.study import study_folder
from musicrel.presentation.study import study_text
from musicrel.presentation.words import display_names
from musicrel.ui.experiment.experiment_page import ExperimentPage
from musicrel.ui.experiment.study_jobs import ShelfAction, StudyMoved, StudyService

if TYPE_CHECKING:
    from musicrel.experiment.study.study_shelf import MovedStudy
    from musicrel.experiment.study.study_watch import StudyStatus

UNDO: Final = "Undo"
NAME: Final = "Name of the study:"
RENAME: Final = "Rename study"
SENTENCES: Final[dict[ShelfAction, str]] = {
    "rename": "{before} is now {name}.",
    "archive": "{before} is archived.",
    "unarchive": "{before} is back among the studies.",
    "delete": "{before} was deleted; it is kept in {folder}.",
    "restore": "{name} is back.",
}
"""The message after each action."""
_OK: Final = "&Rename"
_HIDES: Final[frozenset[ShelfAction]] = frozenset(("archive", "delete"))
"""Actions after which the study is not shown any more."""


class StudyShelfController(QObject):
    """Connects the menu of the shown study with the service that moves folders."""

    # the folder of the study to show now; None: the form. Not emitted if the user has opened
    # another study meanwhile
    moved = Signal(object)

    def __init__(self, page: ExperimentPage, service: StudyService, parent: QObject) -> None:
        super().__init__(parent)
        self._page, self._service = page, service
        self._now: StudyStatus | None = None
        self._undo: MovedStudy | None = None
        menu = page.study.more
        menu.rename_requested.connect(self._ask_name)
        menu.archive_requested.connect(self._archive)
        menu.delete_requested.connect(self._delete)
        page.banner.accepted.connect(self._restore)
        page.banner.declined.connect(self._forget)

    def show(self, now: StudyStatus) -> None:
        """Enable what is possible with the shown study."""
        self._now = now
        reason = study_text.fixed_reason(now.state, orphaned=now.orphaned)
        archived = study_folder.is_archived(now.folder)
        self._page.study.more.set_state(disabled_reason=reason, archived=archived)

    def on_moved(self, event: StudyMoved) -> None:
        """Report a finished action and offer to undo it."""
        before, name = (
            study_text.short(display_names.study(path.name))
            for path in (event.moved.origin, event.moved.folder)
        )
        sentence = SENTENCES[event.action].format(
            before=before, name=name, folder=event.moved.folder.parent
        )
        can_undo = event.action != "restore"
        self._undo = event.moved if can_undo else None
        self._page.banner.show_message(sentence, UNDO if can_undo else "", notice=True)
        if event.action == "restore" or self._service.folder == event.moved.origin:
            self.moved.emit(None if event.action in _HIDES else event.moved.folder)

    @Slot()
    def _ask_name(self) -> None:
        if self._now is None:
            return
        folder: Path = self._now.folder
        dialog = QInputDialog(self._page.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(RENAME)
        dialog.setOkButtonText(_OK)
        dialog.setLabelText(NAME)
        dialog.setTextValue(folder.name)
        dialog.textValueSelected.connect(lambda name: self._service.move(folder, "rename", name))
        dialog.open()

    @Slot()
    def _archive(self) -> None:
        if self._now is not None:
            archived = study_folder.is_archived(self._now.folder)
            self._service.move(self._now.folder, "unarchive" if archived else "archive")

    @Slot()
    def _delete(self) -> None:
        if self._now is not None:
            self._service.move(self._now.folder, "delete")

    @Slot()
    def _restore(self) -> None:
        if self._undo is not None:
            self._service.restore(self._undo)
        self._forget()

    @Slot()
    def _forget(self) -> None:
        self._undo = None
