"""The document and the controllers of the app, and the connections between them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Slot

from musicrel.playback.audio import MiniaudioOutput
from musicrel.playback.player import Player
from musicrel.playback.recorder import Recorder
from musicrel.settings import Settings
from musicrel.ui.accessibility.accessibility import Accessibility
from musicrel.ui.compose.phrase_editor import PhraseEditor
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.controllers.candidate_music import CandidateMusic
from musicrel.ui.controllers.engraving_controller import EngravingController
from musicrel.ui.controllers.file_controller import FileController
from musicrel.ui.controllers.form_controller import FormController, ModelController
from musicrel.ui.controllers.hymn_controller import HymnController
from musicrel.ui.controllers.lock_controller import LockController
from musicrel.ui.controllers.midi_recording import MidiRecording
from musicrel.ui.controllers.mixer_controller import MixerController
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.controllers.project_controller import ProjectController
from musicrel.ui.controllers.rule_marks import RuleList, RuleMarks, StatusLine
from musicrel.ui.controllers.sheet_controller import SheetController
from musicrel.ui.controllers.takes_controller import MachineDifference, TakesController
from musicrel.ui.controllers.writing_controller import WritingController
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.editing.edit_controller import EditController, Editor, UndoController
from musicrel.ui.editing.marks import MarksController
from musicrel.ui.editing.note_input_controller import NoteInputController
from musicrel.ui.editing.note_mouse import RollMouse, ScoreMouse
from musicrel.ui.editing.numerals_layer import NumeralsLayer
from musicrel.ui.editing.properties import PropertiesController
from musicrel.ui.editing.sheet_selection import SheetSelection
from musicrel.ui.editing.transposition import TranspositionController
from musicrel.ui.editing.word_entry_controller import WordEntryController
from musicrel.ui.editing.words import WordsController
from musicrel.ui.effects.effects_controller import EffectsController
from musicrel.ui.jobs.generation_service import ModelCache
from musicrel.ui.jobs.worker import end_all
from musicrel.ui.library.library import Library
from musicrel.ui.playback.audition import TakeAudition
from musicrel.ui.shell.main_window import MainWindow, Services, SpaceKey
from musicrel.ui.shell.notifier import Notifier
from musicrel.ui.two_models.two_models import TwoModels

if TYPE_CHECKING:
    from musicrel.ui.experiment.study_controller import StudyController
    from musicrel.ui.experiment.study_jobs import StudyService

_WATCH_MS: Final = 3000
"""Milliseconds after the first paint after which existing studies are watched."""
_log = logging.getLogger(__name__)


class AppController(QObject):
    """The owner of the document and of all controllers of a window."""

    def __init__(
        self,
        window: MainWindow,
        models: ModelCache,
        *,
        settings: Settings,
        player: Player,
        study_service: StudyService | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        super().__init__(window)
        self.window, self.player = window, player
        self.all_ended = False  # whether every job had ended when the window closed
        self.document, self.messages = Document(self), Messages(self)
        self.preferences = Preferences(settings, self)
        self._services = services = Services(
            window=window,
            page=window.compose_page,
            commands=window.commands,
            document=self.document,
            messages=self.messages,
            preferences=self.preferences,
            models=models,
            player=player,
        )
        window.show_document(self.document, self.messages, self.preferences)
        recorder = recorder or Recorder(MiniaudioOutput())
        self._add_sheet(recorder)
        self._add_generation()
        self._add_playback(recorder)
        self.two_models = TwoModels(
            services, writer=self.writer, playback=self.playback, files=self.files
        )
        self._add_views()
        self._study_service = study_service
        self.projects = ProjectController(services, files=self.files, mixer=self.mixer)
        window.may_close = self.projects.may_close
        self.library = Library(services)
        Notifier(window, self.messages)
        self._space = SpaceKey(window)
        self.speech = Accessibility(services, self.playback)
        self._connect()

    @property
    def studies(self) -> StudyController:
        """The controller of the Experiment page, made with the page when it is first needed."""
        self.window.pages.page("experiment")
        return self._studies

    @Slot()
    def _add_studies(self) -> None:
        from musicrel.ui.experiment.study_controller import StudyController
        from musicrel.ui.experiment.study_jobs import StudyService

        window, page = self.window, self.window.experiment
        self._studies = StudyController(
            self.document, self.messages, page=page, pages=window.pages, player=self.player,
            service=self._study_service or StudyService(device=lambda: self.preferences.device),
        )  # fmt: skip
        self._studies.model_installed.connect(self._use_model)
        self._studies.ended.connect(self.form.offer_models)
        self._space.watch(page)
        self.speech.read_curves(page.study.curves)

    def _add_sheet(self, recorder: Recorder) -> None:
        services, page = self._services, self.window.compose_page
        self.sheet = SheetController(services)
        SheetSelection(services)
        self.phrases = PhraseEditor(self.document, page.brackets)
        page.brackets.menu.verse = services.commands.rewriting.verse
        self.undo = UndoController(services)
        self.locks = LockController(services)
        self.editor = Editor(services)
        self.edit = EditController(services, self.editor)
        self.note_input = NoteInputController(services, self.editor, recorder)
        for mouse in (RollMouse(services, self.editor), ScoreMouse(services, self.editor)):
            mouse.written.connect(self.note_input.write_note)
        self.word_entry = WordEntryController(services, self.editor)
        self.properties = PropertiesController(services, self.editor)
        self.marks = MarksController(services, self.editor)
        self.transposition = TranspositionController(services, self.editor)
        self.words = WordsController(services, self.editor)
        self.rule_marks = RuleMarks(services)
        self.rules = RuleList(services, self.rule_marks)
        self.window.commands.rules.fill_menu(self.edit.menu)
        StatusLine(services, self.rule_marks)
        self.numerals = NumeralsLayer(services)

    def _add_generation(self) -> None:
        services = self._services
        self.writing = WritingController(services)
        self.writer = self.writing.writer
        self.hymn = HymnController(services, self.writing)
        self.form = FormController(services, self.writer)
        self.model = ModelController(services, self.writer)
        self.machine_difference = MachineDifference(services)
        self.undo.closes_list = self._close_candidates

    def _close_candidates(self) -> bool:
        was_open = not self.window.compose_page.candidates.isHidden()
        if was_open:
            self.writing.dismiss()
        return was_open

    def _add_playback(self, recorder: Recorder) -> None:
        services, window = self._services, self.window
        self.playback = PlaybackController(services)
        CandidateMusic(services, self.writer, self.playback)
        self.mixer = MixerController(
            self.messages, self.preferences, self.player, window.playback,
            window.commands.play.fermatas,
        )  # fmt: skip
        self.midi_recording = MidiRecording(services, recorder, self.sheet)
        self.files = FileController(services)
        playback = self.playback
        audition = TakeAudition(self.document, self.player, playback.roll, playback.tick)
        self.takes = TakesController(services, audition)

    def _add_views(self) -> None:
        window, models = self.window, self._services.models
        shared = self.document, self.messages, self.preferences
        self.attention = AttentionController(
            *shared, writing=self.writer, analyse=models.analyse, pages=window.pages,
            page=window.attention, compose_page=window.compose_page, actions=window.commands,
        )  # fmt: skip
        self.effects = EffectsController(
            *shared, attention=self.attention, page=window.attention, writing=self.writing,
            playback=self.playback, load=models.load,
        )  # fmt: skip
        self.engraving = EngravingController(self._services)

    def _connect(self) -> None:
        window, playback, actions = self.window, self.window.playback, self.window.commands.play
        library, form_view = self.library, window.compose_page.controls.compose_form
        for signal, slot in (
            (library.models.changed, self.form.offer_models),
            (library.models.chosen, self.form.use_model),
            (library.device_chosen, self.model.use_device),
            (form_view.manage.clicked, library.models.show),
            (self.sheet.hint_changed, library.first_steps.give_way),
            (library.first_steps.hidden, self.sheet.show_usual_hint),
            (self.writer.started, self._show_list),
            (self.phrases.rewrite_wanted, self.writing.rewrite),
            (self.writer.changed, self._show_hint),
            (self.note_input.hint_changed, self._show_hint),
            (self.note_input.started, lambda: window.pages.open("compose")),
            (self.word_entry.started, self._show_words),
            (self.model.status_changed, window.set_model_status),
            (self.rules.rewrite_requested, self.writing.rewrite_without),
            (self.writing.recording_requested,
             lambda: self.midi_recording.ask(self.writing.ask_for_melody)),
            (window.commands.compare.chosen, self.attention.models.follow),
            (self.two_models.toggled, library.first_steps.give_room),
            (window.theme_changed, self.attention.show_analysis),
            (window.painted, self.model.warm_up),
            (window.painted, lambda: QTimer.singleShot(_WATCH_MS, self, self._watch_studies)),
            (window.pages.made, self._add_studies),
            (self.takes.export_requested, self.files.ask_to_export_takes),
            (self.takes.used, self.machine_difference.compare),
            (self.projects.opened, self.machine_difference.compare_machine),
            (self.mixer.changed, self.projects.file.schedule),
            (playback.transport.tempo_changed, self.projects.file.schedule),
            (actions.fermatas.toggled, self.projects.file.schedule),
            (window.closing, self._shut_down),
        ):  # fmt: skip
            signal.connect(slot)

    @Slot()
    def _show_list(self) -> None:
        if self.writer.lists:
            self.window.pages.open("compose")

    @Slot()
    def _show_hint(self) -> None:
        self.sheet.set_hint(self.writing.hint or self.note_input.hint)

    @Slot()
    def _show_words(self) -> None:
        self.window.pages.open("compose")
        if self.window.commands.score.isEnabled():
            self.window.commands.score.setChecked(True)

    @Slot(str)
    def _use_model(self, name: str) -> None:
        self.form.use_model(name)
        self.model.warm_up()
        self.window.pages.open("compose")

    @Slot()
    def _watch_studies(self) -> None:
        """Watch existing studies: the next one of the queue may be due."""
        from musicrel.experiment.study import study_folder

        is_made = self.window.pages.is_made("experiment")  # then they are watched
        if self.window.isVisible() and not is_made and study_folder.known_folders():
            self.studies.watch_existing()

    @Slot()
    def _shut_down(self) -> None:
        self.preferences.remember(window=self.window.geometry_text())
        self.window.hide()
        self.projects.shut_down()
        self.midi_recording.shut_down()
        self.takes.shut_down()
        self.playback.shut_down()
        parts = self.attention, self.engraving, self.writing, self.two_models, self.phrases
        for part in parts:
            part.shut_down()
        if self.window.pages.is_made("experiment"):
            self.studies.shut_down()
        self.all_ended = end_all(self, self.window)
        if not self.all_ended:
            _log.error("a job did not end in time")
        self.files.tidy_up()
