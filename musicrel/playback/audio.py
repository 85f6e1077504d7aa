"""Audio outputs: a device that pulls frames when it needs them, and a clock for silence.

An output requests frames through ``RenderCallback`` in its own thread and reports the number
played; this is the only source of time for playback. A frame is one sample per channel.
"""

from __future__ import annotations

import importlib
import logging
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Final

import numpy as np

from musicrel.errors import MusicrelError
from musicrel.language import tr
from musicrel.score.audio.timbre import Samples

# Called with a number of frames, returns float32 (frames, 2); runs in the output's own thread.
RenderCallback = Callable[[int], Samples]
TimeSource = Callable[[], float]  # a monotonic clock in seconds

PERIOD_MILLISECONDS: Final = 60
# The number of buffered periods: 300 ms during which Python may be busy elsewhere.
PERIODS: Final = 5

FAULT: Final = tr("playback stopped because of an internal error; press play again")
_NO_DEVICE: Final = tr(
    "no sound: this computer offers no audio device; connect one and press play again"
)
_NO_PACKAGE: Final = tr(
    "no sound: the package miniaudio cannot be imported ({reason}); install it again"
)

_CHANNELS: Final = 2
# Seconds without a request after which a device is lost; miniaudio does not always report it.
_TIMEOUT: Final = 2.0
_SOUND_CARDS: Final = Path("/dev/snd")
_log = logging.getLogger(__name__)


class DeviceError(MusicrelError):
    pass


class SilentClock:
    def __init__(self, clock: TimeSource, rate: int) -> None:
        self._clock = clock
        self._rate = rate
        self._began = clock()

    def start(self) -> None:
        self._began = self._clock()

    def elapsed_frames(self) -> int:
        return int((self._clock() - self._began) * self._rate)


class PlayedFrames:
    """Estimates the frames played from the times and sizes of a device's requests.

    A device fills its buffer in one burst and then requests as much as it has played. So at each
    later request all but that burst has been played; between requests the clock interpolates. The
    size of the buffer and the latency of cables are not estimated. Written by the device's thread,
    read by any.
    """

    def __init__(self, rate: int, clock: TimeSource) -> None:
        self._rate = rate
        self._clock = clock
        self._burst = 0
        self._filling = True
        self._last = (0, clock())
        self._reported = 0.0

    def record_request(self, frames: int) -> None:
        taken, before = self._last
        now = self._clock()
        if self._filling and taken and (now - before) * self._rate > frames / 2:
            self._filling = False
        if self._filling:
            self._burst += frames
        self._last = (taken + frames, now)

    def frames_played(self) -> float:
        taken, requested_at = self._last
        since = (self._clock() - requested_at) * self._rate
        self._reported = max(self._reported, min(taken - self._burst + since, float(taken)))
        return self._reported

    def seconds_since_request(self) -> float:
        return self._clock() - self._last[1]


class MiniaudioOutput:
    """The default audio device, through the miniaudio library.

    Reopened at each start, so that it is the device the user has selected by then. Frames played
    count from there and never decrease; ``problem`` is a sentence about what went wrong, or "".
    """

    rate: Final = 48_000

    def __init__(
        self,
        *,
        null: bool = False,
        device_name: Callable[[], str] = str,
        clock: TimeSource = time.perf_counter,
    ) -> None:
        self._null, self._device_name, self._clock = null, device_name, clock
        self._device: Any = None
        self._played = PlayedFrames(self.rate, clock)
        self._problem = ""

    def start(self, pull: RenderCallback) -> None:
        self.stop()
        library = _library()
        self._problem, self._played = "", PlayedFrames(self.rate, self._clock)
        frames = self._frames(pull, self._played)
        next(frames)
        try:
            self._device = self._open_device(library)
            self._device.stop_callback = self._on_lost
            self._device.start(frames)
        except library.MiniaudioError as reason:
            self.stop()
            _log.info("no audio device: %s", reason)
            raise DeviceError(_NO_DEVICE) from reason

    def stop(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            device.stop_callback = None
            device.close()

    def frames_played(self) -> float:
        return self._played.frames_played()

    def problem(self) -> str:
        if self._device is not None and self._played.seconds_since_request() > _TIMEOUT:
            self._on_lost()
        return self._problem

    def _open_device(self, library: Any) -> Any:
        name, chosen = "" if self._null else self._device_name(), {}
        if name:
            chosen["device_id"] = _devices(library).get(name)
            if chosen["device_id"] is None:
                _log.warning("no audio device %r: the one of the system is used", name)
        return library.PlaybackDevice(
            output_format=library.SampleFormat.FLOAT32,
            nchannels=_CHANNELS,
            sample_rate=self.rate,
            buffersize_msec=PERIOD_MILLISECONDS,
            callback_periods=PERIODS,
            backends=[library.Backend.NULL] if self._null else _backends(library),
            app_name="musicrel",
            **chosen,
        )

    def _frames(
        self, pull: RenderCallback, taken: PlayedFrames
    ) -> Generator[bytes | Samples, int, None]:
        """Yield sound for the frame counts the library's thread sends; never raise."""
        frames = yield b""
        while True:
            taken.record_request(frames)
            try:
                sound = np.ascontiguousarray(pull(frames))
            except Exception:  # noqa: BLE001  # nothing above this thread would catch it
                _log.exception("playback stopped")
                self._problem = FAULT
                return
            frames = yield sound

    def _on_lost(self) -> None:
        lost = tr("the audio device is gone; choose or connect one and press play again")
        self._problem = self._problem or lost


def device_names() -> tuple[str, ...]:
    try:
        return tuple(_devices(_library()))
    except DeviceError:
        return ()


def _devices(library: Any) -> dict[str, Any]:
    """Return the devices by name, without the one that discards all sound.

    JACK is left out: it offers one device only, and miniaudio crashes where no JACK server runs.
    """
    wanted = [backend for backend in _backends(library) if backend != library.Backend.JACK]
    try:
        found = library.Devices(wanted).get_playbacks()
    except library.MiniaudioError as reason:
        _log.info("no audio device: %s", reason)
        return {}
    return {one["name"]: one["id"] for one in found if not one["name"].startswith("Discard")}


def _library() -> Any:
    try:
        return importlib.import_module("miniaudio")
    except (ImportError, OSError) as reason:
        raise DeviceError(_NO_PACKAGE.format(reason=reason)) from reason


def _backends(library: Any) -> list[Any]:
    """List the sound systems to try, without the null device.

    ALSA is excluded on machines without a sound card: it would print many lines of errors.
    """
    unwanted = {library.Backend.NULL, library.Backend.CUSTOM}
    if sys.platform.startswith("linux") and not any(_SOUND_CARDS.glob("pcm*p")):
        unwanted.add(library.Backend.ALSA)
    return [backend for backend in library.Backend if backend not in unwanted]
