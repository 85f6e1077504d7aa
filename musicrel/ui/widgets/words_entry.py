"""The fields in which the words of a piece are typed, and the list of their lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from musicrel.language import tr
from musicrel.presentation.compose.words_form import DEFAULT_LANGUAGE, LANGUAGES, Fit
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.fields import EntryBox

_HINT: Final = tr(
    "A line for each phrase\nAn empty line before the next verse\n\n"
    "glo-ry  divides a word yourself\nthe~earth  puts two words on one note"
)
_LANGUAGE_TIP: Final = tr("Decides how words are divided into syllables")
_LANGUAGES: Final = (
    tr("Czech"), tr("Danish"), tr("Dutch"), tr("English"), tr("Finnish"), tr("French"),
    tr("German"), tr("Hungarian"), tr("Italian"), tr("Latin"), tr("Norwegian"), tr("Polish"),
    tr("Portuguese"), tr("Spanish"), tr("Swedish"),
)  # fmt: skip
_TEXT: Final = tr("Text")
_LINES: Final = tr("Lines and their syllables")
_HEADS: Final = (tr("Line"), tr("Words"), tr("Syllables"))
_METRE: Final = tr("Metre: {metre}")


class WordsEntry(QWidget):
    changed = Signal()  # the text or its language

    def __init__(self, fields: Iterable[tuple[str, QWidget, str]] = ()) -> None:
        """Lay out the text and its language, with further fields below: title, field, tooltip."""
        super().__init__()
        self.text = QPlainTextEdit(placeholderText=_HINT)
        self.language = EntryBox(sorted(zip(_LANGUAGES, LANGUAGES, strict=True)))
        self.lines = QTableWidget(0, len(_HEADS))
        # the metre, and whether all lines fit or why the text cannot be set
        self.metre, self.summary = ElidedLabel(), QLabel(wordWrap=True)
        self.metre.setObjectName("quiet")
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(_TEXT)
        self._lay_out_lines()
        grid = layout.form_grid()
        for title, field, tip in ((tr("&Language"), self.language, _LANGUAGE_TIP), *fields):
            field.setToolTip(tip)
            layout.add_row(grid, title, field, tip=tip)
        entry = layout.column((self.text, 1), grid, spacing=10)
        fitted = layout.column((self.lines, 1), self.metre, self.summary, spacing=8)
        layout.row((entry, 2), (fitted, 3), owner=self, spacing=16)
        self.text.textChanged.connect(self.changed)
        self.language.currentIndexChanged.connect(self.changed)

    def show_fit(self, fit: Fit) -> None:
        self._list(fit)
        self.metre.setText(_METRE.format(metre=fit.metre) if fit.metre else "")
        self.summary.setText(fit.summary)
        self.summary.setObjectName("quiet" if fit.fits else "problem")
        self.summary.setVisible(bool(fit.summary))
        self.summary.style().polish(self.summary)

    def _list(self, fit: Fit) -> None:
        self.lines.setRowCount(len(fit.lines))
        for row, line in enumerate(fit.lines):
            for column, text in enumerate(line[: len(_HEADS)]):
                item = QTableWidgetItem(text)
                item.setToolTip(line.tip)
                font = item.font()
                font.setBold(not line.fits)
                item.setFont(font)
                self.lines.setItem(row, column, item)

    def _lay_out_lines(self) -> None:
        table = self.lines
        table.setAccessibleName(_LINES)
        table.setHorizontalHeaderLabels(_HEADS)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)


def system_language() -> str:
    """Return the name of the user's language, if its words can be divided, else English."""
    local = QLocale.languageToString(QLocale.system().language()).split(" ")[0]
    return local if local in LANGUAGES else DEFAULT_LANGUAGE
