"""The effects of all heads and voices as a grid in which heads are chosen and muted."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QHelpEvent, QKeyEvent
from PySide6.QtWidgets import QToolTip

from musicrel.chorale import Voice
from musicrel.generation.heads.mutes import WHOLE, Head, Mutes
from musicrel.presentation.ablation import effect_grid
from musicrel.presentation.ablation.head_effects import HeadEffects
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.words.palette import Theme
from musicrel.ui.attention import mute_menu
from musicrel.ui.widgets.drawing_view import DrawingView

_STEPS: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_MUTED: Final = "{words}; muted"


class EffectGridView(DrawingView):
    """The grid; a passive widget."""

    chosen = Signal(object)
    mute_toggled = Signal(object)  # a Head, or a whole layer
    cleared = Signal()  # all heads are to be unmuted
    described = Signal(str)  # the head or voice under the mouse or with the frame, in words

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._effects: HeadEffects | None = None
        self._mutes = Mutes()
        self._head: Head | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pointed.connect(self._point)
        self.clicked.connect(self._click)

    def show_effects(self, effects: HeadEffects | None, mutes: Mutes, head: Head | None) -> None:
        """Show effects with a frame around ``head``; None: nothing."""
        self._effects, self._mutes, self._head = effects, mutes, head
        framed = head if effects is not None and head is not None and _has(effects, head) else None
        self.set_draw(None if effects is None else _Grid(effects, mutes, framed).draw)

    def spoken_text(self) -> str:
        """Return the description for screen readers: the head with the frame comes first."""
        effects, head = self._effects, self._head
        if effects is None or head is None or not _has(effects, head):
            return super().spoken_text()
        return f"{self._words(effects, head)}. {effects.summary(self._mutes)}"

    def keyPressEvent(self, event: QKeyEvent) -> None:
        effects, step = self._effects, _STEPS.get(Qt.Key(event.key()))
        muted = mute_menu.head_of_key(event, self._head)
        if effects is None or (step is None and muted is None):
            super().keyPressEvent(event)
        elif muted is not None:
            self.mute_toggled.emit(muted)
        elif step is not None:
            self._move(effects, *step)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        head = self._at(event.pos().toPointF()) if by_mouse else self._head
        if not isinstance(head, Head):
            super().contextMenuEvent(event)
            return
        menu = mute_menu.mute_menu(
            self, head, self._mutes, self.mute_toggled.emit, self.cleared.emit
        )
        menu.popup(event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        by_key = event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
        )
        if self._head is None and self._effects is not None and by_key:
            self.chosen.emit(Head(0, 0))

    def event(self, event: QEvent) -> bool:
        """Show the head or voice under the mouse in words."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            words = self._describe(event.pos().toPointF())
            if words:
                QToolTip.showText(event.globalPos(), words, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    # ------------------------------------------------------------------ inside

    def _move(self, effects: HeadEffects, down: int, right: int) -> None:
        if self._head is None:
            self.chosen.emit(Head(0, 0))
            return
        layer = min(max(self._head.layer + down, 0), effects.layers - 1)
        head = min(max(self._head.head + right, 0), effects.heads - 1)
        self.chosen.emit(Head(layer, head))

    def _at(self, place: QPointF) -> Head | Voice | None:
        """Return what is at a place in pixels of the widget."""
        effects, drawing = self._effects, self.drawing
        if effects is None or drawing is None:
            return None
        places = effect_grid.layout_of(effects, drawing.width, drawing.height)
        return places.at(place.x() / self.factor, place.y() / self.factor)

    def _describe(self, place: QPointF) -> str:
        effects, found = self._effects, self._at(place)
        if effects is None or found is None:
            return ""
        if isinstance(found, Voice):
            return effects.describe_voice(found)
        return str(found) if found.head == WHOLE else self._words(effects, found)

    def _words(self, effects: HeadEffects, head: Head) -> str:
        words = effects.describe(head)
        return _MUTED.format(words=words) if head in self._mutes else words

    def _point(self, x: float, y: float) -> None:
        self.described.emit(self._describe(QPointF(x, y) * self.factor) if x >= 0 else "")

    def _click(self, x: float, y: float) -> None:
        """Choose the clicked head; a click on the name of a layer mutes it."""
        self.setFocus()
        found = self._at(QPointF(x, y) * self.factor)
        if isinstance(found, Head) and found.head == WHOLE:
            self.mute_toggled.emit(found)
        elif isinstance(found, Head):
            self.chosen.emit(found)


def _has(effects: HeadEffects, head: Head) -> bool:
    return head.layer < effects.layers and head.head < effects.heads


class _Grid(NamedTuple):
    """The effects, the muted heads and the head with a frame."""

    effects: HeadEffects
    mutes: Mutes
    head: Head | None

    def draw(self, width: int, height: int, theme: Theme) -> Drawing:
        return effect_grid.draw_chart(self.effects, self.mutes, self.head, (width, height), theme)
