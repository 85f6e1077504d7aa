"""The commands that lock, rewrite, continue and harmonise, with their shortcuts."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from musicrel.chorale import Voice
from musicrel.presentation.compose import rewrite_form


class RewriteCommands(QObject):
    """The actions that change parts of a piece."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.lock = self._action("&Lock the selection", "Ctrl+K")
        self.lock.setCheckable(True)
        self.voices = tuple(self._voice(voice) for voice in Voice)
        self.first_chord = self._action("Lock the &first chord", "Ctrl+Alt+Home")
        self.last_chord = self._action("Lock the las&t chord", "Ctrl+Alt+End")
        for action in (self.first_chord, self.last_chord):
            action.setCheckable(True)
        self.unlock = self._action("&Unlock everything", "Ctrl+Shift+K")
        self.rewrite = self._action("Re&write the selection", "Ctrl+Shift+R")
        self.harmonise = self._action("&Harmonise a melody…", "Ctrl+H")
        self.draw = self._action("&Draw a melody", "Ctrl+D")
        self.draw.setCheckable(True)
        self.record = self._action("Record a &melody…", "Ctrl+Shift+P")
        self.continue_by = tuple(self._continue_by(bars) for bars in rewrite_form.MORE_BARS)
        self.next = self._action("&Next candidate", "Alt+Down")
        self.previous = self._action("&Previous candidate", "Alt+Up")
        self.accept = self._action("&Accept the candidate", "Ctrl+Return")
        self.back = self._action("&Back to the original", "Esc")
        self.back.setEnabled(False)  # the key belongs to Stop until there are candidates
        self.marks = self._action("&Mark rule violations", "Ctrl+Shift+M")
        self.marks.setCheckable(True)

    def fill_edit(self, menu: QMenu) -> None:
        """Add the commands that lock to a menu."""
        menu.addSeparator()
        menu.addAction(self.lock)
        menu.addMenu("Lock &voices").addActions(list(self.voices))
        menu.addActions([self.first_chord, self.last_chord, self.unlock])

    def fill_compose(self, menu: QMenu) -> None:
        """Add the commands that rewrite to a menu."""
        menu.addActions([self.draw, self.record, self.harmonise, self.rewrite])
        more = menu.addMenu("Con&tinue the piece")
        more.setToolTipsVisible(True)
        more.addActions(list(self.continue_by))
        menu.addActions([self.next, self.previous, self.accept, self.back])
        menu.addSeparator()

    def _continue_by(self, bars: int) -> QAction:
        usual = bars == rewrite_form.DEFAULT_BARS
        action = self._action(f"By &{bars} bars", "Ctrl+Shift+G" if usual else "")
        action.setData(bars)
        return action

    def _voice(self, voice: Voice) -> QAction:
        action = self._action(f"&{voice.title}", f"Ctrl+Alt+{voice + 1}")
        action.setCheckable(True)
        action.setData(int(voice))
        return action

    def _action(self, text: str, key: str) -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        return action
