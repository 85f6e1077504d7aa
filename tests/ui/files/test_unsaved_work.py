"""Closing a window with unsaved work: every kind of it is asked about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from musicrel.project.project_file import ProjectFile
from musicrel.ui.app_controller import AppController
from musicrel.ui.files import window_record
from tests.helpers.projects import full_contents, plain
from tests.ui.controllers.user_actions import answer, generate, question
from tests.ui.fakes import TIMEOUT, FakeJobs
from tests.ui.files.conftest import OpenWindow, choose, contents_of, kill
from tests.ui.files.kinds_of_work import (
    KINDS,
    Work,
    being_generated,
    first_being_generated,
)

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


@pytest.mark.parametrize("kind", KINDS)
def test_quit_asks(
    kind: Callable[[Work], AppController],
    open_window: OpenWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    """The window stays open with everything in it, also after Cancel."""
    app = kind(Work(open_window, jobs, qtbot, tmp_path))
    before = plain(app.document.contents({}))

    app.window.commands.file.quit.trigger()
    assert question(app.window) is not None
    assert app.window.isVisible()
    answer(app.window, "Continue" if kind in (being_generated, first_being_generated) else "Cancel")

    assert question(app.window) is None
    assert app.window.isVisible()
    assert plain(app.document.contents({})) == before
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app.document.generating)


@pytest.mark.parametrize("done", ["nothing", "form", "mixer", "opened", "saved", "undone"])
def test_quit_does_not_ask_without_unsaved_work(
    done: str, open_window: OpenWindow, jobs: FakeJobs, qtbot: QtBot, tmp_path: Path
) -> None:
    """Form and mixer are kept, but are no work; a step that was undone is none, either."""
    work = Work(open_window, jobs, qtbot, tmp_path)
    app = work.opened() if done == "opened" else work.app
    if done in ("saved", "form", "mixer", "undone"):
        app = work.saved()
    if done == "form":
        app.window.compose_page.controls.compose_form.seed.set_value(99)
    if done == "mixer":
        app.window.playback.mixer.volume.setValue(20)
    if done == "undone":
        generate(qtbot, app.window)
        app.document.use_take(2)

    app.window.close()

    assert app.window.isVisible() == (done == "undone")


def test_saved_project_is_as_it_was_on_screen(
    app: AppController, project: Path, qtbot: QtBot
) -> None:
    """Save writes it and closes the window."""
    generate(qtbot, app.window)
    shown = plain(app.document.contents({})) | {"mixer": None}
    app.window.close()
    answer(app.window, "Save")
    qtbot.waitUntil(lambda: not app.window.isVisible())

    assert contents_of(project) | {"mixer": None} == shown
    assert window_record.orphans() == []
    assert list(project.parent.glob(".*")) == []


def test_discarded_edits_are_not_in_the_project(
    app: AppController, project: Path, qtbot: QtBot
) -> None:
    """Don't Save leaves the project as it was saved last, the form included."""
    before = contents_of(project)
    app.window.compose_page.controls.compose_form.seed.set_value(99)
    generate(qtbot, app.window)
    app.document.delete_takes({1})
    qtbot.waitUntil(lambda: len(contents_of(project)["takes"]) == 2)
    app.window.close()
    answer(app.window, "Don't Save")
    qtbot.waitUntil(lambda: not app.window.isVisible())

    assert contents_of(project) == before
    assert window_record.orphans() == []
    assert sorted(path.name for path in project.parent.iterdir()) == ["home", "hymn.musicrel"]


def test_untitled_document_gets_a_place(app: AppController, qtbot: QtBot, tmp_path: Path) -> None:
    """A cancelled dialog is a cancelled Quit; a chosen place saves and closes."""
    generate(qtbot, app.window)
    app.window.close()
    answer(app.window, "Save")
    assert choose(app, None).endswith("Chorale 7.musicrel")
    assert app.window.isVisible()
    assert not app.document.saved

    app.window.close()
    answer(app.window, "Save")
    choose(app, tmp_path / "chosen.musicrel")
    qtbot.waitUntil(lambda: not app.window.isVisible())
    assert len(contents_of(tmp_path / "chosen.musicrel")["takes"]) == 1
    assert window_record.orphans() == []


def test_discarded_untitled_document_is_deleted(app: AppController, qtbot: QtBot) -> None:
    """Nothing of it comes back."""
    generate(qtbot, app.window)
    qtbot.waitUntil(lambda: any(window_record.folder().glob("*.musicrel")))
    app.window.close()
    answer(app.window, "Don't Save")
    qtbot.waitUntil(lambda: not app.window.isVisible())

    assert list(window_record.folder().iterdir()) == []


def test_failed_save_keeps_the_window_open(
    app: AppController, qtbot: QtBot, tmp_path: Path
) -> None:
    """The banner has the reason."""
    generate(qtbot, app.window)
    (tmp_path / "file").write_text("no folder")
    app.window.close()
    answer(app.window, "Save")
    choose(app, tmp_path / "file" / "hymn.musicrel")

    assert app.window.isVisible()
    assert app.window.compose_page.banner.message.startswith(
        "The project is not saved: cannot write"
    )
    assert not app.document.saved


def test_question_names_what_is_lost(
    app: AppController, project: Path, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """It is asked once, however often the window is closed; a generation is mentioned."""
    del project
    app.document.takes.rate(1, 1)
    jobs.hold_at = 40
    jobs.waiting.clear()
    app.compose.generate()
    assert jobs.waiting.wait(TIMEOUT)
    app.window.close()
    app.window.close()
    box = question(app.window)
    assert box is not None
    assert box.text() == "Save the changes to “hymn”?"
    assert "The piece that is being written is stopped." in box.informativeText()
    answer(app.window, "Don't Save")
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app.window.isVisible())


def test_piece_that_is_finished_while_the_question_is_open_is_asked_about(
    app: AppController, jobs: FakeJobs, qtbot: QtBot, tmp_path: Path
) -> None:
    """Stop comes too late for it."""
    jobs.hold_at = 40
    app.compose.generate()
    assert jobs.waiting.wait(TIMEOUT)
    app.window.close()
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app.document.generating)
    answer(app.window, "Stop and close")
    qtbot.waitUntil(lambda: question(app.window) is not None)
    answer(app.window, "Save")
    choose(app, tmp_path / "finished.musicrel")
    qtbot.waitUntil(lambda: not app.window.isVisible())

    assert len(contents_of(tmp_path / "finished.musicrel")["takes"]) == 1


def test_project_that_was_restored_goes_back_too(
    app: AppController, open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """Its own contents come back to the bit, mixer and form included."""
    before = full_contents()
    ProjectFile.create(tmp_path / "full.musicrel", before).close()
    app.projects.open(tmp_path / "full.musicrel")
    app.document.delete_takes({4})
    app.window.playback.mixer.volume.setValue(20)
    kill(app)
    again = open_window()
    again.projects.start()
    assert again.document.takes.visible == ()
    again.window.close()
    answer(again.window, "Don't Save")
    qtbot.waitUntil(lambda: not again.window.isVisible())

    assert contents_of(tmp_path / "full.musicrel") == plain(before)
