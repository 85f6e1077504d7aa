"""The conductor of harmony: a melody is chosen and read, put on the sheet, and harmonised.

The melody becomes a piece like any other, so that it can be heard, saved and brought back; the
candidates are ``proposing``'s. This file knows the window and jobs; what a melody is and how voices
are written to it stands below.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel import paths
from musicrel.chorale import Chorale, Voice
from musicrel.corpus import melodies
from musicrel.errors import UsageError
from musicrel.jobs import Job
from musicrel.presentation.compose import harmonise_form
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.harmonise_form import Asked, Source
from musicrel.presentation.compose.models import ModelChoice
from musicrel.ui.actions import commands
from musicrel.ui.compose.harmonise_dialog import HarmoniseDialog
from musicrel.ui.controllers.candidates_controller import Proposing
from musicrel.ui.controllers.compose_controller import NOT_DONE, Studio
from musicrel.ui.controllers.lock_controller import Locking
from musicrel.ui.files import file_dialogs
from musicrel.ui.files.file_jobs import FilingEvent, Tune, read_melody
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.shell.main_window import MainWindow

READING: Final = "Reading {name} …"
STILL_READING: Final = "A melody is being read: try again in a moment"
READ_BUT: Final = "the melody of {name} was read, but {report}"
ON_SHEET: Final = "The melody of {title}"
WHAT: Final = "harmony for “{title}”"

ReadMelody = Callable[[Path, Voice], Job[FilingEvent, Tune]]
"""Makes the job that reads a melody for a voice."""


class Harmonising(QObject):
    """Wires harmony to the window.

    Args:
        window: with a command and a button that ask for it.
        studio: has the piece on the sheet, and takes the melody.
        locking: knows what is locked.
        proposing: has the voices written, and lets the user choose.
        read: makes the job that reads a melody.

    Signals:
        player_asked: the user wants to play a melody, and to harmonise that then.
    """

    player_asked = Signal()

    def __init__(
        self,
        window: MainWindow,
        studio: Studio,
        locking: Locking,
        proposing: Proposing,
        read: ReadMelody = read_melody,
    ) -> None:
        super().__init__(studio)
        self._window, self._page, self._studio = window, window.page, studio
        self._locking, self._proposing, self._read = locking, proposing, read
        self._entries = window.page.controls.entries
        self._worker = Worker(self)
        self._asked: Asked | None = None
        self._last: tuple[Asked, Form] | None = None
        self.dialog: HarmoniseDialog | None = None
        """What asks, while it is open."""
        self._connect()
        self._allow()

    @property
    def busy(self) -> bool:
        """Whether a melody is being read."""
        return self._worker.busy

    # ------------------------------------------------------------------ what the user did

    @Slot()
    def ask(self) -> None:
        """Ask which melody, and how."""
        if self._obstacle() or self.dialog is not None:
            return
        self.dialog = dialog = HarmoniseDialog(self._window)
        dialog.set_theme(self._window.theme)
        dialog.set_models(*self._models())
        dialog.set_patience(self._entries.patience.currentData())
        dialog.source_chosen.connect(self._show_melody)
        dialog.file_clicked.connect(self._ask_for_file)
        dialog.play_clicked.connect(self._ask_for_player)
        dialog.accepted.connect(lambda: self.begin(dialog.asked))
        dialog.finished.connect(self._answered)
        piece = self._studio.piece
        on_roll = [Source(title=_on_roll(piece))] if piece is not None else []
        dialog.set_sources([*on_roll, *_tunes()], "" if on_roll else harmonise_form.NOTHING_ON_ROLL)
        dialog.open()
        dialog.melody.setFocus()

    @Slot()
    def begin(self, asked: Asked) -> None:
        """Harmonise what is asked for."""
        if asked.source.path is None:
            if self._studio.piece is not None:
                self._harmonise(self._studio.piece, asked)
            return
        if self._worker.busy:
            self._studio.report(STILL_READING)
            return
        self._asked = asked
        self._window.set_state(READING.format(name=asked.source.title))
        self._worker.start(self._read(asked.source.path, asked.voice))

    def shut_down(self) -> bool:
        """End what runs and wait for that; whether it has ended."""
        if self.dialog is not None:
            self.dialog.close()
        return self._worker.shut_down()

    @Slot(object)
    def add_file(self, path: Path) -> None:
        """Take the melody of a file."""
        if self.dialog is not None:
            self.dialog.add_source(Source(title=path.name, path=path))

    @Slot()
    def _ask_for_file(self) -> None:
        file_dialogs.ask_for_one(
            self.dialog or self._window,
            folder=self._studio.preferences.settings.save_folder,
            answer=self.add_file,
        )

    @Slot()
    def _ask_for_player(self) -> None:
        """Let the melody be played first."""
        if self.dialog is not None:
            self.dialog.reject()
        self.player_asked.emit()

    @Slot(object)
    def _show_melody(self, source: Source) -> None:
        """Show the melody that is chosen, and who is likely to sing it."""
        dialog, piece = self.dialog, self._studio.piece
        if dialog is None:
            return
        if source.path is not None:
            dialog.set_voice(Voice.SOPRANO)
            dialog.show_melody(_tune(source.path))
        elif piece is not None:
            selection = self._page.selecting.selection
            voice = harmonise_form.likely_voice(piece, selection, self._locking.cells)
            dialog.set_voice(voice)
            dialog.show_melody(harmonise_form.alone(piece, voice))

    # ------------------------------------------------------------------ what came of it

    @Slot(object)
    def _finished(self, tune: Tune) -> None:
        asked, self._asked = self._asked, None
        if asked is None:
            return
        if self._studio.busy:  # a piece was begun meanwhile: that one is on the sheet
            self._studio.report(NOT_DONE)
            return
        self._studio.show_piece(
            tune.piece, None, ON_SHEET.format(title=tune.piece.title), saved=True
        )
        self._harmonise(tune.piece, asked)
        if tune.report:
            report = "; ".join(tune.report)
            self._studio.report(READ_BUT.format(name=asked.source.title, report=report))

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        self._asked = None
        self._window.set_state("No melody was read")
        self._studio.report(sentence)

    @Slot()
    def _answered(self) -> None:
        self.dialog = None

    def _harmonise(self, piece: Chorale, asked: Asked) -> None:
        if (asked, self._entries.form()) == self._last:
            self._entries.seed.roll()  # the same once more would be the same versions
        form = self._entries.form()
        self._last = (asked, form)
        try:
            wish = harmonise_form.wish(piece, asked, form)
        except UsageError as reason:
            self._studio.report(str(reason))
            return
        self._proposing.begin(wish, WHAT.format(title=piece.title or "the melody"))

    # ------------------------------------------------------------------ inside

    def _models(self) -> tuple[list[ModelChoice], str, str]:
        """The models, those that see both sides first; the one to take; why there is none."""
        choices = sorted(self._entries.choices, key=lambda choice: not choice.sees_both_sides)
        chosen = self._entries.form().model if self._entries.sees_both_sides() else ""
        nobody = harmonise_form.NO_MODEL.format(folder=paths.data() / "models")
        return choices, chosen, "" if choices else nobody

    def _obstacle(self) -> str:
        """Why no melody can be harmonised now."""
        return NOT_DONE if self._studio.busy else ""

    @Slot()
    def _allow(self) -> None:
        commands.allow(self._window.commands.rewriting.harmonise, self._obstacle())
        self._page.controls.allow_harmony(self._obstacle())

    def _connect(self) -> None:
        for signal, slot in (
            (self._window.commands.rewriting.harmonise.triggered, self.ask),
            (self._page.controls.harmonise_clicked, self.ask),
            (self._studio.began, self._allow),
            (self._studio.offered, self._allow),
            (self._worker.finished, self._finished),
            (self._worker.failed, self._failed),
        ):
            signal.connect(slot)


def _on_roll(piece: Chorale) -> str:
    return f"On the roll: {piece.title}" if piece.title else "What is on the roll"


@cache
def _tunes() -> tuple[Source, ...]:
    """The tunes that come along, by their titles."""
    found = [Source(title=melodies.load(n).title, path=melodies.path(n)) for n in melodies.names()]
    return tuple(sorted(found, key=lambda source: source.title))


@cache
def _tune(path: Path) -> Chorale | None:
    """The tune of a file that comes along; others are read when they are asked for."""
    if path.parent != melodies.path(melodies.names()[0]).parent:
        return None
    return Chorale.read(path)
