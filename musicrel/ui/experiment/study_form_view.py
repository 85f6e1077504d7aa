"""The form in which a study is chosen, edited and started.

A passive widget: it shows what it is told and tells what the user did. What its entries amount to
stands in ``musicrel.presentation.study.study_form``.
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
    QVBoxLayout,
    QWidget,
)

from musicrel.presentation.study.study_form import NUMBERS, UNITS, Source, StudyForm
from musicrel.ui.experiment.arm_picker import ArmPicker
from musicrel.ui.widgets import layout, stylesheet

WELCOME: Final = (
    "A study trains models that differ in one thing alone, on the same notes in the same order, "
    "and tells which learns better and how sure that is."
)
SOURCES: Final[tuple[tuple[Source, str], ...]] = (
    ("chorales", "The bundled Bach chorales"),
    ("jsb", "A JSB file"),
    ("folder", "A folder of your own pieces"),
    ("other", "Other data, by their name"),
)
SIZE: Final = ("width", "layers", "heads", "feedforward")
COURSE: Final = ("window", "batch", "evaluate_every")
_FIELD: Final = 92
_PLACEHOLDERS: Final = {"jsb": "Jsb16thSeparated.json", "folder": "Path of the folder"}


class StudyFormView(QFrame):
    """All entries, and the button that starts.

    Signals:
        changed: an entry has another value.
        template_chosen: the row of the study the user wants to start from.
        file_wished: the user wants to start from a file.
        path_wished: the user wants to choose the file or folder of the data.
        inspect_wished: the user wants to know what would be taken of the data.
        start_wished: the user wants the study begun.
    """

    changed = Signal()
    template_chosen = Signal(int)
    file_wished = Signal()
    path_wished = Signal()
    inspect_wished = Signal()
    start_wished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._form = StudyForm()
        self._make()
        self._lay_out()
        self._connect()
        self._show_data()

    # ------------------------------------------------------------------ what it is told

    def set_templates(self, titles: Sequence[tuple[str, str]]) -> None:
        """Offer studies to start from: name and what it says of itself, of each."""
        before = self.template.blockSignals(True)
        self.template.clear()
        for row, (title, says) in enumerate(titles):
            self.template.addItem(title)
            self.template.setItemData(row, says, Qt.ItemDataRole.ToolTipRole)
        self.template.setCurrentIndex(-1)
        self.template.blockSignals(before)

    def choose_template(self, row: int, says: str) -> None:
        """Mark which study the entries come from, and what it says of itself."""
        before = self.template.blockSignals(True)
        self.template.setCurrentIndex(row)
        self.template.blockSignals(before)
        self.about.setText(says)

    def set_form(self, form: StudyForm) -> None:
        """Show these entries."""
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
        """Say what the study would do, or what is wrong with it."""
        self.plan.setText(sentence)
        self.problem.setText(problem[:1].upper() + problem[1:])
        self.problem.setVisible(bool(problem))
        self.plan.setVisible(not problem)

    def set_start(self, title: str, obstacle: str, says: str) -> None:
        """What the button does, or why it cannot."""
        self.start.setText(title)
        self.start.setEnabled(not obstacle)
        self.start.setToolTip(obstacle or says)

    def set_report(self, text: str) -> None:
        """What would be taken of the data; "" hides it."""
        self.report.setPlainText(text)
        self.report.setVisible(bool(text))

    def form(self) -> StudyForm:
        """The entries as they stand."""
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
        """A path where the data need one."""
        source = self.source.currentData()
        self.path.setVisible(source != "chorales")
        self.browse.setVisible(source in ("jsb", "folder"))
        self.inspect.setVisible(source == "folder")
        self.path.setPlaceholderText(_PLACEHOLDERS.get(source, ""))

    @property
    def _of_training(self) -> list[QWidget]:
        """The entries that a study has only where models are trained."""
        course = [self.arms, self.seeds, self.amount, self.unit, self.samples]
        return [*course, *self.numbers.values(), self.source, self.path, self.browse, self.inspect]

    def _make(self) -> None:
        self.template, self.file = QComboBox(), QPushButton("From a &file…")
        self.about, self.name, self.seeds = QLabel(), QLineEdit(), QLineEdit()
        self.amount, self.unit = QLineEdit(), QComboBox()
        for unit in UNITS:
            self.unit.addItem(unit, unit)
        self.numbers = {name: QLineEdit() for name in NUMBERS}
        self.arms = ArmPicker()
        self.source, self.path = QComboBox(), QLineEdit()
        for key, title in SOURCES:
            self.source.addItem(title, key)
        self.browse, self.inspect = QPushButton("&Browse…"), QPushButton("See what is ta&ken")
        self.samples = QCheckBox("Write a &small piece at each evaluation")
        self.samples.setToolTip("Every run writes eight bars then, to be heard")
        self.report = QPlainTextEdit()
        self.report.setReadOnly(True)
        self.report.setAccessibleName("What is taken of your pieces, and what is refused and why")
        self.report.setMinimumHeight(110)
        self.report.hide()
        self.plan, self.problem, self.start = QLabel(), QLabel(), QPushButton("Start")

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(22, 18, 22, 10)
        column.setSpacing(14)
        title, welcome = QLabel("New study"), QLabel(WELCOME)
        stylesheet.scaled(title, 1.3, QFont.Weight.DemiBold)
        for quiet in (welcome, self.about):
            quiet.setObjectName("quiet")
            quiet.setWordWrap(True)
        for part in (title, welcome):
            column.addWidget(part)
        column.addLayout(self._first_rows())
        pair = QHBoxLayout()
        pair.setSpacing(28)
        pair.addLayout(self._numbers("Size", SIZE), 1)
        pair.addLayout(self._numbers("Course", COURSE, self._budget()), 1)
        column.addLayout(pair)
        column.addLayout(self._data())
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(1, 1, 1, 1)
        whole.addWidget(layout.scrolled(inside), 1)
        whole.addLayout(self._bottom())

    def _first_rows(self) -> QGridLayout:
        """What it starts from, its name, its arms and seeds."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.template, 1)
        row.addWidget(self.file)
        layout.row(grid, "Start &from", self.template, row)
        grid.addWidget(self.about, grid.rowCount(), 1)
        layout.row(grid, "&Name", self.name)
        arms = QLabel("Compare")
        arms.setAlignment(Qt.AlignmentFlag.AlignTop)
        place = grid.rowCount()
        grid.addWidget(arms, place, 0)
        grid.addWidget(self.arms, place, 1)
        layout.row(grid, "See&ds", self.seeds)
        self.seeds.setToolTip("Each arm is trained with every one, as in 0, 1, 2 or 0-4")
        return grid

    def _numbers(
        self, title: str, names: Sequence[str], first: QHBoxLayout | None = None
    ) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.addWidget(layout.heading(title), 0, 0, 1, 2)
        if first is not None:
            layout.row(grid, "Bud&get", self.amount, first)
        for name in names:
            _, _, label, says = NUMBERS[name]
            field = self.numbers[name]
            field.setToolTip(f"{says}; empty: as the recipe has it")
            field.setMinimumWidth(_FIELD)
            layout.row(grid, label, field)
        grid.setRowStretch(grid.rowCount(), 1)
        grid.setColumnStretch(1, 1)
        return grid

    def _budget(self) -> QHBoxLayout:
        self.amount.setToolTip("How much each run learns")
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
        layout.row(grid, "&Learn from", self.source)
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
            (self.file, self.file_wished),
            (self.browse, self.path_wished),
            (self.inspect, self.inspect_wished),
            (self.start, self.start_wished),
        ):
            button.clicked.connect(signal)
