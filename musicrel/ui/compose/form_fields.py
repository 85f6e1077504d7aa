"""Fields of the Compose form: phrases, pickup and models."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QStandardItemModel, QValidator
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from musicrel.chorale import Lyric, Meter, Voice
from musicrel.errors import UsageError
from musicrel.generation.candidates import ranking
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.rules import DEFAULT, HARD_RULES
from musicrel.generation.constraints.voice_ranges import PRESETS, Ranges
from musicrel.generation.phrasing import planned_phrase
from musicrel.generation.phrasing.planned_phrase import Phrases
from musicrel.language import tr
from musicrel.model.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH
from musicrel.presentation.compose import candidate_table, form, models
from musicrel.presentation.compose.models import ModelChoice
from musicrel.presentation.words import names
from musicrel.score.verses import setting
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.fields import TEXT_MARGIN, EntryBox, add_entries, enable

AS_IN_BACH: Final = tr("As in Bach")
OWN_LENGTHS: Final = tr("Own lengths…")
NOT_CHOSEN: Final = tr("Choose a model")
MORE: Final = tr("More")
_OWN_TIP: Final = tr(
    "Bars of each phrase, such as 2,2,4; each ends with a fermata. In 2:3 it has three quarters"
)
_CHOICES: Final = (
    (AS_IN_BACH, form.AUTO, tr("Drawn from Bach’s chorales; each seed draws others")),
    (tr("None", "phrases"), "", tr("The model ends phrases where it likes")),
    (OWN_LENGTHS, None, _OWN_TIP),
)  # title, text in the form and tooltip; None: the text that is typed
_WRITTEN: Final = {title: text for title, text, _ in _CHOICES if text is not None}
_EACH: Final = tr("By phrase")
_EACH_TIP: Final = tr("As at the brackets above the roll")
_DRAWN_TIP: Final = tr("Drawn from Bach’s chorales; each seed draws others")
_TITLES: Final = {
    "range": tr("Ranges"),
    "crossing": tr("No crossing"),
    "parallels": tr("No parallels"),
    "scale": tr("Scale of the key"),
    "rests": tr("No rests"),
}
_REMOVE_WORDS: Final = tr("Remove the words: new pieces have none, and a rhythm of their own")
_HARD: Final = tr("Notes that break this rule are never generated.")
CUSTOM: Final = tr("Custom…")
_HIGHEST_PITCH: Final = 84  # highest note of a preset, above those of the models
_CUSTOM_TIP: Final = tr(
    "Lowest and highest note of each voice; models write {low} to {high}",
    low=names.pitch(LOWEST_PITCH),
    high=names.pitch(HIGHEST_PITCH),
)
_NOTE: Final = re.compile(r"(\D+)([2-6])")
_ACCIDENTALS: Final = {"": 0} | {
    sign: shift
    for shift, signs in ((1, tr("# ♯", "typed sharps")), (-1, tr("b ♭", "typed flats")))
    for sign in signs.split()
}
# a note in lower case as it may be typed -> semitones above C
_SEMITONES: Final = {
    f"{names.SHARPS[natural]}{sign}".lower(): natural + shift
    for natural in (0, 2, 4, 5, 7, 9, 11)
    for sign, shift in _ACCIDENTALS.items()
} | {name.lower(): at for table in (names.SHARPS, names.FLATS) for at, name in enumerate(table)}
_LOWEST: Final = tr("{voice}, lowest note")
_HIGHEST: Final = tr("{voice}, highest note")
_BETWEEN: Final = 8
_NARROW: Final = 57  # least width in pixels of a field beside another one
_WEIGHT_COLUMNS: Final = 2
_MAX_WEIGHT: Final = 9.99
_STEPS: Final = {"nats": 0.1, "memorised": 0.1, "cadence": 0.1, "changed": 0.1}
_RESET_TIP: Final = tr("Reset all weights to their defaults")
_SCORE_TIP: Final = tr("Score: sum of weight × measure; the lowest score is ranked first")
_WEIGHT: Final = tr("Weight of {measure}")


class PhrasesField(QComboBox):
    changed = Signal()
    lengths_wanted = Signal()  # the present phrases are to be shown as numbers

    def __init__(self) -> None:
        super().__init__()
        self._line = QLineEdit()
        self._line.setAccessibleName(tr("Phrases"))
        self.setLineEdit(self._line)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setCompleter(None)  # type: ignore[arg-type]  # None is what the Qt documentation asks for
        add_entries(self, _CHOICES)
        self._text = AS_IN_BACH
        self._value: Phrases | None = None
        self.problem = ""  # why the text cannot be read
        self.currentTextChanged.connect(self._on_text_changed)
        self.activated.connect(self._on_activated)

    def text(self) -> str:
        return _WRITTEN.get(self._text, self._text)

    def value(self) -> Phrases | None:
        self.problem = ""
        try:
            text = self.text()
            self._value = None if text.strip() == form.AUTO else planned_phrase.parse(text)
        except UsageError as reason:
            self.problem = str(reason)
        return self._value

    def set_value(self, phrases: Phrases | None) -> None:
        if phrases != self.value() or self.problem:
            self.setText(form.AUTO if phrases is None else planned_phrase.to_text(phrases))

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


class WordsField(QWidget):
    """The first line of the words that new pieces get, and a button that removes them."""

    def __init__(self) -> None:
        super().__init__()
        self.line, self.remove = ElidedLabel(), icons.button("close", _REMOVE_WORDS, 16)
        self.rhythm: tuple[int, ...] = ()
        self.lyrics: tuple[Lyric, ...] = ()
        layout.row((self.line, 1), self.remove, owner=self)

    def set_words(self, rhythm: tuple[int, ...], lyrics: tuple[Lyric, ...]) -> None:
        self.rhythm, self.lyrics = rhythm, lyrics
        self.line.setText(setting.first_words(lyrics))


class PickupBox(EntryBox):
    def __init__(self) -> None:
        super().__init__()
        self.offer(form.METERS[0])

    def offer(self, meter: Meter) -> None:
        """Offer the pickups of a meter; the first, as in Bach, replaces one that it lacks."""
        chosen = self.currentData()
        with QSignalBlocker(self):
            self.clear()
            pickups = ((title, steps) for steps, title in form.pickups(meter))
            add_entries(self, ((AS_IN_BACH, form.DRAWN), *pickups))
            self.setCurrentIndex(max(self.findData(chosen), 0))


class ModelBox(EntryBox):
    def __init__(self) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setPlaceholderText(NOT_CHOSEN)

    def offer(self, choices: Sequence[ModelChoice], chosen: str) -> None:
        with QSignalBlocker(self):
            self.clear()
            usual, more = models.arranged(choices)
            add_entries(self, ((one.title, one.name, one.detail) for one in usual))
            if usual and more:
                self._add_heading(MORE)
            add_entries(self, ((one.title, one.name, one.detail) for one in more))
            self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 24)
            self.setCurrentIndex(self.findData(chosen))
            self.setEnabled(bool(choices))

    def value(self) -> str:
        return self.currentData() or ""

    def _add_heading(self, text: str) -> None:
        """Add a row that cannot be chosen."""
        self.addItem(text)
        entries = self.model()
        if isinstance(entries, QStandardItemModel):
            entries.item(entries.rowCount() - 1).setFlags(Qt.ItemFlag.NoItemFlags)


class CadenceBox(EntryBox):
    """A combo box of cadences; it shows a list while the form has one."""

    def __init__(self) -> None:
        kinds = ((title, name, tip) for name, (title, tip) in form.CADENCES.items())
        super().__init__((*kinds, (AS_IN_BACH, form.AUTO, _DRAWN_TIP)))

    def set_value(self, value: object) -> None:
        """Show cadences as they are in the form; a list gets an entry of its own."""
        row, text = self.findText(_EACH), str(value)
        if "," in text and row < 0:
            add_entries(self, [(_EACH, text, _EACH_TIP)])
        elif "," in text:
            self.setItemData(row, text)
        with QSignalBlocker(self):
            self.setCurrentIndex(max(self.findData(text), 0))
            if "," not in text and row >= 0:
                self.removeItem(row)


class RuleBoxes(QWidget):
    changed = Signal()  # a rule was switched on or off

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes = {name: QCheckBox(_TITLES[name]) for name in HARD_RULES}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 2, 0, 2)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(8)
        for place, (name, box) in enumerate(self.boxes.items()):
            grid.addWidget(box, *divmod(place, 2))
            box.setChecked(name in DEFAULT)
            box.toggled.connect(self.changed)
        for name in self.boxes:
            self.set_disabled_reason(name, "")

    def value(self) -> tuple[str, ...]:
        return tuple(
            name for name, box in self.boxes.items() if box.isChecked() and box.isEnabled()
        )

    def set_value(self, rules: Collection[str]) -> None:
        """Switch these rules on and all others off."""
        for name, box in self.boxes.items():
            box.setChecked(name in rules)

    def set_disabled_reason(self, name: str, reason: str) -> None:
        meaning = HARD_RULES[name].meaning
        enable(self.boxes[name], reason, f"{meaning[:1].upper()}{meaning[1:]}. {_HARD}")


class PitchField(QSpinBox):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.setRange(LOWEST_PITCH, _HIGHEST_PITCH)
        self.setAccessibleName(name)
        self.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)

    def textFromValue(self, val: int) -> str:  # Qt's name
        return names.pitch(val)

    def valueFromText(self, text: str) -> int:  # Qt's name
        pitch = _pitch(text)
        return self.value() if pitch is None else pitch

    def validate(self, text: str, pos: int) -> tuple[QValidator.State, str, int]:
        state = QValidator.State.Invalid
        if _pitch(text) is not None:
            state = QValidator.State.Acceptable
        elif any(text.strip().lower() in name for name in _SEMITONES):
            state = QValidator.State.Intermediate
        return state, text, pos


def _pitch(text: str) -> int | None:
    """Return the MIDI number of a typed note, as 'F#4'; None if it is no note."""
    match = _NOTE.fullmatch(text.strip().lower())
    if match is None or match[1] not in _SEMITONES:
        return None
    return 12 * (int(match[2]) + 1) + _SEMITONES[match[1]]


class RangesField(QComboBox):
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        presets = (
            (preset.title, name, f"{preset.meaning}: {in_words(preset.ranges)}")
            for name, preset in PRESETS.items()
        )
        add_entries(self, (*presets, (CUSTOM, "", _CUSTOM_TIP)))
        self.pitches = tuple(
            (
                PitchField(_LOWEST.format(voice=voice.title)),
                PitchField(_HIGHEST.format(voice=voice.title)),
            )
            for voice in Voice
        )
        self.own = QWidget()
        self._lay_out()
        self.set_value(voice_ranges.DEFAULT)
        self.currentIndexChanged.connect(self._on_preset_chosen)
        for pair in self.pitches:
            for field in pair:
                field.valueChanged.connect(self._on_pitch_changed)

    def value(self) -> str:
        return self.currentData() or ",".join(
            f"{low.value()}-{high.value()}" for low, high in self.pitches
        )

    def set_value(self, text: str) -> None:
        """Show ranges as they are in the form; those that cannot be read are ignored."""
        try:
            ranges = voice_ranges.parse(text)
        except UsageError:
            return
        with QSignalBlocker(self):
            name = text if text in PRESETS else ""
            self.setCurrentIndex(self.findData(name))
            self._show(ranges)

    def _show(self, ranges: Ranges) -> None:
        """Show pitches in the tooltip, and in the fields, which a preset hides."""
        for (low, high), (lowest, highest) in zip(self.pitches, ranges, strict=True):
            for field, pitch in ((low, lowest), (high, highest)):
                with QSignalBlocker(field):
                    field.setRange(LOWEST_PITCH, _HIGHEST_PITCH)
                    field.setValue(pitch)
        self._limit()
        self.own.setVisible(not self.currentData())
        self.setToolTip(in_words(ranges))

    def _limit(self) -> None:
        for low, high in self.pitches:
            low.setMaximum(high.value())
            high.setMinimum(low.value())

    @Slot()
    def _on_preset_chosen(self) -> None:
        if self.currentData():
            self.set_value(self.currentData())
        self.own.setVisible(not self.currentData())
        self.changed.emit()

    @Slot()
    def _on_pitch_changed(self) -> None:
        self._limit()
        self.setToolTip(in_words(tuple((low.value(), high.value()) for low, high in self.pitches)))
        self.changed.emit()

    def _lay_out(self) -> None:
        grid = QGridLayout(self.own)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        for row, (voice, (low, high)) in enumerate(zip(Voice, self.pitches, strict=True)):
            chip = QLabel(voice.letter)
            chip.setObjectName(f"voice{int(voice)}")
            chip.setToolTip(voice.title)
            chip.setAlignment(Qt.AlignmentFlag.AlignCenter)
            chip.setFixedWidth(22)
            for column, part in enumerate((chip, low, QLabel("–"), high)):
                grid.addWidget(part, row, column)
            grid.setColumnStretch(1, 1)
            grid.setColumnStretch(3, 1)


def in_words(ranges: Ranges) -> str:
    """Return ranges as 'Soprano C4–A5, Alto G3–D5, Tenor C3–A4, Bass E2–E4'."""
    return ", ".join(
        f"{voice.title} {names.pitch(low)}–{names.pitch(high)}"
        for voice, (low, high) in zip(Voice, ranges, strict=True)
    )


class Field(NamedTuple):
    name: str
    title: str  # of its label, with "&" before the mnemonic
    widget: QWidget
    tip: str  # its tooltip; "": the field has its own


class FormGrid(QGridLayout):
    def __init__(self) -> None:
        super().__init__()
        self._fields: dict[str, tuple[Field, QLabel]] = {}
        self.setContentsMargins(0, 0, 0, 0)
        self.setHorizontalSpacing(_BETWEEN)
        self.setVerticalSpacing(9)
        self.setColumnMinimumWidth(0, 82)
        self.setColumnStretch(1, 1)

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def add_heading(self, text: str) -> None:
        row = self.rowCount()
        heading = layout.heading(text)
        heading.setContentsMargins(0, 10 if row > 1 else 0, 0, 0)
        self.addWidget(heading, row, 0, 1, 2)

    def add_wide(self, widget: QWidget) -> None:
        self.addWidget(widget, self.rowCount(), 0, 1, 2)

    def add_note(self, label: QLabel, kind: str) -> None:
        """Add a text over both columns; ``kind`` is its name in the style sheet."""
        label.setObjectName(kind)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        self.add_wide(label)

    def add_row(self, first: Field, second: Field | None = None) -> None:
        row = self.rowCount()
        self.addWidget(self._label(first), row, 0)
        if second is None:
            self.addWidget(first.widget, row, 1)
            return
        stylesheet.set_least_width(first.widget, _NARROW)
        first.widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        both = ((first.widget, 1), self._label(second), second.widget)
        self.addLayout(layout.row(*both, spacing=_BETWEEN), row, 1)

    def add_titled(self, field: Field) -> None:
        label = self._label(field)
        label.setContentsMargins(0, 4, 0, 0)
        self.add_wide(label)
        self.add_wide(field.widget)

    def set_disabled_reason(self, name: str, reason: str) -> None:
        field, label = self._fields[name]
        for part in (label, field.widget):
            part.setEnabled(not reason)
            if reason or field.tip:
                part.setToolTip(reason or field.tip)

    def set_shown(self, name: str, *, shown: bool) -> None:
        field, label = self._fields[name]
        for part in (label, field.widget):
            part.setVisible(shown)

    def _label(self, field: Field) -> QLabel:
        label = layout.field_label(field.title, field.widget)
        field.widget.setAccessibleName(field.title.replace("&", ""))
        self._fields[field.name] = (field, label)
        self.set_disabled_reason(field.name, "")
        return label


class WeightFields(QWidget):
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields = {name: QDoubleSpinBox() for name in ranking.TERMS}
        self.reset = QPushButton(tr("Reset"))
        self.reset.setObjectName("flat")
        self.reset.setToolTip(_RESET_TIP)
        self.reset.clicked.connect(self.restore_defaults)
        self._lay_out()
        self.restore_defaults()
        for field in self.fields.values():
            field.valueChanged.connect(self.changed)

    def values(self) -> dict[str, float]:
        return {term: field.value() for term, field in self.fields.items()}

    @Slot()
    def restore_defaults(self) -> None:
        for term, field in self.fields.items():
            field.setValue(ranking.TERMS[term].weight)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        title = layout.heading(tr("Weights"))
        title.setToolTip(_SCORE_TIP)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        head = layout.row((title, 1), self.reset, spacing=8)
        grid.addLayout(head, 0, 0, 1, 2 * _WEIGHT_COLUMNS)
        for place, (name, term) in enumerate(ranking.TERMS.items()):
            row, column = divmod(place, _WEIGHT_COLUMNS)
            field, label = self.fields[name], QLabel(term.title)
            field.setRange(-_MAX_WEIGHT, _MAX_WEIGHT)
            field.setSingleStep(_STEPS.get(name, 0.01))
            stylesheet.fix_width(field, 68)
            field.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)
            field.setAccessibleName(_WEIGHT.format(measure=term.title))
            label.setBuddy(field)
            for part in (label, field):
                part.setToolTip(candidate_table.weight_tip(term))
            grid.addWidget(label, row + 1, 2 * column)
            grid.addWidget(field, row + 1, 2 * column + 1)
        for column in range(_WEIGHT_COLUMNS):
            grid.setColumnStretch(2 * column, 1)
