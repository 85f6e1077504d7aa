"""Note input: notes are typed at a cursor, or clicked on the roll."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from musicrel.chorale import REST, Chorale, Key
from musicrel.presentation.compose.form import TITLE
from musicrel.presentation.words.keys import with_keys
from musicrel.score.editing.note_input import NOTHING_TO_TIE, SHORTEST, Cursor
from musicrel.score.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.document import GENERATING, PREVIEWING
from musicrel.ui.editing import note_input_controller as module
from musicrel.ui.editing.note_input_controller import InputBar
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import FakeKeyboards, ManualOutput
from tests.ui.editing.conftest import AIR, NONE, Hand
from tests.ui.user import User

KEY = Qt.Key
ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def writing(hand: Hand) -> Hand:
    hand.window.commands.rewriting.draw.trigger()
    return hand


def bar_of(window: MainWindow) -> InputBar:
    bar = window.findChild(InputBar)
    assert bar is not None
    return bar


def cursor_of(hand: Hand) -> Cursor:
    assert hand.input.cursor is not None
    return hand.input.cursor


def steps_of(hand: Hand) -> int:
    assert hand.document.piece is not None
    return hand.document.piece.steps


# ---------------------------------------------------------------------- the keyboard


def test_new_melody_by_keyboard_alone(hand: Hand) -> None:
    """New, note input and letters: nothing else is needed."""
    QTest.keyClick(hand.window, KEY.Key_N, CTRL)
    QTest.keyClick(hand.window, KEY.Key_D, CTRL)
    hand.type("gab")

    assert hand.melody() == [(0, 4, 67), (4, 8, 69), (8, 12, 71)]
    assert hand.document.title == TITLE
    assert hand.document.piece is not None
    assert (hand.document.piece.pitches[:, 1:] == REST).all()


def test_n_begins_and_escape_ends(hand: Hand) -> None:
    hand.type("n")
    shown = [bar_of(hand.window).isVisible(), hand.roll.input_cursor is not None]
    hand.press(KEY.Key_Escape)
    hidden = [bar_of(hand.window).isVisible(), hand.roll.input_cursor is not None]
    assert (shown, hidden) == ([True] * 2, [False] * 2)
    hand.type("c")
    assert hand.document.piece is None


def test_new_document_ends_it(writing: Hand) -> None:
    writing.show(AIR)
    writing.press(KEY.Key_PageDown, KEY.Key_PageDown)
    writing.type("6c")
    writing.document.mark_saved()
    QTest.keyClick(writing.window, KEY.Key_N, CTRL)
    assert writing.document.piece is None
    assert writing.input.cursor is None
    assert not bar_of(writing.window).isVisible()
    assert (writing.document.selection, writing.document.sketch) == (None, None)
    assert writing.window.state == ""
    writing.type("n")
    assert cursor_of(writing) == Cursor(voice=0, step=0)


def test_input_opens_the_sheet(hand: Hand) -> None:
    hand.window.pages.open("experiment")
    QTest.keyClick(hand.window, KEY.Key_D, CTRL)
    assert hand.window.pages.current == "compose"
    assert hand.roll.hasFocus()


def test_durations_dots_and_rests(writing: Hand) -> None:
    writing.type("3c4d5e6f")
    assert writing.melody() == [(0, 1, 72), (1, 3, 74), (3, 7, 76), (7, 15, 77)]
    writing.type("4.g05a")
    assert writing.melody()[4:] == [(15, 18, 79), (21, 25, 81)]


def test_tied_notes_are_one_longer_note(writing: Hand) -> None:
    writing.type("6g4t")
    assert writing.melody() == [(0, 10, 67)]
    writing.type("a0t")
    assert writing.window.state == NOTHING_TO_TIE[0].upper() + NOTHING_TO_TIE[1:]
    assert writing.melody() == [(0, 10, 67), (10, 12, 69)]
    assert cursor_of(writing).step == 14


def test_a_midi_keyboard_writes_notes_of_the_chosen_length(
    hand: Hand, hands: FakeKeyboards, click: ManualOutput
) -> None:
    """It is let go of at the end, and when a recording needs it."""
    hand.type("n6")
    for pitch in (60, 66):
        hands.play(click, pitch, 0.5)
    assert hand.melody() == [(0, 8, 60), (8, 16, 66)]
    hand.press(KEY.Key_Escape)
    assert hands.opened[-1].closed
    hand.type("n")
    hand.window.commands.rewriting.record.trigger()
    assert hand.input.cursor is None
    hands.play(click, 62, 0.5)
    assert hand.melody() == [(0, 8, 60), (8, 16, 66)]


def test_note_input_listens_to_the_keyboard_that_was_chosen_last(
    hand: Hand, hands: FakeKeyboards
) -> None:
    hands.names = ["Organ", "Piano"]
    recorder = hand.input._recorder  # noqa: SLF001  # the one of the dialog, too
    recorder.arm("Piano")
    recorder.close()
    hand.type("n")
    assert recorder.armed == "Piano"
    hand.press(KEY.Key_Escape)
    hands.names = ["Organ"]
    hand.type("n")
    assert recorder.armed == "Organ"


def test_a_keyboard_that_does_not_open_is_reported_and_letters_still_write(
    hand: Hand, hands: FakeKeyboards
) -> None:
    hands.names = ["Gone"]
    hand.type("ng")
    assert "Gone does not open" in hand.window.compose_page.banner.message
    assert hand.melody() == [(0, 4, 67)]


def test_sixteenth_has_no_dot(writing: Hand) -> None:
    writing.type("3.")
    assert writing.window.state == SHORTEST[0].upper() + SHORTEST[1:]
    assert not bar_of(writing.window).dot.isChecked()


def test_all_four_voices(writing: Hand) -> None:
    writing.type("c")
    for letter in "gec":
        writing.press(KEY.Key_PageDown, KEY.Key_Home)
        writing.type(letter)
    assert [writing.melody(voice)[0][2] for voice in range(4)] == [72, 67, 64, 48]
    writing.press(KEY.Key_PageDown, KEY.Key_PageUp)
    assert cursor_of(writing).voice == 2


def test_up_and_down_change_the_written_note(writing: Hand) -> None:
    """The keys are those of MuseScore; the commands of the Edit menu change it, too."""
    writing.type("gf")
    writing.press(KEY.Key_Up)
    writing.press(KEY.Key_Down, held=CTRL)
    assert writing.melody()[1] == (4, 8, 54)
    writing.press(KEY.Key_Down, KEY.Key_Down)
    writing.press(KEY.Key_Up, held=ALT)
    writing.press(KEY.Key_Up)
    assert writing.melody()[1] == (4, 8, 54)
    assert cursor_of(writing).step == 8
    writing.type("g")
    assert writing.melody()[2] == (8, 12, 55)


def test_bar_added_for_one_note_goes_with_it(writing: Hand) -> None:
    writing.show(AIR)
    writing.press(KEY.Key_End)
    writing.type("g")
    assert steps_of(writing) == 48
    writing.press(KEY.Key_Up, held=ALT)
    writing.press(KEY.Key_Backspace)
    assert steps_of(writing) == 32
    writing.command("add_bar").trigger()
    writing.press(KEY.Key_Backspace)
    assert steps_of(writing) == 48


def test_arrows_move_by_notes_and_select_the_one_before(writing: Hand) -> None:
    writing.type("gab")
    writing.press(KEY.Key_Left, KEY.Key_Left)
    assert cursor_of(writing).step == 4
    assert writing.document.selection is not None
    assert writing.document.selection.start == 0
    writing.type("c")
    assert writing.melody() == [(0, 4, 67), (4, 8, 72), (8, 12, 71)]
    writing.press(KEY.Key_Home)
    assert cursor_of(writing).step == 0
    writing.press(KEY.Key_End)
    assert cursor_of(writing).step == 12


def test_undo_takes_the_cursor_back(writing: Hand) -> None:
    """A wrong note is undone, and the right one typed in its place; Redo goes on.

    The first note is undone, too: the piece is empty again.
    """
    writing.type("gab")
    assert writing.undo == "new note of the soprano in bar 1"
    writing.window.commands.undo.trigger()
    assert cursor_of(writing).step == 8
    writing.window.commands.redo.trigger()
    assert cursor_of(writing).step == 12
    for _ in range(2):
        writing.window.commands.undo.trigger()
    assert writing.melody() == [(0, 4, 67)]
    assert cursor_of(writing).step == 4
    writing.window.commands.undo.trigger()
    assert writing.melody() == []
    assert cursor_of(writing).step == 0
    assert not writing.window.commands.undo.isEnabled()
    writing.window.commands.redo.trigger()
    assert writing.melody() == [(0, 4, 67)]


def test_letters_work_on_the_score(writing: Hand) -> None:
    writing.type("g")
    QTest.keyClicks(writing.window.compose_page.score, "a")
    assert [pitch for *_, pitch in writing.melody()] == [67, 69]


def test_input_begins_at_the_selection(hand: Hand) -> None:
    hand.show(AIR)
    hand.select((1, 2), 8, 12)
    hand.type("n")
    assert (cursor_of(hand).voice, cursor_of(hand).step) == (1, 8)
    hand.type("f")
    assert hand.melody(1) == [(0, 8, 67), (8, 12, 65)]


def test_input_without_a_selection_continues_the_melody(hand: Hand) -> None:
    hand.show(Chorale.of([(72, -1, -1, -1)] * 12 + [(-1, -1, -1, -1)] * 20))
    hand.type("n")
    assert cursor_of(hand).step == 12
    hand.type("n")
    hand.show(AIR)
    hand.click(8.5, 80)
    hand.type("n")
    assert cursor_of(hand).step == 8


def test_selected_note_takes_the_cursor_along(writing: Hand) -> None:
    writing.show(AIR)
    writing.select((3,), 0, 4)
    assert (cursor_of(writing).voice, cursor_of(writing).step) == (3, 8)


# ---------------------------------------------------------------------- the mouse


def test_clicks_and_drags_write_the_voice_of_the_cursor(writing: Hand) -> None:
    assert writing.hover(0.5, 67).name == "CrossCursor"
    assert writing.roll.ghost == ((0, 4, 67, 0),)
    QTest.mouseClick(writing.roll.viewport(), Qt.MouseButton.RightButton, pos=writing.point(9, 67))
    assert writing.document.piece is None
    writing.click(0.5, 67)
    writing.drag((4.5, 69), (11.5, 69))
    assert writing.melody() == [(0, 4, 67), (4, 12, 69)]
    assert cursor_of(writing).step == 12
    writing.click(1.5, 67)
    assert writing.melody() == [(4, 12, 69)]
    assert cursor_of(writing).step == 0
    writing.press(KEY.Key_PageDown)
    writing.type("6")
    writing.click(8.5, 60)
    assert writing.melody(1) == [(8, 16, 60)]


def test_bar_sets_voice_and_duration(writing: Hand) -> None:
    bar = bar_of(writing.window)
    bar.voices[3].click()
    bar.durations[8].click()
    bar.dot.click()
    assert cursor_of(writing) == Cursor(voice=3, step=0, duration=8, dotted=True)
    assert (bar.voices[3].isChecked(), bar.durations[8].isChecked()) == (True, True)
    bar.rest.click()
    writing.type("c4")
    assert writing.melody(3) == [(12, 24, 48)]
    assert bar.durations[2].isChecked()
    assert not bar.dot.isChecked()
    bar.close_button.click()
    assert writing.input.cursor is None


# ---------------------------------------------------------------------- the sheet


def test_note_input_shows_a_hint(writing: Hand) -> None:
    """It is on the empty sheet, which has no bars of a pickup that the seed would draw."""
    assert writing.roll.hint == module.HINT
    assert writing.window.state.startswith("Note input, soprano")
    writing.window.compose_page.controls.compose_form.phrases.setText("auto")
    for seed in range(4):
        writing.window.compose_page.controls.compose_form.seed.set_value(seed)
        assert writing.roll.picture is not None
        assert writing.roll.picture.pickup == 0
    writing.press(KEY.Key_Escape)
    assert writing.roll.hint != module.HINT


def test_new_document_is_written_from_the_beginning(writing: Hand) -> None:
    writing.type("gab")
    writing.document.set_aside()
    assert cursor_of(writing).step == 0
    writing.type("c")
    assert writing.melody() == [(0, 4, 72)]


def test_written_melody_can_be_harmonised(writing: Hand, user: User) -> None:
    writing.type("cdefg")
    writing.window.commands.rewriting.harmonise.trigger()
    dialog = user.app.writing.dialog
    assert dialog is not None
    assert dialog.chosen().title == "Current piece: Melody"
    dialog.accept()
    user.wait(lambda: bool(user.jobs.candidate_requests) and not user.writer.busy)


def test_fermata_is_put_on_the_note_just_written(writing: Hand) -> None:
    writing.type("gab")
    writing.press(KEY.Key_F, held=CTRL)
    assert writing.document.piece is not None
    assert writing.document.piece.fermatas[8:12].all()
    writing.type("c")
    assert writing.melody()[3] == (12, 16, 72)


def test_from_the_first_note_on_key_meter_and_pickup_are_those_of_the_piece(writing: Hand) -> None:
    form = writing.window.compose_page.controls.compose_form
    fields = (form.key, form.meter, form.pickup)
    form.key.set_value(Key.parse("G"))
    writing.type("g")
    assert {(field.isEnabled(), field.toolTip()) for field in fields} == {
        (False, with_keys(module.OWN))
    }
    assert writing.document.form.key == Key.parse("G")
    writing.press(KEY.Key_Escape)
    assert all(field.isEnabled() for field in fields)


def test_invalid_form_is_reported(writing: Hand) -> None:
    writing.window.compose_page.controls.compose_form.phrases.setText("7")
    writing.roll.setFocus()
    writing.type("c")
    assert writing.document.piece is None
    writing.press(KEY.Key_Down)
    assert "The phrases have 7 bars" in writing.window.compose_page.banner.message


def test_nothing_is_written_during_generation(writing: Hand, user: User) -> None:
    user.hold(8)
    act, bar = user.act.draw, bar_of(user.window)
    assert (act.isEnabled(), act.toolTip()) == (False, GENERATING)
    assert (bar.rest.isEnabled(), bar.rest.toolTip()) == (False, GENERATING)
    writing.type("c")
    user.stop()
    assert act.isEnabled()
    assert bar.rest.isEnabled()


def test_nothing_is_written_in_a_preview(hand: Hand, app: AppController) -> None:
    hand.show(AIR)
    hand.type("n")
    app.document.preview(AIR.transposed(1))
    hand.type("c")
    assert hand.document.piece is AIR
    assert hand.window.commands.rewriting.draw.toolTip() == with_keys(PREVIEWING)
    hand.type("n")
    assert hand.window.state == with_keys(PREVIEWING)


def test_focus_leaves_letters_alone(writing: Hand) -> None:
    field = writing.window.compose_page.controls.compose_form.phrases
    QTest.keyClicks(field, "c")
    assert writing.document.piece is None


def test_held_key_switches_note_input_once(hand: Hand) -> None:
    for repeated in (False, True):
        press = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_N, NONE, "n", autorep=repeated)
        QApplication.sendEvent(hand.roll, press)
    assert hand.input.cursor is not None


def step_of(hand: Hand) -> int:
    assert hand.input.cursor is not None
    return hand.input.cursor.step


def test_first_note_is_one_step_of_undo(writing: Hand) -> None:
    writing.press(KEY.Key_Backspace)
    writing.type("0")
    assert writing.document.piece is None
    assert writing.document.saved
    assert step_of(writing) == 4
    writing.type("g")
    assert writing.melody() == [(4, 8, 67)]
    writing.document.undo()
    assert writing.melody() == []
    assert writing.document.undo_state is None


def test_overtyped_note_of_the_same_pitch_is_selected_and_played(
    writing: Hand, app: AppController, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing.type("ga")
    writing.press(KEY.Key_Home)
    before = writing.document.piece
    played: list[Chorale] = []
    monkeypatch.setattr(app.player, "preview", played.append)
    writing.type("g")
    assert writing.document.piece is before
    assert writing.document.selection == Selection(voices=(0,), start=0, stop=4)
    assert step_of(writing) == 4
    assert [int(piece.pitches[0, 0]) for piece in played] == [67]
