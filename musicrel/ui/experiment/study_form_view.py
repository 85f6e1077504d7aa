"""The form in which a study is chosen, edited and started.

Its entries are interpreted in ``musicrel.presentation.study.study_form``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from musicrel.presentation.study.study_form import NUMBERS, UNITS, Source, StudyForm
from musicrel.ui.experiment.arm_picker import ArmPicker
from musicrel.ui.widgets import layout, stylesheet

WELCOME: Final = (
    "A study trains models that differ in one respect on the same data in the same order, "
    "and reports which of them learns better, with confidence intervals."
)
SOURCES: Final[tuple[tuple[Source, str], ...]] = (
    ("chorales", "The bundled Bach chorales"),
    ("jsb", "A JSB file"),
    ("folder", "A folder of your own pieces"),
    ("other", "Other data, by name"),
)
SIZE: Final = ("width", "layers", "heads", "feedforward")
TRAINING: Final = ("window", "batch", "evaluate_every")
_FIELD: Final = 92
_PLACEHOLDERS: Final = {"jsb": "Jsb16thSeparated.json", "folder": "Path of the folder"}


class StudyFormView(QFrame):
    """All entries of a study and the Start button; a passive widget.

    Signals:
        changed: an entry was edited.
        template_chosen: the row of a template.
        file_requested: read the entries from a file.
        path_requested: choose the file or folder of the data.
        inspect_requested: report the usable pieces of the data.
        start_requested: start the study.
    """

    changed = Signal()
    template_chosen = Signal(int)
    file_requested = Signal()
    path_requested = Signal()
    inspect_requested = Signal()
    start_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._form = StudyForm()
        self._make()
        self._lay_out()
        self._connect()
        self._show_data()

    # ------------------------------------------------------------------ what is shown

    def set_templates(self, titles: Sequence[tuple[str, str]]) -> None:
        """Replace the templates; each is a name and a description."""
        before = self.template.blockSignals(True)
        self.template.clear()
        for row, (title, description) in enumerate(titles):
            self.template.addItem(title)
            self.template.setItemData(row, description, Qt.ItemDataRole.ToolTipRole)
        self.template.setCurrentIndex(-1)
        self.template.blockSignals(before)

    def choose_template(self, row: int, description: str) -> None:
        """Select the template of the entries (-1: none) and show its description."""
        before = self.template.blockSignals(True)
        self.template.setCurrentIndex(row)
        self.template.blockSignals(before)
        self.about.setText(description)

    def set_form(self, form: StudyForm) -> None:
        """Replace the entries."""
        before = self.blockSignals(True)
        self._form = form
        self.name.setText(form.name)
        self.seeds.setText(form.seeds)
        self.amount.setText(form.amount)
        self.unit.setCurrentIndex(UNITS.index(form.unit))
        for name, field in self.numbers.items():
            field.setText(form.numbers.get(name, ""))
        self.source.setCurrentIndex([key for key, _ in SOURCES].index(form.source))
        self.path.setText(form.path)
        self.samples.setChecked(form.samples)
        self.arms.show_arms(form.arms)
        for one, other in pairwise((self.name, *self.arms.boxes, self.seeds)):
            self.setTabOrder(one, other)
        self.blockSignals(before)
        self._show_data()
        for entry in self._of_training:
            entry.setEnabled(form.trains)
        self.changed.emit()

    def set_plan(self, sentence: str, problem: str) -> None:
        """Show the estimated costs of the study, or its problem."""
        self.plan.setText(sentence)
        self.problem.setText(problem[:1].upper() + problem[1:])
        self.problem.setVisible(bool(problem))
        self.plan.setVisible(not problem)

    def set_start(self, title: str, disabled_reason: str, tip: str) -> None:
        """Set title and tooltip of the Start button; an ``disabled_reason`` disables it."""
        self.start.setText(title)
        self.start.setEnabled(not disabled_reason)
        self.start.setToolTip(disabled_reason or tip)

    def set_report(self, text: str) -> None:
        """Show the report on the data; "" hides it."""
        self.report.setPlainText(text)
        self.report.setVisible(bool(text))

    def form(self) -> StudyForm:
        """Return the current entries."""
        return replace(
            self._form,
            name=self.name.text(),
            arms=self.arms.arms(),
            seeds=self.seeds.text(),
            amount=self.amount.text(),
            unit=self.unit.currentData(),
            numbers={name: field.text() for name, field in self.numbers.items()},
            source=self.source.currentData(),
            path=self.path.text(),
            samples=self.samples.isChecked(),
        )

    # ------------------------------------------------------------------ inside

    @Slot()
    def _another_source(self) -> None:
        self.set_report("")
        self._show_data()
        self.changed.emit()

    def _show_data(self) -> None:
        """Show the path and its buttons for data that need them."""
        source = self.source.currentData()
        self.path.setVisible(source != "chorales")
        self.browse.setVisible(source in ("jsb", "folder"))
        self.inspect.setVisible(source == "folder")
        self.path.setPlaceholderText(_PLACEHOLDERS.get(source, ""))

    @property
    def _of_training(self) -> list[QWidget]:
        """Return the entries of studies that train models."""
        training = [self.arms, self.seeds, self.amount, self.unit, self.samples]
        data = [self.source, self.path, self.browse, self.inspect]
        return [*training, *self.numbers.values(), *data]

    def _make(self) -> None:
        self.template, self.file = QComboBox(), QPushButton("From a &file…")
        self.about, self.name, self.seeds = QLabel(), QLineEdit(), QLineEdit()
        self.amount, self.unit = QLineEdit(), QComboBox()
        for unit in UNITS:
            self.unit.addItem(unit, unit)
        self.numbers = {name: QLineEdit() for name in NUMBERS}
        self.arms = ArmPicker()
        self.source, self.path = QComboBox(), QLineEdit()
        self.source.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for key, title in SOURCES:
            self.source.addItem(title, key)
        self.browse, self.inspect = QPushButton("&Browse…"), QPushButton("Chec&k files")
        self.samples = QCheckBox("Generate a &sample at each evaluation")
        self.samples.setToolTip("Each evaluation generates a sample of eight bars")
        self.report = QPlainTextEdit()
        self.report.setReadOnly(True)
        self.report.setAccessibleName("Accepted and rejected files")
        self.report.setMinimumHeight(110)
        self.report.hide()
        self.plan, self.problem, self.start = QLabel(), QLabel(), QPushButton("Start")

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(22, 18, 22, 10)
        column.setSpacing(14)
        title, welcome = QLabel("New study"), QLabel(WELCOME)
        stylesheet.scale_font(title, 1.3, QFont.Weight.DemiBold)
        for quiet in (welcome, self.about):
            quiet.setObjectName("quiet")
            quiet.setWordWrap(True)
        for part in (title, welcome):
            column.addWidget(part)
        column.addLayout(self._first_rows())
        pair = QHBoxLayout()
        pair.setSpacing(28)
        pair.addLayout(self._numbers("Size", SIZE), 1)
        pair.addLayout(self._numbers("Training", TRAINING, self._budget()), 1)
        column.addLayout(pair)
        column.addLayout(self._data())
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(1, 1, 1, 1)
        whole.addWidget(layout.scroll_area(inside), 1)
        whole.addLayout(self._bottom())

    def _first_rows(self) -> QGridLayout:
        """Return the rows of template, name, arms and seeds."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.template, 1)
        row.addWidget(self.file)
        layout.add_row(grid, "Start &from", self.template, row)
        grid.addWidget(self.about, grid.rowCount(), 1)
        layout.add_row(grid, "&Name", self.name)
        arms = QLabel("Compare")
        arms.setAlignment(Qt.AlignmentFlag.AlignTop)
        place = grid.rowCount()
        grid.addWidget(arms, place, 0)
        grid.addWidget(self.arms, place, 1)
        layout.add_row(grid, "See&ds", self.seeds)
        self.seeds.setToolTip("Each arm is trained with every seed, e.g. 0, 1, 2 or 0-4")
        return grid

    def _numbers(
        self, title: str, names: Sequence[str], first: QHBoxLayout | None = None
    ) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.addWidget(layout.heading(title), 0, 0, 1, 2)
        if first is not None:
            layout.add_row(grid, "Bud&get", self.amount, first)
        for name in names:
            _, _, label, meaning = NUMBERS[name]
            field = self.numbers[name]
            field.setToolTip(f"{meaning}; empty: value of the recipe")
            field.setMinimumWidth(_FIELD)
            layout.add_row(grid, label, field)
        grid.setRowStretch(grid.rowCount(), 1)
        grid.setColumnStretch(1, 1)
        return grid

    def _budget(self) -> QHBoxLayout:
        self.amount.setToolTip("Training budget of each run")
        self.unit.setAccessibleName("Unit of the budget")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.amount, 1)
        row.addWidget(self.unit)
        return row

    def _data(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        grid.addWidget(layout.heading("Data"), 0, 0, 1, 2)
        layout.add_row(grid, "So&urce", self.source)
        self.path.setAccessibleName("File or folder of the data")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.path, 1)
        row.addWidget(self.browse)
        row.addWidget(self.inspect)
        grid.addLayout(row, grid.rowCount(), 1)
        grid.addWidget(self.report, grid.rowCount(), 1)
        grid.addWidget(self.samples, grid.rowCount(), 1)
        return grid

    def _bottom(self) -> QHBoxLayout:
        self.problem.setObjectName("problem")
        self.start.setObjectName("main")
        self.start.setMinimumSize(150, 40)
        for label in (self.plan, self.problem):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.problem.hide()
        row = QHBoxLayout()
        row.setContentsMargins(22, 8, 22, 16)
        row.setSpacing(16)
        row.addWidget(self.plan, 1)
        row.addWidget(self.problem, 1)
        row.addWidget(self.start)
        return row

    def _connect(self) -> None:
        for field in (self.name, self.seeds, self.amount, self.path, *self.numbers.values()):
            field.textChanged.connect(self.changed)
        self.unit.currentIndexChanged.connect(self.changed)
        self.samples.toggled.connect(self.changed)
        self.arms.changed.connect(self.changed)
        self.source.currentIndexChanged.connect(self._another_source)
        self.template.activated.connect(self.template_chosen)
        for button, signal in (
            (self.file, self.file_requested),
            (self.browse, self.path_requested),
            (self.inspect, self.inspect_requested),
            (self.start, self.start_requested),
        ):
            button.clicked.connect(signal)
