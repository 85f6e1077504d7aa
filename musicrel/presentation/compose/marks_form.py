"""The entries of the dialog of marks at a selection, and the edit they mean."""

from __future__ import annotations

from dataclasses import dataclass

from musicrel.chorale import Chorale, Key
from musicrel.presentation.compose import properties_form
from musicrel.score.editing.draft import Edit
from musicrel.score.editing.piece_edits import bar_at, with_marks
from musicrel.score.editing.selection import Selection

NOT_SLOWER = 100.0  # percent of the tempo at the end of a selection that does not become slower


@dataclass(frozen=True, slots=True, kw_only=True)
class MarksForm:
    key: Key | None  # from the bar line on; None if it is not known
    tempo: float  # from the first note on, in quarter notes a minute
    percent: float = NOT_SLOWER  # what is left of the tempo at the end of the selection
    dynamic: str = ""  # from the first note on; "" if none was written so far
    hairpin: str = ""  # over the selection, one of ``HAIRPINS``; "" for none

    @classmethod
    def of(cls, piece: Chorale, selection: Selection) -> MarksForm:
        """Return the entries that change nothing."""
        before = [mark for mark in piece.marks if mark.start <= selection.start]
        tempos = [mark.number for mark in before if mark.kind == "tempo"]
        dynamics = [str(mark.value) for mark in before if mark.kind == "dynamic"]
        during = [
            mark
            for mark in piece.marks
            if mark.start < selection.stop and mark.stop > selection.start
        ]
        slowings = (mark.number for mark in during if mark.kind == "slowing")
        hairpins = (str(mark.value) for mark in during if mark.kind == "hairpin")
        return cls(
            key=piece.key_at(bar_at(piece, selection.start)[0]),
            tempo=round([piece.tempo, *tempos][-1], properties_form.TEMPO_DIGITS),
            percent=next(slowings, NOT_SLOWER),
            dynamic=["", *dynamics][-1],
            hairpin=next(hairpins, ""),
        )

    def edit(self, piece: Chorale, selection: Selection) -> Edit:
        present = MarksForm.of(piece, selection)
        return with_marks(
            piece,
            selection,
            key=None if self.key == present.key else self.key,
            tempo=None if self.tempo == present.tempo else self.tempo,
            percent=None if self.percent == present.percent else self.percent,
            dynamic="" if self.dynamic == present.dynamic else self.dynamic,
            hairpin=None if self.hairpin == present.hairpin else self.hairpin,
        )
