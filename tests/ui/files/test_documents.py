"""Documents: new, open, save, recent ones, and writes that fail."""

from __future__ import annotations

import gc
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from musicrel.chorale import Key
from musicrel.errors import FileError
from musicrel.presentation.compose.form import Form
from musicrel.project.project_file import ProjectFile
from musicrel.score import files
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers.project_controller import DocumentFile
from musicrel.ui.document.document import GENERATING, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.files import recent, session
from musicrel.ui.files.session import Session
from tests.helpers.projects import full_contents, plain
from tests.ui.controllers.user_actions import answer
from tests.ui.fakes import earlier_piece
from tests.ui.files.conftest import OpenWindow, choose, contents_of, lock_all, message, title
from tests.ui.user import User

CONTROL = Qt.KeyboardModifier.ControlModifier
pytestmark = pytest.mark.usefixtures("home", "qapp")


def test_title_bar_names_the_document(user: User, tmp_path: Path) -> None:
    assert title(user.app) == "Untitled – musicrel"
    user.generate()
    assert title(user.app) == "Chorale 7* – musicrel"
    user.app.projects.save_as(tmp_path / "hymn.musicrel")
    assert title(user.app) == "hymn – musicrel"
    lock_all(user.app)
    assert title(user.app) == "hymn* – musicrel"
    QTest.keyClick(user.window, Qt.Key.Key_S, CONTROL)
    assert title(user.app) == "hymn – musicrel"
    assert user.state == f"Saved hymn.musicrel in {tmp_path}"


def test_every_edit_is_in_the_file_at_once(user: User, project: Path) -> None:
    user.generate()
    user.document.takes.rate(2, 3)
    user.window.playback.mixer.volume.setValue(20)
    expected = plain(user.document.contents({}))
    user.wait(lambda: contents_of(project) | {"mixer": {}} == expected)

    assert contents_of(project)["mixer"]["volume"] == 0.2
    assert title(user.app) == "hymn* – musicrel"


def test_opened_project_is_as_it_was_saved(
    user: User, open_window: OpenWindow, tmp_path: Path
) -> None:
    user.generate()
    lock_all(user.app)
    user.document.takes.rename(1, "First")
    mixer, transport = user.window.playback.mixer, user.window.playback.transport
    mixer.strips[1].mute.click()
    mixer.strips[2].volume.setValue(40)
    transport.tempo.setValue(111)
    user.commands.play.fermatas.trigger()
    style = user.app.player.style
    user.app.projects.save_as(tmp_path / "hymn.musicrel")
    shown, mix = plain(user.document.contents({})), user.app.player.mix
    user.window.close()

    again = open_window()
    again.projects.open(tmp_path / "hymn.musicrel")
    assert plain(again.document.contents({})) == shown
    assert (again.player.mix, again.player.style) == (mix, style)
    assert again.window.playback.mixer.mix == mix
    assert again.window.playback.transport.tempo.value() == 111
    assert (title(again), again.window.state) == ("hymn – musicrel", "Opened hymn.musicrel")
    again.window.commands.undo.trigger()
    assert not np.any(again.document.locks)


