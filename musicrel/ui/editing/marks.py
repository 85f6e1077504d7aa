"""The dialog of key, tempo and dynamic at the selection, and of what lasts as long as it."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QWidget

from musicrel.chorale import DYNAMICS, HAIRPINS, Chorale
from musicrel.language import tr
from musicrel.presentation.compose import properties_form
from musicrel.presentation.compose.marks_form import NOT_SLOWER, MarksForm
from musicrel.presentation.words import names
from musicrel.score.editing.draft import Edit
from musicrel.score.editing.selection import Selection
from musicrel.ui.editing.edit_controller import Editor
from musicrel.ui.editing.piece_dialog import PieceDialog, PieceDialogController
from musicrel.ui.editing.properties import PER_MINUTE, UNKNOWN, NumberField
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.fields import EntryBox

_TITLE: Final = tr("Key, tempo and dynamic from {place}")
_NONE: Final = tr("None", "dynamic")
_HAIRPINS: Final = (tr("Crescendo"), tr("Diminuendo"))
_OF_TEMPO: Final = tr(" % of the tempo")
_SLOWEST: Final = 10.0
_NOTE: Final = tr(
    "The key changes at the bar line. A ritardando and a hairpin last as long as the selection; "
    "after a ritardando the tempo returns, and at 100 % there is none."
)
# label and tooltip of each entry
_ENTRIES: Final = (
    (tr("&Key"), tr("From this bar to the next change of key; the notes stay as they are")),
    (tr("&Tempo"), tr("Quarter notes a minute, 5 to 600, from here to the next change of tempo")),
    (
        tr("&Slows down to"),
        tr("What is left of the tempo at the end of the selection, 10 to 100 %"),
    ),
    (tr("&Dynamic"), tr("Of all voices, from here to the next one")),
    (tr("&Hairpin"), tr("Of all voices; it leads to the dynamic at its end")),
)


class MarksDialog(PieceDialog):
    def __init__(self, piece: Chorale, selection: Selection, parent: QWidget | None = None) -> None:
        title = _TITLE.format(place=names.position(selection.start, piece.meter, piece.pickup))
        super().__init__(title, tr("Apply"), parent)
        self._selection = selection
        self.key, self.tempo, self.percent = EntryBox(), NumberField(), NumberField()
        self.dynamic = EntryBox((name, name) for name in DYNAMICS)
        self.hairpin = EntryBox(zip((_NONE, *_HAIRPINS), ("", *HAIRPINS), strict=True))
        self._show(MarksForm.of(piece, selection))
        grid = layout.form_grid()
        fields = (self.key, self.tempo, self.percent, self.dynamic, self.hairpin)
        for (label, tip), field in zip(_ENTRIES, fields, strict=True):
            layout.add_row(grid, label, field, tip=tip)
        self.lay_out(grid, layout.quiet(_NOTE), None, spacing=14)
        stylesheet.fix_width(self, 520)

    def _show(self, form: MarksForm) -> None:
        if form.key is None:
            self.key.addItem(UNKNOWN, None)
        for name, key in properties_form.keys(form.key):
            self.key.addItem(name, key)
        self.key.set_value(form.key)
        if not form.dynamic:
            self.dynamic.insertItem(0, _NONE, "")
        self.dynamic.set_value(form.dynamic)
        self.hairpin.set_value(form.hairpin)
        self.tempo.set_up(PER_MINUTE, (5.0, 600.0), form.tempo)
        self.percent.set_up(_OF_TEMPO, (_SLOWEST, NOT_SLOWER), form.percent)

    def edit(self, piece: Chorale) -> Edit:
        form = MarksForm(
            key=self.key.value(),
            tempo=self.tempo.value(),
            percent=self.percent.value(),
            dynamic=self.dynamic.value(),
            hairpin=self.hairpin.value(),
        )
        return form.edit(piece, self._selection)


class MarksController(PieceDialogController[MarksDialog]):
    def __init__(self, services: Services, editor: Editor) -> None:
        super().__init__(services, editor, services.commands.edit.marks)

    def make(self, piece: Chorale) -> MarksDialog:
        selection = self._document.selection or Selection(voices=(0,), start=0, stop=1)
        return MarksDialog(piece, selection, self._window)
