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
from musicrel.errors import DataError
from musicrel.figures import engraver as verovio_engraving
from musicrel.figures.engraver import Engraved
from musicrel.figures.score import Head, Score
from musicrel.jobs import Job
from musicrel.score.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import engraving_controller as engraving_module
from musicrel.ui.controllers.engraving_controller import EngraveRequest
from musicrel.ui.files import session
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import TIMEOUT
from tests.ui.user import User

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
BAR = np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 2, 4, axis=0)


def piece(bars: int = 6, title: str = "Six bars") -> Chorale:
    return Chorale.of(np.tile(BAR, (bars, 1)), title=title)


def opened(app: AppController, window: MainWindow, qtbot: QtBot, bars: int = 6) -> Chorale:
    shown = piece(bars)
    app.document.show_piece(shown)
    window.commands.score.setChecked(True)
    wait_until_engraved(app, qtbot)
    return shown


def wait_until_engraved(app: AppController, qtbot: QtBot) -> None:
    own = app.engraving
    qtbot.waitUntil(lambda: not own.busy)


def notes(window: MainWindow) -> int:
    score = window.compose_page.score.score
    return sum(len(system.heads) for system in score.systems) if score is not None else 0


def point_at(window: MainWindow, voice: int, step: int) -> QPoint:
    view = window.compose_page.score
    index = view.seen.system_of(step)
    assert view.score is not None
    assert index is not None
    found: Head = next(h for h in view.score.systems[index].sounding(step) if h.note.voice == voice)
    return view.seen.point(index, found.x, found.y).toPoint()


def test_switch_shows_the_score(user: User) -> None:
    user.document.show_piece(piece())
    assert user.page.score.score is None
    user.page.sheets["score"].click()
    wait_until_engraved(user.app, user.qtbot)

    assert user.page.score.isVisible()
    assert notes(user.window) == 6 * 16
    assert user.commands.score.isChecked()
    assert not user.page.surprisal.isVisible()
    assert not user.page.legend.isVisible()
    user.commands.score.trigger()
    assert user.roll.isVisible()
    assert user.page.sheets["roll"].isChecked()
    assert user.page.legend.isVisible()


def test_empty_score_explains_how_to_fill_it(user: User) -> None:
    user.commands.score.setChecked(True)
    wait_until_engraved(user.app, user.qtbot)

    assert user.page.score.score is None
    assert user.page.score.hint == engraving_module.EMPTY


def test_score_appears_in_sections_with_progress(user: User) -> None:
    grown: list[float] = []
    states: list[str] = []
    job = user.app.engraving.job
    job.events_received.connect(lambda events: grown.append(events[-1].share))
    job.events_received.connect(lambda _: states.append(user.state))
    opened(user.app, user.window, user.qtbot, bars=40)

    assert notes(user.window) == 40 * 16
    assert grown[-1] == 1.0
    if grown[0] < 1:  # else it was done before the window looked
        assert states[0] == engraving_module.SO_FAR.format(share=grown[0])
        assert states[-1] == engraving_module.DONE


def test_progress_gives_way_to_what_was_done(user: User) -> None:
    opened(user.app, user.window, user.qtbot)
    score, job = user.page.score.score, user.app.engraving.job
    assert score is not None
    user.app.messages.show_state("Harmonised verse 2")
    for share in (0.5, 1.0):
        job.events_received.emit((Engraved(score, share),))

    assert user.state == "Harmonised verse 2"


def test_another_document_begins_at_its_first_bar(user: User) -> None:
    opened(user.app, user.window, user.qtbot, bars=40)
    bar = user.page.score.verticalScrollBar()
    bar.setValue(bar.maximum())
    other = session.opened_piece(piece(40, "Another"), user.document.form)
    user.document.restore(other.contents, saved=True)
    wait_until_engraved(user.app, user.qtbot)

    assert user.page.score.seen.hidden == 0


def test_four_staves_can_be_selected(user: User) -> None:
    assert not user.commands.four_staves.isEnabled()
    assert "engraved score" in user.commands.four_staves.toolTip()
    opened(user.app, user.window, user.qtbot)
    user.page.four_staves.click()
    wait_until_engraved(user.app, user.qtbot)

    assert user.commands.four_staves.isChecked()
    assert user.page.score.score is not None
    assert len(user.page.score.score.systems[0].staves) == 4


