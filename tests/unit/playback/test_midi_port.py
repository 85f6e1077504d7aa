"""MIDI ports: timing, notes that always end, and the reports of missing ports."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mido
import numpy as np
import pytest

from musicrel.chorale import Chorale, Voice
from musicrel.playback import midi_port, midi_system
from musicrel.playback.audio import DeviceError
from musicrel.playback.midi_port import NO_PORT, MidiPort
from musicrel.playback.midi_schedule import Click, ClickTimes, events
from musicrel.playback.midi_system import NO_SYSTEM, NOT_INSTALLED
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix, Strip
from musicrel.score.instruments import Sounds
from musicrel.score.performance import perform
from tests.helpers.music import minuet, random_chorale
from tests.helpers.sound import FakePort, SimulatedClock

LEAD = 0.01
"""Seconds before the first note."""


def _played(port: MidiPort) -> None:
    """Wait until all is sent."""
    assert port._thread is not None
    port._thread.join(20)
    assert not port._thread.is_alive()


def _left_sounding(port: FakePort) -> set[tuple[int, int]]:
    """Return channel and note of all notes without note off."""
    sounding: set[tuple[int, int]] = set()
    for _when, message in port.sent:
        if message.type == "note_on":
            sounding.add((message.channel, message.note))
        elif message.type == "note_off":
            sounding.discard((message.channel, message.note))
    return sounding


def _is_silenced(port: FakePort) -> bool:
    """Return True if the last message to every channel was all notes off."""
    last = [message for _when, message in port.sent[-4:]]
    return [(message.type, message.channel, message.control) for message in last] == [
        ("control_change", channel, 123) for channel in range(4)
    ]


def test_messages_are_sent_at_their_deadlines_and_no_delay_adds_up() -> None:
    """Ninety-nine of a hundred within three milliseconds, over minutes, for any wake-up delay."""
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
    """Sent before the first note."""
    clock = SimulatedClock()
    port = FakePort(clock)
    strips = tuple(
        Strip(volume=volume, pan=pan) for volume, pan in ((1, -1), (0.5, 0), (2, 1), (0, 0))
    )

    sounds: Sounds = ("organ", "piano", "oboe", "brass")

    out = MidiPort(port, "fake", clock=clock)
    out.play(perform(minuet()), 0.0, None, Mix(sound=sounds, strips=strips))
    _played(out)

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
    """A port on which the user stops playback at a certain note."""

    def __init__(self, clock: SimulatedClock, notes: int) -> None:
        super().__init__(clock)
        self.notes = notes
        self.press: Any = None

    def send(self, message: Any) -> None:
        """Store the message, and stop."""
        super().send(message)
        if len(self.of("note_on")) == self.notes:
            self.press()


def test_stopping_ends_every_note() -> None:
    """In the middle of a chord of four."""
    clock = SimulatedClock()
    port = StoppingPort(clock, notes=4)
    out = MidiPort(port, "fake", clock=clock)

    def stop() -> None:
        out._stopping.set()

    port.press = stop
    out.play(perform(minuet()), 0.0, None, Mix())
    _played(out)
    out.stop()

    assert len(port.of("note_on")) == 4
    assert not _left_sounding(port)
    assert _is_silenced(port)
    assert out.problem() == ""


def test_closing_ends_every_note_and_gives_the_port_back() -> None:
    """Also twice, as at the program's exit."""
    clock = SimulatedClock()
    port = FakePort(clock)
    out = MidiPort(port, "fake", clock=clock)
    out.play(perform(random_chorale(2)), 0.0, (0.0, 1.0), Mix())

    out.close()
    out.close()

    assert not _left_sounding(port)
    assert _is_silenced(port)
    assert port.closed


def test_playing_again_ends_the_notes_of_the_first_run() -> None:
    """No note of the first run is left."""
    clock = SimulatedClock()
    port = FakePort(clock)
    out = MidiPort(port, "fake", clock=clock)

    out.play(perform(random_chorale(2)), 0.0, (0.0, 1.0), Mix())
    out.play(perform(minuet()), 0.0, None, Mix())
    _played(out)

    assert not _left_sounding(port)
    assert _is_silenced(port)


@pytest.mark.parametrize("messages", [0, 5, 13, 20])
def test_a_port_that_vanishes_is_one_sentence_and_a_stop(messages: int) -> None:
    """At any message; playing again tries again."""
    clock = SimulatedClock()
    port = FakePort(clock, fails_after=messages)
    out = MidiPort(port, "Piano", clock=clock)

    out.play(perform(minuet()), 0.0, None, Mix())
    _played(out)

    assert out.problem() == "the MIDI port Piano is gone: connect it again or choose another"
    assert len(port.sent) == messages
    port._fails_after = None
    out.play(perform(minuet()), 0.0, None, Mix())
    _played(out)
    assert out.problem() == ""
    assert not _left_sounding(port)


