"""The playback engine: one tape, one output, one thread that renders ahead.

Three threads take part: the caller's controls and queries, the output's pulls frames, and the
engine's own renders ahead, opens the device and closes it. One lock guards the shared state; it is
never held while sound is rendered or mixed, or while a device is opened or closed. A tape is a
``RenderCache``. While the tape stands, a short preview can sound beside it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Literal, TypeAlias

import numpy as np

from musicrel.errors import MusicrelError
from musicrel.playback.audio import FAULT, DeviceError, Output, SilentClock, TimeSource
from musicrel.playback.audio_callback import (
    ClickTrack,
    Mixer,
    RenderCache,
    Span,
    StemReader,
    Transport,
)
from musicrel.score.audio.metronome import ClickReader, Clicks
from musicrel.score.audio.timbre import Samples

_POLL_SECONDS: Final = 1.0  # seconds after which the thread checks for work without being woken
_log = logging.getLogger(__name__)


class BackgroundThread:
    """A thread, started by the first ``wake``.

    Args:
        work: does one piece; returns False if there was none.
        on_error: called in the thread with what ``work`` raised; the thread continues.
    """

    def __init__(self, work: Callable[[], bool], on_error: Callable[[Exception], object]) -> None:
        self._work = work
        self._on_error = on_error
        self._condition = threading.Condition()
        self._woken = False
        self._closed = False
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        with self._condition:
            self._woken = True
            self._condition.notify()
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
                self._thread.start()

    def close(self) -> None:
        with self._condition:
            self._closed = True
            self._condition.notify()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while self._wait_for_work():
            while not self._closed and self._do_one():
                pass

    def _wait_for_work(self) -> bool:
        """Sleep until there may be work; return False once closed."""
        with self._condition:
            if not (self._woken or self._closed):
                self._condition.wait(_POLL_SECONDS)
            self._woken = False
            return not self._closed

    def _do_one(self) -> bool:
        try:
            return self._work()
        except Exception as error:  # noqa: BLE001  # nothing above this thread would catch it
            if not isinstance(error, MusicrelError):
                _log.exception("a piece of work failed")
            self._on_error(error)
            return False


class Preview:
    """Plays one tape from its beginning to its end, without a position that can be moved.

    The engine guards all but ``read`` by its lock; ``read`` is for the device's thread alone.
    """

    def __init__(self) -> None:
        self.cache: RenderCache | None = None
        self._position = 0
        self._reader = StemReader()

    def start(self, cache: RenderCache) -> None:
        self.cache, self._position = cache, 0

    def stop(self) -> None:
        """End the sound; what the device reads next fades it out."""
        self.cache = None

    def release(self) -> None:
        """Forget what the device has read: it fades nothing out once it is closed."""
        self._reader = StemReader()

    def is_ready(self, frames: int) -> bool:
        return self.cache is not None and self.cache.is_ready(self._position, frames)

    def advance(self, frames: int) -> tuple[RenderCache | None, int]:
        """Return what to read for the next ``frames``: the tape, None for silence, and where."""
        cache, position = self.cache, self._position
        if cache is None or not cache.is_ready(position, frames):
            return None, 0
        self._position += frames
        if self._position >= cache.frames:
            self.cache = None
        return cache, position

    def read(self, source: tuple[RenderCache | None, int], frames: int) -> Samples:
        """Return the stems of what ``advance`` returned, float32 (3, 4, frames)."""
        return self._reader.read(*source, frames)


# Returns the clicks to play before the tape runs from a step; empty ones for none.
CountIn: TypeAlias = Callable[[float], Clicks]

IDLE: Final = 5.0  # seconds of standing still after which the device is closed

_LEAD: Final = 0.15  # seconds of sound to render before a device is opened or a tape replaced


class Engine:
    """Plays tapes."""

    def __init__(
        self, device: Output, gains: Samples, clock: TimeSource, *, threaded: bool
    ) -> None:
        self._device = device
        self._silent_clock = SilentClock(clock, device.rate)
        self._driver: Literal["nothing", "device", "clock"] = "nothing"
        # identifies the opened output: an abandoned device may still pull for a while.
        self._session = 0
        self._device_open = False
        self._problem = ""
        self._failed = False  # true after rendering failed, until the next ``load`` or ``play``
        self._audio_off = False
        self._transport: Transport[RenderCache] | None = None
        self._pending: RenderCache | None = None
        self._spare: RenderCache | None = None
        self._loop: tuple[float, float] | None = None
        self._preview = Preview()
        self._reader, self._mixer, self._gains = StemReader(), Mixer(gains), gains
        self._click_reader, self._clicks = ClickReader(device.rate), ClickTrack()
        self._clock, self._last_run = clock, clock()
        self._lead = round(_LEAD * device.rate)
        self._lock = threading.RLock()
        self._thread = BackgroundThread(self.work, self._fail) if threaded else None

    @property
    def cache(self) -> RenderCache | None:
        with self._lock:
            return self._pending or (self._transport.tape if self._transport else None)

    @property
    def running(self) -> bool:
        with self._lock:
            self._poll()
            return self._transport is not None and self._transport.running

    @property
    def problem(self) -> str:
        with self._lock:
            self._poll()
            return self._problem

    def step(self) -> float:
        """Return the position of the playhead in steps, fractions included."""
        with self._lock:
            self._poll()
            cache = self.cache
            return min(self._played_step(), float(cache.steps)) if cache else 0.0

    @property
    def preview(self) -> RenderCache | None:
        with self._lock:
            return self._preview.cache

    @property
    def count_in(self) -> tuple[Clicks, float]:
        with self._lock:
            self._poll()
            transport, left = self._transport, 0.0
            if transport is not None and transport.running:
                left = transport.lead_at(self._frames_played())
            return self._clicks.count_in, left

    def load(self, cache: RenderCache, *, rewind: bool) -> None:
        with self._lock:
            self._poll()
            self._forget_failure()
            self._pending = None
            if self._transport is None:
                self._transport = Transport(cache)
            elif self._transport.running and self._driver == "device" and not rewind:
                self._pending = cache  # the old tape plays until the new one is rendered
            else:
                self._replace_tape(self._transport, cache)
                if rewind:
                    self._transport.seek(0)
            self._place_loop()
            self._wake()

    def prepare(self, cache: RenderCache | None) -> None:
        """Render another tape ahead at the playhead, so that ``load`` can play it at once."""
        with self._lock:
            self._spare = cache
            self._wake()

    def play(self, count_in: CountIn | None = None) -> None:
        """Run the tape; at its end, restart from the beginning or from the start of the loop."""
        with self._lock:
            transport = self._transport
            if transport is None:
                return
            self._poll()
            self._forget_failure()
            self._preview.stop()
            if transport.position >= transport.tape.frame_at(transport.tape.steps):
                transport.seek(transport.loop[0] if transport.loop else 0)
            if count_in is not None and not transport.running:
                clicks = count_in(transport.tape.step_at(transport.position))
                self._clicks = replace(self._clicks, count_in=clicks)
                transport.lead = clicks.frames
            transport.running = True
            if self._audio_off:
                self._use_clock()
            elif self._driver == "clock":
                self._release_output()  # and try to open a device again
            self._wake()

    def pause(self) -> None:
        with self._lock:
            self._poll()
            self._preview.stop()
            if self._transport is not None:
                self._transport.pause()

    def start_preview(self, cache: RenderCache) -> None:
        """Let ``cache`` sound once beside a loaded tape that stands, which does not move."""
        with self._lock:
            self._poll()
            if self._transport is not None and not self._transport.running:
                self._forget_failure()
                if self._driver == "clock" and not self._audio_off:
                    self._release_output()  # and try to open a device again
                self._preview.start(cache)
                self._wake()

    def stop_preview(self) -> None:
        with self._lock:
            self._preview.stop()

    def seek(self, step: float) -> None:
        with self._lock:
            self._poll()
            if self._transport is not None:
                self._transport.seek(self._transport.tape.frame_at(step))
                self._wake()

    def set_loop(self, steps: tuple[float, float] | None) -> None:
        with self._lock:
            self._poll()
            self._loop = steps
            self._place_loop()
            self._wake()

    def set_gains(self, gains: Samples) -> None:
        """Move the gains gradually to ``gains``, float32 (4, 4)."""
        with self._lock:
            self._gains = gains

    def set_click_levels(self, level: float, count_in_level: float) -> None:
        """Set the volume of the metronome and of its count-in, from the next click on."""
        with self._lock:
            self._clicks = replace(self._clicks, level=level, count_in_level=count_in_level)

    def set_audio_off(self, *, audio_off: bool) -> None:
        with self._lock:
            self._poll()
            self._audio_off, self._problem = audio_off, ""
            self._release_output()
            if audio_off:
                self._use_clock()
            self._wake()

    def close(self) -> None:
        self.pause()
        with self._lock:
            self._release_output()
        if self._thread is not None:
            self._thread.close()
        self._device.stop()

    def work(self) -> bool:
        """Do one piece of background work; return False if there was none."""
        with self._lock:
            self._poll()
            transport, pending, failed = self._transport, self._pending, self._failed
            if transport is None:
                return False
            tape, position, loop = transport.tape, transport.position, transport.loop
            preview = self._preview.cache
            if transport.running or preview is not None:
                self._last_run = self._clock()
        if pending is not None and not failed:
            return self._prepare_pending(pending, transport)
        rendered = preview is not None and not failed and preview.render_next(0, None)
        if rendered or self._open(transport):
            return True
        if not self._audio_off and not failed and self._render_ahead(tape, position, loop):
            return True
        self._close_idle_device(transport)
        return False

    def _render_ahead(self, tape: RenderCache, position: int, loop: tuple[int, int] | None) -> bool:
        """Render a chunk of the tape, or else of the spare one; return False if none is missing."""
        spare = self._spare
        return tape.render_next(position, loop) or (
            spare is not None and spare.render_next(spare.frame_at(tape.step_at(position)), None)
        )

    def _prepare_pending(self, pending: RenderCache, transport: Transport[RenderCache]) -> bool:
        with self._lock:
            position = pending.frame_at(transport.tape.step_at(transport.position))
            if pending is self._pending and pending.is_ready(position, self._lead):
                self._pending = None
                self._replace_tape(transport, pending)
                return True
        return pending.render_next(position, None)

    def _replace_tape(self, transport: Transport[RenderCache], cache: RenderCache) -> None:
        transport.replace_tape(cache, cache.frame_at(transport.tape.step_at(transport.position)))
        self._place_loop()

    def _place_loop(self) -> None:
        if self._transport is not None:
            first, last = (self._transport.tape.frame_at(step) for step in self._loop or (0, 0))
            self._transport.loop = (first, last) if first < last else None

    def _open(self, transport: Transport[RenderCache]) -> bool:
        """Start the device if something should sound and nothing drives it; return True if so."""
        with self._lock:
            if self._driver != "nothing" or not self._is_sound_ready(transport):
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

    def _is_sound_ready(self, transport: Transport[RenderCache]) -> bool:
        """Return True if the tape should run, or else a preview, and its beginning is rendered."""
        if transport.running:
            return transport.tape.is_ready(transport.position, self._lead)
        return self._preview.is_ready(self._lead)

    def _close_idle_device(self, transport: Transport[RenderCache]) -> None:
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
            tape, gains, reader, mixer = transport.tape, self._gains, self._reader, self._mixer
            runs = transport.running and transport.lead < frames
            waits = runs and not tape.is_ready(transport.position, frames)
            spans = transport.hold(frames) if waits else transport.advance(frames)
            clicks = replace(self._clicks, piece=tape.clicks)
            preview, source = self._preview, self._preview.advance(frames)
            self._wake()
        stems = _read(reader, tape, spans) + preview.read(source, frames)
        return mixer.mix(stems, gains, clicks.read(self._click_reader, spans))

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
        self._preview.stop()  # only a device lets it sound
        self._silent_clock.start()
        self._driver = "clock"

    def _release_output(self) -> None:
        """Detach the driver; the tape returns to the last step played."""
        if self._transport is not None:
            self._transport.restart(self._transport.tape.frame_at(self._played_step()))
        self._driver = "nothing"
        self._session += 1
        self._reader = StemReader()  # the one before holds tapes, of up to 30 MB each
        self._preview.release()

    def _wake(self) -> None:
        if self._thread is not None:
            self._thread.wake()

    def _fail(self, error: Exception) -> None:
        with self._lock:
            self._failed = True
            self._problem = str(error) if isinstance(error, MusicrelError) else FAULT
        self.pause()

    def _forget_failure(self) -> None:
        if self._failed:
            self._failed, self._problem = False, ""


def _read(reader: StemReader, tape: RenderCache, spans: Sequence[Span]) -> Samples:
    parts = [
        reader.read(tape if span.running else None, span.position, span.frames) for span in spans
    ]
    return np.concatenate(parts, axis=-1)
