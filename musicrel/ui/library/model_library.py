"""Controller of the list of models: card, hash, use, import, removal with undo."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QTableWidgetItem,
    QWidget,
)

from musicrel.errors import MusicrelError
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.model import catalogue
from musicrel.model.card import CARD, read_card
from musicrel.model.catalogue import SHIPPED, RemovedModel
from musicrel.presentation.compose import installed_models, model_card
from musicrel.presentation.compose.installed_models import Checksum, InstalledModel
from musicrel.ui.files import dialogs
from musicrel.ui.files.dialogs import FileDrop, first_model
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.widgets import icons, layout
from musicrel.ui.widgets.banner import Banner, JobStrip
from musicrel.ui.widgets.card_text import CardText
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.fields import enable

if TYPE_CHECKING:
    from musicrel.model.importing import ImportedModel, ImportProgress, ModelSource


NO_CARD: Final = tr("The card of the model cannot be read")
SHADOWED: Final = tr("A bundled model of the same name is used instead")
CHOSEN: Final = tr("{name} is chosen in the form.")
REPLACED_IN_FORM: Final = tr("{sentence} {name} is chosen in the form instead.")
_STOPPED: Final = tr("The import was stopped; nothing was changed.")
KEEP_BOTH: Final = tr("Import as {free}")
_FILTER: Final = tr("Models (*.zip {card})")
_FOLDER: Final = tr("Import a f&older…")
_IN_FORM: Final = tr("Chosen in the form")
_COPY_TIP: Final = tr("Copy the SHA-256 of the weights")
_CARD: Final = tr("Card of the model")
_PLACE: Final = tr("Stored in {folder}")

IN_USE: Final = tr("Notes are being written: wait until they are finished, or stop them")
NOT_FOR_NOTES: Final = tr("{name} does not write notes, so the form cannot use it")
IMPORTING: Final = tr("A model is being imported")
REPLACED: Final = tr("{name} was imported; the previous model of that name is in the trash.")
REMOVED: Final = tr("{name} was removed; it is kept in {folder}.")
RESTORED: Final = tr("{name} is back.")
UNDO: Final = tr("Undo")
_BUSY: Final = tr("A model is being imported: wait until it is finished")

TITLE: Final = tr("Import a model")
_CHOICE: Final = tr("Import the new one as {free}, or replace the old one? Undo restores it.")
IMPORTED: Final = tr("{name} was imported.")
QUESTION: Final = tr("There is a model called {name} already.")
_ONLY_BOTH: Final = tr(
    "It belongs to musicrel or is writing notes, so it cannot be replaced. "
    "Import the new one as {free}?"
)
REPLACE: Final = tr("&Replace")


class ModelLibrary(QObject):
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
        self._checksums: dict[Path, Checksum] = {}
        self._hashing, self._worker = LatestJob(self), LatestJob(self)
        self._undo: Callable[[], None] | None = None
        for signal, slot in (
            (self._hashing.events_received, self._on_hashed),
            (self._worker.events_received, self._on_progress),
            (self._worker.finished, self._on_finished),
            (self._worker.failed, self._on_failed),
            (self._worker.stopped, self._on_cancelled),
        ):
            signal.connect(slot)

    @property
    def busy(self) -> bool:
        return self._worker.busy

    # ------------------------------------------------------------------ user actions

    @Slot()
    def show(self, selected: str = "") -> None:
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
        self._worker.start(_inspect(path))
        self.update_enabled()

    @Slot()
    def ask_to_import(self) -> None:
        dialog = self._path_dialog(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(_FILTER.format(card=CARD))
        dialog.open()

    def _path_dialog(self, mode: QFileDialog.FileMode) -> QFileDialog:
        dialog = dialogs.path_dialog(self.dialog, TITLE, mode)
        dialog.fileSelected.connect(lambda path: self.import_from(_model(Path(path))))
        return dialog

    @Slot()
    def remove(self) -> None:
        model = self.dialog.model
        if model is None or self._why_not_remove(model):
            return
        try:
            removed = catalogue.remove(model.folder)
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
        model = self.dialog.model
        if model is not None and not self._why_not_use(model):
            self.chosen.emit(model.name)
            self._forget_undo()
            self._list(model.name)
            self._tell(CHOSEN.format(name=model.name))

    @Slot()
    def copy_hash(self) -> None:
        model = self.dialog.model
        checksum = self._checksums.get(model.folder) if model is not None else None
        if checksum is not None:
            QGuiApplication.clipboard().setText(checksum.sha256)

    # ------------------------------------------------------------------ import

    @Slot(object)
    def _on_progress(self, events: tuple[ImportProgress | None, ...]) -> None:
        last = events[-1]
        if last is not None:
            self.dialog.progress.show_share(last.share, TITLE)

    @Slot(object)
    def _on_finished(self, result: ModelSource | ImportedModel) -> None:
        from musicrel.model.importing import ImportedModel

        if isinstance(result, ImportedModel):
            self._on_imported(result)
        else:
            self._begin_import(result)

    def _begin_import(self, source: ModelSource) -> None:
        from musicrel.model import importing

        there, free = importing.taken(source.name), importing.free_name(source.name)
        if there is None:
            self._import(source)
            return
        self.update_enabled()
        replaceable = not catalogue.is_shipped(there) and not self._writing()
        keep = (KEEP_BOTH.format(free=free), dialogs.ACCEPT, partial(self._import, source))
        replace = (REPLACE, dialogs.DESTROY, partial(self._import, source, replaces=True))
        dialogs.ask(
            self.dialog,
            QUESTION.format(name=source.name),
            *((keep, replace) if replaceable else (keep,)),
            dialogs.CANCEL,
            info=(_CHOICE if replaceable else _ONLY_BOTH).format(free=free),
        )

    def _import(self, source: ModelSource, *, replaces: bool = False) -> None:
        if self.busy or (replaces and self._writing()):
            self._report(_BUSY if self.busy else IN_USE)
            return
        from musicrel.model import importing

        self._worker.start(importing.import_model(source, source.name, replaces=replaces))
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
        self.dialog.progress.hide()
        self.update_enabled()

    # ------------------------------------------------------------------ undo

    def _offer_undo(self, sentence: str, undo: Callable[[], None], *, notice: bool = True) -> None:
        self._undo = undo
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
        name = catalogue.restore(removed)
        self._changed_to(name)
        self._tell(RESTORED.format(name=name))

    def _take_back(self, result: ImportedModel) -> None:
        """Remove an imported model, and restore the one it replaced; or change nothing."""
        removed = catalogue.remove(catalogue.user_models() / result.name)
        try:
            name = catalogue.restore(result.replaced) if result.replaced is not None else ""
        except MusicrelError:
            catalogue.restore(removed)
            raise
        self._changed_to(name)
        self._forget_undo()

    @Slot()
    def _forget_undo(self) -> None:
        self._undo = None
        self.dialog.banner.clear()

    # ------------------------------------------------------------------ the list

    def _tell(self, sentence: str) -> None:
        self.dialog.banner.show_message(sentence, notice=True)

    def _report(self, sentence: str) -> None:
        self.dialog.banner.show_message(_sentence(sentence))

    def _changed_to(self, selected: str) -> None:
        self._list(selected)
        self.changed.emit()

    def _list(self, selected: str) -> None:
        kept = selected or (self.dialog.model.name if self.dialog.model is not None else "")
        self._checksums.clear()
        found = installed_models.listed()
        self.dialog.show_models(found, kept, self._in_form())
        self._hashing.request(partial(installed_models.checksums, found))

    @Slot(object)
    def _on_hashed(self, events: tuple[Checksum, ...]) -> None:
        self._checksums |= {event.folder: event for event in events}
        model = self.dialog.model
        if model is not None:
            self.dialog.show_checksum(self._checksums.get(model.folder))

    @Slot()
    def _show(self) -> None:
        model = self.dialog.model
        if model is None:
            return
        try:
            card = model_card.to_markdown(read_card(model.folder), model.name)
        except MusicrelError as reason:
            card = str(reason)
        self.dialog.card.show_markdown(card)
        self.dialog.place.setText(_PLACE.format(folder=model.folder))
        self.dialog.show_checksum(self._checksums.get(model.folder))
        self.update_enabled()

    @Slot()
    def update_enabled(self) -> None:
        model = self.dialog.model if "dialog" in self.__dict__ else None  # made when it is shown
        if model is not None:
            dialog, importing = self.dialog, IMPORTING if self.busy else ""
            enable(dialog.use_button, self._why_not_use(model), _USE_TIP)
            enable(dialog.remove_button, self._why_not_remove(model), _REMOVE_TIP)
            enable(dialog.import_button, importing, _IMPORT_TIP)
            enable(dialog.folder_button, importing, _FOLDER_TIP)

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

    @cached_property
    def dialog(self) -> ModelsDialog:
        dialog = ModelsDialog(self._window)
        for signal, slot in (
            (dialog.table.itemSelectionChanged, self._show),
            (dialog.drop.dropped, self.import_from),
            (dialog.import_button.clicked, self.ask_to_import),
            (
                dialog.folder_button.clicked,
                lambda: self._path_dialog(QFileDialog.FileMode.Directory).open(),
            ),
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


def _inspect(path: Path) -> Job[None, ModelSource]:
    """Read the card of a model to import, in the thread of a worker: this imports torch."""
    yield
    from musicrel.model import importing

    return importing.inspect(path)


def _model(file: Path) -> Path:
    return file.parent if file.name == CARD else file


_TITLE: Final = tr("Models")
_INTRODUCTION: Final = tr(
    "Models write and rewrite the notes, on this computer. Drop the folder or the zip archive of "
    "a model here to import it."
)
# title, attribute and tooltip of each column
_COLUMNS: Final = (
    (tr("Model"), "name", tr("Name it is chosen by")),
    (tr("Task"), "task", tr("Writes new pieces, rewrites parts of pieces, or ranks candidates")),
    (tr("Family"), "family", tr("Kind of model")),
    (tr("Positions"), "scheme", tr("How positions enter the model")),
    (tr("Parameters"), "parameters", tr("Number of trained parameters")),
    (tr("Size"), "size", tr("Size of the weights on disk")),
    (tr("Loss"), "loss", tr("Validation loss in nats per note; not comparable between families")),
    (tr("Licence"), "licence", tr("Licence of the model")),
    (tr("Installed"), "stored", tr("Shipped with musicrel, or imported by you")),
    (tr("Added"), "added", tr("Day of its installation")),
)
_RIGHT: Final = ("parameters", "size", "loss")
_IMPORT_TIP: Final = tr("Add a model from a zip archive, or from the card.json in its folder")
_FOLDER_TIP: Final = tr("Add the model in a folder")
_REMOVE_TIP: Final = tr("Move the model to the trash of musicrel; Undo restores it")
_USE_TIP: Final = tr("Choose the model in the form")
_HEIGHTS: Final = (275, 265)  # first heights of list and card in pixels


class ModelsDialog(QDialog):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_TITLE)
        self._models: tuple[InstalledModel, ...] = ()
        from musicrel.ui.experiment.tables import TableView

        self.table, self.card = TableView(_TITLE), CardText()
        self.banner, self.progress = Banner(), JobStrip()
        self.hash, self.place = QLabel(), ElidedLabel()
        self.copy_button = _button(tr("Cop&y"), _COPY_TIP)
        self.import_button = _button(tr("&Import…"), _IMPORT_TIP)
        self.folder_button = _button(_FOLDER, _FOLDER_TIP)
        self.remove_button = _button(tr("&Remove"), _REMOVE_TIP)
        self.use_button, self.close_button = _button(tr("&Use"), _USE_TIP), _button(tr("Close"), "")
        self._lay_out()
        self.close_button.clicked.connect(self.reject)
        self.drop = FileDrop(self, first_model)
        self.resize(1060, 640)

    # ------------------------------------------------------------------ state

    def show_models(
        self, models: Sequence[InstalledModel], selected: str, in_form: Collection[str] = ()
    ) -> None:
        self._models = tuple(models)
        with QSignalBlocker(self.table):
            self.table.setRowCount(len(models))
            for row, model in enumerate(models):
                for column, (_, attribute, _) in enumerate(_COLUMNS):
                    cell = _cell(model, attribute)
                    self.table.setItem(row, column, cell)
                    if column == 0 and model.name in in_form:
                        _mark(cell)
        names = [model.name for model in models]
        self.table.clearSelection()
        if names:
            row = names.index(selected) if selected in names else 0
            self.table.selectRow(row)
            self.table.scrollTo(self.table.model().index(row, 0))

    @property
    def model(self) -> InstalledModel | None:
        rows = self.table.selectionModel().selectedRows()
        return self._models[rows[0].row()] if rows else None

    def show_checksum(self, checksum: Checksum | None) -> None:
        sha256, state = (
            ("", installed_models.READING)
            if checksum is None
            else (checksum.sha256, checksum.state)
        )
        self.copy_button.setEnabled(bool(sha256))
        self.hash.setText(f"SHA-256 {sha256[:16]}…, {state}")
        self.hash.setToolTip(sha256)

    # ------------------------------------------------------------------ widgets

    def _lay_out(self) -> None:
        head, introduction = layout.dialog_title(_TITLE), layout.quiet(_INTRODUCTION)
        for label in (self.hash, self.place):
            label.setObjectName("quiet")
        self._make_table()
        self.card.setAccessibleName(_CARD)
        self.card.document().setDocumentMargin(12)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.table)
        split.addWidget(self.card)
        split.setChildrenCollapsible(False)
        split.setSizes(list(_HEIGHTS))
        layout.column(
            head, introduction, self.banner, (split, 1), self._facts(), self._buttons(),
            owner=self, spacing=10, margins=(20, 16, 20, 14),
        )  # fmt: skip

    def _facts(self) -> QHBoxLayout:
        self.hash.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.place.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        return layout.row(self.hash, self.copy_button, (self.place, 1), spacing=10)

    def _buttons(self) -> QHBoxLayout:
        self.use_button.setObjectName("main")
        return layout.row(
            self.import_button, self.folder_button, self.remove_button, self.progress, None,
            self.use_button, self.close_button, spacing=8,
        )  # fmt: skip

    def _make_table(self) -> None:
        self.table.setColumnCount(len(_COLUMNS))
        for column, (title, attribute, tip) in enumerate(_COLUMNS):
            item = QTableWidgetItem(title)
            item.setToolTip(tip)
            item.setTextAlignment(_alignment(attribute))
            self.table.setHorizontalHeaderItem(column, item)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        layout.Arranger(self._arrange, self.table)

    def _arrange(self) -> None:
        """Stretch the last column where all fit."""
        header, table = self.table.horizontalHeader(), self.table
        columns = range(table.columnCount())
        needed = (max(header.sectionSizeHint(at), table.sizeHintForColumn(at)) for at in columns)
        header.setStretchLastSection(sum(needed) <= table.viewport().width())


def _button(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setAutoDefault(False)
    return button


def _cell(model: InstalledModel, attribute: str) -> QTableWidgetItem:
    item = QTableWidgetItem(str(getattr(model, attribute)))
    item.setTextAlignment(_alignment(attribute))
    item.setToolTip(model.problem)
    if model.problem and attribute == "name":
        item.setIcon(icons.themed("warning"))
    return item


def _mark(item: QTableWidgetItem) -> None:
    font = item.font()
    font.setBold(True)
    item.setFont(font)
    item.setToolTip(_IN_FORM)


def _alignment(attribute: str) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if attribute in _RIGHT else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
