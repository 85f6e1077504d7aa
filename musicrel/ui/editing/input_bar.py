"""The bar of note input: voice, duration, dot and rest, and the keys to press."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QFrame, QSizePolicy, QToolButton, QWidget

from musicrel.chorale import Voice
from musicrel.editing.note_input import DURATION_NAMES, DURATIONS, Cursor
from musicrel.ui.widgets import icons, layout
from musicrel.ui.widgets.elided_label import ElidedLabel

NAME: Final = "Note input"
KEYS: Final = (
    "A to G write notes, 0 a rest; Ctrl+Up, Ctrl+Down: octave; Backspace removes; Esc ends"
)
KEYS_TIP: Final = (
    "A to G: a note, 0: a rest\n"
    "3 to 7: sixteenth to whole note, full stop: dotted\n"
    "Backspace: remove the note before the cursor\n"
    "Left, Right, Home, End: move the cursor; Up, Down: another voice\n"
    "Alt+Up, Alt+Down: raise or lower the last note; Ctrl+Up, Ctrl+Down: by an octave\n"
    "Click or drag on the roll: write a note; click it again: remove it\n"
    "Esc: leave note input"
)
VOICE_TIP: Final = "Write the {voice} (Up and Down change the voice)"
DURATION_TIP: Final = "{name} ({key})"
DOT_TIP: Final = "Dotted: half as long again (full stop)"
REST_TIP: Final = "Write a rest (0)"
CLOSE_TIP: Final = "Leave note input (Esc)"
_ICONS: Final[Mapping[int, str]] = MappingProxyType(
    {1: "note-16", 2: "note-8", 4: "note-4", 8: "note-2", 16: "note-1"}
)
"""Steps of a duration -> its drawing."""
_VOICE_SIZE: Final = QSize(28, 28)


class InputBar(QFrame):
    """The bar; a passive widget."""

    voice_chosen = Signal(int)
    duration_chosen = Signal(int)  # the steps of the next note, without its dot
    dot_clicked = Signal()  # the dot is to be added or removed
    rest_clicked = Signal()
    close_clicked = Signal()  # note input is to end

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("input")
        self.setAccessibleName(NAME)
        self.voices = {int(voice): self._voice_button(voice) for voice in Voice}
        self.durations = {
            steps: self._duration_button(key, steps) for key, steps in DURATIONS.items()
        }
        self.dot, self.rest = _button("dot", DOT_TIP), _button("rest", REST_TIP)
        self.dot.setCheckable(True)
        self.close_button = icons.button("close", CLOSE_TIP)
        self.keys = ElidedLabel()
        self.keys.setText(KEYS)
        self.keys.setToolTip(KEYS_TIP)
        self.keys.setObjectName("quiet")
        self.keys.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._tips = {button: button.toolTip() for button in self._buttons}
        self.dot.clicked.connect(self.dot_clicked)
        self.rest.clicked.connect(self.rest_clicked)
        self.close_button.clicked.connect(self.close_clicked)
        self._lay_out()

    def show_cursor(self, cursor: Cursor) -> None:
        """Show voice and duration of the next note."""
        self.voices[cursor.voice].setChecked(True)
        self.durations[cursor.duration].setChecked(True)
        self.dot.setChecked(cursor.dotted)

    def set_disabled_reason(self, reason: str) -> None:
        """Disable the buttons and show ``reason`` in their tooltips; "" enables them."""
        for button, tip in self._tips.items():
            button.setEnabled(not reason)
            button.setToolTip(reason or tip)

    @property
    def _buttons(self) -> tuple[QToolButton, ...]:
        return *self.voices.values(), *self.durations.values(), self.dot, self.rest

    def _voice_button(self, voice: Voice) -> QToolButton:
        button = _button("", VOICE_TIP.format(voice=voice.name.lower()))
        button.setText(voice.letter)
        button.setObjectName(f"input{int(voice)}")
        button.setCheckable(True)
        button.setFixedSize(_VOICE_SIZE)
        button.clicked.connect(lambda: self.voice_chosen.emit(int(voice)))
        return button

    def _duration_button(self, key: str, steps: int) -> QToolButton:
        name = DURATION_NAMES[steps].capitalize()
        button = _button(_ICONS[steps], DURATION_TIP.format(name=name, key=key))
        button.setCheckable(True)
        button.clicked.connect(lambda: self.duration_chosen.emit(steps))
        return button

    @Slot()
    def _lay_out(self) -> None:
        for group in (self.voices, self.durations):
            exclusive = QButtonGroup(self)
            for button in group.values():
                exclusive.addButton(button)
        layout.row(
            layout.row(*self.voices.values(), spacing=3),
            12,
            layout.row(*self.durations.values(), self.dot, spacing=1),
            12,
            self.rest,
            12,
            (self.keys, 1),
            self.close_button,
            owner=self,
            margins=(14, 3, 10, 3),
        )


def _button(icon: str, tooltip: str) -> QToolButton:
    return icons.button(icon, tooltip)
