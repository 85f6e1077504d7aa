"""Playback of a short piece that is not on the sheet, with the player restored afterwards."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.playback.player import Player

_INTERVAL_MS: Final = 100
"""Milliseconds between two checks whether the player still plays."""


class Audition(QObject):
    """A preview that plays one piece at a time."""

    changed = Signal(object)  # playback started or stopped; the ``Chorale``, or None

    def __init__(self, player: Player, parent: QObject) -> None:
        super().__init__(parent)
        self._player = player
        self.piece: Chorale | None = None
        """The piece that is playing; None without one."""
        self._before: tuple[Chorale | None, float, tuple[float, float] | None] = (None, 0.0, None)
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self._stop_at_end)

    def toggle(self, piece: Chorale | None) -> None:
        """Play ``piece`` from the start, or stop it if it is playing."""
        only_stop = piece is None or piece is self.piece
        self.stop()
        if only_stop or piece is None:
            return
        self._before = (self._player.chorale, self._player.position, self._player.loop)
        self._player.pause()
        self._player.loop = None
        self._player.load(piece, keep_position=False, has_clicks=False)
        self._player.play(0.0)
        self.piece = piece
        self._timer.start()
        self.changed.emit(piece)

    @Slot()
    def stop(self) -> None:
        if self.piece is None:
            return
        self._timer.stop()
        played, self.piece = self.piece, None
        if self._player.chorale is played:
            before, position, loop = self._before
            self._player.pause()
            if before is not None:
                self._player.load(before)
                self._player.seek(position)
                self._player.loop = loop
        self.changed.emit(None)

    @Slot()
    def _stop_at_end(self) -> None:
        if not self._player.playing or self._player.chorale is not self.piece:
            self.stop()
