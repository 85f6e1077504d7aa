"""The commands that edit a piece by hand.

Their keys work while the roll or the score has the focus, so that fields of text keep theirs. The
keys of note input are no commands of the menu: ``NOTE_KEYS`` describes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from musicrel.chorale import Voice

_KEYS: Final = QKeySequence.StandardKey
_TEXTS: Final[Mapping[str, tuple[str, str | QKeySequence.StandardKey]]] = MappingProxyType(
    {
        "cut": ("Cu&t", _KEYS.Cut),
        "copy": ("&Copy", _KEYS.Copy),
        "paste": ("&Paste", _KEYS.Paste),
        "duplicate": ("&Duplicate", "R"),
        "delete": ("De&lete", _KEYS.Delete),
        "select_all": ("Select &all", _KEYS.SelectAll),
        "select_bars": ("Select the &bar", "Ctrl+Shift+A"),
        "select_voice": ("Select the &voice", "Ctrl+Alt+A"),
        "semitone_up": ("&Up by a semitone", "Alt+Up"),
        "semitone_down": ("&Down by a semitone", "Alt+Down"),
        "scale_up": ("Up by a &scale step", "Alt+Shift+Up"),
        "scale_down": ("Down by a s&cale step", "Alt+Shift+Down"),
        "octave_up": ("Up by an &octave", "Ctrl+Up"),
        "octave_down": ("Down by an oc&tave", "Ctrl+Down"),
        "earlier": ("&Earlier by a sixteenth", "Alt+Left"),
        "later": ("&Later by a sixteenth", "Alt+Right"),
        "longer": ("Lon&ger by a sixteenth", "Alt+Shift+Right"),
        "shorter": ("S&horter by a sixteenth", "Alt+Shift+Left"),
        "split": ("Spl&it", "S"),
        "join": ("&Join", "J"),
        "fermata": ("&Fermata", "Ctrl+F"),
        "add_bar": ("&Add a bar at the end", "Ctrl+B"),
        "insert_bar": ("&Insert a bar here", "Ins"),
        "remove_bars": ("&Remove the bar", "Ctrl+Del"),
        "properties": ("&Properties…", "Alt+Return"),
    }
)
"""Name of a command -> its text and key."""
_TIPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "paste": "Paste at the selection or the playhead, into the selected voice",
        "duplicate": "Repeat the selected notes right after them",
        "select_bars": "Select all voices of the bars that the selection touches",
        "select_voice": "Select the selected voices from beginning to end",
        "scale_up": "Move to the next higher note of the key",
        "scale_down": "Move to the next lower note of the key",
        "split": "Split the selected notes at the playhead, or in the middle",
        "join": "Make one note of the selected notes of each voice",
        "fermata": "Put a fermata on the last selected note, or remove it",
        "insert_bar": "Insert an empty bar before the selection or the playhead",
        "remove_bars": "Remove the bars that the selection touches, with their notes",
        "properties": "Change title, composer, key, meter, pickup and tempo",
    }
)
"""Name of a command -> its effect, where its text leaves it open."""
_EVERYWHERE: Final = frozenset({"fermata", "add_bar", "properties"})
"""Commands whose keys work in the whole window."""
_TO_VOICE: Final = "Move to the &{voice}"
_NOTES: Final = "&Notes"
_PIECE: Final = "P&iece"
_SOUND: Final = "&Play edited notes"

NOTE_KEYS: Final[tuple[tuple[str, str], ...]] = (
    ("N", "Note input on or off"),
    ("A to G", "Write the note nearest to the one before"),
    ("0", "Write a rest"),
    ("3 4 5 6 7", "Sixteenth, eighth, quarter, half, whole"),
    (".", "Dotted"),
    ("Backspace", "Remove the note before the cursor"),
    ("Left, Right", "Move the cursor by a note"),
    ("Home, End", "Move the cursor to the beginning, or after the last note"),
    ("Up, Down", "Write the voice above or below"),
    ("Alt+Up, Alt+Down", "Raise or lower the note just written"),
    ("Ctrl+Up, Ctrl+Down", "The same by an octave"),
    ("Esc", "Leave note input"),
)
"""Keys of note input, and their effect."""


class EditCommands(QObject):
    """The actions that edit notes and the piece."""

    # the clipboard of the system has other contents; it outlives a window
    clipboard_changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.cut, self.copy = self._action("cut"), self._action("copy")
        self.paste, self.duplicate = self._action("paste"), self._action("duplicate")
        self.delete = self._action("delete")
        self.select_all, self.select_bars = self._action("select_all"), self._action("select_bars")
        self.select_voice = self._action("select_voice")
        self.semitone_up = self._action("semitone_up")
        self.semitone_down = self._action("semitone_down")
        self.scale_up, self.scale_down = self._action("scale_up"), self._action("scale_down")
        self.octave_up, self.octave_down = self._action("octave_up"), self._action("octave_down")
        self.earlier, self.later = self._action("earlier"), self._action("later")
        self.longer, self.shorter = self._action("longer"), self._action("shorter")
        self.split, self.join = self._action("split"), self._action("join")
        self.to_voice = tuple(self._to_voice(voice) for voice in Voice)
        self.fermata, self.add_bar = self._action("fermata"), self._action("add_bar")
        self.insert_bar, self.remove_bars = self._action("insert_bar"), self._action("remove_bars")
        self.properties = self._action("properties")
        self.sound = QAction(_SOUND, self)
        self.sound.setCheckable(True)
        self.sound.setChecked(True)

    @property
    def on_selection(self) -> tuple[QAction, ...]:
        return (
            self.cut, self.copy, self.duplicate, self.delete, self.select_bars, self.select_voice,
            self.semitone_up, self.semitone_down, self.scale_up, self.scale_down, self.octave_up,
            self.octave_down, self.earlier, self.later, self.longer, self.shorter, self.split,
            self.join, *self.to_voice, self.fermata, self.remove_bars,
        )  # fmt: skip

    @property
    def on_piece(self) -> tuple[QAction, ...]:
        return self.select_all, self.add_bar, self.insert_bar, self.properties

    @property
    def all(self) -> tuple[QAction, ...]:
        return *self.on_selection, *self.on_piece, self.paste

    def fill(self, menu: QMenu, note_input: QAction) -> None:
        menu.addSeparator()
        menu.addActions([self.cut, self.copy, self.paste, self.duplicate, self.delete])
        menu.addSeparator()
        menu.addActions([self.select_all, self.select_bars, self.select_voice])
        menu.addSeparator()
        menu.addAction(note_input)
        notes, piece = menu.addMenu(_NOTES), menu.addMenu(_PIECE)
        for part in (notes, piece):
            part.setToolTipsVisible(True)
        self._fill_notes(notes)
        notes.addSeparator()
        notes.addAction(self.sound)
        piece.addActions([self.fermata, self.add_bar, self.insert_bar, self.remove_bars])
        piece.addSeparator()
        piece.addAction(self.properties)

    def fill_context(self, menu: QMenu) -> None:
        """Add the commands used most to a context menu."""
        menu.setToolTipsVisible(True)
        menu.addActions([self.cut, self.copy, self.paste, self.duplicate, self.delete])
        menu.addSeparator()
        menu.addActions([self.split, self.join, self.fermata])
        notes = menu.addMenu(_NOTES)
        notes.setToolTipsVisible(True)
        self._fill_notes(notes)
        menu.addSeparator()
        menu.addActions([self.select_bars, self.select_voice, self.insert_bar, self.remove_bars])

    def offer_on(self, *views: QWidget) -> None:
        """Make the keys work while one of ``views`` has the focus."""
        for view in views:
            view.addActions([action for action in self.all if _needs_focus(action)])

    def _fill_notes(self, menu: QMenu) -> None:
        for group in (
            (self.semitone_up, self.semitone_down, self.scale_up, self.scale_down),
            (self.octave_up, self.octave_down),
            (self.earlier, self.later, self.longer, self.shorter),
            (self.split, self.join),
            self.to_voice,
        ):
            menu.addSeparator()
            menu.addActions(list(group))

    def _action(self, name: str) -> QAction:
        text, key = _TEXTS[name]
        action = self._with_key(text, key, everywhere=name in _EVERYWHERE)
        if name in _TIPS:
            action.setIconText(_TIPS[name])  # the tooltip of an enabled command
        return action

    def _to_voice(self, voice: Voice) -> QAction:
        text = _TO_VOICE.format(voice=voice.name.lower())
        action = self._with_key(text, f"Alt+{voice + 1}", everywhere=False)
        action.setData(int(voice))
        return action

    def _with_key(
        self, text: str, key: str | QKeySequence.StandardKey, *, everywhere: bool
    ) -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        if not everywhere:
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        return action


def _needs_focus(action: QAction) -> bool:
    return action.shortcutContext() == Qt.ShortcutContext.WidgetShortcut
