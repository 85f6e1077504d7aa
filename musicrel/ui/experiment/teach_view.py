"""The form in which a model is taught a folder of pieces, and what was read of each file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QListWidgetItem, QPushButton

from musicrel.language import tr
from musicrel.ui.files import dialogs
from musicrel.ui.widgets import fields, layout, stylesheet
from musicrel.ui.widgets.two_lines import SECOND_LINE, TwoLineList

TITLE: Final = tr("Teach it my pieces")
WELCOME: Final = tr(
    "The model learns from the pieces in a folder, in four voices (MIDI, MusicXML, ABC or JSON), "
    "and goes on practising Bach’s chorales. That takes minutes. It then writes in their style: "
    "choose it as the style on the Compose page. Some pieces are held out to see how much it has "
    "learned."
)
_CHOOSE: Final = tr("Choose the folder of your pieces")
_EMPTY: Final = tr(
    "Choose a folder: each file is listed here with what was read of it, or why not."
)
_TEACH: Final = tr("Te&ach")
_TIPS: Final = {
    "folder": tr("A folder with pieces in it and in its subfolders"),
    "name": tr("Name of the style"),
}


class TeachView(QFrame):
    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.folder, self.name, self.teach = QLineEdit(), QLineEdit(), QPushButton(_TEACH)
        self.files, self.empty = TwoLineList(), layout.quiet(_EMPTY)
        self.summary, self.problem = (
            QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True) for _ in range(2)
        )
        self._lay_out()
        self.show_summary("", "")

    def clear_files(self) -> None:
        self.files.clear()
        self.empty.show()

    def add_files(self, fates: Iterable[tuple[str, str]]) -> None:
        """List files, each with what became of it."""
        for name, fate in fates:
            item = QListWidgetItem(name)
            item.setData(SECOND_LINE, fate)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}, {fate}")
            item.setToolTip(f"{name}\n{fate}")
            self.files.addItem(item)
        self.empty.setVisible(not self.files.count())

    def show_summary(self, sentence: str, problem: str) -> None:
        self.summary.setText(sentence)
        self.problem.setText(problem[:1].upper() + problem[1:])
        self.problem.setVisible(bool(problem))

    def set_disabled_reason(self, reason: str, tip: str) -> None:
        fields.enable(self.teach, reason, tip)

    def _lay_out(self) -> None:
        title = QLabel(TITLE)
        stylesheet.scale_font(title, 1.3, QFont.Weight.DemiBold)
        for name, tip in _TIPS.items():
            getattr(self, name).setToolTip(tip)
        self.files.setAccessibleName(tr("Files"))
        self.problem.setObjectName("problem")
        self.teach.setObjectName("main")
        self.teach.setMinimumSize(150, 40)
        grid = layout.form_grid()
        layout.add_row(grid, tr("F&older"), self.folder, dialogs.folder_row(self.folder, _CHOOSE))
        layout.add_row(grid, tr("&Name"), self.name)
        sentences = layout.column(self.summary, self.problem, spacing=4)
        bottom = layout.row((sentences, 1), self.teach, spacing=16)
        parts = (title, layout.quiet(WELCOME), grid, self.empty, (self.files, 1), bottom)
        layout.column(*parts, owner=self, spacing=14, margins=(22, 18, 22, 16))
