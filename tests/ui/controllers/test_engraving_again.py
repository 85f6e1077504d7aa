"""Engraving after edits: what is engraved again, and what stays in place meanwhile."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.editing.selection import Selection
from musicrel.jobs import Job
from musicrel.presentation.score.engraver import Engraved
from musicrel.presentation.score.score_picture import Score
from musicrel.ui.app_controller import AppController
from musicrel.ui.score.engraver import EngraveRequest
from musicrel.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

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


@pytest.fixture
def engraved(app_controller: AppController, monkeypatch: pytest.MonkeyPatch) -> list[Chorale]:
    """Return the pieces that are engraved, a list that grows."""
    engraver, found = app_controller.engraving.engraver, list[Chorale]()
    engrave = engraver.engrave

    def recorded(request: EngraveRequest) -> Job[Engraved, Score]:
        found.append(request.piece)
        return engrave(request)

    monkeypatch.setattr(engraver, "engrave", recorded)
    return found


def test_first_piece_is_engraved_once(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, engraved: list[Chorale]
) -> None:
    """For the width that the view has beside its buttons; also on the way back to the page."""
    shown = opened(app_controller, window, qtbot)
    assert len(engraved) == 1
    assert window.compose_page.score.score is not None
    assert window.compose_page.score.score.width == round(window.compose_page.score.seen.page_width)
    window.pages.open("attention")
    window.pages.open("compose")
    wait_until_engraved(app_controller, qtbot)

    assert engraved == [shown]


def test_edits_in_quick_succession_do_not_wait_for_the_last(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, engraved: list[Chorale]
) -> None:
    """The score being engraved is shown, then the latest; those between are left out."""
    opened(app_controller, window, qtbot)
    pieces = [piece(title=f"Edit {number}") for number in range(5)]
    for edited in pieces:
        app_controller.document.show_piece(edited)
    wait_until_engraved(app_controller, qtbot)

    assert [one.title for one in engraved[1:]] == ["Edit 0", "Edit 4"]
    assert not window.compose_page.score.stale


def test_undo_to_the_shown_piece_engraves_nothing(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, engraved: list[Chorale]
) -> None:
    """Its score is there; what is being engraved is dropped."""
    opened(app_controller, window, qtbot)
    app_controller.document.show_piece(piece(title="Edited"))
    app_controller.document.undo()
    wait_until_engraved(app_controller, qtbot)

    assert len(engraved) <= 2
    assert not window.compose_page.score.stale
    window.compose_page.score.zoom_in()
    wait_until_engraved(app_controller, qtbot)
    assert engraved[-1].title == "Six bars"


def test_score_does_not_scroll_when_it_is_engraved_again(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The first section of a long piece is not shown while the last one is visible."""
    long = opened(app_controller, window, qtbot, bars=80)
    view = window.compose_page.score
    view.follow(long.steps - 1)
    before, steps = view.verticalScrollBar().value(), list[int]()
    app_controller.engraving.engraver.progressed.connect(
        lambda *_: steps.append(view.score.systems[-1].stop if view.score is not None else 0)
    )
    pitches = long.pitches.copy()
    pitches[-4:, 0] = 76
    app_controller.document.show_piece(Chorale.of(pitches, title=long.title))
    wait_until_engraved(app_controller, qtbot)

    assert before > 0
    assert view.verticalScrollBar().value() == before
    assert set(steps) == {long.steps}


def test_selection_at_the_end_of_a_longer_piece_is_scrolled_to(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """It is only in the next score."""
    opened(app_controller, window, qtbot, bars=20)
    app_controller.document.show_piece(piece(40))
    app_controller.document.select(Selection(voices=(0,), start=39 * 16, stop=40 * 16))
    wait_until_engraved(app_controller, qtbot)
    view = window.compose_page.score

    assert view.seen.showing(39 * 16) == view.verticalScrollBar().value()
