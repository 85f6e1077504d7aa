"""The view of model B below the roll of A: a row of texts and buttons, and the roll of B."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from musicrel.ui.actions.twin_commands import TwinCommands
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.twin.difference_marks import DifferenceMarks
from musicrel.ui.twin.twin_roll import TwinRoll
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.elided_label import ElidedLabel

NAME: Final = "Piano roll of model B"
_TAKE: Final = "Take {bar}"
_FIRST_BAR: Final = "bar 1"
_MORE: Final = "More ▾"
_MORE_NAME: Final = "More about B"
_COUNTER_TIP: Final = (
    "A note agrees if the other piece has one of the same voice, beginning, length and pitch; "
    "click to move the playhead to the first difference"
)
_WITH_KEY: Final = "{tip} ({key})"
_LETTER_WIDTH: Final = 32
_SURPRISAL_TIP: Final = (
    "Surprisal of each piece under both models: -ln p of all tokens divided by the notes"
)


class TwinView(QWidget):
    """The view.

    Attributes:
        counter: how far the pieces agree.
    """

    def __init__(self, above: RollView, commands: TwinCommands) -> None:
        super().__init__()
        self._commands, self._above = commands, above
        self.counter, self.surprisal = ElidedLabel(), ElidedLabel()
        self.below = TwinRoll(above)
        self.below.roll.setAccessibleName(NAME)
        self.marks = DifferenceMarks(above, "A"), DifferenceMarks(self.below.roll, "B")
        self.take, self._more = QToolButton(), QToolButton()
        self._menu = QMenu(self)
        layout.column(self._head(), (self.below, 1), owner=self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.set_bar(_FIRST_BAR)
        self.hide()
        for roll in (above, self.below.roll):
            roll.view_changed.connect(self._share)

    @Slot()
    def _share(self) -> None:
        around = self.parentWidget()
        column = around.layout() if around is not None else None
        if self.isHidden() or not isinstance(column, QBoxLayout):
            return
        rests = [part.height() - roll.seen.height for part, roll in self._parts()]
        lanes = (self._above.height() + self.height() - sum(rests)) // 2
        for (part, _), rest in zip(self._parts(), rests, strict=True):
            column.setStretchFactor(part, lanes + rest)

    def _parts(self) -> tuple[tuple[QWidget, RollView], tuple[QWidget, RollView]]:
        return (self._above, self._above), (self, self.below.roll)

    def set_bar(self, bar: str) -> None:
        """Show the name of the bar that would be taken."""
        text = _TAKE.format(bar=bar)
        if text != self.take.text():
            self.take.setText(text)

    def set_texts(self, counter: str, surprisal: str, details: tuple[str, ...]) -> None:
        """Show the agreement and the surprisal of both pieces.

        Args:
            surprisal: in one line, or "".
        """
        if counter != self.counter.text():
            self.counter.setText(counter)
        self.surprisal.setText(surprisal)
        self.surprisal.setToolTip("\n".join((*details, _SURPRISAL_TIP)))

    def _head(self) -> QHBoxLayout:
        self.counter.setToolTip(_COUNTER_TIP)
        self.counter.set_clickable(clickable=True)
        self.counter.clicked.connect(self._commands.first.trigger)
        self.surprisal.setObjectName("quiet")
        stylesheet.scale_font(self.surprisal, 0.92)
        for label in (self.counter, self.surprisal):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        _bind(self.take, self._commands.take_bar)
        self._commands.fill_menu(self._menu)
        self._more.setText(_MORE)
        self._more.setAccessibleName(_MORE_NAME)
        self._more.setToolTip(_MORE_NAME)
        self._more.setObjectName("flat")
        self._more.clicked.connect(self._open_menu)
        close = icons.button("close", self._commands.close.toolTip())
        close.clicked.connect(self._commands.close.trigger)
        texts = layout.column(self.counter, self.surprisal, spacing=1)
        letters = map(self._letter, (self._commands.listen_a, self._commands.listen_b))
        return layout.row(
            (texts, 1), *letters, 8, self.take, self._more, close, spacing=4, margins=(18, 5, 8, 5),
        )  # fmt: skip

    def _letter(self, action: QAction) -> QToolButton:
        button = QToolButton()
        button.setText(action.shortcut().toString())
        button.setMinimumWidth(_LETTER_WIDTH)
        button.setCheckable(True)
        button.setObjectName("flat")
        _bind(button, action)
        return button

    @Slot()
    def _open_menu(self) -> None:
        self._menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))


def _bind(button: QToolButton, action: QAction) -> None:
    """Let a button with its own text trigger ``action``, with its state and tooltip."""

    def update() -> None:
        key = action.shortcut().toString()
        tip = _WITH_KEY.format(tip=action.toolTip(), key=key)
        button.setEnabled(action.isEnabled())
        button.setChecked(action.isChecked())
        button.setToolTip(tip if action.isEnabled() else action.toolTip())

    button.setAccessibleName(action.iconText())
    button.clicked.connect(action.trigger)
    action.changed.connect(update)
    update()
