"""Two models on the Attention page, with fake jobs."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from musicrel.errors import ModelError
from musicrel.generation.heads.mutes import Head
from musicrel.ui.app_controller import AppController
from musicrel.ui.attention import named_models
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.conftest import BOTH_SIDES, CHOICES
from tests.ui.fakes import TIMEOUT, FakeJobs, earlier_piece

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


@pytest.fixture
def opened(
    attention: AttentionController, app_controller: AppController, qtbot: QtBot
) -> AttentionController:
    """Return the controller with an opened piece that the first model has read."""
    app_controller.document.show_piece(earlier_piece(), action="opened")
    qtbot.waitUntil(lambda: attention.shown is not None)
    return attention


def compare(window: MainWindow, name: str) -> None:
    """Choose model B on the page."""
    box = window.attention.second_model
    box.setCurrentIndex(box.findData(name))
    box.activated.emit(box.currentIndex())


def offered(window: MainWindow) -> list[str]:
    """Return the models that B can be."""
    box = window.attention.second_model
    return [box.itemData(row) for row in range(box.count())]


def test_second_model_reads_an_opened_piece(
    opened: AttentionController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Both maps are there; without B the page is as before."""
    compare(window, "plain")
    qtbot.waitUntil(lambda: opened.shown_second is not None)

    assert opened.models.both == ("full", "plain")
    assert [name for name, _, _ in jobs.analysis_requests] == ["full", "plain"]
    assert window.attention.plots.second.isVisible()
    compare(window, "")
    assert opened.shown_second is None
    assert not window.attention.plots.second.isVisible()
    assert window.attention.caption.text().startswith("full (")


def test_only_models_that_answer_the_same_question_are_offered(
    opened: AttentionController, app_controller: AppController, window: MainWindow
) -> None:
    """An infilling model sees both sides; B is never A."""
    assert offered(window) == ["", "plain"]

    app_controller.document.set_models((*CHOICES, BOTH_SIDES), "")

    assert offered(window) == ["", "plain"]
    assert window.attention.second_model.isEnabled()
    app_controller.document.set_models(CHOICES[:1], "")
    assert offered(window) == [""]
    assert not window.attention.second_model.isEnabled()
    assert window.attention.second_model.toolTip() == named_models.NO_OTHER
    del opened


def test_the_model_of_b_chosen_as_a_changes_places_with_it(
    opened: AttentionController, window: MainWindow, qtbot: QtBot
) -> None:
    """The comparison goes on."""
    compare(window, "plain")
    qtbot.waitUntil(lambda: opened.shown_second is not None)
    box = window.attention.model
    box.setCurrentIndex(box.findData("plain"))
    box.activated.emit(box.currentIndex())

    assert opened.models.both == ("plain", "full")
    qtbot.waitUntil(lambda: opened.shown_second is not None)


def test_model_that_writes_beside_a_is_b(
    opened: AttentionController, window: MainWindow, qtbot: QtBot
) -> None:
    """The last choice wins."""
    opened.models.follow("plain")
    qtbot.waitUntil(lambda: opened.shown_second is not None)
    assert window.attention.second_model.currentData() == "plain"

    compare(window, "")
    assert opened.models.second == ""


def test_notes_are_coloured_by_the_difference_in_its_view_only(
    opened: AttentionController, window: MainWindow, qtbot: QtBot
) -> None:
    """The legend names both models; other views have the colours of the voices again."""
    roll, page = window.compose_page.roll, window.attention
    compare(window, "plain")
    qtbot.waitUntil(lambda: opened.shown_second is not None)
    page.switch.open("surprisal")

    note = roll.picture.notes[0]  # type: ignore[union-attr]
    assert "both are surprised alike" in roll.describe(note)
    assert window.compose_page.heat_legend.isVisible()
    assert "A: full, B: plain" in window.compose_page.heat_legend.toolTip()
    page.switch.open("maps")
    assert "surprised" not in roll.describe(note)
    assert window.compose_page.legend.isVisible()
    page.switch.open("surprisal")
    window.pages.open("compose")
    assert "surprised" not in roll.describe(note)


def test_heads_of_both_models_are_chosen_by_themselves(
    opened: AttentionController, window: MainWindow, qtbot: QtBot
) -> None:
    """Titles name them."""
    compare(window, "plain")
    qtbot.waitUntil(lambda: opened.shown_second is not None)
    first, second = window.attention.plots.first, window.attention.plots.second
    second.grid.chosen.emit(Head(1, 0))

    assert second.title.text() == "B: plain, layer 2, head 1"
    assert first.title.text() == "A: full, mean of all heads"


def test_heads_are_named_above_the_views_that_compare_them(
    opened: AttentionController, window: MainWindow, qtbot: QtBot
) -> None:
    """The maps have titles; surprisal is that of the whole models."""
    page = window.attention
    compare(window, "plain")
    qtbot.waitUntil(lambda: opened.shown_second is not None)
    page.plots.second.grid.chosen.emit(Head(1, 0))
    names = {}
    for view in ("maps", "note", "shares", "surprisal", "claims"):
        page.switch.open(view)
        names[view] = page.head.text() if page.head.isVisible() else ""

    both = "A: mean of all heads. B: layer 2, head 1"
    assert names == {"maps": "", "note": both, "shares": both, "surprisal": "", "claims": both}


def test_second_model_waits_while_a_piece_is_written(
    attention: AttentionController,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """It reads the piece when it is finished."""
    attention.models.follow("plain")
    jobs.hold_at = 70
    app_controller.compose.generate()
    assert jobs.waiting.wait(TIMEOUT)
    assert not window.attention.second_model.isEnabled()
    assert jobs.analysis_requests == []
    jobs.gate.set()

    qtbot.waitUntil(lambda: attention.shown_second is not None)
    assert [name for name, _, _ in jobs.analysis_requests] == ["plain"]


def test_failure_of_the_second_model_leaves_the_first(
    opened: AttentionController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The page still shows A, and the reason is in the status bar."""
    jobs.analysis_error = ModelError("its weights are truncated")
    compare(window, "plain")
    qtbot.waitUntil(lambda: window.state == "Its weights are truncated")

    assert opened.shown is not None
    assert window.attention.plots.map.isVisible()


def test_progress_goes_with_the_model_that_is_no_longer_wanted(
    opened: AttentionController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The status bar does not keep a share that grows no more."""
    del opened
    jobs.endless_analysis = True
    compare(window, "plain")
    qtbot.waitUntil(lambda: window.state == "Analysing the piece with plain: 25%")

    compare(window, "")

    assert window.state == ""
    jobs.endless_analysis = False
