"""The form in which a study is chosen, edited and started.

Its entries are interpreted in ``musicrel.experiment.study.study_form``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from musicrel.experiment.recipe.recipe import BUDGETS
from musicrel.experiment.study.study_form import NUMBERS, ArmChoice, Source, StudyForm
from musicrel.language import tr
from musicrel.presentation.words import display_names
from musicrel.ui.experiment.runner_picker import RunnerPicker
from musicrel.ui.widgets import fields, layout, stylesheet
from musicrel.ui.widgets.fields import ChoiceBox, Fold

WELCOME: Final = tr(
    "A study trains models that differ in one respect on the same data in the same order, "
    "and reports whether one of them learns better, with confidence intervals."
)
_FROM_FILE: Final = tr("From a file…")
_UNIT: Final = tr("Unit of the budget")
_UNITS: Final = {"tokens": tr("tokens"), "steps": tr("steps"), "minutes": tr("minutes")}
_CHECK_FILES: Final = tr("Chec&k files")
_SAMPLES: Final = tr("Generate a &sample at each evaluation")
_RATES: Final = tr("Learning &rates")
_TIPS: Final = {
    "seeds": tr("Each arm is trained with every seed, e.g. 0, 1, 2 or 0-4"),
    "amount": tr("Training budget of each run"),
    "rates": tr(
        "Learning rates to try first, e.g. 0.001, 0.002, 0.004: each arm gets the one with "
        "the lowest validation loss after a tenth of the budget. Empty: the rate of the recipe, "
        "without a search"
    ),
    "samples": tr("Each evaluation generates a sample of eight bars"),
}
_NO_SEARCH: Final = tr("no search")
_NUMBER_TIP: Final = tr("{meaning}; empty: value of the recipe")
_PATH: Final = tr("File or folder of the data")
_REPORT: Final = tr("Accepted and rejected files")
_REPORT_HEIGHT: Final = 110
_TITLE: Final = tr("New study")
_FROM: Final = tr("Start fro&m")
_RUN_ON: Final = tr("Run &on")
_ADVANCED: Final = tr("Advanced")
_ADVANCED_TIP: Final = tr(
    "Where it runs, budget, learning rates, and size and training of the models"
)
_FIRST: Final = tr("{title}: start here")
_ARMS: Final = tr("Arms to compare")
_START_FROM: Final = tr("Start from")

SOURCES: Final[tuple[tuple[Source, str], ...]] = (
    ("chorales", tr("The bundled Bach chorales")),
    ("jsb", tr("A JSB file")),
    ("folder", tr("A folder of your own pieces")),
    ("other", tr("Other data, by name")),
)
SIZE: Final = ("width", "layers", "heads", "feedforward")
TRAINING: Final = ("window", "batch", "evaluate_every", "stop_after", "stop_gain")
_PLACEHOLDERS: Final = {"jsb": "Jsb16thSeparated.json", "folder": tr("Path of the folder")}


class StudyFormView(QFrame):
    changed = Signal()  # an entry was edited

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._form = StudyForm()
        self.templates, self.file = TemplateCards(), QPushButton(_FROM_FILE)
        self._texts = {name: QLineEdit() for name in ("name", "seeds", "amount", "path", "rates")}
        self.name, self.seeds, self.amount, self.path, self.rates = self._texts.values()
        self.about, self.plan, self.problem = (
            QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True) for _ in range(3)
        )
        self.arms, self.runner = ArmPicker(), RunnerPicker()
        self.unit = ChoiceBox(_UNIT, [(unit, _UNITS[unit]) for unit in BUDGETS])
        self.numbers = {name: QLineEdit() for name in NUMBERS}
        self.source = ChoiceBox(tr("Source"), SOURCES)
        self.source.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.browse, self.inspect = QPushButton(tr("&Browse…")), QPushButton(_CHECK_FILES)
        self.samples = QCheckBox(_SAMPLES)
        self.read = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.report, self.start = QPlainTextEdit(readOnly=True), QPushButton(tr("Start", "study"))
        self._describe()
        self._lay_out()
        self._connect()
        self._show_source()

    def choose_template(self, row: int, description: str) -> None:
        self.templates.mark(row)
        self.about.setText(description)

    def set_form(self, form: StudyForm) -> None:
        with QSignalBlocker(self):
            self._form = form
            for name, field in self._texts.items():
                field.setText(getattr(form, name))
            self.name.setText(display_names.STUDIES.get(form.name, form.name))
            for name, field in self.numbers.items():
                field.setText(form.numbers.get(name, ""))
            self.unit.choose(form.unit)
            self.source.choose(form.source)
            self.samples.setChecked(form.samples)
            self.arms.show_arms(form.arms)
            boxes = (self.file, *self.templates.boxes, self.name, *self.arms.boxes, self.seeds)
            for one, other in pairwise(boxes):
                self.setTabOrder(one, other)
            for entry in (
                self.arms, self.seeds, self.runner, self.amount, self.unit, self.rates,
                self.samples, *self.numbers.values(), self.source, self.path, self.browse,
                self.inspect,
            ):  # fmt: skip
                entry.setEnabled(form.trains)
        self.changed.emit()

    def set_plan(self, sentence: str, problem: str) -> None:
        self.plan.setText(sentence)
        self.problem.setText(problem[:1].upper() + problem[1:])
        self.problem.setVisible(bool(problem))
        self.plan.setVisible(not problem)

    def set_start(self, title: str, disabled_reason: str, tip: str) -> None:
        self.start.setText(title)
        fields.enable(self.start, disabled_reason, tip)

    def set_read(self, sentence: str, report: str = "") -> None:
        """Show in a sentence what was read of the user's pieces, and a line for each exception."""
        self.read.setText(sentence)
        self.report.setPlainText(report)
        self.read.setVisible(bool(sentence))
        self.report.setVisible(bool(report))

    def form(self) -> StudyForm:
        texts: dict[str, Any] = {name: field.text() for name, field in self._texts.items()}
        texts["name"] = display_names.study_id(texts["name"])
        return replace(
            self._form,
            **texts,
            arms=self.arms.arms(),
            unit=self.unit.currentData(),
            numbers={name: field.text() for name, field in self.numbers.items()},
            source=self.source.currentData(),
            samples=self.samples.isChecked(),
        )

    @Slot()
    def _show_source(self) -> None:
        source = self.source.currentData()
        self.path.setVisible(source != "chorales")
        self.browse.setVisible(source in ("jsb", "folder"))
        self.inspect.setVisible(source == "folder")
        self.path.setPlaceholderText(_PLACEHOLDERS.get(source, ""))
        self.set_read("")
        self.changed.emit()

    def _describe(self) -> None:
        for name, tip in _TIPS.items():
            getattr(self, name).setToolTip(tip)
        for name, (_, _, meaning) in NUMBERS.items():
            self.numbers[name].setToolTip(_NUMBER_TIP.format(meaning=meaning))
            self.numbers[name].setMinimumWidth(92)
        self.rates.setPlaceholderText(_NO_SEARCH)
        for label, style in (
            (self.about, "quiet"), (self.problem, "problem"), (self.start, "main")
        ):  # fmt: skip
            label.setObjectName(style)
        self.path.setAccessibleName(_PATH)
        self.report.setAccessibleName(_REPORT)
        self.report.setFixedHeight(_REPORT_HEIGHT)
        self.start.setMinimumSize(150, 40)

    def _lay_out(self) -> None:
        inside, title = QWidget(), QLabel(_TITLE)
        stylesheet.scale_font(title, 1.3, QFont.Weight.DemiBold)
        self.advanced = Fold(_ADVANCED, _ADVANCED_TIP, self._advanced())
        parts = (title, layout.quiet(WELCOME), self._first_rows(), self.advanced, None)
        layout.column(*parts, owner=inside, spacing=14, margins=(22, 18, 22, 10))
        bottom = layout.row(
            (self.plan, 1), (self.problem, 1), self.start, spacing=16, margins=(22, 8, 22, 16)
        )
        self._scroller = layout.ColumnScroller(inside)
        layout.column((self._scroller, 1), bottom, owner=self, spacing=6, margins=(1, 1, 1, 1))

    def _first_rows(self) -> QGridLayout:
        grid = layout.form_grid()
        start_from = QLabel(_FROM)
        start_from.setBuddy(self.templates)
        grid.addWidget(start_from, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.templates, 0, 1)
        grid.addLayout(layout.row((self.about, 1), self.file, spacing=8), 1, 1)
        layout.add_row(grid, tr("&Name"), self.name)
        place = grid.rowCount()
        grid.addWidget(QLabel(tr("Compare")), place, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.arms, place, 1)
        layout.add_row(grid, tr("See&ds"), self.seeds)
        layout.add_row(grid, tr("Pieces"), self.source)
        for line in (
            layout.row((self.path, 1), self.browse, self.inspect, spacing=8),
            layout.row((self.read, 1)), layout.row((self.report, 1)),
        ):  # fmt: skip
            grid.addLayout(line, grid.rowCount(), 1)
        return grid

    def _advanced(self) -> QVBoxLayout:
        grid, budget = layout.form_grid(), layout.row((self.amount, 1), self.unit, spacing=8)
        layout.add_row(grid, _RUN_ON, self.runner.runner, layout.row((self.runner, 1)))
        grid.addWidget(self.samples, grid.rowCount(), 1)
        size = self._numbers(tr("Size"), SIZE)
        training = self._numbers(tr("Training"), TRAINING, budget)
        numbers = layout.row((size, 1), (training, 1), spacing=28)
        return layout.column(grid, numbers, spacing=14)

    def _numbers(
        self, title: str, names: Sequence[str], budget: QHBoxLayout | None = None
    ) -> QGridLayout:
        grid = layout.form_grid()
        grid.addWidget(layout.heading(title), 0, 0, 1, 2)
        if budget is not None:
            layout.add_row(grid, tr("Bud&get"), self.amount, budget)
            layout.add_row(grid, _RATES, self.rates)
        for name in names:
            layout.add_row(grid, NUMBERS[name][1], self.numbers[name])
        grid.setRowStretch(grid.rowCount(), 1)
        return grid

    @Slot(bool)
    def _scroll_to_advanced(self, on: bool) -> None:
        if on:
            bar, top = self._scroller.verticalScrollBar(), self.advanced.y()
            QTimer.singleShot(0, bar, lambda: bar.setValue(top))

    def _connect(self) -> None:
        self.advanced.opened.connect(self._scroll_to_advanced)
        for field in (*self._texts.values(), *self.numbers.values()):
            field.textChanged.connect(self.changed)
        self.unit.currentIndexChanged.connect(self.changed)
        self.samples.toggled.connect(self.changed)
        self.arms.changed.connect(self.changed)
        self.source.currentIndexChanged.connect(self._show_source)


