"""The same request and seed without and with muted heads: two candidates to switch between."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton

from musicrel.chorale import Voice
from musicrel.editing import piece_edits
from musicrel.presentation.compose.form import Form, Task, change, new_piece
from musicrel.presentation.words import muted_heads
from musicrel.ui.actions import commands
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.controllers.writing_controller import WritingController
from musicrel.ui.document.document import GENERATING, Document

NONE_MUTED: Final = "Mute a head first: choose one in the grid and press M"
READY_TIP: Final = "Generate the same once with all heads and once with the muted ones silenced"
NEW_PIECE: Final = "A &new piece, twice"
NEW_TIP: Final = "From the form in Compose, with its seed"
FROM_BAR: Final = "This piece from &bar {bar} on, twice"
FROM_NOTE: Final = "This piece from the bar of the chosen &note on, twice"
FROM_TIP: Final = "All notes before the bar are kept"
CHOOSE_LATER: Final = "Select a note after the first bar: the notes before its bar are kept"
_NEW: Final = "a new piece with all heads and with {heads} muted"
_FROM: Final = "the piece from bar {bar} on, with all heads and with {heads} muted"


class MutedComparison(QObject):
    """The controller of the button.

    Attributes:
        new: the command that generates a new piece twice.
        from_bar: the command that generates the piece twice from the bar of the chosen note on.
    """

    def __init__(
        self,
        document: Document,
        writing: WritingController,
        playback: PlaybackController,
        *,
        button: QToolButton,
        attention: AttentionController,
    ) -> None:
        super().__init__(document)
        self._document = document
        self._writing, self._writer, self._playback = writing, writing.writer, playback
        self._button, self._attention = button, attention
        self._chosen = 0
        self.from_bar, self.new = QAction(FROM_NOTE, button), QAction(NEW_PIECE, button)
        menu = button.menu()
        menu.setToolTipsVisible(True)
        for action, slot in (
            (self.from_bar, self.generate_from_bar), (self.new, self.generate_new)
        ):  # fmt: skip
            menu.addAction(action)
            action.triggered.connect(slot)
        self._writer.job.finished.connect(self._play)
        self._writer.changed.connect(self._play_again)
        for signal in (document.selection_changed, document.shown_changed, self._writer.changed):
            signal.connect(self.update_enabled)
        self.update_enabled()

    @Slot()
    def generate_new(self) -> None:
        self._writing.request(
            lambda: new_piece(self._form, count=2, is_pair=True), _NEW.format(heads=self._heads)
        )

    @Slot()
    def generate_from_bar(self) -> None:
        piece, step = self._document.piece, self._first_step
        if piece is None or step is None:
            return
        free = np.zeros((piece.steps, len(Voice)), dtype=np.bool_)
        free[step:] = True
        self._writing.request(
            lambda: change(piece, free, self._form, count=2, is_pair=True),
            _FROM.format(bar=piece.bar_number(step), heads=self._heads),
        )

    @Slot()
    def update_enabled(self) -> None:
        reason = GENERATING if self._writer.busy else ""
        reason = reason or ("" if self._heads else NONE_MUTED)
        self._button.setEnabled(not reason)
        self._button.setToolTip(reason or READY_TIP)
        piece, step = self._document.piece, self._first_step
        commands.set_enabled(self.from_bar, "" if step is not None else CHOOSE_LATER)
        if piece is not None and step is not None:
            self.from_bar.setText(FROM_BAR.format(bar=piece.bar_number(step)))
        else:
            self.from_bar.setText(FROM_NOTE)
        for action, tip in ((self.from_bar, FROM_TIP), (self.new, NEW_TIP)):
            if action.isEnabled():
                action.setToolTip(tip)

    @property
    def _form(self) -> Form:
        return replace(self._document.form, model=self._attention.model)

    @property
    def _heads(self) -> str:
        form = self._document.form
        return muted_heads.codes(form.muted.of(self._attention.model))

    @property
    def _first_step(self) -> int | None:
        """Return the first step of the bar of the chosen note; None without notes before it."""
        piece, selection = self._document.piece, self._document.selection
        if piece is None or selection is None:
            return None
        step, _ = piece_edits.bar_at(piece, selection.start)
        return step if 0 < step < piece.steps else None

    @Slot()
    def _play(self) -> None:
        task = self._writer.task
        if task is None or not task.is_pair:
            return
        self._writing.choose(1)
        self._writing.rank()
        if task.piece is not None:
            self._playback.seek(_first_free(task), in_ruler=False)
        self._playback.play()

    @Slot()
    def _play_again(self) -> None:
        """Play the other piece once more where the first one has ended: the passage is short."""
        task, number = self._writer.task, self._writer.chosen
        chosen, self._chosen = self._chosen, number
        if task is not None and task.is_pair and number and chosen not in (0, number):
            self._playback.play_again(_first_free(task))


def _first_free(task: Task) -> float:
    free = task.free.any(axis=1) if task.piece is not None else np.zeros(0, dtype=np.bool_)
    return float(np.flatnonzero(free)[0]) if free.any() else 0.0
