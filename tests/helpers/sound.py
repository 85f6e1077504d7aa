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

from musicrel.chorale import Chorale
from musicrel.errors import FileError
from musicrel.playback.audio import DeviceError, MiniaudioOutput, RenderCallback
from musicrel.playback.midi_port import Clock
from musicrel.playback.recorder import NO_KEYBOARD, NoteCallback
from musicrel.score.audio import soundfont
from musicrel.score.audio.mixer import Mix
from musicrel.score.audio.synth import blocks
from musicrel.score.audio.timbre import Samples
from musicrel.score.performance import Style

PERIOD = 2880
"""Frames that a ``ManualOutput`` requests at once: 60 ms."""


class ManualClock:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


class ManualOutput(MiniaudioOutput):
    """An output whose time the test turns."""

    def __init__(self, *, ahead: int = 0, missing: str = "") -> None:
        self.missing = missing  # the reason why it cannot be started, "" if it can
        self.lost = ""
        self.starts = 0
        self.running = False
        self.blocks: list[Samples] = []
        self._ahead = ahead  # frames it buffers before they are played
        self._played_frames = 0
        self._taken = 0
        self._pull: RenderCallback = lambda frames: np.zeros((frames, 2), dtype=np.float32)

    def start(self, pull: RenderCallback) -> None:
        self.starts += 1
        if self.missing:
            raise DeviceError(self.missing)
        self._pull, self._played_frames, self._taken, self.running = pull, 0, 0, True
        self._fill()

    def stop(self) -> None:
        self.running = False

    def frames_played(self) -> float:
        return float(self._played_frames)

    def problem(self) -> str:
        return self.lost

    def advance(self, seconds: float) -> None:
        self._played_frames += round(seconds * self.rate)
        self._fill()

    def sound(self) -> Samples:
        return np.concatenate(self.blocks)

    def _fill(self) -> None:
        while self.running and self._taken < self._played_frames + self._ahead:
            self.blocks.append(self._pull(PERIOD))
            self._taken += PERIOD


class SimulatedClock(Clock):
    """A clock that skips every wait and wakes slightly late, as real clocks do."""

    def __init__(self, late: float = 0.001) -> None:
        self._now = 0.0
        self._late = late  # seconds by which each wait is longer than requested

    def now(self) -> float:
        """Return the time in seconds; each call takes ten microseconds."""
        self._now += 1e-5
        return self._now

    def wait(self, woken: threading.Event, seconds: float) -> bool:
        if woken.is_set():
            return True
        self._now += seconds + self._late
        return False


class FakePort:
    """A MIDI port that records messages with their times."""

    def __init__(self, clock: SimulatedClock, fails_after: int | None = None) -> None:
        self.sent: list[tuple[float, mido.Message]] = []
        self.closed = False
        self._clock = clock
        self._fails_after = fails_after  # messages before it vanishes; None: never

    def send(self, message: mido.Message) -> None:
        if self._fails_after is not None and len(self.sent) >= self._fails_after:
            raise OSError(19, "No such device")
        self.sent.append((self._clock.now(), message))

    def close(self) -> None:
        self.closed = True

    def of(self, *kinds: str) -> list[tuple[float, mido.Message]]:
        return [(when, message) for when, message in self.sent if message.type in kinds]


class FakeKeyboards:
    """A MIDI system whose keyboards the test connects and plays; the one named Gone is busy."""

    def __init__(self, *names: str) -> None:
        self.names = list(names)
        self.opened: list[FakePort] = []
        self.on_note: NoteCallback = lambda _pitch, _begins: None

    def ports(self) -> tuple[list[str], str]:
        return list(self.names), "" if self.names else NO_KEYBOARD

    def open(self, name: str, on_note: NoteCallback) -> FakePort:
        if name == "Gone":
            raise DeviceError("the MIDI port Gone does not open")
        self.on_note = on_note
        self.opened.append(FakePort(SimulatedClock()))
        return self.opened[-1]

    def play(self, output: ManualOutput, pitch: int, seconds: float) -> None:
        self.on_note(pitch, True)
        output.advance(seconds)
        self.on_note(pitch, False)


def render(chorale: Chorale, mix: Mix | None = None, *, style: Style | None = None) -> Samples:
    """Render all of a piece, float32 (frames, 2)."""
    return np.concatenate(list(blocks(chorale, mix, style=style)))


def _fluidsynth_problem() -> str:
    try:
        soundfont.check(None)
    except FileError as reason:
        return str(reason)
    return ""


needs_fluidsynth = pytest.mark.skipif(bool(_fluidsynth_problem()), reason=_fluidsynth_problem())
"""Mark of tests that play instruments of a SoundFont."""


class FakeSynth:
    """A FluidSynth that renders silence and records what it is asked for."""

    font = 1  # the answer to loading a SoundFont: its number, -1 for a damaged one
    selected = 0  # the answer to selecting a program: 0, -1 for a missing one
    asked: ClassVar[list[int]] = []
    loaded: ClassVar[threading.Event] = threading.Event()

    def __init__(self, **settings: object) -> None:
        self.settings = settings

    def sfload(self, _path: str) -> int:
        self.loaded.set()
        return self.font

    def program_select(self, *_values: int) -> int:
        return self.selected

    def get_samples(self, count: int) -> Samples:
        self.asked.append(count)
        return np.zeros(2 * count, dtype=np.float32)

    def noteon(self, *_values: int) -> None:
        """Do nothing."""

    noteoff = all_sounds_off = delete = noteon


def install_fake_fluidsynth(patch: pytest.MonkeyPatch, *, font: int = 1, selected: int = 0) -> None:
    fake = type("Synth", (FakeSynth,), {"font": font, "selected": selected})
    patch.setattr(FakeSynth, "asked", [])
    patch.setattr(FakeSynth, "loaded", threading.Event())
    patch.setitem(sys.modules, "fluidsynth", SimpleNamespace(Synth=fake))


def write_soundfont_header(path: Path) -> Path:
    """Write a file that looks like an empty SoundFont; return its path."""
    path.write_bytes(b"RIFF" + (4).to_bytes(4, "little") + b"sfbk")
    return path
