"""The score as its user meets it: switched to, in step with the roll, while a model writes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.errors import DataError
from musicrel.jobs import Job
from musicrel.presentation.roll.selection import Selection
from musicrel.presentation.score import engraver as verovio_engraving
from musicrel.presentation.score.engraver import Engraved
from musicrel.presentation.score.score_picture import Head, Score
from musicrel.ui.app_controller import House
from musicrel.ui.controllers import engraving_controller as engraving_module
from musicrel.ui.score.engraver import Wish
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import PATIENCE, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
BAR = np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 2, 4, axis=0)


def piece(bars: int = 6, title: str = "Six bars") -> Chorale:
    return Chorale.of(np.tile(BAR, (bars, 1)), title=title)


def opened(house: House, window: MainWindow, qtbot: QtBot, bars: int = 6) -> Chorale:
    """A piece that is engraved and seen as a score."""
    shown = piece(bars)
    house.studio.show_piece(shown, None, "Opened", saved=True)
    window.commands.score.setChecked(True)
    settled(house, qtbot)
    return shown


def settled(house: House, qtbot: QtBot) -> None:
    """Wait until nothing is being engraved or is about to be."""
    own = house.engraving
    qtbot.waitUntil(lambda: not own._engraver.busy and not own._settle.isActive())


def notes(window: MainWindow) -> int:
    """How many heads are seen."""
    score = window.page.score.score
    return sum(len(system.heads) for system in score.systems) if score is not None else 0


def place(window: MainWindow, voice: int, step: int) -> QPoint:
    """Where a voice's head at a step is in the score."""
    view = window.page.score
    index = view.seen.system_of(step)
    assert view.score is not None
    assert index is not None
    found: Head = next(h for h in view.score.systems[index].sounding(step) if h.note.voice == voice)
    x, y = view.seen.point(index, found.x, found.y)
    return QPoint(round(x), round(y))


def test_switch_shows_the_piece_engraved(house: House, window: MainWindow, qtbot: QtBot) -> None:
    """By button, menu and key; nothing is engraved before."""
    house.studio.show_piece(piece(), None, "Opened", saved=True)
    assert window.page.score.score is None
    window.page.sheets["score"].click()
    settled(house, qtbot)

    assert window.page.score.isVisible()
    assert notes(window) == 6 * 16
    assert window.commands.score.isChecked()
    assert not window.page.surprisal.isVisible()
    assert not window.page.legend.isVisible()
    window.commands.score.trigger()
    assert window.page.roll.isVisible()
    assert window.page.sheets["roll"].isChecked()
    assert window.page.legend.isVisible()


