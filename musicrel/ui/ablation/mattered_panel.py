"""The views of one note: effects of heads, its distribution, sources and layers."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QLabel,
    QMenu,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.presentation.ablation import note_choices
from musicrel.presentation.ablation.note_choices import NoteChoices
from musicrel.presentation.ablation.note_study import NoteStudy
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.words import muted_heads
from musicrel.presentation.words.palette import Theme
from musicrel.ui.ablation.detail_views import DetailViews
from musicrel.ui.ablation.effect_grid_view import EffectGridView
from musicrel.ui.attention import mute_menu
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.drawing_view import DrawingView
from musicrel.ui.widgets.elided_label import ElidedLabel

HEADS: Final = "What each head and voice did"
CHOICES: Final = "Most probable notes"
_GRID_TIP: Final = "Effect of each head on the chosen note. {keys} Right-click for more."
_SIDE_TIP: Final = "Show the effects in {model}, and mute its heads"
_SIDE_NAME: Final = "Effects in {letter}, {model}"
_LETTER_WIDTH: Final = 32
_BY: Final = "Replace &by"
_BY_TIP: Final = (
    "Output of a head that is taken away or muted: its mean over the training pieces, or zero. "
    "The mean keeps what the head does for every note; zero removes that, too."
)
_MEAN, _ZERO = "Mean", "Zero"
_NONE_MUTED: Final = "No head is muted"
_MUTED: Final = "Muted: {heads}"
_MUTED_TIP: Final = (
    "Muted heads count for this note here, and for all notes in Generate, Rewrite, Continue and "
    "Harmonise"
)
_CLEAR: Final = "Unmute all"
_LISTEN: Final = "Listen to the &difference"
_EXPORT: Final = "Export…"
_EXPORT_TIP: Final = "Save a view as a picture (PNG, SVG) or its numbers (CSV)"


class MatteredPanel(QStackedWidget):
    """The views of one note, or a sentence in their place; a passive widget.

    Attributes:
        sides: the buttons that choose between the models A and B; hidden where there is one.
        listen: opens the choice of what is generated without and with muted heads.
        export: opens the choice of the view to be saved.
        effects_of: name of the model whose effects are shown; "" before the first.
        surprisal: of the note, without and with muted heads.
        details: sources, layers, and effects on the whole piece.
    """

    side_chosen = Signal(int)
    by_chosen = Signal(str)  # "mean" or "zero"
    described = Signal(str)  # what is under the mouse, in words

    def __init__(self) -> None:
        super().__init__()
        self.empty = QLabel()
        self.sides = QToolButton(), QToolButton()
        self.by, self.muted, self.clear = QComboBox(), ElidedLabel(), QPushButton(_CLEAR)
        self.listen, self.export = QToolButton(), QToolButton()
        self.grid, self.choices = EffectGridView(HEADS), DrawingView(CHOICES)
        self.surprisal, self.details = QLabel(), DetailViews()
        self._note, self._inside = ElidedLabel(), QWidget()
        self.effects_of = ""
        self._make()
        self._lay_out()
        self.show_muted(Mutes())
        self.grid.described.connect(self.described)
        self.details.described.connect(self.described)
        self.by.activated.connect(self._choose_by)

    # ------------------------------------------------------------------ what is shown

    def show_empty(self, sentence: str) -> None:
        """Show a sentence in place of the views."""
        self.empty.setText(sentence)
        self.setCurrentWidget(self.empty)

    def show_sides(self, models: tuple[str, str], side: int) -> None:
        """Name the models between which the user can choose.

        Args:
            models: names of A and B; B is "" without one.
        """
        for place, (button, model) in enumerate(zip(self.sides, models, strict=True)):
            button.setVisible(bool(models[1]))
            button.setChecked(place == side)
            button.setToolTip(_SIDE_TIP.format(model=model))
            button.setAccessibleName(_SIDE_NAME.format(letter="AB"[place], model=model))

    def show_note(self, study: NoteStudy, mutes: Mutes, head: Head | None) -> None:
        """Show what is known of a note.

        Args:
            head: the head with a frame; None: none.
        """
        self.setCurrentWidget(self._inside)
        self._note.setText(study.effects.of)
        self.effects_of = study.model
        self.grid.show_effects(study.effects, mutes, head)
        self.surprisal.setText(study.choices.words)
        self.choices.set_draw(partial(_draw_choices, study.choices))
        self.details.show_lens(study.lens)

    def show_muted(self, mutes: Mutes) -> None:
        """Name the muted heads."""
        heads = muted_heads.codes(mutes)
        self.muted.setText(_MUTED.format(heads=heads) if mutes else _NONE_MUTED)
        self.clear.setEnabled(bool(mutes))
        self.clear.setToolTip(_MUTED_TIP if mutes else _NONE_MUTED)
        self.by.setCurrentIndex(self.by.findData(mutes.by))

    # ------------------------------------------------------------------ inside

    def _choose_side(self, side: int, *_: object) -> None:
        self.side_chosen.emit(side)

    def _choose_by(self, row: int) -> None:
        self.by_chosen.emit(self.by.itemData(row))

    def _make(self) -> None:
        chosen = QButtonGroup(self)
        for side, button in enumerate(self.sides):
            button.setObjectName("flat")
            button.setText("AB"[side])
            button.setCheckable(True)
            button.setMinimumWidth(_LETTER_WIDTH)
            button.clicked.connect(partial(self._choose_side, side))
            chosen.addButton(button)
            button.hide()
        self.by.addItem(_MEAN, "mean")
        self.by.addItem(_ZERO, "zero")
        self.by.setToolTip(_BY_TIP)
        self.muted.setToolTip(_MUTED_TIP)
        self.grid.setToolTip(_GRID_TIP.format(keys=mute_menu.MUTE_KEYS))
        for button, text, tip in ((self.listen, _LISTEN, ""), (self.export, _EXPORT, _EXPORT_TIP)):
            button.setObjectName("menu")
            button.setText(text)
            button.setToolTip(tip)
            button.setMenu(QMenu(button))
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.empty.setObjectName("quiet")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        for label in (self._note, self.surprisal):
            stylesheet.scale_font(label, 1.0, QFont.Weight.DemiBold)

    def _lay_out(self) -> None:
        tools = layout.row(
            layout.row(*self.sides, spacing=2), (self._note, 3),
            layout.row(layout.field_label(_BY, self.by), self.by, spacing=5),
            (self.muted, 2), self.clear, self.listen, self.export, spacing=10,
        )  # fmt: skip
        columns = layout.row(
            (self.grid, 10),
            (layout.column(self.surprisal, (self.choices, 1), spacing=4), 8),
            (self.details, 10),
            spacing=20,
        )
        layout.column(tools, (columns, 1), owner=self._inside, spacing=6)
        self.addWidget(self.empty)
        self.addWidget(self._inside)


def _draw_choices(choices: NoteChoices, width: int, height: int, theme: Theme) -> Drawing:
    return note_choices.draw_chart(choices, width, height, theme)
