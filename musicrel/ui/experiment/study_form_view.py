"""The form in which a study is chosen, edited and started.

Its entries are interpreted in ``musicrel.presentation.study.study_form``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from musicrel.presentation.study.study_form import NUMBERS, UNITS, Source, StudyForm
from musicrel.ui.experiment.arm_picker import ArmPicker
from musicrel.ui.experiment.choice_box import ChoiceBox
from musicrel.ui.experiment.runner_picker import RunnerPicker
from musicrel.ui.experiment.template_cards import TemplateCards
from musicrel.ui.widgets import layout, stylesheet

WELCOME: Final = (
    "A study trains models that differ in one respect on the same data in the same order, "
    "and reports whether one of them learns better, with confidence intervals."
)
SOURCES: Final[tuple[tuple[Source, str], ...]] = (
    ("chorales", "The bundled Bach chorales"),
    ("jsb", "A JSB file"),
    ("folder", "A folder of your own pieces"),
    ("other", "Other data, by name"),
)
SIZE: Final = ("width", "layers", "heads", "feedforward")
TRAINING: Final = ("window", "batch", "evaluate_every", "stop_after", "stop_gain")
_FIELD: Final = 92
_PLACEHOLDERS: Final = {"jsb": "Jsb16thSeparated.json", "folder": "Path of the folder"}
_FROM_FILE: Final = "From a file…"
_UNIT: Final = "Unit of the budget"
_CHECK_FILES: Final = "Chec&k files"
_SAMPLES: Final = "Generate a &sample at each evaluation"
_SEEDS_TIP: Final = "Each arm is trained with every seed, e.g. 0, 1, 2 or 0-4"
_AMOUNT_TIP: Final = "Training budget of each run"
_RATES: Final = "Learning &rates"
_RATES_TIP: Final = (
    "Learning rates to try first, e.g. 0.001, 0.002, 0.004: each arm gets the one with the lowest "
    "validation loss after a tenth of the budget. Empty: that of the recipe, without a search"
)
_NO_SEARCH: Final = "no search"
_SAMPLES_TIP: Final = "Each evaluation generates a sample of eight bars"
_NUMBER_TIP: Final = "{meaning}; empty: value of the recipe"
_PATH: Final = "File or folder of the data"
_REPORT: Final = "Accepted and rejected files"
_TITLE: Final = "New study"
_FROM: Final = "Start fro&m"
_RUN_ON: Final = "Run &on"


class StudyFormView(QFrame):
    """All entries of a study and the Start button; a passive widget."""

    changed = Signal()  # an entry was edited
    template_chosen = Signal(int)
    file_requested = Signal()  # read the entries from a file
    path_requested = Signal()  # choose the file or folder of the data
    inspect_requested = Signal()  # report the usable pieces of the data
    start_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._form = StudyForm()
        self.templates, self.file = TemplateCards(), QPushButton(_FROM_FILE)
        self.name, self.seeds, self.amount, self.path, self.rates = (QLineEdit() for _ in range(5))
        self.about, self.plan, self.problem = (
            QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True) for _ in range(3)
        )
        self.arms, self.runner = ArmPicker(), RunnerPicker()
        self.unit = ChoiceBox(_UNIT, [(unit, unit) for unit in UNITS])
        self.numbers = {name: QLineEdit() for name in NUMBERS}
        self.source = ChoiceBox("Source", SOURCES)
        self.source.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.browse, self.inspect = QPushButton("&Browse…"), QPushButton(_CHECK_FILES)
        self.samples = QCheckBox(_SAMPLES)
        self.report, self.start = QPlainTextEdit(readOnly=True), QPushButton("Start")
        self._describe()
        self._lay_out()
        self._connect()
        self._show_source()

    # ------------------------------------------------------------------ what is shown

    def choose_template(self, row: int, description: str) -> None:
        """Mark the template of the entries (-1: none) and show its description."""
        self.templates.mark(row)
        self.about.setText(description)

    def set_form(self, form: StudyForm) -> None:
        """Replace the entries."""
        with QSignalBlocker(self):
            self._form = form
            for field, text in (
                (self.name, form.name),
                (self.seeds, form.seeds),
                (self.amount, form.amount),
                (self.rates, form.rates),
                (self.path, form.path),
                *((field, form.numbers.get(name, "")) for name, field in self.numbers.items()),
            ):
                field.setText(text)
            self.unit.choose(form.unit)
            self.source.choose(form.source)
            self.samples.setChecked(form.samples)
            self.arms.show_arms(form.arms)
            for one, other in pairwise((self.name, *self.arms.boxes, self.seeds)):
                self.setTabOrder(one, other)
            for entry in self._of_training():
                entry.setEnabled(form.trains)
        self.changed.emit()

    def set_plan(self, sentence: str, problem: str) -> None:
        """Show the estimated costs of the study, or its problem."""
        self.plan.setText(sentence)
        self.problem.setText(problem[:1].upper() + problem[1:])
        self.problem.setVisible(bool(problem))
        self.plan.setVisible(not problem)

    def set_start(self, title: str, disabled_reason: str, tip: str) -> None:
        """Set title and tooltip of the Start button; a ``disabled_reason`` disables it."""
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
            rates=self.rates.text(),
            unit=self.unit.currentData(),
            numbers={name: field.text() for name, field in self.numbers.items()},
            source=self.source.currentData(),
            path=self.path.text(),
            samples=self.samples.isChecked(),
        )

    # ------------------------------------------------------------------ inside

    @Slot()
    def _show_source(self) -> None:
        source = self.source.currentData()
        self.path.setVisible(source != "chorales")
        self.browse.setVisible(source in ("jsb", "folder"))
        self.inspect.setVisible(source == "folder")
        self.path.setPlaceholderText(_PLACEHOLDERS.get(source, ""))
        self.set_report("")
        self.changed.emit()

    def _of_training(self) -> list[QWidget]:
        """Return the entries of studies that train models."""
        training = [
            self.arms, self.seeds, self.runner, self.amount, self.unit, self.rates, self.samples
        ]  # fmt: skip
        data = [self.source, self.path, self.browse, self.inspect]
        return [*training, *self.numbers.values(), *data]

    def _describe(self) -> None:
        """Set tooltips, names for screen readers and for the style sheet, and sizes."""
        for widget, tip in (
            (self.seeds, _SEEDS_TIP),
            (self.amount, _AMOUNT_TIP),
            (self.rates, _RATES_TIP),
            (self.samples, _SAMPLES_TIP),
        ):
            widget.setToolTip(tip)
        for name, (_, _, _, meaning) in NUMBERS.items():
            self.numbers[name].setToolTip(_NUMBER_TIP.format(meaning=meaning))
            self.numbers[name].setMinimumWidth(_FIELD)
        self.rates.setPlaceholderText(_NO_SEARCH)
        for label, style in (
            (self.about, "quiet"), (self.problem, "problem"), (self.start, "main")
        ):  # fmt: skip
            label.setObjectName(style)
        self.path.setAccessibleName(_PATH)
        self.report.setAccessibleName(_REPORT)
        self.report.setMinimumHeight(110)
        self.start.setMinimumSize(150, 40)

    def _lay_out(self) -> None:
        inside, title = QWidget(), QLabel(_TITLE)
        welcome = QLabel(WELCOME, wordWrap=True)
        welcome.setObjectName("quiet")
        stylesheet.scale_font(title, 1.3, QFont.Weight.DemiBold)
        budget = layout.row((self.amount, 1), self.unit, spacing=8)
        layout.column(
            title,
            welcome,
            self._first_rows(),
            layout.row(
                (self._numbers("Size", SIZE), 1),
                (self._numbers("Training", TRAINING, budget), 1),
                spacing=28,
            ),
            self._data(),
            None,
            owner=inside,
            spacing=14,
            margins=(22, 18, 22, 10),
        )
        bottom = layout.row(
            (self.plan, 1), (self.problem, 1), self.start, spacing=16, margins=(22, 8, 22, 16)
        )
        scroller = layout.ColumnScroller(inside)
        layout.column((scroller, 1), bottom, owner=self, spacing=6, margins=(1, 1, 1, 1))

    def _first_rows(self) -> QGridLayout:
        """Return the rows of template, name, arms and seeds."""
        grid = layout.form_grid()
        start_from = QLabel(_FROM, alignment=Qt.AlignmentFlag.AlignTop)
        start_from.setBuddy(self.templates)
        grid.addWidget(start_from, 0, 0)
        grid.addWidget(self.templates, 0, 1)
        grid.addLayout(layout.row((self.about, 1), self.file, spacing=8), 1, 1)
        layout.add_row(grid, "&Name", self.name)
        place = grid.rowCount()
        grid.addWidget(QLabel("Compare"), place, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.arms, place, 1)
        layout.add_row(grid, "See&ds", self.seeds)
        layout.add_row(grid, _RUN_ON, self.runner.runner, layout.row((self.runner, 1)))
        return grid

    def _numbers(
        self, title: str, names: Sequence[str], budget: QHBoxLayout | None = None
    ) -> QGridLayout:
        grid = layout.form_grid()
        grid.addWidget(layout.heading(title), 0, 0, 1, 2)
        if budget is not None:
            layout.add_row(grid, "Bud&get", self.amount, budget)
            layout.add_row(grid, _RATES, self.rates)
        for name in names:
            layout.add_row(grid, NUMBERS[name][2], self.numbers[name])
        grid.setRowStretch(grid.rowCount(), 1)
        return grid

    def _data(self) -> QGridLayout:
        grid = layout.form_grid()
        grid.addWidget(layout.heading("Data"), 0, 0, 1, 2)
        layout.add_row(grid, "So&urce", self.source)
        grid.addLayout(layout.row((self.path, 1), self.browse, self.inspect, spacing=8), 2, 1)
        grid.addWidget(self.report, 3, 1)
        grid.addWidget(self.samples, 4, 1)
        return grid

    def _connect(self) -> None:
        for field in (
            self.name, self.seeds, self.amount, self.path, self.rates, *self.numbers.values()
        ):  # fmt: skip
            field.textChanged.connect(self.changed)
        for own, signal in (
            (self.unit.currentIndexChanged, self.changed),
            (self.samples.toggled, self.changed),
            (self.arms.changed, self.changed),
            (self.source.currentIndexChanged, self._show_source),
            (self.templates.chosen, self.template_chosen),
            (self.file.clicked, self.file_requested),
            (self.browse.clicked, self.path_requested),
            (self.inspect.clicked, self.inspect_requested),
            (self.start.clicked, self.start_requested),
        ):
            own.connect(signal)
