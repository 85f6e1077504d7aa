"""The engraved score: its switch, playhead and selection, and generation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.editing.selection import Selection
from musicrel.errors import DataError
from musicrel.jobs import Job
from musicrel.presentation.score import engraver as verovio_engraving
from musicrel.presentation.score.engraver import Engraved
from musicrel.presentation.score.score_picture import Head, Score
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import engraving_controller as engraving_module
from musicrel.ui.score.engraver import EngraveRequest
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import TIMEOUT, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
BAR = np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 2, 4, axis=0)


def piece(bars: int = 6, title: str = "Six bars") -> Chorale:
    """Return a short piece."""
    return Chorale.of(np.tile(BAR, (bars, 1)), title=title)


def opened(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, bars: int = 6
) -> Chorale:
    """Show a piece as an engraved score."""
    shown = piece(bars)
    app_controller.document.show_piece(shown)
    window.commands.score.setChecked(True)
    wait_until_engraved(app_controller, qtbot)
    return shown


def wait_until_engraved(app_controller: AppController, qtbot: QtBot) -> None:
    """Wait until nothing is being engraved or is about to be."""
    own = app_controller.engraving
    qtbot.waitUntil(lambda: not own.busy)


def notes(window: MainWindow) -> int:
    """Return the number of noteheads in the shown score."""
    score = window.compose_page.score.score
    return sum(len(system.heads) for system in score.systems) if score is not None else 0


def point_at(window: MainWindow, voice: int, step: int) -> QPoint:
    """Return the position of a voice's notehead at a step in the score."""
    view = window.compose_page.score
    index = view.seen.system_of(step)
    assert view.score is not None
    assert index is not None
    found: Head = next(h for h in view.score.systems[index].sounding(step) if h.note.voice == voice)
    x, y = view.seen.point(index, found.x, found.y)
    return QPoint(round(x), round(y))


