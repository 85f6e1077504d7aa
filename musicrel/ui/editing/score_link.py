"""Playhead, selection and keys, which the engraved score shares with the piano roll."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent

from musicrel.editing.selection import Selection
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.document.document import Document
from musicrel.ui.score.score_selection import ScoreSelection

_OWN_KEYS: Final = frozenset(
    {
        Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
        Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus, Qt.Key.Key_0,
    }
)  # fmt: skip
"""Keys that scroll and zoom the score; all others mean what they mean on the roll."""


class ScoreLink(QObject):
    """The connection between score and roll.

    The score scrolls to the playhead and to the selection, except where the mouse has just put them
    on the score itself: what is clicked stays under the mouse.
    """

    def __init__(
        self,
        document: Document,
        page: ComposePage,
        *,
        follow: QAction,
        seek: Callable[[float], object],
    ) -> None:
        super().__init__(page.score)
        self._document, self._view, self._roll = document, page.score, page.roll
        self._playhead, self._follow, self._seek = page.playhead, follow, seek
        self._selecting = ScoreSelection(page.score)
        self._system: int | None = None
        self._wanted: int | None = None
        self._pointing = False
        self._view.installEventFilter(self)
        self._selecting.chosen.connect(self._choose)
        self._selecting.seek_requested.connect(self._seek_clicked)
        document.selection_changed.connect(self._show_selection)
        page.playhead.playhead_moved.connect(self._show_step)

    def show_on_new_score(self) -> None:
        """Show the playhead, and the selection if it may only be in the new score."""
        self._show_step(self._playhead.step)
        score, wanted = self._view.score, self._wanted
        if score is not None and wanted is not None and wanted < score.systems[-1].stop:
            self._view.follow(wanted)
            self._wanted = None

    @Slot(object)
    def _show_step(self, step: float | None) -> None:
        self._view.set_step(step)
        system = self._view.seen.system_of(step)
        if system != self._system:
            self._system = system
            if step is not None and self._follow.isChecked() and not self._pointing:
                self._view.follow(step)

    @Slot(object)
    def _show_selection(self, selection: Selection | None) -> None:
        self._view.set_selection(selection)
        self._wanted = None
        pointing = self._pointing or self._view.ghost is not None
        if selection is not None and not pointing:
            self._view.follow(selection.start)
            if self._view.stale:
                self._wanted = selection.start

    @Slot(object, bool)
    def _choose(self, found: Selection | None, extends: bool) -> None:
        """Select what the mouse points at; Shift extends the selection to it."""
        before = self._document.selection
        self._pointing = True
        self._document.select(before.joined(found) if extends and before and found else found)
        self._pointing = False

    @Slot(float)
    def _seek_clicked(self, step: float) -> None:
        self._pointing = True
        self._seek(step)
        self._pointing = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass keys from the score to the roll, so that one piece of code serves both."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if watched is not self._view or self._view.score is None:
            return False
        if event.key() == Qt.Key.Key_Escape and self._selecting.cancel():
            return True
        if self._view.input_cursor is not None:
            self._view.set_ghost(None)
        return self._means_the_roll(event) and QCoreApplication.sendEvent(self._roll, event)

    def _means_the_roll(self, event: QKeyEvent) -> bool:
        """Return False for keys that scroll and zoom the score, or cancel a drag on it."""
        if event.key() == Qt.Key.Key_Escape and self._view.ghost is not None:
            return False
        return event.key() not in _OWN_KEYS or self._view.input_cursor is not None
