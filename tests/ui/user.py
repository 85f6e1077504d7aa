"""The whole app with fake jobs, its parts by short names, and what a user does to write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.score.editing.selection import Selection
from musicrel.ui.actions.commands import Commands, Group
from musicrel.ui.app_controller import AppController
from musicrel.ui.compose.candidate_panel import CandidatePanel
from musicrel.ui.compose.compose_form import ComposeForm
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.compose.controls import Controls
from musicrel.ui.compose.harmonise_dialog import Melody
from musicrel.ui.compose.rewrite_strip import RewriteStrip
from musicrel.ui.controllers.writer import Writer
from musicrel.ui.controllers.writing_controller import WritingController
from musicrel.ui.document.document import Document
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers import user_actions
from tests.ui.fakes import FakeJobs


@dataclass
class User:
    app: AppController
    jobs: FakeJobs
    qtbot: QtBot

    def __post_init__(self) -> None:
        self.window: MainWindow = self.app.window
        self.document: Document = self.app.document
        self.writing: WritingController = self.app.writing
        self.writer: Writer = self.app.writer
        self.page: ComposePage = self.window.compose_page
        self.controls: Controls = self.page.controls
        self.form: ComposeForm = self.controls.compose_form
        self.panel: CandidatePanel = self.page.candidates
        self.strip: RewriteStrip = self.page.strip
        self.roll: RollView = self.page.roll
        self.commands: Commands = self.window.commands
        self.act: Group = self.commands.rewriting

    @property
    def state(self) -> str:
        return self.window.state

    @property
    def candidate_count(self) -> int:
        return len(self.writer.made)

    @property
    def message(self) -> str:
        return self.page.banner.message

    @property
    def piece(self) -> Chorale:
        assert self.document.piece is not None
        return self.document.piece

    def wait(self, until: Callable[[], bool], timeout: int = 20_000) -> None:
        self.qtbot.waitUntil(until, timeout=timeout)

    def settle(self) -> None:
        """Wait until nothing is written, and the thread has ended."""
        self.wait(lambda: self.writer.job.idle)

    def generate(self) -> None:
        self.controls.generate_button.click()
        self.wait(lambda: not self.writer.busy)
        user_actions.wait_for_the_end(self.qtbot, self.window)

    def hold(self, cells: int) -> None:
        user_actions.hold(self.qtbot, self.window, self.jobs, cells)

    def stop(self) -> None:
        user_actions.stop(self.qtbot, self.window, self.jobs)

    def rewrite(
        self, selection: Selection | None = user_actions.INNER, *, count: int = 8
    ) -> Chorale:
        """Select a passage, rewrite it, wait for the candidates; return the original."""
        self.form.candidates.setValue(count)
        piece = self.piece
        self.app.document.select(selection)
        self.strip.rewrite.click()
        self.wait(lambda: not self.writer.busy)
        return piece

    def begin_held(self, press: Callable[[], object], count: int = 8) -> None:
        """Press a button that generates candidates, and hold the job at the first one."""
        self.jobs.hold_candidates = True
        self.form.candidates.setValue(count)
        press()
        self.wait(self.jobs.waiting.is_set)

    def begin_harmonising(self, melody: Melody, model: str = "both", count: int = 2) -> None:
        form = replace(self.document.form, model=model, quality="draft", candidates=count)
        self.app.writing.harmonise(melody, form)

    def harmonise(self, melody: Melody, model: str = "both", count: int = 2) -> None:
        self.begin_harmonising(melody, model, count)
        self.wait(lambda: not self.app.writing.reading.busy and not self.writer.busy)

    def key(self, key: Qt.Key) -> None:
        """Press a key in the list of candidates."""
        QTest.keyClick(self.panel.table, key)

    def listed(self) -> list[int | None]:
        """Return the numbers of the candidates in the order of the list."""
        table = self.panel.table
        return [table.number_at(row) for row in range(table.rowCount())]

    def alto(self) -> set[int]:
        """Return the pitches of the alto on the roll at step 4."""
        picture = self.page.roll.picture
        assert picture is not None
        return {n.pitch for n in picture.notes if n.voice == 1 and n.start <= 4 < n.stop}
