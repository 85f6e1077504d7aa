"""MIDI ports: timing, notes that always end, and the reports of missing ports."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import Chorale, Voice
from musicrel.playback import midi_port
from musicrel.playback.audio import DeviceError
from musicrel.playback.midi_port import (
    NO_PORT,
    NO_SYSTEM,
    NOT_INSTALLED,
    Click,
    Event,
    MidiPort,
    events,
)
from musicrel.score.audio.metronome import Clicks, Metronome
from musicrel.score.audio.mixer import Mix, Strip
from musicrel.score.instruments import Sounds
from musicrel.score.performance import Performance, Style, perform
from tests.helpers.music import minuet, random_chorale
from tests.helpers.sound import FakePort, SimulatedClock

LEAD = 0.01
"""Seconds before the first note."""


def _played(port: MidiPort) -> None:
    assert port._thread is not None
    port._thread.join(20)
    assert not port._thread.is_alive()


def _play(out: MidiPort, piece: Chorale, mix: Mix | None = None) -> None:
    out.play(perform(piece), 0.0, None, mix or Mix())
    _played(out)


def _opened(**of_port: Any) -> tuple[FakePort, MidiPort]:
    clock = SimulatedClock()
    port = FakePort(clock, **of_port)
    return port, MidiPort(port, "Piano", clock=clock)


def _left_sounding(port: FakePort) -> set[tuple[int, int]]:
    sounding: set[tuple[int, int]] = set()
    for _when, message in port.sent:
        if message.type == "note_on":
            sounding.add((message.channel, message.note))
        elif message.type == "note_off":
            sounding.discard((message.channel, message.note))
    return sounding


def _is_silenced(port: FakePort) -> bool:
    last = [message for _when, message in port.sent[-4:]]
    return [(message.type, message.channel, message.control) for message in last] == [
        ("control_change", channel, 123) for channel in range(4)
    ]


def test_messages_are_sent_at_their_deadlines_and_no_delay_adds_up() -> None:
    clock = SimulatedClock(late=0.001)
    port = FakePort(clock)
    performance = perform(random_chorale(1, steps=1200))
    out = MidiPort(port, "fake", clock=clock)
    origin = clock.now()

    out.play(performance, 0.0, None, Mix())
    _played(out)

    due = [event.seconds + origin + LEAD for event in events(performance, 0.0, None)]
    sent = [when for when, _message in port.of("note_on", "note_off")]
    assert len(sent) == len(due)
    late = np.array(sent) - np.array(due)
    assert np.percentile(np.abs(late), 99) < 0.003
    assert late[-50:].mean() < 0.001
    assert not _left_sounding(port)


def test_the_voices_have_channels_programs_volumes_and_places() -> None:
    port, out = _opened()
    strips = tuple(
        Strip(volume=volume, pan=pan) for volume, pan in ((1, -1), (0.5, 0), (2, 1), (0, 0))
    )

    sounds: Sounds = ("organ", "piano", "oboe", "brass")
    _play(out, minuet(), Mix(sound=sounds, strips=strips))

    before = port.sent[:12]
    assert [message.program for _when, message in before[:4]] == [19, 0, 68, 61]
    assert [
        (message.channel, message.control, message.value) for _when, message in before[4:]
    ] == [(0, 7, 100), (0, 10, 0), (1, 7, 50), (1, 10, 64),
          (2, 7, 127), (2, 10, 127), (3, 7, 0), (3, 10, 64)]  # fmt: skip
    assert {(message.channel, message.note) for _when, message in port.of("note_on")} == {
        (0, 62), (0, 65), (1, 57), (2, 53), (2, 52), (3, 50), (3, 38),
    }  # fmt: skip


class StoppingPort(FakePort):
    def __init__(self, clock: SimulatedClock, notes: int) -> None:
        super().__init__(clock)
        self.notes = notes
        self.press: Any = None

    def send(self, message: Any) -> None:
        super().send(message)
        if len(self.of("note_on")) == self.notes:
            self.press()


def test_stopping_ends_every_note() -> None:
    clock = SimulatedClock()
    port = StoppingPort(clock, notes=4)
    out = MidiPort(port, "fake", clock=clock)

    def stop() -> None:
        out._stopping.set()

    port.press = stop
    _play(out, minuet())
    out.stop()

    assert len(port.of("note_on")) == 4
    assert not _left_sounding(port)
    assert _is_silenced(port)
    assert out.problem() == ""


def test_playing_again_and_closing_end_every_note_and_the_port_is_given_back() -> None:
    port, out = _opened()
    out.play(perform(random_chorale(2)), 0.0, (0.0, 1.0), Mix())
    first = out._thread
    out.play(perform(random_chorale(3)), 0.0, (0.0, 1.0), Mix())
    assert not (first and first.is_alive())

    out.close()
    out.close()

    assert not _left_sounding(port)
    assert _is_silenced(port)
    assert port.closed


@pytest.mark.parametrize("messages", [0, 5, 13, 20])
def test_a_port_that_vanishes_is_one_sentence_and_a_stop(messages: int) -> None:
    port, out = _opened(fails_after=messages)

    _play(out, minuet())

    assert out.problem() == "the MIDI port Piano is gone: connect it again or choose another"
    assert len(port.sent) == messages
    port._fails_after = None
    _play(out, minuet())
    assert out.problem() == ""
    assert not _left_sounding(port)


def test_a_port_that_is_unplugged_without_an_error_is_noticed() -> None:
    clock = SimulatedClock()
    port = FakePort(clock)
    out = MidiPort(port, "Piano", is_present=lambda: clock.now() < 5, clock=clock)

    out.play(perform(Chorale.of(np.arange(80).repeat(16).reshape(-1, 1) % 20 + 50 + np.zeros(4))),
             0.0, None, Mix())  # fmt: skip
    _played(out)

    assert "the MIDI port Piano is gone" in out.problem()
    assert port.sent[-1][0] < 10
    assert not _left_sounding(port)


BEAT = Clicks((0,), (1,), 1)


@pytest.mark.parametrize(
    ("settings", "struck"),
    [
        (Metronome(), [(76, 112)]),
        (Metronome(on=True), [(76, 112), (77, 96)]),
        (Metronome(on=True, level=0.5), [(76, 56), (77, 48)]),
        (Metronome(on=True, level=0.0), []),
    ],
)
def test_the_metronome_plays_wood_blocks(
    settings: Metronome, struck: list[tuple[int, int]]
) -> None:
    port, out = _opened()
    out.set_metronome(settings)
    counted = Clicks((0,), (0,), 1, rate=2)
    out.play(perform(minuet()), 0.0, None, Mix(), clicks=BEAT, count_in=counted, left=0.5)
    _played(out)

    wood = [(when, each) for when, each in port.of("note_on") if each.channel == 9]
    assert [(each.note, each.velocity) for _when, each in wood] == struck
    first_note = next(when for when, each in port.of("note_on") if each.channel < 4)
    assert first_note == pytest.approx(LEAD + 0.5, abs=0.003)
    assert _left_sounding(port) == set()


def test_a_muted_voice_is_silent_at_once_and_sends_no_more_notes() -> None:
    clock = SimulatedClock()
    port = StoppingPort(clock, notes=4)
    out = MidiPort(port, "fake", clock=clock)
    muted = Mix(strips=tuple(Strip(mute=voice == Voice.ALTO) for voice in Voice))

    def mute() -> None:
        port.notes = -1
        out.set_mix(muted)

    port.press = mute
    _play(out, random_chorale(4, margin=2))

    struck = [message.channel for _when, message in port.of("note_on")]
    assert struck[:4].count(Voice.ALTO) == 1
    assert Voice.ALTO not in struck[4:]
    assert {0, 2, 3} <= set(struck[4:])
    assert not _left_sounding(port)


@pytest.mark.usefixtures("system")
def test_ports_are_listed_once_each() -> None:
    assert midi_port.ports() == (["Piano", "Synth"], "")


def test_no_port_is_a_sentence(system: SimpleNamespace) -> None:
    system.names.clear()
    assert midi_port.ports() == ([], NO_PORT)


def test_a_port_opens_by_its_name_and_knows_when_it_is_gone(system: SimpleNamespace) -> None:
    port = midi_port.open_port("Piano")

    assert port.name == "Piano"
    assert port._is_present()
    system.names.clear()
    assert not port._is_present()
    port.close()


@pytest.mark.usefixtures("system")
def test_a_port_that_does_not_open_is_one_sentence() -> None:
    with pytest.raises(DeviceError, match=r"the MIDI port Organ does not open \(unknown port"):
        midi_port.open_port("Organ")


def test_no_midi_system_is_an_empty_list_and_a_sentence(
    system: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> list[str]:
        raise OSError("error creating ALSA sequencer client object")

    system.get_output_names = broken
    assert midi_port.ports() == ([], NO_SYSTEM)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(midi_port, "_SEQUENCER", Path("no", "such", "file"))
    assert midi_port.ports() == ([], NO_SYSTEM)
    with pytest.raises(DeviceError, match=NO_SYSTEM):
        midi_port.open_port("Piano")


@pytest.mark.usefixtures("system")
def test_without_the_package_for_ports_a_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not needed for anything else."""
    monkeypatch.setitem(sys.modules, "rtmidi", None)
    assert midi_port.ports() == ([], NOT_INSTALLED)


