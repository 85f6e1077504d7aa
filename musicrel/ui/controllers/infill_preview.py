"""The conductor of passes: the roll shows how the first of several versions fills and settles.

This file knows the roll and jobs; it knows nothing of how a version is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from musicrel.presentation.roll import infill_snapshot, roll
from musicrel.ui.controllers.candidates_controller import Proposing
from musicrel.ui.controllers.compose_controller import Studio
from musicrel.ui.shell.main_window import MainWindow

if TYPE_CHECKING:
    from musicrel.generation.infill.infill_generator import Settling as Pass

SETTLES: Final = "The roll shows how {which} settles: {share:.0%}"
FIRST: Final = "The first of {count} is written: choose it to hear it while others are on their way"


class Settling(QObject):
    """Wires passes to the roll, until the first version is there or the user chooses what is seen.

    Args:
        window: with the roll.
        studio: has what is seen when nothing settles.
        proposing: tells of passes.
    """

    def __init__(self, window: MainWindow, studio: Studio, proposing: Proposing) -> None:
        super().__init__(studio)
        self._window, self._studio, self._proposing = window, studio, proposing
        self._shows = False
        proposing.versions.settled.connect(self._show)
        proposing.versions.grew.connect(self._stay)
        proposing.shown.connect(self._leave)
        proposing.changed.connect(self._end)

    @Slot(object)
    def _show(self, event: Pass) -> None:
        """Show the first version as it stands, once it is no longer the one before that is seen."""
        wish = self._proposing.wish
        if wish is None or not self._proposing.busy:
            return
        now = infill_snapshot.sheet(wish.plan(), event.pitches[0], event.onsets[0])
        self._window.page.roll.show_roll(roll.draw(now))
        which = "the piece" if wish.count == 1 else f"the first of {wish.count}"
        parts = wish.count / len(event.pitches)  # that are written one after the other
        share = parts * event.done / max(event.total, 1)
        self._window.set_state(SETTLES.format(which=which, share=share))
        self._shows = True

    @Slot()
    def _stay(self) -> None:
        """Show the first version as it is in the end, while the others are written."""
        versions, wish = self._proposing.versions, self._proposing.wish
        first = next((one for one in versions.found if one.seed is not None), None)
        if not self._shows or first is None or wish is None:
            return
        self._window.page.roll.show_roll(roll.draw(first.chorale))
        if versions.made < wish.count:
            self._window.set_state(FIRST.format(count=wish.count))

    @Slot()
    def _leave(self) -> None:
        """Something else is seen from now on."""
        self._shows = False

    @Slot()
    def _end(self) -> None:
        """Show what is on the sheet again when nothing is written any more."""
        if not self._shows or self._proposing.busy:
            return
        self._shows = False
        piece = self._studio.piece
        if piece is None:
            self._studio.look_at_form()
        else:
            self._window.page.roll.show_roll(roll.draw(piece))
