"""The whole app put together: the window, and all that conducts it.

This file knows who tells whom; what each of them does stands in their own files.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from musicrel.playback.audio import Miniaudio
from musicrel.playback.player import Player
from musicrel.playback.recorder import Recorder
from musicrel.settings import Settings
from musicrel.ui.attention.analysis_cache import Read
from musicrel.ui.compose.candidate_run import Propose
from musicrel.ui.controllers.attention_controller import Looking
from musicrel.ui.controllers.candidates_controller import Proposing
from musicrel.ui.controllers.compose_controller import Studio
from musicrel.ui.controllers.engraving_controller import Engraving
from musicrel.ui.controllers.file_controller import Filing
from musicrel.ui.controllers.harmonise_controller import Harmonising
from musicrel.ui.controllers.history_controller import Keeping
from musicrel.ui.controllers.infill_preview import Settling
from musicrel.ui.controllers.lock_controller import Locking
from musicrel.ui.controllers.midi_recording import PlayingIn
from musicrel.ui.controllers.note_editor import Pencil
from musicrel.ui.controllers.playback_controller import Listening
from musicrel.ui.controllers.rewrite_controller import Wishing
from musicrel.ui.controllers.rule_marks import Marking
from musicrel.ui.controllers.status_line import Telling
from musicrel.ui.controllers.study_controller import Experimenting
from musicrel.ui.experiment.study_jobs import Desk
from musicrel.ui.jobs.generation_run import Compose
from musicrel.ui.jobs.preloader import WarmUp
from musicrel.ui.playback.space_key import SpaceKey
from musicrel.ui.shell.main_window import MainWindow


class House(QObject):
    """Everything there is, as long as the window is open.

    Args:
        window: not shown yet.
        compose: makes the job that writes a piece.
        warm_up: makes the job that has a model ready.
        read: makes the job that lets a model read a piece.
        propose: makes the job that writes a part of a piece anew.
        settings: what was remembered.
        player: closed with the window.
        desk: looks after studies; None: one that starts this very program.
        recorder: listens to keyboards; None: those of this computer.
    """

    def __init__(
        self,
        window: MainWindow,
        compose: Compose,
        warm_up: WarmUp,
        *,
        read: Read,
        propose: Propose,
        settings: Settings,
        player: Player,
        desk: Desk | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        super().__init__()
        self.studio = Studio(window, compose, warm_up, settings)
        self.looking = Looking(window, self.studio, read)
        self.listening = Listening(window, player, self.studio)
        self.engraving = Engraving(window, self.studio, self.listening)
        self.keeping = Keeping(window, self.studio)
        self.locking = Locking(window, self.studio, self.keeping)
        self.marking = Marking(window, self.studio)
        self.proposing = Proposing(window, self.studio, self.locking, propose)
        self.wishing = Wishing(window, self.studio, self.locking, self.proposing)
        self.pencil = Pencil(window, self.studio, self.locking)
        self.settling = Settling(window, self.studio, self.proposing)
        self.harmonising = Harmonising(window, self.studio, self.locking, self.proposing)
        self.playing = PlayingIn(window, self.studio, recorder or Recorder(Miniaudio()))
        self.filing = Filing(
            window, self.studio, lambda: (player.mix, player.style), lambda: self.locking.cells
        )
        self.telling = Telling(window, self.studio, self.locking, self.marking)
        self.experimenting = Experimenting(window, self.studio, player, desk or self._desk())
        self._space = SpaceKey(window)
        self._ended = False
        self._connect(window)

    @property
    def all_ended(self) -> bool:
        """Whether every job had ended when the window closed."""
        return self._ended and self.studio.all_ended

    @Slot()
    def _play_and_harmonise(self) -> None:
        self.playing.ask_and_then(self.harmonising.ask)

    @Slot()
    def _shut_down(self) -> None:
        self.playing.shut_down()
        looking, filing = self.looking.shut_down(), self.filing.shut_down()
        experimenting, engraving = self.experimenting.shut_down(), self.engraving.shut_down()
        written = (
            self.proposing.shut_down(), self.marking.shut_down(), self.harmonising.shut_down()
        )  # fmt: skip
        self._ended = all(
            [*written, looking, filing, experimenting, engraving, self.keeping.shut_down()]
        )

    def _desk(self) -> Desk:
        """One whose studies learn where the user lets models compute."""
        return Desk(device=lambda: self.studio.preferences.settings.device)

    def _connect(self, window: MainWindow) -> None:
        for signal, slot in (
            (self.studio.began, self.listening.begin_writing),
            (self.studio.offered, self.listening.show_piece),
            (self.listening.troubled, self.studio.report),
            *(
                (shown, show)
                for shown in (self.proposing.shown, self.playing.shown)
                for show in (
                    self.listening.show_piece,
                    self.looking.show_piece,
                    self.engraving.show_piece,
                    self.marking.show_piece,
                    self.filing.allow,
                )
            ),
            (self.harmonising.player_asked, self._play_and_harmonise),
            (self.proposing.given_up, self.keeping.bring_back),
            (self.studio.given_up, self.keeping.bring_back),
            (self.filing.saved, self.keeping.mark_saved),
            (window.painted, self.keeping.offer_found),
            (window.closing, self._shut_down),
        ):
            signal.connect(slot)
