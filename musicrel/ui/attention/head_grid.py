"""Grids of the heads of a model, in which heads are chosen and muted, and the choices made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QMenu

from musicrel.figures.figure import Figure
from musicrel.generation.heads.mutes import WHOLE, Head, Mutes
from musicrel.language import tr
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets.figure_view import FigureView

_MUTE: Final = tr("Mute {head}")
_UNMUTE: Final = tr("Unmute {head}")
_CLEAR: Final = tr("Unmute all heads")
MUTE_KEYS: Final = tr("M mutes the head, Shift+M its layer.")
_SMALLEST: Final = QSize(30, 30)  # least size of a tile in pixels
# arrow key -> layers down and heads to the right
_STEPS: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class Choices(QObject):
    """Choices of the user in any view of the Attention page; a model is 0 for A or 1 for B."""

    head_chosen = Signal(int, object)  # model, and a head, or None for the mean of all
    cell_chosen = Signal(int)
    mute_toggled = Signal(int, object)  # model, and a head or a whole layer
    mutes_cleared = Signal(int)  # model of which all heads are to be unmuted


class Heads(NamedTuple):
    side: int = 0  # 0 for model A, 1 for B
    layers: int = 0
    heads: int = 0
    mutes: Mutes = Mutes()
    chosen: Head | None = None  # None: the mean, or none
    has_mean: bool = False  # whether the mean of all heads is above the first layer


class HeadGridView(FigureView):
    def __init__(self, name: str, choices: Choices) -> None:
        super().__init__(name)
        self.choices, self.heads = choices, Heads()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.chosen.connect(self._click)

    def show_heads(self, heads: Heads, make: Callable[[int, int, Theme], Figure] | None) -> None:
        self.heads = heads
        self.set_figure(make)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        rows = self.heads.layers + 1 if self.heads.has_mean else 0
        width = _SMALLEST.width() * (self.heads.heads + 1) if rows else 0
        return QSize(width, _SMALLEST.height() * rows).expandedTo(super().minimumSizeHint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shown, step = self.heads, _STEPS.get(Qt.Key(event.key()))
        muted = head_of_key(event, shown.chosen)
        if not (shown.layers and shown.heads) or (muted is None and step is None):
            super().keyPressEvent(event)
        elif muted is not None:
            self.choices.mute_toggled.emit(shown.side, muted)
        elif step is not None:
            self.choices.head_chosen.emit(shown.side, _beside(shown, step))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        hit = self.hit(event.pos().toPointF())
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        head = (hit.value if hit else None) if by_mouse else self.heads.chosen
        if isinstance(head, Head):
            self._menu(head).popup(event.globalPos())
        else:
            super().contextMenuEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        tab = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        shown = self.heads
        if event.reason() in tab and shown.layers and not (shown.chosen or shown.has_mean):
            self.choices.head_chosen.emit(shown.side, Head(0, 0))

    @Slot(object)
    def _click(self, value: object) -> None:
        self.setFocus()
        if isinstance(value, Head) and value.head == WHOLE:
            self.choices.mute_toggled.emit(self.heads.side, value)
        elif value is None or isinstance(value, Head):
            self.choices.head_chosen.emit(self.heads.side, value)

    def _menu(self, head: Head) -> QMenu:
        menu, side, mutes = QMenu(self), self.heads.side, self.heads.mutes
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for one in dict.fromkeys((head, Head(head.layer, WHOLE))):
            text = _UNMUTE if one in mutes else _MUTE
            action = menu.addAction(text.format(head=one.noun))
            action.triggered.connect(
                lambda _checked=False, one=one: self.choices.mute_toggled.emit(side, one)
            )
        menu.addSeparator()
        clear = menu.addAction(_CLEAR, lambda: self.choices.mutes_cleared.emit(side))
        clear.setEnabled(bool(mutes))
        return menu


def head_of_key(event: QKeyEvent, head: Head | None) -> Head | None:
    if head is None or Qt.Key(event.key()) != Qt.Key.Key_M:
        return None
    is_layer = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    return Head(head.layer, WHOLE) if is_layer else head


def _beside(shown: Heads, step: tuple[int, int]) -> Head | None:
    """Return the head a step away, inside the grid; the first one where none is chosen."""
    head = shown.chosen
    if shown.has_mean and step[0] < 0 and (head is None or head.layer == 0):
        return None
    if head is None:
        return Head(0, 0)
    places = zip(head, step, (shown.layers, shown.heads), strict=True)
    return Head(*(min(max(at + by, 0), end - 1) for at, by, end in places))
