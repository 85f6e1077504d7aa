"""Controller of attention: the analysis of the piece by the selected model, and its views.

The note in view is the newest one during generation, else the selected one. A piece is analysed
only if the analysis is visible: on the attention page, or as note colours.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import Chorale, Voice
from musicrel.generation.events import GenerationStep
from musicrel.presentation.attention.attention_record import MAX_RECORDED_TOKENS
from musicrel.presentation.attention.piece_analysis import Head
from musicrel.presentation.attention.surprisal import SurprisalColours
from musicrel.presentation.roll.selection import Selection
from musicrel.ui.actions import commands
from musicrel.ui.attention.analysis_cache import Analyse, AnalysisCache, AnalysisRequest
from musicrel.ui.attention.diagnosis_panel import DiagnosisController
from musicrel.ui.controllers.compose_controller import ComposeController
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.roll.roll_arcs import RollArcs
from musicrel.ui.shell.main_window import MainWindow

NO_PIECE: Final = "Generate a piece to see the attention of the model."
WAITS: Final = "No note has been generated yet."
ANALYSES: Final = "Analysing the piece with {model} …"
PROGRESS: Final = "Analysing the piece with {model}: {share:.0%}"
ANALYSED: Final = "Analysed with {model}"
NO_MODEL: Final = "No model is installed."
TOO_LONG: Final = (
    "This piece has {tokens:,} cells. Attention is available for pieces of up to {most:,} cells "
    "({bars} bars of 4/4), because the weights of all heads would take gigabytes."
)
_CELLS_A_BAR: Final = 64


class AttentionController(QObject):
    """The controller of the analysis.

    Args:
        window: the main window.
        compose: the controller of the current piece.
        analyse: factory of jobs that analyse a piece.

    Attributes:
        diagnosis: the controller of the diagnosis of a model.

    Signals:
        failed (str): the reason why there is no analysis, one sentence.
    """

    failed = Signal(str)

    def __init__(self, window: MainWindow, compose: ComposeController, analyse: Analyse) -> None:
        super().__init__(compose)
        self._window, self._compose = window, compose
        self._page, self._compose_form = window.attention, window.compose_page.controls.compose_form
        self._analyses = AnalysisCache(analyse, self)
        self._arcs = RollArcs(window.compose_page.roll)
        self.diagnosis = DiagnosisController(window.attention)
        self._piece: Chorale | None = None
        self._head: Head | None = None
        self._selected: int | None = None
        self._problem = ""
        self._tinted = False
        self._connect()
        self._mirror_models()
        self._show_run()
        self._apply_theme()

    @property
    def analyses(self) -> AnalysisCache:
        """Return the analyses of the piece."""
        return self._analyses

    @Slot()
    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        return (*self._analyses.shut_down(), *self.diagnosis.shut_down())

    @Slot()
    def _diagnose(self) -> None:
        """Diagnose the selected model."""
        model = self._compose_form.form().model
        if model:
            self.diagnosis.open(model, self._compose.preferences.settings.device)

    # ------------------------------------------------------------------ the piece

    @Slot()
    def _begin_generation(self) -> None:
        form = self._compose.form
        self._piece, self._problem = None, ""
        self._window.compose_page.selecting.select(None)
        if form is not None:
            self._analyses.begin(form.request().plan(), form.model)
        self._show_run()

    @Slot(object)
    def _on_steps_written(self, steps: tuple[GenerationStep, ...]) -> None:
        piece = self._compose.partial_piece
        if piece is not None:
            self._analyses.add(steps, piece)

    @Slot(object)
    def show_piece(self, piece: Chorale | None) -> None:
        """Analyse another piece from now on."""
        self._piece, self._problem = piece, ""
        self._analyses.end(piece)
        self._update_analysis()
        self._show_run()

    @Slot()
    def _update_analysis(self) -> None:
        """Analyse the piece with the selected model if the analysis is visible."""
        model, piece = self._compose_form.form().model, self._piece
        seen = self._by_surprisal() or (self._is_visible() and not _too_long(piece))
        if piece is not None and model and seen:
            device = self._compose.preferences.settings.device
            self._analyses.request(AnalysisRequest(model, device, piece))
        self._show_analysis()

    def _is_visible(self) -> bool:
        return self._window.places.current == "attention"

    def _by_surprisal(self) -> bool:
        return self._window.compose_page.surprisal.isChecked()

    # ------------------------------------------------------------------ user actions

    @Slot(object)
    def _choose_head(self, head: Head | None) -> None:
        self._head = head
        self._show_analysis()

    @Slot(object)
    def _on_selection_changed(self, selection: Selection | None) -> None:
        picture = self._window.compose_page.roll.picture
        if selection is not None and picture is not None and not self._compose.busy:
            self._window.set_state(selection.describe(picture))
        self._selected = selection.cell if selection is not None else None
        self._show_analysis()

    @Slot(int)
    def _choose_cell(self, cell: int) -> None:
        """Select the note of a cell."""
        step, voice = divmod(cell, len(Voice))
        self._window.compose_page.selecting.select(
            Selection(voices=(voice,), start=step, stop=step + 1)
        )

    @Slot(QAction)
    def _choose_tint(self, action: QAction) -> None:
        self._window.compose_page.surprisal.setChecked(action.data() == "surprisal")

    @Slot(bool)
    def _switch_tint(self, on: bool) -> None:
        commands.check(self._window.commands.tints, "surprisal" if on else "voice")
        self._update_analysis()

    @Slot(str)
    def _choose_model(self) -> None:
        self._problem = ""
        self._page.model.setCurrentIndex(self._compose_form.model.currentIndex())
        self._update_analysis()

    # ------------------------------------------------------------------ display

    @property
    def _cell(self) -> int | None:
        """Return the cell in view: the newest one during generation, else the selected one."""
        analysis = self._analyses.current
        if self._compose.busy and analysis is not None and analysis.cells:
            return analysis.cells - 1
        return self._selected

    @Slot()
    def _show_analysis(self) -> None:
        analysis, visible = self._analyses.current, self._is_visible()
        head = self._head
        if head is not None and analysis is not None and analysis.has_weights:
            inside = head.layer < analysis.layers and head.head < analysis.heads
            head = self._head = head if inside else None
        if visible:
            self._page.set_empty(self._why_empty())
            self._page.show_analysis(analysis, head, self._cell)
        self._arcs.show_cell(analysis if visible else None, head, self._cell)
        self._colour_notes()

    def _colour_notes(self) -> None:
        """Colour the notes by surprisal, if this is on and known."""
        page, analysis, on = self._window.compose_page, self._analyses.current, self._by_surprisal()
        picture, heat = page.roll.picture, None
        page.show_heat_legend(on=on)
        if on and analysis is not None and picture is not None:
            heat = SurprisalColours(picture.notes, analysis.nats, self._window.theme)
        page.heat_legend.show_scale(
            heat.scale if heat else None, analysis.model if analysis else ""
        )
        if on or self._tinted:
            page.roll.set_heat(heat)
        self._tinted = on

    def _why_empty(self) -> str:
        analysis, model = self._analyses.current, self._compose_form.form().model
        piece = analysis.chorale if analysis is not None else self._piece
        if piece is not None and _too_long(piece):
            bars, tokens = MAX_RECORDED_TOKENS // _CELLS_A_BAR, piece.steps * len(Voice)
            return TOO_LONG.format(tokens=tokens, most=MAX_RECORDED_TOKENS, bars=bars)
        if self._problem:
            return self._problem
        if self._compose.busy:
            return WAITS
        if piece is None:
            return NO_PIECE
        return ANALYSES.format(model=model) if model else NO_MODEL

    @Slot(float)
    def _on_analysis_progress(self, share: float) -> None:
        """Show the progress of an analysis."""
        model = self._compose_form.form().model
        text = PROGRESS.format(model=model, share=share)
        self._window.set_state(text if share < 1 else ANALYSED.format(model=model))
        if self._is_visible() and self._analyses.current is None and not _too_long(self._piece):
            self._page.set_empty(text)

    @Slot(str)
    def _on_analysis_failed(self, sentence: str) -> None:
        self._problem = sentence[:1].upper() + sentence[1:]
        self._show_analysis()

    def _show_run(self) -> None:
        """Show Stop during generation, else Generate."""
        act = self._window.commands
        for action in self._page.run.actions():
            self._page.run.removeAction(action)
        self._page.run.setDefaultAction(act.stop if self._compose.busy else act.generate)

    @Slot()
    def _apply_theme(self) -> None:
        self._arcs.theme = self._window.theme
        self._show_analysis()

    def _mirror_models(self) -> None:
        """Offer the models of the form, with the same one selected."""
        self._page.model.setModel(self._compose_form.model.model())
        self._page.model.setCurrentIndex(self._compose_form.model.currentIndex())
        self._page.model.setEnabled(self._compose_form.model.isEnabled())
        self._page.diagnose.setEnabled(self._compose_form.model.isEnabled())

    def _connect(self) -> None:
        page, compose = self._page, self._compose
        compose.generation_started.connect(self._begin_generation)
        compose.steps_written.connect(self._on_steps_written)
        compose.piece_changed.connect(self.show_piece)
        self._analyses.changed.connect(self._show_analysis)
        self._analyses.progressed.connect(self._on_analysis_progress)
        self._analyses.failed.connect(self._on_analysis_failed)
        self._window.places.opened.connect(self._update_analysis)
        self._window.compose_page.selecting.selection_changed.connect(self._on_selection_changed)
        page.head_chosen.connect(self._choose_head)
        page.cell_chosen.connect(self._choose_cell)
        page.diagnose.clicked.connect(self._diagnose)
        page.model.activated.connect(self._compose_form.model.setCurrentIndex)
        self._compose_form.model_chosen.connect(self._choose_model)
        self._window.commands.tints.triggered.connect(self._choose_tint)
        self._window.compose_page.surprisal.toggled.connect(self._switch_tint)
        self._window.theme_changed.connect(self._apply_theme)
        commands.check(self._window.commands.tints, "voice")


def _too_long(piece: Chorale | None) -> bool:
    """Return True if ``piece`` is too long for its weights to be stored."""
    return piece is not None and piece.steps * len(Voice) > MAX_RECORDED_TOKENS
