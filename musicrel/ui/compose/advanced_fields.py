"""The advanced part of the Compose form, hidden until its heading is clicked."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget

from musicrel.generation import quality
from musicrel.ui.compose.form_fields import ModelBox
from musicrel.ui.compose.form_grid import Field, FormGrid
from musicrel.ui.compose.rule_boxes import RuleBoxes
from musicrel.ui.widgets import icons, layout
from musicrel.ui.widgets.fields import QualityBox, TemperatureField, TopPField

_TITLE: Final = "Advanced"
_TIP: Final = "Models, temperature, top-p, quality and rules"
_TOP_P_TIP: Final = "Unlikely notes are left out; for new pieces"
_MODEL: Final = "Mode&l for writing"
_MANAGE: Final = "Mana&ge models…"
_MANAGE_TIP: Final = "Cards, import and removal of models (Ctrl+Shift+I)"
_MODEL_REWRITE: Final = "Model for re&writing"


class AdvancedFields(QWidget):
    """Models, sampling and rules below a heading that shows and hides them."""

    changed = Signal()  # a field other than the models has changed
    opened = Signal(bool)  # the user showed the fields, True, or hid them

    def __init__(self) -> None:
        super().__init__()
        self.heading = QToolButton()
        self.model, self.model_rewrite, self.detail = ModelBox(), ModelBox(), QLabel()
        self.temperature, self.top_p, self.quality = TemperatureField(), TopPField(), QualityBox()
        self.rules, self.manage = RuleBoxes(), QPushButton(_MANAGE)
        self.grid = FormGrid()
        self._inside = QWidget()
        self._lay_out()
        self.set_open(on=False)
        self.heading.clicked.connect(self._on_clicked)
        for signal in (
            self.temperature.changed,
            self.top_p.changed,
            self.quality.currentIndexChanged,
            self.rules.changed,
        ):
            signal.connect(self.changed)

    def set_open(self, *, on: bool) -> None:
        self.heading.setChecked(on)
        self.heading.setIcon(icons.themed("fold-open" if on else "fold-closed", "quiet"))
        self._inside.setVisible(on)

    @Slot(bool)
    def _on_clicked(self, on: bool) -> None:
        self.set_open(on=on)
        self.opened.emit(on)

    def _lay_out(self) -> None:
        self.heading.setObjectName("fold")
        self.heading.setText(_TITLE)
        self.heading.setAccessibleName(_TITLE)
        self.heading.setToolTip(_TIP)
        self.heading.setCheckable(True)
        self.heading.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        grid = self.grid
        grid.add_titled(Field("model", _MODEL, self.model, ""))
        grid.add_note(self.detail, "quiet")
        grid.add_titled(Field("model_rewrite", _MODEL_REWRITE, self.model_rewrite, ""))
        self.manage.setToolTip(_MANAGE_TIP)
        grid.add_wide(self.manage)
        grid.add_row(Field("temperature", "Temperat&ure", self.temperature, ""))
        grid.add_row(Field("top_p", "Top-p", self.top_p, _TOP_P_TIP))
        grid.add_row(Field("quality", "&Quality", self.quality, quality.DESCRIPTION))
        grid.add_heading("Rules")
        grid.add_wide(self.rules)
        self._inside.setLayout(grid)
        layout.column(self.heading, self._inside, owner=self, spacing=8)
