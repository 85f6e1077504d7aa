"""Asks for a melody and how it shall be harmonised.

A passive dialog: it shows what it is told and tells what the user did.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from musicrel.chorale import Chorale, Voice
from musicrel.presentation.compose import harmonise_form, rewrite_form
from musicrel.presentation.compose.harmonise_form import Asked, Source
from musicrel.presentation.compose.models import ModelChoice
from musicrel.presentation.words.palette import Theme
from musicrel.ui.roll.mini_roll import MiniRoll
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.fields import NumberField, PatienceBox

_WIDTH: Final = 470
_SAYS: Final = "One voice is given, three are written to it. The melody stays note for note."
_MELODY: Final = "A tune that comes along, what is on the roll, a file, or one you play"
_AS_IT_IS: Final = "As the melody has them"
_PHRASES: Final = (
    "Bars of each phrase, as in 2,2,4, a pickup being part of the first; a fermata ends each"
)
_UNREAD: Final = "The file is read when you begin"
_COUNT: Final = "How many harmonisations are written at once, ranked and to choose from"


class HarmoniseDialog(QDialog):
    """The dialog; not shown yet.

    Signals:
        file_clicked: the user wants a melody from a file.
        play_clicked: the user wants to play one.
        source_chosen: another melody is chosen; its ``Source``.
    """

    file_clicked = Signal()
    play_clicked = Signal()
    source_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Harmonise a melody")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._choices: tuple[ModelChoice, ...] = ()
        self.melody = QComboBox()
        self.file, self.play = QPushButton("&File…"), QPushButton("P&lay…")
        self.preview, self.voice = MiniRoll(), QComboBox()
        self.unread = QLabel(_UNREAD, alignment=Qt.AlignmentFlag.AlignCenter)
        """Stands in for a melody that is not known yet."""
        self.phrases = QLineEdit(placeholderText=_AS_IT_IS)
        self.model, self.model_says = QComboBox(), QLabel()
        self.patience = PatienceBox()
        self.count = NumberField(1, rewrite_form.MOST, rewrite_form.USUAL)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.begin = self.buttons.addButton("Harmonise", QDialogButtonBox.ButtonRole.AcceptRole)
        self._lay_out()
        self._connect()

    # ------------------------------------------------------------------ what it is told

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self.preview.set_theme(theme)

    def set_sources(self, sources: Sequence[Source], roll: str) -> None:
        """Offer melodies.

        Args:
            sources: those there are, the first one chosen.
            roll: why there is none on the roll; "" where there is.
        """
        for source in sources:
            self.melody.addItem(source.title, source)
        if roll:
            self.melody.setToolTip(f"{_MELODY}. {roll}")

    def add_source(self, source: Source) -> None:
        """Offer one more melody, and choose it."""
        self.melody.insertItem(0, source.title, source)
        self.melody.setCurrentIndex(0)

    def set_models(self, choices: Sequence[ModelChoice], chosen: str, problem: str) -> None:
        """Offer models, ``chosen`` first; ``problem`` says why there is none, else ""."""
        self._choices = tuple(choices)
        for row, choice in enumerate(choices):
            self.model.addItem(choice.title, choice.name)
            self.model.setItemData(row, choice.detail, Qt.ItemDataRole.ToolTipRole)
        self.model.setCurrentIndex(max(self.model.findData(chosen), 0) if choices else -1)
        self.model.setEnabled(bool(choices))
        self.begin.setEnabled(not problem)
        self.begin.setToolTip(problem)
        self._show_model()
        if problem:
            self.model_says.setText(problem)

    def set_patience(self, patience: str) -> None:
        """Choose how patient a model is."""
        self.patience.setCurrentIndex(max(self.patience.findData(patience), 0))

    def set_voice(self, voice: Voice) -> None:
        """Choose who sings."""
        self.voice.setCurrentIndex(self.voice.findData(voice))

    def show_melody(self, piece: Chorale | None) -> None:
        """Show the melody; None where it is not known yet."""
        self.preview.show_piece(piece)
        self.unread.setVisible(piece is None)

    @property
    def asked(self) -> Asked:
        """The entries as they stand."""
        return Asked(
            source=self.melody.currentData(),
            voice=Voice(self.voice.currentData()),
            model=self.model.currentData() or "",
            patience=self.patience.currentData(),
            count=self.count.value(),
            phrases=self.phrases.text(),
        )

    # ------------------------------------------------------------------ inside

    @Slot()
    def _another_source(self) -> None:
        self.source_chosen.emit(self.melody.currentData())

    @Slot()
    def _show_model(self) -> None:
        """What the chosen model can."""
        name = self.model.currentData()
        chosen = [choice for choice in self._choices if choice.name == name]
        sees = any(choice.sees_both_sides for choice in chosen)
        self.model_says.setText(harmonise_form.SEES if sees else harmonise_form.BLIND)

    def _lay_out(self) -> None:
        head, says = QLabel("Harmonise a melody"), QLabel(_SAYS)
        stylesheet.scaled(head, 1.3, QFont.Weight.DemiBold)
        for label in (says, self.model_says, self.unread):
            label.setObjectName("quiet")
        for label in (says, self.model_says):
            label.setWordWrap(True)
        self.begin.setObjectName("main")
        self.begin.setDefault(True)
        for button in (self.file, self.play):
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 18, 22, 16)
        column.setSpacing(12)
        column.addWidget(head)
        column.addWidget(says)
        column.addLayout(self._entries())
        column.addWidget(self.buttons)
        self.setMinimumWidth(_WIDTH)

    def _entries(self) -> QGridLayout:
        grid, beside = layout.form(), QHBoxLayout()
        beside.setSpacing(6)
        beside.addWidget(self.melody, 1)
        beside.addWidget(self.file)
        beside.addWidget(self.play)
        grid.addLayout(beside, 0, 1)
        self.file.setToolTip("A melody in a MIDI, MusicXML or JSON file")
        self.play.setToolTip("A melody that you play on a MIDI keyboard (Ctrl+Shift+P)")
        self.preview.setAccessibleName("The melody")
        QHBoxLayout(self.preview).addWidget(self.unread)
        for voice in Voice:
            self.voice.addItem(voice.title, voice)
        for row, (title, widget, tip) in enumerate(
            (
                ("&Melody", self.melody, _MELODY),
                ("", self.preview, ""),
                ("&Sung by", self.voice, harmonise_form.SUNG_BY),
                ("P&hrases", self.phrases, _PHRASES),
                ("M&odel", self.model, "What writes the other voices"),
                ("", self.model_says, ""),
                ("&Patience", self.patience, ""),
                ("&Candidates", self.count, _COUNT),
            )
        ):
            _add(grid, row, title, widget, tip)
        return grid

    def _connect(self) -> None:
        self.melody.currentIndexChanged.connect(self._another_source)
        self.model.currentIndexChanged.connect(self._show_model)
        self.file.clicked.connect(self.file_clicked)
        self.play.clicked.connect(self.play_clicked)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)


def _add(grid: QGridLayout, row: int, title: str, widget: QWidget, tip: str) -> None:
    """Name what stands in a row, and put it there if nothing does yet."""
    if title:
        label = QLabel(title)
        label.setBuddy(widget)
        widget.setAccessibleName(title.replace("&", ""))
        widget.setToolTip(tip)
        grid.addWidget(label, row, 0)
    if not grid.itemAtPosition(row, 1):
        grid.addWidget(widget, row, 1)
