"""The commands for two pieces: which one sounds, what is taken from B, where they differ, files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from musicrel.editing import bars
from musicrel.errors import UsageError
from musicrel.generation.twin.lockstep import Side
from musicrel.jobs import Job
from musicrel.presentation.twin import difference_files
from musicrel.presentation.twin.agreement import Agreement
from musicrel.ui.actions import commands
from musicrel.ui.actions.twin_commands import TwinCommands
from musicrel.ui.controllers.file_controller import EXPORTED, EXPORTING, FileController
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.document import edits
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.files import file_dialogs
from musicrel.ui.files.file_jobs import FileEvent, FileStarted, Written
from musicrel.ui.twin.twin_controller import OTHER_FORM, TwinController
from musicrel.ui.twin.twin_sound import TwinSound
from musicrel.ui.twin.twin_view import TwinView

OFF: Final = "Choose a second model under A/B first"
NO_PIECE: Final = "B has no piece yet: generate or rewrite with both models first"
NOTE_INPUT: Final = "Note input is on, where A and B are notes: leave it (Esc) first"
EQUAL: Final = "The pieces do not differ"
TAKEN: Final = "Took {bar} from B"
TAKEN_PIECE: Final = "The piece of B is the current one"
PLAYING: Final = "Playing {side}: {model}"
_LISTEN_TIP: Final = "{tip}, {model}"
_TITLE: Final = "Export differences"
_NAME: Final = "{title}, {first} and {second}"
_PICKUP: Final = "the pickup"
_BAR: Final = "bar {number}"


class TwinActions(QObject):
    """The controller of the commands."""

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        twin: TwinController,
        sound: TwinSound,
        view: TwinView,
        playback: PlaybackController,
        files: FileController,
        actions: TwinCommands,
        note_input: QAction,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._twin, self._sound, self._view = twin, sound, view
        self._playback, self._files, self._actions = playback, files, actions
        self._note_input = note_input
        self._connect()
        self.update()

    # ------------------------------------------------------------------ user actions

    @Slot()
    def listen_a(self) -> None:
        self._listen("A")

    @Slot()
    def listen_b(self) -> None:
        self._listen("B")

    @Slot()
    def take_bar(self) -> None:
        piece, second, step = self._document.piece, self._twin.other.piece, self._step
        if piece is None or second is None or self._document.unready_reason:
            return
        start, stop = bars.bar_at(piece, step)
        try:
            edit = bars.take_bars(piece, second, start, stop)
        except UsageError as reason:
            self._messages.report(str(reason))
            return
        edits.apply(self._document, edit)
        self._messages.show_state(TAKEN.format(bar=self._bar_name(start)))

    @Slot()
    def take_piece(self) -> None:
        second, document = self._twin.other.piece, self._document
        if second is not None and not document.unready_reason:
            form = replace(document.form, model=self._twin.wrote[1])
            document.show_piece(second, form=form, action="generated")
            self._messages.show_state(TAKEN_PIECE)

    @Slot()
    def to_first_difference(self) -> None:
        agreement = self._twin.agreement
        if agreement is not None and agreement.first is not None:
            self._playback.seek(float(agreement.first), in_ruler=False)

    @Slot()
    def export_piece(self) -> None:
        second = self._twin.other.piece
        if second is not None:
            folder, suffix = self._preferences.export_place
            file_dialogs.ask_export_path(
                self._view.window(),
                title=second.title,
                folder=folder,
                suffix=suffix,
                answer=lambda path: self._files.export(second, path),
            )

    @Slot()
    def export_differences(self) -> None:
        agreement, models = self._twin.agreement, self._twin.wrote
        if agreement is not None:
            first, second = models
            title = agreement.pieces[0].title
            file_dialogs.ask_new_path(
                self._view.window(),
                _TITLE,
                name=_NAME.format(title=title, first=first, second=second),
                suffixes=difference_files.SUFFIXES,
                folder=self._preferences.export_place[0] or file_dialogs.music_folder(),
                answer=lambda path: self._write(agreement, models, path),
            )

    @Slot()
    def end(self) -> None:
        self._twin.compare_with("")

    # ------------------------------------------------------------------ display

    @Slot()
    def update(self) -> None:
        """Enable the commands that are possible now; tooltips give the reasons of the others."""
        twin, acts = self._twin, self._actions
        off = "" if twin.on else OFF
        none = off or ("" if twin.other.piece is not None else NO_PIECE)
        no_sound = none or (NOTE_INPUT if self._note_input.isChecked() else "")
        changes = none or self._document.unready_reason
        no_difference = none or self._reason_without_difference()
        for action, reason in (
            (acts.listen_a, no_sound),
            (acts.listen_b, no_sound),
            (acts.take_bar, changes),
            (acts.take_piece, changes),
            (acts.first, no_difference),
            (acts.export_piece, none),
            (acts.export_differences, no_difference),
            (acts.close, off),
        ):
            commands.set_enabled(action, reason)
        for action, model in zip((acts.listen_a, acts.listen_b), twin.wrote, strict=True):
            if action.isEnabled():
                action.setToolTip(_LISTEN_TIP.format(tip=action.iconText(), model=model))
        acts.listen_a.setChecked(twin.on and self._sound.side == "A")
        acts.listen_b.setChecked(self._sound.side == "B")
        self._show_bar()

    def _reason_without_difference(self) -> str:
        agreement = self._twin.agreement
        if agreement is None:
            return OTHER_FORM
        return EQUAL if agreement.first is None else ""

    @Slot()
    def _show_bar(self) -> None:
        piece = self._document.piece
        if piece is not None and self._twin.on:
            start, _ = bars.bar_at(piece, self._step)
            self._view.set_bar(self._bar_name(start))

    # ------------------------------------------------------------------ internals

    @property
    def _step(self) -> float:
        return self._playback.playhead.step or 0.0

    def _listen(self, side: Side) -> None:
        self._sound.listen(side)
        model = self._twin.wrote["AB".index(side)]
        self._messages.show_state(PLAYING.format(side=side, model=model))
        self.update()

    def _bar_name(self, start: int) -> str:
        """Return the name of the bar that begins at a step of the piece."""
        piece = self._document.piece
        if piece is None or start < piece.pickup:
            return _PICKUP
        return _BAR.format(number=(start - piece.pickup) // piece.meter.steps + 1)

    def _write(self, agreement: Agreement, models: tuple[str, str], path: Path) -> None:
        job = _write_differences(agreement, models, path)
        self._files.start(job, EXPORTING.format(name=path.name))

    def _connect(self) -> None:
        acts, document = self._actions, self._document
        for signal, slot in (
            (acts.listen_a.triggered, self.listen_a),
            (acts.listen_b.triggered, self.listen_b),
            (acts.take_bar.triggered, self.take_bar),
            (acts.take_piece.triggered, self.take_piece),
            (acts.first.triggered, self.to_first_difference),
            (acts.export_piece.triggered, self.export_piece),
            (acts.export_differences.triggered, self.export_differences),
            (acts.close.triggered, self.end),
            (self._twin.changed, self.update),
            (self._sound.changed, self.update),
            (self._note_input.toggled, self.update),
            (document.generation_started, self.update),
            (document.piece_changed, self.update),
            (self._playback.playhead.playhead_moved, self._show_bar),
        ):
            signal.connect(slot)


def _write_differences(
    agreement: Agreement, models: tuple[str, str], path: Path
) -> Job[FileEvent, Written]:
    yield FileStarted(doing=EXPORTING.format(name=path.name))
    difference_files.write(agreement, models, path)
    return Written(sentence=EXPORTED.format(name=path.name, folder=path.parent), folder=path.parent)
