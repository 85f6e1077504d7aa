"""The document and the controllers of the app, and the connections between them."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, Qt, Slot

from musicrel.playback.audio import MiniaudioOutput
from musicrel.playback.player import Player
from musicrel.playback.recorder import Recorder
from musicrel.settings import Settings
from musicrel.ui.ablation.ablation import Ablation
from musicrel.ui.ablation.note_jobs import LoadModel
from musicrel.ui.accessibility.accessibility import Accessibility
from musicrel.ui.attention.analysis_cache import Analyse
from musicrel.ui.compose.candidate_run import GenerateCandidates
from musicrel.ui.compose.phrase_editor import PhraseEditor
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.controllers.candidates_controller import CandidatesController
from musicrel.ui.controllers.compose_controller import ComposeController
from musicrel.ui.controllers.engraving_controller import EngravingController
from musicrel.ui.controllers.file_controller import FileController
from musicrel.ui.controllers.harmonise_controller import HarmoniseController
from musicrel.ui.controllers.infill_preview import InfillPreview
from musicrel.ui.controllers.lock_controller import LockController
from musicrel.ui.controllers.midi_recording import MidiRecording
from musicrel.ui.controllers.mixer_controller import MixerController
from musicrel.ui.controllers.model_controller import ModelController
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.controllers.project_controller import ProjectController
from musicrel.ui.controllers.rewrite_controller import RewriteController
from musicrel.ui.controllers.rule_marks import RuleMarks, StatusLine
from musicrel.ui.controllers.sheet_controller import SheetController
from musicrel.ui.controllers.study_controller import StudyController
from musicrel.ui.controllers.takes_controller import TakesController
from musicrel.ui.controllers.undo_controller import UndoController
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.editing.editing import Editing
from musicrel.ui.editing.numerals_layer import NumeralsLayer
from musicrel.ui.experiment.study_jobs import StudyService
from musicrel.ui.jobs.generation_run import Compose, GenerationRun
from musicrel.ui.jobs.generation_service import ModelCache, WarmUp
from musicrel.ui.jobs.worker import wait_for_all
from musicrel.ui.library.library import Library
from musicrel.ui.playback.project_sound import ProjectSound
from musicrel.ui.playback.space_key import SpaceKey
from musicrel.ui.playback.take_audition import TakeAudition
from musicrel.ui.roll.roll_numerals import RollNumerals
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.shell.part_focus import PartFocus
from musicrel.ui.takes.recall import Recall
from musicrel.ui.twin.twin import Twin
from musicrel.ui.twin.twin_controller import ReadTwins
from musicrel.ui.twin.twin_jobs import TwinJobs

_log = logging.getLogger(__name__)


class AppController(QObject):
    """The owner of the document and of all controllers of a window.

    Args:
        player: the player; closed with the window.
        study_service: the service that runs studies; None: one that starts this program.
        recorder: the MIDI recorder; None: one for the keyboards of this computer.
        read_twins: factory of jobs that read two pieces with two models; None: none are read.
        load_model: factory of jobs that load a model to study notes; None: one of its own cache.
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
        read_twins: ReadTwins | None = None,
        load_model: LoadModel | None = None,
    ) -> None:
        super().__init__()
        self.window, self.player, self._ended = window, player, False
        self.document, self.messages = Document(self), Messages(self)
        self.preferences = Preferences(settings, self)
        self._shared = (self.document, self.messages, self.preferences)
        self._twin_jobs = TwinJobs(compose, generate_candidates)
        self.run = GenerationRun(self._twin_jobs.compose, self)
        window.show_document(self.document, self.messages, self.preferences)
        self._add_sheet()
        self._add_generation(warm_up, self._twin_jobs.generate_candidates)
        self._add_playback(recorder or Recorder(MiniaudioOutput()))
        self._add_takes()
        self._add_twin(read_twins)
        self._add_views(analyse, load_model or ModelCache().load)
        service = study_service or StudyService(device=lambda: self.preferences.device)
        self.studies = StudyController(
            self.document,
            self.messages,
            page=window.experiment,
            pages=window.pages,
            player=player,
            service=service,
        )
        self._add_project()
        self._add_library()
        self._space = SpaceKey(window)
        PartFocus(window.compose_page, window.takes.view, window.commands.next_part)
        self.speech = Accessibility(window, *self._shared, player=player, playback=self.playback)
        self._connect()

    @property
    def all_ended(self) -> bool:
        """Return True if every job had ended when the window closed."""
        return self._ended

    # ------------------------------------------------------------------ controllers

    def _add_sheet(self) -> None:
        """Add the controllers of the current piece."""
        document, messages, page = self.document, self.messages, self.window.compose_page
        actions, rewriting = self.window.commands, self.window.commands.rewriting
        self.sheet = SheetController(document, messages, page, actions)
        self.phrases = PhraseEditor(document, page.brackets)
        self.undo = UndoController(document, messages, actions, page.roll)
        self.locks = LockController(document, page.roll, page.legend, rewriting)
        self.rule_marks = RuleMarks(
            *self._shared, views=(page.roll, page.score), action=rewriting.marks
        )
        self.status_line = StatusLine(
            document, self.rule_marks, page.strip.status, actions.rules.list
        )
        self.editing = Editing(document, messages, self.player, page=page, actions=actions)
        self.numerals = NumeralsLayer(
            *self._shared, strip=RollNumerals(page.roll), action=actions.numerals
        )

    def _add_generation(self, warm_up: WarmUp, generate_candidates: GenerateCandidates) -> None:
        shared, window = self._shared, self.window
        page, actions = window.compose_page, window.commands
        controls, form_view = page.controls, page.controls.compose_form
        self.compose = ComposeController(*shared, run=self.run, controls=controls, actions=actions)
        self.model = ModelController(
            *shared,
            run=self.run,
            warm_up=warm_up,
            writing=self._is_writing,
            form_view=form_view,
            devices=actions.devices,
        )
        self.recall = Recall(*shared, warm_up=warm_up)
        self.candidates = CandidatesController(
            *shared,
            generate=generate_candidates,
            page=page,
            controls=controls,
            actions=actions.rewriting,
        )
        self.undo.closes_list = self._close_candidates
        self.infill_preview = InfillPreview(self.document, self.messages, self.candidates)
        self.rewrite = RewriteController(
            self.document,
            self.messages,
            self.candidates,
            form_view=form_view,
            strip=page.strip,
            actions=actions.rewriting,
        )
        self.harmonise = HarmoniseController(
            *shared,
            candidates=self.candidates,
            controls=controls,
            action=actions.rewriting.harmonise,
        )

    def _close_candidates(self) -> bool:
        """Close the list of candidates; return whether it was open."""
        was_open = not self.window.compose_page.candidates.isHidden()
        if was_open:
            self.candidates.dismiss()
        return was_open

    def _add_playback(self, recorder: Recorder) -> None:
        """Add the controllers of sound and files."""
        document, messages, page = self.document, self.messages, self.window.compose_page
        player, actions = self.player, self.window.commands
        self.playback = PlaybackController(
            document,
            messages,
            player,
            page=page,
            bar=self.window.playback.transport,
            actions=actions.play,
        )
        self.mixer = MixerController(messages, self.preferences, player, self.window.playback.mixer)
        self.midi_recording = MidiRecording(
            document, messages, recorder, page=page, sheet=self.sheet, actions=actions
        )
        self.files = FileController(
            document,
            messages,
            self.preferences,
            page=page,
            job_strip=self.window.job,
            actions=actions,
            sounding=lambda: (player.mix, player.style),
        )

    def _add_takes(self) -> None:
        window, playback = self.window, self.playback
        audition = TakeAudition(self.document, self.player, playback.playhead, playback.tick)
        self.takes = TakesController(
            *self._shared,
            audition=audition,
            panel=window.takes,
            pages=window.pages,
            actions=window.commands.takes,
            mixer=window.commands.play.mixer,
            back=window.commands.rewriting.back,
        )

    def _add_twin(self, read: ReadTwins | None) -> None:
        """Add the controllers of two models at once."""
        window = self.window
        self.twin = Twin(
            *self._shared,
            run=self.run,
            candidates=self.candidates,
            jobs=self._twin_jobs,
            page=window.compose_page,
            pages=window.pages,
            playback=self.playback,
            player=self.player,
            files=self.files,
            actions=window.commands,
            read=read,
        )

    def _add_project(self) -> None:
        """Add the controller of the document's file."""
        window, act = self.window, self.window.commands
        self.projects = ProjectController(
            *self._shared,
            window=window,
            actions=act.file,
            files=self.files,
            sound=ProjectSound(
                self.player, window.playback, act.play.fermatas, self.mixer.usual_mix
            ),
            writing=self._is_writing,
        )
        window.may_close = self.projects.unsaved.may_close
        self.projects.title_changed.connect(window.show_title)
        queued = Qt.ConnectionType.QueuedConnection  # after the dialog has closed
        self.projects.unsaved.close_confirmed.connect(window.close, queued)

    def _add_library(self) -> None:
        """Add the controllers of models, preferences and help."""
        window, form_view = self.window, self.window.compose_page.controls.compose_form
        self.library = Library(
            window,
            self.document,
            self.messages,
            self.preferences,
            commands=window.commands,
            sheet=window.compose_page.roll,
            player=self.player,
            writing=self._is_writing,
        )
        for signal, slot in (
            (self.library.models.changed, self.compose.offer_models),
            (self.library.models.chosen, self.compose.use_model),
            (self.library.preferences.device_chosen, self.model.use_device),
            (form_view.advanced.manage.clicked, self.library.show_models),
            (self.sheet.hint_changed, self.library.first_steps.give_way),
            (self.library.first_steps.hidden, self.sheet.show_usual_hint),
        ):
            signal.connect(slot)

    def _is_writing(self) -> bool:
        """Return True while notes are being written."""
        return self.document.generating or self.candidates.busy

    def _add_views(self, analyse: Analyse, load_model: LoadModel) -> None:
        """Add the controllers of attention, of what heads do, and of the score."""
        window, page = self.window, self.window.compose_page
        self.attention = AttentionController(
            *self._shared,
            run=self.run,
            analyse=analyse,
            pages=window.pages,
            page=window.attention,
            compose_page=page,
            actions=window.commands,
        )
        self.ablation = Ablation(
            *self._shared,
            attention=self.attention,
            page=window.attention,
            candidates=self.candidates,
            playback=self.playback,
            load=load_model,
        )
        self.engraving = EngravingController(
            self.document,
            self.messages,
            page=page,
            pages=window.pages,
            actions=window.commands,
            seek=lambda step: self.playback.seek(step, in_ruler=False),
        )

    # ------------------------------------------------------------------ connections

    def _connect(self) -> None:
        window, playback, actions = self.window, self.window.playback, self.window.commands.play
        for signal, slot in (
            (self.compose.candidates_requested, self.rewrite.generate_candidates),
            (self.candidates.started, lambda: window.pages.open("compose")),
            (self.candidates.started, lambda: window.compose_page.controls.facts.set_facts(())),
            (self.candidates.run.loaded, self.model.show_model),
            (self.candidates.run.finished, self.model.show_result),
            (self.phrases.rewrite_wanted, self.rewrite.rewrite),
            (self.candidates.changed, self._show_hint),
            (self.editing.input.hint_changed, self._show_hint),
            (self.editing.input.started, lambda: window.pages.open("compose")),
            (self.model.status_changed, window.set_model_status),
            (self.rule_marks.found, self.editing.rules.show_marks),
            (self.editing.rules.rewrite_requested, self.rewrite.rewrite_without),
            (window.compose_page.candidates.retry.clicked, self.rewrite.try_again),
            (self.harmonise.recording_requested, self._record_and_harmonise),
            (self.studies.model_installed, self._use_model),
            (window.commands.twin.models.chosen, self.attention.models.follow),
            (self.twin.controller.toggled, self.library.first_steps.give_room),
            (window.theme_changed, self.attention.show_analysis),
            (window.painted, self.model.warm_up),
            (window.painted, self.studies.watch_existing),
            (self.takes.export_requested, self.files.ask_to_export_takes),
            (self.takes.used, self.recall.recall),
            (self.mixer.changed, self.projects.file.schedule),
            (playback.transport.tempo_changed, self.projects.file.schedule),
            (actions.fermatas.toggled, self.projects.file.schedule),
            (window.closing, self._shut_down),
        ):
            signal.connect(slot)

    @Slot()
    def _show_hint(self) -> None:
        self.sheet.set_hint(self.candidates.hint or self.editing.input.hint)

    @Slot()
    def _record_and_harmonise(self) -> None:
        self.midi_recording.ask_and_then(self.harmonise.ask)

    @Slot(str)
    def _use_model(self, name: str) -> None:
        self.compose.use_model(name)
        self.model.warm_up()
        self.window.pages.open("compose")

    @Slot()
    def _shut_down(self) -> None:
        self.preferences.remember(window=self.window.geometry_text())
        self.window.hide()
        self.projects.shut_down()
        self.midi_recording.shut_down()
        self.takes.shut_down()
        self.playback.shut_down()
        parts = (
            self.run, self.model, self.recall, self.attention, self.files, self.studies,
            self.engraving, self.candidates, self.rule_marks, self.harmonise, self.library,
            self.numerals, self.twin, self.ablation,
        )  # fmt: skip
        self._ended = wait_for_all([worker for part in parts for worker in part.shut_down()])
        if not self._ended:
            _log.error("a job did not end in time")
        self.files.tidy_up()
