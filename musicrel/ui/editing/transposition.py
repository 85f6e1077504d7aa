"""The dialog that transposes the whole piece, by an interval or to fit the voices."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPushButton, QWidget

from musicrel.analysis.rules import requested_ranges
from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.language import count, tr
from musicrel.presentation.words import names
from musicrel.score.editing.draft import Edit
from musicrel.score.editing.piece_edits import fitting_shift, outside, transposed_by
from musicrel.ui.editing.edit_controller import Editor
from musicrel.ui.editing.piece_dialog import PieceDialog, PieceDialogController
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.fields import EntryBox, enable

_TITLE: Final = tr("Transpose the piece")
_INTERVALS: Final = (
    tr("a semitone"), tr("a whole tone"), tr("a minor third"), tr("a major third"),
    tr("a fourth"), tr("a tritone"), tr("a fifth"), tr("a minor sixth"), tr("a major sixth"),
    tr("a minor seventh"), tr("a major seventh"), tr("an octave"),
)  # fmt: skip
_UP, _DOWN = tr("Up {interval}"), tr("Down {interval}")
_USUAL: Final = -2  # semitones that are offered first: choirs ask for a lower key most
_FIT: Final = tr("&Fit the voices")
_FIT_TIP: Final = tr(
    "Choose the interval that leaves the fewest notes outside the ranges of the voices"
)
ALREADY_FITS: Final = tr("No other interval leaves fewer notes outside the ranges of the voices")
ALL_FIT: Final = tr("All notes are within the ranges of their voices.")
SOME_OUTSIDE: Final = tr("Outside their ranges: {counts}.")
TO_KEY: Final = tr("{interval}, to {key}")


class TranspositionDialog(PieceDialog):
    def __init__(self, piece: Chorale, parent: QWidget | None = None) -> None:
        super().__init__(_TITLE, tr("&Transpose"), parent)
        self._piece, self._ranges = piece, requested_ranges(piece)
        self._fitting = fitting_shift(piece, self._ranges)
        self.interval, self.fit = EntryBox(), QPushButton(_FIT)
        self.note = layout.quiet("")
        for shift in (*range(12, 0, -1), *range(-1, -13, -1)):
            self.interval.addItem(_named(piece, shift), shift)
        enable(self.fit, "" if self._fitting else ALREADY_FITS, _FIT_TIP)
        grid = layout.form_grid()
        entry = layout.row((self.interval, 1), self.fit, spacing=6)
        layout.add_row(grid, tr("&Interval"), self.interval, entry)
        self.lay_out(grid, self.note, None, spacing=14)
        stylesheet.fix_width(self, 480)
        self.interval.currentIndexChanged.connect(self._show)
        self.fit.clicked.connect(lambda: self.interval.set_value(self._fitting))
        self.interval.set_value(self._fitting or _USUAL)
        self._show()

    @property
    def semitones(self) -> int:
        return int(self.interval.value())

    def edit(self, piece: Chorale) -> Edit:
        return transposed_by(piece, self.semitones)

    @Slot()
    def _show(self) -> None:
        found = outside(self._piece, self.semitones, self._ranges)
        counts = [
            f"{voice.title} {count(number, 'note')}" for voice, number in found.items() if number
        ]
        self.note.setText(SOME_OUTSIDE.format(counts=", ".join(counts)) if counts else ALL_FIT)
        enable(self.action_button, _problem(self._piece, self.semitones))


class TranspositionController(PieceDialogController[TranspositionDialog]):
    def __init__(self, services: Services, editor: Editor) -> None:
        super().__init__(services, editor, services.commands.edit.transpose)

    def make(self, piece: Chorale) -> TranspositionDialog:
        return TranspositionDialog(piece, self._window)


def _named(piece: Chorale, shift: int) -> str:
    interval = (_UP if shift > 0 else _DOWN).format(interval=_INTERVALS[abs(shift) - 1])
    if piece.key is None or shift % 12 == 0:
        return interval
    return TO_KEY.format(interval=interval, key=names.key(piece.key.transposed(shift)))


def _problem(piece: Chorale, semitones: int) -> str:
    try:
        transposed_by(piece, semitones)
    except UsageError as reason:
        text = str(reason)
        return text[:1].upper() + text[1:]
    return ""
