"""Controller of candidates as music: their numerals, and the passage that is played in a loop.

The loop stays while candidates are listed, and goes on with the one that is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Slot

from musicrel import jobs
from musicrel.analysis import numeral_search
from musicrel.analysis.numeral import Numeral
from musicrel.chorale import Chorale
from musicrel.jobs import Job
from musicrel.presentation.compose import candidate_table
from musicrel.presentation.compose.candidate_table import Music
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.controllers.writer import Writer
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.shell.main_window import Services


class Analysed(NamedTuple):
    number: int  # of the candidate
    piece: Chorale
    numerals: tuple[Numeral, ...]


class CandidateMusic(QObject):
    def __init__(self, services: Services, writer: Writer, playback: PlaybackController) -> None:
        super().__init__(services.document)
        self._panel, self._player = services.page.candidates, services.player
        self._preferences = services.preferences
        self._document, self._writer, self._playback = services.document, writer, playback
        self._music: dict[int, Music] = {}  # number of a candidate -> its passage
        self._loops = False  # whether a passage is repeated in place of the loop of the user
        self.job = LatestJob(self)
        actions, play = services.commands.rewriting, services.commands.play
        actions.offer_on(self._panel.table)
        self._panel.show_columns(on=self._preferences.settings.columns == "shown")
        for signal, slot in (
            (writer.changed, self._show),
            (writer.progressed, self._show),
            (self.job.events_received, self._on_analysed),
            (self.job.finished, self._show),
            (self.job.failed, services.messages.report),
            (self._panel.table.play_clicked, self.play),
            (actions.play_passage.triggered, lambda: self.play(writer.chosen)),
            (play.play.changed, self._draw),
            (self._panel.more.opened, self._remember_columns),
        ):
            signal.connect(slot)

    @property
    def playing(self) -> bool:
        return self._loops and self._player.playing

    @Slot(int)
    def play(self, number: int) -> None:
        """Play the passage of a candidate in a loop; pause if it is playing."""
        music = self._music.get(number)
        if music is None:
            return
        if self.playing and number == self._writer.chosen:
            self._playback.toggle()
            return
        self._panel.table.select_number(number)
        if not self.playing:
            self._loops = True
            self._playback.repeat(music.region)
            self._playback.play()

    @Slot()
    def _show(self) -> None:
        """Show what is new; the end of the list is the end of the loop."""
        writer, task = self._writer, self._writer.task
        if task is None or not writer.lists:
            self._music = {}
            self.job.cancel()
            if self._loops:
                self._loops = False
                self._playback.repeat(None)
            return
        before, self._music = self._music, {}
        for number, piece in ((one.number, one.chorale) for one in writer.candidates):
            known = before.get(number)
            if known is None or known.piece is not piece:
                known = candidate_table.music(piece, task.original, task.free)
            self._music[number] = known
        waiting = {n: music.piece for n, music in self._music.items() if music.numerals is None}
        if waiting and not self.job.busy:
            self.job.request(partial(_analyses, waiting))
        if before.keys() != self._music.keys() or any(
            before[number] is not music for number, music in self._music.items()
        ):
            self._draw()

    @Slot(object)
    def _on_analysed(self, found: tuple[Analysed, ...]) -> None:
        for number, piece, numerals in found:
            music = self._music.get(number)
            if music is not None and music.piece is piece:
                self._music[number] = music.with_numerals(numerals)
        self._draw()

    @Slot()
    def _draw(self) -> None:
        self._panel.table.show_music(self._music, playing=self.playing)

    @Slot(bool)
    def _remember_columns(self, on: bool) -> None:
        self._preferences.remember(columns="shown" if on else "hidden")


def _analyses(pieces: Mapping[int, Chorale]) -> Job[Analysed, None]:
    for number, piece in pieces.items():
        yield Analysed(number, piece, jobs.run(numeral_search.analyse(piece)))
