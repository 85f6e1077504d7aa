"""The dialog in which words become a hymn: to a new tune, or to a bundled one of their metre."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from musicrel.chorale import Chorale
from musicrel.language import tr
from musicrel.presentation.compose import hymn_form
from musicrel.presentation.compose.hymn_form import BEGINNINGS, NEW_TUNE, HymnForm
from musicrel.score.verses import tune_rhythm
from musicrel.ui.files.dialogs import ActionDialog
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.fields import EntryBox, add_entries, enable
from musicrel.ui.widgets.words_entry import WordsEntry

_TITLE: Final = tr("A hymn from words")
_OK: Final = tr("Compose")
_INTRODUCTION: Final = tr(
    "The first verse gives the phrases and the rhythm of the melody, a note for each syllable; the "
    "others go under it. Model, key, cadences, ranges, quality, seed and candidates are those of "
    "the form, which keeps the words: Generate composes the next hymn."
)
_TUNE_TIP: Final = tr(
    "A melody by the model, or a bundled tune of the same metre, to be harmonised"
)
_NEW: Final = tr("A new one")
_METRE_TIP: Final = tr(
    "As in hymnals, such as 8.7.8.7 D or C.M.; empty: counted from the first verse"
)
_COUNTED: Final = tr("Counted from the words")
_BEGINS: Final = tr("Lines &begin")
_BEGINS_TIP: Final = tr("Whether the first note of each line comes before the bar line")
_METER: Final = tr("Ti&me signature")
_METER_TIP: Final = tr("In 3/4 stressed syllables have half notes")
_OF_THE_TUNE: Final = tr("The tune has its own rhythm")
_SIZE: Final = (860, 560)


class HymnDialog(ActionDialog):
    def __init__(
        self, form: HymnForm, disabled_reason: str = "", parent: QWidget | None = None
    ) -> None:
        """Show ``form``; nothing can be composed where there is a ``disabled_reason``."""
        super().__init__(_TITLE, _OK, parent)
        self.action_button.setObjectName("main")
        self._known, self._disabled_reason = form.known, disabled_reason
        self.tune, self.metre = EntryBox([(_NEW, NEW_TUNE)]), QLineEdit(placeholderText=_COUNTED)
        self.lines_begin = EntryBox((title, name, tip) for name, (title, tip) in BEGINNINGS.items())
        self.meter = EntryBox((str(meter), meter) for meter in tune_rhythm.METERS)
        self.words = WordsEntry(
            (
                (tr("Me&tre"), self.metre, _METRE_TIP),
                (tr("Mel&ody"), self.tune, _TUNE_TIP),
                (_BEGINS, self.lines_begin, _BEGINS_TIP),
                (_METER, self.meter, _METER_TIP),
            )
        )
        self.lay_out(layout.quiet(_INTRODUCTION), (self.words, 1))
        self.resize(*_SIZE)
        self._show_form(form)
        self._check()
        self._connect()
        self.words.text.setFocus()

    def form(self) -> HymnForm:
        return HymnForm(
            text=self.words.text.toPlainText(),
            language=self.words.language.value(),
            metre=self.metre.text(),
            lines_begin=self.lines_begin.value(),
            meter=self.meter.value(),
            known=self._known,
        )

    def melody(self) -> Chorale:
        """Return the chosen tune, or a new one of one pitch, with the words under it.

        Raises:
            UsageError: the words do not fit the metre.
        """
        form, name = self.form(), self.tune.value()
        return form.melody() if name == NEW_TUNE else form.on_tune(name)

    def _show_form(self, form: HymnForm) -> None:
        self.words.text.setPlainText(form.text)
        self.metre.setText(form.metre)
        fields = (self.words.language, form.language), (self.lines_begin, form.lines_begin)
        for box, value in (*fields, (self.meter, form.meter)):
            box.set_value(value)

    @Slot()
    def _check(self) -> None:
        form = self.form()
        fit = form.fit()
        self.words.show_fit(fit)
        self._offer(() if fit.problem else form.tunes())
        enable(self.action_button, fit.problem or self._disabled_reason)

    def _offer(self, names: tuple[str, ...]) -> None:
        chosen = self.tune.value()
        with QSignalBlocker(self.tune):
            self.tune.clear()
            tunes = ((hymn_form.title(name), name) for name in names)
            add_entries(self.tune, ((_NEW, NEW_TUNE), *tunes))
            self.tune.setCurrentIndex(max(self.tune.findData(chosen), 0))
        self._show_fields()

    @Slot()
    def _show_fields(self) -> None:
        reason = "" if self.tune.value() == NEW_TUNE else _OF_THE_TUNE
        enable(self.lines_begin, reason, _BEGINS_TIP)
        enable(self.meter, reason, _METER_TIP)

    def _connect(self) -> None:
        for signal, slot in (
            (self.words.changed, self._check),
            (self.metre.textChanged, self._check),
            (self.lines_begin.currentIndexChanged, self._check),
            (self.meter.currentIndexChanged, self._check),
            (self.tune.currentIndexChanged, self._show_fields),
            (self.buttons.accepted, self.accept),
        ):
            signal.connect(slot)
