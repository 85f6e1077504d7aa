"""The dialog of a piece's words, and its controller: a whole text is set under the melody."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QLocale, Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from musicrel.chorale import Chorale
from musicrel.presentation.compose.words_form import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    Fit,
    WordsForm,
)
from musicrel.score.editing.draft import Edit
from musicrel.ui.editing.edit_controller import Editor
from musicrel.ui.editing.piece_dialog import PieceDialog, PieceDialogController
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.fields import EntryBox, enable

_TITLE: Final = "Words of the piece"
_OK: Final = "Set the words"
_REMOVE: Final = "&Remove words"
_REMOVE_TIP: Final = "Remove the words of all voices and verses"
_NO_WORDS: Final = "The piece has no words"
_INTRODUCTION: Final = (
    "The text is set under the melody, a line for each phrase. It replaces the words that are "
    "there; corrected words keep their notes."
)
_HINT: Final = (
    "A line for each phrase\nAn empty line before the next verse\n\n"
    "glo-ry  divides a word yourself\nthe~earth  puts two words on one note"
)
_LANGUAGE_TIP: Final = "Decides how words are divided into syllables"
_TEXT: Final = "&Text"
_LINES: Final = "Lines and their syllables"
_HEADS: Final = ("Line", "Words", "Syllables")
_METRE: Final = "Metre: {metre}"
_SIZE: Final = (820, 520)


class WordsDialog(PieceDialog):
    def __init__(self, piece: Chorale, language: str, parent: QWidget | None = None) -> None:
        super().__init__(_TITLE, _OK, parent)
        self._piece = piece
        self._removes = False
        self.text = QPlainTextEdit(placeholderText=_HINT)
        self.language = EntryBox((name, name) for name in LANGUAGES)
        self.lines = QTableWidget(0, len(_HEADS))
        # the metre, and whether all lines fit or why the text cannot be set
        self.metre, self.summary = ElidedLabel(), QLabel(wordWrap=True)
        self.remove = QPushButton(_REMOVE)
        self._lay_out()
        self.language.set_value(language)
        self.text.setPlainText(WordsForm.of(piece, language).text)
        self._check()
        self.text.textChanged.connect(self._check)
        self.language.currentIndexChanged.connect(self._check)
        self.remove.clicked.connect(self._remove)

    def form(self) -> WordsForm:
        text = "" if self._removes else self.text.toPlainText()
        return WordsForm(text=text, language=self.language.value())

    def edit(self, piece: Chorale) -> Edit:
        return self.form().edit(piece)

    @Slot()
    def _remove(self) -> None:
        self._removes = True
        self.accept()

    @Slot()
    def _check(self) -> None:
        fit = self.form().fit(self._piece)
        self._list(fit)
        self.metre.setText(_METRE.format(metre=fit.metre) if fit.metre else "")
        self.summary.setText(fit.summary)
        self.summary.setObjectName("quiet" if fit.fits else "problem")
        self.summary.setVisible(bool(fit.summary))
        self.summary.style().polish(self.summary)
        enable(self.action_button, fit.problem)
        enable(self.remove, "" if self._piece.lyrics else _NO_WORDS, _REMOVE_TIP)

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

    def _lay_out(self) -> None:
        self.remove.setAutoDefault(False)
        self.buttons.addButton(self.remove, QDialogButtonBox.ButtonRole.ResetRole)
        self.metre.setObjectName("quiet")
        self.text.setTabChangesFocus(True)
        self.language.setToolTip(_LANGUAGE_TIP)
        self._lay_out_lines()
        parts = (
            layout.dialog_title(_TITLE),
            layout.quiet(_INTRODUCTION),
            (layout.row((self._entry(), 2), (self._fitted(), 3), spacing=16), 1),
            self.buttons,
        )
        layout.column(*parts, owner=self, spacing=12, margins=(22, 18, 22, 16))
        self.resize(*_SIZE)

    def _entry(self) -> QVBoxLayout:
        grid = layout.form_grid()
        layout.add_row(grid, "&Language", self.language, tip=_LANGUAGE_TIP)
        self.text.setAccessibleName(_TEXT.replace("&", ""))
        return layout.column((self.text, 1), grid, spacing=10)

    def _fitted(self) -> QVBoxLayout:
        return layout.column((self.lines, 1), self.metre, self.summary, spacing=8)

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


class WordsController(PieceDialogController[WordsDialog]):
    def __init__(self, services: Services, editor: Editor) -> None:
        super().__init__(services, editor, services.commands.edit.words)
        local = QLocale.languageToString(QLocale.system().language()).split(" ")[0]
        self._language = local if local in LANGUAGES else DEFAULT_LANGUAGE

    def make(self, piece: Chorale) -> WordsDialog:
        dialog = WordsDialog(piece, self._language, self._window)
        dialog.accepted.connect(self._keep_language)
        return dialog

    @Slot()
    def _keep_language(self) -> None:
        """Keep the language for the next dialog."""
        if self.dialog is not None:
            self._language = self.dialog.form().language
