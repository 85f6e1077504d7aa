"""Selection and playhead, which the piano roll and the engraved score share.

Arrow keys move a selection of one cell, with Shift its end; 1 to 4 toggle a voice; Escape cancels
a drag, or clears. The score scrolls to the playhead and to the selection, except where the mouse
has just put them on the score itself: what is clicked stays under the mouse.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent

from musicrel.score.editing.selection import Selection
from musicrel.ui.shell.main_window import Services

_ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_OTHER_COMMANDS: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
_VOICE_KEYS: Final = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4)


class SheetSelection(QObject):
    def __init__(self, services: Services) -> None:
        page, document = services.page, services.document
        super().__init__(document)
        self._document, self._roll, self._score = document, page.roll, page.score
        self._ranges, self._follow = page.ranges, services.commands.play.follow
        self._system: int | None = None
        self._wanted: int | None = None
        for view in (page.roll, page.score):
            view.installEventFilter(self)
            view.chosen.connect(self._choose)
        document.selection_changed.connect(self._show_selection)
        page.roll.playhead_moved.connect(self._show_step)
        page.score.score_shown.connect(self._show_on_new_score)

    @Slot(object, bool)
    def _choose(self, found: Selection | None, extends: bool) -> None:
        before = self._document.selection
        self._document.select(before.joined(found) if extends and before and found else found)

    @Slot(object)
    def _show_selection(self, selection: Selection | None) -> None:
        self._roll.set_selection(selection)
        self._score.set_selection(selection)
        self._ranges.select(selection.voices if selection is not None else ())
        self._wanted = None
        if selection is not None and not self._score.pointing:
            self._score.follow(selection.start)
            if self._score.stale:
                self._wanted = selection.start

    @Slot(object)
    def _show_step(self, step: float | None) -> None:
        self._score.set_step(step)
        system = self._score.seen.system_of(step)
        if system != self._system:
            self._system = system
            if step is not None and self._follow.isChecked() and not self._score.pointing:
                self._score.follow(step)

    @Slot()
    def _show_on_new_score(self) -> None:
        self._show_step(self._roll.step)
        score, wanted = self._score.score, self._wanted
        if score is not None and wanted is not None and wanted < score.stop:
            self._score.follow(wanted)
            self._wanted = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        view = self._score if watched is self._score else self._roll
        if event.key() == Qt.Key.Key_Escape and view.cancel_drag():
            return True
        return (view is self._roll or self._score.score is not None) and self._key(event)

    def _key(self, event: QKeyEvent) -> bool:
        picture = self._roll.picture
        if picture is None or not picture.notes or event.modifiers() & _OTHER_COMMANDS:
            return False
        key, selected = event.key(), self._document.selection
        if key in _ARROWS:
            extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._arrow(*_ARROWS[Qt.Key(key)], picture.steps, extends=extends)
        elif key in _VOICE_KEYS:
            voice = _VOICE_KEYS.index(Qt.Key(key))
            self._document.select(selected.toggled(voice) if selected else self._first(voice))
        elif key == Qt.Key.Key_Escape and selected is not None:
            self._document.select(None)
        else:
            return False
        return True

    def _arrow(self, steps: int, voices: int, length: int, *, extends: bool) -> None:
        before = self._document.selection
        if before is None:
            after = self._first(0)
        elif not extends:
            after = before.moved(steps, voices, length)
        elif steps:
            after = before.stretched(steps, length)
        else:
            after = before.joined(before.moved(0, voices, length))
        self._document.select(after)
        self._roll.follow(after.stop - 1 if extends else after.start, resume=True)

    def _first(self, voice: int) -> Selection:
        step = self._roll.seen.seen_steps.start
        return Selection(voices=(voice,), start=step, stop=step + 1)
