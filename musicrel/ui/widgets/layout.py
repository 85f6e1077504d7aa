"""Parts that panels are put together from: a small heading, a row of a form, an area that scrolls.

This file knows how they look; it knows nothing of what stands in them.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QWidget

from musicrel.ui.widgets import stylesheet


def heading(text: str) -> QLabel:
    """A small heading above a group."""
    label = QLabel(text)
    label.setObjectName("heading")
    stylesheet.scaled(label, 0.92, QFont.Weight.DemiBold)
    return label


def scrolled(inside: QWidget) -> QScrollArea:
    """An area in which ``inside`` scrolls up and down."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inside)
    return area


def form() -> QGridLayout:
    """Where the rows of a dialog's form stand, labels left and fields as wide as there is room."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(9)
    grid.setColumnStretch(1, 1)
    return grid


def row(grid: QGridLayout, title: str, widget: QWidget, beside: QHBoxLayout | None = None) -> None:
    """A label with its field, and whatever stands beside the field."""
    label, place = QLabel(title), grid.rowCount()
    label.setBuddy(widget)
    widget.setAccessibleName(title.replace("&", ""))
    grid.addWidget(label, place, 0)
    if beside is not None:
        grid.addLayout(beside, place, 1)
    else:
        grid.addWidget(widget, place, 1)
