"""Rows of labels and fields, of which each can be disabled with a reason."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from musicrel.ui.widgets import layout

_LABEL_WIDTH: Final = 82
_BETWEEN: Final = 8
_NARROW: Final = 54
"""Least width in pixels of a field beside another one."""
_ABOVE_HEADING: Final = 10
_ABOVE_TITLE: Final = 4


class Field(NamedTuple):
    name: str
    title: str  # of its label, with "&" before the mnemonic
    widget: QWidget
    tip: str  # its tooltip; "": the field has its own


class FormGrid(QGridLayout):
    """Two columns: labels of the same width in all forms, and fields."""

    def __init__(self) -> None:
        super().__init__()
        self._fields: dict[str, tuple[Field, QLabel]] = {}
        self.setContentsMargins(0, 0, 0, 0)
        self.setHorizontalSpacing(_BETWEEN)
        self.setVerticalSpacing(9)
        self.setColumnMinimumWidth(0, _LABEL_WIDTH)
        self.setColumnStretch(1, 1)

    def add_heading(self, text: str) -> None:
        """Add the heading of a group of rows."""
        row = self.rowCount()
        heading = layout.heading(text)
        heading.setContentsMargins(0, _ABOVE_HEADING if row > 1 else 0, 0, 0)
        self.addWidget(heading, row, 0, 1, 2)

    def add_wide(self, widget: QWidget) -> None:
        """Add a widget over both columns."""
        self.addWidget(widget, self.rowCount(), 0, 1, 2)

    def add_note(self, label: QLabel, kind: str) -> None:
        """Add a text over both columns; ``kind`` is its name in the style sheet."""
        label.setObjectName(kind)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        self.add_wide(label)

    def add_row(self, first: Field, second: Field | None = None) -> None:
        """Add a field with its label, and another one beside it."""
        row = self.rowCount()
        self.addWidget(self._label(first), row, 0)
        if second is None:
            self.addWidget(first.widget, row, 1)
            return
        first.widget.setMinimumWidth(_NARROW)
        first.widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        both = ((first.widget, 1), self._label(second), second.widget)
        self.addLayout(layout.row(*both, spacing=_BETWEEN), row, 1)

    def add_titled(self, field: Field) -> None:
        """Add a field below its label, over both columns."""
        label = self._label(field)
        label.setContentsMargins(0, _ABOVE_TITLE, 0, 0)
        self.add_wide(label)
        self.add_wide(field.widget)

    def set_disabled_reason(self, name: str, reason: str) -> None:
        """Disable a field and show ``reason`` in its tooltip; "" enables it."""
        field, label = self._fields[name]
        for part in (label, field.widget):
            part.setEnabled(not reason)
            if reason or field.tip:
                part.setToolTip(reason or field.tip)

    def _label(self, field: Field) -> QLabel:
        label = layout.field_label(field.title, field.widget)
        field.widget.setAccessibleName(field.title.replace("&", ""))
        self._fields[field.name] = (field, label)
        self.set_disabled_reason(field.name, "")
        return label
