"""The conductor of sound: it lets the piece on the sheet be heard and moves the playhead.

What the user does goes to the player; where the player is goes to the roll and the transport, at
every frame while it plays and not at all while it stands. The playhead stays where it is when the
piece is written anew, and what plays goes over to the new piece when that is there.

This file knows the player and the window; it knows nothing of how pieces are written.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.playback.player import Player
from musicrel.presentation.compose import position_text
from musicrel.score.audio.mixer import Mix
from musicrel.score.performance import FERMATA_STRETCH
from musicrel.ui.playback.midi_output import MidiOutput
from musicrel.ui.shell.main_window import MainWindow

NOTHING_YET: Final = "There is nothing to play yet: generate or open a piece"
NOT_DONE: Final = "The piece is being written: play it when it is done, or stop the writing"

_FRAME: Final = 16
"""Milliseconds between two pictures of a moving playhead."""
_AS_WRITTEN: Final = 1.0


class Listening(QObject):
    """Wires a player to the window.

    Args:
        window: with a roll, a transport and a mixer.
        player: closed by ``shut_down``.
        parent: who needs it.

    Signals:
        troubled: what keeps the sound away, one sentence.
    """

    troubled = Signal(str)

    def __init__(self, window: MainWindow, player: Player, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._roll, self._player = window.page.roll, player
        self._bar, self._mixer = window.listening.transport, window.listening.mixer
        self._commands, self._selecting = window.commands.play, window.page.selecting
        self.cursor = window.page.playhead
        self.midi = MidiOutput(self._commands.ports, self)
        self._piece: Chorale | None = None
        self._loop: tuple[int, int] | None = None
        self._writing = False
        self._told = ""
        self._timer = QTimer(self, interval=_FRAME, timerType=Qt.TimerType.PreciseTimer)
        self._mixer.set_mix(player.mix)
        self._connect(window)
        self._allow()

    # ------------------------------------------------------------------ what is on the sheet

    @Slot()
    def begin_writing(self) -> None:
        """A piece is being written: what plays goes on, nothing else is begun."""
        self._writing = True
        self._allow()

    @Slot(object)
    def show_piece(self, piece: Chorale | None) -> None:
        """This piece is on the sheet now, whole; None: an empty sheet."""
        self._writing = False
        before, self._piece = self._piece, piece
        if piece is None:
            self._player.pause()
        else:
            self._take(piece, before)
        self._set_loop(self._loop)
        self._allow()
        self._tick()

    def _take(self, piece: Chorale, before: Chorale | None) -> None:
        """Load it, at the tempo that was set for pieces of its own tempo."""
        written = piece.tempo
        if before is None or before.tempo != written:
            self._player.style = replace(self._player.style, tempo_factor=_AS_WRITTEN)
        self._player.load(piece)
        tempo = round(written * self._player.style.tempo_factor)
        self._bar.set_tempo(*position_text.tempo_bounds(written), tempo)

    # ------------------------------------------------------------------ what the user did

    @Slot()
    def toggle(self) -> None:
        """Pause, or play from the playhead."""
        if self._player.playing:
            self._player.pause()
        elif not self._obstacle():
            self._told = ""  # a device that is still missing is worth another word
            self._player.play()
            self._roll.follow(self._player.position, anew=self._commands.follow.isChecked())
        self._tick()

    @Slot()
    def stop(self) -> None:
        """Stand still at the beginning, of the loop where there is one."""
        self._player.stop()
        self._tick()
        self._roll.follow(self._player.position, anew=True)

    @Slot()
    def to_start(self) -> None:
        """Put the playhead at the beginning; what plays, plays on from there."""
        self._seek(0.0)

    @Slot(float, bool)
    def seek(self, step: float, in_ruler: bool) -> None:
        """Put the playhead where the user clicked: on a beat in the ruler, else on a sixteenth."""
        piece = self._piece
        if piece is not None and not self._writing:
            beat = position_text.grid(step, piece.meter, piece.pickup, piece.steps)
            self._seek(float(beat if in_ruler else int(step)))

    def _by_beats(self, beats: int) -> None:
        piece = self._piece
        if piece is not None:
            way = beats * position_text.beat_steps(piece.meter)
            here = position_text.grid(self._player.position, piece.meter, piece.pickup, piece.steps)
            self._seek(float(min(max(here + way, 0), piece.steps)))

    def _seek(self, step: float) -> None:
        self._player.seek(step)
        self._tick()
        self._roll.follow(step, anew=True)

    @Slot(float, float)
    def drag_loop(self, one: float, other: float) -> None:
        """Repeat what the user drags over in the ruler."""
        if self._piece is not None and not self._writing:
            region = position_text.region(one, other, self._piece)
            if region is not None:
                self._set_loop(region)
                self._commands.loop.setChecked(True)

    @Slot()
    def loop_selection(self) -> None:
        """Repeat the time of what is selected on the roll."""
        selected = self._selecting.selection
        if selected is not None and self._piece is not None and not self._writing:
            self._set_loop((selected.start, selected.stop))
            self._commands.loop.setChecked(True)

    @Slot()
    def loop_from(self) -> None:
        """Let the loop begin at the playhead."""
        if self._piece is not None:
            last = self._loop[1] if self._loop else self._piece.steps
            self.drag_loop(self._player.position, max(last, self._player.position))

    @Slot()
    def loop_to(self) -> None:
        """Let the loop end at the playhead."""
        first = self._loop[0] if self._loop else 0
        self.drag_loop(min(first, self._player.position), self._player.position)

    @Slot()
    def set_tempo(self) -> None:
        """Play as fast as the field says."""
        if self._piece is not None:
            factor = position_text.tempo_factor(self._bar.tempo.value(), self._piece.tempo)
            self._player.style = replace(self._player.style, tempo_factor=factor)
            self._tick()

    @Slot(bool)
    def hold_fermatas(self, held: bool) -> None:
        """Hold what is under a fermata longer, or play it as written."""
        stretch = FERMATA_STRETCH if held else _AS_WRITTEN
        self._player.style = replace(self._player.style, fermata_stretch=stretch)
        self._tick()

    @Slot(object)
    def set_mix(self, mix: Mix) -> None:
        """Let it sound as the mixer says."""
        self._player.mix = mix

    @Slot()
    def panic(self) -> None:
        """End all notes; on a MIDI port even those nobody knows of."""
        if self.midi.port is not None and not self._player.playing:
            self._player.play()  # a port that begins and ends sends all-notes-off
        self._player.pause()
        self._tick()

    @Slot()
    def shut_down(self) -> None:
        """Be silent for good."""
        self._timer.stop()
        self._player.close()
        self.midi.close()

    # ------------------------------------------------------------------ what is seen of it

    @Slot()
    def _tick(self) -> None:
        """Show where the player is; go on looking only while it moves."""
        playing = self._player.playing
        step = self._player.position
        self._commands.set_playing(playing)
        self._show_position(step)
        if playing and self._commands.follow.isChecked() and not self._writing:
            self._roll.follow(step)
        self._tell_problem(self._player.problem)
        if playing != self._timer.isActive():
            (self._timer.start if playing else self._timer.stop)()
            self._allow()

    def _show_position(self, step: float) -> None:
        piece, performance = self._piece, self._player.performance
        if piece is None or performance is None:
            self.cursor.set_step(None)
            self._bar.set_position("1.1", "0:00", "0:00")
            return
        self.cursor.set_step(step)
        shown = min(step, piece.steps - 1.0)
        now = position_text.time(performance.times.seconds_at(step))
        whole = position_text.time(performance.times.seconds)
        place = position_text.place(shown, piece.meter, piece.pickup)
        self._bar.set_position(place, now, whole)

    def _tell_problem(self, problem: str) -> None:
        sentence = problem[:1].upper() + problem[1:]
        self._bar.set_silent(sentence)
        if problem and problem != self._told:
            self.troubled.emit(problem)
        self._told = problem or self._told

    @Slot()
    def _loop_toggled(self) -> None:
        """Repeat the region that was chosen last; else what is selected, else the whole piece."""
        if self._commands.loop.isChecked() and self._loop is None and self._piece is not None:
            selected = self._selecting.selection
            whole = (0, self._piece.steps)
            self._loop = (selected.start, selected.stop) if selected is not None else whole
        self._set_loop(self._loop)

    def _set_loop(self, region: tuple[int, int] | None) -> None:
        """Keep ``region``, show it, and let as much of it be repeated as the piece has."""
        self._loop = region
        on = self._commands.loop.isChecked()
        fits = position_text.fitting(region, self._piece.steps) if self._piece is not None else None
        self._player.loop = fits if on else None
        self.cursor.set_loop(fits, on=on and fits is not None)

    def _obstacle(self) -> str:
        """Why nothing can be played now."""
        if self._writing:
            return NOT_DONE
        return "" if self._piece is not None else NOTHING_YET

    def _allow(self) -> None:
        self._commands.set_obstacle(self._obstacle())

    def _connect(self, window: MainWindow) -> None:
        act = self._commands
        for signal, slot in (
            (act.play.triggered, self.toggle),
            (act.stop.triggered, self.stop),
            (act.start.triggered, self.to_start),
            (act.back.triggered, lambda: self._by_beats(-1)),
            (act.forward.triggered, lambda: self._by_beats(1)),
            (act.loop.toggled, self._loop_toggled),
            (act.loop_selection.triggered, self.loop_selection),
            (act.loop_from.triggered, self.loop_from),
            (act.loop_to.triggered, self.loop_to),
            (act.fermatas.toggled, self.hold_fermatas),
            (act.panic.triggered, self.panic),
            (self._bar.tempo_changed, self.set_tempo),
            (self._mixer.changed, self.set_mix),
            (self.cursor.sought, self.seek),
            (self.cursor.looped, self.drag_loop),
            (self.midi.chosen, self._player.route),
            (self.midi.failed, self.troubled),
            (self._timer.timeout, self._tick),
            (window.closing, self.shut_down),
        ):
            signal.connect(slot)
