"""Closing a window with unsaved work: every kind of it is asked about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.request import GenerationRequest
from musicrel.score import files
from musicrel.score.musicxml import xml_tree
from musicrel.ui.app_controller import AppController
from musicrel.ui.files import session
from tests.helpers.projects import plain
from tests.ui.controllers.user_actions import answer, generate, question
from tests.ui.fakes import TIMEOUT, FakeJobs, earlier_piece
from tests.ui.files.conftest import OpenWindow, choose, contents_of
from tests.ui.files.kinds_of_work import KINDS, Work
from tests.ui.user import User


@pytest.mark.parametrize("kind", KINDS)
def test_quit_asks(
    kind: str,
    open_window: OpenWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    app = KINDS[kind](Work(open_window, jobs, qtbot, tmp_path))
    before = plain(app.document.contents({}))

    app.window.commands.file.quit.trigger()
    assert question(app.window) is not None
    assert app.window.isVisible()
    answer(app.window, "Continue" if kind.endswith("being_generated") else "Cancel")

    assert question(app.window) is None
    assert app.window.isVisible()
    assert plain(app.document.contents({})) == before
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app.document.generating)


@pytest.mark.parametrize("done", ["nothing", "form", "mixer", "opened", "saved", "undone"])
def test_quit_does_not_ask_without_unsaved_work(
    done: str, open_window: OpenWindow, jobs: FakeJobs, qtbot: QtBot, tmp_path: Path
) -> None:
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


def test_saved_project_is_as_it_was_on_screen(user: User, project: Path) -> None:
    user.generate()
    shown = plain(user.document.contents({})) | {"mixer": None}
    user.window.close()
    answer(user.window, "Save")
    user.wait(lambda: not user.window.isVisible())

    assert contents_of(project) | {"mixer": None} == shown
    assert session.orphans() == []
    assert list(project.parent.glob(".*")) == []


def test_discarded_edits_are_not_in_the_project(user: User, project: Path) -> None:
    before = contents_of(project)
    user.form.seed.set_value(99)
    user.generate()
    user.document.delete_takes({1})
    user.wait(lambda: len(contents_of(project)["takes"]) == 2)
    user.window.close()
    answer(user.window, "Don't Save")
    user.wait(lambda: not user.window.isVisible())

    assert contents_of(project) == before
    assert session.orphans() == []
    assert sorted(path.name for path in project.parent.iterdir()) == ["home", "hymn.musicrel"]


def test_untitled_document_gets_a_place(user: User, tmp_path: Path) -> None:
    user.generate()
    user.window.close()
    answer(user.window, "Save")
    assert choose(user.app, None).endswith("Chorale 7.musicrel")
    assert user.window.isVisible()
    assert not user.document.saved

    user.window.close()
    answer(user.window, "Save")
    choose(user.app, tmp_path / "chosen.musicrel")
    user.wait(lambda: not user.window.isVisible())
    assert len(contents_of(tmp_path / "chosen.musicrel")["takes"]) == 1
    assert session.orphans() == []


def test_discarded_untitled_document_is_deleted(user: User) -> None:
    user.generate()
    user.wait(lambda: any(session.folder().glob("*.musicrel")))
    user.window.close()
    answer(user.window, "Don't Save")
    user.wait(lambda: not user.window.isVisible())

    assert list(session.folder().iterdir()) == []


def test_failed_save_keeps_the_window_open(user: User, tmp_path: Path) -> None:
    user.generate()
    (tmp_path / "file").write_text("no folder")
    user.window.close()
    answer(user.window, "Save")
    choose(user.app, tmp_path / "file" / "hymn.musicrel")

    assert user.window.isVisible()
    assert user.message.startswith("The project is not saved: cannot write")
    assert not user.document.saved


@pytest.mark.usefixtures("project")
def test_question_names_what_is_lost(user: User) -> None:
    user.document.takes.rate(1, 1)
    user.jobs.hold_at = 40
    user.jobs.waiting.clear()
    user.app.writing.generate()
    assert user.jobs.waiting.wait(TIMEOUT)
    user.window.close()
    user.window.close()
    box = question(user.window)
    assert box is not None
    assert box.text() == "Save the changes to “hymn”?"
    assert "The piece being written is stopped." in box.informativeText()
    answer(user.window, "Don't Save")
    user.jobs.gate.set()
    user.wait(lambda: not user.window.isVisible())


def test_piece_that_is_finished_while_the_question_is_open_is_asked_about(
    user: User, tmp_path: Path
) -> None:
    user.jobs.hold_at = 40
    user.app.writing.generate()
    assert user.jobs.waiting.wait(TIMEOUT)
    user.window.close()
    user.jobs.gate.set()
    user.wait(lambda: not user.document.generating)
    answer(user.window, "Stop and close")
    user.wait(lambda: question(user.window) is not None)
    answer(user.window, "Save")
    choose(user.app, tmp_path / "finished.musicrel")
    user.wait(lambda: not user.window.isVisible())

    assert len(contents_of(tmp_path / "finished.musicrel")["takes"]) == 1


Export = Callable[[Chorale, str], Path]

ASKED = {
    "tempo": GenerationRequest(bars=3, tempo=76),
    "top-k, and colder than the form": GenerationRequest(bars=3, top_k=5, temperature=0.1),
    "fermatas and locked notes of a melody": GenerationRequest(
        length=20, fermatas=((12, 16),), locks=Locks(steps=20, cells=(Cell(0, 0, 67),))
    ),
}


@pytest.fixture
def export(user: User, tmp_path: Path) -> Export:
    def to(piece: Chorale, suffix: str) -> Path:
        path = tmp_path / f"own{suffix}"
        user.app.files.export(piece, path)
        user.wait(lambda: not user.app.files.worker.busy)
        return path

    return to


@pytest.mark.parametrize("suffix", [".mid", ".json", ".musicxml", ".mxl"])
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_own_pieces_are_opened_without_a_remark(
    user: User, export: Export, suffix: str, asked: GenerationRequest
) -> None:
    piece = earlier_piece(asked)
    assert piece.provenance is not None
    origin = replace(piece.provenance, machine={"kernel": "torch", "musicrel": "0.9.0"})
    path = export(replace(piece, provenance=origin), suffix)

    user.app.projects.open(path)
    user.wait(lambda: not user.app.files.worker.busy and not user.app.machine_difference.job.busy)

    assert user.message == ""
    assert user.state == f"Opened own{suffix}"
    assert np.array_equal(user.piece.pitches, piece.pitches)


@pytest.mark.parametrize("suffix", [".musicxml", ".mxl"])
@pytest.mark.parametrize(("four", "staves"), [(False, 2), (True, 4)])
@pytest.mark.parametrize("numerals", [False, True])
def test_scores_are_exported_in_the_layout_of_the_window(
    app: AppController, export: Export, *, suffix: str, four: bool, staves: int, numerals: bool
) -> None:
    app.window.commands.four_staves.setChecked(four)
    app.window.commands.numerals.setChecked(numerals)

    path = export(earlier_piece(), suffix)

    score = xml_tree.parse(xml_tree.unpack(path.read_bytes()))
    assert len(score.findall("part")) == staves
    assert bool(score.findall(".//harmony")) is numerals
    assert files.import_satb(path).report == ()
