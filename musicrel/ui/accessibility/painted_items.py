"""Accessible interfaces of painted views: a view is a list, what it paints are its items.

Qt asks for the interface of a view once an assistive technology does; until then nothing is made.
An item is made when it is asked for, and stands for a place in the list, not for a note: it stays
valid when another piece is shown, and the number of items is that of the longest piece.

Qt owns all interfaces. It deletes that of a view with the view; the items are deleted then, too.
"""

from __future__ import annotations

from functools import partial
from typing import Final, Protocol, cast
from weakref import WeakKeyDictionary, ref

import shiboken6
from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget

PRESS: Final = "Press"
SET_FOCUS: Final = "SetFocus"
"""Names of actions that Qt gives to buttons, too; bridges to the platforms know them."""
_NOTHING: Final = cast("QAccessibleInterface", None)
"""No interface: Qt's null pointer, which the types of PySide6 leave out."""
_VIEWPORT: Final = 1
"""Children of a view before its items: the viewport, which may hold widgets."""


class PaintedItems(Protocol):
    """The items of a painted view, in the order in which they are read."""

    def count(self) -> int:
        """Return the number of items."""

    def text(self, index: int) -> str:
        """Return what an item is."""

    def explanation(self, index: int) -> str:
        """Return more about an item; "" for nothing."""

    def box(self, index: int) -> QRect:
        """Return the rectangle of an item in pixels of the viewport."""

    def is_selected(self, index: int) -> bool:
        """Return whether an item is selected."""

    def select(self, index: int) -> None:
        """Select an item."""

    def current(self) -> int | None:
        """Return the item at which the keyboard is; None for none."""


_items: WeakKeyDictionary[QAbstractScrollArea, PaintedItems] = WeakKeyDictionary()
_installed: list[bool] = []


def attach(view: QAbstractScrollArea, items: PaintedItems) -> None:
    """Let assistive technologies read ``items`` in place of the children of ``view``."""
    if not _installed:
        QAccessible.installFactory(_interface_of)
        _installed.append(True)
    before = QAccessible.uniqueId(QAccessible.queryAccessibleInterface(view))
    QAccessible.deleteAccessibleInterface(before)  # a running reader has asked while it was built
    _items[view] = items


def notify_changed(view: QAbstractScrollArea) -> None:
    """Notify assistive technologies, if there are any, that the items have changed."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleEvent(view, QAccessible.Event.ObjectReorder))


def notify_current(view: QAbstractScrollArea, index: int) -> None:
    """Notify assistive technologies, if there are any, that the keyboard is at another item."""
    if QAccessible.isActive():
        event = QAccessibleEvent(view, QAccessible.Event.Focus)
        event.setChild(index + _VIEWPORT)
        QAccessible.updateAccessibility(event)


def _interface_of(_kind: str, widget: QObject) -> QAccessibleInterface | None:
    """Return the interface of a view with items; None: Qt has one for the widget."""
    if isinstance(widget, QAbstractScrollArea) and widget in _items:
        return _View(widget)
    return None


class _View(QAccessibleWidget):
    """The interface of a view: its viewport and its items are its children."""

    def __init__(self, view: QAbstractScrollArea) -> None:
        super().__init__(view, QAccessible.Role.List)
        self.view = ref(view)
        self._made: dict[int, _Item] = {}
        view.destroyed.connect(partial(_delete, self._made))

    def childCount(self) -> int:
        return _items_of(self).count() + _VIEWPORT

    def child(self, index: int) -> QAccessibleInterface:
        """Return the viewport or an item."""
        place = index - _VIEWPORT
        if index == 0:
            return QAccessible.queryAccessibleInterface(_view_of(self).viewport())
        if not 0 <= place < _items_of(self).count():
            return _NOTHING
        if place not in self._made:
            self._made[place] = _Item(_view_of(self), place)
            QAccessible.registerAccessibleInterface(self._made[place])
        return self._made[place]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Return the index of the viewport or of an item; -1 for any other."""
        if isinstance(child, _Item):
            return child.place + _VIEWPORT if self._made.get(child.place) is child else -1
        return 0 if child.object() is _view_of(self).viewport() else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        items = _items_of(self)
        point = _view_of(self).viewport().mapFromGlobal(QPoint(x, y))
        here = (place for place in range(items.count()) if items.box(place).contains(point))
        return self.child(next(here, -_VIEWPORT) + _VIEWPORT)

    def focusChild(self) -> QAccessibleInterface:
        current = _items_of(self).current()
        if current is None or not _view_of(self).hasFocus():
            return super().focusChild()
        return self.child(current + _VIEWPORT)


