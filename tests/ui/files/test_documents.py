"""Documents: new, open, save, recent ones, and writes that fail."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from musicrel.chorale import Key
from musicrel.presentation.compose.form import Form
from musicrel.project.project_file import ProjectFile
from musicrel.score import files
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.document import GENERATING
from musicrel.ui.files import recent, window_record
from tests.helpers.projects import full_contents, plain
from tests.ui.controllers.user_actions import answer, generate, hold, stop
from tests.ui.fakes import FakeJobs, earlier_piece
from tests.ui.files.conftest import OpenWindow, choose, contents_of, lock_all, message, title

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

CONTROL = Qt.KeyboardModifier.ControlModifier


def test_title_bar_names_the_document(app: AppController, qtbot: QtBot, tmp_path: Path) -> None:
    """By its piece, then by its file; an asterisk marks unsaved changes."""
    assert title(app) == "Untitled – musicrel"
    generate(qtbot, app.window)
    assert title(app) == "Chorale 7* – musicrel"
    app.projects.save_as(tmp_path / "hymn.musicrel")
    assert title(app) == "hymn – musicrel"
    lock_all(app)
    assert title(app) == "hymn* – musicrel"
    QTest.keyClick(app.window, Qt.Key.Key_S, CONTROL)
    assert title(app) == "hymn – musicrel"
    assert app.window.state == f"Saved hymn.musicrel in {tmp_path}"


def test_every_edit_is_in_the_file_at_once(app: AppController, project: Path, qtbot: QtBot) -> None:
    """Several changes of one event are one transaction; nothing has to be saved."""
    generate(qtbot, app.window)
    app.document.takes.rate(2, 3)
    app.window.playback.mixer.volume.setValue(20)
    expected = plain(app.document.contents({}))
    qtbot.waitUntil(lambda: contents_of(project) | {"mixer": {}} == expected)

    assert contents_of(project)["mixer"]["volume"] == 0.2
    assert title(app) == "hymn* – musicrel"


def test_opened_project_is_as_it_was_saved(
    app: AppController, open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """Takes, locks, undo line, form, mixer and tempo come back."""
    generate(qtbot, app.window)
    lock_all(app)
    app.document.takes.rename(1, "First")
    mixer, transport = app.window.playback.mixer, app.window.playback.transport
    mixer.strips[1].mute.click()
    mixer.strips[2].volume.setValue(40)
    transport.tempo.setValue(111)
    app.window.commands.play.fermatas.trigger()
    style = app.player.style
    app.projects.save_as(tmp_path / "hymn.musicrel")
    shown, mix = plain(app.document.contents({})), app.player.mix
    app.window.close()

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
    """The project is opened with the present instruments; an invalid mixer changes nothing."""
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


def test_new_begins_an_empty_document(app: AppController, project: Path, qtbot: QtBot) -> None:
    """Entries of the last piece and its seed go; unsaved work in an untitled one is asked about."""
    before = replace(app.document.form, bars=8, key=Key("D", "minor"), phrases="4,4", pickup=4)
    app.document.set_form(replace(before, cadence="half,", temperature=0.9))
    app.window.commands.file.new.trigger()
    form = app.document.form
    assert form == Form(model=form.model, seed=form.seed, rules=before.rules, temperature=0.9)
    assert form.seed != before.seed
    assert (title(app), app.document.piece, app.document.takes.all) == (
        "Untitled – musicrel", None, (),
    )  # fmt: skip
    assert not app.window.commands.file.save.isEnabled()
    generate(qtbot, app.window)
    app.window.commands.file.close.trigger()
    answer(app.window, "Cancel")
    assert len(app.document.takes.all) == 1
    app.window.commands.file.close.trigger()
    answer(app.window, "Don't Save")

    assert app.document.piece is None
    assert len(contents_of(project)["takes"]) == 1
    assert window_record.orphans() == []


def test_piece_of_another_format_begins_a_document(
    app: AppController, project: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    """It is saved until it is edited; the project before is not changed."""
    files.write(earlier_piece(), tmp_path / "old.mid")
    app.projects.open(tmp_path / "old.mid")
    qtbot.waitUntil(lambda: not app.files.busy)

    assert title(app) == "Some other day – musicrel"
    assert [take.action for take in app.document.takes.all] == ["opened"]
    assert app.document.undo_state is None
    lock_all(app)
    assert title(app) == "Some other day* – musicrel"
    assert len(contents_of(project)["states"]) == 1


def test_cancelled_question_keeps_the_document(
    app: AppController, project: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    """Open asks like Close; Save goes on to the other document."""
    ProjectFile.create(tmp_path / "other.musicrel", full_contents()).close()
    lock_all(app)
    app.projects.open(tmp_path / "other.musicrel")
    answer(app.window, "Cancel")
    assert title(app) == "hymn* – musicrel"
    app.projects.open(tmp_path / "other.musicrel")
    answer(app.window, "Save")

    assert title(app) == "other – musicrel"
    assert np.all(contents_of(project)["states"][-1]["locks"])
    del qtbot


def test_damaged_or_missing_project_changes_nothing(
    app: AppController, project: Path, tmp_path: Path
) -> None:
    """The banner has the reason."""
    (tmp_path / "bad.musicrel").write_bytes(b"nothing" * 100)
    for name in ("bad.musicrel", "gone.musicrel"):
        app.projects.open(tmp_path / name)
        assert message(app).startswith(f"Cannot read {tmp_path / name}: ")
        assert app.projects.file.path == project
        app.messages.dismiss()


def test_save_as_leaves_the_old_project_as_it_was_saved(
    app: AppController, project: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    """The document continues in the new one."""
    before = contents_of(project)
    generate(qtbot, app.window)
    app.window.commands.file.save_as.trigger()
    assert choose(app, tmp_path / "copy.musicrel").endswith("hymn.musicrel")
    assert contents_of(project) == before
    assert title(app) == "copy – musicrel"
    assert len(contents_of(tmp_path / "copy.musicrel")["takes"]) == 2
    lock_all(app)
    qtbot.waitUntil(lambda: len(contents_of(tmp_path / "copy.musicrel")["states"]) == 3)
    app.window.close()
    answer(app.window, "Don't Save")
    qtbot.waitUntil(lambda: not app.window.isVisible())

    assert len(contents_of(tmp_path / "copy.musicrel")["states"]) == 2


@pytest.mark.parametrize("end", ["save as", "don't save"])
def test_project_that_cannot_go_back_has_a_sentence_of_its_own(
    app: AppController, end: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Save As has worked all the same; a window that closes logs the reason."""
    old = tmp_path / "old" / "hymn.musicrel"
    old.parent.mkdir()
    ProjectFile.create(old, full_contents()).close()
    app.projects.open(old)
    lock_all(app)
    QApplication.processEvents()
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
    """The banner names the way out."""
    app.projects.save_as(tmp_path / "hymn.mid")

    assert message(app) == (
        "A project is not called hymn.mid: choose a name with .musicrel, or use Export"
    )
    assert app.projects.file.path == project
    assert not (tmp_path / "hymn.mid").exists()


