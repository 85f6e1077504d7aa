"""Samples of a study: piano roll thumbnails, playback, and opening in Compose.

The pieces are small files, read when they are shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError
from musicrel.presentation.study import study_samples
from musicrel.presentation.study.study_samples import ArmSample
from musicrel.presentation.words import display_names
from musicrel.presentation.words.palette import LIGHT, Theme
from musicrel.score import json_file
from musicrel.ui.roll.mini_roll import MiniRoll
from musicrel.ui.widgets import icons
from musicrel.ui.widgets.short_label import ElidedLabel

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunStatus

NONE_YET: Final = "Each evaluation generates one sample per arm."
NOT_REQUESTED: Final = "Samples were not enabled for this study."


class SamplePanel(QWidget):
    """One sample of each arm at the chosen step and seed; a passive widget.

    Signals:
        play_requested: the ``Chorale`` to be played or stopped.
        open_requested: the ``Chorale`` to be opened in Compose.
    """

    play_requested = Signal(object)
    open_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._runs: tuple[RunStatus, ...] = ()
        self._playing: Chorale | None = None
        self.seed, self.step, self.empty = QComboBox(), QComboBox(), QLabel(NONE_YET)
        self.cards: list[SampleCard] = []
        self._choices = QWidget()
        self._column = QVBoxLayout(self)
        self._lay_out()
        self.seed.activated.connect(self._offer_steps)
        self.step.activated.connect(self._show)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._theme = theme
        for card in self.cards:
            card.set_theme(theme)

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
        _fill(self.seed, [(f"Seed {seed}", seed) for seed in study_samples.seeds(self._runs)])
        self.seed.setVisible(self.seed.count() > 1)
        self._offer_steps()

    def _offer_steps(self) -> None:
        seed = self.seed.currentData()
        was_latest = self.step.currentIndex() <= 0
        steps = study_samples.steps(self._runs, seed) if seed is not None else []
        _fill(self.step, [(f"Step {step:,}", step) for step in steps])
        if was_latest and steps:
            self.step.setCurrentIndex(0)
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
        card.set_theme(self._theme)
        card.play_requested.connect(self.play_requested)
        card.open_requested.connect(self.open_requested)
        self.cards.append(card)
        self._column.addWidget(card)

    def _lay_out(self) -> None:
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        row = QHBoxLayout(self._choices)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.seed.setAccessibleName("Seed of the samples")
        self.step.setAccessibleName("Training step of the samples")
        for box in (self.seed, self.step):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        row.addWidget(self.step, 1)
        row.addWidget(self.seed)
        self.empty.setObjectName("quiet")
        self.empty.setWordWrap(True)
        self._choices.hide()
        self._column.addWidget(self._choices)
        self._column.addWidget(self.empty)


class SampleCard(QFrame):
    """One sample.

    Signals:
        play_requested: the ``Chorale`` to be played or stopped.
        open_requested: the ``Chorale`` to be opened in Compose.
    """

    play_requested = Signal(object)
    open_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._shown: ArmSample | None = None
        self.piece: Chorale | None = None
        self.title, self.figure, self.roll = ElidedLabel(), QLabel(), MiniRoll()
        self.play, self.open = QPushButton("Play"), QPushButton("Open in Compose")
        self._lay_out()
        self.play.clicked.connect(lambda: self.play_requested.emit(self.piece))
        self.open.clicked.connect(lambda: self.open_requested.emit(self.piece))

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._theme = theme
        self.roll.set_theme(theme)
        self.set_playing(playing=self.play.text() == "Stop")

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
            f"step {sample.sample.step:,}  ·  {sample.sample.nats_per_note:.2f} nats/note"
        )
        self.figure.setToolTip("Surprisal of the sample under the model that generated it")
        self.roll.show_piece(self.piece)
        self.roll.setToolTip(problem or sample.title)
        for button, words in ((self.play, "Play"), (self.open, "Open")):
            button.setEnabled(self.piece is not None)
            button.setToolTip(problem)
            button.setAccessibleName(f"{words} {sample.title}")

    def set_playing(self, *, playing: bool) -> None:
        """Set whether this sample is being played."""
        self.play.setText("Stop" if playing else "Play")
        self.play.setIcon(icons.tinted("stop" if playing else "play", self._theme))

    def _lay_out(self) -> None:
        self.figure.setObjectName("quiet")
        below = QHBoxLayout()
        below.addWidget(self.play)
        below.addWidget(self.open, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for part in (self.title, self.figure, self.roll):
            column.addWidget(part)
        column.addLayout(below)


def _fill(box: QComboBox, entries: list[tuple[str, int]]) -> None:
    """Replace the entries of a combo box; the choice is kept if it still exists."""
    was = box.currentData()
    before = box.blockSignals(True)
    box.clear()
    for title, value in entries:
        box.addItem(title, value)
    box.setCurrentIndex(max(box.findData(was), 0) if entries else -1)
    box.blockSignals(before)
