"""Locking, rewriting and marking as their user meets them, on jobs that need no model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale, Voice
from musicrel.errors import GenerationError
from musicrel.generation.candidates.candidate_job import Stuck
from musicrel.presentation.compose import rewrite_form
from musicrel.presentation.compose.rewrite_form import Rewriting
from musicrel.presentation.roll.selection import Selection
from musicrel.score import files
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.app_controller import House
from musicrel.ui.controllers import candidates_controller as proposing_module
from musicrel.ui.controllers import lock_controller as locking_module
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import PATIENCE, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

INNER = Selection(voices=(1, 2), start=4, stop=12)


@pytest.fixture
def act(house: House, window: MainWindow, qtbot: QtBot) -> RewriteCommands:
    """The commands, with a piece of two bars on the sheet."""
    house.studio.generate()
    qtbot.waitUntil(lambda: house.studio.piece is not None and not house.studio.busy)
    return window.commands.rewriting


def rewrite(
    house: House, window: MainWindow, qtbot: QtBot, selection: Selection | None = INNER
) -> Chorale:
    """Select something, rewrite it, wait for the versions; the original."""
    piece = house.studio.piece
    assert piece is not None
    window.page.selecting.select(selection)
    window.page.strip.rewrite.click()
    qtbot.waitUntil(lambda: not house.proposing.busy)
    return piece


def seen(window: MainWindow) -> list[int]:
    """The pitch of the alto at step 4, as the roll shows it."""
    picture = window.page.roll.picture
    assert picture is not None
    return [n.pitch for n in picture.notes if n.voice == 1 and n.start <= 4 < n.stop]


def listed(window: MainWindow) -> list[int | None]:
    """The numbers of the candidates in the order of the table."""
    table = window.page.candidates.table
    return [table.number_at(row) for row in range(table.rowCount())]


# ---------------------------------------------------------------------- locks


def test_selection_is_locked_and_unlocked(
    act: RewriteCommands, house: House, window: MainWindow
) -> None:
    """Shown on the roll and in words; locked notes say so."""
    window.page.selecting.select(INNER)
    act.lock.trigger()

    cells = house.locking.cells
    assert cells is not None
    assert (int(cells.sum()), act.lock.isChecked()) == (16, True)
    assert "part of Alto and Tenor" in window.page.strip.words.whole
    assert window.page.roll._layers.decor.locked
    act.lock.trigger()
    assert not house.locking.cells.any()  # type: ignore[union-attr]
    assert not window.page.roll._layers.decor.locked


def test_voices_and_chords_are_locked_by_menu_and_legend(
    act: RewriteCommands, house: House, window: MainWindow
) -> None:
    """A click on a voice locks it from beginning to end, as its key does."""
    legend = window.page.legend
    legend.resize(legend.sizeHint())
    QTest.mouseClick(legend, Qt.MouseButton.LeftButton, pos=QPoint(legend.width() - 20, 8))
    act.voices[Voice.SOPRANO].trigger()
    act.last_chord.trigger()

    cells = house.locking.cells
    assert cells is not None
    assert cells[:, [0, 3]].all()
    assert cells[-1].all()
    assert not cells[0, 1:3].any()
    assert [action.isChecked() for action in act.voices] == [True, False, False, True]
    assert legend.accessibleDescription() == "Locked: Soprano, Bass"
    act.unlock.trigger()
    assert not house.locking.cells.any()  # type: ignore[union-attr]


def test_locks_are_undone_and_stay_with_their_piece(
    act: RewriteCommands, house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """Another piece has none; the one before has its own when it is back."""
    act.voices[0].trigger()
    first = house.studio.piece
    house.studio.generate()
    qtbot.waitUntil(lambda: house.studio.piece is not None and not house.studio.busy)
    assert house.locking.cells is not None
    assert not house.locking.cells.any()

    window.commands.undo.trigger()
    assert house.studio.piece is first
    assert house.locking.cells[:, 0].all()
    assert window.commands.undo.text() == "&Undo: locks"
    window.commands.undo.trigger()
    assert house.studio.piece is first
    assert not house.locking.cells.any()
    window.commands.redo.trigger()
    assert house.locking.cells[:, 0].all()


def test_locks_go_into_the_file_and_come_back(
    act: RewriteCommands, house: House, qtbot: QtBot, tmp_path: Path
) -> None:
    """With where the piece comes from."""
    act.voices[3].trigger()
    piece = house.studio.piece
    assert piece is not None
    house.filing.save_as(piece, tmp_path / "locked.mid")
    qtbot.waitUntil(lambda: not house.filing.busy)

    again = files.read(tmp_path / "locked.mid")
    assert again.provenance is not None
    assert again.provenance.settings["locked"] == [[3, 0, 32]]
    house.filing.open(tmp_path / "locked.mid")
    qtbot.waitUntil(lambda: not house.filing.busy)
    assert house.locking.cells is not None
    assert np.flatnonzero(house.locking.cells.all(axis=0)).tolist() == [3]


def test_what_cannot_be_locked_says_why(house: House, window: MainWindow) -> None:
    """No piece; no selection."""
    act = window.commands.rewriting
    assert act.lock.toolTip() == act.voices[0].toolTip() == locking_module.NO_PIECE
    house.studio.show_piece(Chorale.of([(72, 67, 64, 48)] * 8), None, "", saved=True)
    assert act.lock.toolTip() == locking_module.NO_SELECTION
    assert act.unlock.toolTip() == locking_module.NOTHING_LOCKED


# ---------------------------------------------------------------------- rewriting


def test_rewriting_asks_for_the_selection_but_for_its_locks(
    act: RewriteCommands, house: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """As many versions as the field says, by the form's model, surprise and rules."""
    act.voices[2].trigger()
    window.page.strip.count.setValue(3)
    window.page.controls.entries.rules.boxes["crossing"].setChecked(True)
    rewrite(house, window, qtbot)

    ((name, device, wish),) = jobs.asked_to_rewrite
    assert (name, device, wish.count) == ("full", "auto", 3)
    assert wish.form.rules == ("range", "crossing")
    assert isinstance(wish, Rewriting)
    assert int(wish.free.sum()) == 8
    assert sorted(number or 0 for number in listed(window)) == [0, 1, 2, 3]


