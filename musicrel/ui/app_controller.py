"""The controllers of the app and the connections between them."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, Slot

from musicrel.playback.audio import MiniaudioOutput
from musicrel.playback.player import Player
from musicrel.playback.recorder import Recorder
from musicrel.settings import Settings
from musicrel.ui.attention.analysis_cache import Analyse
from musicrel.ui.compose.candidate_run import GenerateCandidates
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.controllers.candidates_controller import CandidatesController
from musicrel.ui.controllers.compose_controller import ComposeController
from musicrel.ui.controllers.engraving_controller import EngravingController
from musicrel.ui.controllers.file_controller import FileController
from musicrel.ui.controllers.harmonise_controller import HarmoniseController
from musicrel.ui.controllers.history_controller import HistoryController
from musicrel.ui.controllers.infill_preview import InfillPreview
from musicrel.ui.controllers.lock_controller import LockController
from musicrel.ui.controllers.midi_recording import MidiRecording
from musicrel.ui.controllers.note_editor import NoteEditor
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.controllers.rewrite_controller import RewriteController
from musicrel.ui.controllers.rule_marks import RuleMarks
from musicrel.ui.controllers.status_line import StatusLine
from musicrel.ui.controllers.study_controller import StudyController
from musicrel.ui.experiment.study_jobs import StudyService
from musicrel.ui.jobs.generation_run import Compose
from musicrel.ui.jobs.preloader import WarmUp
from musicrel.ui.jobs.worker import wait_for_all
from musicrel.ui.playback.space_key import SpaceKey
from musicrel.ui.shell.main_window import MainWindow

_log = logging.getLogger(__name__)


class AppController(QObject):
    """The owner of all controllers of a window.

    Args:
        window: the main window, not shown yet.
        compose: factory of jobs that generate a piece.
        warm_up: factory of jobs that load a model.
        analyse: factory of jobs that analyse a piece with a model.
        generate_candidates: factory of jobs that generate candidates.
        settings: the saved settings.
        player: the player; closed with the window.
        study_service: the service that runs studies; None: one that starts this program.
        recorder: the MIDI recorder; None: one for the keyboards of this computer.
    """

    def __init__(
        self,
        window: MainWindow,
        compose: Compose,
        warm_up: WarmUp,
        *,
        analyse: Analyse,
        generate_candidates: GenerateCandidates,
        settings: Settings,
        player: Player,
        study_service: StudyService | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        super().__init__()
        self.window, self.player = window, player
        self.compose = ComposeController(window, compose, warm_up, settings)
        self.attention = AttentionController(window, self.compose, analyse)
        self.playback = PlaybackController(window, player, self.compose)
        self.engraving = EngravingController(window, self.compose, self.playback)
        self.history = HistoryController(window, self.compose)
        self.locks = LockController(window, self.compose, self.history)
        self.rule_marks = RuleMarks(window, self.compose)
        self.candidates = CandidatesController(
            window, self.compose, self.locks, generate_candidates
        )
        self.rewrite = RewriteController(window, self.compose, self.locks, self.candidates)
        self.note_editor = NoteEditor(window, self.compose, self.locks)
        self.infill_preview = InfillPreview(window, self.compose, self.candidates)
        self.harmonise = HarmoniseController(window, self.compose, self.locks, self.candidates)
        self.midi_recording = MidiRecording(
            window, self.compose, recorder or Recorder(MiniaudioOutput())
        )
        self.files = FileController(
            window, self.compose, lambda: (player.mix, player.style), lambda: self.locks.cells
        )
        self.status_line = StatusLine(window, self.compose, self.locks, self.rule_marks)
        self.studies = StudyController(
            window, self.compose, player, study_service or self._study_service()
        )
        self._space = SpaceKey(window)
        self._ended = False
        self._connect(window)

    @property
    def all_ended(self) -> bool:
        """Return True if every job had ended when the window closed."""
        return self._ended

    @Slot()
    def _record_and_harmonise(self) -> None:
        self.midi_recording.ask_and_then(self.harmonise.ask)

    @Slot()
    def _shut_down(self) -> None:
        """Request all jobs to end, then wait for them until one deadline."""
        self.midi_recording.shut_down()
        parts = (
            self.attention, self.files, self.studies, self.engraving,
            self.candidates, self.rule_marks, self.harmonise, self.history,
        )  # fmt: skip
        ending = [worker for part in parts for worker in part.shut_down()]
        self._ended = wait_for_all([*self.compose.ending_workers, *ending])
        if not self._ended:
            _log.error("a job did not end in time")
        self.files.tidy_up()
        self.history.tidy_up()

    def _study_service(self) -> StudyService:
        """Return a service whose studies compute on the device of the preferences."""
        return StudyService(device=lambda: self.compose.preferences.settings.device)

    def _connect(self, window: MainWindow) -> None:
        for signal, slot in (
            (self.compose.generation_started, self.playback.set_generating),
            (self.compose.piece_changed, self.playback.show_piece),
            (self.playback.failed, self.compose.report),
            *(
                (source.shown_piece_changed, slot)
                for source in (self.candidates, self.midi_recording)
                for slot in (
                    self.playback.show_piece,
                    self.attention.show_piece,
                    self.engraving.show_piece,
                    self.rule_marks.show_piece,
                    self.files.update_enabled,
                )
            ),
            (self.harmonise.recording_requested, self._record_and_harmonise),
            (self.candidates.discarded, self.history.restore_last),
            (self.compose.generation_discarded, self.history.restore_last),
            (self.files.saved, self.history.mark_saved),
            (window.painted, self.history.offer_recovery),
            (window.closing, self._shut_down),
        ):
            signal.connect(slot)
