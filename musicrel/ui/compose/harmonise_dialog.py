"""The dialog that harmonises a melody: a bundled one, a file, the roll, or a recording."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QPushButton, QWidget

from musicrel.analysis.corpus import melodies
from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.generation.transposition import alone
from musicrel.language import tr
from musicrel.presentation.compose import form as forms
from musicrel.presentation.compose.form import Form
from musicrel.presentation.words.keys import with_keys
from musicrel.ui.compose.controls import MutedRemark
from musicrel.ui.compose.form_fields import ModelBox
from musicrel.ui.document.document import Document
from musicrel.ui.files import dialogs
from musicrel.ui.files.dialogs import ActionDialog
from musicrel.ui.roll.mini_roll import MiniRoll
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.elided_label import ElidedBox
from musicrel.ui.widgets.fields import EntryBox, NumberField, QualityBox, add_entries, enable

NOTHING_ON_ROLL: Final = tr("The roll is empty: generate or open a piece first")
NO_MODEL: Final = tr("No model can harmonise: import one with Compose > Models…")
SEES_AHEAD: Final = tr("This model sees the whole melody before it generates the first note.")
SEARCHES: Final = tr(
    "This model writes a few bars at a time and reads ahead in the melody to choose among "
    "several versions, except at draft quality."
)
ON_ROLL: Final = tr("Current piece")
ON_ROLL_TITLED: Final = tr("Current piece: {title}")
_INTRODUCTION: Final = tr("Generate three voices for a given one. The melody does not change.")
_MELODY: Final = tr("A bundled melody, the piece on the roll, a file, or a recording")
_FROM_MELODY: Final = tr("As in the melody")
ALL_VERSES: Final = tr("All, the same harmony")
VERSE: Final = tr("Verse {verse}, a harmony of its own")
_VERSES: Final = tr(
    "A verse with a harmony of its own is written out in its place; the others stay as they are"
)
NO_VERSES: Final = tr(
    "Choose the current piece, with words in several verses, to harmonise one of them"
)
REWRITTEN: Final = tr(
    "The verse keeps its melody and its phrases; the model that rewrites writes the other voices"
)
_PHRASES: Final = tr(
    "Bars of each phrase, such as 2,2,4, with a pickup in the first; each ends with a fermata"
)
_UNREAD: Final = tr("The file is read when you harmonise")
_COUNT: Final = tr(
    "Number of harmonisations to generate and rank; the same as Candidates in the form"
)
_TITLE: Final = tr("Harmonise a melody")
_FILE_TIP: Final = tr("A melody in a MIDI, MusicXML, ABC or JSON file")
_PLAY_TIP: Final = tr("Record a melody on a MIDI keyboard ({key[rewriting.record]})")
_PREVIEW: Final = tr("The melody")
_MODEL_TIP: Final = tr("Model that generates the other voices")


@dataclass(frozen=True, slots=True, kw_only=True)
class Melody:
    title: str = ""
    path: Path | None = None  # its file; None: the current piece
    voice: Voice = Voice.SOPRANO
    phrases: tuple[int, ...] = ()  # bars of each phrase; empty: as in the melody
    verse: int = 0  # the verse that gets a harmony of its own; 0: the melody gets one for all


class HarmoniseDialog(ActionDialog):
    recording_requested = Signal()  # a melody is to be recorded and then harmonised

    def __init__(self, document: Document, folder: str, parent: QWidget | None = None) -> None:
        """Offer the melodies; ``folder`` is the one in which files are looked for."""
        super().__init__(_TITLE, tr("Harmonise"), parent)
        self._document, self._folder = document, folder
        self.melody = ElidedBox()
        self.file, self.play = QPushButton(tr("&File…")), QPushButton(tr("&Record…"))
        self.preview, self.voice = MiniRoll(), EntryBox((voice.title, voice) for voice in Voice)
        # placeholder for a melody that is not read yet
        self.unread = QLabel(_UNREAD, alignment=Qt.AlignmentFlag.AlignCenter)
        self.verse, self.phrases = EntryBox(), QLineEdit(placeholderText=_FROM_MELODY)
        # the reason why the entries cannot be harmonised, or what happens to the melody
        self.remark = QLabel()
        self.model, self.model_detail = ModelBox(), layout.quiet("")
        self.muted = MutedRemark()
        self.quality = QualityBox()
        self.count = NumberField(1, forms.MAX_CANDIDATES, 1)
        self._lay_out()
        self._fill()
        self._connect()
        self._show_melody()

    def form(self) -> Form:
        return replace(
            self._document.form,
            model=self._document.form.model if self.verse.value() else self._model,
            quality=self.quality.currentData(),
            candidates=self.count.value(),
        )

    def chosen(self) -> Melody:
        """Return the melody."""
        return Melody(
            title=self.melody.currentText(),
            path=self.melody.currentData(),
            voice=Voice(self.voice.currentData()),
            phrases=forms.parse_whole_phrases(self.phrases.text()),
            verse=self.verse.value(),
        )

    def add_file(self, path: Path) -> None:
        self.melody.insertItem(0, path.name, path)
        self.melody.setCurrentIndex(0)

    # ------------------------------------------------------------------ what is chosen

    @property
    def _piece(self) -> Chorale | None:
        path = self.melody.currentData()
        return self._document.piece if path is None else _bundled_melody(path)

    @Slot()
    def _show_melody(self) -> None:
        document, piece = self._document, self._piece
        voice = Voice.SOPRANO
        if self.melody.currentData() is None and piece is not None:
            voice = forms.likely_voice(piece, document.selection, document.locks)
            self.preview.show_piece(alone(piece, voice))
        else:
            self.preview.show_piece(piece)
        self.voice.set_value(voice)
        self.unread.setVisible(piece is None)
        self._offer_verses()
        self._check()

    def _offer_verses(self) -> None:
        verses = self._piece.verses if self._piece and self.melody.currentData() is None else ()
        several = verses if len(verses) > 1 else ()
        with QSignalBlocker(self.verse):
            self.verse.clear()
            add_entries(self.verse, [(ALL_VERSES, 0)])
            add_entries(self.verse, [(VERSE.format(verse=verse), verse) for verse in several])
        enable(self.verse, "" if several else NO_VERSES, _VERSES)

    @Slot()
    def _check(self) -> None:
        """Show why the entries cannot be harmonised, or what happens to the melody."""
        piece, remark, problem = self._piece, "", ""
        reason = REWRITTEN if self.verse.value() else ""
        for field, tip in (
            (self.voice, forms.VOICE_HINT), (self.phrases, _PHRASES), (self.model, _MODEL_TIP),
        ):  # fmt: skip
            enable(field, reason, tip)
        try:
            melody = self.chosen()
            if piece is not None and melody.verse:
                forms.verse_harmony(piece, melody.verse, self._document.locks, self.form())
                remark = REWRITTEN
            elif piece is not None:
                placed, remark = forms.placed(piece, melody.voice)
                forms.harmonisation(placed, melody.voice, self.form(), melody.phrases)
        except UsageError as reason:
            problem = f"{str(reason)[:1].upper()}{str(reason)[1:]}"
        self.remark.setText(problem or remark)
        self.remark.setVisible(bool(problem or remark))
        enable(self.action_button, problem if self._document.choices else NO_MODEL)
        self._show_model()

    @Slot()
    def _choose_model(self) -> None:
        self._model = self.model.value()
        self._show_model()

    def _show_model(self) -> None:
        """Show the model that writes: the chosen one, or the rewriting one for a verse."""
        name = (self.verse.value() and self._document.rewriting_model) or self.form().model
        with QSignalBlocker(self.model):
            self.model.setCurrentIndex(self.model.findData(name))
        choice = self._document.choice_of(name)
        sees = choice is not None and choice.sees_both_sides
        self.model_detail.setText(SEES_AHEAD if sees else SEARCHES)
        if not self._document.choices:
            self.model_detail.setText(NO_MODEL)

    # ------------------------------------------------------------------ widgets

    def _fill(self) -> None:
        document, piece = self._document, self._document.piece
        on_roll = [(_on_roll(piece), None)] if piece is not None else []
        add_entries(self.melody, [*on_roll, *_bundled_sources()])
        if piece is None:
            self.melody.setToolTip(f"{_MELODY}. {NOTHING_ON_ROLL}")
        known = document.choice_of(document.form.model) or next(iter(document.choices), None)
        self._model = known.name if known is not None else ""
        self.model.offer(document.choices, self._model)
        self.quality.set_value(document.form.quality)
        self.count.setValue(document.form.candidates)
        self.muted.follow(document)

    @Slot()
    def _ask_for_file(self) -> None:
        dialogs.ask_open_path(self, folder=self._folder, answer=self.add_file)

    @Slot()
    def _record(self) -> None:
        self.reject()
        self.recording_requested.emit()

    def _lay_out(self) -> None:
        self.unread.setObjectName("quiet")
        self.remark.setWordWrap(True)
        self.action_button.setObjectName("main")
        for button in (self.file, self.play):
            button.setAutoDefault(False)
        self.lay_out(layout.quiet(_INTRODUCTION), self._entries(), self.muted)
        stylesheet.set_least_width(self, 470)

    def _entries(self) -> QGridLayout:
        grid = layout.form_grid()
        self.file.setToolTip(_FILE_TIP)
        self.play.setToolTip(with_keys(_PLAY_TIP))
        self.preview.setAccessibleName(_PREVIEW)
        layout.row(self.unread, owner=self.preview)
        sources = layout.row((self.melody, 1), self.file, self.play, spacing=6)
        layout.add_row(grid, tr("&Melody"), self.melody, sources, tip=_MELODY)
        for title, widget, tip in (
            ("", self.preview, ""),
            (tr("V&erses"), self.verse, _VERSES),
            (tr("&Voice"), self.voice, forms.VOICE_HINT),
            (tr("P&hrases"), self.phrases, _PHRASES),
            ("", self.remark, ""),
            (tr("M&odel"), self.model, _MODEL_TIP),
            ("", self.model_detail, ""),
            (tr("&Quality"), self.quality, ""),
            (tr("&Candidates"), self.count, _COUNT),
        ):
            layout.add_row(grid, title, widget, tip=tip)
        return grid

    def _connect(self) -> None:
        for signal, slot in (
            (self.melody.currentIndexChanged, self._show_melody),
            (self.verse.currentIndexChanged, self._check),
            (self.voice.currentIndexChanged, self._check),
            (self.phrases.textChanged, self._check),
            (self.model.currentIndexChanged, self._choose_model),
            (self.file.clicked, self._ask_for_file),
            (self.play.clicked, self._record),
            (self.buttons.accepted, self.accept),
        ):
            signal.connect(slot)


def _on_roll(piece: Chorale) -> str:
    return ON_ROLL_TITLED.format(title=piece.title) if piece.title else ON_ROLL


@cache
def _bundled_sources() -> tuple[tuple[str, Path], ...]:
    from musicrel.score import files

    bundled = [melodies.path(name) for name in melodies.names()]
    return tuple(sorted((files.read(path).title, path) for path in bundled))


@cache
def _bundled_melody(path: Path) -> Chorale | None:
    """Return the melody of a bundled file; None for other files."""
    if path.parent != melodies.path(melodies.names()[0]).parent:
        return None
    from musicrel.score import files

    return files.read(path)
