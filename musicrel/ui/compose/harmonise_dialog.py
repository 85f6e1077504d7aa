"""The dialog for harmonising a melody, without logic."""

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
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from musicrel.chorale import Chorale, Voice
from musicrel.presentation.compose import harmonise_form, rewrite_form
from musicrel.presentation.compose.harmonise_form import HarmoniseForm, Source
from musicrel.presentation.compose.models import ModelChoice
from musicrel.ui.compose.muted_remark import MutedRemark
from musicrel.ui.roll.mini_roll import MiniRoll
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.elided_box import ElidedBox
from musicrel.ui.widgets.fields import NumberField, QualityBox

_WIDTH: Final = 470
_INTRODUCTION: Final = "Generate three voices for a given one. The melody does not change."
_MELODY: Final = "A bundled melody, the piece on the roll, a file, or a recording"
_FROM_MELODY: Final = "As in the melody"
_PHRASES: Final = (
    "Bars of each phrase, such as 2,2,4, with a pickup in the first; each ends with a fermata"
)
_UNREAD: Final = "The file is read when you harmonise"
_COUNT: Final = (
    "Number of harmonisations to generate at once, ranked, to choose from; "
    "it is the number of candidates of the form"
)
_TITLE: Final = "Harmonise a melody"
_FILE_TIP: Final = "A melody in a MIDI, MusicXML or JSON file"
_PLAY_TIP: Final = "Record a melody on a MIDI keyboard (Ctrl+Shift+P)"
_PREVIEW: Final = "The melody"
_MODEL_TIP: Final = "Model that generates the other voices"


