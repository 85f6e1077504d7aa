"""Fields of the Compose form: phrases, pickup and models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QLineEdit

from musicrel.chorale import Meter
from musicrel.presentation.compose import form
from musicrel.presentation.compose.models import ModelChoice

AS_IN_BACH: Final = "As in Bach"
NO_PHRASES: Final = "None"
OWN_LENGTHS: Final = "Own lengths…"
NOT_CHOSEN: Final = "Choose a model"
_POPUP_EDGES: Final = 24
_OWN_TIP: Final = (
    "Bars of each phrase, such as 2,2,4; each ends with a fermata. In 2:3 it has three quarters"
)
_CHOICES: Final = (
    (AS_IN_BACH, form.AUTO, "Drawn from Bach’s chorales; each seed draws others"),
    (NO_PHRASES, "", "The model ends phrases where it likes"),
    (OWN_LENGTHS, None, _OWN_TIP),
)
"""Title, text in the form and tooltip; None: the text that is typed."""
_WRITTEN: Final = {title: text for title, text, _ in _CHOICES if text is not None}


class PhrasesField(QComboBox):
    """A combo box for the phrases, in which lengths can be typed."""

    changed = Signal()
    lengths_wanted = Signal()  # the present phrases are to be shown as numbers

    def __init__(self) -> None:
        super().__init__()
        self._line = QLineEdit()
        self._line.setAccessibleName("Phrases")
        self.setLineEdit(self._line)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setCompleter(None)  # type: ignore[arg-type]  # None is what the Qt documentation asks for
        for row, (title, _, tip) in enumerate(_CHOICES):
            self.addItem(title)
            self.setItemData(row, tip, Qt.ItemDataRole.ToolTipRole)
        self._text = AS_IN_BACH
        self.currentTextChanged.connect(self._on_text_changed)
        self.activated.connect(self._on_activated)

    def text(self) -> str:
        """Return the phrases as in the form: "auto", "" or lengths as typed."""
        return _WRITTEN.get(self._text, self._text)

    def setText(self, text: str) -> None:  # as in QLineEdit
        titles = (title for title, written in _WRITTEN.items() if written == text.strip())
        self.setCurrentText(next(titles, text))
        self._line.setCursorPosition(0)

    @Slot(str)
    def _on_text_changed(self, text: str) -> None:
        if text != OWN_LENGTHS:
            self._text = text
            self.changed.emit()

    @Slot(int)
    def _on_activated(self, row: int) -> None:
        if self.itemText(row) == OWN_LENGTHS:
            self.lengths_wanted.emit()
            self._line.setFocus()
            self._line.selectAll()


class PickupBox(QComboBox):
    """A combo box of the pickups that a meter has."""

    def __init__(self) -> None:
        super().__init__()
        self.offer(form.METERS[0])

    def offer(self, meter: Meter) -> None:
        """Offer the pickups of a meter; the first, as in Bach, replaces one that it lacks."""
        before, chosen = self.blockSignals(True), self.currentData()
        self.clear()
        self.addItem(AS_IN_BACH, form.DRAWN)
        for steps, title in form.pickups(meter):
            self.addItem(title, steps)
        self.setCurrentIndex(max(self.findData(chosen), 0))
        self.blockSignals(before)


class ModelBox(QComboBox):
    def __init__(self) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setPlaceholderText(NOT_CHOSEN)

    def offer(self, choices: Sequence[ModelChoice], chosen: str) -> None:
        """Offer models and select ``chosen``, without a signal."""
        before = self.blockSignals(True)
        self.clear()
        for row, choice in enumerate(choices):
            self.addItem(choice.title, choice.name)
            self.setItemData(row, choice.detail, Qt.ItemDataRole.ToolTipRole)
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + _POPUP_EDGES)
        self.setCurrentIndex(self.findData(chosen))
        self.setEnabled(bool(choices))
        self.blockSignals(before)

    @property
    def name(self) -> str:
        """Return the name of the selected model; "" without one."""
        return self.currentData() or ""


def choose(box: QComboBox, value: object) -> None:
    """Select the entry whose data equal ``value``, if there is one."""
    for row in range(box.count()):
        if box.itemData(row) == value:
            box.setCurrentIndex(row)
