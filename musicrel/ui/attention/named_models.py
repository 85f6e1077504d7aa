"""The models that the page names: A, whose attention is shown, and B, which reads the piece too."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox

from musicrel.presentation.twin.partner import partner
from musicrel.ui.attention.attention_page import SECOND_TIP, AttentionPage
from musicrel.ui.document.document import Document
from musicrel.ui.jobs.generation_run import GenerationRun

MODEL_TIP: Final = (
    "Model whose attention is shown; the one that writes is chosen in Compose, under Advanced"
)
GENERATES: Final = "The model that is generating; another one can be chosen when it has finished"
NOBODY: Final = "No second model"
NO_OTHER: Final = "No other model that reads a piece as this one does is installed"


class NamedModels(QObject):
    """The choice of both models.

    A is the one that is generating; else the one chosen on the page, until a piece is generated or
    the form has another model; else that of the form. B answers the same question as A: both write
    from left to right, or both see both sides. The last choice of B wins: that on the page, or that
    of the model that writes beside A.
    """

    changed = Signal()

    def __init__(
        self, page: AttentionPage, form_box: QComboBox, document: Document, run: GenerationRun
    ) -> None:
        super().__init__(page)
        self._page, self._form_box, self._document, self._run = page, form_box, document, run
        self.second_box = page.second_model
        self._chosen, self._chosen_second, self._writes = "", "", document.form.model
        self._before = self.both
        page.model.activated.connect(self._choose)
        self.second_box.activated.connect(self._choose_second)
        document.form_changed.connect(self._on_form_changed)

    @property
    def first(self) -> str:
        """Return the name of model A; "" if none is installed."""
        if self._document.generating:
            return self._run.form.model
        is_installed = self._document.choice_of(self._chosen) is not None
        return self._chosen if is_installed else self._document.form.model

    @property
    def second(self) -> str:
        """Return the name of model B; "" for none."""
        return partner(self.first, self._chosen_second, self._document.choices)

    @property
    def both(self) -> tuple[str, str]:
        return self.first, self.second

    def forget_choice(self) -> None:
        """Name the model of the form again."""
        self._chosen = ""

    @Slot(str)
    def follow(self, name: str) -> None:
        """Choose the model that writes beside A as B; "": none."""
        self._chosen_second = name
        self.show()

    @Slot()
    def show(self) -> None:
        box, models, generating = self._page.model, self._form_box, self._document.generating
        box.setModel(models.model())
        box.setCurrentIndex(box.findData(self.first))
        box.setEnabled(models.isEnabled() and not generating)
        box.setToolTip(GENERATES if generating else MODEL_TIP)
        self._page.diagnose.setEnabled(models.isEnabled())
        self._offer_second()
        if self.both != self._before:
            self._before = self.both
            self.changed.emit()

    def _offer_second(self) -> None:
        """Fill the box of model B with the models like A."""
        box, first = self.second_box, self._document.choice_of(self.first)
        choices = [choice for choice in self._document.choices if choice != first]
        fitting = [one for one in choices if first and one.is_infill == first.is_infill]
        entries = [(NOBODY, ""), *((choice.title, choice.name) for choice in fitting)]
        if entries != [(box.itemText(row), box.itemData(row)) for row in range(box.count())]:
            box.clear()
            for row, (title, name) in enumerate(entries):
                box.addItem(title, name)
                box.setItemData(row, title, Qt.ItemDataRole.ToolTipRole)
        box.setCurrentIndex(max(box.findData(self.second), 0))
        reason = GENERATES if self._document.generating else "" if fitting else NO_OTHER
        box.setEnabled(not reason)
        box.setToolTip(reason or SECOND_TIP)

    @Slot(int)
    def _choose(self, row: int) -> None:
        """Analyse the piece with another model; the one that writes stays.

        The model that was B changes places with A: a model is not compared with itself.
        """
        first, second, chosen = *self.both, self._page.model.itemData(row)
        if second and chosen == second:
            self._chosen_second = first
        self._chosen = chosen
        self.show()

    @Slot(int)
    def _choose_second(self, row: int) -> None:
        self.follow(self.second_box.itemData(row))

    @Slot()
    def _on_form_changed(self) -> None:
        if self._writes != self._document.form.model:
            self._chosen, self._writes = "", self._document.form.model
        self.show()