@pytest.mark.parametrize("sheet", ["roll", "staves", "parts"])
def test_a_new_window_shows_what_the_preferences_say(
    make_app: Callable[..., AppController], window: MainWindow, sheet: str
) -> None:
    make_app(sheet=sheet)
    page = window.compose_page
    assert page.shown is (page.roll if sheet == "roll" else page.score)
    assert window.commands.layout == ("parts" if sheet == "parts" else "staves")
    window.close()


def test_score_and_roll_share_the_playhead(user: User) -> None:
    opened(user.app, user.window, user.qtbot)
    user.app.playback.seek(20.0, in_ruler=False)
    assert user.page.score.step == user.page.roll.step == 20

    QTest.mouseClick(user.page.score.viewport(), LEFT, pos=point_at(user.window, 0, 8))

    assert user.app.player.position == 8
    assert user.page.score.step == user.page.roll.step == 8


def test_score_follows_the_playhead_if_this_is_on(user: User) -> None:
    opened(user.app, user.window, user.qtbot, bars=30)
    bar = user.page.score.verticalScrollBar()
    user.app.playback.seek(29 * 16.0, in_ruler=False)
    assert bar.value() > 0
    bar.setValue(0)
    user.commands.play.follow.setChecked(False)
    user.app.playback.seek(0.0, in_ruler=False)
    user.app.playback.seek(29 * 16.0, in_ruler=False)
    assert bar.value() == 0


def test_score_and_roll_share_the_selection(user: User) -> None:
    opened(user.app, user.window, user.qtbot)
    document, port = user.app.document, user.page.score.viewport()

    QTest.mouseClick(port, LEFT, pos=point_at(user.window, 3, 4))
    assert document.selection == Selection(voices=(3,), start=4, stop=8)
    QTest.mouseClick(port, LEFT, SHIFT, point_at(user.window, 1, 12))
    assert document.selection == Selection(voices=(1, 2, 3), start=4, stop=16)
    assert user.page.score.selection == document.selection
    document.select(Selection(voices=(0,), start=0, stop=4))
    assert user.page.score.selection == document.selection
    QTest.keyClick(user.page.score, Qt.Key.Key_Right)
    assert document.selection == Selection(voices=(0,), start=1, stop=2)
    QTest.keyClick(user.page.score, Qt.Key.Key_Escape)
    assert document.selection is user.page.score.selection is None


def test_zoom_applies_to_the_visible_view(user: User) -> None:
    opened(user.app, user.window, user.qtbot)
    roll, score = user.roll.seen, user.page.score.seen
    user.commands.zoom_in.trigger()
    wait_until_engraved(user.app, user.qtbot)

    assert user.roll.seen == roll
    assert user.page.score.seen.space > score.space
    assert user.page.score.score is not score.score


def test_score_grows_during_generation(user: User) -> None:
    user.commands.score.setChecked(True)
    user.form.bars.setValue(4)
    user.jobs.hold_at = 4 * 40
    user.commands.generate.trigger()
    assert user.page.score.hint == engraving_module.WAITS
    assert user.jobs.waiting.wait(TIMEOUT)
    user.wait(lambda: user.page.score.score is not None)
    last = user.page.score.score.systems[-1]  # type: ignore[union-attr]
    assert last.stop in (16, 32)
    user.jobs.gate.set()
    user.wait(lambda: not user.document.generating)
    wait_until_engraved(user.app, user.qtbot)

    assert user.page.score.score is not None
    assert user.page.score.score.systems[-1].stop == 64


def test_attention_page_shows_the_roll(user: User) -> None:
    opened(user.app, user.window, user.qtbot)
    user.window.pages.open("attention")
    assert user.roll.isVisible()
    assert not user.page.sheets["score"].isVisible()
    user.window.pages.open("compose")

    assert user.page.score.isVisible()
    assert user.page.sheets["score"].isVisible()


def test_without_verovio_the_switch_is_disabled(
    make_app: Callable[[], AppController], window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verovio_engraving, "disabled_reason", lambda: verovio_engraving.MISSING)
    make_app()

    assert not window.compose_page.sheets["score"].isEnabled()
    assert "verovio is missing" in window.compose_page.sheets["score"].toolTip()
    assert not window.commands.score.isEnabled()
    assert "verovio is missing" in window.commands.score.toolTip()