def test_switch_shows_the_score(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Button, menu and shortcut work; nothing is engraved before."""
    app_controller.document.show_piece(piece())
    assert window.compose_page.score.score is None
    window.compose_page.sheets["score"].click()
    wait_until_engraved(app_controller, qtbot)

    assert window.compose_page.score.isVisible()
    assert notes(window) == 6 * 16
    assert window.commands.score.isChecked()
    assert not window.compose_page.surprisal.isVisible()
    assert not window.compose_page.legend.isVisible()
    window.commands.score.trigger()
    assert window.compose_page.roll.isVisible()
    assert window.compose_page.sheets["roll"].isChecked()
    assert window.compose_page.legend.isVisible()


def test_empty_score_explains_how_to_fill_it(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Without a piece there is only a hint."""
    window.commands.score.setChecked(True)
    wait_until_engraved(app_controller, qtbot)

    assert window.compose_page.score.score is None
    assert window.compose_page.score.hint == engraving_module.EMPTY


def test_another_piece_replaces_the_score(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """A running engraving job is dropped."""
    opened(app_controller, window, qtbot)
    app_controller.document.show_piece(piece(40))
    app_controller.document.show_piece(piece(3))
    assert window.compose_page.score.stale
    wait_until_engraved(app_controller, qtbot)

    assert notes(window) == 3 * 16
    assert not window.compose_page.score.stale


def test_score_appears_in_sections_with_progress(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Finished sections are shown at once."""
    grown: list[float] = []
    states: list[str] = []
    engraver = app_controller.engraving.engraver
    engraver.progressed.connect(lambda _, engraved: grown.append(engraved.share))
    engraver.progressed.connect(lambda *_: states.append(window.state))
    opened(app_controller, window, qtbot, bars=40)

    assert notes(window) == 40 * 16
    assert grown[-1] == 1.0
    if grown[0] < 1:  # else it was done before the window looked
        assert states[0] == engraving_module.SO_FAR.format(share=grown[0])
        assert states[-1] == engraving_module.DONE


def test_four_staves_can_be_selected(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The command is enabled only while the score is shown."""
    assert not window.commands.four_staves.isEnabled()
    assert "engraved score" in window.commands.four_staves.toolTip()
    opened(app_controller, window, qtbot)
    window.compose_page.four_staves.click()
    wait_until_engraved(app_controller, qtbot)

    assert window.commands.four_staves.isChecked()
    assert window.compose_page.score.score is not None
    assert len(window.compose_page.score.score.systems[0].staves) == 4


def test_score_and_roll_share_the_playhead(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """A click into the score moves both."""
    opened(app_controller, window, qtbot)
    app_controller.playback.seek(20.0, in_ruler=False)
    assert window.compose_page.score.step == window.compose_page.playhead.step == 20

    QTest.mouseClick(window.compose_page.score.viewport(), LEFT, pos=point_at(window, 0, 8))

    assert app_controller.player.position == 8
    assert window.compose_page.score.step == window.compose_page.playhead.step == 8


def test_score_follows_the_playhead_if_this_is_on(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Otherwise it does not scroll."""
    opened(app_controller, window, qtbot, bars=30)
    bar = window.compose_page.score.verticalScrollBar()
    app_controller.playback.seek(29 * 16.0, in_ruler=False)
    assert bar.value() > 0
    bar.setValue(0)
    window.commands.play.follow.setChecked(False)
    app_controller.playback.seek(0.0, in_ruler=False)
    app_controller.playback.seek(29 * 16.0, in_ruler=False)
    assert bar.value() == 0


def test_score_and_roll_share_the_selection(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Shift extends it, arrow keys move it."""
    opened(app_controller, window, qtbot)
    selecting, port = window.compose_page.selecting, window.compose_page.score.viewport()

    QTest.mouseClick(port, LEFT, pos=point_at(window, 3, 4))
    assert selecting.selection == Selection(voices=(3,), start=4, stop=8)
    QTest.mouseClick(port, LEFT, SHIFT, point_at(window, 1, 12))
    assert selecting.selection == Selection(voices=(1, 3), start=4, stop=16)
    assert window.compose_page.score.selection == selecting.selection
    selecting.select(Selection(voices=(0,), start=0, stop=4))
    assert window.compose_page.score.selection == selecting.selection
    QTest.keyClick(window.compose_page.score, Qt.Key.Key_Right)
    assert selecting.selection == Selection(voices=(0,), start=1, stop=2)
    QTest.keyClick(window.compose_page.score, Qt.Key.Key_Escape)
    assert selecting.selection is window.compose_page.score.selection is None


def test_zoom_applies_to_the_visible_view(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The roll keeps its own zoom."""
    opened(app_controller, window, qtbot)
    roll, score = window.compose_page.roll.seen, window.compose_page.score.seen
    window.commands.zoom_in.trigger()
    wait_until_engraved(app_controller, qtbot)

    assert window.compose_page.roll.seen == roll
    assert window.compose_page.score.seen.space > score.space
    assert window.compose_page.score.score is not score.score


def test_score_grows_during_generation(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, jobs: FakeJobs
) -> None:
    """Complete bars are engraved; the final bar line comes at the end."""
    window.commands.score.setChecked(True)
    window.compose_page.controls.compose_form.bars.setValue(4)
    jobs.hold_at = 4 * 40
    window.commands.generate.trigger()
    assert window.compose_page.score.hint == engraving_module.WAITS
    assert jobs.waiting.wait(TIMEOUT)
    qtbot.waitUntil(lambda: window.compose_page.score.score is not None)
    last = window.compose_page.score.score.systems[-1]  # type: ignore[union-attr]
    assert last.stop in (16, 32)
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app_controller.document.generating)
    wait_until_engraved(app_controller, qtbot)

    assert window.compose_page.score.score is not None
    assert window.compose_page.score.score.systems[-1].stop == 64


def test_attention_page_shows_the_roll(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The score is shown again on the compose page."""
    opened(app_controller, window, qtbot)
    window.pages.open("attention")
    assert window.compose_page.roll.isVisible()
    assert not window.compose_page.sheets["score"].isVisible()
    window.pages.open("compose")

    assert window.compose_page.score.isVisible()
    assert window.compose_page.sheets["score"].isVisible()


def test_without_verovio_the_switch_is_disabled(
    make_app: Callable[[], AppController], window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tooltip gives the reason."""
    monkeypatch.setattr(verovio_engraving, "disabled_reason", lambda: verovio_engraving.MISSING)
    make_app()

    assert not window.compose_page.sheets["score"].isEnabled()
    assert "verovio is missing" in window.compose_page.sheets["score"].toolTip()
    assert not window.commands.score.isEnabled()
    assert "verovio is missing" in window.commands.score.toolTip()


def test_failure_is_shown_in_place_of_the_score(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next piece is engraved again."""
    engraver = app_controller.engraving.engraver
    engrave = engraver.engrave

    def refuse(request: EngraveRequest) -> Job[Engraved, Score]:
        if request.piece.title == "bad":
            raise DataError("the piece cannot be engraved: it is bad")
        return (yield from engrave(request))

    monkeypatch.setattr(engraver, "engrave", refuse)
    opened(app_controller, window, qtbot)
    app_controller.document.show_piece(piece(title="bad"))
    wait_until_engraved(app_controller, qtbot)
    assert window.compose_page.score.score is None
    assert window.compose_page.score.hint == ("No score", "The piece cannot be engraved: it is bad")

    opened(app_controller, window, qtbot, bars=2)
    assert notes(window) == 2 * 16


def test_pdf_has_the_selected_layout(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """It is saved like other formats."""
    shown = opened(app_controller, window, qtbot)
    sizes = []
    for four in (False, True):
        window.commands.four_staves.setChecked(four)
        app_controller.files.export(shown, tmp_path / "score.pdf")
        qtbot.waitUntil(lambda: not app_controller.files.busy)
        sizes.append((tmp_path / "score.pdf").stat().st_size)
    assert sizes[0] < sizes[1]
    wait_until_engraved(app_controller, qtbot)


def test_window_closes_while_a_score_is_engraved(
    app_controller: AppController, window: MainWindow
) -> None:
    """The job ends first."""
    app_controller.document.show_piece(piece(200))
    window.commands.score.setChecked(True)
    assert app_controller.engraving.engraver.busy
    window.close()

    assert app_controller.all_ended
