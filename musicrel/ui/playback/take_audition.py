"""Playback of a take in place of the piece, or of one passage of it in a loop.

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
from musicrel.ui.roll.roll_playhead import RollPlayhead

_INTERVAL_MS: Final = 50
"""Milliseconds between two checks whether the player still plays."""


class TakeAudition(QObject):
    """A player of one take at a time."""

    changed = Signal()  # playback of a take started or ended
    ended = Signal()  # it ended, and the piece is shown again

    def __init__(
        self,
        document: Document,
        player: Player,
        playhead: RollPlayhead,
        update: Callable[[], None],
    ) -> None:
        super().__init__(document)
        self._document, self._player, self._playhead = document, player, playhead
        self._update = update
        self._piece: Chorale | None = None
        self._position = 0.0
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self._stop_at_end)
        document.piece_changed.connect(self._abandon)
        document.generation_started.connect(self._abandon)
        document.shown_changed.connect(self._on_shown)

    @property
    def piece(self) -> Chorale | None:
        """Return the piece of the take that is played; None without one."""
        return self._piece

    def start(self, piece: Chorale, region: tuple[int, int] | None) -> None:
        """Play a take from its beginning, or a region of steps in a loop."""
        self.stop()
        self._position = self._player.position
        self._player.pause()
        self._piece = piece
        self._document.preview(piece)
        self._player.loop = region
        self._playhead.set_loop(region, on=region is not None)
        self._player.play(float(region[0]) if region is not None else 0.0)
        self._update()
        self._timer.start()
        self.changed.emit()

    @Slot()
    def stop(self) -> None:
        if self._piece is None:
            return
        self._player.pause()
        self._end()
        self._document.preview(None)  # playback restores the loop of the user
        self._player.seek(self._position)
        self._update()
        self.changed.emit()
        self.ended.emit()

    def shut_down(self) -> None:
        """Stop for good."""
        self._end()

    def _end(self) -> None:
        self._timer.stop()
        self._piece = None

    @Slot()
    def _stop_at_end(self) -> None:
        if not self._player.playing:
            self.stop()

    @Slot(object)
    def _on_shown(self, piece: Chorale | None) -> None:
        if piece is not self._piece:
            self._abandon()

    @Slot()
    def _abandon(self) -> None:
        if self._piece is not None:
            self._player.pause()
            self._end()
            self.changed.emit()