def test_nothing_is_replaced_while_a_piece_is_generated(
    app: AppController, project: Path, jobs: FakeJobs, qtbot: QtBot, tmp_path: Path
) -> None:
    """The commands give the reason; Save is possible."""
    hold(qtbot, app.window, jobs, 40)
    act = app.window.commands.file
    assert {each.toolTip() for each in (act.new, act.open, act.close)} == {GENERATING}
    app.projects.open(tmp_path / "other.musicrel")
    assert message(app) == GENERATING
    app.messages.dismiss()
    act.save.trigger()
    assert app.window.state == f"Saved hymn.musicrel in {tmp_path}"
    stop(qtbot, app.window, jobs)
    assert act.new.isEnabled()
    assert len(contents_of(project)["takes"]) == 1 or not app.document.saved


def test_only_a_new_piece_moves_the_playhead_to_the_beginning(
    app: AppController, project: Path, qtbot: QtBot
) -> None:
    """Saving leaves it where it was."""
    del project
    app.playback.seek(12, in_ruler=False)
    app.window.commands.file.save.trigger()
    assert app.player.position == 12
    generate(qtbot, app.window)

    assert app.player.position == 0


# Recent documents


def test_recent_documents_are_opened_from_the_menu(
    app: AppController, project: Path, tmp_path: Path
) -> None:
    """The newest is first; one that is gone is removed with a sentence."""
    app.projects.save_as(tmp_path / "second.musicrel")
    menu = app.window.commands.file.recent
    menu.aboutToShow.emit()
    texts = [action.text() for action in menu.actions()]
    assert [text.split("  ")[0] for text in texts[:2]] == ["second.musicrel", "hymn.musicrel"]
    menu.actions()[1].trigger()
    assert app.projects.file.path == project

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


# Failures


def test_failing_write_is_reported_once(
    app: AppController, project: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    """The next edit tries again; Save gives the reason; Save As is the way out."""
    reported: list[str] = []
    app.messages.reported.connect(reported.append)
    moved = project.rename(tmp_path / "moved.musicrel")
    lock_all(app)
    qtbot.waitUntil(lambda: bool(reported))
    app.document.takes.rate(1, 1)
    app.document.takes.rate(1, 2)
    QApplication.processEvents()
    assert len(reported) == 1
    assert reported[0].startswith(f"The last edits are not in the file: cannot write {project}: ")
    app.window.commands.file.save.trigger()
    assert reported[1].startswith("The project is not saved: cannot write")

    moved.rename(project)
    app.document.takes.rate(1, 3)
    qtbot.waitUntil(lambda: contents_of(project)["takes"][0]["rating"] == 3)
    assert message(app) == ""
    app.window.commands.file.save.trigger()
    assert title(app) == "hymn – musicrel"


def test_document_is_edited_without_a_writable_folder(
    app: AppController, home: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    """The reason is reported; Save As keeps it."""
    home.write_text("a file where the folder should be")
    generate(qtbot, app.window)
    qtbot.waitUntil(lambda: "cannot write into" in message(app))
    app.projects.save_as(tmp_path / "hymn.musicrel")

    assert title(app) == "hymn – musicrel"
    assert len(contents_of(tmp_path / "hymn.musicrel")["takes"]) == 1
