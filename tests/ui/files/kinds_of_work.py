"""Every kind of unsaved work, as functions that leave it in a window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.score import files, json_file
from musicrel.ui.app_controller import AppController
from musicrel.ui.files import window_record
from tests.ui.controllers.user_actions import generate, rewrite
from tests.ui.fakes import TIMEOUT, FakeJobs, earlier_piece
from tests.ui.files.conftest import OpenWindow, kill


class Work:
    """A window in which something is done."""

    def __init__(self, open_window: OpenWindow, jobs: FakeJobs, qtbot: QtBot, place: Path) -> None:
        self.open_window, self.jobs, self.qtbot, self.place = open_window, jobs, qtbot, place
        self.app = open_window()

    def saved(self) -> AppController:
        """Save two takes as a project."""
        generate(self.qtbot, self.app.window)
        generate(self.qtbot, self.app.window)
        self.app.projects.save_as(self.place / "hymn.musicrel")
        return self.app

    def opened(self) -> AppController:
        """Open a piece of another format."""
        files.write(earlier_piece(), self.place / "old.mid")
        self.app.projects.open(self.place / "old.mid")
        self.qtbot.waitUntil(lambda: not self.app.files.busy)
        return self.app

    def locked(self) -> AppController:
        """Save, then lock everything."""
        app = self.saved()
        app.document.set_locks(np.ones((32, 4), dtype=bool))
        return app


def generated(work: Work) -> AppController:
    """Leave a piece."""
    generate(work.qtbot, work.app.window)
    return work.app


def generated_again(work: Work) -> AppController:
    """Leave a third take of a project."""
    app = work.saved()
    generate(work.qtbot, app.window)
    return app


def being_generated(work: Work) -> AppController:
    """Leave an unfinished piece in a project that is saved."""
    app = work.saved()
    work.jobs.hold_at = 40
    work.jobs.waiting.clear()
    app.compose.generate()
    assert work.jobs.waiting.wait(TIMEOUT)
    return app


def first_being_generated(work: Work) -> AppController:
    """Leave an unfinished piece in an empty document."""
    work.jobs.hold_at = 40
    work.app.compose.generate()
    assert work.jobs.waiting.wait(TIMEOUT)
    return work.app


def exported(work: Work) -> AppController:
    """Leave a piece that is in a MIDI file, but in no project."""
    generate(work.qtbot, work.app.window)
    assert work.app.document.piece is not None
    work.app.files.export(work.app.document.piece, work.place / "piece.mid")
    work.qtbot.waitUntil(lambda: not work.app.files.busy)
    return work.app


def lock(work: Work) -> AppController:
    """Leave a lock."""
    return work.locked()


def unlock(work: Work) -> AppController:
    """Leave a lock that was saved and removed."""
    app = work.locked()
    app.projects.save()
    app.window.commands.undo.trigger()
    return app


def rating(work: Work) -> AppController:
    """Leave a rating."""
    app = work.saved()
    app.document.takes.rate(1, 3)
    return app


def name(work: Work) -> AppController:
    """Leave a name of a take."""
    app = work.saved()
    app.document.takes.rename(2, "The better one")
    return app


def deletion(work: Work) -> AppController:
    """Leave a take that was deleted."""
    app = work.saved()
    app.document.delete_takes({1})
    return app


def restoration(work: Work) -> AppController:
    """Leave a take that was deleted, saved and restored."""
    app = work.saved()
    app.document.delete_takes({1})
    app.projects.save()
    app.window.commands.undo.trigger()
    return app


def other_take(work: Work) -> AppController:
    """Leave another take as the piece."""
    app = work.saved()
    app.document.use_take(1)
    return app


def undone(work: Work) -> AppController:
    """Leave a step that was saved and undone."""
    app = work.saved()
    app.window.commands.undo.trigger()
    return app


def redone(work: Work) -> AppController:
    """Leave a step that was undone, saved and redone."""
    app = work.saved()
    app.window.commands.undo.trigger()
    app.projects.save()
    app.window.commands.redo.trigger()
    return app


def edit(work: Work) -> AppController:
    """Leave an edited note."""
    app = work.saved()
    piece = app.document.piece
    assert piece is not None
    app.document.show_piece(piece.transposed(1))
    return app


def rewriting(work: Work) -> AppController:
    """Leave a passage that was rewritten."""
    app = work.saved()
    rewrite(app, app.window, work.qtbot)
    app.candidates.accept()
    return app


def opened_and_edited(work: Work) -> AppController:
    """Leave a MIDI file that was changed."""
    app = work.opened()
    piece = app.document.piece
    assert piece is not None
    app.document.show_piece(piece.transposed(2))
    return app


def recovered(work: Work) -> AppController:
    """Leave a piece that a crash has left."""
    generated(work)
    kill(work.app)
    app = work.open_window()
    app.projects.start()
    return app


def recovered_project(work: Work) -> AppController:
    """Leave the edits of a project that a crash has left."""
    lock(work)
    kill(work.app)
    app = work.open_window()
    app.projects.start()
    return app


def recovered_from_version_1(work: Work) -> AppController:
    """Leave a piece that a crash of version 1 has left."""
    piece = Chorale.of([[72, 67, 64, 48]] * 16, title="Left behind")
    json_file.write(piece, window_record.folder() / "abc.json")
    work.app.projects.start()
    return work.app


def read_only(work: Work) -> AppController:
    """Leave an edit of a project that another window has."""
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
