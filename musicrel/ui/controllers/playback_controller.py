"""Controller of playback: connects player, transport and the playhead of the roll.

Roll and transport follow the player at every frame while it plays. The playhead stays where it is
when the piece is changed, also by rewriting, a take or Undo. A new piece begins at its beginning.
Running playback continues with the piece that is there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QActionGroup

from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError
from musicrel.language import tr
from musicrel.meter_beats import written_unit
from musicrel.playback import midi_port
from musicrel.presentation.compose import position_text
from musicrel.score.performance import FERMATA_STRETCH
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import COMMANDS, NOTHING_YET
from musicrel.ui.document.document import GENERATING
from musicrel.ui.jobs.turn import Turn
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets import icons

_NO_PORT: Final = tr("None (built-in &sound)")
_PAUSE_TIP: Final = tr("Pause; the playhead stays where it is")
LOOPED: Final = tr("Playback loops these bars; drag over the notes to select them")
_AS_WRITTEN: Final = 1.0


class PlaybackController(QObject):
    def __init__(self, services: Services) -> None:
        super().__init__(services.document)
        window, page = services.window, services.page
        self._document, self._messages = services.document, services.messages
        self._player = services.player
        self.roll, self._score = page.roll, page.score
        self._bar, self._commands = window.playback.transport, window.commands.play
        self.by_beats = False
        self.piece: Chorale | None = None
        self._last: Chorale | None = None
        self._expects_new = True  # whether the next piece that differs from ``_last`` is a new one
        self._turn = Turn(self)  # the sound of a generated piece is prepared after it is shown
        self._was_generating = False
        self._loop: tuple[int, int] | None = None
        self._passage: tuple[int, int] | None = None  # what is repeated in place of the loop
        self._reported, self._shows_pause = "", False
        self._timer = QTimer(self, interval=16, timerType=Qt.TimerType.PreciseTimer)
        self._list_ports([], "")
        self._connect()
        self._show_play(playing=self._shows_pause)

    # ------------------------------------------------------------------ the piece

    @Slot(object)
    def show_piece(self, piece: Chorale | None) -> None:
        before, self.piece = self.piece, piece
        if piece is None:
            self._player.pause()
            self._expects_new = self._expects_new or self._document.piece is None
        else:
            self._load(piece, before)
        self._show_loop()
        self._show_play(playing=self._shows_pause)
        self._place_playhead(piece)
        self.tick()

    def _place_playhead(self, piece: Chorale | None) -> None:
        if piece is None:
            return
        is_new, self._expects_new = self._expects_new and piece is not self._last, False
        self._last = piece
        if is_new:
            self._seek(self._player.loop[0] if self._player.loop else 0.0)

    @Slot(object)
    def _on_screen_changed(self, piece: Chorale | None) -> None:
        """Show the piece; while another one is generated, the one before may go on playing."""
        was_generating, self._was_generating = self._was_generating, self._document.generating
        self._turn.stop()
        if self._document.generating:
            self._expects_new = True
            self._show_play(playing=self._shows_pause)
        elif was_generating:
            self._turn.start()
        else:
            self.show_piece(piece)

    @Slot()
    def _on_replaced(self) -> None:
        self.clear_loop()
        if self.piece is not None:
            self.to_start()

    def _load(self, piece: Chorale, before: Chorale | None) -> None:
        """Load a piece; a changed tempo is kept between pieces of the same tempo."""
        written = piece.tempo
        if before is None or before.tempo != written:
            self._player.style = replace(self._player.style, tempo_factor=_AS_WRITTEN)
        self._player.load(piece)
        tempo = round(written * self._player.style.tempo_factor)
        self._bar.set_tempo(*position_text.tempo_bounds(written), tempo)

    # ------------------------------------------------------------------ user actions

    @Slot()
    def toggle(self) -> None:
        if self._player.playing:
            self._player.pause()
            self.tick()
        else:
            self.play()

    @Slot()
    def play(self) -> None:
        if not self._player.playing and not self._disabled_reason():
            self._reported = ""  # report a device that is still missing again
            self._player.play(count_in=True)
            self.roll.follow(self._player.position, resume=self._commands.follow.isChecked())
        self.tick()

    def play_again(self, step: float) -> None:
        """Play from ``step`` on where the piece has been played to its end."""
        piece = self.piece
        if piece is not None and not self._player.playing and self._player.position >= piece.steps:
            self._seek(step)
            self.play()

    @Slot()
    def stop(self) -> None:
        self._player.stop()
        self.tick()
        self.roll.follow(self._player.position, resume=True)

    @Slot()
    def to_start(self) -> None:
        self._seek(0.0)

    @Slot(float, bool)
    def seek(self, step: float, in_ruler: bool) -> None:
        piece = self.piece
        if piece is not None and not self._document.generating:
            beat = position_text.grid(step, piece.meter, piece.pickup, piece.steps)
            self._seek(float(beat if in_ruler else int(step)))

    def _by_beats(self, beats: int) -> None:
        piece = self.piece
        if piece is not None:
            distance = beats * written_unit(piece.meter)
            here = position_text.grid(self._player.position, piece.meter, piece.pickup, piece.steps)
            self._seek(float(min(max(here + distance, 0), piece.steps)))

    def _seek(self, step: float) -> None:
        self._player.seek(step)
        self.tick()
        self.roll.follow(step, resume=True)

    def repeat(self, passage: tuple[int, int] | None) -> None:
        """Repeat a passage from its beginning, in place of the loop of the user; None: this one."""
        self._passage = passage
        self._show_loop()
        if passage is not None:
            self._seek(float(passage[0]))

    @Slot(float, float)
    def drag_loop(self, one: float, other: float) -> None:
        if self.piece is not None and not self._document.generating:
            region = position_text.region(one, other, self.piece)
            if region is not None:
                self._set_loop(region)
                self._commands.loop.setChecked(True)
                self._messages.show_state(LOOPED)

    @Slot()
    def clear_loop(self) -> None:
        self._set_loop(None)
        self._commands.loop.setChecked(False)

    @Slot()
    def loop_selection(self) -> None:
        selected = self._document.selection
        if selected is not None and self.piece is not None and not self._document.generating:
            self._set_loop((selected.start, selected.stop))
            self._commands.loop.setChecked(True)

    @Slot()
    def loop_from(self) -> None:
        if self.piece is not None:
            last = self._loop[1] if self._loop else self.piece.steps
            self.drag_loop(self._player.position, max(last, self._player.position))

    @Slot()
    def loop_to(self) -> None:
        first = self._loop[0] if self._loop else 0
        self.drag_loop(min(first, self._player.position), self._player.position)

    @Slot()
    def set_tempo(self) -> None:
        if self.piece is not None:
            factor = position_text.tempo_factor(self._bar.tempo.value(), self.piece.tempo)
            self._player.style = replace(self._player.style, tempo_factor=factor)
            self.tick()

    @Slot(bool)
    def hold_fermatas(self, on: bool) -> None:
        stretch = FERMATA_STRETCH if on else _AS_WRITTEN
        self._player.style = replace(self._player.style, fermata_stretch=stretch)
        self.tick()

    @Slot()
    def panic(self) -> None:
        if self._player.follower is not None and not self._player.playing:
            self._player.play()  # starting and stopping a port sends all-notes-off
        self._player.pause()
        self.tick()

    @Slot()
    def shut_down(self) -> None:
        self._timer.stop()
        self._turn.stop()
        self._player.close()
        if self._player.follower is not None:
            self._player.follower.close()

    # ------------------------------------------------------------------ MIDI ports

    @Slot()
    def _fill_ports(self) -> None:
        self._list_ports(*midi_port.ports())

    def _list_ports(self, names: list[str], reason: str) -> None:
        """List no port and then ``names``; ``reason``: for no names, or ""."""
        menu, follower = self._commands.ports, self._player.follower
        menu.clear()
        group = QActionGroup(menu)
        for title, name in (
            (_NO_PORT, ""),
            *((n.replace("&", "&&"), n) for n in names),
        ):
            action = group.addAction(title)
            action.setCheckable(True)
            action.setData(name)
            action.setChecked(name == (follower.name if follower else ""))
        menu.addActions(group.actions())
        if reason:
            menu.addSeparator()
            menu.addAction(reason[:1].upper() + reason[1:]).setEnabled(False)
        group.triggered.connect(lambda action: self._choose_port(action.data()))

    def _choose_port(self, name: str) -> None:
        """Play through the port ``name``; "": through the built-in sound."""
        before = self._player.follower
        if name == (before.name if before else ""):
            return
        try:
            port = midi_port.open_port(name) if name else None
        except MusicrelError as reason:
            self._messages.report(str(reason))
            return
        self._player.route(port)
        if before is not None:
            before.close()

    # ------------------------------------------------------------------ display

    @Slot()
    def tick(self) -> None:
        playing = self._player.playing
        step = self._player.position
        if playing != self._shows_pause:
            self._show_play(playing=playing)
        self._show_position(step)
        if playing and self._commands.follow.isChecked() and not self._document.generating:
            self.roll.follow(step)
        self._report_problem(self._player.problem)
        if playing != self._timer.isActive():
            (self._timer.start if playing else self._timer.stop)()
            self._show_play(playing=self._shows_pause)

    def _show_position(self, step: float) -> None:
        piece, performance = self.piece, self._player.performance
        if piece is None or performance is None:
            self.roll.set_step(None)
            self._bar.set_position("1.1", "0:00", "0:00")
            return
        calm = self.by_beats and self._player.playing
        self.roll.set_step(
            position_text.beat_below(step, piece.meter, piece.pickup) if calm else step
        )
        left = self._player.count_in
        if left:
            self._bar.set_count_in(position_text.beat(step - left, piece.meter, piece.pickup))
            return
        shown = min(step, piece.steps - 1.0)
        now = position_text.time(performance.times.seconds_at(step))
        whole = position_text.time(performance.times.seconds)
        place = position_text.bar_and_beat(shown, piece.meter, piece.pickup)
        self._bar.set_position(place, now, whole)

    def _report_problem(self, problem: str) -> None:
        sentence = problem[:1].upper() + problem[1:]
        self._bar.set_silent(sentence)
        if problem and problem != self._reported:
            self._messages.report(problem)
        self._reported = problem or self._reported

    @Slot()
    def _on_loop_toggled(self) -> None:
        if self._commands.loop.isChecked() and self._loop is None and self.piece is not None:
            selected = self._document.selection
            whole = (0, self.piece.steps)
            self._loop = (selected.start, selected.stop) if selected is not None else whole
        self._set_loop(self._loop)

    def _set_loop(self, region: tuple[int, int] | None) -> None:
        """Set the loop region of the user and show it."""
        self._loop, self._passage = region, None
        self._show_loop()

    def _show_loop(self) -> None:
        """Show what is repeated; the player repeats the part inside the piece."""
        region = self._passage or self._loop
        on = self._passage is not None or self._commands.loop.isChecked()
        fits = position_text.fitting(region, self.piece.steps) if self.piece is not None else None
        self._player.loop = fits if on else None
        self.roll.set_loop(fits, on=on and fits is not None)

    def _disabled_reason(self) -> str:
        if self._document.generating:
            return GENERATING
        return "" if self.piece is not None else NOTHING_YET

    def _show_play(self, *, playing: bool) -> None:
        """Make Play a Pause while music plays, which is always possible."""
        self._shows_pause, play = playing, self._commands.play
        usual = COMMANDS["play.play"]
        play.setText(tr("&Pause") if playing else usual.text)
        play.setIcon(icons.themed("pause" if playing else "play", "on_accent"))
        commands.set_tip(play, _PAUSE_TIP if playing else usual.tip)
        commands.set_enabled(play, "" if playing else self._disabled_reason())

    def _connect(self) -> None:
        act, document = self._commands, self._document
        for signal, slot in (
            (act.play.triggered, self.toggle),
            (act.stop.triggered, self.stop),
            (act.start.triggered, self.to_start),
            (act.back.triggered, lambda: self._by_beats(-1)),
            (act.forward.triggered, lambda: self._by_beats(1)),
            (act.loop.toggled, self._on_loop_toggled),
            (act.loop_selection.triggered, self.loop_selection),
            (act.loop_from.triggered, self.loop_from),
            (act.loop_to.triggered, self.loop_to),
            (act.fermatas.toggled, self.hold_fermatas),
            (act.panic.triggered, self.panic),
            (self._bar.tempo_changed, self.set_tempo),
            (self.roll.seek_requested, self.seek),
            (self.roll.loop_dragged, self.drag_loop),
            (self.roll.loop_clicked, self.clear_loop),
            (self._score.seek_requested, self.seek),
            (self._score.loop_dragged, self.drag_loop),
            (self._score.loop_clicked, self.clear_loop),
            (act.ports.aboutToShow, self._fill_ports),
            (self._timer.timeout, self.tick),
            (document.replaced, self._on_replaced),
            (document.screen_changed, self._on_screen_changed),
            (self._turn.due, lambda: self.show_piece(document.shown)),
        ):
            signal.connect(slot)
