"""The conductor of the score: the piece on the sheet is engraved while somebody looks at it.

Playhead and selection are those of the roll, seen from both sides. While a model writes, the whole
bars that are there are engraved again from time to time; how often follows from how long it takes.

This file knows the window and the engraver; it knows nothing of Verovio or of ink.
"""

from __future__ import annotations

import time
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent

from musicrel.chorale import Chorale
from musicrel.jobs import Job
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.roll.selection import Selection
from musicrel.presentation.score import engraver
from musicrel.presentation.score.engraver import Engraved
from musicrel.presentation.score.score_picture import Score
from musicrel.ui.actions import commands
from musicrel.ui.controllers.compose_controller import Studio
from musicrel.ui.controllers.playback_controller import Listening
from musicrel.ui.score.engraver import Engraver, Wish
from musicrel.ui.shell.main_window import MainWindow

EMPTY: Final = ("No score yet", "Generate or open a piece, and it is engraved here.")
WAITS: Final = ("A piece is being written", "Its first bar is engraved when it is there.")
WORKS: Final = ("Engraving …", "The score is there in a moment.")
FAILED: Final = "No score"
SO_FAR: Final = "Engraving the score: {share:.0%}"
DONE: Final = "Score engraved"

_SETTLED: Final = 150
"""Milliseconds without another change of width after which a score is engraved for it."""
_LEAST_PAUSE: Final = 0.5
_PAUSES: Final = 4.0
"""Seconds between two scores of a piece that is written: at least; and relative to their making."""
_SELECTING: Final = frozenset(
    {
        Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Escape,
        Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4,
    }
)  # fmt: skip


def engrave(wish: Wish) -> Job[Engraved, Score]:
    """The job that engraves with Verovio."""
    return engraver.engrave(
        wish.piece, width=wish.width, layout=wish.layout, ended=wish.ended
    )  # fmt: skip


