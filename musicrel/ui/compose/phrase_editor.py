"""The phrases above the roll: those of the shown piece, or those of the form.

A change of them is one of the form, for the next piece; the brackets then show the phrases of the
form, until another piece is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.language import tr
from musicrel.presentation.compose import form as forms
from musicrel.presentation.compose import phrases
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.phrases import PhraseLane
from musicrel.score.editing.selection import Selection
from musicrel.ui.document.document import Document
from musicrel.ui.jobs.turn import Turn
from musicrel.ui.roll.phrase_brackets import PhraseBrackets

AND: Final = tr(" and ")
OTHER_METER: Final = tr("Phrases can be changed in {meters} only: this piece is in {meter}")
_LOWER: Final = (Voice.ALTO, Voice.TENOR, Voice.BASS)


class PhraseEditor(QObject):
    rewrite_wanted = Signal()  # the selection, the lower voices of a phrase, is to be rewritten

    def __init__(self, document: Document, brackets: PhraseBrackets) -> None:
        super().__init__(document)
        self._document, self._brackets = document, brackets
        self._before: Form | None = None  # the form before the first change of its phrases
        self._known: tuple[Chorale, PhraseLane] | None = None
        menu = brackets.menu
        self._was_generating = False
        self._turn = Turn(self)  # the cadences of a generated piece are found after it is shown
        for signal, slot in (
            (self._turn.due, self._show),
            (document.screen_changed, self._on_screen_changed),
            (document.form_changed, self._show),
            (document.sketched, self._show),
            (brackets.end_moved, partial(self._edit, phrases.moved)),
            (menu.select_wanted, self._select),
            (menu.rewrite_wanted, self._rewrite),
            (menu.cadence_chosen, partial(self._edit, phrases.with_cadence)),
            (menu.split_wanted, partial(self._edit, phrases.split)),
            (menu.join_wanted, partial(self._edit, phrases.merged)),
            (menu.redraw_wanted, self._redraw),
            (menu.undo_wanted, self._undo),
        ):
            signal.connect(slot)
        self._show()

    def shut_down(self) -> None:
        self._turn.stop()

    # ------------------------------------------------------------------ showing

    @Slot(object)
    def _on_screen_changed(self) -> None:
        self._before = None
        was_generating, self._was_generating = self._was_generating, self._document.generating
        if self._was_generating:
            self._show_planned()
            self._brackets.disabled_reason = self._disabled_reason()
        elif was_generating:
            self._turn.start()
        else:
            self._show()

    @Slot()
    def _show(self) -> None:
        if self._document.generating:
            return
        piece, sketch = self._document.shown, self._document.sketch
        if piece is None and sketch is not None:
            piece = sketch.piece
        if piece is None or self._before is not None:
            self._show_planned()
        else:
            self._brackets.show_lane(self._lane_of(piece))
        self._brackets.disabled_reason = self._disabled_reason()
        self._brackets.menu.can_undo = self._before is not None

    def _show_planned(self) -> None:
        """Show the phrases of the form; those before if it is invalid, which the form explains."""
        with suppress(UsageError):
            self._brackets.show_lane(phrases.of_form(self._document.form))

    def _lane_of(self, piece: Chorale) -> PhraseLane:
        if self._known is None or self._known[0] is not piece:
            lane = PhraseLane(
                phrases=phrases.of_piece(piece),
                meter=piece.meter,
                pickup=piece.pickup,
                planned=False,
            )
            self._known = piece, lane
        return self._known[1]

    def _disabled_reason(self) -> str:
        document, meter = self._document, self._brackets.lane.meter
        choice = document.choice_of(document.form.model)
        condition, reason = forms.NEEDS["phrases"]
        if choice is not None and condition not in choice.conditions:
            return reason
        if document.form.rhythm:
            return forms.GIVEN_BY_WORDS
        if meter not in forms.METERS:
            return OTHER_METER.format(meters=AND.join(map(str, forms.METERS)), meter=meter)
        return document.unready_reason

    # ------------------------------------------------------------------ its notes

    @Slot(int)
    def _select(self, index: int) -> None:
        self._select_voices(index, tuple(Voice))

    @Slot(int)
    def _rewrite(self, index: int) -> None:
        if self._select_voices(index, _LOWER):
            self.rewrite_wanted.emit()

    def _select_voices(self, index: int, voices: tuple[Voice, ...]) -> bool:
        """Select some voices of a phrase on screen; return False if the piece has none there."""
        phrase, piece = self._brackets.lane.phrases[index], self._document.piece
        if piece is None or phrase.start >= piece.steps:
            return False
        stop = min(phrase.stop, piece.steps)
        self._document.select(
            Selection(voices=tuple(map(int, voices)), start=phrase.start, stop=stop)
        )
        return True

    # ------------------------------------------------------------------ changing

    def _edit(self, change: Callable[..., Form], *place: object) -> None:
        """Change the phrases on screen, unless those of the form are invalid: it explains why."""
        try:
            changed = change(self._form_on_screen(), *place)
        except UsageError:
            return
        self._set(changed)

    @Slot()
    def _redraw(self) -> None:
        form = self._document.form
        self._set(replace(form, phrases=None, pickup=forms.DRAWN, cadence=""))

    @Slot()
    def _undo(self) -> None:
        before, self._before = self._before, None
        if before is not None:
            self._document.set_form(
                replace(self._document.form.with_piece_of(before), key=self._document.form.key)
            )
        self._show()

    def _set(self, form: Form) -> None:
        self._before = self._before or self._document.form
        self._document.set_form(form)
        self._show()

    def _form_on_screen(self) -> Form:
        lane, form = self._brackets.lane, self._document.form
        if lane.planned:
            return form
        known = lane.pickup in dict(forms.pickups(lane.meter))
        return phrases.with_lane(form, replace(lane, pickup=lane.pickup if known else 0))
