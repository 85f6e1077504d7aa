"""The accessibility tree as a screen reader walks it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface

Role = QAccessible.Role
Text = QAccessible.Text


def interface(of: QObject) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(of)


def children(of: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    for index in range(of.childCount()):
        child: QAccessibleInterface | None = of.child(index)
        if child is not None:
            yield child


def below(of: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    for child in children(of):
        if child.isValid() and not child.state().invisible:
            yield child
            yield from below(child)


def name(of: QAccessibleInterface) -> str:
    """Return the name of an interface, without the mark of its key; of a box, that of its label.

    On Linux Qt gives a combo box its value as its name, and a relation to its label.
    """
    if of.role() == Role.ComboBox:
        for label, _relation in of.relations(QAccessible.RelationFlag.Label):
            return name(label)
    return of.text(Text.Name).replace("&", "")


def names(of: QAccessibleInterface) -> list[str]:
    return [name(child) for child in children(of) if child.role() == Role.ListItem]


def find(top: QObject, title: str, role: QAccessible.Role | None = None) -> QAccessibleInterface:
    """Return the first visible interface below a window with a name, and a role if it matters.

    Raises:
        LookupError: there is none; with the names that there are.
    """
    seen = []
    for one in below(interface(top)):
        seen.append(f"{one.role().name} {name(one)}")
        if name(one) == title and role in {None, one.role()}:
            return one
    raise LookupError(f"no {title!r} among {seen}")


def press(of: QAccessibleInterface) -> None:
    action = of.actionInterface()
    assert "Press" in action.actionNames()
    action.doAction("Press")


def focus(of: QAccessibleInterface) -> None:
    of.actionInterface().doAction("SetFocus")
