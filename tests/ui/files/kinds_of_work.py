"""Every kind of unsaved work, as functions that leave it in a window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.score import files, json_file
from musicrel.ui.app_controller import AppController
from musicrel.ui.files import session
from tests.ui.controllers.user_actions import generate, rewrite
from tests.ui.fakes import TIMEOUT, FakeJobs, earlier_piece
from tests.ui.files.conftest import OpenWindow, kill


class Work:
    def __init__(self, open_window: OpenWindow, jobs: FakeJobs, qtbot: QtBot, place: Path) -> None:
        self.open_window, self.jobs, self.qtbot, self.place = open_window, jobs, qtbot, place
        self.app = open_window()

    def saved(self) -> AppController:
        generate(self.qtbot, self.app.window)
        generate(self.qtbot, self.app.window)
        self.app.projects.save_as(self.place / "hymn.musicrel")
        return self.app

    def opened(self) -> AppController:
        files.write(earlier_piece(), self.place / "old.mid")
        self.app.projects.open(self.place / "old.mid")
        self.qtbot.waitUntil(lambda: not self.app.files.worker.busy)
        return self.app

    def locked(self) -> AppController:
        app = self.saved()
        app.document.set_locks(np.ones((32, 4), dtype=bool))
        return app


def generated(work: Work) -> AppController:
    generate(work.qtbot, work.app.window)
    return work.app


def generated_again(work: Work) -> AppController:
    app = work.saved()
    generate(work.qtbot, app.window)
    return app


def being_generated(work: Work) -> AppController:
    app = work.saved()
    work.jobs.hold_at = 40
    work.jobs.waiting.clear()
    app.writing.generate()
    assert work.jobs.waiting.wait(TIMEOUT)
    return app


def first_being_generated(work: Work) -> AppController:
    work.jobs.hold_at = 40
    work.app.writing.generate()
    assert work.jobs.waiting.wait(TIMEOUT)
    return work.app


def exported(work: Work) -> AppController:
    generate(work.qtbot, work.app.window)
    assert work.app.document.piece is not None
    work.app.files.export(work.app.document.piece, work.place / "piece.mid")
    work.qtbot.waitUntil(lambda: not work.app.files.worker.busy)
    return work.app


def lock(work: Work) -> AppController:
    return work.locked()


def unlock(work: Work) -> AppController:
    app = work.locked()
    app.projects.save()
    app.window.commands.undo.trigger()
    return app


def rating(work: Work) -> AppController:
    app = work.saved()
    app.document.takes.rate(1, 3)
    return app


def name(work: Work) -> AppController:
    app = work.saved()
    app.document.takes.rename(2, "The better one")
    return app


def deletion(work: Work) -> AppController:
    app = work.saved()
    app.document.delete_takes({1})
    return app


def restoration(work: Work) -> AppController:
    app = work.saved()
    app.document.delete_takes({1})
    app.projects.save()
    app.window.commands.undo.trigger()
    return app


def other_take(work: Work) -> AppController:
    app = work.saved()
    app.document.use_take(1)
    return app


def undone(work: Work) -> AppController:
    app = work.saved()
    app.window.commands.undo.trigger()
    return app


def redone(work: Work) -> AppController:
    app = work.saved()
    app.window.commands.undo.trigger()
    app.projects.save()
    app.window.commands.redo.trigger()
    return app


def edit(work: Work) -> AppController:
    app = work.saved()
    piece = app.document.piece
    assert piece is not None
    app.document.show_piece(piece.transposed(1))
    return app


def rewriting(work: Work) -> AppController:
    app = work.saved()
    rewrite(app, app.window, work.qtbot)
    app.writing.accept()
    return app


def opened_and_edited(work: Work) -> AppController:
    app = work.opened()
    piece = app.document.piece
    assert piece is not None
    app.document.show_piece(piece.transposed(2))
    return app


def recovered(work: Work) -> AppController:
    generated(work)
    kill(work.app)
    app = work.open_window()
    app.projects.start()
    return app


def recovered_project(work: Work) -> AppController:
    lock(work)
    kill(work.app)
    app = work.open_window()
    app.projects.start()
    return app


def recovered_from_version_1(work: Work) -> AppController:
    """Leave a piece that a crash of version 1 has left."""
    piece = Chorale.of([[72, 67, 64, 48]] * 16, title="Left behind")
    json_file.write(piece, session.folder() / "abc.json")
    work.app.projects.start()
    return work.app


def read_only(work: Work) -> AppController:
    work.saved()
    second = work.open_window()
    second.projects.open(work.place / "hymn.musicrel")
    second.document.set_locks(np.ones((32, 4), dtype=bool))
    return second


def failed_save(work: Work) -> AppController:
    """Leave a piece that could not be saved."""
    generated(work)
    (work.place / "file").write_text("no folder")
    work.app.projects.save_as(work.place / "file" / "hymn.musicrel")
    return work.app


KINDS: tuple[Callable[[Work], AppController], ...] = (
    generated, generated_again, being_generated, first_being_generated, exported, lock, unlock,
    rating, name, deletion, restoration, other_take, undone, redone, edit, rewriting,
    opened_and_edited, recovered, recovered_project, recovered_from_version_1, read_only,
    failed_save,
)  # fmt: skip
