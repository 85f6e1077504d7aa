"""Where sound goes: an audio device that takes samples when it wants them, or a bare clock.

An output asks for samples through ``Pull`` in a thread of its own and tells how many of them have
been heard; nothing else in the program knows the time. This file knows devices and frames (one
sample for each ear); it knows nothing of music.
"""

from __future__ import annotations

import importlib
import logging
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from musicrel.errors import MusicrelError
from musicrel.score.audio.timbre import Samples

Pull = Callable[[int], Samples]
"""Asked for so many frames, gives float32 (frames, 2); called in the output's own thread."""
Seconds = Callable[[], float]
"""A clock that never goes back."""

USUAL_RATE: Final = 48_000
PERIOD_MILLISECONDS: Final = 60
PERIODS: Final = 5
"""The device holds this many periods ready: 300 ms in which Python may be busy elsewhere."""

FAULT: Final = "the sound stopped by a fault of the program; press play again"

_EARS: Final = 2
_SILENT_FOR: Final = 2.0
"""Seconds without a question after which a device is gone; miniaudio does not always say."""
_SOUND_CARDS: Final = Path("/dev/snd")
_NO_DEVICE: Final = (
    "no sound: this computer offers no audio device; connect one and press play again"
)
_LOST: Final = "the audio device is gone; choose or connect one and press play again"
_log = logging.getLogger(__name__)


class DeviceError(MusicrelError):
    """A device for sound or MIDI is missing, busy or gone."""


class Output(Protocol):
    """Takes frames and tells how many were heard."""

    @property
    def rate(self) -> int:
        """Frames a second."""
        ...

    def start(self, pull: Pull) -> None:
        """Begin to take frames; ``heard`` begins at 0.

        Raises:
            DeviceError: there is no device, or it cannot be used.
        """
        ...

    def stop(self) -> None:
        """Take no more; also without a start."""
        ...

    def heard(self) -> float:
        """Frames heard since the start, never more than were taken, never fewer than before."""
        ...

    def problem(self) -> str:
        """What went wrong since the start, in one sentence; empty where all is well."""
        ...


class Silence:
    """A clock where there is no output: frames go by unheard.

    Args:
        clock: seconds.
        rate: frames a second.
    """

    def __init__(self, clock: Seconds, rate: int) -> None:
        self._clock = clock
        self._rate = rate
        self._began = clock()

    def start(self) -> None:
        """Count from 0."""
        self._began = self._clock()

    def passed(self) -> int:
        """Frames that have gone by since the start."""
        return int((self._clock() - self._began) * self._rate)


class Taken:
    """Tells from when a device asked, and for how much, what of it has been heard.

    A device fills its buffer in one burst and then asks for as much as it has played. So at each
    later question all but that burst has been heard, and from there the clock goes on until the
    next one. Nothing is guessed: not the delay of cables, not the size of the buffer.
    Written by the device's thread, read by any.

    Args:
        rate: frames a second.
        clock: seconds.
    """

    def __init__(self, rate: int, clock: Seconds) -> None:
        self._rate = rate
        self._clock = clock
        self._burst = 0
        self._filling = True
        self._last = (0, clock())
        self._told = 0.0

    def take(self, frames: int) -> None:
        """Note that the device asks for ``frames`` now."""
        taken, before = self._last
        now = self._clock()
        if self._filling and taken and (now - before) * self._rate > frames / 2:
            self._filling = False
        if self._filling:
            self._burst += frames
        self._last = (taken + frames, now)

    def heard(self) -> float:
        """Frames heard by now."""
        taken, asked = self._last
        since = (self._clock() - asked) * self._rate
        self._told = max(self._told, min(taken - self._burst + since, float(taken)))
        return self._told

    def silent_for(self) -> float:
        """Seconds since the last question, or since the start."""
        return self._clock() - self._last[1]


class Miniaudio:
    """The default audio device of this computer, by way of the miniaudio library.

    Opened anew at each start, so that it is the device the user has chosen by then.

    Args:
        rate: frames a second; the library converts them where the device has another rate.
        null: use the library's device without a sound, which keeps time like a real one.
        clock: seconds.
    """

    def __init__(
        self,
        rate: int = USUAL_RATE,
        *,
        null: bool = False,
        clock: Seconds = time.perf_counter,
    ) -> None:
        self.rate: Final = rate
        self._null = null
        self._clock = clock
        self._device: Any = None
        self._taken = Taken(rate, clock)
        self._trouble = ""

    def start(self, pull: Pull) -> None:
        """Open the device and let it call ``pull``.

        Raises:
            DeviceError: there is none, or it cannot be used.
        """
        self.stop()
        library = _library()
        self._trouble, self._taken = "", Taken(self.rate, self._clock)
        frames = self._frames(pull, self._taken)
        next(frames)
        try:
            self._device = self._opened(library)
            self._device.stop_callback = self._lost
            self._device.start(frames)
        except library.MiniaudioError as reason:
            self.stop()
            _log.info("no audio device: %s", reason)
            raise DeviceError(_NO_DEVICE) from reason

    def stop(self) -> None:
        """Close the device."""
        device, self._device = self._device, None
        if device is not None:
            device.stop_callback = None
            device.close()

    def heard(self) -> float:
        """Frames heard since the start."""
        return self._taken.heard()

    def problem(self) -> str:
        """Whether the device is gone, or what gives it samples has failed."""
        if self._device is not None and self._taken.silent_for() > _SILENT_FOR:
            self._lost()
        return self._trouble

    def _opened(self, library: Any) -> Any:
        return library.PlaybackDevice(
            output_format=library.SampleFormat.FLOAT32,
            nchannels=_EARS,
            sample_rate=self.rate,
            buffersize_msec=PERIOD_MILLISECONDS,
            callback_periods=PERIODS,
            backends=[library.Backend.NULL] if self._null else _backends(library),
            app_name="musicrel",
        )

    def _frames(self, pull: Pull, taken: Taken) -> Generator[bytes | Samples, int, None]:
        """What the library's thread sends frame counts to; it must not raise."""
        wanted = yield b""
        while True:
            taken.take(wanted)
            try:
                sound = np.ascontiguousarray(pull(wanted))
            except Exception:  # noqa: BLE001  # nobody is above this thread
                _log.exception("the sound stopped")
                self._trouble = FAULT
                return
            wanted = yield sound

    def _lost(self) -> None:
        self._trouble = self._trouble or _LOST


def _library() -> Any:
    """miniaudio, loaded when it is needed.

    Raises:
        DeviceError: it is not installed, or does not run here.
    """
    try:
        return importlib.import_module("miniaudio")
    except (ImportError, OSError) as reason:
        raise DeviceError(
            f"no sound: the package miniaudio does not load here ({reason}); install it anew"
        ) from reason


def _backends(library: Any) -> list[Any]:
    """The sound systems to try, the soundless one not among them.

    ALSA complains on the error stream, many lines long, where it has no card; it is asked only
    where it has one.
    """
    unwanted = {library.Backend.NULL, library.Backend.CUSTOM}
    if sys.platform.startswith("linux") and not any(_SOUND_CARDS.glob("pcm*p")):
        unwanted.add(library.Backend.ALSA)
    return [backend for backend in library.Backend if backend not in unwanted]
