"""Words that become a hymn, with fake jobs."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale, Lyric, Voice
from musicrel.ui.compose.hymn_dialog import HymnDialog
from tests.ui.controllers.user_actions import PIECE
from tests.ui.user import User

TEXT = """The morn-ing breaks on field and stone,
the mist has gone a-way;
we walk the road, but not a-lone,
in-to the gift of day."""


@pytest.fixture
def dialog(user: User) -> HymnDialog:
    user.controls.hymn.click()
    return opened(user)


def opened(user: User) -> HymnDialog:
    dialog = user.app.hymn.dialog
    assert dialog is not None
    dialog.words.language.set_value("English")
    return dialog


def melodies(dialog: HymnDialog) -> list[str]:
    return [dialog.tune.itemText(row) for row in range(dialog.tune.count())]


def test_words_become_a_request_for_candidates_with_their_rhythm(
    user: User, dialog: HymnDialog
) -> None:
    user.form.candidates.setValue(2)
    dialog.words.text.setPlainText(TEXT)
    dialog.action_button.click()
    user.wait(lambda: not user.writer.busy)

    ((model, _, task),) = user.jobs.candidate_requests
    assert (model, task.count, task.request.seed) == ("full", 2, 7)
    assert len(task.request.rhythm) == len(task.request.lyrics) == 28
    assert (task.request.pickup, len(task.request.phrases or ())) == (4, 4)
    assert user.state.startswith("Candidate ")
    assert user.app.hymn.dialog is None
    user.document.preview(None)


def test_one_candidate_is_the_next_piece_and_undo_shows_the_one_before(
    user: User, dialog: HymnDialog
) -> None:
    user.document.show_piece(PIECE)
    dialog.words.text.setPlainText(TEXT)
    dialog.action_button.click()
    user.wait(lambda: not user.writer.busy)

    assert user.document.piece is not None
    assert user.document.piece is not PIECE
    assert user.document.piece.title == "The morning breaks on field and stone"
    assert user.document.form_is_used  # the form has the words
    user.document.undo()
    assert user.document.piece is PIECE


def test_generate_writes_the_next_hymn_until_the_words_are_removed(
    user: User, dialog: HymnDialog
) -> None:
    form = user.form
    assert form.words.isHidden()
    dialog.words.text.setPlainText(TEXT)
    dialog.action_button.click()
    user.wait(lambda: not user.writer.busy)
    assert form.words.line.text() == "The morning breaks on field and stone, the mist has gone …"
    assert not any(field.isEnabled() for field in (form.bars, form.meter, form.phrases))

    user.generate()
    first, second = user.document.takes.all
    assert first.form.lyrics == second.form.lyrics != ()
    assert first.form.seed != second.form.seed

    form.words.remove.click()
    assert form.words.isHidden()
    assert form.bars.isEnabled()
    user.generate()
    assert user.document.form.lyrics == ()
    assert user.piece.title.startswith("Chorale ")


def test_what_does_not_fit_is_said_and_cannot_be_composed(dialog: HymnDialog) -> None:
    assert dialog.action_button.toolTip() == "Type or paste a text first"
    dialog.words.text.setPlainText(TEXT)
    assert dialog.words.metre.text() == "Metre: 8.6.8.6 (C.M.)"
    assert dialog.action_button.isEnabled()

    dialog.metre.setText("8.7.8.7")
    assert dialog.words.summary.text().startswith(
        "The first verse does not fit 8.7.8.7: line 2 has 6 syllables for 7 and line 4 has 6 "
    )
    assert not dialog.action_button.isEnabled()
    dialog.reject()


def test_bundled_tunes_of_the_metre_are_offered(dialog: HymnDialog) -> None:
    assert melodies(dialog) == ["A new one"]
    dialog.words.text.setPlainText(TEXT)
    assert melodies(dialog) == ["A new one", "Amazing Grace"]
    dialog.tune.set_value("amazing-grace")
    assert dialog.lines_begin.toolTip() == dialog.meter.toolTip() == "The tune has its own rhythm"
    assert not dialog.lines_begin.isEnabled()

    dialog.words.text.setPlainText("la la la")
    assert (melodies(dialog), dialog.lines_begin.isEnabled()) == (["A new one"], True)
    dialog.reject()


def test_a_bundled_tune_is_harmonised_with_the_words(user: User, dialog: HymnDialog) -> None:
    dialog.words.text.setPlainText(TEXT)
    dialog.tune.set_value("amazing-grace")
    dialog.action_button.click()
    user.wait(lambda: not user.writer.busy)

    ((_, _, task),) = user.jobs.candidate_requests
    assert task.request.locks is not None
    assert task.request.locks.mask[:, Voice.SOPRANO].all()
    assert task.piece is not None
    assert (task.piece.title, len(task.piece.lyrics)) == ("Amazing Grace", 28)


def test_the_dialog_has_the_words_of_the_piece_and_what_was_entered_last(
    user: User, dialog: HymnDialog
) -> None:
    dialog.words.text.setPlainText(TEXT)
    dialog.lines_begin.set_value("beat")
    dialog.action_button.click()
    user.wait(lambda: not user.writer.busy)
    user.document.show_piece(PIECE)
    user.act.hymn.trigger()
    again = opened(user)
    assert (again.words.text.toPlainText(), again.lines_begin.value()) == (TEXT, "beat")
    again.reject()

    piece = Chorale.of(
        [[72 - step // 4, 60, 55, 48] for step in range(8)],
        fermatas=np.arange(8) >= 4,
        lyrics=(Lyric(Voice.SOPRANO, 1, 0, "A", True), Lyric(Voice.SOPRANO, 1, 4, "men")),
    )
    user.document.show_piece(piece)
    user.act.hymn.trigger()
    dialog = opened(user)
    assert (dialog.words.text.toPlainText(), dialog.metre.text()) == ("A-men", "")
    dialog.reject()
