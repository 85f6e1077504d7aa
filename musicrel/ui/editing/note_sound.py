"""The sound of a note that is written or moved, while the player is idle."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import REST, Chorale, Voice
from musicrel.editing.notes import notes_in
from musicrel.editing.selection import Selection
from musicrel.playback.player import Player
from musicrel.ui.document.document import Document

_STEPS: Final = 3
_TEMPO: Final = 120.0
"""The notes are short: three sixteenths at this tempo."""


class NoteSound(QObject):
    """Plays notes for a moment, beside the piece: playhead, loop and transport stay as they are."""

    def __init__(self, document: Document, player: Player, action: QAction) -> None:
        super().__init__(document)
        self._player, self._action = player, action
        for signal in (document.piece_changed, document.generation_started):
            signal.connect(self.stop)

    def play(self, piece: Chorale, selection: Selection) -> None:
        """Play the first selected note of each voice together."""
        if not self._action.isChecked():
            return
        pitches = np.full(len(Voice), REST)
        for note in reversed(notes_in(piece, selection)):
            pitches[note.voice] = note.pitch
        if (pitches != REST).any():
            self._player.preview(Chorale.of([pitches] * _STEPS, tempo=_TEMPO))

    @Slot()
    def stop(self) -> None:
        self._player.stop_preview()
