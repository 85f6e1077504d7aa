"""Samples of a study: piano roll thumbnails, playback, and opening in Compose.

The pieces are small files, read when they are shown.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFrame, QPushButton, QWidget

from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError
from musicrel.language import tr
from musicrel.presentation.words import display_names
from musicrel.score import json_file
from musicrel.ui.roll.mini_roll import MiniRoll
from musicrel.ui.widgets import fields, icons, layout
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.fields import ChoiceBox

if TYPE_CHECKING:
    from musicrel.experiment.runs.events import TrainSampled
    from musicrel.experiment.study.run_watch import RunStatus

NOT_REQUESTED: Final = tr("Samples were not enabled for this study.")
_SEED_OF: Final = tr("Seed of the samples")
_STEP_OF: Final = tr("Training step of the samples")
_SEED: Final = tr("Seed {seed}")
_STEP: Final = tr("Step {step:,}")
_OPEN: Final = tr("Open in Compose")
_STEP_AND_LOSS: Final = tr("step {step:,}  ·  {loss:.2f} nats/note")
_SAMPLE: Final = tr("{arm} · seed {seed} · step {step:,}")
_PLAY_SAMPLE: Final = tr("Play {title}")
_OPEN_SAMPLE: Final = tr("Open {title}")
_LOSS_TIP: Final = tr("Surprisal of the sample under the model that generated it")

NONE_YET: Final = tr("Each evaluation generates one sample per arm.")


class SamplePanel(QWidget):
    play_requested = Signal(object)  # the ``Chorale`` to be played or stopped
    open_requested = Signal(object)  # the ``Chorale`` to be opened in Compose

    def __init__(self) -> None:
        super().__init__()
        self._runs: tuple[RunStatus, ...] = ()
        self._playing: Chorale | None = None
        self.seed, self.step = ChoiceBox(_SEED_OF), ChoiceBox(_STEP_OF)
        for box in (self.seed, self.step):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._choices = layout.Wrapped(layout.row((self.step, 1)), layout.row((self.seed, 1)))
        self.empty = layout.quiet(NONE_YET)
        self.cards: list[SampleCard] = []
        self._column = layout.column(self._choices, self.empty, owner=self, spacing=8)
        self._choices.hide()
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
        self._playing = piece
        for card in self.cards:
            card.set_playing(playing=piece is not None and card.piece is piece)

    def _offer_seeds(self) -> None:
        seeds = dict.fromkeys(run.seed for run in self._runs if run.samples)
        self.seed.set_entries([(seed, _SEED.format(seed=seed)) for seed in seeds])
        self.seed.setVisible(self.seed.count() > 1)
        self._offer_steps()

    def _offer_steps(self) -> None:
        seed = self.seed.currentData()
        was_latest = self.step.currentIndex() <= 0
        found = {one.step for run in self._runs if run.seed == seed for one in run.samples}
        steps = sorted(found, reverse=True)
        self.step.set_entries([(step, _STEP.format(step=step)) for step in steps])
        if was_latest and steps:
            self.step.setCurrentIndex(0)
        self._choices.setVisible(bool(steps))
        self.empty.setVisible(not steps)
        self._show()

    def _show(self) -> None:
        seed, step = self.seed.currentData(), self.step.currentData()
        found = []
        for run in self._runs if step is not None else ():
            before = [sample for sample in run.samples if sample.step <= step]
            if run.seed == seed and before:
                found.append((run, max(before, key=lambda sample: sample.step)))
        while len(self.cards) < len(found):
            self._add_card()
        for place, card in enumerate(self.cards):
            card.setVisible(place < len(found))
            if place < len(found):
                card.show_sample(*found[place])
        self.set_playing(self._playing)

    def _add_card(self) -> None:
        card = SampleCard()
        card.play.clicked.connect(lambda: self.play_requested.emit(card.piece))
        card.open.clicked.connect(lambda: self.open_requested.emit(card.piece))
        self.cards.append(card)
        self._column.addWidget(card)


class SampleCard(QFrame):
    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[Path, TrainSampled] | None = None
        self.piece: Chorale | None = None
        self.title, self.figure, self.roll = ElidedLabel(), layout.quiet(""), MiniRoll()
        self.play, self.open = QPushButton(tr("Play")), QPushButton(_OPEN)
        below = layout.Wrapped(layout.row(self.play), layout.row((self.open, 1)), shares=(0, 1))
        layout.column(self.title, self.figure, self.roll, below, owner=self, spacing=4)

    def show_sample(self, run: RunStatus, sample: TrainSampled) -> None:
        """Show a sample, or the error if its file cannot be read."""
        if (run.folder, sample) == self._shown:
            return
        self._shown, problem = (run.folder, sample), ""
        try:
            self.piece = json_file.read(run.sample_file(sample))
        except MusicrelError as reason:
            self.piece, problem = None, str(reason)
        arm = display_names.arm(run.arm)
        title = _SAMPLE.format(arm=arm, seed=run.seed, step=sample.step)
        self.title.setText(arm)
        self.title.setToolTip(title)
        self.figure.setText(_STEP_AND_LOSS.format(step=sample.step, loss=sample.nats_per_note))
        self.figure.setToolTip(_LOSS_TIP)
        self.roll.show_piece(self.piece)
        self.roll.setToolTip(problem or title)
        for button, name in (
            (self.play, _PLAY_SAMPLE.format(title=title)),
            (self.open, _OPEN_SAMPLE.format(title=title)),
        ):
            fields.enable(button, problem)
            button.setAccessibleName(name)

    def set_playing(self, *, playing: bool) -> None:
        self.play.setText(tr("Stop") if playing else tr("Play"))
        self.play.setIcon(icons.themed("stop" if playing else "play"))
