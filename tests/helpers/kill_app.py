"""Kill the app again and again while a document is edited; at most the last edit may be lost.

``python -m tests.helpers.kill_app 200`` kills 200 times and prints the result. Every start restores
what the kill before has left, and the session goes on.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from musicrel.playback.player import Player
from musicrel.project.contents import Contents
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.music import random_chorale
from tests.helpers.sound import ManualOutput
from tests.ui.fakes import FakeJobs

SAVE_AT: Final = 8
"""Number of takes with which the document is saved as a project, and again after as many more."""
_RESTORED, _WRITTEN = 2, 3
"""Lines after which a process has restored the document, and has written an edit."""
_MAX_LINES: Final = 40
_MAX_SECONDS: Final = 0.02
_MAX_SECONDS_TO_END: Final = 60.0
_STEPS: Final = 32


def digest(contents: Contents) -> str:
    sha = hashlib.sha256(repr((contents.position, contents.present, contents.form)).encode())
    for take in contents.takes:
        sha.update(repr((take.number, take.name, take.rating, take.action, take.form)).encode())
        sha.update(take.piece.pitches.tobytes() + take.piece.onsets.tobytes())
    for state in contents.states:
        sha.update(repr((state.take, sorted(state.deleted), state.form)).encode())
        sha.update(state.piece.pitches.tobytes() + state.locks.tobytes())
    return sha.hexdigest()


class Session:
    """A window in which one thing after another is edited."""

    def __init__(self, place: Path) -> None:
        jobs = FakeJobs()
        self.window = MainWindow()
        self.app = AppController(
            self.window, jobs, settings=Settings(theme="light"),
            player=Player(ManualOutput(), threaded=False),
        )  # fmt: skip
        self.place, self.rng = place, random.Random()  # noqa: S311  # no secret
        self.window.painted.connect(self.start)
        self.timer = QTimer(interval=0, singleShot=True)
        self.timer.timeout.connect(self.step)

    def start(self) -> None:
        self.app.projects.start()
        self.print("restored")
        self.timer.start()

    def step(self) -> None:
        """Edit something; the digest is printed before and after it is written."""
        saves = self.edit()
        self.print("edited")  # before anything of the edit can be in a file
        if saves:
            self.app.projects.save_as(self.place / f"{self.rng.randrange(3)}.musicrel")
        QApplication.processEvents()
        self.print("written")
        self.timer.start()

    def edit(self) -> bool:
        """Perform one random edit; return True if the document is to be saved now."""
        document, rng = self.app.document, self.rng
        if document.piece is None or rng.random() < 0.2:
            piece = random_chorale(rng.randrange(10_000), _STEPS)
            document.show_piece(piece, action="generated")
            return len(document.takes.all) % SAVE_AT == 0
        take = rng.choice(document.takes.all).number
        rng.choice(
            (
                lambda: document.set_locks(np.random.default_rng().random((_STEPS, 4)) < 0.5),
                lambda: document.takes.rate(take, rng.randrange(4)),
                lambda: document.takes.rename(take, f"Nr. {rng.randrange(100)}"),
                lambda: document.delete_takes({take}),
                lambda: document.use_take(take),
                document.undo,
                document.redo,
            )
        )()
        return False

    def print(self, what: str) -> None:
        print(what, digest(self.app.document.contents({})), flush=True)  # noqa: T201


def kill_while_editing(home: Path, rng: random.Random, least: int) -> tuple[str, list[str]]:
    """Kill a process that edits a document at a random moment, after ``least`` lines or more.

    Return the digest of what it restored, and those of the last edit that was written and of the
    edits after that, any of which the file may have.
    """
    environment = {**os.environ, "MUSICREL_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "tests.helpers.kill_app", "--edit", str(home)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(rng.randint(least, _MAX_LINES))]
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(rng.uniform(0, _MAX_SECONDS))
        process.kill()
        process.wait(_MAX_SECONDS_TO_END)
        os.set_blocking(process.stdout.fileno(), False)  # another process may hold the pipe open
        lines += (process.stdout.read() or b"").splitlines(keepends=True)
    words = [line.decode().split() for line in lines if line.endswith(b"\n")]
    written = max(n for n, (what, _) in enumerate(words) if what != "edited")
    return words[0][1], [found for _, found in words[written:]]


def kill_often(times: int, home: Path, seed: int = 1) -> list[str]:
    """Kill ``times`` times; return a sentence for every document that was not restored.

    A document that was restored twice and then neither edited nor closed is not restored a third
    time, so at most one process in a row is killed before its first edit is written.
    """
    rng, failures, possible = random.Random(seed), list[str](), list[str]()  # noqa: S311
    least = _RESTORED
    for number in range(times):
        restored, after = kill_while_editing(home, rng, least)
        least = _WRITTEN if restored in after else _RESTORED
        if possible and restored not in possible:
            failures.append(f"after kill {number}, the document is not the one before")
        possible = after
    return failures


def main() -> int:
    if sys.argv[1] == "--edit":
        app = QApplication(sys.argv[:1])
        session = Session(Path(sys.argv[2]))
        session.window.show()
        return app.exec()
    with tempfile.TemporaryDirectory() as home:
        failures = kill_often(int(sys.argv[1]), Path(home))
    print(*failures, f"{sys.argv[1]} kills, {len(failures)} failures", sep="\n")  # noqa: T201
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
