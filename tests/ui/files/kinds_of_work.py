"""Every kind of unsaved work, as functions that leave it in a window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

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


def generated(work: Work) -> AppController:
    generate(work.qtbot, work.app.window)
    return work.app


def being_generated(work: Work) -> AppController:
    app = work.saved()
    work.jobs.waiting.clear()
    return _hold(work, app)


def first_being_generated(work: Work) -> AppController:
    return _hold(work, work.app)


def _hold(work: Work, app: AppController) -> AppController:
    work.jobs.hold_at = 40
    app.writing.generate()
    assert work.jobs.waiting.wait(TIMEOUT)
    return app


def exported(work: Work) -> AppController:
    generate(work.qtbot, work.app.window)
    work.app.files.export(piece_of(work.app), work.place / "piece.mid")
    work.qtbot.waitUntil(lambda: not work.app.files.worker.busy)
    return work.app


def generated_again(work: Work) -> AppController:
    app = work.saved()
    generate(work.qtbot, app.window)
    return app


def rewriting(work: Work) -> AppController:
    app = work.saved()
    rewrite(app, app.window, work.qtbot)
    app.writing.accept()
    return app


def opened_and_edited(work: Work) -> AppController:
    app = work.opened()
    app.document.show_piece(piece_of(app).transposed(2))
    return app


def piece_of(app: AppController) -> Chorale:
    assert app.document.piece is not None
    return app.document.piece


Action = Callable[[AppController], object]
UNDO: Action = lambda app: app.window.commands.undo.trigger()  # noqa: E731
SAVE: Action = lambda app: app.projects.save()  # noqa: E731
LOCK: Action = lambda app: app.document.set_locks(np.ones((32, 4), dtype=bool))  # noqa: E731
DELETE: Action = lambda app: app.document.delete_takes({1})  # noqa: E731
CHANGES: Final[Mapping[str, tuple[Action, ...]]] = {
    "lock": (LOCK,),
    "unlock": (LOCK, SAVE, UNDO),
    "rating": (lambda app: app.document.takes.rate(1, 3),),
    "name": (lambda app: app.document.takes.rename(2, "The better one"),),
    "deletion": (DELETE,),
    "restoration": (DELETE, SAVE, UNDO),
    "other take": (lambda app: app.document.use_take(1),),
    "undone": (UNDO,),
    "redone": (UNDO, SAVE, lambda app: app.window.commands.redo.trigger()),
    "edit": (lambda app: app.document.show_piece(piece_of(app).transposed(1)),),
}
"""The work of a user after a save."""


def _after_save(actions: tuple[Action, ...], work: Work) -> AppController:
    app = work.saved()
    for action in actions:
        action(app)
    return app


def recovered(work: Work) -> AppController:
    generated(work)
    kill(work.app)
    app = work.open_window()
    app.projects.start()
    return app


def recovered_project(work: Work) -> AppController:
    _after_save((LOCK,), work)
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


KINDS: Final[Mapping[str, Callable[[Work], AppController]]] = {
    **{
        leave.__name__: leave
        for leave in (
            generated, generated_again, being_generated, first_being_generated, exported, rewriting,
            opened_and_edited, recovered, recovered_project, recovered_from_version_1, read_only,
            failed_save,
        )
    },
    **{name: partial(_after_save, actions) for name, actions in CHANGES.items()},
}  # fmt: skip
