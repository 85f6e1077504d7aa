"""Attention and surprisal as their user meets them, on jobs that need no model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.errors import ModelError
from musicrel.presentation.attention.piece_analysis import Head
from musicrel.presentation.roll.selection import Selection
from musicrel.ui.controllers import attention_controller as looking_module
from musicrel.ui.controllers.attention_controller import Looking
from musicrel.ui.controllers.compose_controller import Studio
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import PATIENCE, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


@pytest.fixture
def looking(studio: Studio, window: MainWindow, jobs: FakeJobs) -> Iterator[Looking]:
    """The conductor of attention, in the attention place."""
    conductor = Looking(window, studio, jobs.read)
    window.places.open("attention")
    yield conductor
    jobs.gate.set()
    assert conductor.shut_down()


def generate(qtbot: QtBot, studio: Studio) -> None:
    """Write a piece to its end."""
    studio.generate()
    qtbot.waitUntil(lambda: studio.piece is not None and not studio.busy)


def choose_model(window: MainWindow, row: int) -> None:
    """Choose a model in the attention place, as a user would."""
    window.attention.model.setCurrentIndex(row)
    window.attention.model.activated.emit(row)


def test_empty_place_says_what_will_be_there(looking: Looking, window: MainWindow) -> None:
    """And names the way to it."""
    assert window.attention.empty.text() == looking_module.NO_PIECE
    assert window.attention.empty.isVisible()
    assert looking.readings.current is None


def test_attention_is_seen_while_the_model_writes(
    looking: Looking, studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The newest note in view, in words; nothing had to be read for it."""
    jobs.hold_at = 70
    studio.generate()
    assert jobs.waiting.wait(PATIENCE)
    qtbot.waitUntil(lambda: looking.readings.current is not None)
    qtbot.waitUntil(lambda: looking.readings.current.cells == 70)  # type: ignore[union-attr]

    assert window.attention.map.isVisible()
    assert window.attention.who.text() == "of full, which wrote this piece"
    assert window.attention.words.text().startswith("Alto G4 (bar 2, beat 1¼) looked 100 % at")
    assert window.attention.run.defaultAction() is window.commands.stop
    jobs.gate.set()
    qtbot.waitUntil(lambda: not studio.busy)
    assert window.attention.run.defaultAction() is window.commands.generate
    assert looking.readings.current is not None
    assert looking.readings.current.cells == 128
    assert jobs.asked_to_read == []


