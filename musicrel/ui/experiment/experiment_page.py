"""The Experiment page: the list of all known studies, and beside it one study or the form."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QLabel,
    QListWidgetItem,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from musicrel.experiment.study import study_text
from musicrel.language import tr
from musicrel.ui.experiment.study_form_view import StudyFormView
from musicrel.ui.experiment.study_view import StudyView
from musicrel.ui.experiment.teach_view import TeachView
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.banner import Banner
from musicrel.ui.widgets.two_lines import SECOND_LINE, TwoLineList

if TYPE_CHECKING:
    from musicrel.experiment.study.study_status import StudyStatus

ALL_ARCHIVED: Final = tr("All studies are archived.")
_ARCHIVED: Final = tr("Show archived")
_NEW: Final = tr("&New study…")
_TEACH: Final = tr("Teach it m&y pieces…")
_OPEN: Final = tr("Open a study folder…")
_TIPS: Final = {
    "new": tr("Choose, edit and start a study"),
    "teach": tr("Let a model learn from a folder of your pieces and write in their style"),
    "open": tr("Open a study in another folder"),
    "archived": tr("List archived studies as well"),
}

WIDTH: Final = 208
EMPTY: Final = tr(
    "No studies yet. Studies you start appear here; to see one that was started on the command "
    "line, open its folder."
)
_FOLDER: Final = Qt.ItemDataRole.UserRole


class StudyList(layout.SideColumn):
    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__(WIDTH)
        self.setObjectName("panel")
        self.list, self.empty = TwoLineList(), layout.quiet(EMPTY)
        self.new, self.teach, self.open = map(QPushButton, (_NEW, _TEACH, _OPEN))
        self.archived = QCheckBox(_ARCHIVED)
        self._all: Sequence[StudyStatus] = ()
        self._listed: Sequence[StudyStatus] = ()
        self._lay_out()
        self.list.currentItemChanged.connect(self._choose)
        self.list.itemActivated.connect(self._choose)
        self.archived.toggled.connect(lambda: self.show_studies(self._all))

    def show_studies(self, studies: Sequence[StudyStatus]) -> None:
        """Replace the entries; the marked one stays marked. Archived ones are listed if wanted."""
        self._all = studies
        self.archived.setVisible(any(study.archived for study in studies))
        listed = [study for study in studies if self.archived.isChecked() or not study.archived]
        if listed == self._listed:
            return
        self._listed, was = listed, self.current
        with QSignalBlocker(self.list):
            self.list.clear()
            for study in listed:
                self.list.addItem(_item(study))
            self.mark(was)
        self.empty.setText(ALL_ARCHIVED if studies else EMPTY)
        self.empty.setVisible(not listed)

    def mark(self, folder: Path | None) -> None:
        rows = range(self.list.count())
        row = next((row for row in rows if self.list.item(row).data(_FOLDER) == folder), -1)
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(row)  # -1 also clears the selection

    @property
    def current(self) -> Path | None:
        rows = self.list.selectedItems()
        folder: Path | None = rows[0].data(_FOLDER) if rows else None
        return folder

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(_FOLDER))

    def _lay_out(self) -> None:
        self.new.setObjectName("main")
        self.new.setMinimumHeight(36)
        for name, tip in _TIPS.items():
            getattr(self, name).setToolTip(tip)
        self.archived.hide()
        self.list.setAccessibleName(tr("Studies"))
        title = layout.heading(tr("Studies"))
        parts = (self.new, self.teach, title, self.empty, (self.list, 1), self.archived, self.open)
        layout.column(*parts, owner=self, spacing=8, margins=(12, 14, 12, 12))


def _item(study: StudyStatus) -> QListWidgetItem:
    name, state = study_text.name(study), study_text.state_text(study)
    item = QListWidgetItem(name)
    item.setData(_FOLDER, study.folder)
    item.setData(SECOND_LINE, state)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}, {state}")
    item.setToolTip(f"{name}\n{state}\n{study.folder}")
    return item


FORBIDDEN: Final = tr("Studies are in the full package")


class ExperimentPage(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.list, self.form, self.study = StudyList(), StudyFormView(), StudyView()
        self.teaching = TeachView()
        self.banner = Banner()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.form)
        self._stack.addWidget(self.study)
        self._stack.addWidget(self.teaching)
        self.notice = QLabel(wordWrap=True)
        right = layout.column(self.banner, (self._stack, 1), spacing=8)
        layout.row(self.list, (right, 1), owner=self, spacing=8, margins=(10, 4, 10, 4))

    def show_form(self) -> None:
        self._stack.setCurrentWidget(self.form)
        self.list.mark(None)

    def show_teaching(self) -> None:
        self._stack.setCurrentWidget(self.teaching)
        self.list.mark(None)

    def show_study(self) -> None:
        self._stack.setCurrentWidget(self.study)

    def forbid(self, reason: str) -> None:
        self.list.hide()
        self.notice.setText(reason)
        title, panel, page = QLabel(FORBIDDEN), QFrame(), QWidget()
        stylesheet.scale_font(title, 1.35, QFont.Weight.DemiBold)
        panel.setObjectName("panel")
        stylesheet.fix_width(panel, 480)
        layout.column(title, self.notice, owner=panel, spacing=10, margins=(24, 20, 24, 22))
        beside = layout.row(None, panel, None)
        layout.column(None, beside, None, owner=page)
        self._stack.setCurrentIndex(self._stack.addWidget(page))