def test_a_port_that_is_unplugged_without_an_error_is_noticed() -> None:
    """Some systems continue to take messages."""
    clock = SimulatedClock()
    port = FakePort(clock)
    out = MidiPort(port, "Piano", is_present=lambda: clock.now() < 5, clock=clock)

    out.play(perform(Chorale.of(np.arange(80).repeat(16).reshape(-1, 1) % 20 + 50 + np.zeros(4))),
             0.0, None, Mix())  # fmt: skip
    _played(out)

    assert "the MIDI port Piano is gone" in out.problem()
    assert port.sent[-1][0] < 10
    assert not _left_sounding(port)


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
    """On the channel of drums; the count-in also while it is off."""
    clock = SimulatedClock()
    port = FakePort(clock)
    out = MidiPort(port, "fake", clock=clock)
    out.set_metronome(settings)
    clicks = ClickTimes(piece=(Click(0.0, 1),), count_in=(Click(0.0, 0, counts_in=True),), lead=0.5)
    out.play(perform(minuet()), 0.0, None, Mix(), clicks)
    _played(out)

    wood = [(when, each) for when, each in port.of("note_on") if each.channel == 9]
    assert [(each.note, each.velocity) for _when, each in wood] == struck
    first_note = next(when for when, each in port.of("note_on") if each.channel < 4)
    assert first_note == pytest.approx(LEAD + 0.5, abs=0.003)
    assert _left_sounding(port) == set()


def test_a_muted_voice_is_silent_at_once_and_sends_no_more_notes() -> None:
    """The others continue."""
    clock = SimulatedClock()
    port = StoppingPort(clock, notes=4)
    out = MidiPort(port, "fake", clock=clock)
    muted = Mix(strips=tuple(Strip(mute=voice == Voice.ALTO) for voice in Voice))

    def mute() -> None:
        port.notes = -1
        out.set_mix(muted)

    port.press = mute
    out.play(perform(random_chorale(4, margin=2)), 0.0, None, Mix())
    _played(out)

    struck = [message.channel for _when, message in port.of("note_on")]
    assert struck[:4].count(Voice.ALTO) == 1
    assert Voice.ALTO not in struck[4:]
    assert {0, 2, 3} <= set(struck[4:])
    assert not _left_sounding(port)


def test_a_mixer_change_on_a_lost_port_is_reported() -> None:
    """It does not raise in the window."""
    clock = SimulatedClock()
    out = MidiPort(FakePort(clock, fails_after=0), "Piano", clock=clock)

    out.set_mix(Mix())

    assert "the MIDI port Piano is gone" in out.problem()


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SimpleNamespace:
    """Replace the MIDI system by one with two ports, one of them listed twice."""
    opened: list[str] = []

    def open_output(name: str) -> FakePort:
        if name != "Piano":
            raise OSError(f"unknown port {name!r}")
        opened.append(name)
        return FakePort(SimulatedClock())

    names = ["Piano", "Synth", "Piano"]
    fake = SimpleNamespace(get_output_names=lambda: names, open_output=open_output, names=names)
    monkeypatch.setattr(midi_system, "_SEQUENCER", tmp_path)
    monkeypatch.setattr(mido, "Backend", lambda _name: fake)
    monkeypatch.setitem(sys.modules, "rtmidi", SimpleNamespace())
    return fake


@pytest.mark.usefixtures("system")
def test_ports_are_listed_once_each() -> None:
    """There is no problem to report."""
    assert midi_port.ports() == (["Piano", "Synth"], "")


def test_no_port_is_a_sentence(system: SimpleNamespace) -> None:
    """The message advises what to do."""
    system.names.clear()

    assert midi_port.ports() == ([], NO_PORT)


def test_a_port_opens_by_its_name_and_knows_when_it_is_gone(system: SimpleNamespace) -> None:
    """Its presence is checked in the list of ports."""
    port = midi_port.open_port("Piano")

    assert port.name == "Piano"
    assert port._is_present()
    system.names.clear()
    assert not port._is_present()
    port.close()


@pytest.mark.usefixtures("system")
def test_a_port_that_does_not_open_is_one_sentence() -> None:
    """The message has the system's reason."""
    with pytest.raises(DeviceError, match=r"the MIDI port Organ does not open \(unknown port"):
        midi_port.open_port("Organ")


def test_no_midi_system_is_an_empty_list_and_a_sentence(
    system: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a missing system and a failing one."""

    def broken() -> list[str]:
        raise OSError("error creating ALSA sequencer client object")

    system.get_output_names = broken
    assert midi_port.ports() == ([], NO_SYSTEM)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(midi_system, "_SEQUENCER", Path("no", "such", "file"))
    assert midi_port.ports() == ([], NO_SYSTEM)
    with pytest.raises(DeviceError, match=NO_SYSTEM):
        midi_port.open_port("Piano")


@pytest.mark.usefixtures("system")
def test_without_the_package_for_ports_a_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not needed for anything else."""
    monkeypatch.setitem(sys.modules, "rtmidi", None)

    assert midi_port.ports() == ([], NOT_INSTALLED)
