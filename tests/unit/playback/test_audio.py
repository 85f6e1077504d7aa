"""Audio outputs: the frames played, and the reports of missing or lost devices."""

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
from musicrel.playback.audio import DeviceError, MiniaudioOutput, PlayedFrames
from musicrel.score.audio.timbre import Samples
from tests.helpers.sound import ManualClock

RATE = 48_000
PERIOD = 2880


def _silent(frames: int) -> Samples:
    return np.zeros((frames, 2), dtype=np.float32)


def test_at_a_request_all_but_the_first_burst_has_been_played() -> None:
    clock = ManualClock()
    taken = PlayedFrames(RATE, clock)
    for _ in range(5):
        taken.record_request(PERIOD)
        clock.seconds += 0.0005
    assert taken.frames_played() < 0.01 * RATE

    for period in range(1, 20):
        clock.seconds = 100 + period * 0.06
        taken.record_request(PERIOD)
        assert taken.frames_played() == pytest.approx(period * PERIOD, abs=200)


def test_between_requests_the_clock_interpolates_up_to_the_frames_taken() -> None:
    clock = ManualClock()
    taken = PlayedFrames(RATE, clock)
    taken.record_request(PERIOD)
    clock.seconds += 0.06
    taken.record_request(PERIOD)

    clock.seconds += 0.02
    assert taken.frames_played() == pytest.approx(PERIOD + 0.02 * RATE)
    clock.seconds += 5
    assert taken.frames_played() == 2 * PERIOD


def test_frames_played_never_decrease() -> None:
    clock = ManualClock()
    taken = PlayedFrames(RATE, clock)
    counts = []
    for gap in (0.0, 0.06, 0.075, 0.045, 0.09, 0.03, 0.06):
        for _ in range(3):
            clock.seconds += gap / 3
            counts.append(taken.frames_played())
        taken.record_request(PERIOD)

    assert counts == sorted(counts)