class HarmoniseDialog(QDialog):
    """The dialog; not shown yet."""

    file_clicked = Signal()
    play_clicked = Signal()
    source_chosen = Signal(object)  # the user chose a melody; its ``Source``
    changed = Signal()  # melody, voice or phrases changed

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_TITLE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._choices: tuple[ModelChoice, ...] = ()
        self.melody = ElidedBox()
        self.file, self.play = QPushButton("&File…"), QPushButton("&Record…")
        self.preview, self.voice = MiniRoll(), QComboBox()
        self.unread = QLabel(_UNREAD, alignment=Qt.AlignmentFlag.AlignCenter)
        """Placeholder for a melody that is not read yet."""
        self.phrases = QLineEdit(placeholderText=_FROM_MELODY)
        self.remark = QLabel()
        """Why the entries cannot be harmonised, or what happens to the melody."""
        self._no_model = self._problem = ""
        self.model, self.model_detail, self.muted = QComboBox(), QLabel(), MutedRemark()
        self.quality = QualityBox()
        self.count = NumberField(1, rewrite_form.MAX_CANDIDATES, 1)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.start_button = self.buttons.addButton(
            "Harmonise", QDialogButtonBox.ButtonRole.AcceptRole
        )
        self._lay_out()
        self.remark.hide()
        self._connect()

    # ------------------------------------------------------------------ state

    def set_sources(self, sources: Sequence[Source], roll: str) -> None:
        """Offer melodies.

        Args:
            roll: reason for no melody on the roll; "" with one.
        """
        for source in sources:
            self.melody.addItem(source.title, source)
        if roll:
            self.melody.setToolTip(f"{_MELODY}. {roll}")

    def add_source(self, source: Source) -> None:
        """Offer another melody and select it."""
        self.melody.insertItem(0, source.title, source)
        self.melody.setCurrentIndex(0)

    def set_models(self, choices: Sequence[ModelChoice], chosen: str, problem: str) -> None:
        """Offer models and select ``chosen``; ``problem`` is the reason for no model, or ""."""
        self._choices = tuple(choices)
        for row, choice in enumerate(choices):
            self.model.addItem(choice.title, choice.name)
            self.model.setItemData(row, choice.detail, Qt.ItemDataRole.ToolTipRole)
        self.model.setCurrentIndex(max(self.model.findData(chosen), 0) if choices else -1)
        self.model.setEnabled(bool(choices))
        self._no_model = problem
        self._update_start()
        self._show_model()
        if problem:
            self.model_detail.setText(problem)

    def set_quality(self, quality: str) -> None:
        """Select a quality level."""
        self.quality.setCurrentIndex(max(self.quality.findData(quality), 0))

    def set_voice(self, voice: Voice) -> None:
        """Select the voice of the melody."""
        self.voice.setCurrentIndex(self.voice.findData(voice))

    def show_melody(self, piece: Chorale | None) -> None:
        """Show the melody; None: it is not read yet."""
        self.preview.show_piece(piece)
        self.unread.setVisible(piece is None)

    def show_check(self, problem: str, remark: str) -> None:
        """Show why the entries cannot be harmonised, or a remark; both may be ""."""
        self._problem = problem
        self.remark.setText(problem or remark)
        self.remark.setVisible(bool(problem or remark))
        self._update_start()

    def form(self) -> HarmoniseForm:
        return HarmoniseForm(
            source=self.melody.currentData(),
            voice=Voice(self.voice.currentData()),
            model=self.model.currentData() or "",
            quality=self.quality.currentData(),
            count=self.count.value(),
            phrases=self.phrases.text(),
        )

    # ------------------------------------------------------------------ widgets

    @Slot()
    def _emit_source(self) -> None:
        self.source_chosen.emit(self.melody.currentData())

    def _update_start(self) -> None:
        reason = self._no_model or self._problem
        self.start_button.setEnabled(not reason)
        self.start_button.setToolTip(reason)

    @Slot()
    def _show_model(self) -> None:
        name = self.model.currentData()
        chosen = [choice for choice in self._choices if choice.name == name]
        sees = any(choice.sees_both_sides for choice in chosen)
        self.model_detail.setText(harmonise_form.SEES_AHEAD if sees else harmonise_form.SEARCHES)

    def _lay_out(self) -> None:
        head, introduction = QLabel(_TITLE), QLabel(_INTRODUCTION)
        stylesheet.scale_font(head, 1.3, QFont.Weight.DemiBold)
        for label in (introduction, self.model_detail, self.unread):
            label.setObjectName("quiet")
        for label in (introduction, self.model_detail, self.remark):
            label.setWordWrap(True)
        self.start_button.setObjectName("main")
        self.start_button.setDefault(True)
        for button in (self.file, self.play):
            button.setAutoDefault(False)
        parts = (head, introduction, self._entries(), self.muted, self.buttons)
        layout.column(*parts, owner=self, spacing=12, margins=(22, 18, 22, 16))
        self.setMinimumWidth(_WIDTH)

    def _entries(self) -> QGridLayout:
        grid = layout.form_grid()
        self.file.setToolTip(_FILE_TIP)
        self.play.setToolTip(_PLAY_TIP)
        self.preview.setAccessibleName(_PREVIEW)
        layout.row(self.unread, owner=self.preview)
        for voice in Voice:
            self.voice.addItem(voice.title, voice)
        sources = layout.row((self.melody, 1), self.file, self.play, spacing=6)
        layout.add_row(grid, "&Melody", self.melody, sources, tip=_MELODY)
        for title, widget, tip in (
            ("", self.preview, ""),
            ("&Voice", self.voice, harmonise_form.VOICE_HINT),
            ("P&hrases", self.phrases, _PHRASES),
            ("", self.remark, ""),
            ("M&odel", self.model, _MODEL_TIP),
            ("", self.model_detail, ""),
            ("&Quality", self.quality, ""),
            ("&Candidates", self.count, _COUNT),
        ):
            layout.add_row(grid, title, widget, tip=tip)
        return grid

    def _connect(self) -> None:
        self.melody.currentIndexChanged.connect(self._emit_source)
        for signal in (
            self.melody.currentIndexChanged,
            self.voice.currentIndexChanged,
            self.phrases.textChanged,
        ):
            signal.connect(self.changed)
        self.model.currentIndexChanged.connect(self._show_model)
        self.file.clicked.connect(self.file_clicked)
        self.play.clicked.connect(self.play_clicked)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