class Engraving(QObject):
    """Wires the engraver to the window.

    Args:
        window: with a roll, a score and a switch between them.
        studio: tells which piece is on the sheet.
        listening: takes the playhead where the user clicks.
    """

    def __init__(self, window: MainWindow, studio: Studio, listening: Listening) -> None:
        super().__init__(studio)
        self._window, self._page, self._studio = window, window.page, studio
        self._act, self._view = window.commands, window.page.score
        self._engraver = Engraver(engrave, self)
        self._piece: Chorale | None = None
        self._shown: Wish | None = None
        self._system: int | None = None
        self._next = 0.0
        self._said = False
        self._settle = QTimer(self, singleShot=True, interval=_SETTLED)
        self._growing = QTimer(self, singleShot=True)
        self._connect(listening)
        obstacle = engraver.obstacle()
        self._page.allow_score(obstacle)
        commands.allow(self._act.score, obstacle)
        self._allow_layout()
        self._view.set_hint(*EMPTY)

    @Slot()
    def shut_down(self) -> bool:
        """End what runs and wait for that; whether it has ended."""
        self._settle.stop()
        self._growing.stop()
        return self._engraver.shut_down()

    # ------------------------------------------------------------------ what is on the sheet

    @Slot()
    def _begin(self) -> None:
        """Another piece is being written: the one before it is no longer meant."""
        self._piece, self._next = None, 0.0
        self._growing.stop()
        self._clear(*WAITS)

    @Slot()
    def _wrote(self) -> None:
        """Engrave what there is soon, but not more often than it is worth."""
        if not self._growing.isActive():
            self._growing.start(round(max(self._next - time.monotonic(), 0.0) * 1000))

    @Slot()
    def _grow(self) -> None:
        """Engrave the whole bars that are there."""
        sheet, picture = self._studio.sheet, self._page.roll.picture
        if sheet is None or picture is None or not self._studio.busy or not self._looks():
            return
        whole = max((line for line in sheet.bar_line_steps() if line < picture.written), default=0)
        known = self._shown.piece.steps if self._shown is not None else 0
        if whole > known and not self._engraver.busy:
            pause = max(_LEAST_PAUSE, _PAUSES * self._engraver.seconds)
            self._next = time.monotonic() + pause
            self._engraver.want(self._wish(sheet.cropped(0, whole), ended=False))

    @Slot(object)
    def show_piece(self, piece: Chorale | None) -> None:
        """This piece is on the sheet from now on."""
        self._piece = piece
        if piece is None:
            self._clear(*EMPTY)
        else:
            self._view.set_stale(stale=True)
            self._want()

    @Slot()
    def _want(self) -> None:
        """Have the piece engraved as it is to be seen now, where somebody looks."""
        if self._piece is None or not self._looks():
            return
        wish = self._wish(self._piece, ended=True)
        if wish == self._shown and wish.piece is self._piece:
            self._view.set_stale(stale=False)
            return
        if self._shown is None:
            self._view.set_hint(*WORKS)
        self._engraver.want(wish)

    def _wish(self, piece: Chorale, *, ended: bool) -> Wish:
        width = max(round(self._view.seen.wish), engraver.LEAST_WIDTH)
        return Wish(piece, width, self._act.layout, ended)

    def _clear(self, title: str, text: str) -> None:
        self._engraver.want(None)
        self._shown = None
        self._view.set_hint(title, text)
        self._view.show_score(None)

    def _looks(self) -> bool:
        return self._page.shown is self._view and self._window.places.current == "compose"

    # ------------------------------------------------------------------ what came of it

    @Slot(object, object)
    def _grew(self, wish: Wish, engraved: Engraved) -> None:
        self._shown = wish
        self._view.show_score(engraved.score, roll.draw(wish.piece).describe)
        self._show_step(self._page.playhead.step)
        if not wish.ended:
            self._view.follow(wish.piece.steps - 1)
        if engraved.share < 1:
            self._tell(SO_FAR.format(share=engraved.share))
        elif self._said:
            self._tell(DONE)

    def _tell(self, state: str) -> None:
        """Say how far a long piece is, where nothing else is being said."""
        if not self._studio.busy:
            self._said = state != DONE
            self._window.set_state(state)

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        self._shown = None
        self._view.set_hint(FAILED, sentence[:1].upper() + sentence[1:])
        self._view.show_score(None)

    # ------------------------------------------------------------------ in step with the roll

    @Slot(object)
    def _show_step(self, step: float | None) -> None:
        """Move the playhead; turn the page where it comes to another system."""
        self._view.set_step(step)
        system = self._view.seen.system_of(step)
        if system != self._system:
            self._system = system
            if step is not None and self._act.play.follow.isChecked():
                self._view.follow(step)

    @Slot(object, bool)
    def _choose(self, note: RollNote, extends: bool) -> None:
        """Select a note on the roll too; with Shift as far as there."""
        found, before = Selection.of_note(note), self._page.selecting.selection
        self._page.selecting.select(before.joined(found) if extends and before else found)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys that select on the roll do so on the score."""
        selects = isinstance(event, QKeyEvent) and event.key() in _SELECTING
        pressed = selects and event.type() == QEvent.Type.KeyPress
        if pressed and watched is self._view and self._view.score is not None:
            return QCoreApplication.sendEvent(self._page.roll, event)
        return False

    # ------------------------------------------------------------------ the switch

    @Slot(bool)
    def _switch(self, on: bool) -> None:
        self._page.show_sheet("score" if on else "roll")
        self._allow_layout()
        self._page.shown.setFocus()
        self._want()

    @Slot()
    def _opened(self) -> None:
        """Only the place where one composes has room for the score."""
        here = self._window.places.current == "compose"
        self._page.show_sheet("score" if here and self._act.score.isChecked() else "roll")
        self._page.show_switch(on=here)
        self._want()

    def _allow_layout(self) -> None:
        on = self._act.score.isChecked()
        commands.allow(self._act.four_staves, "" if on else "Staves are those of the score")

    def _connect(self, listening: Listening) -> None:
        page, view, studio = self._page, self._view, self._studio
        self._engraver.grew.connect(self._grew)
        self._engraver.failed.connect(self._failed)
        self._settle.timeout.connect(self._want)
        self._growing.timeout.connect(self._grow)
        view.room_changed.connect(self._settle.start)
        view.sought.connect(lambda step: listening.seek(step, in_ruler=False))
        view.note_chosen.connect(self._choose)
        view.installEventFilter(self)
        page.selecting.selection_changed.connect(view.set_selection)
        page.playhead.moved.connect(self._show_step)
        page.sheet_chosen.connect(lambda name: self._act.score.setChecked(name == "score"))
        self._act.score.toggled.connect(self._switch)
        self._act.four_staves.toggled.connect(page.four_staves.setChecked)
        page.four_staves.toggled.connect(self._act.four_staves.setChecked)
        self._act.four_staves.toggled.connect(self._want)
        self._window.places.opened.connect(self._opened)
        studio.began.connect(self._begin)
        studio.wrote.connect(self._wrote)
        studio.offered.connect(self.show_piece)