def _scale() -> Performance:
    """Return a soprano of four notes of a quarter second, over one tenor note."""
    pitches = [[pitch, -1, 48, -1] for pitch in (60, 62, 64, 65) for _ in range(4)]
    return perform(Chorale.of(pitches, tempo=60), Style(fermata_stretch=1))


def _summary(
    found: list[Event | Click], voice: Voice = Voice.SOPRANO
) -> list[tuple[object, bool, int]]:
    return [
        (pytest.approx(event.seconds), event.note_on, event.pitch)
        for event in found
        if isinstance(event, Event) and event.voice == voice
    ]


def test_from_the_middle_what_sounds_there_is_struck_at_once() -> None:
    found = list(events(_scale(), 2.5, None))
    assert _summary(found) == [(0, True, 64), (0.5, False, 64), (0.5, True, 65), (1.5, False, 65)]
    assert _summary(found, Voice.TENOR) == [(0, True, 48), (1.5, False, 48)]


def test_a_loop_repeats_and_ends_what_sounds_at_its_end() -> None:
    found = list(islice(events(_scale(), 0.0, (1.0, 2.5)), 30))
    assert _summary(found)[:8] == [
        (0, True, 60), (1, False, 60), (1, True, 62), (2, False, 62),
        (2, True, 64), (2.5, False, 64), (2.5, True, 62), (3.5, False, 62),
    ]  # fmt: skip
    assert _summary(found, Voice.TENOR)[:4] == [
        (0, True, 48), (2.5, False, 48), (2.5, True, 48), (4.0, False, 48),
    ]  # fmt: skip


