"""The views of a page, one visible at a time, and the buttons that choose among them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QLayout, QStackedWidget, QToolButton, QWidget

from musicrel.ui.widgets import layout


class ViewSwitch(QWidget):
    chosen = Signal(str)  # another view is visible; its name

    def __init__(self) -> None:
        super().__init__()
        self.stack = QStackedWidget()
        self.buttons: dict[str, QToolButton] = {}
        self._views: dict[str, QWidget] = {}
        self._group = QButtonGroup(self)
        self._row = layout.row(owner=self, spacing=2)
        self._row.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)

    @property
    def current(self) -> str:
        shown = self.stack.currentWidget()
        return next((name for name, view in self._views.items() if view is shown), "")

    def add(self, name: str, title: str, tip: str, view: QWidget) -> None:
        button = QToolButton()
        button.setObjectName("flat")
        button.setText(title)
        button.setToolTip(tip)
        button.setCheckable(True)
        button.setChecked(not self._views)
        self._views[name], self.buttons[name] = view, button
        self.stack.addWidget(view)
        self._group.addButton(button)
        self._row.addWidget(button)
        button.clicked.connect(lambda: self.open(name))

    def open(self, name: str) -> None:
        self.buttons[name].setChecked(True)
        self.stack.setCurrentWidget(self._views[name])
        self.chosen.emit(name)
