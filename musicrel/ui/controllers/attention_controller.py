"""The conductor of attention: what the chosen model makes of the piece goes to whoever shows it.

The note in view is the newest one while a model writes, and the selected one otherwise. Nothing is
read before somebody looks: in the attention place, or at notes coloured by surprisal.

This file knows the window and the readings; it knows nothing of models or pixels.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import Chorale, Voice
from musicrel.generation.events import GenerationStep
from musicrel.presentation.attention.attention_record import MOST_TOKENS
from musicrel.presentation.attention.piece_analysis import Head
from musicrel.presentation.attention.surprisal import NoteHeat
from musicrel.presentation.roll.selection import Selection
from musicrel.ui.actions import commands
from musicrel.ui.attention.analysis_cache import Read, Readings, Wish
from musicrel.ui.attention.diagnosis_panel import Diagnosing
from musicrel.ui.controllers.compose_controller import Studio
from musicrel.ui.roll.roll_arcs import RollArcs
from musicrel.ui.shell.main_window import MainWindow

NO_PIECE: Final = "Generate a piece, and what the model looks at is shown here while it writes."
WAITS: Final = "The model has not written a note yet."
READS: Final = "Reading the piece with {model} …"
READ_SO_FAR: Final = "Reading the piece with {model}: {share:.0%}"
READ: Final = "Read by {model}"
NO_MODEL: Final = "There is no model to read the piece with."
TOO_LONG: Final = (
    "This piece has {tokens:,} cells. Attention is kept for pieces of up to {most:,} cells, which "
    "is {bars} bars of 4/4: the weights of all heads would take gigabytes."
)
_CELLS_A_BAR: Final = 64


class Looking(QObject):
    """Wires the readings to the window.

    Args:
        window: with a roll and the attention place.
        studio: tells which piece is on the sheet.
        read: makes the job that reads a piece.

    Signals:
        failed: why there is no reading, one sentence.
    """

    failed = Signal(str)

    def __init__(self, window: MainWindow, studio: Studio, read: Read) -> None:
        super().__init__(studio)
        self._window, self._studio = window, studio
        self._page, self._entries = window.attention, window.page.controls.entries
        self._readings = Readings(read, self)
        self._arcs = RollArcs(window.page.roll)
        self.diagnosing = Diagnosing(window.attention)
        self._piece: Chorale | None = None
        self._head: Head | None = None
        self._selected: int | None = None
        self._problem = ""
        self._tinted = False
        self._connect()
        self._mirror_models()
        self._show_run()
        self._dress()

    @property
    def readings(self) -> Readings:
        """What is known of the piece."""
        return self._readings

    @Slot()
    def shut_down(self) -> bool:
        """End what runs and wait for that; whether it has ended."""
        return all([self._readings.shut_down(), self.diagnosing.shut_down()])

    @Slot()
    def _diagnose(self) -> None:
        """Examine the chosen model."""
        model = self._entries.form().model
        if model:
            self.diagnosing.open(model, self._studio.preferences.settings.device)

    # ------------------------------------------------------------------ what is on the sheet

    @Slot()
    def _begin(self) -> None:
        form = self._studio.form
        self._piece, self._problem = None, ""
        self._window.page.selecting.select(None)
        if form is not None:
            self._readings.begin(form.request().plan(), form.model)
        self._show_run()

    @Slot(object)
    def _wrote(self, steps: tuple[GenerationStep, ...]) -> None:
        sheet = self._studio.sheet
        if sheet is not None:
            self._readings.add(steps, sheet)

    @Slot(object)
    def show_piece(self, piece: Chorale | None) -> None:
        """This piece is on the sheet from now on."""
        self._piece, self._problem = piece, ""
        self._readings.end(piece)
        self._want()
        self._show_run()

    @Slot()
    def _want(self) -> None:
        """Have the piece read by the chosen model, where somebody looks."""
        model, piece = self._entries.form().model, self._piece
        seen = self._by_surprisal() or (self._looks() and not _too_long(piece))
        if piece is not None and model and seen:
            device = self._studio.preferences.settings.device
            self._readings.want(Wish(model, device, piece))
        self._show()

    def _looks(self) -> bool:
        return self._window.places.current == "attention"

    def _by_surprisal(self) -> bool:
        return self._window.page.surprisal.isChecked()

    # ------------------------------------------------------------------ what the user did

    @Slot(object)
    def _choose_head(self, head: Head | None) -> None:
        self._head = head
        self._show()

    @Slot(object)
    def _select(self, selection: Selection | None) -> None:
        picture = self._window.page.roll.picture
        if selection is not None and picture is not None and not self._studio.busy:
            self._window.set_state(selection.describe(picture))
        self._selected = selection.cell if selection is not None else None
        self._show()

    @Slot(int)
    def _choose_cell(self, cell: int) -> None:
        """Select the note that the cell belongs to."""
        step, voice = divmod(cell, len(Voice))
        self._window.page.selecting.select(Selection(voices=(voice,), start=step, stop=step + 1))

    @Slot(QAction)
    def _choose_tint(self, action: QAction) -> None:
        self._window.page.surprisal.setChecked(action.data() == "surprisal")

    @Slot(bool)
    def _switch_tint(self, on: bool) -> None:
        commands.check(self._window.commands.tints, "surprisal" if on else "voice")
        self._want()

    @Slot(str)
    def _choose_model(self) -> None:
        self._problem = ""
        self._page.model.setCurrentIndex(self._entries.model.currentIndex())
        self._want()

    # ------------------------------------------------------------------ what is shown

    @property
    def _cell(self) -> int | None:
        """The cell in view: the newest while a model writes, else the selected one."""
        reading = self._readings.current
        if self._studio.busy and reading is not None and reading.cells:
            return reading.cells - 1
        return self._selected

    @Slot()
    def _show(self) -> None:
        reading, looks = self._readings.current, self._looks()
        head = self._head
        if head is not None and reading is not None and reading.has_weights:
            inside = head.layer < reading.layers and head.head < reading.heads
            head = self._head = head if inside else None
        if looks:
            self._page.set_empty(self._why_empty())
            self._page.show_reading(reading, head, self._cell)
        self._arcs.show_cell(reading if looks else None, head, self._cell)
        self._colour_notes()

    def _colour_notes(self) -> None:
        """By surprisal where that is wished for and known."""
        page, reading, on = self._window.page, self._readings.current, self._by_surprisal()
        picture, heat = page.roll.picture, None
        page.show_heat_legend(on=on)
        if on and reading is not None and picture is not None:
            heat = NoteHeat(picture.notes, reading.nats, self._window.theme)
        page.heat_legend.show_scale(heat.scale if heat else None, reading.model if reading else "")
        if on or self._tinted:
            page.roll.set_heat(heat)
        self._tinted = on

    def _why_empty(self) -> str:
        reading, model = self._readings.current, self._entries.form().model
        piece = reading.chorale if reading is not None else self._piece
        if piece is not None and _too_long(piece):
            bars, tokens = MOST_TOKENS // _CELLS_A_BAR, piece.steps * len(Voice)
            return TOO_LONG.format(tokens=tokens, most=MOST_TOKENS, bars=bars)
        if self._problem:
            return self._problem
        if self._studio.busy:
            return WAITS
        if piece is None:
            return NO_PIECE
        return READS.format(model=model) if model else NO_MODEL

    @Slot(float)
    def _progressed(self, share: float) -> None:
        """Say how far a reading is; most are done before anybody can read that."""
        model = self._entries.form().model
        words = READ_SO_FAR.format(model=model, share=share)
        self._window.set_state(words if share < 1 else READ.format(model=model))
        if self._looks() and self._readings.current is None and not _too_long(self._piece):
            self._page.set_empty(words)

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        self._problem = sentence[:1].upper() + sentence[1:]
        self._show()

    def _show_run(self) -> None:
        """The button that generates is the one that stops while a piece is written."""
        act = self._window.commands
        for action in self._page.run.actions():
            self._page.run.removeAction(action)
        self._page.run.setDefaultAction(act.stop if self._studio.busy else act.generate)

    @Slot()
    def _dress(self) -> None:
        self._arcs.theme = self._window.theme
        self._show()

    def _mirror_models(self) -> None:
        """The same models as in the form, the same one chosen."""
        self._page.model.setModel(self._entries.model.model())
        self._page.model.setCurrentIndex(self._entries.model.currentIndex())
        self._page.model.setEnabled(self._entries.model.isEnabled())
        self._page.diagnose.setEnabled(self._entries.model.isEnabled())

    def _connect(self) -> None:
        page, studio = self._page, self._studio
        studio.began.connect(self._begin)
        studio.wrote.connect(self._wrote)
        studio.offered.connect(self.show_piece)
        self._readings.changed.connect(self._show)
        self._readings.progressed.connect(self._progressed)
        self._readings.failed.connect(self._failed)
        self._window.places.opened.connect(self._want)
        self._window.page.selecting.selection_changed.connect(self._select)
        page.head_chosen.connect(self._choose_head)
        page.cell_chosen.connect(self._choose_cell)
        page.diagnose.clicked.connect(self._diagnose)
        page.model.activated.connect(self._entries.model.setCurrentIndex)
        self._entries.model_chosen.connect(self._choose_model)
        self._window.commands.tints.triggered.connect(self._choose_tint)
        self._window.page.surprisal.toggled.connect(self._switch_tint)
        self._window.dressed.connect(self._dress)
        commands.check(self._window.commands.tints, "voice")


def _too_long(piece: Chorale | None) -> bool:
    """Whether no weights are kept of ``piece``."""
    return piece is not None and piece.steps * len(Voice) > MOST_TOKENS
