"""The phrases above the roll of the whole app."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Meter, spans
from musicrel.presentation.compose.form import Form
from musicrel.score.editing.selection import Selection
from musicrel.ui.compose.phrase_editor import OTHER_METER
from musicrel.ui.roll.phrase_brackets import PhraseBrackets
from tests.ui.fakes import TIMEOUT, earlier_piece
from tests.ui.user import User


@pytest.fixture
def brackets(user: User) -> PhraseBrackets:
    compose_form = user.form
    compose_form.bars.setValue(8)
    compose_form.phrases.setText("auto")
    return user.page.brackets


def bars(brackets: PhraseBrackets) -> list[float]:
    return [phrase.bars for phrase in brackets.lane.phrases]


def entries(form: Form) -> tuple[object, ...]:
    return (form.bars, form.meter, form.pickup, form.phrases, form.cadence)


def test_empty_sheet_shows_what_generate_will_use(brackets: PhraseBrackets, user: User) -> None:
    shown = bars(brackets)
    assert brackets.lane.planned
    assert not brackets.menu.can_undo
    assert sum(shown) == 8
    user.generate()

    fermatas = user.jobs.requests[0][2].plan().fermatas
    stops = [phrase.stop for phrase in brackets.lane.phrases]
    assert [stop for _, stop in spans(fermatas)] == stops


def test_moved_end_becomes_lengths_in_the_form(brackets: PhraseBrackets, user: User) -> None:
    user.form.phrases.setText("2,2,4")
    brackets.end_moved.emit(1, 5)

    assert bars(brackets) == [2, 3, 3]
    assert user.form.phrases.currentText() == "2,3,3"
    assert user.document.form.phrases == (2, 3, 3)


def test_cadence_of_one_phrase_makes_a_list(brackets: PhraseBrackets, user: User) -> None:
    """The box shows that there is one; choosing one kind there is for all again."""
    compose_form = user.form
    compose_form.phrases.setText("2,2,4")
    brackets.menu.cadence_chosen.emit(1, "half")
    assert [phrase.cadence for phrase in brackets.lane.phrases] == ["", "half", ""]
    assert compose_form.cadence.currentText() == "By phrase"
    user.document.form.request()

    compose_form.cadence.setCurrentText("Authentic")
    assert {phrase.cadence for phrase in brackets.lane.phrases} == {"authentic"}


def test_phrases_are_split_joined_and_drawn_again(brackets: PhraseBrackets, user: User) -> None:
    user.form.phrases.setText("2,2,4")
    brackets.menu.split_wanted.emit(2)
    assert bars(brackets) == [2, 2, 2, 2]
    brackets.menu.join_wanted.emit(0)
    assert bars(brackets) == [4, 2, 2]
    brackets.menu.redraw_wanted.emit()
    assert user.document.form.phrases is None


def test_changes_of_phrases_can_be_undone(brackets: PhraseBrackets, user: User) -> None:
    """The entries are as before the first of them; other entries stay."""
    before = user.document.form
    brackets.end_moved.emit(0, 1)
    brackets.menu.cadence_chosen.emit(0, "plagal")
    user.document.set_form(replace(user.document.form, temperature=0.8))
    assert brackets.menu.can_undo
    brackets.menu.undo_wanted.emit()

    assert entries(user.document.form) == entries(before)
    assert user.document.form.temperature == 0.8


def test_piece_shows_its_own_phrases(brackets: PhraseBrackets, user: User) -> None:
    user.document.show_piece(earlier_piece(), action="opened")
    assert not brackets.lane.planned
    assert (bars(brackets), brackets.lane.pickup) == ([1, 2], 4)

    user.form.phrases.setText("4,4")
    assert bars(brackets) == [1, 2]


def test_change_with_a_piece_on_screen_is_for_the_next_one(
    brackets: PhraseBrackets, user: User
) -> None:
    """The brackets show it as planned; the form has length, meter and pickup of the piece."""
    piece = earlier_piece()
    user.document.show_piece(piece, action="opened")
    brackets.end_moved.emit(0, 2)

    form = user.document.form
    assert (form.bars, form.meter, form.pickup, form.phrases) == (3, Meter(3, 4), 4, (2, 1))
    assert brackets.lane.planned
    assert bars(brackets) == [2, 1]
    assert user.document.piece is piece
    compose_form = user.form
    assert (compose_form.meter.currentText(), compose_form.pickup.currentText()) == (
        "3/4", "1 quarter",
    )  # fmt: skip
    brackets.menu.undo_wanted.emit()
    assert bars(brackets) == [1, 2]
    assert not brackets.lane.planned


def test_menu_of_a_phrase_selects_its_notes(brackets: PhraseBrackets, user: User) -> None:
    piece = earlier_piece()
    user.document.show_piece(piece, action="opened")
    brackets.menu.offer(brackets.lane, 1)
    next(a for a in brackets.menu.actions() if a.text() == "S&elect this phrase").trigger()

    start = piece.pickup + piece.meter.steps - 4  # the pickup belongs to the first bar
    wanted = Selection(voices=(0, 1, 2, 3), start=start, stop=piece.steps)
    assert user.document.selection == wanted


def test_menu_of_a_phrase_rewrites_its_lower_voices(brackets: PhraseBrackets, user: User) -> None:
    """The soprano and the other phrases stay; the menu works where phrases cannot be changed."""
    user.document.show_piece(earlier_piece(), action="opened")
    start, stop = brackets.lane.phrases[0].start, brackets.lane.phrases[0].stop
    brackets.menu.offer(brackets.lane, 0, can_edit=False)
    select, rewrite, _ = brackets.menu.actions()
    assert select.text() == "S&elect this phrase"
    rewrite.trigger()
    user.wait(lambda: not user.writer.busy)

    ((_, _, builder),) = user.jobs.candidate_requests
    assert builder.free[start:stop, 1:].all()
    assert builder.free.sum() == 3 * (stop - start)


def test_phrases_stay_while_a_piece_is_written(brackets: PhraseBrackets, user: User) -> None:
    """Entries for the next piece do not change them, and they cannot be dragged."""
    before = bars(brackets)
    user.jobs.hold_at = 8
    user.app.writing.generate()
    assert user.jobs.waiting.wait(TIMEOUT)
    user.form.bars.setValue(5)

    assert bars(brackets) == before
    assert "being generated" in brackets.disabled_reason
    user.jobs.gate.set()


def test_phrases_of_other_meters_cannot_be_changed(brackets: PhraseBrackets, user: User) -> None:
    """The form has no such meter; the tooltip gives the reason."""
    piece = Chorale.of(np.full((24, 4), [72, 67, 64, 48]), meter=Meter(6, 8))
    user.document.show_piece(piece, action="opened")

    assert brackets.disabled_reason == OTHER_METER.format(meters="4/4 and 3/4", meter="6/8")


def test_model_without_fermatas_has_no_phrases(brackets: PhraseBrackets, user: User) -> None:
    compose_form = user.form
    compose_form.model.setCurrentIndex(1)

    assert bars(brackets) == []
    assert brackets.disabled_reason == compose_form.phrases.toolTip()


def test_invalid_phrases_leave_the_brackets_as_they_are(
    brackets: PhraseBrackets, user: User
) -> None:
    before = bars(brackets)
    user.form.phrases.setText("1,x")

    assert bars(brackets) == before
    assert "Phrases are" in user.form.problem.text()


def test_editing_the_brackets_replaces_text_that_cannot_be_read(
    brackets: PhraseBrackets, user: User
) -> None:
    user.form.phrases.setText("4,4")
    user.form.phrases.setText("x")

    brackets.end_moved.emit(0, 3)

    assert user.form.phrases.text() == "3,5"
    assert user.form.problem.text() == ""


def test_ranges_of_the_form_are_on_the_roll(brackets: PhraseBrackets, user: User) -> None:
    compose_form, ranges = user.form, user.page.ranges
    assert "Bass: E2" in ranges.accessibleDescription()
    compose_form.ranges.setCurrentText("Youth choir")
    assert "Bass: G2" in ranges.accessibleDescription()
    compose_form.rules.boxes["range"].setChecked(False)
    assert "Bass" not in ranges.accessibleDescription()
    del brackets