def test_behind_a_loop_the_piece_goes_on_to_its_end_and_no_further() -> None:
    assert list(events(_scale(), 3.0, (1.0, 2.5))) == list(events(_scale(), 3.0, None))

    assert list(events(_scale(), 4.0, None)) == []
    assert list(events(_scale(), 9.0, (9.0, 12.0))) == []


def test_notes_of_a_voice_never_overlap_and_all_end() -> None:
    performance = perform(random_chorale(5, steps=60))
    rng = np.random.default_rng(1)
    for _ in range(40):
        start, first = rng.uniform(0, performance.times.seconds, 2)
        loop = (float(first), float(first + rng.uniform(0.2, 3)))
        sounding: set[tuple[Voice, int]] = set()
        last = 0.0
        for event in islice(events(performance, float(start), loop), 300):
            assert isinstance(event, Event)
            note = (event.voice, event.pitch)
            assert event.seconds >= last - 1e-9
            assert event.note_on != (note in sounding)
            last = event.seconds
            (sounding.add if event.note_on else sounding.remove)(note)
            assert len(sounding) == len({voice for voice, _pitch in sounding})


def test_clicks_are_scheduled_with_the_notes_after_the_count_in() -> None:
    clicks = Clicks((0, 1, 2, 3), (1, 1, 1, 1), 4)
    counted = Clicks((0, 1), (0, 1), 2, rate=2)

    schedule = events(_scale(), 1.0, (1.0, 3.0), clicks=clicks, count_in=counted, left=1.0)
    found = list(islice(schedule, 40))

    clicked = [(each.seconds, each.counts_in) for each in found if isinstance(each, Click)]
    assert clicked[:7] == [
        (0.0, True), (0.5, True), (1.0, False), (2.0, False), (3.0, False), (4.0, False),
        (5.0, False),
    ]  # fmt: skip
    assert _summary(found)[:2] == [(1.0, True, 62), (2.0, False, 62)]


def test_a_mixer_change_on_a_lost_port_is_reported() -> None:
    _port, out = _opened(fails_after=0)
    out.set_mix(Mix())
    assert "the MIDI port Piano is gone" in out.problem()
