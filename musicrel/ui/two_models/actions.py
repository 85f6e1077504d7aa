"""The commands for two pieces: which one sounds, what is taken from B, where they differ, files."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from musicrel.editing import piece_edits
from musicrel.errors import UsageError
from musicrel.figures import attention_views as views
from musicrel.figures import view
from musicrel.generation.constraints.rules import bar_name
from musicrel.generation.two_models.lockstep import Side
from musicrel.jobs import Job
from musicrel.presentation.two_models.agreement import Agreement
from musicrel.presentation.words.palette import LIGHT
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import Group
from musicrel.ui.controllers.file_controller import EXPORTED, EXPORTING, FileController
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.files import dialogs
from musicrel.ui.files.file_jobs import FileEvent, Written

if TYPE_CHECKING:
    from musicrel.ui.two_models.two_models import TwoModels

OTHER_FORM: Final = "The pieces have different meters or pickups"
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


class TwoModelsActions(QObject):
    """The controller of the commands."""

    def __init__(
        self,
        two_models: TwoModels,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        playback: PlaybackController,
        files: FileController,
        actions: Group,
        note_input: QAction,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._two_models, self._sound, self._view = two_models, two_models.sound, two_models.view
        self._playback, self._files, self._actions = playback, files, actions
        self._note_input = note_input
        self._connect()
        self.update()

    # ------------------------------------------------------------------ user actions

    @Slot()
    def take_bar(self) -> None:
        piece, second, step = self._document.piece, self._two_models.other.piece, self._step
        if piece is None or second is None or self._document.unready_reason:
            return
        start, stop = piece_edits.bar_at(piece, step)
        try:
            edit = piece_edits.take_bars(piece, second, start, stop)
        except UsageError as reason:
            self._messages.report(str(reason))
            return
        self._document.apply(edit)
        self._messages.show_state(TAKEN.format(bar=bar_name(piece, start)))

    @Slot()
    def take_piece(self) -> None:
        second, document = self._two_models.other.piece, self._document
        if second is not None and not document.unready_reason:
            form = replace(document.form, model=self._two_models.wrote[1])
            document.show_piece(second, form=form, action="generated")
            self._messages.show_state(TAKEN_PIECE)

    @Slot()
    def to_first_difference(self) -> None:
        agreement = self._two_models.agreement
        if agreement is not None and agreement.first is not None:
            self._playback.seek(float(agreement.first), in_ruler=False)

    @Slot()
    def export_piece(self) -> None:
        second = self._two_models.other.piece
        if second is not None:
            folder, suffix = self._preferences.export_place
            dialogs.ask_export_path(
                self._view.window(),
                title=second.title,
                folder=folder,
                suffix=suffix,
                answer=lambda path: self._files.export(second, path),
            )

    @Slot()
    def export_differences(self) -> None:
        agreement, models = self._two_models.agreement, self._two_models.wrote
        if agreement is not None:
            first, second = models
            title = agreement.pieces[0].title
            dialogs.ask_new_path(
                self._view.window(),
                _TITLE,
                name=_NAME.format(title=title, first=first, second=second),
                suffixes=view.SUFFIXES,
                folder=self._preferences.export_place[0] or dialogs.music_folder(),
                answer=lambda path: self._files.start(
                    _write(agreement, models, path), EXPORTING.format(name=path.name)
                ),
            )

    # ------------------------------------------------------------------ display

    @Slot()
    def update(self) -> None:
        two_models, acts = self._two_models, self._actions
        off = "" if two_models.on else OFF
        none = off or ("" if two_models.other.piece is not None else NO_PIECE)
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
        for action, model in zip((acts.listen_a, acts.listen_b), two_models.wrote, strict=True):
            if action.isEnabled():
                action.setToolTip(_LISTEN_TIP.format(tip=action.iconText(), model=model))
        acts.listen_a.setChecked(two_models.on and self._sound.side == "A")
        acts.listen_b.setChecked(self._sound.side == "B")
        self._show_bar()

    def _reason_without_difference(self) -> str:
        agreement = self._two_models.agreement
        if agreement is None:
            return OTHER_FORM
        return EQUAL if agreement.first is None else ""

    @Slot()
    def _show_bar(self) -> None:
        piece = self._document.piece
        if piece is not None and self._two_models.on:
            start, _ = piece_edits.bar_at(piece, self._step)
            self._view.set_bar(bar_name(piece, start))

    # ------------------------------------------------------------------ internals

    @property
    def _step(self) -> float:
        return self._playback.playhead.step or 0.0

    def _listen(self, side: Side, _checked: object = None) -> None:
        self._sound.listen(side)
        model = self._two_models.wrote["AB".index(side)]
        self._messages.show_state(PLAYING.format(side=side, model=model))
        self.update()

    def _connect(self) -> None:
        acts, document = self._actions, self._document
        for signal, slot in (
            (acts.listen_a.triggered, partial(self._listen, "A")),
            (acts.listen_b.triggered, partial(self._listen, "B")),
            (acts.take_bar.triggered, self.take_bar),
            (acts.take_piece.triggered, self.take_piece),
            (acts.first.triggered, self.to_first_difference),
            (acts.export_piece.triggered, self.export_piece),
            (acts.export_differences.triggered, self.export_differences),
            (acts.close.triggered, lambda: self._two_models.compare_with("")),
            (self._two_models.changed, self.update),
            (self._sound.changed, self.update),
            (self._note_input.toggled, self.update),
            (document.generation_started, self.update),
            (document.piece_changed, self.update),
            (self._playback.playhead.playhead_moved, self._show_bar),
        ):
            signal.connect(slot)


def _write(agreement: Agreement, models: tuple[str, str], path: Path) -> Job[FileEvent, Written]:
    yield None
    view.write(views.of_agreement(agreement, models), path, LIGHT)
    return Written(sentence=EXPORTED.format(name=path.name, folder=path.parent), folder=path.parent)
