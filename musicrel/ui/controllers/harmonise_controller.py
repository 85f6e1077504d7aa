"""Controller of harmonising: a melody is selected, read, made the current piece, and harmonised.

The melody becomes a piece like any other: it can be played, saved and undone. Its harmonisations
are candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from musicrel.chorale import Chorale, Voice
from musicrel.corpus import melodies
from musicrel.generation.transposition import alone
from musicrel.jobs import Job
from musicrel.presentation.compose import harmonise_form, rewrite_form
from musicrel.presentation.compose.harmonise_form import HarmoniseForm, Source
from musicrel.presentation.compose.models import ModelChoice
from musicrel.score.importing.conversion import itemised
from musicrel.ui.actions import commands
from musicrel.ui.compose.controls import Controls, MutedRemark
from musicrel.ui.compose.form_fields import ModelBox, choose
from musicrel.ui.controllers.writing_controller import WritingController
from musicrel.ui.document.document import GENERATING, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.files import dialogs
from musicrel.ui.files.dialogs import ActionDialog
from musicrel.ui.files.file_jobs import OpenedPiece, read_melody
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.roll.mini_roll import MiniRoll
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.elided_label import ElidedBox
from musicrel.ui.widgets.fields import NumberField, QualityBox, add_entries, enable

READING: Final = "Reading {name} …"
STILL_READING: Final = "A melody is being read: try again in a moment"
READ_BUT: Final = "the melody of {name} was changed:{report}"
MELODY_OF: Final = "Melody of {title}"
WHAT: Final = "harmony for “{title}”"
READING_FAILED: Final = "Reading the melody failed"
THE_MELODY: Final = "the melody"
TIP: Final = "Add three voices to a bundled melody, a file or the roll (Ctrl+H)"
ON_ROLL: Final = "Current piece"
ON_ROLL_TITLED: Final = "Current piece: {title}"

ReadMelody = Callable[[Path, Voice], Job[float, OpenedPiece]]
"""Factory of jobs that read a melody from a file for a voice."""
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
_HARMONISE: Final = "Harmonise"
_FILE_TIP: Final = "A melody in a MIDI, MusicXML or JSON file"
_PLAY_TIP: Final = "Record a melody on a MIDI keyboard (Ctrl+Shift+P)"
_PREVIEW: Final = "The melody"
_MODEL_TIP: Final = "Model that generates the other voices"


class HarmoniseController(QObject):
    recording_requested = Signal()  # a melody is to be recorded and then harmonised

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        writing: WritingController,
        controls: Controls,
        action: QAction,
        read: ReadMelody = read_melody,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._writing, self._controls, self._action = writing, controls, action
        self._form_view, self._read = controls.compose_form, read
        self.worker = Worker(self)
        self._asked: HarmoniseForm | None = None
        self.dialog: HarmoniseDialog | None = None
        for signal, slot in (
            (action.triggered, self.ask),
            (self.worker.finished, self._on_melody_read),
            (self.worker.failed, self._on_reading_failed),
        ):
            signal.connect(slot)
        commands.disable_when(
            action, lambda: GENERATING if writing.busy else "", document.piece_changed,
            writing.changed,
        )  # fmt: skip
        commands.follow(controls.harmonise, action, TIP)

    # ------------------------------------------------------------------ user actions

    @Slot()
    def ask(self) -> None:
        if not self._action.isEnabled() or self.dialog is not None:
            return
        self.dialog = dialog = HarmoniseDialog(self._controls.window())
        dialog.set_models(self._document.choices, self._document.form.model)
        choose(dialog.quality, self._document.form.quality)
        dialog.count.setValue(self._document.form.candidates)
        dialog.muted.follow(self._document)
        for signal, slot in (
            (dialog.source_chosen, self._show_melody),
            (dialog.changed, self._check),
            (dialog.file.clicked, self._ask_for_file),
            (dialog.play.clicked, self._ask_for_player),
            (dialog.accepted, lambda: self.begin(dialog.form())),
            (dialog.finished, self._on_dialog_finished),
        ):
            signal.connect(slot)
        piece = self._document.piece
        on_roll = [Source(title=_on_roll(piece))] if piece is not None else []
        dialog.set_sources(
            [*on_roll, *_bundled_sources()], "" if on_roll else harmonise_form.NOTHING_ON_ROLL
        )
        dialog.open()
        dialog.melody.setFocus()

    @Slot()
    def begin(self, asked: HarmoniseForm) -> None:
        choose(self._form_view.model, asked.model)
        self._document.set_form(replace(self._document.form, candidates=asked.count))
        piece = self._document.piece
        if asked.source.path is None:
            if piece is not None:
                self._harmonise(piece, asked)
            return
        if self.worker.busy:
            self._messages.report(STILL_READING)
            return
        self._asked = asked
        self._messages.show_state(READING.format(name=asked.source.title))
        self.worker.start(self._read(asked.source.path, asked.voice))

    def shut_down(self) -> None:
        if self.dialog is not None:
            self.dialog.close()

    @Slot(object)
    def add_file(self, path: Path) -> None:
        if self.dialog is not None:
            self.dialog.add_source(Source(title=path.name, path=path))

    @Slot()
    def _ask_for_file(self) -> None:
        dialogs.ask_open_path(
            self.dialog or self._controls.window(),
            folder=self._preferences.settings.save_folder,
            answer=self.add_file,
        )

    @Slot()
    def _ask_for_player(self) -> None:
        if self.dialog is not None:
            self.dialog.reject()
        self.recording_requested.emit()

    @Slot()
    def _check(self) -> None:
        dialog = self.dialog
        if dialog is None:
            return
        entries = dialog.form()
        path = entries.source.path
        melody = self._document.piece if path is None else _bundled_melody(path)
        problem = harmonise_form.problem(melody, entries)
        remark = (
            "" if problem or melody is None else harmonise_form.placed(melody, entries.voice)[1]
        )
        dialog.show_check(problem, remark)

    @Slot(object)
    def _show_melody(self, source: Source) -> None:
        dialog, piece = self.dialog, self._document.piece
        if dialog is None:
            return
        if source.path is not None:
            choose(dialog.voice, Voice.SOPRANO)
            dialog.show_melody(_bundled_melody(source.path))
        elif piece is not None:
            selection = self._document.selection
            voice = harmonise_form.likely_voice(piece, selection, self._document.locks)
            choose(dialog.voice, voice)
            dialog.show_melody(alone(piece, voice))

    # ------------------------------------------------------------------ events

    @Slot(object)
    def _on_melody_read(self, result: OpenedPiece) -> None:
        asked, self._asked = self._asked, None
        if asked is None:
            return
        if self._document.generating:  # a generation was started meanwhile
            self._messages.report(GENERATING)
            return
        self._harmonise(result.piece, asked, result.report)

    @Slot(str)
    def _on_reading_failed(self, sentence: str) -> None:
        self._asked = None
        self._messages.show_state(READING_FAILED)
        self._messages.report(sentence)

    @Slot()
    def _on_dialog_finished(self) -> None:
        self.dialog = None

    def _harmonise(self, piece: Chorale, asked: HarmoniseForm, report: Sequence[str] = ()) -> None:
        """Harmonise a melody, which becomes the piece, and show the ``report`` of its file."""
        melody, moved = harmonise_form.placed(piece, asked.voice)
        builder = self._writing.prepared(
            lambda: harmonise_form.harmonisation(melody, asked, self._document.form)
        )
        if builder is None:
            return
        if melody is not self._document.piece:
            self._document.show_piece(melody, action="opened")
            self._messages.show_state(MELODY_OF.format(title=melody.title))
        self._writing.start(builder, WHAT.format(title=piece.title or THE_MELODY))
        if report:
            changes = itemised([*report, *filter(None, [moved])])
            self._messages.report(READ_BUT.format(name=asked.source.title, report=changes))
        elif moved:
            self._messages.report(moved)


def _on_roll(piece: Chorale) -> str:
    return ON_ROLL_TITLED.format(title=piece.title) if piece.title else ON_ROLL


@cache
def _bundled_sources() -> tuple[Source, ...]:
    """Return the bundled melodies, sorted by title."""
    from musicrel.score import files

    bundled = [melodies.path(name) for name in melodies.names()]
    found = [Source(title=files.read(path).title, path=path) for path in bundled]
    return tuple(sorted(found, key=lambda source: source.title))


@cache
def _bundled_melody(path: Path) -> Chorale | None:
    """Return the melody of a bundled file; None for other files."""
    if path.parent != melodies.path(melodies.names()[0]).parent:
        return None
    from musicrel.score import files

    return files.read(path)


class HarmoniseDialog(ActionDialog):
    source_chosen = Signal(object)  # the user chose a melody; its ``Source``
    changed = Signal()  # melody, voice or phrases changed

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_TITLE, _HARMONISE, parent)
        self._choices: tuple[ModelChoice, ...] = ()
        self.melody = ElidedBox()
        self.file, self.play = QPushButton("&File…"), QPushButton("&Record…")
        self.preview, self.voice = MiniRoll(), QComboBox()
        self.unread = QLabel(_UNREAD, alignment=Qt.AlignmentFlag.AlignCenter)
        """Placeholder for a melody that is not read yet."""
        self.phrases = QLineEdit(placeholderText=_FROM_MELODY)
        self.remark = QLabel()
        """The reason why the entries cannot be harmonised, or what happens to the melody."""
        self._no_model = self._problem = ""
        self.model, self.model_detail = ModelBox(), layout.quiet("")
        self.muted = MutedRemark()
        self.quality = QualityBox()
        self.count = NumberField(1, rewrite_form.MAX_CANDIDATES, 1)
        self._lay_out()
        self.remark.hide()
        self._connect()

    # ------------------------------------------------------------------ state

    def set_sources(self, sources: Sequence[Source], roll: str) -> None:
        add_entries(self.melody, ((source.title, source) for source in sources))
        if roll:
            self.melody.setToolTip(f"{_MELODY}. {roll}")

    def add_source(self, source: Source) -> None:
        self.melody.insertItem(0, source.title, source)
        self.melody.setCurrentIndex(0)

    def set_models(self, choices: Sequence[ModelChoice], chosen: str) -> None:
        """Offer models and select ``chosen``; without any, give the reason."""
        self._choices = tuple(choices)
        usual = choices[0].name if choices else ""
        self.model.offer(choices, chosen if chosen in [one.name for one in choices] else usual)
        self._no_model = "" if choices else harmonise_form.NO_MODEL
        self._update_start()
        self._show_model()
        if self._no_model:
            self.model_detail.setText(self._no_model)

    def show_melody(self, piece: Chorale | None) -> None:
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

    def _update_start(self) -> None:
        enable(self.action_button, self._no_model or self._problem)

    @Slot()
    def _show_model(self) -> None:
        name = self.model.currentData()
        chosen = [choice for choice in self._choices if choice.name == name]
        sees = any(choice.sees_both_sides for choice in chosen)
        self.model_detail.setText(harmonise_form.SEES_AHEAD if sees else harmonise_form.SEARCHES)

    def _lay_out(self) -> None:
        head, introduction = layout.dialog_title(_TITLE), layout.quiet(_INTRODUCTION)
        self.unread.setObjectName("quiet")
        self.remark.setWordWrap(True)
        self.action_button.setObjectName("main")
        for button in (self.file, self.play):
            button.setAutoDefault(False)
        parts = (head, introduction, self._entries(), self.muted, self.buttons)
        layout.column(*parts, owner=self, spacing=12, margins=(22, 18, 22, 16))
        self.setMinimumWidth(470)

    def _entries(self) -> QGridLayout:
        grid = layout.form_grid()
        self.file.setToolTip(_FILE_TIP)
        self.play.setToolTip(_PLAY_TIP)
        self.preview.setAccessibleName(_PREVIEW)
        layout.row(self.unread, owner=self.preview)
        add_entries(self.voice, ((voice.title, voice) for voice in Voice))
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
        self.melody.currentIndexChanged.connect(
            lambda: self.source_chosen.emit(self.melody.currentData())
        )
        for signal in (
            self.melody.currentIndexChanged,
            self.voice.currentIndexChanged,
            self.phrases.textChanged,
        ):
            signal.connect(self.changed)
        self.model.currentIndexChanged.connect(self._show_model)
        self.buttons.accepted.connect(self.accept)
