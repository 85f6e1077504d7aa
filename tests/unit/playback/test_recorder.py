"""Keyboard, click and take together, without hardware."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mido
import numpy as np
import pytest

from musicrel.chorale import Meter, Voice
from musicrel.playback import keyboard, midi_system
from musicrel.playback.audio import DeviceError
from musicrel.playback.click import Click
from musicrel.playback.keyboard import NO_KEYBOARD
from musicrel.playback.recorder import Recorder, TakeSettings
from tests.helpers.sound import FakeKeyboards, FakePort, ManualClock, ManualOutput, SimulatedClock

ASKED = TakeSettings(kind="melody", voice=Voice.SOPRANO, meter=Meter(), tempo=120)
SIXTEENTH = 0.125
"""Seconds at 120 quarters a minute."""


@pytest.fixture
def output() -> ManualOutput:
    return ManualOutput()


@pytest.fixture
def hands() -> FakeKeyboards:
    return FakeKeyboards()


@pytest.fixture
def recorder(output: ManualOutput, hands: FakeKeyboards) -> Recorder:
    return Recorder(output, ports=hands.ports, open_keyboard=hands.open, clock=ManualClock())


def test_recorded_notes_are_in_time_with_the_click(
    recorder: Recorder, output: ManualOutput, hands: FakeKeyboards
) -> None:
    """The first note falls on the first beat after one bar, the second a quarter later."""
    recorder.arm("Piano")
    take = recorder.begin(ASKED)
    output.advance(16 * SIXTEENTH)
    hands.on_note(60, True)
    output.advance(4 * SIXTEENTH)
    hands.on_note(60, False)
    hands.on_note(62, True)
    output.advance(4 * SIXTEENTH)

    assert recorder.step == pytest.approx(24)
    assert take.reading(recorder.step).chorale.pitches[:, 0].tolist() == [60] * 4 + [62] * 4
    recorder.stop()
    assert not output.running
    assert (recorder.running, recorder.step) == (False, 0.0)


def test_an_armed_keyboard_can_be_tried(recorder: Recorder, hands: FakeKeyboards) -> None:
    """Before a take; arming another one closes the first, arming the same keeps it open."""
    recorder.arm("Piano")
    hands.on_note(64, True)
    last_pitches = [recorder.last]
    recorder.arm("Piano")
    recorder.arm("Organ")
    last_pitches.append(recorder.last)
    assert last_pitches == [64, None]
    assert [port.closed for port in hands.opened] == [True, False]
    assert recorder.armed == "Organ"
    recorder.close()
    assert all(port.closed for port in hands.opened)
    assert recorder.armed == ""


def test_a_keyboard_that_does_not_open_leaves_none(
    recorder: Recorder, hands: FakeKeyboards
) -> None:
    """The one before is closed."""
    recorder.arm("Piano")
    with pytest.raises(DeviceError, match="does not open"):
        recorder.arm("Gone")
    assert recorder.armed == ""
    assert hands.opened[0].closed


def test_without_a_device_time_goes_on_silently(output: ManualOutput, hands: FakeKeyboards) -> None:
    """The problem is reported."""
    clock = ManualClock()
    output.missing = "no sound: there is no device"
    recorder = Recorder(output, open_keyboard=hands.open, clock=clock)
    recorder.begin(ASKED)
    clock.seconds += 2
    assert recorder.step == pytest.approx(16)
    assert recorder.problem == "no sound: there is no device"


def test_a_device_that_is_lost_does_not_stop_the_time(
    output: ManualOutput, hands: FakeKeyboards
) -> None:
    """It continues from the last frame."""
    clock = ManualClock()
    recorder = Recorder(output, open_keyboard=hands.open, clock=clock)
    recorder.begin(ASKED)
    output.advance(2)
    output.lost = "the audio device is gone"
    assert recorder.step == pytest.approx(16)
    clock.seconds += 1
    assert recorder.step == pytest.approx(24)
    assert recorder.problem == "the audio device is gone"


@pytest.mark.parametrize(
    ("meter", "quarters", "beats"),
    [(Meter(), 1.0, 4), (Meter(3, 4), 1.0, 3), (Meter(6, 8), 1.5, 2), (Meter(3, 2), 2.0, 3)],
)
def test_there_is_a_click_on_every_beat_and_the_first_is_higher(
    meter: Meter, quarters: float, beats: int
) -> None:
    """For any block size; at a tempo whose beats are no whole frames."""
    output = ManualOutput()
    click = Click(output, meter, 97, ManualClock())
    sound = np.concatenate([click.read(size) for size in (1, 7, 480, 2880, 96_000, 96_000)])[:, 0]

    beat = 48_000 * 60 / 97 * quarters
    starts = [round(number * beat) for number in range(int(len(sound) / beat))]
    heights = [_hertz(sound[start : start + 600]) for start in starts]
    high = [number % beats == 0 for number in range(len(starts))]
    assert all(sound[start : start + 600].any() for start in starts)
    assert [height > 1300 for height in heights] == high
    between = sound[starts[0] + 2400 : starts[1]]
    assert not between.any()
    assert np.abs(sound).max() < 0.5


def _hertz(sound: Any) -> float:
    return float(np.abs(np.fft.rfft(sound, 48_000)).argmax())


def test_only_notes_are_forwarded() -> None:
    """Velocity 0 ends a note; drums, pedals and wheels are ignored."""
    notes: list[tuple[int, bool]] = []
    receive = keyboard.listener(lambda pitch, pressed: notes.append((pitch, pressed)))
    for message in (
        mido.Message("note_on", note=60, velocity=64, channel=3),
        mido.Message("note_on", note=60, velocity=0),
        mido.Message("note_off", note=61, velocity=64),
        mido.Message("note_on", note=35, velocity=64, channel=9),
        mido.Message("control_change", control=64, value=127),
        mido.Message("pitchwheel", pitch=100),
    ):
        receive(message)
    assert notes == [(60, True), (60, False), (61, False)]


def test_keyboards_are_found_and_opened_by_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each once; without any, a sentence advises what to do."""
    names = ["Piano", "Pads", "Piano"]
    opened: dict[str, Any] = {}

    def open_input(name: str, callback: Any) -> FakePort:
        if name not in names:
            raise OSError(f"unknown port {name!r}")
        opened[name] = callback
        return FakePort(SimulatedClock())

    system = SimpleNamespace(get_input_names=lambda: names, open_input=open_input)
    monkeypatch.setattr(midi_system, "_SEQUENCER", tmp_path)
    monkeypatch.setattr(mido, "Backend", lambda _name: system)
    monkeypatch.setitem(sys.modules, "rtmidi", SimpleNamespace())
    last_pitches: list[int] = []

    assert keyboard.ports() == (["Piano", "Pads"], "")
    one = keyboard.open_keyboard("Piano", lambda pitch, _begins: last_pitches.append(pitch))
    opened["Piano"](mido.Message("note_on", note=60, velocity=64))
    one.close()
    assert last_pitches == [60]
    with pytest.raises(DeviceError, match=r"the MIDI port Organ does not open \(unknown port"):
        keyboard.open_keyboard("Organ", print)
    names.clear()
    assert keyboard.ports() == ([], NO_KEYBOARD)
