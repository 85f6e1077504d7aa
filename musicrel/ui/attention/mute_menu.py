"""The menu and the keys that mute a head or its layer, for all grids of heads."""

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

Toggle = Callable[[Head], object]


def head_of_key(event: QKeyEvent, head: Head | None) -> Head | None:
    """Return the head or whole layer that a key mutes, as ``Head``; None for other keys."""
    if head is None or Qt.Key(event.key()) != Qt.Key.Key_M:
        return None
    is_layer = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    return Head(head.layer, WHOLE) if is_layer else head


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