class _Item(QAccessibleWidget):
    """The interface of an item: a name, a rectangle, and an action that selects it.

    Attributes:
        view: a weak reference to the view; Python keeps interfaces longer than Qt does.
    """

    def __init__(self, view: QAbstractScrollArea, place: int) -> None:
        super().__init__(view, QAccessible.Role.ListItem)
        self.view, self.place = ref(view), place

    def isValid(self) -> bool:
        view = self.view()
        return view is not None and shiboken6.isValid(view) and self.place < _items[view].count()

    def object(self) -> QObject:
        """Return nothing: the view has an interface of its own."""
        return cast("QObject", None)

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(_view_of(self))

    def childCount(self) -> int:
        return 0

    def child(self, _index: int) -> QAccessibleInterface:
        return _NOTHING

    def childAt(self, _x: int, _y: int) -> QAccessibleInterface:
        return _NOTHING

    def indexOfChild(self, _child: QAccessibleInterface) -> int:
        return -1

    def focusChild(self) -> QAccessibleInterface:
        return _NOTHING

    def text(self, kind: QAccessible.Text) -> str:
        """Return the name or the description of the item."""
        if not self.isValid():
            return ""
        if kind == QAccessible.Text.Name:
            return _items_of(self).text(self.place)
        if kind == QAccessible.Text.Description:
            return _items_of(self).explanation(self.place)
        return ""

    def rect(self) -> QRect:
        """Return the rectangle of the item on the screen."""
        if not self.isValid():
            return QRect()
        box = _items_of(self).box(self.place)
        return box.translated(_view_of(self).viewport().mapToGlobal(QPoint(0, 0)))

    def state(self) -> QAccessible.State:
        """Return whether the item is selected, at the keyboard, and visible."""
        state = QAccessible.State()
        if not self.isValid():
            state.invalid = 1
            return state
        view, items = _view_of(self), _items_of(self)
        port = view.viewport()
        state.selectable = state.focusable = 1
        chosen = items.is_selected(self.place)
        state.selected = int(chosen)
        state.focused = int(chosen and view.hasFocus() and items.current() == self.place)
        state.offscreen = int(not port.rect().intersects(items.box(self.place)))
        state.invisible = int(not port.isVisible())
        return state

    def actionNames(self) -> list[str]:
        """Return the actions: the item can be selected, with the keyboard or without."""
        return [PRESS, SET_FOCUS]

    def doAction(self, name: str) -> None:
        """Select the item; to give it the focus, move the keyboard to the view as well."""
        if name == SET_FOCUS:
            _view_of(self).setFocus(Qt.FocusReason.OtherFocusReason)
        if name in self.actionNames() and self.isValid():
            _items_of(self).select(self.place)

    def keyBindingsForAction(self, _name: str) -> list[str]:
        return []


def _view_of(interface: _View | _Item) -> QAbstractScrollArea:
    """Return the view, which outlives what Qt asks of its interfaces."""
    view = interface.view()
    assert view is not None  # noqa: S101  # Qt deletes the interfaces with the view
    return view


def _items_of(interface: _View | _Item) -> PaintedItems:
    return _items[_view_of(interface)]


def _delete(made: dict[int, _Item]) -> None:
    """Delete the interfaces of the items of a view that is gone."""
    for item in made.values():
        QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(item))
    made.clear()