class _Grid(QWidget):
    """Buttons in as many columns of one width as fit."""

    def __init__(self, name: str, most: int) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.boxes: list[QAbstractButton] = []
        self._most = most  # number of columns
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)

    def refill(self, boxes: Sequence[QAbstractButton]) -> None:
        for box in self.boxes:
            box.hide()
            box.deleteLater()
        self.boxes[:] = boxes
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        return QSize(self._widest(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        wide = self._widest() + self._grid.horizontalSpacing()
        columns = min(max(self.width() // wide, 1), self._most) if wide > 0 else self._most
        for place, box in enumerate(self.boxes):
            self._grid.addWidget(box, *divmod(place, columns))

    def _widest(self) -> int:
        widths = (max(box.sizeHint().width(), box.minimumWidth()) for box in self.boxes)
        return max(widths, default=0)


class ArmPicker(_Grid):
    """A check box for each arm; the first checked arm is the reference."""

    changed = Signal()  # an arm was checked or unchecked

    def __init__(self) -> None:
        super().__init__(_ARMS, 3)
        self._arms: tuple[ArmChoice, ...] = ()

    def show_arms(self, arms: Sequence[ArmChoice]) -> None:
        self._arms = tuple(arms)
        boxes = [QCheckBox(display_names.arm(arm.name).replace("&", "&&")) for arm in arms]
        for arm, box in zip(arms, boxes, strict=True):
            box.setChecked(arm.chosen)
            box.setToolTip(arm.description[:1].upper() + arm.description[1:])
            box.toggled.connect(self.changed)
        self.refill(boxes)

    def arms(self) -> tuple[ArmChoice, ...]:
        ticked = [box.isChecked() for box in self.boxes]
        return tuple(replace(arm, chosen=on) for arm, on in zip(self._arms, ticked, strict=True))


class TemplateCards(_Grid):
    chosen = Signal(int)  # the row of a card that the user chose

    def __init__(self) -> None:
        super().__init__(_START_FROM, 4)
        self._titles: list[tuple[str, str]] = []
        self.marked = -1
        """Row of the card whose study is in the form; -1: none."""

    def set_cards(self, titles: Sequence[tuple[str, str]], first: int = -1) -> None:
        """Show a card for each title and description; that in row ``first`` is to begin with."""
        self._titles = [
            (_FIRST.format(title=title) if row == first else title, about)
            for row, (title, about) in enumerate(titles)
        ]
        cards = [QPushButton() for _ in titles]
        for row, card in enumerate(cards):
            card.setObjectName("card")
            card.setCheckable(True)
            card.setMinimumWidth(150)
            card.clicked.connect(lambda _=False, row=row: self._choose(row))
        self.refill(cards)
        for row in range(len(titles)):
            self.set_time(row, "")
        self.mark(-1)

    def set_time(self, row: int, text: str) -> None:
        title, about = self._titles[row]
        self.boxes[row].setText(f"{title}\n{text}")
        self.boxes[row].setToolTip(f"{about}\n{text}".strip())
        self.boxes[row].setAccessibleName(title)
        self.boxes[row].setAccessibleDescription(text)

    def mark(self, row: int) -> None:
        self.marked = row
        for place, card in enumerate(self.boxes):
            card.setChecked(place == row)

    def _choose(self, row: int) -> None:
        self.mark(self.marked)  # the form marks another card when it has read the study
        self.chosen.emit(row)
