"""The machines of a cluster, what runs on each, and what waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from musicrel.presentation.study.runner_text import NodeRow
from musicrel.ui.widgets import layout, stylesheet

_NODES: Final = "Nodes of the cluster"
_LOST: Final = "✕  "
_ALIVE: Final = "●  "


class NodeList(QFrame):
    """Two lines for each machine, and a line about the queue; a passive widget."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_NODES)
        self._rows: tuple[NodeRow, ...] = ()
        self.lines: list[QLabel] = []
        self.queue = _label("quiet")
        self._column: QVBoxLayout = layout.column(self.queue, owner=self, spacing=2)
        self.show_nodes((), "")

    def show_nodes(self, rows: Sequence[NodeRow], queue: str) -> None:
        """Show the machines and a sentence about the queue; nothing without either."""
        self.setVisible(bool(rows or queue))
        self.queue.setText(queue)
        self.queue.setVisible(bool(queue))
        if tuple(rows) == self._rows:
            return
        self._rows = tuple(rows)
        while self.lines:
            self.lines.pop().deleteLater()
        for row in rows:
            title = _label("problem" if row.lost else "")
            title.setText((_LOST if row.lost else _ALIVE) + row.title)
            stylesheet.scale_font(title, 1.0, QFont.Weight.DemiBold)
            text = _label("quiet")
            text.setText(row.text)
            text.setContentsMargins(18, 0, 0, 6)
            self.lines += [title, text]
        for place, line in enumerate(self.lines):
            self._column.insertWidget(place, line)


def _label(style: str) -> QLabel:
    label = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
    label.setObjectName(style)
    return label
