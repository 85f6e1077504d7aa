"""Devices without hardware, and clocks that the test turns."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import mido
import numpy as np
import pytest

from musicrel.errors import FileError
from musicrel.playback.audio import DeviceError, RenderCallback
from musicrel.playback.keyboard import NO_KEYBOARD, Keyboard, NoteCallback
from musicrel.playback.midi_port import Clock
from musicrel.score.audio import soundfont
from musicrel.score.audio.timbre import Samples

PERIOD = 2880
"""Frames that a ``ManualOutput`` requests at once: 60 ms."""


class ManualClock:
    """A clock whose time the test sets."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        """Return the current time in seconds."""
        return self.seconds


class ManualOutput:
    """An output whose time the test turns.

    Args:
        ahead: frames it buffers before they are played.
        missing: the reason why it cannot be started, "" if it can.
    """

    def __init__(self, *, ahead: int = 0, missing: str = "") -> None:
        self.rate = 48_000
        self.missing = missing
        self.lost = ""
        self.starts = 0
        self.running = False
        self.blocks: list[Samples] = []
        self._ahead = ahead
        self._played = 0
        self._taken = 0
        self._pull: RenderCallback = lambda frames: np.zeros((frames, 2), dtype=np.float32)

    def start(self, pull: RenderCallback) -> None:
        """Take frames from ``pull`` when turned, or be missing."""
        self.starts += 1
        if self.missing:
            raise DeviceError(self.missing)
        self._pull, self._played, self._taken, self.running = pull, 0, 0, True
        self._fill()

    def stop(self) -> None:
        """Stop taking frames."""
        self.running = False

    def frames_played(self) -> float:
        """Return the frames turned by."""
        return float(self._played)

    def problem(self) -> str:
        """Return the test's problem."""
        return self.lost

    def advance(self, seconds: float) -> None:
        """Let ``seconds`` pass."""
        self._played += round(seconds * self.rate)
        self._fill()

    def sound(self) -> Samples:
        """Return all frames taken, float32 (frames, 2)."""
        return np.concatenate(self.blocks)

    def _fill(self) -> None:
        while self.running and self._taken < self._played + self._ahead:
            self.blocks.append(self._pull(PERIOD))
            self._taken += PERIOD


class SimulatedClock(Clock):
    """A clock that skips every wait and wakes slightly late, as real clocks do.

    Args:
        late: seconds by which each wait is longer than requested.
    """

    def __init__(self, late: float = 0.001) -> None:
        self._now = 0.0
        self._late = late

    def now(self) -> float:
        """Return the time in seconds; each call takes ten microseconds."""
        self._now += 1e-5
        return self._now

    def wait(self, woken: threading.Event, seconds: float) -> bool:
        """Skip ``seconds``, unless already woken."""
        if woken.is_set():
            return True
        self._now += seconds + self._late
        return False


class FakePort:
    """A MIDI port that records messages with their times.

    Args:
        clock: the clock for the times.
        fails_after: number of messages before it vanishes; None: never.
    """

    def __init__(self, clock: SimulatedClock, fails_after: int | None = None) -> None:
        self.sent: list[tuple[float, mido.Message]] = []
        self.closed = False
        self._clock = clock
        self._fails_after = fails_after

    def send(self, message: mido.Message) -> None:
        """Record ``message``."""
        if self._fails_after is not None and len(self.sent) >= self._fails_after:
            raise OSError(19, "No such device")
        self.sent.append((self._clock.now(), message))

    def close(self) -> None:
        """Record the call."""
        self.closed = True

    def of(self, *kinds: str) -> list[tuple[float, mido.Message]]:
        """Return the messages of these kinds."""
        return [(when, message) for when, message in self.sent if message.type in kinds]


class FakeKeyboards:
    """A MIDI system whose keyboards the test connects and plays; the one named Gone is busy.

    Attributes:
        names: the connected keyboards.
        opened: the ports opened so far, in order.
        on_note: receives the notes played on the keyboard opened last.
    """

    def __init__(self, *names: str) -> None:
        self.names = list(names)
        self.opened: list[FakePort] = []
        self.on_note: NoteCallback = lambda _pitch, _begins: None

    def ports(self) -> tuple[list[str], str]:
        """List the connected keyboards, and the problem if there are none."""
        return list(self.names), "" if self.names else NO_KEYBOARD

    def open(self, name: str, on_note: NoteCallback) -> Keyboard:
        """Open a keyboard.

        Raises:
            DeviceError: another program uses it.
        """
        if name == "Gone":
            raise DeviceError("the MIDI port Gone does not open")
        self.on_note = on_note
        self.opened.append(FakePort(SimulatedClock()))
        return Keyboard(self.opened[-1], name)

    def play(self, output: ManualOutput, pitch: int, seconds: float) -> None:
        """Play one key for ``seconds``."""
        self.on_note(pitch, True)
        output.advance(seconds)
        self.on_note(pitch, False)


def _fluidsynth_problem() -> str:
    try:
        soundfont.check(None)
    except FileError as reason:
        return str(reason)
    return ""


needs_fluidsynth = pytest.mark.skipif(bool(_fluidsynth_problem()), reason=_fluidsynth_problem())
"""Mark of tests that play instruments of a SoundFont."""


class FakeSynth:
    """A FluidSynth that renders silence and records what it is asked for.

    Attributes:
        font: the answer to loading a SoundFont: its number, -1 for a damaged one.
        selected: the answer to selecting a program: 0, -1 for a missing one.
        asked: numbers of samples that were rendered, of all synthesizers.
        loaded: set after the first attempt to load a SoundFont.
    """

    font = 1
    selected = 0
    asked: ClassVar[list[int]] = []
    loaded: ClassVar[threading.Event] = threading.Event()

    def __init__(self, **settings: object) -> None:
        self.settings = settings

    def sfload(self, _path: str) -> int:
        """Load nothing."""
        self.loaded.set()
        return self.font

    def program_select(self, *_values: int) -> int:
        """Select nothing."""
        return self.selected

    def get_samples(self, count: int) -> Samples:
        """Return silence, both channels."""
        self.asked.append(count)
        return np.zeros(2 * count, dtype=np.float32)

    def noteon(self, *_values: int) -> None:
        """Press a key."""

    noteoff = all_sounds_off = noteon

    def delete(self) -> None:
        """Free nothing."""


def install_fake_fluidsynth(patch: pytest.MonkeyPatch, *, font: int = 1, selected: int = 0) -> None:
    """Replace the module fluidsynth by one whose ``Synth`` is a ``FakeSynth``."""
    fake = type("Synth", (FakeSynth,), {"font": font, "selected": selected})
    patch.setattr(FakeSynth, "asked", [])
    patch.setattr(FakeSynth, "loaded", threading.Event())
    patch.setitem(sys.modules, "fluidsynth", SimpleNamespace(Synth=fake))


def write_soundfont_header(path: Path) -> Path:
    """Write a file that looks like an empty SoundFont; return its path."""
    path.write_bytes(b"RIFF" + (4).to_bytes(4, "little") + b"sfbk")
    return path
