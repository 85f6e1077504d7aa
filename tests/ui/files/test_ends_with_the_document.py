"""State of a document ends with it, and has no effect on the next one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Key
from musicrel.generation.heads.mutes import Mutes
from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.score import files
from musicrel.score.audio.mixer import Mix
from musicrel.ui.app_controller import AppController
from musicrel.ui.files.dialogs import FileDrop
from tests.ui.controllers.user_actions import generate
from tests.ui.fakes import EARLIER, earlier_piece
from tests.ui.files.conftest import OpenWindow, contents_of, kill, message
from tests.ui.user import User

MUTED = MutedHeads().with_mutes("full", Mutes.parse("2.1", "zero"))


@dataclass(frozen=True)
class Leaving:
    """A window with a saved project, which is left for another document.

    Attributes:
        app: the window.
        project: its project.
        folder: for files.
        open_window: opens another window.
        qtbot: waits.
    """

    app: AppController
    project: Path
    folder: Path
    open_window: OpenWindow
    qtbot: QtBot

    def opened(self, path: Path) -> AppController:
        self.app.projects.open(path)
        self.qtbot.waitUntil(lambda: not self.app.files.worker.busy)
        return self.app


@pytest.fixture
def leaving(user: User, project: Path, tmp_path: Path, open_window: OpenWindow) -> Leaving:
    mute(user.app)
    return Leaving(user.app, project, tmp_path, open_window, user.qtbot)


def mute(app: AppController) -> None:
    app.document.set_form(replace(app.document.form, muted=MUTED))
    app.projects.save()


def new(leaving: Leaving) -> AppController:
    leaving.app.window.commands.file.new.trigger()
    return leaving.app


def opened_midi(leaving: Leaving) -> AppController:
    files.write(replace(earlier_piece(), provenance=None), leaving.folder / "old.mid")
    return leaving.opened(leaving.folder / "old.mid")


def dropped(leaving: Leaving) -> AppController:
    files.write(replace(earlier_piece(), provenance=None), leaving.folder / "old.musicxml")
    drop = leaving.app.window.findChildren(FileDrop)[0]
    drop.dropped.emit(leaving.folder / "old.musicxml")
    leaving.qtbot.waitUntil(lambda: not leaving.app.files.worker.busy)
    return leaving.app


def opened_own_export(leaving: Leaving) -> AppController:
    """Open a piece that was written with a muted head; its provenance names it."""
    asked = replace(EARLIER, mutes=Mutes.parse("1.2", "zero"))
    files.write(earlier_piece(asked), leaving.folder / "muted.json")
    app = leaving.opened(leaving.folder / "muted.json")
    piece = app.document.piece
    assert piece is not None
    assert piece.provenance is not None
    assert piece.provenance.settings["mute"] == "1.2"
    assert "1.2 muted" in app.window.compose_page.strip.status.text()
    return app


def opened_again(leaving: Leaving) -> AppController:
    new(leaving)
    return leaving.opened(leaving.project)


def opened_of_1_0_0(leaving: Leaving) -> AppController:
    """Open a project of version 1.0.0, which stored muted heads with every form."""
    new(leaving)
    with closing(sqlite3.connect(leaving.project)) as connection, connection:
        for table, key, column in (
            ("document", "name", "value"), ("takes", "number", "form"), ("states", "id", "form"),
        ):  # fmt: skip
            rows = connection.execute(f"SELECT {key}, {column} FROM {table}").fetchall()  # noqa: S608
            for row, text in rows:
                values = json.loads(text)
                if isinstance(values, dict) and "seed" in values:
                    values["muted"] = {"full": {"mute": "2.1", "mute_by": "zero"}}
                    connection.execute(
                        f"UPDATE {table} SET {column} = ? WHERE {key} = ?",  # noqa: S608
                        (json.dumps(values), row),
                    )
    app = leaving.opened(leaving.project)
    app.document.use_take(1)
    return app


def from_recent(leaving: Leaving) -> AppController:
    app, menu = new(leaving), leaving.app.window.commands.file.recent
    menu.aboutToShow.emit()
    menu.actions()[0].trigger()
    assert app.projects.file.session.path == leaving.project
    return app


def recovered(leaving: Leaving) -> AppController:
    leaving.app.document.set_locks(~leaving.app.document.locks)  # type: ignore[operator]  # a piece
    kill(leaving.app)
    app = leaving.open_window()
    app.projects.start()
    assert app.document.piece is not None
    return app


WAYS = (
    new, opened_midi, dropped, opened_own_export, opened_again, opened_of_1_0_0, from_recent,
    recovered,
)  # fmt: skip


@pytest.mark.parametrize("leave", WAYS)
def test_no_head_is_muted_in_another_document(
    leave: Callable[[Leaving], AppController], leaving: Leaving
) -> None:
    assert not leaving.app.window.muted.isHidden()

    app = leave(leaving)

    for _ in range(3):
        assert app.document.form.muted == MutedHeads()
        assert app.window.muted.isHidden()
        app.document.undo()
    assert "2.1" not in message(app)


def test_a_project_does_not_hold_muted_heads(leaving: Leaving) -> None:
    generate(leaving.qtbot, leaving.app.window)
    leaving.app.projects.save()

    with closing(sqlite3.connect(leaving.project)) as connection:
        dump = "\n".join(connection.iterdump())
    assert '"seed"' in dump
    assert "mute_by" not in dump


def test_undo_and_redo_mute_nothing(leaving: Leaving) -> None:
    app = leaving.app
    generate(leaving.qtbot, app.window)
    app.window.muted.clear.click()
    assert app.document.form.muted == MutedHeads()
    piece = app.document.piece
    assert piece is not None
    app.document.show_piece(piece.transposed(1))

    for step in (app.document.undo, app.document.undo, app.document.redo):
        step()
        assert app.document.form.muted == MutedHeads()


@pytest.mark.parametrize("leave", [new, opened_midi, dropped, opened_own_export])
def test_mixer_tempo_and_loop_end_with_the_document(
    leave: Callable[[Leaving], AppController], leaving: Leaving
) -> None:
    app, mixer = leaving.app, leaving.app.window.playback.mixer
    fermatas = app.player.style.fermata_stretch
    mixer.strips[1].mute.click()
    mixer.strips[2].solo.click()
    app.window.playback.transport.tempo.setValue(111)
    app.window.commands.play.fermatas.trigger()
    app.playback.drag_loop(0, 16)
    app.projects.save()

    leave(leaving)
    if app.document.piece is None:
        generate(leaving.qtbot, app.window)

    assert app.player.mix.strips == Mix().strips
    assert not mixer.strips[1].mute.isChecked()
    assert (app.player.style.tempo_factor, app.player.style.fermata_stretch) == (1, fermatas)
    assert app.player.loop is None
    assert not app.window.commands.play.loop.isChecked()


def test_instruments_are_those_of_the_user_in_a_new_document(leaving: Leaving) -> None:
    app = leaving.app
    app.player.mix = replace(app.player.mix, sound=("organ",) * 4)  # as a project restores them
    new(leaving)

    assert app.player.mix.sounds == ("choir",) * 4
    app.mixer.set_mix(replace(app.player.mix, sound=("organ",) * 4))  # as the user chooses
    new(leaving)
    assert app.player.mix.sounds == ("organ",) * 4


@pytest.mark.parametrize("leave", [opened_midi, dropped])
def test_the_form_beside_an_opened_piece_is_that_of_the_piece(
    leave: Callable[[Leaving], AppController], leaving: Leaving
) -> None:
    """Key and cadences of the one before would count in what is rewritten."""
    app = leaving.app
    entries = {"bars": 12, "key": Key("F#", "minor"), "phrases": (4, 8), "cadence": "half,plagal"}
    app.document.set_form(replace(app.document.form, **entries))  # type: ignore[arg-type]
    app.projects.save()

    leave(leaving)

    form, piece = app.document.form, app.document.piece
    assert piece is not None
    assert (form.cadence, form.key, form.meter) == ("", piece.key, piece.meter)
    assert form.bars == 3
    form.request()


def test_a_new_document_has_the_rules_and_the_model_of_the_user(leaving: Leaving) -> None:
    app = leaving.app
    app.document.set_form(replace(app.document.form, model="plain", rules=()))
    app.projects.save()
    assert contents_of(leaving.project)["form"].rules == ()

    new(leaving)

    assert app.document.form.model == "full"
    assert app.document.form.rules


def test_the_list_of_rules_closes_with_its_piece(leaving: Leaving) -> None:
    rules = leaving.app.window.commands.rules.list
    rules.trigger()
    assert rules.isChecked()

    new(leaving)

    assert not rules.isChecked()
    assert leaving.app.window.compose_page.controls.isVisible()


@pytest.mark.parametrize("leave", [new, opened_midi, opened_again])
def test_another_document_is_shown_whole(
    leave: Callable[[Leaving], AppController], leaving: Leaving
) -> None:
    roll = leaving.app.window.compose_page.roll
    roll.zoom(6.0)

    app = leave(leaving)

    generate(leaving.qtbot, app.window)
    assert roll.seen == roll.seen.opened()
