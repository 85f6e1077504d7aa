"""Shortcuts as a list: those of the menus, and the keys of views that no menu has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from musicrel.ui.actions.edit_commands import NOTE_KEYS

ROLL: Final = "Roll and score"
NOTE_INPUT: Final = "Note input"
FORM: Final = "Form"
PHRASES: Final = "Phrases above the roll"
LISTS: Final = "Candidates and takes"
KEYS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = MappingProxyType(
    {
        ROLL: (
            ("Left, Right", "Move the selection by a step"),
            ("Up, Down", "Select the voice above or below"),
            ("Shift+Left, Shift+Right", "Shorten or lengthen the selection"),
            ("Shift+Up, Shift+Down", "Add the voice above or below"),
            ("1, 2, 3, 4", "Select or deselect a voice"),
            ("Esc", "Select nothing"),
            ("+, -, 0", "Zoom in, zoom out, whole piece"),
        ),
        NOTE_INPUT: NOTE_KEYS,
        FORM: (("Esc", "Return to the sheet"),),
        PHRASES: (
            ("Left, Right", "Select a phrase"),
            ("Shift+Left, Shift+Right", "Move the end of the phrase by a bar"),
            ("Return", "Cadence and other choices"),
        ),
        LISTS: (
            ("Up, Down", "Show another candidate"),
            ("Left, Right", "Select another take"),
            ("Return", "Accept the candidate, use the take"),
        ),
    }
)
"""Group -> keys, and their effect while that view has the focus."""
_BY: Final = "By "
_WITH_CANDIDATES: Final = "{effect}, while candidates are shown"
_OF_CANDIDATES: Final = frozenset(
    {"Next candidate", "Previous candidate", "Accept the candidate", "Back to the original"}
)
"""Commands whose keys have another meaning without candidates."""
_NATIVE: Final = QKeySequence.SequenceFormat.NativeText


class Shortcut(NamedTuple):
    """A line of the list."""

    keys: str  # the keys, several alternatives separated by commas
    effect: str


def of_menus(bar: QMenuBar) -> dict[str, list[Shortcut]]:
    """Return the shortcuts of all commands in the menus of ``bar``, by title of the menu."""
    found = {}
    for entry in bar.actions():
        menu = entry.menu()
        if isinstance(menu, QMenu):
            found[_plain(menu.title())] = list(_lines(menu))
    return {title: lines for title, lines in found.items() if lines}


def of_views() -> dict[str, list[Shortcut]]:
    """Return the keys of views, by group."""
    return {title: [Shortcut(*line) for line in lines] for title, lines in KEYS.items()}


def _lines(menu: QMenu, submenu: str = "") -> Iterator[Shortcut]:
    """Yield the shortcuts of a menu; those of a submenu begin with its title."""
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from _lines(inner, _plain(inner.title()))
        elif action.shortcuts():
            keys = dict.fromkeys(key.toString(_NATIVE) for key in action.shortcuts())
            yield Shortcut(", ".join(keys), _effect(_plain(action.text()), submenu))


def _effect(text: str, submenu: str) -> str:
    """Return what a command does, without the step that Undo names at the moment."""
    text = text.partition(": ")[0]
    if text in _OF_CANDIDATES:
        return _WITH_CANDIDATES.format(effect=text)
    if submenu and text.startswith(_BY):
        return f"{submenu} {text[:1].lower()}{text[1:]}"
    return f"{submenu}: {text}" if submenu else text


def _plain(text: str) -> str:
    return text.replace("&", "").removesuffix("…")
