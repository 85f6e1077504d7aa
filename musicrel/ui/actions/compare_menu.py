"""The menu of models to compare with: model B, which gets the requests that model A gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from musicrel.presentation.compose.models import ModelChoice

NOBODY: Final = "&No other model"
TIP: Final = (
    "Compare with a second model, B, which gets every request, too: same seed, form, locks and "
    "rules; its roll is below that of the first"
)
IS_FIRST: Final = "{model} is model A, the one chosen in the form: choose another one as B"
_TITLE: Final = "Compare &with"


class CompareMenu(QMenu):
    """A menu of models, of which one or none is chosen."""

    chosen = Signal(str)  # another model was chosen; its name, "" for none

    def __init__(self) -> None:
        super().__init__(_TITLE)
        self.setToolTipsVisible(True)
        self._group = QActionGroup(self)
        self._group.triggered.connect(self._on_triggered)
        self._choices: tuple[ModelChoice, ...] = ()
        self._first = ""
        self.name = ""
        """Name of the chosen model; "" for none."""
        self.offer(())

    def offer(self, choices: Sequence[ModelChoice], first: str = "") -> None:
        """Offer models; a chosen one that is no longer there is dropped."""
        if (tuple(choices), first) == (self._choices, self._first) and self._group.actions():
            return
        self._choices, self._first = tuple(choices), first
        for action in self._group.actions():
            self._group.removeAction(action)
            action.deleteLater()  # the group owns it, even now
        self.clear()
        self._add("", NOBODY, NOBODY.replace("&", ""))
        self.addSeparator()
        for choice in choices:
            self._add(choice.name, choice.title, choice.detail or choice.title)
        if self.name not in {choice.name for choice in choices}:
            self.choose("")

    def choose(self, name: str) -> None:
        """Choose a model; "": none."""
        for action in self._group.actions():
            action.setChecked(action.data() == name)
        if name != self.name:
            self.name = name
            self.chosen.emit(name)

    def _add(self, name: str, title: str, tip: str) -> None:
        action = self._group.addAction(title)
        action.setData(name)
        is_first = bool(name) and name == self._first
        action.setEnabled(not is_first)
        action.setToolTip(IS_FIRST.format(model=name) if is_first else tip)
        action.setCheckable(True)
        action.setChecked(name == self.name)
        self.addAction(action)

    def _on_triggered(self, action: QAction) -> None:
        self.choose(action.data())
