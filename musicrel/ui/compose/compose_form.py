"""The form of the Compose page, without logic.

``musicrel.presentation.compose.form`` makes a request of its values.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from musicrel.errors import UsageError
from musicrel.generation import quality
from musicrel.generation.phrasing import planned_phrase
from musicrel.generation.request import max_bars
from musicrel.language import tr
from musicrel.presentation.compose import form, models
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.models import ModelChoice
from musicrel.presentation.words import names
from musicrel.presentation.words.keys import with_keys
from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.ui.compose.form_fields import (
    NOT_CHOSEN,
    CadenceBox,
    Field,
    FormGrid,
    ModelBox,
    PhrasesField,
    PickupBox,
    RangesField,
    RuleBoxes,
    WordsField,
)
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.fields import (
    EntryBox,
    Fold,
    NumberField,
    QualityBox,
    SeedField,
    TemperatureField,
    TopPField,
    add_entries,
)

_FREE: Final = tr("The model’s choice")
_NO_MODEL: Final = tr("No model is installed")
_CANDIDATES: Final = tr(
    "Number of candidates to generate and rank, for new pieces and rewritten passages; their "
    "seeds follow the one above"
)
_DETAIL: Final = tr(
    "Nats per note: loss of the model on pieces it was not trained on, -ln p of all tokens "
    "divided by the number of notes; lower is better"
)
_DRAWN: Final = tr("auto")
_BARS: Final = tr("Length of the piece, including a pickup; auto: as in Bach, drawn with the seed")
_PICKUP: Final = tr("Upbeat; pieces with a pickup of one quarter end on the tonic more often")
_PHRASES: Final = tr(
    "Phrases, each ending with a fermata: as in Bach’s chorales, none, or the number of bars of "
    "each, such as 2,2,4. They are shown as brackets above the roll; drag their ends there."
)
_CADENCES: Final = tr(
    "Cadence of all phrases, including the last; click a bracket above the roll to choose it for "
    "one phrase. Candidates with more of these cadences are ranked first."
)
_BEGINS: Final = tr("Begins on")
_BEGINS_ON: Final = tr("First chord of new pieces; at normal and high quality models search for it")
_FORM: Final = tr(
    "A A B: the first phrases come twice, the second time with the same notes or another ending; "
    "as in Bach, if the bars are, too"
)
_METER: Final = tr("Beats in a bar")
_STYLE: Final = tr(
    "Whose pieces new ones sound like: Bach’s chorales, hymns, or your own pieces once a model was "
    "taught them on the Experiment page. Passages of a voice are rewritten like Bach’s."
)
_WORDS: Final = tr("New pieces get these words, with the rhythm and the phrases of their lines")
_KEY: Final = tr("Key of the piece")
_TIP: Final = tr("Models, temperature, top-p, quality, beginning, form and rules")
_TOP_P_TIP: Final = tr("Unlikely notes are left out; for new pieces")
_MODEL: Final = tr("Mode&l for writing")
_MANAGE: Final = tr("Mana&ge models…")
_MANAGE_TIP: Final = tr("Cards, import and removal of models ({key[library.models]})")
_MODEL_REWRITE: Final = tr("Model for re&writing")
# Values of fields that a model does not support.
_UNSUPPORTED: Final[Mapping[str, object]] = {
    "meter": form.METERS[0], "pickup": 0, "key": None, "phrases": (), "begins_on": "", "form": "",
}  # fmt: skip


class ComposeForm(QWidget):
    changed = Signal()
    model_chosen = Signal(str)  # the user chose a model for new pieces; its name
    rewriting_model_chosen = Signal(str)  # the user chose a model for rewriting; its name
    rules_chosen = Signal()  # the user switched a rule on or off

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choices: tuple[ModelChoice, ...] = ()
        self._muted = MutedHeads()
        self._unsupported: set[str] = set()
        self._of_piece = ""
        self._make()
        self.grid, self._more = FormGrid(), FormGrid()
        self._lay_out()
        self._connect()

    # ------------------------------------------------------------------ state

    def set_models(self, choices: Sequence[ModelChoice], chosen: str, rewriting: str = "") -> None:
        self.choices = tuple(choices)
        for box, task, name in (
            (self.model, models.WRITE, chosen),
            (self.model_rewrite, models.REWRITE, rewriting),
        ):
            box.offer(choices, models.default_for(task, choices, name))
        with QSignalBlocker(self.style_box):
            self.style_box.clear()
            add_entries(self.style_box, ((style, style) for style in models.styles(choices)))
        self._show_model()

    def set_problem(self, sentence: str) -> None:
        """Show an error below the fields of the form; "" hides it."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))

    def set_rules(self, rules: Collection[str]) -> None:
        """Switch these rules on and all others off, without ``rules_chosen``."""
        with QSignalBlocker(self):
            self.rules.set_value(rules)

    def set_form(self, values: Form) -> None:
        """Show ``values``; fields with an unknown value, such as a missing model, stay."""
        with QSignalBlocker(self):
            for name, field in self._fields.items():
                field.set_value(getattr(values, name))
            self._muted = values.muted
            self.words.set_words(values.rhythm, values.lyrics)
        self._show_reasons()
        self.changed.emit()

    def is_infill(self) -> bool:
        return any(choice.is_infill for choice in self.choices if choice.name == self.model.value())

    def form(self) -> Form:
        """Return the values; those that the model does not support have their default value."""
        rhythm, lyrics = self.words.rhythm, self.words.lyrics
        given = form.OF_WORDS if rhythm else ()
        values: dict[str, Any] = {
            name: _UNSUPPORTED[name] if name in self._unsupported.difference(given)
            else field.value()
            for name, field in self._fields.items()
        }  # fmt: skip
        return Form(muted=self._muted, rhythm=rhythm, lyrics=lyrics, **values)

    def set_piece_reason(self, reason: str) -> None:
        """Disable what only the properties of a piece change while notes are entered."""
        self._of_piece = reason
        self._show_reasons()

    # ------------------------------------------------------------------ input

    @Slot()
    def _change_meter(self) -> None:
        self.pickup.offer(self.meter.currentData())
        self.bars.setMaximum(max_bars(self.meter.currentData()))
        self.changed.emit()

    @Slot()
    def _change_model(self) -> None:
        self._show_model()
        self.changed.emit()
        self.model_chosen.emit(self.model.value())

    @Slot()
    def _change_style(self) -> None:
        self.model.set_value(models.of_style(self.style_box.value(), self.choices))

    @Slot()
    def _change_rewriting_model(self) -> None:
        self.changed.emit()
        self.rewriting_model_chosen.emit(self.model_rewrite.value())

    @Slot()
    def _show_lengths(self) -> None:
        values, lengths = self.form(), ""
        with suppress(UsageError):
            if not self.phrases.problem:
                lengths = planned_phrase.to_text(values.request().phrases or ())
        self.phrases.setText(lengths or str(self.bars.value() or form.USUAL_BARS))

    @Slot()
    def _remove_words(self) -> None:
        self.set_form(self.form().without_words())

    @Slot()
    def _drop_cadence_list(self) -> None:
        if "," in self.cadence.value():
            self.cadence.set_value("")

    # ------------------------------------------------------------------ widgets

    def _show_model(self) -> None:
        choice = next((c for c in self.choices if c.name == self.model.value()), None)
        missing = NOT_CHOSEN if self.choices else _NO_MODEL
        with QSignalBlocker(self.style_box):
            self.style_box.set_value(choice.style if choice else models.BACH)
        self.detail.setText(choice.detail if choice else missing)
        self.detail.setToolTip(_DETAIL)
        self.model.setToolTip(self.detail.text())
        self._show_reasons()

    def _show_reasons(self) -> None:
        """Show the words, and disable what they or a piece give, or a model does not know."""
        choice = next((c for c in self.choices if c.name == self.model.value()), None)
        has_words = bool(self.words.rhythm)
        self.grid.set_shown("words", shown=has_words)
        for name in (*form.NEEDS, "bars"):
            condition, reason = form.NEEDS.get(name, ("", ""))
            if not reason or choice is None or condition in choice.conditions:
                reason = ""
            (self._unsupported.add if reason else self._unsupported.discard)(name)
            if has_words and name in form.OF_WORDS:
                reason = form.GIVEN_BY_WORDS
            elif name in form.OF_PROPERTIES:
                reason = self._of_piece or reason
            if name in self.rules.boxes:
                self.rules.set_disabled_reason(name, reason)
            else:
                grid = self.grid if name in self.grid else self._more
                grid.set_disabled_reason(name, reason)

    def _make(self) -> None:
        self.bars = NumberField(form.DRAWN_BARS, max_bars(form.METERS[0]), form.DRAWN_BARS)
        self.bars.setSpecialValueText(_DRAWN)
        self.meter = EntryBox((str(meter), meter) for meter in form.METERS)
        self.key = EntryBox([(_FREE, None), *((names.key(key), key) for key in form.KEYS)])
        self.key.setMaxVisibleItems(1 + len(form.KEYS))
        self.pickup, self.phrases, self.cadence = PickupBox(), PhrasesField(), CadenceBox()
        self.ranges, self.seed = RangesField(), SeedField()
        self.begins_on, self.form_of_phrases = (
            EntryBox((title, name, tip) for name, (title, tip) in choices.items())
            for choices in (form.BEGINNINGS, form.FORMS)
        )
        self.style_box, self.words = EntryBox(), WordsField()
        self.candidates = NumberField(1, form.MAX_CANDIDATES, 1)
        self.model, self.model_rewrite, self.detail = ModelBox(), ModelBox(), QLabel()
        self.temperature, self.top_p, self.quality = TemperatureField(), TopPField(), QualityBox()
        self.rules, self.manage, self.problem = RuleBoxes(), QPushButton(_MANAGE), QLabel()
        self._fields: dict[str, Any] = {
            name: getattr(self, name)
            for name in (
                "meter", "bars", "model", "pickup", "key", "quality", "phrases", "cadence",
                "begins_on", "ranges", "temperature", "top_p", "seed", "candidates", "rules",
            )
        } | {"form": self.form_of_phrases}  # fmt: skip

    def _lay_out(self) -> None:
        grid = self.grid
        grid.add_heading(tr("Form"))
        grid.add_row(Field("style", tr("St&yle"), self.style_box, _STYLE))
        grid.add_row(Field("words", tr("Words"), self.words, _WORDS))
        grid.add_row(
            Field("bars", tr("&Bars"), self.bars, _BARS),
            Field("meter", tr("&Meter"), self.meter, _METER),
        )
        for field in (
            Field("key", tr("&Key"), self.key, _KEY),
            Field("phrases", tr("Phra&ses"), self.phrases, _PHRASES),
            Field("pickup", tr("P&ickup"), self.pickup, _PICKUP),
            Field("cadence", tr("Cade&nces"), self.cadence, _CADENCES),
            Field("ranges", tr("&Ranges"), self.ranges, ""),
        ):
            grid.add_row(field)
        grid.add_wide(self.ranges.own)
        grid.add_note(self.problem, "problem")
        self.problem.hide()
        grid.add_heading(tr("Generation"))
        grid.add_row(Field("seed", tr("See&d"), self.seed, ""))
        grid.add_row(Field("candidates", tr("C&andidates"), self.candidates, _CANDIDATES))
        self.advanced = Fold(tr("Advanced"), _TIP, self._advanced())
        layout.column(
            grid, self.advanced, owner=self, spacing=10, margins=(18, 14, 18, 10)
        )  # fmt: skip

    def _advanced(self) -> FormGrid:
        grid = self._more
        grid.add_titled(Field("model", _MODEL, self.model, ""))
        grid.add_note(self.detail, "quiet")
        grid.add_titled(Field("model_rewrite", _MODEL_REWRITE, self.model_rewrite, ""))
        self.manage.setToolTip(with_keys(_MANAGE_TIP))
        grid.add_wide(self.manage)
        grid.add_row(Field("temperature", tr("Temperat&ure"), self.temperature, ""))
        grid.add_row(Field("top_p", tr("Top-p"), self.top_p, _TOP_P_TIP))
        grid.add_row(Field("quality", tr("&Quality"), self.quality, quality.DESCRIPTION))
        grid.add_row(Field("begins_on", _BEGINS, self.begins_on, _BEGINS_ON))
        grid.add_row(Field("form", tr("Form", "music"), self.form_of_phrases, _FORM))
        grid.add_heading(tr("Rules"))
        grid.add_wide(self.rules)
        return grid

    def _connect(self) -> None:
        for signal in (self.bars.valueChanged, self.phrases.changed):
            signal.connect(self._drop_cadence_list)  # before ``changed``
        for name, field in self._fields.items():
            kinds = ("changed", "valueChanged", "currentIndexChanged")
            signal = next(getattr(field, kind) for kind in kinds if hasattr(field, kind))
            if name not in ("meter", "model"):
                signal.connect(self.changed)
        for signal, slot in (
            (self.meter.currentIndexChanged, self._change_meter),
            (self.phrases.lengths_wanted, self._show_lengths),
            (self.rules.changed, self.rules_chosen),
            (self.style_box.currentIndexChanged, self._change_style),
            (self.words.remove.clicked, self._remove_words),
            (self.model.currentIndexChanged, self._change_model),
            (self.model_rewrite.currentIndexChanged, self._change_rewriting_model),
        ):
            signal.connect(slot)
