"""Controller of the list of models: card, hash, use, import, removal with undo."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from musicrel.errors import MusicrelError
from musicrel.model import catalogue, removal
from musicrel.model.card import read_card
from musicrel.model.removal import SHIPPED, RemovedModel
from musicrel.presentation.compose import installed_models, model_card
from musicrel.presentation.compose.installed_models import Checksum, InstalledModel
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker, end_jobs
from musicrel.ui.library import import_dialogs, model_jobs
from musicrel.ui.library.model_question import ask_about_name
from musicrel.ui.library.models_dialog import ModelsDialog

if TYPE_CHECKING:
    from musicrel.model.importing import ImportedModel, ImportProgress, ModelSource

IN_USE: Final = "Notes are being written: wait until they are finished, or stop them"
NOT_FOR_NOTES: Final = "{name} writes no notes, so that the form cannot use it"
NO_CARD: Final = "The card of the model cannot be read"
SHADOWED: Final = "A shipped model has the same name and is used in its place"
IMPORTING: Final = "A model is being imported"
IMPORTED: Final = "{name} was imported."
REPLACED: Final = "{name} was imported; the model of that name before is in the trash."
REMOVED: Final = "{name} was removed; it is kept in {folder}."
RESTORED: Final = "{name} is back."
CHOSEN: Final = "{name} is chosen in the form."
REPLACED_IN_FORM: Final = "{sentence} {name} is chosen in the form in its place."
UNDO: Final = "Undo"
_BUSY: Final = "A model is being imported: wait until it is finished"
_STOPPED: Final = "The import was stopped; nothing was changed."


class ModelLibrary(QObject):
    """The controller of the list of models.

    Args:
        writing: returns True while notes are being written.

    Attributes:
        dialog: the list; None while it was never opened.
    """

    changed = Signal()  # models were added or removed
    chosen = Signal(str)  # a model to choose in the form
    removed = Signal(str)  # a model was removed; before ``changed``

    def __init__(
        self,
        window: QWidget,
        writing: Callable[[], bool],
        in_form: Callable[[], tuple[str, str]] = lambda: ("", ""),
    ) -> None:
        super().__init__(window)
        self._window, self._writing, self._in_form = window, writing, in_form
        self.dialog: ModelsDialog | None = None
        self._checksums: dict[Path, Checksum] = {}
        self._hashing, self._worker = LatestJob(self), Worker(self)
        self._undo: Callable[[], None] | None = None
        self._hashing.events_received.connect(self._on_hashed)
        self._worker.events_received.connect(self._on_progress)
        self._worker.finished.connect(self._on_finished)
        self._worker.failed.connect(self._on_failed)
        self._worker.cancelled.connect(self._on_cancelled)

    @property
    def busy(self) -> bool:
        """Return True while a model is being imported."""
        return self._worker.busy

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        return (*self._hashing.shut_down(), *end_jobs(self._worker))

    # ------------------------------------------------------------------ user actions

    @Slot()
    def show(self, selected: str = "") -> None:
        if self.dialog is None:
            self.dialog = self._made()
        if not self.dialog.isVisible():
            self._forget_undo()
            selected = selected or self._in_form()[0]
        self._list(selected)
        self.dialog.show()
        self.dialog.activateWindow()

    @Slot(object)
    def import_from(self, path: Path) -> None:
        self.show()
        if self._worker.busy:
            self._report(_BUSY)
            return
        self._forget_undo()
        self._worker.start(model_jobs.inspect(path))
        self.update_enabled()

    @Slot()
    def ask_to_import(self) -> None:
        import_dialogs.ask_for_file(self.dialog or self._window, self.import_from)

    @Slot()
    def ask_for_folder(self) -> None:
        import_dialogs.ask_for_folder(self.dialog or self._window, self.import_from)

    @Slot()
    def remove(self) -> None:
        model = self._selected()
        if model is None or self._why_not_remove(model):
            return
        try:
            removed = removal.remove(model.folder)
        except MusicrelError as reason:
            self._report(str(reason))
            return
        before = self._in_form()
        self.removed.emit(removed.name)
        self._changed_to("")
        sentence = REMOVED.format(name=removed.name, folder=removed.folder.parent)
        for old, new in zip(before, self._in_form(), strict=True):
            if old == removed.name and new not in (old, ""):
                sentence = REPLACED_IN_FORM.format(sentence=sentence, name=new)
        self._offer_undo(sentence, partial(self._restore, removed))

    @Slot()
    def use(self) -> None:
        model = self._selected()
        if model is not None and not self._why_not_use(model):
            self.chosen.emit(model.name)
            self._forget_undo()
            self._list(model.name)
            self._tell(CHOSEN.format(name=model.name))

    @Slot()
    def copy_hash(self) -> None:
        model = self._selected()
        checksum = self._checksums.get(model.folder) if model is not None else None
        if checksum is not None:
            QGuiApplication.clipboard().setText(checksum.sha256)

    # ------------------------------------------------------------------ import

    @Slot(object)
    def _on_progress(self, events: tuple[ImportProgress | None, ...]) -> None:
        shares = [event.share for event in events if event is not None]
        if shares and self.dialog is not None:
            self.dialog.progress.show_share(shares[-1], import_dialogs.TITLE)

    @Slot(object)
    def _on_finished(self, result: ModelSource | ImportedModel) -> None:
        from musicrel.model.importing import ImportedModel

        if isinstance(result, ImportedModel):
            self._on_imported(result)
        else:
            self._begin_import(result)

    def _begin_import(self, source: ModelSource) -> None:
        """Import a model, after a question if a model has its name."""
        from musicrel.model import importing

        there, free = importing.taken(source.name), importing.free_name(source.name)
        if there is None:
            self._import(source, replaces=False)
            return
        self.update_enabled()
        replaceable = not catalogue.is_shipped(there) and not self._writing()
        ask_about_name(
            self.dialog or self._window,
            source.name,
            free,
            on_keep_both=partial(self._import, source, replaces=False),
            on_replace=partial(self._import, source, replaces=True) if replaceable else None,
        )

    def _import(self, source: ModelSource, *, replaces: bool) -> None:
        if self.busy or (replaces and self._writing()):
            self._report(_BUSY if self.busy else IN_USE)
            return
        self._worker.start(model_jobs.import_model(source, replaces=replaces))
        self.update_enabled()

    def _on_imported(self, result: ImportedModel) -> None:
        self._end()
        self._changed_to(result.name)
        sentence = REPLACED if result.replaced is not None else IMPORTED
        undo = partial(self._take_back, result)
        self._offer_undo(sentence.format(name=result.name), undo)

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._end()
        self._report(sentence)

    @Slot()
    def _on_cancelled(self) -> None:
        self._end()
        self._tell(_STOPPED)

    def _end(self) -> None:
        if self.dialog is not None:
            self.dialog.progress.hide()
        self.update_enabled()

    # ------------------------------------------------------------------ undo

    def _offer_undo(self, sentence: str, undo: Callable[[], None], *, notice: bool = True) -> None:
        self._undo = undo
        if self.dialog is not None:
            self.dialog.banner.show_message(sentence, UNDO, notice=notice)

    @Slot()
    def _undo_last(self) -> None:
        undo = self._undo
        if undo is None:
            return
        if reason := self._why_not_now():
            self._offer_undo(reason, undo, notice=False)
            return
        try:
            undo()
        except MusicrelError as error:
            self._offer_undo(_sentence(error), undo, notice=False)
        else:
            self._undo = None

    def _restore(self, removed: RemovedModel) -> None:
        name = removal.restore(removed)
        self._changed_to(name)
        self._tell(RESTORED.format(name=name))

    def _take_back(self, result: ImportedModel) -> None:
        """Remove an imported model, and restore the one it replaced; or change nothing."""
        removed = removal.remove(catalogue.user_models() / result.name)
        try:
            name = removal.restore(result.replaced) if result.replaced is not None else ""
        except MusicrelError:
            removal.restore(removed)
            raise
        self._changed_to(name)
        self._forget_undo()

    @Slot()
    def _forget_undo(self) -> None:
        self._undo = None
        if self.dialog is not None:
            self.dialog.banner.clear()

    # ------------------------------------------------------------------ the list

    def _selected(self) -> InstalledModel | None:
        return self.dialog.model if self.dialog is not None else None

    def _tell(self, sentence: str) -> None:
        if self.dialog is not None:
            self.dialog.banner.show_message(sentence, notice=True)

    def _report(self, sentence: str) -> None:
        if self.dialog is not None:
            self.dialog.banner.show_message(_sentence(sentence))

    def _changed_to(self, selected: str) -> None:
        self._list(selected)
        self.changed.emit()

    def _list(self, selected: str) -> None:
        """List the models again and compute the hashes in the background."""
        if self.dialog is None:
            return
        kept = selected or (self.dialog.model.name if self.dialog.model is not None else "")
        self._checksums.clear()
        found = installed_models.listed()
        self.dialog.show_models(found, kept, self._in_form())
        self._hashing.request(partial(installed_models.checksums, found))

    @Slot(object)
    def _on_hashed(self, events: tuple[Checksum, ...]) -> None:
        self._checksums |= {event.folder: event for event in events}
        model = self._selected()
        if model is not None:
            self._show_checksum(model)

    @Slot(object)
    def _show(self, model: InstalledModel) -> None:
        if self.dialog is None:
            return
        self.dialog.show_card(_markdown(model))
        self.dialog.show_place(model.folder)
        self._show_checksum(model)
        self.update_enabled()

    def _show_checksum(self, model: InstalledModel) -> None:
        if self.dialog is not None:
            checksum = self._checksums.get(model.folder)
            self.dialog.show_checksum(checksum, installed_models.READING)

    @Slot()
    def update_enabled(self) -> None:
        """Enable the buttons that are possible now; tooltips give the reasons of the others."""
        model = self._selected()
        if self.dialog is not None and model is not None:
            self.dialog.set_disabled_reasons(
                use=self._why_not_use(model),
                remove=self._why_not_remove(model),
                import_=IMPORTING if self.busy else "",
            )

    def _why_not_use(self, model: InstalledModel) -> str:
        if model.problem:
            return NO_CARD
        if not model.usable:
            return NOT_FOR_NOTES.format(name=model.name)
        same = [path for path in catalogue.model_directories() if path.name == model.name]
        return "" if model.folder in same[:1] else SHADOWED

    def _why_not_remove(self, model: InstalledModel) -> str:
        if model.shipped:
            return SHIPPED.format(name=model.name)
        return self._why_not_now()

    def _why_not_now(self) -> str:
        if self._writing():
            return IN_USE
        return IMPORTING if self.busy else ""

    def _made(self) -> ModelsDialog:
        dialog = ModelsDialog(self._window)
        for signal, slot in (
            (dialog.selected, self._show),
            (dialog.dropped, self.import_from),
            (dialog.import_button.clicked, self.ask_to_import),
            (dialog.folder_button.clicked, self.ask_for_folder),
            (dialog.remove_button.clicked, self.remove),
            (dialog.use_button.clicked, self.use),
            (dialog.copy_button.clicked, self.copy_hash),
            (dialog.banner.accepted, self._undo_last),
            (dialog.progress.cancelled, self._worker.stop),
        ):
            signal.connect(slot)
        return dialog


def _sentence(reason: object) -> str:
    """Return the text of an error with a capital letter, unless it begins with a model's name."""
    text = str(reason)
    names = {path.name for path in catalogue.model_directories()}
    return text if text.partition(" ")[0] in names else text[:1].upper() + text[1:]


def _markdown(model: InstalledModel) -> str:
    """Return the card of a model, or why it cannot be read."""
    try:
        return model_card.to_markdown(read_card(model.folder), model.name)
    except MusicrelError as reason:
        return str(reason)
