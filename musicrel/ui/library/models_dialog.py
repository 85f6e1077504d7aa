"""The dialog that lists all models with the card of the selected one, without logic."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from musicrel.presentation.compose.installed_models import Checksum, InstalledModel
from musicrel.ui.library.model_drop import ModelDrop
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.banner import Banner
from musicrel.ui.widgets.card_text import CardText
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.job_strip import JobStrip

_TITLE: Final = "Models"
_INTRODUCTION: Final = (
    "Models write and rewrite the notes, on this computer. Drop the folder or the zip archive of "
    "a model here to import it."
)
_COLUMNS: Final = (
    ("Model", "name", "Name it is chosen by"),
    ("Task", "task", "Writes new pieces, rewrites parts of pieces, or ranks candidates"),
    ("Family", "family", "Kind of model"),
    ("Positions", "scheme", "How positions enter the model"),
    ("Parameters", "parameters", "Number of trained parameters"),
    ("Size", "size", "Size of the weights on disk"),
    ("Loss", "loss", "Validation loss in nats per note; not comparable between families"),
    ("Licence", "licence", "Licence of the model"),
    ("Installed", "stored", "Shipped with musicrel, or imported by you"),
    ("Added", "added", "Day of its installation"),
)
"""Title, attribute and tooltip of each column."""
_RIGHT: Final = ("parameters", "size", "loss")
_IMPORT: Final = "&Import…"
_IMPORT_TIP: Final = "Add a model from a zip archive, or from the card.json in its folder"
_FOLDER: Final = "Import a f&older…"
_FOLDER_TIP: Final = "Add the model in a folder"
_IN_FORM: Final = "Chosen in the form"
_REMOVE: Final = "&Remove"
_REMOVE_TIP: Final = "Move the model to the trash of musicrel; Undo brings it back"
_USE: Final = "&Use"
_USE_TIP: Final = "Choose the model in the form"
_CLOSE: Final = "Close"
_COPY_TIP: Final = "Copy the SHA-256 of the weights"
_COPY: Final = "Cop&y"
_CARD: Final = "Card of the model"
_HASH: Final = "SHA-256 {short}…, {state}"
_PLACE: Final = "Stored in {folder}"
_SHORT: Final = 16
_SIZE: Final = (1060, 640)
_HEIGHTS: Final = (275, 265)
"""First heights of list and card in pixels."""


class ModelsDialog(QDialog):
    """The dialog; not shown yet."""

    selected = Signal(object)  # another row was selected
    dropped = Signal(object)  # a folder or a zip archive was dropped

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_TITLE)
        self._models: tuple[InstalledModel, ...] = ()
        self.table, self.card = QTableWidget(0, len(_COLUMNS)), CardText()
        self.banner, self.progress = Banner(), JobStrip()
        self.hash, self.place = QLabel(), ElidedLabel()
        self.copy_button = _button(_COPY, _COPY_TIP)
        self.import_button = _button(_IMPORT, _IMPORT_TIP)
        self.folder_button = _button(_FOLDER, _FOLDER_TIP)
        self.remove_button = _button(_REMOVE, _REMOVE_TIP)
        self.use_button, self.close_button = _button(_USE, _USE_TIP), _button(_CLOSE, "")
        self._lay_out()
        self.table.itemSelectionChanged.connect(self._on_selected)
        self.close_button.clicked.connect(self.reject)
        ModelDrop(self).dropped.connect(self.dropped)
        self.resize(*_SIZE)

    # ------------------------------------------------------------------ state

    def show_models(
        self, models: Sequence[InstalledModel], selected: str, in_form: Collection[str] = ()
    ) -> None:
        """List models and select one by its name, or else the first."""
        self._models = tuple(models)
        before = self.table.blockSignals(True)
        self.table.setRowCount(len(models))
        for row, model in enumerate(models):
            for column, (_, attribute, _) in enumerate(_COLUMNS):
                cell = _cell(model, attribute)
                self.table.setItem(row, column, cell)
                if column == 0 and model.name in in_form:
                    _mark(cell)
        self.table.blockSignals(before)
        names = [model.name for model in models]
        self.table.clearSelection()
        if names:
            row = names.index(selected) if selected in names else 0
            self.table.selectRow(row)
            self.table.scrollTo(self.table.model().index(row, 0))

    @property
    def model(self) -> InstalledModel | None:
        """Return the selected model; None without one."""
        rows = self.table.selectionModel().selectedRows()
        return self._models[rows[0].row()] if rows else None

    def show_card(self, markdown: str) -> None:
        self.card.show_markdown(markdown)

    def show_checksum(self, checksum: Checksum | None, waiting: str) -> None:
        """Show the hash of the selected model; None: ``waiting`` in its place."""
        known = checksum is not None and bool(checksum.sha256)
        self.copy_button.setEnabled(known)
        if checksum is None:
            self.hash.setText(_HASH.format(short="", state=waiting))
            return
        self.hash.setText(_HASH.format(short=checksum.sha256[:_SHORT], state=checksum.state))
        self.hash.setToolTip(checksum.sha256)

    def show_place(self, folder: Path) -> None:
        self.place.setText(_PLACE.format(folder=folder))

    def set_disabled_reasons(self, *, use: str, remove: str, import_: str) -> None:
        """Disable buttons for a reason, shown in their tooltips; "" enables them."""
        for button, reason, tip in (
            (self.use_button, use, _USE_TIP),
            (self.remove_button, remove, _REMOVE_TIP),
            (self.import_button, import_, _IMPORT_TIP),
            (self.folder_button, import_, _FOLDER_TIP),
        ):
            button.setEnabled(not reason)
            button.setToolTip(reason or tip)

    # ------------------------------------------------------------------ widgets

    @Slot()
    def _on_selected(self) -> None:
        if self.model is not None:
            self.selected.emit(self.model)

    def _lay_out(self) -> None:
        head, introduction = QLabel(_TITLE), QLabel(_INTRODUCTION, wordWrap=True)
        stylesheet.scale_font(head, 1.3, QFont.Weight.DemiBold)
        for label in (introduction, self.hash, self.place):
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
        table = self.table
        table.setAccessibleName(_TITLE)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        for column, (title, attribute, tip) in enumerate(_COLUMNS):
            item = QTableWidgetItem(title)
            item.setToolTip(tip)
            item.setTextAlignment(_alignment(attribute))
            table.setHorizontalHeaderItem(column, item)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        header.setHighlightSections(False)


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
    """Mark the name of a model that is chosen in the form."""
    font = item.font()
    font.setBold(True)
    item.setFont(font)
    item.setToolTip(_IN_FORM)


def _alignment(attribute: str) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if attribute in _RIGHT else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
