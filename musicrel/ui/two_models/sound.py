"""The sound of the pieces of two models: one is played, the other one is ready."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.presentation.two_models import Side
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.document.document import Document
from musicrel.ui.shell.main_window import Services


class TwoModelsSound(QObject):
    changed = Signal()  # the other side is played

    def __init__(self, services: Services, other: Document, playback: PlaybackController) -> None:
        super().__init__(other)
        self._document, self._other = services.document, other
        self._playback, self._player = playback, services.player
        self.side: Side = "A"  # the piece that sounds
        self.on = False  # whether two models are compared
        self._second: Chorale | None = None
        self._ready: Chorale | None = None
        self._preparing = QTimer(self, singleShot=True, interval=0)
        self._preparing.timeout.connect(lambda: self._player.prepare(self._ready))
        self._document.screen_changed.connect(self._on_screen_changed)

    @property
    def second(self) -> Chorale | None:
        """Return the piece of B in the tempo of A; None if it cannot be played."""
        first, piece = self._document.shown, self._other.shown
        if not self.on or first is None or piece is None:
            self._second = None
        elif self._second is None or not _plays(self._second, piece, first.tempo):
            self._second = replace(piece, tempo=first.tempo)
        return self._second

    def listen(self, side: Side) -> None:
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
        self._preparing.stop()

    @Slot()
    def _on_screen_changed(self) -> None:
        if self._document.generating:  # A sounds from now on: B may be ready first
            before, self.side = self.side, "A"
            if before != "A":
                self.changed.emit()
            return
        if self._document.shown is not self._document.piece:
            self.side = "A"
        if self.on:
            self.update()
            self.changed.emit()


def _plays(playable: Chorale, piece: Chorale, tempo: float) -> bool:
    return playable.pitches is piece.pitches and playable.tempo == tempo
