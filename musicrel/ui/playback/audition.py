"""Lets a small piece be heard without putting it on the sheet, and gives the player back after it.

This file knows the player; it knows nothing of where the piece comes from.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.playback.player import Player

_LOOK: Final = 100
"""Milliseconds between two looks whether it still plays."""


class Audition(QObject):
    """Plays one piece at a time.

    Args:
        player: holds the piece of the sheet before and after.
        parent: who needs it.

    Signals:
        changed: another piece is heard; a ``Chorale`` or None.
    """

    changed = Signal(object)

    def __init__(self, player: Player, parent: QObject) -> None:
        super().__init__(parent)
        self._player = player
        self.piece: Chorale | None = None
        """What is heard."""
        self._before: tuple[Chorale | None, float, tuple[float, float] | None] = (None, 0.0, None)
        self._timer = QTimer(self, interval=_LOOK)
        self._timer.timeout.connect(self._look)

    def toggle(self, piece: Chorale | None) -> None:
        """Let ``piece`` be heard from its beginning, or stop it where it is heard already."""
        stops = piece is None or piece is self.piece
        self.stop()
        if stops or piece is None:
            return
        self._before = (self._player.chorale, self._player.position, self._player.loop)
        self._player.pause()
        self._player.loop = None
        self._player.load(piece, keep_position=False)
        self._player.play(0.0)
        self.piece = piece
        self._timer.start()
        self.changed.emit(piece)

    @Slot()
    def stop(self) -> None:
        """Be silent, and put the piece of the sheet back where it stood."""
        if self.piece is None:
            return
        self._timer.stop()
        heard, self.piece = self.piece, None
        if self._player.chorale is heard:
            before, position, loop = self._before
            self._player.pause()
            if before is not None:
                self._player.load(before)
                self._player.seek(position)
                self._player.loop = loop
        self.changed.emit(None)

    @Slot()
    def _look(self) -> None:
        if not self._player.playing or self._player.chorale is not self.piece:
            self.stop()
