"""Devices without hardware and clocks the test turns.

This file knows outputs, ports and clocks; it knows nothing of music.
"""

from __future__ import annotations

import threading

import mido
import numpy as np

from musicrel.playback.audio import DeviceError, Pull
from musicrel.playback.keyboard import NO_KEYBOARD, Hear, Keyboard
from musicrel.playback.midi_port import Clock
from musicrel.score.audio.timbre import Samples

PERIOD = 2880
"""Frames a ``ManualOutput`` takes at once: 60 ms."""


class HandClock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        """Now."""
        return self.seconds


class ManualOutput:
    """An output whose time the test turns.

    Args:
        ahead: frames it holds before they are heard.
        missing: why it cannot be started, empty where it can.
    """

    def __init__(self, *, ahead: int = 0, missing: str = "") -> None:
        self.rate = 48_000
        self.missing = missing
        self.lost = ""
        self.starts = 0
        self.running = False
        self.blocks: list[Samples] = []
        self._ahead = ahead
        self._heard = 0
        self._taken = 0
        self._pull: Pull = lambda frames: np.zeros((frames, 2), dtype=np.float32)

    def start(self, pull: Pull) -> None:
        """Take frames from ``pull`` when turned, or be missing."""
        self.starts += 1
        if self.missing:
            raise DeviceError(self.missing)
        self._pull, self._heard, self._taken, self.running = pull, 0, 0, True
        self._fill()

    def stop(self) -> None:
        """Take no more."""
        self.running = False

    def heard(self) -> float:
        """Frames turned by."""
        return float(self._heard)

    def problem(self) -> str:
        """What the test says."""
        return self.lost

    def turn(self, seconds: float) -> None:
        """Let ``seconds`` pass."""
        self._heard += round(seconds * self.rate)
        self._fill()

    def sound(self) -> Samples:
        """All that was taken, float32 (frames, 2)."""
        return np.concatenate(self.blocks)

    def _fill(self) -> None:
        while self.running and self._taken < self._heard + self._ahead:
            self.blocks.append(self._pull(PERIOD))
            self._taken += PERIOD


class QuickClock(Clock):
    """A clock that jumps over every wait, waking a little late as real ones do.

    Args:
        late: seconds each wait takes longer than asked.
    """

    def __init__(self, late: float = 0.001) -> None:
        self._now = 0.0
        self._late = late

    def now(self) -> float:
        """Seconds; a glance takes ten microseconds."""
        self._now += 1e-5
        return self._now

    def wait(self, woken: threading.Event, seconds: float) -> bool:
        """Pass ``seconds``, unless already woken."""
        if woken.is_set():
            return True
        self._now += seconds + self._late
        return False


class FakePort:
    """A MIDI port that remembers what it was sent and when.

    Args:
        clock: what tells when.
        fails_after: how many messages it takes before it vanishes; None: it never does.
    """

    def __init__(self, clock: QuickClock, fails_after: int | None = None) -> None:
        self.sent: list[tuple[float, mido.Message]] = []
        self.closed = False
        self._clock = clock
        self._fails_after = fails_after

    def send(self, message: mido.Message) -> None:
        """Remember ``message``."""
        if self._fails_after is not None and len(self.sent) >= self._fails_after:
            raise OSError(19, "No such device")
        self.sent.append((self._clock.now(), message))

    def close(self) -> None:
        """Remember that."""
        self.closed = True

    def of(self, *kinds: str) -> list[tuple[float, mido.Message]]:
        """What was sent of these kinds."""
        return [(when, message) for when, message in self.sent if message.type in kinds]


class Hands:
    """A MIDI system whose keyboards the test plugs in and plays on; the one called Gone is taken.

    Attributes:
        names: the keyboards there are.
        opened: the ports that were opened, the last one the last.
        hear: tells the one that was opened last what is played.
    """

    def __init__(self, *names: str) -> None:
        self.names = list(names)
        self.opened: list[FakePort] = []
        self.hear: Hear = lambda _pitch, _begins: None

    def ports(self) -> tuple[list[str], str]:
        """Those there are."""
        return list(self.names), "" if self.names else NO_KEYBOARD

    def open(self, name: str, hear: Hear) -> Keyboard:
        """A keyboard, unless another program has it."""
        if name == "Gone":
            raise DeviceError("the MIDI port Gone does not open")
        self.hear = hear
        self.opened.append(FakePort(QuickClock()))
        return Keyboard(self.opened[-1], name)

    def play(self, output: ManualOutput, pitch: int, seconds: float) -> None:
        """One key, held for so long."""
        self.hear(pitch, True)
        output.turn(seconds)
        self.hear(pitch, False)