class FakeLibrary:
    """A minimal miniaudio; the device pulls on command of the test."""

    Backend = SimpleNamespace(NULL=14, CUSTOM=13, ALSA=8, JACK=7)
    SampleFormat = SimpleNamespace(FLOAT32=5)

    class MiniaudioError(Exception):
        """The error of the library."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.devices: list[FakeDevice] = []

    def Devices(self, backends: list[int]) -> SimpleNamespace:  # noqa: N802
        assert self.Backend.JACK not in backends
        names = ("Discard all samples (playback)", "Speakers", "Headphones")
        found = [{"name": name, "id": f"id of {name}"} for name in names]
        return SimpleNamespace(get_playbacks=lambda: found)

    def PlaybackDevice(self, **settings: Any) -> FakeDevice:  # noqa: N802  # the library's name
        if self.fails:
            raise self.MiniaudioError("failed to init device", -401)
        self.devices.append(FakeDevice(settings))
        return self.devices[-1]


class FakeDevice:
    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.closed = False
        self.stop_callback: Any = None
        self.frames: Generator[Samples, int, None] | None = None

    def start(self, frames: Generator[Samples, int, None]) -> None:
        self.frames = frames

    def ask(self, frames: int) -> Samples:
        assert self.frames is not None
        return self.frames.send(frames)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> FakeLibrary:
    """Replace the library; its backends are numbers."""
    fake = FakeLibrary()
    monkeypatch.setattr(audio, "_library", lambda: fake)
    monkeypatch.setattr(audio, "_backends", lambda _library: [8])
    return fake


def test_the_device_gets_what_is_pulled_and_enough_ahead(library: FakeLibrary) -> None:
    output = MiniaudioOutput()
    output.start(lambda frames: np.full((frames, 2), 0.25, dtype=np.float32))

    sound = library.devices[0].ask(480)

    settings = library.devices[0].settings
    assert sound.shape == (480, 2)
    assert (sound == 0.25).all()
    assert sound.flags.c_contiguous
    assert settings["buffersize_msec"] * settings["callback_periods"] >= 300
    assert (settings["nchannels"], settings["sample_rate"]) == (2, RATE)


def test_no_device_is_one_sentence(library: FakeLibrary) -> None:
    library.fails = True
    with pytest.raises(
        DeviceError, match="no sound: this computer offers no audio device; connect"
    ):
        MiniaudioOutput().start(_silent)


def test_a_package_that_does_not_load_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "miniaudio", None)
    with pytest.raises(DeviceError, match="no sound: the package miniaudio cannot be imported"):
        MiniaudioOutput().start(_silent)


def test_a_device_that_stops_is_reported(library: FakeLibrary) -> None:
    output = MiniaudioOutput()
    output.start(_silent)
    assert output.problem() == ""

    library.devices[0].stop_callback()

    assert "the audio device is gone; choose or connect one" in output.problem()
    output.start(_silent)
    assert output.problem() == ""
    assert library.devices[0].closed


@pytest.mark.usefixtures("library")
def test_a_device_without_requests_is_reported() -> None:
    clock = ManualClock()
    output = MiniaudioOutput(clock=clock)
    output.start(_silent)
    clock.seconds += 1.9
    assert output.problem() == ""

    clock.seconds += 0.2

    assert "the audio device is gone" in output.problem()


def test_an_error_in_the_callback_is_reported_and_does_not_reach_the_library(
    library: FakeLibrary, caplog: pytest.LogCaptureFixture
) -> None:
    def fault(_frames: int) -> Samples:
        raise ZeroDivisionError

    output = MiniaudioOutput()
    output.start(fault)

    with pytest.raises(StopIteration):
        library.devices[0].ask(100)

    assert output.problem() == audio.FAULT
    assert "ZeroDivisionError" in caplog.text


def test_stopping_closes_the_device_and_is_not_a_loss(library: FakeLibrary) -> None:
    output = MiniaudioOutput()
    output.stop()
    output.start(_silent)
    output.stop()
    output.stop()

    assert library.devices[0].closed
    assert output.problem() == ""


def test_sound_systems_without_sound_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """ALSA without a card is excluded too, since it would fill the error stream."""
    library = audio._library()
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(audio, "_SOUND_CARDS", Path("no", "such", "folder"))

    tried = {backend.name for backend in audio._backends(library)}

    assert {"PULSEAUDIO", "WASAPI", "COREAUDIO"} <= tried
    assert not {"NULL", "CUSTOM", "ALSA"} & tried


def test_the_null_device_keeps_time() -> None:
    """In real time: half a second of frames is requested, and played by the clock."""
    enough = threading.Event()
    asked: list[int] = []

    def pull(frames: int) -> Samples:
        asked.append(frames)
        if sum(asked) > RATE // 2:
            enough.set()
        return _silent(frames)

    output = MiniaudioOutput(null=True)
    output.start(pull)
    try:
        assert enough.wait(10)
        frames_played = output.frames_played()
    finally:
        output.stop()

    assert 0.2 * RATE < frames_played <= sum(asked)
    assert output.problem() == ""
    assert max(asked) <= 2 * PERIOD


@pytest.mark.usefixtures("library")
def test_devices_are_listed_without_the_one_that_discards_sound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(audio, "_backends", lambda _library: [7, 8])
    assert audio.device_names() == ("Speakers", "Headphones")

    def missing() -> Any:
        raise DeviceError("no library")

    monkeypatch.setattr(audio, "_library", missing)
    assert audio.device_names() == ()


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Headphones", {"device_id": "id of Headphones"}), ("", {}), ("Gone", {"device_id": None})],
)
def test_the_chosen_device_is_opened(
    name: str, expected: dict[str, object], library: FakeLibrary
) -> None:
    MiniaudioOutput(device_name=lambda: name).start(_silent)

    settings = library.devices[0].settings
    assert {key: settings[key] for key in settings if key == "device_id"} == expected
