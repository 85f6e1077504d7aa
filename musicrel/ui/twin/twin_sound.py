"""The sound of two pieces: one of them is played, and the player has the other one ready."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.generation.twin.lockstep import Side
from musicrel.playback.player import Player
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.document.document import Document
from musicrel.ui.twin.other_piece import OtherPiece


class TwinSound(QObject):
    """The controller of what sounds; the playhead stays where it is.

    Attributes:
        on: False while no models are compared; then A sounds.
    """

    changed = Signal()  # the other side sounds

    def __init__(
        self,
        document: Document,
        other: OtherPiece,
        *,
        playback: PlaybackController,
        player: Player,
    ) -> None:
        super().__init__(document)
        self._document, self._other = document, other
        self._playback, self._player = playback, player
        self.side: Side = "A"
        self.on = False
        self._second: Chorale | None = None
        self._ready: Chorale | None = None
        self._preparing = QTimer(self, singleShot=True, interval=0)
        self._preparing.timeout.connect(self._prepare)
        document.shown_changed.connect(self._on_shown)

    @property
    def second(self) -> Chorale | None:
        """Return the piece of B in the tempo of A; None if it cannot be played."""
        first, piece = self._document.shown, self._other.piece
        if not self.on or first is None or piece is None:
            self._second = None
        elif self._second is None or not _plays(self._second, piece, first.tempo):
            self._second = replace(piece, tempo=first.tempo)
        return self._second

    def listen(self, side: Side) -> None:
        """Let a side sound; a player that runs changes over without a gap."""
        before, self.side = self.side, side
        self.update()
        if self.side != before:
            self.changed.emit()

    @Slot()
    def update(self) -> None:
        """Play the piece of the side, and prepare the other one; without B, that of A sounds."""
        first, second, before = self._document.shown, self.second, self.side
        if second is None:
            self.side = "A"
        wanted, ready = (second, first) if self.side == "B" else (first, second)
        changes = second is not None or before == "B"
        if changes and wanted is not None and self._playback.piece is not wanted:
            self._playback.show_piece(wanted)
        self._ready = ready if second is not None else None
        self._preparing.start()
        if self.side != before:
            self.changed.emit()

    def shut_down(self) -> None:
        """Prepare nothing more: the window closes."""
        self._preparing.stop()

    @Slot()
    def _prepare(self) -> None:
        """Prepare the other piece, in an event of its own: each takes the window some time."""
        self._player.prepare(self._ready)

    @Slot()
    def _on_shown(self) -> None:
        if self._document.shown is not self._document.piece:
            self.side = "A"
        if self.on:
            self.update()
            self.changed.emit()


def _plays(playable: Chorale, piece: Chorale, tempo: float) -> bool:
    return playable.pitches is piece.pitches and playable.tempo == tempo
