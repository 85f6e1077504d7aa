"""Harmonising a melody with fake jobs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import mido
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog

from musicrel.analysis.corpus import melodies
from musicrel.chorale import REST, Chorale, Lyric, Voice
from musicrel.errors import GenerationError
from musicrel.presentation import lock_cells
from musicrel.presentation.lock_cells import Span
from musicrel.score import files
from musicrel.score.editing.selection import Selection
from musicrel.score.verses.harmonies import harmonies, with_own_harmony
from musicrel.ui.actions import commands
from musicrel.ui.compose import harmonise_dialog
from musicrel.ui.compose.harmonise_dialog import HarmoniseDialog, Melody
from musicrel.ui.document.document import GENERATING
from tests.ui.controllers.user_actions import PIECE
from tests.ui.fakes import TIMEOUT
from tests.ui.user import User


def tune(path: Path | None = None, **fields: Any) -> Melody:
    return Melody(title=path.name if path else "the roll", path=path, **fields)


def tune_file(path: Path, pitches: list[int], length: int = 480) -> Path:
    track = mido.MidiTrack()
    for pitch in pitches:
        track.append(mido.Message("note_on", note=pitch, velocity=80))
        track.append(mido.Message("note_off", note=pitch, time=length))
    mido.MidiFile(tracks=[track], ticks_per_beat=480).save(path)
    return path


def test_the_melody_is_harmonised_by_candidates(both: User) -> None:
    """The best one is shown at once; Enter accepts it; undo restores the melody."""
    both.harmonise(tune(melodies.path("ode-to-joy")))
    melody = both.document.piece
    assert melody is not None
    assert (melody.pitches[:, 1:] == REST).all()
    assert both.panel.isVisible()
    assert "go back to the piece as it was (Esc)" in both.state
    both.key(Qt.Key.Key_Return)

    taken = both.document.piece
    assert taken is not None
    assert taken.title == "Ode to Joy"
    assert (taken.pitches[:, 0] == melody.pitches[:, 0]).all()
    assert (taken.pitches[:, 1:] != REST).all()
    both.window.commands.undo.trigger()
    assert both.document.piece is melody


def test_the_roll_previews_a_candidate(both: User) -> None:
    """Stop ends the generation; then the melody is shown again."""
    both.jobs.emits_progress = both.jobs.hold_candidates = True
    both.document.show_piece(PIECE)
    both.begin_harmonising(tune())
    assert both.jobs.waiting.wait(TIMEOUT)
    both.wait(lambda: both.state == "Writing and revising candidate 1 of 2: 25%")
    assert {note.voice for note in both.page.roll.picture.notes} == {0}  # type: ignore[union-attr]
    assert both.strip.rewrite.text() == "Cancel"
    QTest.keyClick(both.window, Qt.Key.Key_Escape)
    both.jobs.gate.set()
    both.settle()

    assert {note.voice for note in both.page.roll.picture.notes} == {0, 1, 2, 3}  # type: ignore[union-attr]
    assert both.document.piece is PIECE


@pytest.mark.parametrize("chosen", [False, True])
def test_the_first_candidate_stays_on_the_roll_until_the_end(chosen: bool, both: User) -> None:
    """A selected candidate stays selected; otherwise the best one is shown."""
    both.jobs.emits_progress = both.jobs.hold_candidates = both.jobs.hold_second_candidate = True
    both.document.show_piece(PIECE)
    both.begin_harmonising(tune())
    both.wait(lambda: both.state.startswith("Writing and revising candidate 1 of 2"))
    both.jobs.gate.set()
    both.wait(lambda: both.panel.progress.value() == 625)
    first = both.alto()
    assert both.state.startswith("Candidate 1 of 2 is finished")
    if chosen:
        both.writing.choose(1)
    both.jobs.second_gate.set()
    both.wait(lambda: not both.writer.busy and both.writer.chosen != 0)

    assert first == {68}
    assert both.writer.chosen == (1 if chosen else 2)
    assert both.alto() == {68 if chosen else 69}


def test_changes_of_the_melody_are_reported(both: User, tmp_path: Path) -> None:
    path = tune_file(tmp_path / "low.mid", [48, 50, 52, 53])
    both.harmonise(tune(path))
    banner = both.page.banner

    assert banner.message.startswith("The melody of low.mid was changed: it was transposed up by")
    assert both.piece.title == "low"


def test_a_long_melody_is_harmonised_from_its_beginning(both: User, tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    files.write(Chorale.of([(72, REST, REST, REST)] * 5000), path)
    both.harmonise(tune(path))

    ((_, _, builder),) = both.jobs.candidate_requests
    assert builder.request.bars in range(1, 257)
    assert "it is too long: its first" in both.message


def test_only_the_lower_of_two_limits_is_reported(both: User, tmp_path: Path) -> None:
    """A melody of 40 minutes exceeds the limits of reading and of harmonising."""
    path = tune_file(tmp_path / "long.mid", [72, 74] * 12, length=480 * 200)
    both.harmonise(tune(path))
    sentence = both.message

    assert "it is too long: its first 255 bars are harmonised" in sentence
    assert sentence.count("too long") == 1


def test_a_failure_keeps_the_melody(both: User) -> None:
    both.jobs.candidates_error = GenerationError("the locked notes break the rule 'range'")
    both.harmonise(tune(melodies.path("ode-to-joy")))

    assert both.message.startswith("The locked notes break the rule")
    assert both.piece.title == "Ode to Joy"


def test_nothing_is_harmonised_during_generation(user: User) -> None:
    user.hold(8)
    assert user.controls.harmonise.toolTip() == GENERATING
    assert not user.act.harmonise.isEnabled()
    user.stop()
    assert user.controls.harmonise.isEnabled()


@pytest.mark.parametrize(
    ("name", "pitches", "entries", "sentence"),
    [
        ("tune.mid", [], {}, "no notes"),
        ("tune.mid", None, {}, "cannot read"),
        ("tune.txt", None, {}, "expected a name that ends in"),
        ("tune.mid", [72, 74, 76, 77], {"phrases": (7,)}, "the phrases have 7 bars: expected"),
        ("", None, {"voice": Voice.ALTO}, "the alto has no notes: choose"),
    ],
)
def test_what_cannot_be_harmonised_is_reported_and_changes_nothing(
    *,
    name: str,
    pitches: list[int] | None,
    entries: dict[str, Any],
    sentence: str,
    both: User,
    tmp_path: Path,
) -> None:
    low = Chorale.of([(REST, REST, REST, 48)] * 16)
    both.document.show_piece(low)
    if pitches is not None:
        tune_file(tmp_path / name, pitches)
    both.harmonise(tune(tmp_path / name if name else None, **entries))

    assert sentence in both.message.lower()
    assert both.document.piece is low
    assert both.jobs.candidate_requests == []


def test_a_melody_too_wide_for_its_voice_is_refused(both: User) -> None:
    wide = Chorale.of([(60, REST, REST, REST), (83, REST, REST, REST)] * 8)
    both.document.show_piece(wide)
    both.harmonise(tune())
    assert "23 semitones: expected at most 21 for the Soprano" in both.message
    assert both.document.piece is wide


def test_a_low_melody_on_the_roll_is_moved_and_that_is_said(both: User) -> None:
    """The piece takes its place first, so that undo brings back the low one."""
    low = Chorale.of([(36, REST, REST, REST), (40, REST, REST, REST)] * 8)
    both.document.show_piece(low)
    both.harmonise(tune())
    assert "transposed up by 2 octaves" in both.message
    ((_, _, builder),) = both.jobs.candidate_requests
    locks = builder.request.locks
    assert locks is not None
    assert locks.cells[0].pitch == 60


def test_nothing_else_starts_while_harmonising(both: User) -> None:
    both.jobs.hold_candidates = True
    both.document.show_piece(PIECE)
    both.begin_harmonising(tune())
    both.wait(lambda: both.writer.busy)
    page, rewriting = both.page, both.act
    assert page.controls.harmonise.toolTip() == page.strip.more.toolTip() == GENERATING
    assert not rewriting.harmonise.isEnabled()
    assert not any(action.isEnabled() for action in rewriting.continue_by)
    both.jobs.gate.set()
    both.settle()
    assert page.controls.harmonise.isEnabled()
    assert rewriting.harmonise.isEnabled()
    assert page.strip.more.isEnabled()


def hymn(verses: int = 2) -> Chorale:
    """Build two bars with some verses."""
    numbers = range(1, verses + 1)
    words = (Lyric(Voice.SOPRANO, verse, step, "la") for verse in numbers for step in (0, 16))
    notes = [(72, 67, 64, 48)] * 16 + [(74, 67, 62, 50)] * 16
    return Chorale.of(notes, lyrics=tuple(words))


def harmonise_verse(user: User, verse: int, count: int) -> None:
    """Ask for the harmony of a verse by the command, and accept the best one."""
    user.act.verse.trigger()
    dialog = opened(user)
    assert dialog is not None
    dialog.verse.set_value(verse)
    dialog.count.setValue(count)
    dialog.accept()
    user.wait(lambda: bool(user.jobs.candidate_requests) and not user.writer.busy)
    if count > 1:
        user.key(Qt.Key.Key_Return)


def test_a_command_asks_for_the_harmony_of_the_last_verse_at_the_selection(
    both: User,
) -> None:
    both.document.show_piece(with_own_harmony(hymn(3), 1)[0])
    for selection, verse in (None, 3), (Selection(voices=(0,), start=8, stop=16), 1):
        both.document.select(selection)
        both.act.verse.trigger()
        dialog = opened(both)
        assert dialog is not None
        assert dialog.verse.value() == verse
        both.wait(dialog.verse.hasFocus)
        dialog.reject()


def test_menus_of_a_phrase_and_of_the_sheet_offer_it_only_for_several_verses(both: User) -> None:
    menus = both.app.edit.menu, both.page.brackets.menu
    for verses in 1, 2:
        piece = hymn(verses)
        both.document.show_piece(replace(piece, fermatas=np.arange(piece.steps) >= 28))
        both.app.edit.menu.aboutToShow.emit()
        both.page.brackets.menu.offer(both.page.brackets.lane, 0)
        for menu in menus:
            texts = [action.text() for action in menu.actions()]
            assert texts.count(both.act.verse.text()) == verses - 1
        assert (both.act.verse.toolTip() == commands.NO_VERSES) == (verses == 1)


def test_a_bracket_asks_for_the_verse_that_its_phrase_is_in(both: User) -> None:
    piece = with_own_harmony(hymn(3), 1)[0]
    both.document.show_piece(replace(piece, fermatas=np.arange(piece.steps) % 32 >= 28))
    menu = both.page.brackets.menu
    menu.offer(both.page.brackets.lane, 0)
    next(one for one in menu.actions() if one.text() == both.act.verse.text()).trigger()
    dialog = opened(both)
    assert dialog is not None
    assert dialog.verse.value() == 1
    dialog.reject()


@pytest.mark.parametrize("count", [1, 2])
def test_a_verse_that_was_written_out_is_selected_and_shown(count: int, both: User) -> None:
    both.document.show_piece(hymn())
    both.roll.zoom_in()
    both.roll.show_beginning()
    for _ in range(6):
        both.roll.zoom_in()
    harmonise_verse(both, 2, count)
    assert both.piece.steps == 64
    assert both.document.selection == Selection(voices=(1, 2, 3), start=32, stop=64)
    assert 0 < both.roll.seen.x(32) < both.roll.seen.width


def test_back_at_the_original_no_bar_is_selected_that_it_has_not(both: User) -> None:
    both.document.show_piece(hymn())
    both.act.verse.trigger()
    dialog = opened(both)
    assert dialog is not None
    dialog.count.setValue(2)
    dialog.accept()
    both.wait(lambda: bool(both.panel.table.rowCount()) and not both.writer.busy)
    assert both.document.selection == Selection(voices=(1, 2, 3), start=32, stop=64)
    both.act.back.trigger()
    assert both.document.selection is None


def test_locks_stay_at_their_notes_when_a_verse_is_written_out(both: User) -> None:
    """The melody is locked in the new verse as well; what is locked there stays as it is."""
    piece = hymn(3)
    both.document.show_piece(piece)
    locks = lock_cells.of_voice(piece, Voice.SOPRANO)
    locks[16:32, Voice.BASS] = True
    both.document.set_locks(locks)
    harmonise_verse(both, 1, 1)
    assert both.document.locks is not None
    assert lock_cells.spans(both.document.locks) == (Span(0, 0, 64), Span(3, 48, 64))

    first = both.piece
    both.document.set_locks(both.document.locks | lock_cells.of_voice(first, Voice.TENOR))
    harmonise_verse(both, 1, 1)
    assert both.piece is not first
    assert (both.piece.pitches[:, Voice.TENOR] == first.pitches[:, Voice.TENOR]).all()
    assert [
        span for span in lock_cells.spans(both.document.locks) if span.voice == Voice.TENOR
    ] == [Span(2, 0, 64)]


def test_a_verse_gets_a_harmony_of_its_own_as_one_step_of_undo(both: User) -> None:
    piece = hymn()
    both.document.show_piece(piece)
    both.act.harmonise.trigger()
    dialog = opened(both)
    assert dialog is not None
    dialog.verse.set_value(2)
    assert {field.toolTip() for field in (dialog.model, dialog.voice, dialog.phrases)} == {
        harmonise_dialog.REWRITTEN
    }
    dialog.count.setValue(2)
    dialog.accept()
    both.wait(lambda: bool(both.panel.table.rowCount()) and not both.writer.busy)
    assert both.document.piece is piece
    both.key(Qt.Key.Key_Down)
    both.key(Qt.Key.Key_Return)

    taken = both.document.piece
    assert taken is not None
    first, own = harmonies(taken)
    assert (first.verses, own.verses, own.start) == ((1,), (2,), piece.steps)
    assert np.array_equal(taken.pitches[: own.start], piece.pitches)
    assert np.array_equal(taken.pitches[own.start :, 0], piece.pitches[:, 0])
    assert not np.array_equal(taken.pitches[own.start :, 1:], piece.pitches[:, 1:])
    both.window.commands.undo.trigger()
    assert both.document.piece is piece


def test_the_dialog_shows_the_model_that_writes(both: User) -> None:
    both.document.show_piece(hymn())
    both.act.harmonise.trigger()
    dialog = opened(both)
    assert dialog is not None
    dialog.model.set_value("plain")
    dialog.verse.set_value(2)
    assert dialog.model.value() == both.document.rewriting_model == "both"
    assert dialog.model_detail.text() == harmonise_dialog.SEES_AHEAD
    dialog.verse.set_value(0)
    assert dialog.model.value() == dialog.form().model == "plain"
    assert dialog.model_detail.text() == harmonise_dialog.SEARCHES
    dialog.reject()


def test_all_verses_are_written_out_by_one_command(both: User) -> None:
    both.document.show_piece(hymn())
    both.window.commands.edit.write_out.trigger()
    assert both.document.piece is not None
    assert [one.verses for one in harmonies(both.document.piece)] == [(1,), (2,)]
    both.window.commands.edit.write_out.trigger()
    assert "no verses to write out" in both.state


@pytest.fixture
def dialog(both: User) -> HarmoniseDialog:
    both.act.harmonise.trigger()
    assert both.app.writing.dialog is not None
    return both.app.writing.dialog


def opened(user: User) -> HarmoniseDialog | None:
    return user.app.writing.dialog


def test_current_piece_and_bundled_melodies_are_offered(dialog: HarmoniseDialog) -> None:
    """The current piece comes first; the dialog previews the selected melody."""
    titles = [dialog.melody.itemText(row) for row in range(dialog.melody.count())]

    assert titles == sorted(titles)
    assert "Ode to Joy" in titles
    assert harmonise_dialog.NOTHING_ON_ROLL in dialog.melody.toolTip()
    assert dialog.preview.piece is not None
    assert not dialog.unread.isVisible()
    assert dialog.verse.toolTip() == harmonise_dialog.NO_VERSES
    dialog.reject()


def test_the_dialog_works_by_keyboard(dialog: HarmoniseDialog, both: User) -> None:
    """The melody has the focus; Enter starts."""
    both.wait(dialog.melody.hasFocus)
    QTest.keyClicks(dialog.melody, "Ode")
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    both.wait(lambda: bool(both.jobs.candidate_requests) and not both.writer.busy)

    ((name, _, builder),) = both.jobs.candidate_requests
    assert builder.free.any()
    assert builder.piece is not None
    assert (name, builder.piece.title, builder.count) == ("both", "Ode to Joy", 1)
    assert both.app.writing.dialog is None


def test_the_dialog_opens_once_and_esc_closes_it(dialog: HarmoniseDialog, both: User) -> None:
    both.controls.harmonise.click()
    assert opened(both) is dialog
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert opened(both) is None
    assert both.jobs.candidate_requests == []


def test_the_model_of_the_form_is_selected(dialog: HarmoniseDialog) -> None:
    """The detail explains how a model knows the melody ahead; all have a quality."""
    assert dialog.form().model == "both"
    assert dialog.model_detail.text() == harmonise_dialog.SEES_AHEAD
    dialog.quality.setCurrentIndex(2)
    assert dialog.form().quality == "high"
    dialog.model.setCurrentIndex(dialog.model.findData("plain"))
    assert dialog.model_detail.text() == harmonise_dialog.SEARCHES
    assert dialog.form().quality == "high"
    dialog.reject()


def test_the_chosen_model_is_that_of_the_form_from_now_on(
    dialog: HarmoniseDialog, both: User
) -> None:
    rewriting = both.document.rewriting_model
    dialog.model.setCurrentIndex(dialog.model.findData("plain"))
    dialog.accept()
    both.wait(lambda: bool(both.jobs.candidate_requests) and not both.writer.busy)
    assert both.document.form.model == both.app.preferences.settings.model == "plain"
    assert both.document.rewriting_model == rewriting
    both.app.writing.ask_for_melody()
    again = opened(both)
    assert again is not None
    assert again.form().model == "plain"
    again.reject()


def test_without_a_model_the_dialog_cannot_start(user: User) -> None:
    user.form.set_models([], "")
    user.form.changed.emit()
    user.controls.harmonise.click()
    dialog = user.app.writing.dialog
    assert dialog is not None
    assert not dialog.action_button.isEnabled()
    assert dialog.action_button.toolTip().startswith("No model can harmonise")
    assert dialog.model_detail.text() == dialog.action_button.toolTip()
    dialog.reject()


def test_the_selected_voice_of_the_roll_is_the_melody(both: User) -> None:
    both.document.show_piece(PIECE)
    both.app.document.select(Selection(voices=(3,), start=0, stop=4))
    both.act.harmonise.trigger()
    dialog = both.app.writing.dialog
    assert dialog is not None
    assert dialog.chosen().title == "Current piece: Air"
    voices = [dialog.chosen().voice]
    dialog.melody.setCurrentIndex(1)
    voices.append(dialog.chosen().voice)
    assert voices == [Voice.BASS, Voice.SOPRANO]
    dialog.reject()


def test_a_file_is_chosen_in_the_dialog(
    dialog: HarmoniseDialog, both: User, tmp_path: Path
) -> None:
    dialog.file.click()
    chooser = dialog.findChild(QFileDialog)
    assert chooser is not None
    chooser.fileSelected.emit(str(tmp_path / "tune.mid"))
    chooser.reject()
    assert dialog.chosen() == tune(tmp_path / "tune.mid")
    assert dialog.preview.piece is None
    assert dialog.unread.isVisible()
    dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel).click()
    both.wait(lambda: both.app.writing.dialog is None)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("2,x", "Phrases are '2,x': expected the bars"),
        ("3", "The phrases have 3 bars: expected 16"),
    ],
)
def test_mistyped_phrases_are_refused_in_the_dialog(
    typed: str, sentence: str, dialog: HarmoniseDialog, both: User
) -> None:
    dialog.melody.setCurrentIndex(dialog.melody.findText("Ode to Joy"))
    dialog.phrases.setText(typed)
    assert dialog.remark.text().startswith(sentence)
    assert dialog.action_button.toolTip() == dialog.remark.text()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert opened(both) is dialog
    assert (both.document.piece, both.jobs.candidate_requests) == (None, [])
    dialog.phrases.setText("4,4,4,4")
    assert dialog.action_button.isEnabled()
    assert dialog.remark.isHidden()
    dialog.reject()


def test_the_dialog_says_that_a_melody_will_be_moved(both: User) -> None:
    both.document.show_piece(PIECE.transposed(-24))
    both.act.harmonise.trigger()
    dialog = opened(both)
    assert dialog is not None
    assert dialog.remark.text().startswith("The melody lies outside the range of its voice: it was")
    assert dialog.action_button.isEnabled()
    dialog.reject()
