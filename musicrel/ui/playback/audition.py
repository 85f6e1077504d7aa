"""Playback of a short piece beside that on the sheet, or of a take in place of it.

The document previews the take meanwhile. At the end of playback the piece is shown again, with the
playhead and the loop where they were.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.playback.player import Player
from musicrel.ui.document.document import Document
from musicrel.ui.roll.roll_view import RollView

_INTERVAL_MS: Final = 50  # milliseconds between two checks whether the player still plays


class Audition(QObject):
    changed = Signal(object)  # playback started or stopped; the ``Chorale``, or None

    def __init__(self, player: Player, parent: QObject) -> None:
        super().__init__(parent)
        self._player = player
        self.piece: Chorale | None = None  # the piece that is playing; None without one
        self._before: tuple[Chorale | None, float, tuple[float, float] | None] = (None, 0.0, None)
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self._stop_at_end)

    def toggle(self, piece: Chorale | None) -> None:
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


class TakeAudition(QObject):
    changed = Signal()  # playback of a take started or ended
    ended = Signal()  # it ended, and the piece is shown again

    def __init__(
        self,
        document: Document,
        player: Player,
        roll: RollView,
        update: Callable[[], None],
    ) -> None:
        super().__init__(document)
        self._document, self._player, self._roll, self._update = document, player, roll, update
        self.piece: Chorale | None = None
        self._position = 0.0
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self._stop_at_end)
        document.piece_changed.connect(self._abandon)
        document.screen_changed.connect(lambda piece: piece is self.piece or self._abandon())

    def start(self, piece: Chorale, region: tuple[int, int] | None) -> None:
        self.stop()
        self._position = self._player.position
        self._player.pause()
        self.piece = piece
        self._document.preview(piece)
        self._player.loop = region
        self._roll.set_loop(region, on=region is not None)
        self._player.play(float(region[0]) if region is not None else 0.0)
        self._update()
        self._timer.start()
        self.changed.emit()

    @Slot()
    def stop(self) -> None:
        if self.piece is None:
            return
        self._player.pause()
        self.shut_down()
        self._document.preview(None)  # playback restores the loop of the user
        self._player.seek(self._position)
        self._update()
        self.changed.emit()
        self.ended.emit()

    def shut_down(self) -> None:
        self._timer.stop()
        self.piece = None

    @Slot()
    def _stop_at_end(self) -> None:
        if not self._player.playing:
            self.stop()

    @Slot()
    def _abandon(self) -> None:
        if self.piece is not None:
            self._player.pause()
            self.shut_down()
            self.changed.emit()
