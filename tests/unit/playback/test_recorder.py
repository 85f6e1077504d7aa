"""Keyboard, click and take together, without hardware."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import mido
import numpy as np
import pytest

from musicrel.chorale import REST, Key, Meter, Voice
from musicrel.errors import DataError
from musicrel.playback.audio import DeviceError
from musicrel.playback.recorder import (
    NO_KEYBOARD,
    Click,
    Kind,
    Recorder,
    Take,
    TakeSettings,
    open_keyboard,
    ports,
)
from tests.helpers.sound import FakeKeyboards, ManualClock, ManualOutput

ASKED = TakeSettings(
    kind="melody", voice=Voice.SOPRANO, meter=Meter(), tempo=120, key=Key("C", "major")
)
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
    assert (recorder.take, recorder.step) == (None, 0.0)


def test_an_armed_keyboard_can_be_tried(recorder: Recorder, hands: FakeKeyboards) -> None:
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
    recorder.arm("Piano")
    with pytest.raises(DeviceError, match="does not open"):
        recorder.arm("Gone")
    assert recorder.armed == ""
    assert hands.opened[0].closed


def test_without_a_device_time_goes_on_silently(output: ManualOutput, hands: FakeKeyboards) -> None:
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


def test_keyboards_are_found_and_opened_by_name_and_only_notes_are_forwarded(
    system: SimpleNamespace,
) -> None:
    notes: list[tuple[int, bool]] = []

    assert ports() == (["Piano", "Synth"], "")
    one = open_keyboard("Piano", lambda pitch, pressed: notes.append((pitch, pressed)))
    for message in (
        mido.Message("note_on", note=60, velocity=64, channel=3),
        mido.Message("note_on", note=60, velocity=0),
        mido.Message("note_off", note=61, velocity=64),
        mido.Message("note_on", note=35, velocity=64, channel=9),
        mido.Message("control_change", control=64, value=127),
        mido.Message("pitchwheel", pitch=100),
    ):
        system.callbacks[-1](message)
    one.close()
    assert notes == [(60, True), (60, False), (61, False)]
    with pytest.raises(DeviceError, match=r"the MIDI port Organ does not open \(unknown port"):
        open_keyboard("Organ", print)
    system.names.insert(0, "Midi Through:Midi Through Port-0 14:0")
    assert ports()[0] == ["Piano", "Synth", "Midi Through:Midi Through Port-0 14:0"]
    system.names.clear()
    assert ports() == ([], NO_KEYBOARD)


BAR = 16
"""Steps that are counted in."""


def take(kind: Kind = "melody", meter: Meter | None = None, voice: Voice = Voice.SOPRANO) -> Take:
    return Take(replace(ASKED, kind=kind, voice=voice, meter=meter or Meter(), tempo=80))


def play(into: Take, *notes: tuple[float, float, int], counted: int = BAR) -> None:
    keys = [(start, True, pitch) for start, _, pitch in notes]
    keys += [(start + long, False, pitch) for start, long, pitch in notes]
    for step, pressed, pitch in sorted(keys):
        into.record(step + counted, pitch, pressed=pressed)


def test_a_melody_begins_with_the_bar_after_the_count_in() -> None:
    one = take()
    play(one, (-0.2, 3.5, 60), (4.2, 3.2, 62), (7.9, 4.6, 64), (12.1, 3.9, 65))

    read = one.reading(40)

    piece = read.chorale
    assert read.report == ()
    assert piece.pitches[:, 0].tolist() == [60] * 4 + [62] * 4 + [64] * 4 + [65] * 4
    assert (piece.pitches[:, 1:] == REST).all()
    assert (piece.pickup, piece.tempo, piece.key) == (0, 80, Key("C", "major"))
    assert piece.title == "Played melody"


def test_what_is_played_while_it_is_counted_in_is_the_pickup() -> None:
    one = take()
    play(one, (-4.1, 4, 67), (0, 8, 72))

    piece = one.reading(30).chorale

    assert piece.pickup == 4
    assert piece.pitches[:, 0].tolist() == [67] * 4 + [72] * 8


def test_the_bars_in_which_notes_were_moved_are_named() -> None:
    one = take()
    third = 8 / 3
    play(one, (0, 16, 60), *((BAR + n * third, third, 62 + n) for n in range(3)))

    read = one.reading(60)

    assert read.report == ("notes off the sixteenth-note grid (triplets?) were quantised in bar 2",)
    assert read.chorale.onsets[:, 0].sum() == 4


def test_a_rest_stays_one_and_a_touch_is_none() -> None:
    one = take()
    play(one, (0, 3, 60), (4, 2, 60), (8, 4, 64))

    piece = one.reading(40).chorale

    assert piece.pitches[:, 0].tolist() == [60] * 6 + [REST] * 2 + [64] * 4
    assert piece.onsets[:, 0].nonzero()[0].tolist() == [0, 4, 8]


def test_a_key_that_is_held_sounds_until_now() -> None:
    one = take()
    one.record(BAR, 60, pressed=True)
    assert one.reading(BAR + 3.0).chorale.steps == 3
    assert one.reading(BAR + 7.9).chorale.steps == 8


def test_chords_become_four_voices() -> None:
    one = take("chords")
    play(one, (0, 4, 48), (0.1, 4, 64), (0.2, 4, 67), (0.1, 4, 72))
    play(one, (4, 4, 50), (4.1, 4, 65), (4, 4, 69), (4.1, 4, 74))

    read = one.reading(30)

    piece = read.chorale
    assert read.report == ()  # that one line is four voices is what was asked for
    assert piece.pitches[0].tolist() == [72, 67, 64, 48]
    assert piece.pitches[5].tolist() == [74, 69, 65, 50]
    assert piece.title == "Played chords"


def test_nothing_played_is_a_sentence() -> None:
    with pytest.raises(DataError, match="it has no notes: expected a melody"):
        take().reading(99)
    with pytest.raises(DataError, match="it has no notes"):
        take("chords").reading(99)


@pytest.mark.parametrize(
    ("meter", "step", "place"),
    [
        (Meter(), 0.0, (0, 1)), (Meter(), 15.9, (0, 4)), (Meter(), 16.0, (1, 1)),
        (Meter(3, 4), 12 + 12 + 4, (2, 2)), (Meter(6, 8), 12 + 10, (1, 6)),
    ],
)  # fmt: skip
def test_bars_are_counted_from_the_count_in(
    meter: Meter, step: float, place: tuple[int, int]
) -> None:
    assert take(meter=meter).bar_and_beat(step) == place


@pytest.mark.parametrize("overlap", [0.1, 0.4, 1.0])
def test_repeated_notes_may_overlap(overlap: float) -> None:
    one = take()
    play(one, *((4.0 * beat, 4 + overlap, 67) for beat in range(3)), (12, 4, 69))

    piece = one.reading(BAR + 16).chorale

    assert piece.pitches[:, 0].tolist() == [67] * 12 + [69] * 4
    assert piece.onsets[:, 0].nonzero()[0].tolist() == [0, 4, 8, 12]
