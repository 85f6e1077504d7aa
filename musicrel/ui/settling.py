"""The conductor of passes: the roll shows how the first of several versions fills and settles.

This file knows the roll and jobs; it knows nothing of how a version is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from musicrel.presentation import roll, settling
from musicrel.ui.main_window import MainWindow
from musicrel.ui.proposing import Proposing
from musicrel.ui.studio import Studio

if TYPE_CHECKING:
    from musicrel.generation.infilling import Settling as Pass

SETTLES: Final = "The roll shows how {which} settles: {share:.0%}"


class Settling(QObject):
    """Wires passes to the roll.

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
        proposing.changed.connect(self._end)

    @Slot(object)
    def _show(self, event: Pass) -> None:
        """Show the first version as it stands, once it is no longer the one before that is seen."""
        wish = self._proposing.wish
        if wish is None or not self._proposing.busy:
            return
        now = settling.sheet(wish.plan(), event.pitches[0], event.onsets[0])
        self._window.page.roll.show_roll(roll.draw(now))
        which = "the piece" if len(event.pitches) == 1 else f"the first of {len(event.pitches)}"
        share = event.done / max(event.total, 1)
        self._window.set_state(SETTLES.format(which=which, share=share))
        self._shows = True

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
