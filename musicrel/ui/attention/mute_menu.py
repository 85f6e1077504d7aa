"""The menu and the keys that mute a head or its layer and choose heads, for all grids of heads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from musicrel.generation.heads.mutes import WHOLE, Head, Mutes

MUTE_KEYS: Final = "M mutes the head, Shift+M its layer."
_MUTE: Final = "Mute {head}"
_UNMUTE: Final = "Unmute {head}"
_CLEAR: Final = "Unmute all heads"
# arrow key -> layers down and heads to the right
_STEPS: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}

Toggle = Callable[[Head], object]
Choose = Callable[[Head | None], object]


def head_of_key(event: QKeyEvent, head: Head | None) -> Head | None:
    """Return the head or whole layer that a key mutes, as ``Head``; None for other keys."""
    if head is None or Qt.Key(event.key()) != Qt.Key.Key_M:
        return None
    is_layer = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    return Head(head.layer, WHOLE) if is_layer else head


def press(
    event: QKeyEvent, head: Head | None, size: tuple[int, int], toggle: Toggle, choose: Choose,
    *, has_mean: bool = False,
) -> bool:  # fmt: skip
    """Mute a head, or choose the one beside it; return False for another key.

    Args:
        size: number of layers and of heads in each; (0, 0) where nothing is shown.
        has_mean: whether the mean of all heads, None, is above the first layer.
    """
    muted, step = head_of_key(event, head), _STEPS.get(Qt.Key(event.key()))
    if not all(size) or (muted is None and step is None):
        return False
    if muted is not None:
        toggle(muted)
    elif step is not None:
        is_first = head is None or head.layer == 0
        choose(None if has_mean and is_first and step[0] < 0 else _beside(head, step, size))
    return True


def _beside(head: Head | None, step: tuple[int, int], size: tuple[int, int]) -> Head:
    """Return the head a step away, inside the grid; the first one where none is chosen."""
    if head is None:
        return Head(0, 0)
    places = zip((head.layer, head.head), step, size, strict=True)
    return Head(*(min(max(at + by, 0), end - 1) for at, by, end in places))


def mute_menu(
    parent: QWidget, head: Head, mutes: Mutes, toggle: Toggle, clear: Callable[[], object]
) -> QMenu:
    """Return the menu of a head: mute it, mute its layer, unmute all."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    layer = Head(head.layer, WHOLE)
    for one in dict.fromkeys((head, layer)):
        text = _UNMUTE if one in mutes else _MUTE
        action = menu.addAction(text.format(head=str(one).lower()))
        action.triggered.connect(lambda _checked=False, one=one: toggle(one))
    menu.addSeparator()
    menu.addAction(_CLEAR, clear).setEnabled(bool(mutes))
    return menu