def test_best_version_is_seen_and_heard_at_once(
    act: RewriteCommands, house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """While the piece on the sheet is still the original, which is what is kept and saved."""
    piece = rewrite(house, window, qtbot)

    best = listed(window)[1]
    assert best == house.proposing._chosen
    assert seen(window) == [67 + (best or 0)]
    assert house.listening._piece is not piece
    assert house.studio.piece is piece
    assert not window.page.save.isEnabled()
    assert window.page.save.toolTip() == proposing_module.SEEN
    assert not window.page.handle.isEnabled()
    del act


def test_arrows_audition_and_playback_stays_where_it_is(
    act: RewriteCommands, house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """What plays goes over to the candidate; the playhead does not move."""
    rewrite(house, window, qtbot)
    player = house.listening._player
    house.listening.seek(6.0, in_ruler=False)
    table = window.page.candidates.table
    heard = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(table, key)
        heard.append(player.chorale)
        assert player.position == 6.0
        assert player.chorale is not None
        assert seen(window) == [int(player.chorale.pitches[4, 1])]

    assert heard[0] is heard[2] is not heard[1]
    act.previous.trigger()
    act.previous.trigger()
    assert table.currentRow() == 0
    assert player.chorale is house.studio.piece


def test_enter_accepts_and_undo_brings_the_original_back(
    act: RewriteCommands, house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """The locks go along; where it comes from is kept."""
    act.voices[0].trigger()
    piece = rewrite(house, window, qtbot)
    QTest.keyClick(window.page.candidates.table, Qt.Key.Key_Return)

    taken = house.studio.piece
    assert taken is not None
    assert taken is not piece
    assert taken.title == "Chorale 7, rewritten"
    assert taken.provenance is not None
    assert window.isWindowModified()
    assert window.page.save.isEnabled()
    assert window.page.candidates.isHidden()
    assert house.locking.cells is not None
    assert house.locking.cells[:, 0].all()
    window.commands.undo.trigger()
    assert house.studio.piece is piece
    assert seen(window) == [67]


def test_escape_goes_back_and_then_closes(
    act: RewriteCommands, house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """Nothing is changed."""
    piece = rewrite(house, window, qtbot)
    QTest.keyClick(window.page.candidates.table, Qt.Key.Key_Escape)
    assert (house.proposing._chosen, window.page.candidates.isHidden()) == (0, False)
    assert seen(window) == [67]
    QTest.keyClick(window.page.candidates.table, Qt.Key.Key_Escape)

    assert window.page.candidates.isHidden()
    assert house.studio.piece is piece is house.listening._piece
    assert window.page.save.isEnabled()
    del act


def test_escape_cancels_while_versions_are_written(
    act: RewriteCommands, house: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The button says so, the bar shows how far it is; the piece is as it was."""
    jobs.hold_proposing = True
    window.page.strip.rewrite.click()
    assert jobs.waiting.wait(PATIENCE)
    qtbot.waitUntil(lambda: window.page.candidates.progress.value() == 250)
    assert window.page.strip.rewrite.text() == "Cancel"
    QTest.keyClick(window, Qt.Key.Key_Escape)
    jobs.gate.set()

    assert not house.proposing.busy
    qtbot.waitUntil(lambda: house.proposing.versions.idle)
    assert window.page.strip.rewrite.text() == "Vary piece"
    assert window.page.candidates.isHidden()
    assert window.state == proposing_module.CANCELLED
    assert not act.back.isEnabled()


@pytest.mark.parametrize("change", ["piece", "model", "generate"])
def test_versions_that_nobody_waits_for_are_dropped(
    change: str, act: RewriteCommands, house: House, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """When another piece is on the sheet, or another model is chosen."""
    window = house.studio._window
    jobs.hold_proposing = True
    window.page.strip.rewrite.click()
    assert jobs.waiting.wait(PATIENCE)
    match change:
        case "piece":
            other = Chorale.of([(72, 67, 64, 48)] * 8)
            house.studio.show_piece(other, None, "", saved=True)
        case "model":
            window.page.controls.entries.model.setCurrentIndex(1)
        case _:
            house.studio.generate()
    jobs.gate.set()
    qtbot.waitUntil(lambda: house.proposing.versions.idle and not house.studio.busy)

    assert window.page.candidates.isHidden()
    assert listed(window) == []
    assert not house.proposing.open
    del act


def test_other_weights_rank_at_once(
    act: RewriteCommands, house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """The candidate that is looked at stays the same one; Reset sets all back."""
    window.page.strip.count.setValue(3)
    rewrite(house, window, qtbot)
    fields = window.page.candidates.weights.fields
    before, chosen = listed(window), house.proposing._chosen
    fields["grade"].setValue(5.0)

    assert listed(window) == [0, 1, 2, 3] != before
    assert window.page.candidates.table.currentRow() == listed(window).index(chosen)
    assert house.proposing._chosen == chosen
    window.page.candidates.weights.reset.click()
    assert listed(window) == before
    del act


def test_the_same_wish_again_gives_other_versions(
    act: RewriteCommands, house: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The seed is rolled, as it is for a piece."""
    rewrite(house, window, qtbot)
    rewrite(house, window, qtbot)

    one, other = (wish.form.seed for _, _, wish in jobs.asked_to_rewrite)
    assert one == 7 != other
    del act


@pytest.mark.parametrize(
    "sentence",
    [
        "the locked notes break the rule 'range' in bar 1, Tenor: switch the rule off",
        "no note is left for the Bass at step 9: the partial piece is kept",
    ],
)
def test_failures_are_told_and_nothing_is_lost(
    sentence: str, act: RewriteCommands, house: House, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The engine's own sentence stands in the banner; the piece and the selection stay."""
    window = house.studio._window
    jobs.propose_error = GenerationError(sentence)
    piece = rewrite(house, window, qtbot)

    assert window.page.banner.sentence == sentence[:1].upper() + sentence[1:]
    assert house.studio.piece is piece
    assert window.page.candidates.isHidden()
    assert window.page.selecting.selection == INNER
    assert act.rewrite.isEnabled()


def test_all_locked_is_told_at_once(
    act: RewriteCommands, window: MainWindow, jobs: FakeJobs
) -> None:
    """Nothing is begun."""
    for action in act.voices:
        action.trigger()
    act.rewrite.trigger()

    assert window.page.banner.sentence.startswith("Every note is locked: unlock")
    assert jobs.asked_to_rewrite == []


def test_versions_that_came_to_no_end_are_told(
    act: RewriteCommands, house: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Below the others."""
    jobs.stuck = (Stuck(number=9, seed=15, sentence="no note is left", written=None),)
    rewrite(house, window, qtbot)

    assert window.page.candidates.note.text() == "1 version came to no end: no note is left"
    del act


def test_small_window_shows_candidates_in_place_of_the_form(
    act: RewriteCommands, house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """Nothing is squeezed; the form is back when they are gone."""
    window.resize(1000, 600)
    rewrite(house, window, qtbot)
    assert (window.page.controls.isHidden(), window.page.candidates.isVisible()) == (True, True)
    assert window.page.desk.width() > 540
    window.resize(1320, 840)
    assert not window.page.controls.isHidden()
    window.resize(1000, 600)
    window.page.candidates.close_button.click()
    assert not window.page.controls.isHidden()
    del act


def test_button_says_that_a_causal_model_cannot_look_ahead(
    act: RewriteCommands, window: MainWindow
) -> None:
    """In its tooltip, and for those who listen."""
    for text in (window.page.strip.rewrite.toolTip(), act.rewrite.statusTip()):
        assert "cannot look ahead" in text
        assert "ranked" in text


def test_what_is_locked_and_what_is_kept_ahead_says_so_too(
    act: RewriteCommands, house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """Where one locks, in words below the sheet, and beside the versions where it matters."""
    rewrite(house, window, qtbot)
    assert window.page.candidates.aside.text() == rewrite_form.BLIND
    assert window.page.candidates.aside.isVisible()
    window.page.candidates.close_button.click()
    act.voices[0].trigger()
    for text in (act.lock.toolTip(), window.page.strip.words.toolTip()):
        assert "cannot look ahead" in text

    act.unlock.trigger()
    assert window.page.strip.words.toolTip() == ""
    rewrite(house, window, qtbot, None)
    assert not window.page.candidates.aside.isVisible()


# ---------------------------------------------------------------------- marks


def test_marks_are_shown_with_their_sentence(
    act: RewriteCommands, house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """At the note, with Bach's rate; the summary has a table; off is off."""
    fifths = Chorale.of([(67, 64, 55, 48)] * 8 + [(69, 65, 55, 50)] * 8)
    house.studio.show_piece(fifths, None, "", saved=True)
    act.marks.trigger()
    qtbot.waitUntil(lambda: house.marking.counts is not None)

    roll = window.page.roll
    assert roll.picture is not None
    note = next(one for one in roll.picture.notes if one.start == 8 and one.voice == 0)
    assert "Parallel fifths: Soprano and Bass" in roll._words(note)
    assert "Bach: 0.64 per 1,000 notes" in roll._words(note)
    assert "Parallel" in window.page.strip.words.whole
    assert "<table>" in window.page.strip.words.toolTip()
    assert roll._layers.decor.marked.notes
    assert window.page.score._marks
    act.marks.trigger()
    assert not window.page.score._marks
    assert not roll._layers.decor.marked.notes
    assert window.page.strip.words.whole == ""


def test_marks_follow_the_candidate_that_is_seen(
    act: RewriteCommands, house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """Its own, not those of the original."""
    act.marks.trigger()
    rewrite(house, window, qtbot)
    qtbot.waitUntil(lambda: house.marking.counts is not None)

    assert house.marking._piece is house.listening._piece is not house.studio.piece


# ---------------------------------------------------------------------- rules


def test_rules_are_remembered(house: House, window: MainWindow) -> None:
    """For the next start; those that come with a piece are shown, but not remembered."""
    entries = window.page.controls.entries
    entries.rules.boxes["parallels"].setChecked(True)
    assert house.studio.preferences.settings.rules == "range,parallels"
    entries.set_form(replace(entries.form(), rules=("rests",)))
    assert entries.rules.value() == ("rests",)
    assert house.studio.preferences.settings.rules == "range,parallels"


def test_scale_is_idle_without_a_key(house: House, window: MainWindow) -> None:
    """A model that is told none cannot keep to it; with one that is, the form asks for it."""
    entries = window.page.controls.entries
    entries.rules.boxes["scale"].setChecked(True)
    assert "needs to know the key" in entries.problem.text()
    entries.model.setCurrentIndex(1)
    assert not entries.rules.boxes["scale"].isEnabled()
    assert entries.rules.boxes["scale"].toolTip().startswith("Not with plain. The rule needs a key")
    assert "scale" not in entries.form().rules
    del house
