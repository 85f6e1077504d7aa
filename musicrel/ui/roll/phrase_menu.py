"""The menu of a phrase: its cadence, and what can be done with it."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QMenu, QWidget

from musicrel.presentation.compose.phrase_lane import CADENCE_LABELS, PhraseLane
from musicrel.presentation.compose.phrases import LEAST_TO_SPLIT

_SELECT: Final = "S&elect this phrase"
_REWRITE: Final = "&Rewrite the lower voices of this phrase"
_AS_IN_BACH: Final = "All phrases as in &Bach"
_AS_IN_BACH_TIP: Final = "Draw phrases and pickup with the seed"
_UNDO: Final = "&Undo all changes of phrases"
_CADENCE: Final = "&{kind} cadence\t{label}"
_ANY_CADENCE: Final = "A&ny cadence"
_SPLIT: Final = "&Split the phrase"
_JOIN: Final = "&Join with the next one"


class PhraseMenu(QMenu):
    """The menu; a passive widget."""

    select_wanted = Signal(int)  # the index of a phrase of the piece
    # the index of a phrase of the piece whose lower voices are to be rewritten
    rewrite_wanted = Signal(int)
    cadence_chosen = Signal(int, str)  # the index of a phrase and a kind of cadence, "" for any
    split_wanted = Signal(int)
    join_wanted = Signal(int)  # the index of a phrase that is to end with the next one
    redraw_wanted = Signal()
    undo_wanted = Signal()  # the phrases are to be as before all changes

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.can_undo = False
        self.setToolTipsVisible(True)

    def offer(self, lane: PhraseLane, index: int, *, can_edit: bool = True) -> None:
        """Offer what can be done with a phrase of ``lane``, if it has any.

        Args:
            can_edit: False offers only what does not change the phrases.
        """
        self.clear()
        if lane.phrases and not lane.planned:
            self._offer_notes(index)
        if can_edit:
            self._offer_changes(lane, index)

    def _offer_notes(self, index: int) -> None:
        for text, signal in ((_SELECT, self.select_wanted), (_REWRITE, self.rewrite_wanted)):
            self.addAction(text).triggered.connect(partial(_emit, signal, index))
        self.addSeparator()

    def _offer_changes(self, lane: PhraseLane, index: int) -> None:
        if lane.phrases:
            self._offer_cadences(lane, index)
            self._offer_lengths(lane, index)
        redraw = self.addAction(_AS_IN_BACH)
        redraw.setToolTip(_AS_IN_BACH_TIP)
        redraw.triggered.connect(self.redraw_wanted)
        if self.can_undo:
            undo = self.addAction(_UNDO)
            undo.triggered.connect(self.undo_wanted)

    def _offer_cadences(self, lane: PhraseLane, index: int) -> None:
        for kind, label in CADENCE_LABELS.items():
            title = _CADENCE.format(kind=kind.capitalize(), label=label) if kind else _ANY_CADENCE
            action = self.addAction(title)
            action.setCheckable(True)
            action.setChecked(kind == lane.phrases[index].cadence)
            action.triggered.connect(partial(self._emit_cadence, index, kind))
        self.addSeparator()

    def _offer_lengths(self, lane: PhraseLane, index: int) -> None:
        split, join = self.addAction(_SPLIT), self.addAction(_JOIN)
        split.setEnabled(lane.phrases[index].bars >= LEAST_TO_SPLIT)
        join.setEnabled(index < len(lane.phrases) - 1)
        split.triggered.connect(partial(_emit, self.split_wanted, index))
        join.triggered.connect(partial(_emit, self.join_wanted, index))
        self.addSeparator()

    def _emit_cadence(self, index: int, kind: str, *_: object) -> None:
        self.cadence_chosen.emit(index, kind)


def _emit(signal: SignalInstance, index: int, *_: object) -> None:
    signal.emit(index)
