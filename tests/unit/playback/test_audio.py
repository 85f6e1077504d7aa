"""Outputs: what has been heard, and what is told when there is no device or it goes away."""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from musicrel.playback import audio
from musicrel.playback.audio import DeviceError, Miniaudio, Silence, Taken
from musicrel.score.audio.timbre import Samples
from tests.helpers.sound import HandClock

RATE = 48_000
PERIOD = 2880


def _silent(frames: int) -> Samples:
    return np.zeros((frames, 2), dtype=np.float32)


def test_all_but_the_first_burst_has_been_heard_when_a_device_asks_again() -> None:
    """Five periods fill its buffer; then one is asked for whenever one was played."""
    clock = HandClock()
    taken = Taken(RATE, clock)
    for _ in range(5):
        taken.take(PERIOD)
        clock.seconds += 0.0005
    assert taken.heard() < 0.01 * RATE

    for period in range(1, 20):
        clock.seconds = 100 + period * 0.06
        taken.take(PERIOD)
        assert taken.heard() == pytest.approx(period * PERIOD, abs=200)


def test_between_two_questions_the_clock_goes_on_but_not_beyond_what_was_taken() -> None:
    """A device that starves stands still."""
    clock = HandClock()
    taken = Taken(RATE, clock)
    taken.take(PERIOD)
    clock.seconds += 0.06
    taken.take(PERIOD)

    clock.seconds += 0.02
    assert taken.heard() == pytest.approx(PERIOD + 0.02 * RATE)
    clock.seconds += 5
    assert taken.heard() == 2 * PERIOD


def test_what_was_heard_never_becomes_less() -> None:
    """A question that comes late does not turn the playhead back."""
    clock = HandClock()
    taken = Taken(RATE, clock)
    told = []
    for gap in (0.0, 0.06, 0.075, 0.045, 0.09, 0.03, 0.06):
        for _ in range(3):
            clock.seconds += gap / 3
            told.append(taken.heard())
        taken.take(PERIOD)

    assert told == sorted(told)


def test_silence_is_a_clock() -> None:
    """From its start on."""
    clock = HandClock()
    silence = Silence(clock, RATE)
    clock.seconds += 3
    silence.start()
    clock.seconds += 0.5

    assert silence.passed() == RATE // 2


class FakeLibrary:
    """Just enough of miniaudio; the device calls when the test says so."""

    Backend = SimpleNamespace(NULL=14, CUSTOM=13, ALSA=8)
    SampleFormat = SimpleNamespace(FLOAT32=5)

    class MiniaudioError(Exception):
        """What the library raises."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.devices: list[FakeDevice] = []

    def PlaybackDevice(self, **settings: Any) -> FakeDevice:  # noqa: N802  # the library's name
        """A device, or the library's error."""
        if self.fails:
            raise self.MiniaudioError("failed to init device", -401)
        self.devices.append(FakeDevice(settings))
        return self.devices[-1]


class FakeDevice:
    """A device the test calls for."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.closed = False
        self.stop_callback: Any = None
        self.frames: Generator[Samples, int, None] | None = None

    def start(self, frames: Generator[Samples, int, None]) -> None:
        """Remember whom to ask."""
        self.frames = frames

    def ask(self, frames: int) -> Samples:
        """Ask as the library does."""
        assert self.frames is not None
        return self.frames.send(frames)

    def close(self) -> None:
        """Remember that."""
        self.closed = True


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> FakeLibrary:
    """The library, replaced; its backends are numbers."""
    fake = FakeLibrary()
    monkeypatch.setattr(audio, "_library", lambda: fake)
    monkeypatch.setattr(audio, "_backends", lambda _library: [8])
    return fake


def test_the_device_gets_what_is_pulled_and_enough_ahead(library: FakeLibrary) -> None:
    """As 32-bit samples for two ears; 300 milliseconds at least are kept ready."""
    output = Miniaudio()
    output.start(lambda frames: np.full((frames, 2), 0.25, dtype=np.float32))

    sound = library.devices[0].ask(480)

    settings = library.devices[0].settings
    assert sound.shape == (480, 2)
    assert (sound == 0.25).all()
    assert sound.flags.c_contiguous
    assert settings["buffersize_msec"] * settings["callback_periods"] >= 300
    assert (settings["nchannels"], settings["sample_rate"]) == (2, RATE)


def test_no_device_is_one_sentence(library: FakeLibrary) -> None:
    """Which says what to do."""
    library.fails = True

    with pytest.raises(
        DeviceError, match="no sound: this computer offers no audio device; connect"
    ):
        Miniaudio().start(_silent)


def test_a_package_that_does_not_load_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the package."""
    monkeypatch.setitem(sys.modules, "miniaudio", None)

    with pytest.raises(DeviceError, match="no sound: the package miniaudio does not load here"):
        Miniaudio().start(_silent)


def test_a_device_that_says_it_stopped_is_told(library: FakeLibrary) -> None:
    """Until the next start."""
    output = Miniaudio()
    output.start(_silent)
    assert output.problem() == ""

    library.devices[0].stop_callback()

    assert "the audio device is gone; choose or connect one" in output.problem()
    output.start(_silent)
    assert output.problem() == ""
    assert library.devices[0].closed


@pytest.mark.usefixtures("library")
def test_a_device_that_no_longer_asks_is_told() -> None:
    """Not every system says that one was unplugged."""
    clock = HandClock()
    output = Miniaudio(clock=clock)
    output.start(_silent)
    clock.seconds += 1.9
    assert output.problem() == ""

    clock.seconds += 0.2

    assert "the audio device is gone" in output.problem()


def test_a_fault_in_what_gives_the_samples_is_told_and_does_not_reach_the_library(
    library: FakeLibrary, caplog: pytest.LogCaptureFixture
) -> None:
    """The library hears that there is no more."""

    def fault(_frames: int) -> Samples:
        raise ZeroDivisionError

    output = Miniaudio()
    output.start(fault)

    with pytest.raises(StopIteration):
        library.devices[0].ask(100)

    assert output.problem() == audio.FAULT
    assert "ZeroDivisionError" in caplog.text


def test_stopping_closes_the_device_and_is_not_a_loss(library: FakeLibrary) -> None:
    """Nor is stopping twice."""
    output = Miniaudio()
    output.stop()
    output.start(_silent)
    output.stop()
    output.stop()

    assert library.devices[0].closed
    assert output.problem() == ""


def test_sound_systems_without_sound_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is ALSA without a card, since it would fill the error stream."""
    library = audio._library()
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(audio, "_SOUND_CARDS", Path("no", "such", "folder"))

    tried = {backend.name for backend in audio._backends(library)}

    assert {"PULSEAUDIO", "WASAPI", "COREAUDIO"} <= tried
    assert not {"NULL", "CUSTOM", "ALSA"} & tried


def test_the_librarys_soundless_device_keeps_time() -> None:
    """In real time: half a second of frames is asked for, and heard as the clock goes."""
    enough = threading.Event()
    asked: list[int] = []

    def pull(frames: int) -> Samples:
        asked.append(frames)
        if sum(asked) > RATE // 2:
            enough.set()
        return _silent(frames)

    output = Miniaudio(null=True)
    output.start(pull)
    try:
        assert enough.wait(10)
        heard = output.heard()
    finally:
        output.stop()

    assert 0.2 * RATE < heard <= sum(asked)
    assert output.problem() == ""
    assert max(asked) <= 2 * PERIOD
