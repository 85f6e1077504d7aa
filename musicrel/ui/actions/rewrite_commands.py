"""The commands that lock, rewrite, continue and harmonise, with their shortcuts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from musicrel.chorale import Voice
from musicrel.presentation.compose import rewrite_form

_TEXTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "lock": ("&Lock the selection", "Ctrl+K"),
        "first_chord": ("Lock the &first chord", "Ctrl+Alt+Home"),
        "last_chord": ("Lock the las&t chord", "Ctrl+Alt+End"),
        "unlock": ("&Unlock everything", "Ctrl+Shift+K"),
        "rewrite": ("Re&write the selection", "Ctrl+Shift+R"),
        "harmonise": ("&Harmonise a melody…", "Ctrl+H"),
        "draw": ("Note &input", "Ctrl+D"),
        "record": ("Record a &melody…", "Ctrl+Shift+P"),
        "next": ("&Next candidate", "Alt+Down"),
        "previous": ("&Previous candidate", "Alt+Up"),
        "accept": ("&Accept the candidate", "Ctrl+Return"),
        "back": ("&Back to the original", "Esc"),
        "marks": ("&Mark rule violations", "Ctrl+Shift+M"),
    }
)
"""Name of a command -> its text and key."""
_VOICES: Final = "Lock &voices"
_CONTINUE: Final = "Con&tinue the piece"
_BY_BARS: Final = "By &{bars} bars"
_CONTINUE_KEY: Final = "Ctrl+Shift+G"


class RewriteCommands(QObject):
    """The actions that change parts of a piece."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.lock = self._named("lock")
        self.lock.setCheckable(True)
        self.voices = tuple(self._voice(voice) for voice in Voice)
        self.first_chord = self._named("first_chord")
        self.last_chord = self._named("last_chord")
        for action in (self.first_chord, self.last_chord):
            action.setCheckable(True)
        self.unlock = self._named("unlock")
        self.rewrite = self._named("rewrite")
        self.harmonise = self._named("harmonise")
        self.draw = self._named("draw")
        self.draw.setCheckable(True)
        self.record = self._named("record")
        self.continue_by = tuple(self._continue_by(bars) for bars in rewrite_form.MORE_BARS)
        self.next = self._named("next")
        self.previous = self._named("previous")
        self.accept = self._named("accept")
        self.back = self._named("back")
        self.back.setEnabled(False)  # the key belongs to Stop until there are candidates
        self.marks = self._named("marks")
        self.marks.setCheckable(True)

    def fill_edit(self, menu: QMenu) -> None:
        """Add the commands that lock to a menu."""
        menu.addSeparator()
        menu.addAction(self.lock)
        menu.addMenu(_VOICES).addActions(list(self.voices))
        menu.addActions([self.first_chord, self.last_chord, self.unlock])

    def fill_compose(self, menu: QMenu) -> None:
        menu.addActions([self.record, self.harmonise, self.rewrite])
        more = menu.addMenu(_CONTINUE)
        more.setToolTipsVisible(True)
        more.addActions(list(self.continue_by))
        menu.addActions([self.next, self.previous, self.accept, self.back])
        menu.addSeparator()

    def _continue_by(self, bars: int) -> QAction:
        usual = bars == rewrite_form.DEFAULT_BARS
        action = self._action(_BY_BARS.format(bars=bars), _CONTINUE_KEY if usual else "")
        action.setData(bars)
        return action

    def _voice(self, voice: Voice) -> QAction:
        action = self._action(f"&{voice.title}", f"Ctrl+Alt+{voice + 1}")
        action.setCheckable(True)
        action.setData(int(voice))
        return action

    def _named(self, name: str) -> QAction:
        return self._action(*_TEXTS[name])

    def _action(self, text: str, key: str) -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        return action