def test_failure_is_shown_in_place_of_the_score(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    engrave = user.app.engraving.engrave

    def refuse(request: EngraveRequest) -> Job[Engraved, Score]:
        if request.piece.title == "bad":
            raise DataError("the piece cannot be engraved: it is bad")
        return (yield from engrave(request))

    monkeypatch.setattr(user.app.engraving, "engrave", refuse)
    opened(user.app, user.window, user.qtbot)
    user.document.show_piece(piece(title="bad"))
    wait_until_engraved(user.app, user.qtbot)
    assert user.page.score.score is None
    assert user.page.score.hint == (
        "No score",
        "The piece cannot be engraved: it is bad",
    )

    opened(user.app, user.window, user.qtbot, bars=2)
    assert notes(user.window) == 2 * 16


def test_pdf_has_the_selected_layout(user: User, tmp_path: Path) -> None:
    shown = opened(user.app, user.window, user.qtbot)
    sizes = []
    for four in (False, True):
        user.commands.four_staves.setChecked(four)
        user.app.files.export(shown, tmp_path / "score.pdf")
        user.wait(lambda: not user.app.files.worker.busy)
        sizes.append((tmp_path / "score.pdf").stat().st_size)
    assert sizes[0] < sizes[1]
    wait_until_engraved(user.app, user.qtbot)


def test_window_closes_while_a_score_is_engraved(app: AppController) -> None:
    app.document.show_piece(piece(200))
    app.window.commands.score.setChecked(True)
    assert app.engraving.busy
    app.window.close()

    assert app.all_ended


@pytest.fixture
def engraved(app: AppController, monkeypatch: pytest.MonkeyPatch) -> list[Chorale]:
    engrave, found = app.engraving.engrave, list[Chorale]()

    def recorded(request: EngraveRequest) -> Job[Engraved, Score]:
        found.append(request.piece)
        return engrave(request)

    monkeypatch.setattr(app.engraving, "engrave", recorded)
    return found


def test_first_piece_is_engraved_once(user: User, engraved: list[Chorale]) -> None:
    shown = opened(user.app, user.window, user.qtbot)
    assert len(engraved) == 1
    assert user.page.score.score is not None
    assert user.page.score.score.width == round(user.page.score.seen.page_width)
    user.window.pages.open("attention")
    user.window.pages.open("compose")
    wait_until_engraved(user.app, user.qtbot)

    assert engraved == [shown]


def test_edits_in_quick_succession_do_not_wait_for_the_last(
    user: User, engraved: list[Chorale]
) -> None:
    opened(user.app, user.window, user.qtbot)
    pieces = [piece(title=f"Edit {number}") for number in range(5)]
    for edited in pieces:
        user.document.show_piece(edited)
    wait_until_engraved(user.app, user.qtbot)

    assert [one.title for one in engraved[1:]] == ["Edit 0", "Edit 4"]
    assert not user.page.score.stale


def test_undo_to_the_shown_piece_engraves_nothing(user: User, engraved: list[Chorale]) -> None:
    opened(user.app, user.window, user.qtbot)
    user.document.show_piece(piece(title="Edited"))
    user.document.undo()
    wait_until_engraved(user.app, user.qtbot)

    assert len(engraved) <= 2
    assert not user.page.score.stale
    user.page.score.zoom_in()
    wait_until_engraved(user.app, user.qtbot)
    assert engraved[-1].title == "Six bars"


def test_score_does_not_scroll_when_it_is_engraved_again(user: User) -> None:
    long = opened(user.app, user.window, user.qtbot, bars=80)
    view = user.page.score
    view.follow(long.steps - 1)
    before, steps = view.verticalScrollBar().value(), list[int]()
    user.app.engraving.job.events_received.connect(
        lambda *_: steps.append(view.score.systems[-1].stop if view.score is not None else 0)
    )
    pitches = long.pitches.copy()
    pitches[-4:, 0] = 76
    user.document.show_piece(Chorale.of(pitches, title=long.title))
    wait_until_engraved(user.app, user.qtbot)

    assert before > 0
    assert view.verticalScrollBar().value() == before
    assert set(steps) == {long.steps}


def test_selection_at_the_end_of_a_longer_piece_is_scrolled_to(user: User) -> None:
    opened(user.app, user.window, user.qtbot, bars=20)
    user.document.show_piece(piece(40))
    user.document.select(Selection(voices=(0,), start=39 * 16, stop=40 * 16))
    wait_until_engraved(user.app, user.qtbot)
    view = user.page.score

    assert view.seen.showing(39 * 16) == view.verticalScrollBar().value()