def test_empty_score_says_what_will_be_there(
    house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """No piece, no score."""
    window.commands.score.setChecked(True)
    settled(house, qtbot)

    assert window.page.score.score is None
    assert window.page.score._hint == engraving_module.EMPTY


def test_other_piece_takes_the_place_of_the_one_before(
    house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """Whatever was being engraved."""
    opened(house, window, qtbot)
    house.studio.show_piece(piece(40), None, "Opened", saved=True)
    house.studio.show_piece(piece(3), None, "Opened", saved=True)
    assert window.page.score._stale
    settled(house, qtbot)

    assert notes(window) == 3 * 16
    assert not window.page.score._stale


def test_score_comes_in_sections_and_says_how_far_it_is(
    house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """What is there is seen at once."""
    grown: list[float] = []
    said: list[str] = []
    engraver = house.engraving._engraver
    engraver.grew.connect(lambda _, engraved: grown.append(engraved.share))
    engraver.grew.connect(lambda *_: said.append(window.state))
    opened(house, window, qtbot, bars=40)

    assert notes(window) == 40 * 16
    assert grown[-1] == 1.0
    if len(grown) > 1:  # else it was done before the window looked
        assert said[0] == engraving_module.SO_FAR.format(share=grown[0])
        assert said[-1] == engraving_module.DONE


def test_four_staves_are_a_choice(house: House, window: MainWindow, qtbot: QtBot) -> None:
    """Of the score only; elsewhere the command says why not."""
    assert not window.commands.four_staves.isEnabled()
    assert "of the score" in window.commands.four_staves.toolTip()
    opened(house, window, qtbot)
    window.page.four_staves.click()
    settled(house, qtbot)

    assert window.commands.four_staves.isChecked()
    assert window.page.score.score is not None
    assert len(window.page.score.score.systems[0].staves) == 4


def test_playhead_is_that_of_the_roll(house: House, window: MainWindow, qtbot: QtBot) -> None:
    """Where the player is, there it stands; a click puts both elsewhere."""
    opened(house, window, qtbot)
    house.listening.seek(20.0, in_ruler=False)
    assert window.page.score._step == window.page.playhead.step == 20

    QTest.mouseClick(window.page.score.viewport(), LEFT, pos=place(window, 0, 8))

    assert house.listening._player.position == 8
    assert window.page.score._step == window.page.playhead.step == 8


def test_page_turns_with_the_playhead_where_that_is_wished(
    house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """Else it stays."""
    opened(house, window, qtbot, bars=30)
    bar = window.page.score.verticalScrollBar()
    house.listening.seek(29 * 16.0, in_ruler=False)
    assert bar.value() > 0
    bar.setValue(0)
    window.commands.play.follow.setChecked(False)
    house.listening.seek(0.0, in_ruler=False)
    house.listening.seek(29 * 16.0, in_ruler=False)
    assert bar.value() == 0


def test_selection_is_that_of_the_roll(house: House, window: MainWindow, qtbot: QtBot) -> None:
    """From either side; Shift extends it, arrows move it."""
    opened(house, window, qtbot)
    selecting, port = window.page.selecting, window.page.score.viewport()

    QTest.mouseClick(port, LEFT, pos=place(window, 3, 4))
    assert selecting.selection == Selection(voices=(3,), start=4, stop=8)
    QTest.mouseClick(port, LEFT, SHIFT, place(window, 1, 12))
    assert selecting.selection == Selection(voices=(1, 3), start=4, stop=16)
    assert window.page.score._selection == selecting.selection
    selecting.select(Selection(voices=(0,), start=0, stop=4))
    assert window.page.score._selection == selecting.selection
    QTest.keyClick(window.page.score, Qt.Key.Key_Right)
    assert selecting.selection == Selection(voices=(0,), start=1, stop=2)
    QTest.keyClick(window.page.score, Qt.Key.Key_Escape)
    assert selecting.selection is window.page.score._selection is None


def test_zoom_is_that_of_what_is_seen(house: House, window: MainWindow, qtbot: QtBot) -> None:
    """The roll keeps its own."""
    opened(house, window, qtbot)
    roll, score = window.page.roll.seen, window.page.score.seen
    window.commands.zoom_in.trigger()
    settled(house, qtbot)

    assert window.page.roll.seen == roll
    assert window.page.score.seen.space > score.space
    assert window.page.score.score is not score.score


def test_score_grows_while_a_model_writes(
    house: House, window: MainWindow, qtbot: QtBot, jobs: FakeJobs
) -> None:
    """Bar by whole bar; the final bar line comes with the end."""
    window.commands.score.setChecked(True)
    window.page.controls.entries.bars.setValue(4)
    jobs.hold_at = 4 * 40
    window.commands.generate.trigger()
    assert window.page.score._hint == engraving_module.WAITS
    assert jobs.waiting.wait(PATIENCE)
    qtbot.waitUntil(lambda: window.page.score.score is not None)
    last = window.page.score.score.systems[-1]  # type: ignore[union-attr]
    assert last.stop in (16, 32)
    jobs.gate.set()
    qtbot.waitUntil(lambda: not house.studio.busy)
    settled(house, qtbot)

    assert window.page.score.score is not None
    assert window.page.score.score.systems[-1].stop == 64


def test_attention_has_no_room_for_the_score(
    house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """There the sheet is the roll, with its arcs; the score is back with its place."""
    opened(house, window, qtbot)
    window.places.open("attention")
    assert window.page.roll.isVisible()
    assert not window.page.sheets["score"].isVisible()
    window.places.open("compose")

    assert window.page.score.isVisible()
    assert window.page.sheets["score"].isVisible()


def test_without_verovio_the_switch_says_why(
    house: House, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And cannot be used."""
    monkeypatch.setattr(verovio_engraving, "obstacle", lambda: verovio_engraving.MISSING)
    engraving_module.Engraving(window, house.studio, house.listening)

    assert not window.page.sheets["score"].isEnabled()
    assert "verovio is missing" in window.page.sheets["score"].toolTip()
    assert not window.commands.score.isEnabled()
    assert "verovio is missing" in window.commands.score.toolTip()


def test_failure_is_told_where_the_score_would_be(
    house: House, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next piece is engraved all the same."""

    def refuse(wish: Wish) -> Job[Engraved, Score]:
        if wish.piece.title == "bad":
            raise DataError("the piece cannot be engraved: it is bad")
        return (yield from engraving_module.engrave(wish))

    monkeypatch.setattr(house.engraving._engraver, "_engrave", refuse)
    opened(house, window, qtbot)
    house.studio.show_piece(piece(title="bad"), None, "Opened", saved=True)
    settled(house, qtbot)
    assert window.page.score.score is None
    assert window.page.score._hint == ("No score", "The piece cannot be engraved: it is bad")

    opened(house, window, qtbot, bars=2)
    assert notes(window) == 2 * 16


def test_pdf_has_the_staves_that_are_seen(
    house: House, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """Saved like any other kind."""
    shown = opened(house, window, qtbot)
    sizes = []
    for four in (False, True):
        window.commands.four_staves.setChecked(four)
        house.filing.save_as(shown, tmp_path / "score.pdf")
        qtbot.waitUntil(lambda: not house.filing.busy)
        sizes.append((tmp_path / "score.pdf").stat().st_size)
    assert sizes[0] < sizes[1]
    settled(house, qtbot)


def test_window_closes_while_a_score_is_engraved(house: House, window: MainWindow) -> None:
    """The job ends first."""
    house.studio.show_piece(piece(200), None, "Opened", saved=True)
    window.commands.score.setChecked(True)
    assert house.engraving._engraver.busy
    window.close()

    assert house.all_ended