def test_mixer_that_cannot_be_played_is_reported(
    app: AppController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fluidsynth", None)
    piano = {"sound": "piano", "soundfont": "", "strips": [{}] * 4, "reverb": 0, "volume": 1}
    loud, fast = piano | {"volume": 10**400}, {"tempo_factor": 10**400, "fermata_stretch": 1}
    mixers = (("a", piano), ("b", {"sound": "kazoo"}), ("c", loud), ("d", fast))
    for name, mixer in mixers:
        contents = replace(full_contents(), mixer=mixer)
        ProjectFile.create(tmp_path / f"{name}.musicrel", contents).close()
    app.projects.open(tmp_path / "a.musicrel")
    assert "need FluidSynth" in message(app)
    assert app.player.mix.sounds == ("choir",) * 4

    app.projects.open(tmp_path / "b.musicrel")
    assert (message(app), title(app)) == ("", "b – musicrel")
    for name in ("c", "d"):  # numbers that no float holds are damage
        app.projects.open(tmp_path / f"{name}.musicrel")
        assert "1 setting cannot be read" in message(app)
        assert title(app) == f"{name} (read-only) – musicrel"
        assert app.player.mix.sounds == ("choir",) * 4


def test_new_begins_an_empty_document(user: User, project: Path) -> None:
    before = replace(user.document.form, bars=8, key=Key("D", "minor"), phrases=(4, 4), pickup=4)
    user.document.set_form(replace(before, cadence="half,", temperature=0.9))
    user.commands.file.new.trigger()
    form = user.document.form
    assert form == Form(model=form.model, seed=form.seed, rules=before.rules, temperature=0.9)
    assert form.seed != before.seed
    assert (title(user.app), user.document.piece, user.document.takes.all) == (
        "Untitled – musicrel", None, (),
    )  # fmt: skip
    assert not user.commands.file.save.isEnabled()
    user.generate()
    user.commands.file.close.trigger()
    answer(user.window, "Cancel")
    assert len(user.document.takes.all) == 1
    user.commands.file.close.trigger()
    answer(user.window, "Don't Save")

    assert user.document.piece is None
    assert len(contents_of(project)["takes"]) == 1
    assert session.orphans() == []


def test_piece_of_another_format_begins_a_document(
    user: User, project: Path, tmp_path: Path
) -> None:
    files.write(earlier_piece(), tmp_path / "old.mid")
    user.app.projects.open(tmp_path / "old.mid")
    user.wait(lambda: not user.app.files.worker.busy)

    assert title(user.app) == "Some other day – musicrel"
    assert [take.action for take in user.document.takes.all] == ["opened"]
    assert user.document.undo_state is None
    lock_all(user.app)
    assert title(user.app) == "Some other day* – musicrel"
    assert len(contents_of(project)["states"]) == 1


def test_cancelled_question_keeps_the_document(user: User, project: Path, tmp_path: Path) -> None:
    """Open asks like Close; Save goes on to the other document."""
    ProjectFile.create(tmp_path / "other.musicrel", full_contents()).close()
    lock_all(user.app)
    user.app.projects.open(tmp_path / "other.musicrel")
    answer(user.window, "Cancel")
    assert title(user.app) == "hymn* – musicrel"
    user.app.projects.open(tmp_path / "other.musicrel")
    answer(user.window, "Save")

    assert title(user.app) == "other – musicrel"
    assert np.all(contents_of(project)["states"][-1]["locks"])


def test_damaged_or_missing_project_changes_nothing(
    app: AppController, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad.musicrel").write_bytes(b"nothing" * 100)
    for name in ("bad.musicrel", "gone.musicrel"):
        app.projects.open(tmp_path / name)
        assert message(app).startswith(f"Cannot read {tmp_path / name}: ")
        assert app.projects.file.session.path == project
        app.messages.dismiss()


def test_save_as_leaves_the_old_project_as_it_was_saved(
    user: User, project: Path, tmp_path: Path
) -> None:
    before = contents_of(project)
    user.generate()
    user.commands.file.save_as.trigger()
    assert choose(user.app, tmp_path / "copy.musicrel").endswith("hymn.musicrel")
    assert contents_of(project) == before
    assert title(user.app) == "copy – musicrel"
    assert len(contents_of(tmp_path / "copy.musicrel")["takes"]) == 2
    lock_all(user.app)
    user.wait(lambda: len(contents_of(tmp_path / "copy.musicrel")["states"]) == 3)
    user.window.close()
    answer(user.window, "Don't Save")
    user.wait(lambda: not user.window.isVisible())

    assert len(contents_of(tmp_path / "copy.musicrel")["states"]) == 2


@pytest.mark.parametrize("end", ["save as", "don't save"])
def test_project_that_cannot_go_back_has_a_sentence_of_its_own(
    app: AppController,
    end: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    qtbot: QtBot,
) -> None:
    old = tmp_path / "old" / "hymn.musicrel"
    old.parent.mkdir()
    ProjectFile.create(old, full_contents()).close()
    app.projects.open(old)
    before = contents_of(old)
    lock_all(app)
    qtbot.waitUntil(lambda: contents_of(old) != before)
    shutil.rmtree(old.parent)
    old.parent.write_text("no folder")
    text = "“hymn” could not be closed properly: cannot write"
    if end == "save as":
        app.projects.save_as(tmp_path / "copy.musicrel")
        assert message(app).startswith(text)
        assert title(app) == "copy – musicrel"
    else:
        app.window.close()
        answer(app.window, "Don't Save")
        QApplication.processEvents()
        assert text in caplog.text


def test_project_is_not_saved_under_the_name_of_another_format(
    app: AppController, project: Path, tmp_path: Path
) -> None:
    app.projects.save_as(tmp_path / "hymn.mid")

    assert message(app) == (
        "A project is not called hymn.mid: choose a name with .musicrel, or use Export"
    )
    assert app.projects.file.session.path == project
    assert not (tmp_path / "hymn.mid").exists()


def test_nothing_is_replaced_while_a_piece_is_generated(
    user: User, project: Path, tmp_path: Path
) -> None:
    user.hold(40)
    act = user.commands.file
    assert {each.toolTip() for each in (act.new, act.open, act.close)} == {GENERATING}
    user.app.projects.open(tmp_path / "other.musicrel")
    assert message(user.app) == GENERATING
    user.app.messages.dismiss()
    act.save.trigger()
    assert user.state == f"Saved hymn.musicrel in {tmp_path}"
    user.stop()
    assert act.new.isEnabled()
    assert len(contents_of(project)["takes"]) == 1 or not user.document.saved


def test_only_a_new_piece_moves_the_playhead_to_the_beginning(user: User, project: Path) -> None:
    del project
    user.app.playback.seek(12, in_ruler=False)
    user.commands.file.save.trigger()
    assert user.app.player.position == 12
    user.generate()

    assert user.app.player.position == 0


def test_recent_documents_are_opened_from_the_menu(
    app: AppController, project: Path, tmp_path: Path
) -> None:
    app.projects.save_as(tmp_path / "second.musicrel")
    menu = app.window.commands.file.recent
    menu.aboutToShow.emit()
    texts = [action.text() for action in menu.actions()]
    assert [text.split("  ")[0] for text in texts[:2]] == ["second.musicrel", "hymn.musicrel"]
    menu.actions()[1].trigger()
    assert app.projects.file.session.path == project

    (tmp_path / "second.musicrel").unlink()
    menu.aboutToShow.emit()
    menu.actions()[1].trigger()
    assert message(app) == (
        f"Cannot find second.musicrel in {tmp_path}: it was removed from the list of recent "
        "documents"
    )
    menu.aboutToShow.emit()
    menu.actions()[-1].trigger()
    assert recent.load() == ()
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == [recent.NONE_YET]


def test_failing_write_is_reported_once(user: User, project: Path, tmp_path: Path) -> None:
    reported: list[str] = []
    user.app.messages.reported.connect(reported.append)
    moved = project.rename(tmp_path / "moved.musicrel")
    lock_all(user.app)
    user.wait(lambda: bool(reported))
    user.document.takes.rate(1, 1)
    user.document.takes.rate(1, 2)
    QApplication.processEvents()
    assert len(reported) == 1
    assert reported[0].startswith(f"The last edits are not in the file: cannot write {project}: ")
    user.commands.file.save.trigger()
    assert reported[1].startswith("The project is not saved: cannot write")

    moved.rename(project)
    user.document.takes.rate(1, 3)
    user.wait(lambda: contents_of(project)["takes"][0]["rating"] == 3)
    assert message(user.app) == ""
    user.commands.file.save.trigger()
    assert title(user.app) == "hymn – musicrel"


def test_document_is_edited_without_a_writable_folder(
    user: User, home: Path, tmp_path: Path
) -> None:
    home.write_text("a file where the folder should be")
    user.generate()
    user.wait(lambda: "cannot write into" in message(user.app))
    user.app.projects.save_as(tmp_path / "hymn.musicrel")

    assert title(user.app) == "hymn – musicrel"
    assert len(contents_of(tmp_path / "hymn.musicrel")["takes"]) == 1


class Silence:
    def values(self) -> dict[str, Any]:
        return {}

    def restore(self, values: Mapping[str, Any]) -> str:
        del values
        return ""


SILENCE: Any = Silence()


@pytest.fixture
def written_project(tmp_path: Path) -> Path:
    ProjectFile.create(tmp_path / "hymn.musicrel", full_contents()).close()
    return tmp_path / "hymn.musicrel"


def open_document(path: Path) -> tuple[Document, DocumentFile]:
    document = Document()
    file = DocumentFile(document, Messages(), SILENCE)
    assert file.show(session.open_project(path)) == ()
    return document, file


def restore_and_crash(*, edited: bool = False) -> None:
    (identity,) = session.orphans()
    document = Document()
    file = DocumentFile(document, Messages(), SILENCE)
    opened = session.recover(identity)
    assert opened is not None
    file.show(opened)
    if edited:
        document.takes.rate(1, 2)
        file.write_rest()


def test_untitled_document_that_makes_the_app_crash_is_restored_twice_at_most() -> None:
    untitled = Session()
    untitled.write(full_contents(), saved=False)
    untitled.leave()
    for edited in (False, True, False, False):
        restore_and_crash(edited=edited)
        gc.collect()

    with pytest.raises(FileError, match="has ended twice with"):
        restore_and_crash()
    assert session.orphans() == []


def test_last_state_is_written_though_a_write_has_failed(
    written_project: Path, tmp_path: Path
) -> None:
    document, file = open_document(written_project)
    moved = written_project.rename(tmp_path / "moved.musicrel")
    document.set_form(replace(Form(), seed=99))
    file.write()
    moved.rename(written_project)
    assert document.saved
    assert file.close() == ""

    assert contents_of(written_project)["form"].seed == 99
