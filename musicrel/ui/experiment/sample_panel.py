"""The small pieces of a study: seen at a glance, heard, taken to Compose.

A passive widget: it shows the runs it is told and tells what the user did. The pieces themselves
are small files, read when they are shown.
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
from musicrel.presentation.study.study_samples import Heard
from musicrel.presentation.words.palette import LIGHT, Theme
from musicrel.score import json_file
from musicrel.ui.roll.mini_roll import MiniRoll
from musicrel.ui.widgets import icons

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunNow

NONE_YET: Final = "A small piece of each arm comes with each evaluation."
NONE_ASKED: Final = "This study was not asked to write small pieces."


class SamplePanel(QWidget):
    """One piece of each arm, after the steps and with the seed that are chosen.

    Signals:
        play_wished: hear this piece, or stop it; a ``Chorale``.
        open_wished: take this piece to Compose; a ``Chorale``.
    """

    play_wished = Signal(object)
    open_wished = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._runs: tuple[RunNow, ...] = ()
        self._playing: Chorale | None = None
        self.seed, self.step, self.empty = QComboBox(), QComboBox(), QLabel(NONE_YET)
        self.cards: list[SampleCard] = []
        self._choices = QWidget()
        self._column = QVBoxLayout(self)
        self._lay_out()
        self.seed.activated.connect(self._offer_steps)
        self.step.activated.connect(self._show)

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._theme = theme
        for card in self.cards:
            card.set_theme(theme)

    def show_runs(self, runs: tuple[RunNow, ...], *, ended: bool) -> None:
        """Show the pieces of a study; the latest, unless the user chose earlier ones."""
        if runs is self._runs:
            return
        before, self._runs = self._runs, runs
        if [run.samples for run in before] != [run.samples for run in runs] or not before:
            self._offer_seeds()
        self.empty.setText(NONE_ASKED if ended else NONE_YET)

    def set_playing(self, piece: Chorale | None) -> None:
        """Which piece is heard now."""
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
        heard = study_samples.pieces(self._runs, seed, step) if step is not None else []
        while len(self.cards) < len(heard):
            self._add_card()
        for place, card in enumerate(self.cards):
            card.setVisible(place < len(heard))
            if place < len(heard):
                card.show_sample(heard[place])
        self.set_playing(self._playing)

    def _add_card(self) -> None:
        card = SampleCard()
        card.set_theme(self._theme)
        card.play_wished.connect(self.play_wished)
        card.open_wished.connect(self.open_wished)
        self.cards.append(card)
        self._column.addWidget(card)

    def _lay_out(self) -> None:
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        row = QHBoxLayout(self._choices)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.seed.setAccessibleName("Seed of the small pieces")
        self.step.setAccessibleName("Steps after which the small pieces were written")
        row.addWidget(self.step, 1)
        row.addWidget(self.seed)
        self.empty.setObjectName("quiet")
        self.empty.setWordWrap(True)
        self._choices.hide()
        self._column.addWidget(self._choices)
        self._column.addWidget(self.empty)


class SampleCard(QFrame):
    """One small piece.

    Signals:
        play_wished: hear this piece, or stop it; a ``Chorale``.
        open_wished: take this piece to Compose; a ``Chorale``.
    """

    play_wished = Signal(object)
    open_wished = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._heard: Heard | None = None
        self.piece: Chorale | None = None
        self.title, self.figure, self.roll = QLabel(), QLabel(), MiniRoll()
        self.play, self.open = QPushButton("Play"), QPushButton("Open in Compose")
        self._lay_out()
        self.play.clicked.connect(lambda: self.play_wished.emit(self.piece))
        self.open.clicked.connect(lambda: self.open_wished.emit(self.piece))

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._theme = theme
        self.roll.set_theme(theme)
        self.set_playing(playing=self.play.text() == "Stop")

    def show_sample(self, heard: Heard) -> None:
        """Show a piece; why not where its file cannot be read."""
        if self._heard is not None and heard.sample == self._heard.sample:
            return
        self._heard, problem = heard, ""
        try:
            self.piece = json_file.read(heard.sample.file)
        except MusicrelError as reason:
            self.piece, problem = None, str(reason)
        self.title.setText(f"{heard.run.arm}, step {heard.sample.step:,}")
        self.title.setToolTip(heard.title)
        self.figure.setText(f"{heard.sample.nats_per_note:.2f} nats/note")
        self.figure.setToolTip("How surprising its own notes were to the model")
        self.roll.show_piece(self.piece)
        self.roll.setToolTip(problem or heard.title)
        for button, words in ((self.play, "Play"), (self.open, "Open")):
            button.setEnabled(self.piece is not None)
            button.setToolTip(problem)
            button.setAccessibleName(f"{words} {heard.title}")

    def set_playing(self, *, playing: bool) -> None:
        """Say what the button does now."""
        self.play.setText("Stop" if playing else "Play")
        self.play.setIcon(icons.tinted("stop" if playing else "play", self._theme))

    def _lay_out(self) -> None:
        self.figure.setObjectName("quiet")
        above, below = QHBoxLayout(), QHBoxLayout()
        above.addWidget(self.title, 1)
        above.addWidget(self.figure)
        below.addWidget(self.play)
        below.addWidget(self.open, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(above)
        column.addWidget(self.roll)
        column.addLayout(below)


def _fill(box: QComboBox, entries: list[tuple[str, int]]) -> None:
    """Offer other entries; what was chosen stays chosen where it is still there."""
    was = box.currentData()
    before = box.blockSignals(True)
    box.clear()
    for title, value in entries:
        box.addItem(title, value)
    box.setCurrentIndex(max(box.findData(was), 0) if entries else -1)
    box.blockSignals(before)
