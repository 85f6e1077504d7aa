"""Samples of a study: piano roll thumbnails, playback, and opening in Compose.

The pieces are small files, read when they are shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QPushButton,
    QWidget,
)

from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError
from musicrel.presentation.study import study_samples
from musicrel.presentation.study.study_samples import ArmSample
from musicrel.presentation.words import display_names
from musicrel.score import json_file
from musicrel.ui.experiment.choice_box import ChoiceBox
from musicrel.ui.roll.mini_roll import MiniRoll
from musicrel.ui.widgets import icons, layout
from musicrel.ui.widgets.elided_label import ElidedLabel

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunStatus

NONE_YET: Final = "Each evaluation generates one sample per arm."
NOT_REQUESTED: Final = "Samples were not enabled for this study."
_SEED_OF: Final = "Seed of the samples"
_STEP_OF: Final = "Training step of the samples"
_SEED: Final = "Seed {seed}"
_STEP: Final = "Step {step:,}"
_OPEN: Final = "Open in Compose"
_STEP_AND_LOSS: Final = "step {step:,}  ·  {loss:.2f} nats/note"
_LOSS_TIP: Final = "Surprisal of the sample under the model that generated it"


class SamplePanel(QWidget):
    """One sample of each arm at the chosen step and seed; a passive widget."""

    play_requested = Signal(object)  # the ``Chorale`` to be played or stopped
    open_requested = Signal(object)  # the ``Chorale`` to be opened in Compose

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[RunStatus, ...] = ()
        self._playing: Chorale | None = None
        self.seed = ChoiceBox(_SEED_OF)
        self.step = ChoiceBox(_STEP_OF)
        self.empty, self._choices = QLabel(NONE_YET, wordWrap=True), self._boxes()
        self.cards: list[SampleCard] = []
        self._column = layout.column(self._choices, self.empty, owner=self, spacing=8)
        self._lay_out()
        self.seed.activated.connect(self._offer_steps)
        self.step.activated.connect(self._show)

    def show_runs(self, runs: tuple[RunStatus, ...], *, ended: bool) -> None:
        """Show the latest samples of a study, unless the user chose an earlier step."""
        if runs is self._runs:
            return
        before, self._runs = self._runs, runs
        if [run.samples for run in before] != [run.samples for run in runs] or not before:
            self._offer_seeds()
        self.empty.setText(NOT_REQUESTED if ended else NONE_YET)

    def set_playing(self, piece: Chorale | None) -> None:
        """Set the piece that is being played; None: none."""
        self._playing = piece
        for card in self.cards:
            card.set_playing(playing=piece is not None and card.piece is piece)

    def _offer_seeds(self) -> None:
        seeds = study_samples.seeds(self._runs)
        self.seed.set_entries([(seed, _SEED.format(seed=seed)) for seed in seeds])
        self.seed.setVisible(self.seed.count() > 1)
        self._offer_steps()

    def _offer_steps(self) -> None:
        seed = self.seed.currentData()
        was_latest = self.step.currentIndex() <= 0
        steps = study_samples.steps(self._runs, seed) if seed is not None else []
        self.step.set_entries([(step, _STEP.format(step=step)) for step in steps])
        if was_latest and steps:
            self.step.setCurrentIndex(0)
        self._choices.arrange()
        self._choices.setVisible(bool(steps))
        self.empty.setVisible(not steps)
        self._show()

    def _show(self) -> None:
        seed, step = self.seed.currentData(), self.step.currentData()
        found = study_samples.pieces(self._runs, seed, step) if step is not None else []
        while len(self.cards) < len(found):
            self._add_card()
        for place, card in enumerate(self.cards):
            card.setVisible(place < len(found))
            if place < len(found):
                card.show_sample(found[place])
        self.set_playing(self._playing)

    def _add_card(self) -> None:
        card = SampleCard()
        card.play_requested.connect(self.play_requested)
        card.open_requested.connect(self.open_requested)
        self.cards.append(card)
        self._column.addWidget(card)

    def _boxes(self) -> layout.Wrapped:
        for box in (self.seed, self.step):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        return layout.Wrapped(layout.row((self.step, 1)), layout.row((self.seed, 1)))

    def _lay_out(self) -> None:
        self.empty.setObjectName("quiet")
        self._choices.hide()


class SampleCard(QFrame):
    play_requested = Signal(object)  # the ``Chorale`` to be played or stopped
    open_requested = Signal(object)  # the ``Chorale`` to be opened in Compose

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: ArmSample | None = None
        self.piece: Chorale | None = None
        self.title, self.figure, self.roll = ElidedLabel(), QLabel(), MiniRoll()
        self.play, self.open = QPushButton("Play"), QPushButton(_OPEN)
        self._lay_out()
        self.play.clicked.connect(lambda: self.play_requested.emit(self.piece))
        self.open.clicked.connect(lambda: self.open_requested.emit(self.piece))

    def show_sample(self, sample: ArmSample) -> None:
        """Show a sample, or the error if its file cannot be read."""
        if self._shown is not None and sample.sample == self._shown.sample:
            return
        self._shown, problem = sample, ""
        try:
            self.piece = json_file.read(sample.sample.file)
        except MusicrelError as reason:
            self.piece, problem = None, str(reason)
        self.title.setText(display_names.arm(sample.run.arm))
        self.title.setToolTip(sample.title)
        self.figure.setText(
            _STEP_AND_LOSS.format(step=sample.sample.step, loss=sample.sample.nats_per_note)
        )
        self.figure.setToolTip(_LOSS_TIP)
        self.roll.show_piece(self.piece)
        self.roll.setToolTip(problem or sample.title)
        for button, words in ((self.play, "Play"), (self.open, "Open")):
            button.setEnabled(self.piece is not None)
            button.setToolTip(problem)
            button.setAccessibleName(f"{words} {sample.title}")

    def set_playing(self, *, playing: bool) -> None:
        self.play.setText("Stop" if playing else "Play")
        self.play.setIcon(icons.themed("stop" if playing else "play"))

    def _lay_out(self) -> None:
        self.figure.setObjectName("quiet")
        below = layout.row(self.play, (self.open, 1), spacing=6)
        layout.column(self.title, self.figure, self.roll, below, owner=self, spacing=4)
