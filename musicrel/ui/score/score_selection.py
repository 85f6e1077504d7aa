"""Selection on the engraved score with the mouse, as on the piano roll.

A click selects a note, or in an empty place the cell of the nearest voice; a double click selects
the bar, a rubber band the notes in it. Shift extends the selection. While notes are written, clicks
select nothing.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QRect, Signal, Slot
from PySide6.QtWidgets import QRubberBand

from musicrel.presentation.score import staff_positions
from musicrel.ui.score.score_view import ScoreView


class ScoreSelection(QObject):
    # a Selection, or None for nothing; True if it extends the one before
    chosen = Signal(object, bool)
    seek_requested = Signal(float)  # a step for the playhead

    def __init__(self, view: ScoreView) -> None:
        super().__init__(view)
        self._view = view
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, view.viewport())
        self._cancelled = False
        view.clicked.connect(self._on_click)
        view.double_clicked.connect(self._on_double_click)
        view.dragged.connect(self._on_drag)
        view.dropped.connect(self._on_drop)

    def cancel(self) -> bool:
        """Remove the rubber band; return False if there is none."""
        if self._band.isHidden():
            return False
        self._cancelled = True
        self._band.hide()
        return True

    @Slot(QPoint, bool)
    def _on_click(self, place: QPoint, extends: bool) -> None:
        if self._view.input_cursor is not None or self._view.pale:
            return
        spot = self._view.spot_at(place)
        if spot is not None:
            self.chosen.emit(spot.selection, extends)
            if not extends:
                self.seek_requested.emit(float(spot.step))
        elif not extends:
            self.chosen.emit(None, False)

    @Slot(QPoint)
    def _on_double_click(self, place: QPoint) -> None:
        spot = self._view.spot_at(place)
        if spot is not None and self._view.input_cursor is None:
            self.chosen.emit(spot.bar, False)

    @Slot(QPoint, QPoint)
    def _on_drag(self, start: QPoint, place: QPoint) -> None:
        if self._selects(start) and not self._cancelled:
            self._band.setGeometry(QRect(start, place).normalized())
            self._band.show()

    @Slot(QPoint, QPoint, bool)
    def _on_drop(self, start: QPoint, place: QPoint, extends: bool) -> None:
        """Select the notes in the rubber band; without any the selection is cleared."""
        self._band.hide()
        cancelled, self._cancelled = self._cancelled, False
        if self._selects(start) and not cancelled:
            heads = self._view.seen.heads_between(start.toTuple(), place.toTuple())
            self.chosen.emit(staff_positions.selection_of(heads), extends)

    def _selects(self, start: QPoint) -> bool:
        view = self._view
        return view.input_cursor is None and not view.pale and view.note_at(start) is None
