"""Note input on the engraved score with the mouse: a click on a staff writes a note there.

The note has the duration of the cursor and the pitch of its height in the key signature. It belongs
to the voice of the cursor, on another staff to the nearest voice. A ghost shows it beforehand.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject, QPoint, Signal, Slot

from musicrel.chorale import STEPS_PER_QUARTER, Key
from musicrel.editing import degrees
from musicrel.editing.note_input import Cursor
from musicrel.presentation.score import ghost, staff_positions
from musicrel.presentation.score.score_window import Spot
from musicrel.ui.document.document import Document
from musicrel.ui.score.score_view import ScoreView


class _Target(NamedTuple):
    """The note that a click would write."""

    step: int
    degree: int
    pitch: int
    voice: int


class ScoreWriting(QObject):
    """Clicks on one score while its view has a cursor."""

    written = Signal(int, int, int)  # step, pitch and voice of a note

    def __init__(self, document: Document, view: ScoreView) -> None:
        super().__init__(view)
        self._document, self._view = document, view
        view.pointed_at.connect(self._show_ghost)
        view.clicked.connect(self._on_click)
        view.dropped.connect(self._on_drop)

    @Slot(QPoint, bool)
    def _on_click(self, place: QPoint, _extends: bool) -> None:
        spot, cursor = self._view.spot_at(place), self._view.input_cursor
        if spot is not None and cursor is not None and not self._document.unready_reason:
            target = _target(spot, cursor, self._key)
            self.written.emit(target.step, target.pitch, target.voice)

    @Slot(QPoint, QPoint, bool)
    def _on_drop(self, _start: QPoint, place: QPoint, extends: bool) -> None:
        """Write a note where the button is released: a hasty click is a short drag."""
        self._on_click(place, extends)

    @Slot(object)
    def _show_ghost(self, place: QPoint | None) -> None:
        cursor = self._view.input_cursor
        spot = self._view.spot_at(place) if place is not None else None
        if cursor is None or self._document.unready_reason:
            return
        if spot is None:
            self._view.set_ghost(None)
            return
        target = _target(spot, cursor, self._key)
        self._view.set_ghost(
            ghost.ghost(
                self._view.seen.system_of(target.step) or 0,
                spot.system,
                x=spot.system.x_at(target.step),
                voice=target.voice,
                degree=target.degree,
                pitch=target.pitch,
                key=self._key,
            )
        )

    @property
    def _key(self) -> Key | None:
        """Return the key of the piece, or of the one that the first note begins."""
        sketch, piece = self._document.sketch, self._document.piece
        if piece is None and sketch is not None:
            piece = sketch.piece
        return piece.key if piece is not None else None


def _target(spot: Spot, cursor: Cursor, key: Key | None) -> _Target:
    """Return the note at a point."""
    system, staff = spot.system, spot.staff
    here = cursor.voice in staff.voices
    return _Target(
        step=staff_positions.step_at(system, spot.x, min(cursor.duration, STEPS_PER_QUARTER)),
        degree=spot.degree,
        pitch=degrees.pitch_of(spot.degree, key),
        voice=cursor.voice if here else staff_positions.voice_at(system, spot.x, spot.y),
    )
