"""The player: a piece, a playhead, a mixer. All times are steps of one sixteenth.

Controlled and queried from one thread; queries are cheap enough for every frame of a screen. The
playhead is the position that the output reports, never a timer's estimate. Without a device it
moves as well, and ``problem`` gives the reason for the silence.

Two more threads take part: the output's pulls frames, and the player's own renders ahead, opens the
device and closes it. One lock guards the shared state; it is never held while sound is rendered or
mixed, or while a device is opened or closed. A tape is a ``RenderCache``. While the tape stands, a
short preview can sound beside it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Final, Literal

import numpy as np

from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError, UsageError
from musicrel.language import tr
from musicrel.playback.audio import FAULT, DeviceError, MiniaudioOutput, SilentClock, TimeSource
from musicrel.playback.audio_callback import Mixer, RenderCache, Span, StemReader, Transport
from musicrel.playback.midi_port import MidiPort
from musicrel.score.audio import metronome
from musicrel.score.audio.metronome import NO_CLICKS, ClickReader, Clicks, Metronome
from musicrel.score.audio.mixer import Mix, gains
from musicrel.score.audio.timbre import Samples
from musicrel.score.performance import Performance, Style, perform

MIN_LOOP_STEPS: Final = 1.0  # in steps
_NO_LOOP: Final = tr(
    "steps {start:g}:{stop:g} cannot be repeated: expected a start from 0 and a stop at least "
    "{least:g} later"
)
IDLE: Final = 5.0  # seconds of standing still after which the device is closed
# Distance in steps of a playhead that stands at the start of the piece or of the loop.
_NEAR: Final = 0.01
_LEAD: Final = 0.15  # seconds of sound to render before a device is opened or a tape replaced
_POLL_SECONDS: Final = 1.0  # seconds after which the thread checks for work without being woken
_log = logging.getLogger(__name__)


class BackgroundThread:
    """A thread, started by the first ``wake``.

    ``work`` does one piece, and returns False if there was none; ``on_error`` is called in the
    thread with what it raised, and the thread continues.
    """

    def __init__(self, work: Callable[[], bool], on_error: Callable[[Exception], object]) -> None:
        self._work, self._on_error = work, on_error
        self._woken, self._closed = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        self._woken.set()
        if self._thread is None and not self._closed.is_set():
            self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
            self._thread.start()

    def close(self) -> None:
        self._closed.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._closed.is_set():
            self._woken.wait(_POLL_SECONDS)
            self._woken.clear()
            while not self._closed.is_set() and self._do_one():
                pass

    def _do_one(self) -> bool:
        try:
            return self._work()
        except Exception as error:  # noqa: BLE001  # nothing above this thread would catch it
            if not isinstance(error, MusicrelError):
                _log.exception("a piece of work failed")
            self._on_error(error)
            return False


class Player(AbstractContextManager["Player"]):
    """Plays one chorale at a time."""

    def __init__(
        self,
        output: MiniaudioOutput | None = None,
        *,
        clock: TimeSource = time.perf_counter,
        threaded: bool = True,
    ) -> None:
        self._device = output or MiniaudioOutput()
        self._style, self._mix, self._metronome = Style(), Mix(), Metronome()
        self._has_clicks = True
        self.follower: MidiPort | None = None  # it replaces the audio output; see ``route``
        rate = self._device.rate
        self._silent_clock = SilentClock(clock, rate)
        self._driver: Literal["nothing", "device", "clock"] = "nothing"
        # identifies the opened output: an abandoned device may still pull for a while.
        self._session = 0
        self._device_open = False
        self._problem = ""
        self._failed = False  # true after rendering failed, until the next ``load`` or ``play``
        self._transport: Transport | None = None
        self._pending: RenderCache | None = None
        self._spare: RenderCache | None = None
        self._loop: tuple[float, float] | None = None
        self._preview: Transport | None = None  # of a short piece, beside the tape
        self._gains = gains(self._mix)
        self._readers, self._mixer = (StemReader(), StemReader()), Mixer(self._gains)
        self._click_reader, self._counted = ClickReader(rate), NO_CLICKS  # the last count-in
        self._clock, self._last_run = clock, clock()
        self._lead = round(_LEAD * rate)
        self._lock = threading.RLock()
        self._thread = BackgroundThread(self.work, self._fail) if threaded else None

    def __exit__(self, *_error: object) -> None:
        self.close()

    # ------------------------------------------------------------------ queries

    @property
    def _tape(self) -> RenderCache | None:
        with self._lock:
            return self._pending or (self._transport.tape if self._transport else None)

    @property
    def chorale(self) -> Chorale | None:
        tape = self._tape
        return tape.chorale if tape else None

    @property
    def performance(self) -> Performance | None:
        tape = self._tape
        return tape.performance if tape else None

    @property
    def position(self) -> float:
        with self._lock:
            self._poll()
            tape = self._tape
            return min(self._played_step(), float(tape.steps)) if tape else 0.0

    @property
    def playing(self) -> bool:
        with self._lock:
            self._poll()
            return self._transport is not None and self._transport.running

    @property
    def problem(self) -> str:
        with self._lock:
            self._poll()
            return (self.follower.problem() if self.follower else "") or self._problem

    @property
    def previewing(self) -> bool:
        """Return True if a preview sounds or is about to; unknown with a MIDI port."""
        return self._preview is not None

    @property
    def count_in(self) -> float:
        """Return the steps of the count-in that are left until the piece begins; 0 without one."""
        left, piece = self._count_in_left(), self.chorale
        if not left or piece is None:
            return 0.0
        tempo = piece.tempo_at(self.position)
        step_seconds = metronome.step_seconds(tempo * self._style.tempo_factor)
        return left / self._device.rate / step_seconds

    def _count_in_left(self) -> float:
        with self._lock:
            self._poll()
            transport = self._transport
            runs = transport is not None and transport.running
            return transport.lead_at(self._frames_played()) if transport and runs else 0.0

    # ------------------------------------------------------------------ settings

    @property
    def mix(self) -> Mix:
        return self._mix

    @mix.setter
    def mix(self, mix: Mix) -> None:
        before, self._mix = self._mix, mix
        self._gains = gains(mix)  # the mixer moves to them gradually
        if (before.sounds, before.soundfont) != (mix.sounds, mix.soundfont):
            self._reload()
        elif self.follower is not None:
            self.follower.set_mix(mix)

    @property
    def metronome(self) -> Metronome:
        return self._metronome

    @metronome.setter
    def metronome(self, settings: Metronome) -> None:
        self._metronome = settings
        if self.follower is not None:
            self.follower.set_metronome(settings)

    @property
    def style(self) -> Style:
        return self._style

    @style.setter
    def style(self, style: Style) -> None:
        changed = style != self._style
        self._style = style
        if changed:
            self._reload()

    @property
    def loop(self) -> tuple[float, float] | None:
        return self._loop

    @loop.setter
    def loop(self, steps: tuple[float, float] | None) -> None:
        if steps is not None and not (steps[0] >= 0 and steps[1] - steps[0] >= MIN_LOOP_STEPS):
            raise UsageError(_NO_LOOP.format(start=steps[0], stop=steps[1], least=MIN_LOOP_STEPS))
        with self._lock:
            self._poll()
            self._loop = steps
            self._place_loop()
            self._wake()
        self._update_follower()

    def route(self, follower: MidiPort | None) -> None:
        """Play through ``follower`` instead of the audio output; None: through audio again."""
        if self.follower is not None:
            self.follower.stop()
        if follower is not None:
            follower.set_metronome(self._metronome)
        with self._lock:
            self._poll()
            self.follower, self._problem = follower, ""
            self._release_output()
            if follower is not None:
                self._use_clock()
            self._wake()
        self._update_follower()

    # ------------------------------------------------------------------ the piece

    def load(
        self, chorale: Chorale, *, keep_position: bool = True, has_clicks: bool = True
    ) -> None:
        """Load another piece; a running player continues with it.

        Args:
            keep_position: leave the playhead at its step, or at the end of a shorter piece; False
                moves it to the beginning.
            has_clicks: False plays it without the metronome.
        """
        before, spare = self._tape, self._spare
        fits = spare is not None and spare.chorale is chorale and has_clicks == self._has_clicks
        self._has_clicks = has_clicks
        tape = spare if spare is not None and fits else self._rendered(chorale)
        with self._lock:
            self._spare = before if tape is spare else spare
            self._poll()
            self._forget_failure()
            self._pending = None
            if self._transport is None:
                self._transport = Transport(tape)
            elif self._transport.running and self._driver == "device" and keep_position:
                self._pending = tape  # the old tape plays until the new one is rendered
            else:
                self._replace_tape(self._transport, tape)
                if not keep_position:
                    self._transport.seek(0)
            self._place_loop()
            self._wake()
        self._update_follower()

    def prepare(self, chorale: Chorale | None) -> None:
        """Render another piece at the playhead, too: ``load`` then plays it at once, without a gap.

        The piece that it replaces is kept ready in its place. None: no other piece.
        """
        known = self._spare.chorale if self._spare is not None else None
        if chorale is not known:
            tape = None if chorale is None else self._rendered(chorale)
            with self._lock:
                self._spare = tape
                self._wake()

    def play(self, step: float | None = None, *, count_in: bool = False) -> None:
        """Play, if there is a piece; at its end, from the beginning or from that of the loop."""
        with self._lock:
            if step is not None:
                self._seek(step)
            if self._transport is not None:
                self._run(self._transport, count_in=count_in)
        self._update_follower()

    def _run(self, transport: Transport, *, count_in: bool) -> None:
        self._poll()
        self._forget_failure()
        self._preview = None
        if transport.position >= transport.tape.frame_at(transport.tape.steps):
            transport.seek(transport.loop[0] if transport.loop else 0)
        if count_in and not transport.running:
            self._counted = self._count_in_from(transport.tape.step_at(transport.position))
            transport.lead = self._counted.frames
        transport.running = True
        if self.follower is not None:
            self._use_clock()
        elif self._driver == "clock":
            self._release_output()  # and try to open a device again
        self._wake()

    def pause(self) -> None:
        self._pause()
        self._update_follower()

    def _pause(self) -> None:
        with self._lock:
            self._poll()
            self._preview = None
            if self._transport is not None:
                self._transport.pause()

    def stop(self) -> None:
        self._pause()
        self.seek(self._loop[0] if self._loop else 0.0)

    def seek(self, step: float) -> None:
        self._seek(step)
        self._update_follower()

    def _seek(self, step: float) -> None:
        with self._lock:
            self._poll()
            if self._transport is not None:
                self._transport.seek(self._transport.tape.frame_at(step))
                self._wake()

    def preview(self, chorale: Chorale) -> None:
        """Let a short piece sound once while the player stands; nothing but the sound changes.

        Piece, playhead and loop stay. Without a piece, and while the player plays, nothing sounds;
        ``play`` ends the sound.
        """
        if self.chorale is None or self.playing:
            return
        if self.follower is not None:
            self.follower.play(perform(chorale, Style()), 0.0, None, self._mix)
            return
        tape = RenderCache(chorale, Style(), self._mix, self._device.rate, clicks=False)
        with self._lock:
            self._forget_failure()
            if self._driver == "clock":
                self._release_output()  # and try to open a device again
            self._preview = Transport(tape)
            self._preview.running = True
            self._wake()

    def stop_preview(self) -> None:
        with self._lock:
            self._preview = None
        if self.follower is not None and not self.playing:
            self.follower.stop()

    def close(self) -> None:
        if self.follower is not None:
            self.follower.stop()
        self._pause()
        with self._lock:
            self._release_output()
        if self._thread is not None:
            self._thread.close()
        self._device.stop()

    def _count_in_from(self, step: float) -> Clicks:
        """Return the count-in before ``step``; none where the metronome has none."""
        starts, wanted = (0.0, self._loop[0] if self._loop else 0.0), self._metronome.count_in
        at_start = any(abs(step - start) < _NEAR for start in starts)
        if self.chorale is None or not (wanted == "always" or (wanted == "start" and at_start)):
            return NO_CLICKS
        return metronome.count_in(self.chorale, self._style, step, self._device.rate)

    def _rendered(self, chorale: Chorale) -> RenderCache:
        rate, has_clicks = self._device.rate, self._has_clicks
        return RenderCache(chorale, self._style, self._mix, rate, clicks=has_clicks)

    def _reload(self) -> None:
        other = self._spare.chorale if self._spare is not None else None
        self._spare = None
        if self.chorale is not None:
            self.load(self.chorale, has_clicks=self._has_clicks)
        self.prepare(other)

    def _update_follower(self) -> None:
        tape = self._tape
        if self.follower is None or tape is None:
            return
        if not self.playing:
            self.follower.stop()
            return
        second = tape.performance.times.seconds_at
        loop = (second(self._loop[0]), second(self._loop[1])) if self._loop else None
        left = self._count_in_left() / self._device.rate
        clicks = {"clicks": tape.clicks, "count_in": self._counted}
        self.follower.play(
            tape.performance, second(self.position), loop, self._mix, left=left, **clicks
        )

    # ------------------------------------------------------------------ rendering and the device

    def work(self) -> bool:
        """Do one piece of background work, as the thread does; return False if there was none."""
        with self._lock:
            self._poll()
            transport, pending, failed = self._transport, self._pending, self._failed
            if transport is None:
                return False
            tape, position, loop = transport.tape, transport.position, transport.loop
            preview = self._preview.tape if self._preview is not None else None
            if transport.running or preview is not None:
                self._last_run = self._clock()
        if pending is not None and not failed:
            return self._prepare_pending(pending, transport)
        rendered = preview is not None and not failed and preview.render_next(0, None)
        if rendered or self._open(transport):
            return True
        spare = self._spare
        if (self.follower is None and not failed) and (
            tape.render_next(position, loop)
            or (spare and spare.render_next(spare.frame_at(tape.step_at(position)), None))
        ):
            return True
        self._close_idle_device(transport)
        return False

    def _prepare_pending(self, pending: RenderCache, transport: Transport) -> bool:
        with self._lock:
            position = pending.frame_at(transport.tape.step_at(transport.position))
            if pending is self._pending and pending.is_ready(position, self._lead):
                self._pending = None
                self._replace_tape(transport, pending)
                return True
        return pending.render_next(position, None)

    def _replace_tape(self, transport: Transport, cache: RenderCache) -> None:
        transport.replace_tape(cache, cache.frame_at(transport.tape.step_at(transport.position)))
        self._place_loop()

    def _place_loop(self) -> None:
        if self._transport is not None:
            first, last = (self._transport.tape.frame_at(step) for step in self._loop or (0, 0))
            self._transport.loop = (first, last) if first < last else None

    def _open(self, transport: Transport) -> bool:
        """Start the device if something should sound and nothing drives it; return True if so."""
        with self._lock:
            wanted = transport if transport.running else self._preview
            is_ready = wanted is not None and wanted.tape.is_ready(wanted.position, self._lead)
            if self._driver != "nothing" or not is_ready:
                return False
            self._release_output()
            self._mixer = Mixer(self._gains)
            self._device_open, session = True, self._session
        problem = ""
        try:
            self._device.start(partial(self._pull, session))
        except DeviceError as reason:
            problem = str(reason)
        with self._lock:
            if session == self._session:
                self._problem, self._driver = problem, "device"
                if problem:
                    self._use_clock()
        return True

    def _close_idle_device(self, transport: Transport) -> None:
        """Close a device that is unused, or idle for longer than ``IDLE``."""
        with self._lock:
            idle = not transport.running and self._clock() - self._last_run >= IDLE
            if idle and self._driver == "device":
                self._release_output()
            unused = self._device_open and self._driver != "device"
            self._device_open = self._device_open and not unused
        if unused:
            self._device.stop()

    def _pull(self, session: int, frames: int) -> Samples:
        """Render the next ``frames``, float32 (frames, 2)."""
        with self._lock:
            transport = self._transport
            if transport is None or session != self._session:
                return np.zeros((frames, 2), dtype=np.float32)
            gains, readers, mixer, counted = self._gains, self._readers, self._mixer, self._counted
            tape, spans = transport.tape, _taken(transport, frames)
            preview = self._preview.tape if self._preview is not None else None
            beside = _taken(self._preview, frames)
            if self._preview is not None and not self._preview.running:
                self._preview = None
            self._wake()
        stems = _read(readers[0], tape, spans) + _read(readers[1], preview, beside)
        clicks = np.concatenate([self._clicks(tape, counted, span) for span in spans])
        return mixer.mix(stems, gains, clicks)

    def _clicks(self, tape: RenderCache, counted: Clicks, span: Span) -> Samples:
        level = self._metronome.level * self._mix.volume
        if span.lead:
            begin = counted.frames - span.lead
            return self._click_reader.read(counted, begin, span.frames, level)
        level = level if self._metronome.on and span.running else 0.0
        return self._click_reader.read(tape.clicks, span.position, span.frames, level)

    def _poll(self) -> None:
        """Advance the tape by the clock if that drives it, and detect a lost device."""
        if self._driver == "clock" and self._transport is not None:
            self._transport.advance(self._silent_clock.elapsed_frames() - self._transport.taken)
        elif self._driver == "device" and self._device.problem():
            self._problem = self._device.problem()
            self._use_clock()

    def _played_step(self) -> float:
        if self._transport is None:
            return 0.0
        tape, position = self._transport.played_at(self._frames_played())
        return tape.step_at(position)

    def _frames_played(self) -> float:
        if self._driver == "device":
            return self._device.frames_played()
        if self._transport is not None and self._driver == "clock":
            return float(self._transport.taken)
        return 0.0

    def _use_clock(self) -> None:
        self._release_output()
        self._preview = None  # only a device lets it sound
        self._silent_clock.start()
        self._driver = "clock"

    def _release_output(self) -> None:
        """Detach the driver; the tape returns to the last step played."""
        if self._transport is not None:
            self._transport.restart(self._transport.tape.frame_at(self._played_step()))
        self._driver = "nothing"
        self._session += 1
        # those before hold tapes, of up to 30 MB each
        self._readers = StemReader(), StemReader()

    def _wake(self) -> None:
        if self._thread is not None:
            self._thread.wake()

    def _fail(self, error: Exception) -> None:
        with self._lock:
            self._failed = True
            self._problem = str(error) if isinstance(error, MusicrelError) else FAULT
        self._pause()

    def _forget_failure(self) -> None:
        if self._failed:
            self._failed, self._problem = False, ""


def _taken(transport: Transport | None, frames: int) -> list[Span]:
    """Return what to read next; a tape whose sound is not rendered yet waits in silence."""
    if transport is None:
        return [Span(position=0, frames=frames, running=False)]
    runs = transport.running and transport.lead < frames
    waits = runs and not transport.tape.is_ready(transport.position, frames)
    return transport.hold(frames) if waits else transport.advance(frames)


def _read(reader: StemReader, tape: RenderCache | None, spans: list[Span]) -> Samples:
    parts = [
        reader.read(tape if span.running else None, span.position, span.frames) for span in spans
    ]
    return np.concatenate(parts, axis=-1)