def test_other_model_reads_the_same_piece(
    looking: Looking, studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """In a job; going back to the writer needs none."""
    generate(qtbot, studio)
    own = looking.readings.current
    choose_model(window, 1)
    qtbot.waitUntil(lambda: looking.readings.current not in (None, own))

    assert [(name, piece) for name, _, piece in jobs.asked_to_read] == [("plain", studio.piece)]
    assert window.attention.who.text() == "of plain, reading a piece it did not write"
    assert window.page.controls.entries.form().model == "plain"
    choose_model(window, 0)
    assert looking.readings.current is own
    assert len(jobs.asked_to_read) == 1


def test_reading_of_a_piece_that_has_gone_is_dropped(
    looking: Looking, studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """What comes too late is shown to nobody; what is wanted now is read then."""
    generate(qtbot, studio)
    jobs.hold_reading = True
    choose_model(window, 1)
    assert jobs.waiting.wait(PATIENCE)
    assert window.attention.empty.text() == "Reading the piece with plain …"
    choose_model(window, 0)
    own = looking.readings.current
    jobs.gate.set()
    qtbot.waitUntil(lambda: not looking.readings.busy)

    assert looking.readings.current is own
    assert own is not None
    assert own.wrote


def test_nothing_is_read_while_nobody_looks(
    looking: Looking, studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The processor is for writing then; the place is filled when it is opened."""
    window.places.open("compose")
    generate(qtbot, studio)
    window.page.controls.entries.model.setCurrentIndex(1)
    assert jobs.asked_to_read == []

    window.places.open("attention")
    qtbot.waitUntil(lambda: looking.readings.current is not None)
    qtbot.waitUntil(lambda: looking.readings.current.model == "plain")  # type: ignore[union-attr]


def test_failure_is_told_where_the_map_would_be(
    looking: Looking, studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """As a sentence; the next choice tries again."""
    generate(qtbot, studio)
    jobs.read_error = ModelError("its weights are truncated")
    choose_model(window, 1)
    qtbot.waitUntil(lambda: window.attention.empty.text() == "Its weights are truncated")

    choose_model(window, 0)
    assert window.attention.map.isVisible()
    del looking


def test_piece_that_is_too_long_says_so(
    looking: Looking,
    studio: Studio,
    window: MainWindow,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the limit; its surprisal is known all the same."""
    monkeypatch.setattr(looking_module, "MOST_TOKENS", 100)
    generate(qtbot, studio)

    assert "up to 100 cells, which is 1 bars" in window.attention.empty.text()
    assert looking.readings.current is not None
    assert np.isfinite(looking.readings.current.nats).all()


def test_long_piece_is_not_read_for_weights_nobody_keeps(
    *,
    looking: Looking,
    studio: Studio,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The attention place says so at once; notes coloured by surprisal are worth the reading."""
    monkeypatch.setattr(looking_module, "MOST_TOKENS", 100)
    generate(qtbot, studio)
    choose_model(window, 1)
    assert "up to 100 cells" in window.attention.empty.text()
    assert not looking.readings.busy

    window.page.surprisal.setChecked(True)
    qtbot.waitUntil(lambda: len(jobs.asked_to_read) == 1)


def test_long_reading_tells_how_far_it_is_and_ends_when_asked(
    looking: Looking, studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Closing the window does not wait for the rest of it."""
    generate(qtbot, studio)
    jobs.read_for_ever = True
    choose_model(window, 1)
    qtbot.waitUntil(lambda: window.state == "Reading the piece with plain: 25%")

    assert window.attention.empty.text() == window.state
    assert looking.shut_down()


def test_selected_note_is_in_view(
    looking: Looking, studio: Studio, window: MainWindow, qtbot: QtBot
) -> None:
    """Its strongest look in words, its shares as marks on the bars; Escape lets it go."""
    generate(qtbot, studio)
    window.page.selecting.select(Selection(voices=(2,), start=5, stop=6))

    assert (
        "looked 100 % at Alto G4 (bar 1, beat 2¼), its strongest" in window.attention.words.text()
    )
    assert window.state == "Tenor: bar 1, beat 2¼"
    assert "same step: " in window.attention.by_lag.accessibleDescription()
    assert "this note 100 %" in window.attention.by_lag.accessibleDescription()
    window.page.selecting.select(None)
    assert "this note" not in window.attention.by_lag.accessibleDescription()
    del looking


def test_row_of_the_map_selects_on_the_roll(
    looking: Looking, studio: Studio, window: MainWindow, qtbot: QtBot
) -> None:
    """One looks at a row, and sees it among the notes."""
    generate(qtbot, studio)
    window.attention.map.cell_chosen.emit(9)

    assert window.page.selecting.selection == Selection(voices=(1,), start=2, stop=3)
    del looking


def test_heads_are_chosen_by_keyboard(
    looking: Looking, studio: Studio, window: MainWindow, qtbot: QtBot
) -> None:
    """From the mean down to the first layer, along it and back."""
    generate(qtbot, studio)
    grid, said = window.attention.grid, []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        QTest.keyClick(grid, key)
        said.append(window.attention.head.text())
    assert said == [
        "Layer 1, head 1", "Layer 1, head 2", "Layer 1, head 2", "Layer 2, head 2",
    ]  # fmt: skip
    QTest.keyClick(grid, Qt.Key.Key_Up)
    QTest.keyClick(grid, Qt.Key.Key_Up)
    assert window.attention.head.text() == "Mean of all heads"
    del looking


def test_head_is_chosen_by_click(
    looking: Looking, studio: Studio, window: MainWindow, qtbot: QtBot
) -> None:
    """On its thumbnail."""
    generate(qtbot, studio)
    grid = window.attention.grid
    QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=grid.box(Head(1, 0)).center())

    assert window.attention.head.text() == "Layer 2, head 1"
    assert grid.accessibleDescription() == "Layer 2, head 1"
    del looking


def test_notes_are_coloured_by_surprisal(
    looking: Looking, studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """In the compose place too; the legend and the menu go along."""
    generate(qtbot, studio)
    window.places.open("compose")
    before = window.page.roll.grab().toImage()
    surprisal = next(a for a in window.commands.tints.actions() if a.data() == "surprisal")
    surprisal.trigger()

    assert window.page.surprisal.isChecked()
    assert window.page.heat_legend.isVisible()
    assert not window.page.legend.isVisible()
    assert "according to full" in window.page.heat_legend.toolTip()
    assert window.page.roll.grab().toImage() != before
    QTest.keyClick(window, Qt.Key.Key_U, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not window.page.surprisal.isChecked())
    assert window.page.roll.grab().toImage() == before
    assert jobs.asked_to_read == []
    del looking


def test_window_closed_while_reading_ends_the_job(
    looking: Looking, studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """In its own thread."""
    generate(qtbot, studio)
    jobs.hold_reading = True
    choose_model(window, 1)
    assert jobs.waiting.wait(PATIENCE)
    jobs.gate.set()

    assert looking.shut_down()
