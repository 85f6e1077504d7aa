"""Playback through a MIDI port: to a synthesizer, a sampler or a recording program.

A thread sends each message at its absolute deadline: it sleeps until shortly before and then spins,
so that delays do not accumulate. However it ends, it leaves no note sounding.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, Protocol

import mido

from musicrel.chorale import Voice
from musicrel.playback import midi_system
from musicrel.playback.audio import DeviceError
from musicrel.playback.midi_schedule import Click, ClickTimes, Event, events
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.score.instruments import INSTRUMENTS
from musicrel.score.midi.control_changes import (
    ALL_NOTES_OFF,
    HIGHEST,
    PAN,
    VOLUME,
    channel_volume,
)
from musicrel.score.midi.midi_drums import DRUMS
from musicrel.score.midi.midi_writer import VELOCITIES
from musicrel.score.midi.practice_midi import CLICK_NOTES
from musicrel.score.performance import Performance

NO_PORT: Final = "there is no MIDI port: connect an instrument or start the program that has one"

_LEAD: Final = 0.01
"""Seconds for setting up the channels before the first note."""
_EARLY: Final = (0.002, 0.008)
"""Minimum and maximum seconds before a deadline at which the thread wakes to spin. Waking is slow
while other threads compute, so the lead follows the recent oversleeping.
"""
_GROWTH, _DECAY = 1.3, 0.95
_CHECK_EVERY: Final = 2.0
_CHECK_TIME: Final = 0.15
"""Seconds before a deadline that checking the port may take."""
_log = logging.getLogger(__name__)


class Port(Protocol):
    """A sink of MIDI messages."""

    def send(self, message: mido.Message) -> None:
        """Send ``message`` now."""

    def close(self) -> None:
        """Close the port."""


class Clock:
    """A clock that can also wait."""

    def now(self) -> float:
        """Return the time in seconds."""
        return time.perf_counter()

    def wait(self, woken: threading.Event, seconds: float) -> bool:
        """Sleep for ``seconds`` or until ``woken``; return True if woken."""
        return woken.wait(seconds)


def ports() -> tuple[list[str], str]:
    """List the output ports by name; if there is none, give the reason in a sentence."""
    return midi_system.ports("output", NO_PORT)


def open_port(name: str) -> MidiPort:
    port: Port = midi_system.open_named(name, lambda backend: backend.open_output(name))
    return MidiPort(port, name, is_present=lambda: name in ports()[0])


class MidiPort:
    """Plays performances through one open port; a ``Follower`` of the player.

    Used by one thread; the thread it starts only sends.

    Args:
        is_present: returns False once the port is gone; called from time to time.
    """

    def __init__(
        self,
        port: Port,
        name: str,
        *,
        is_present: Callable[[], bool] = lambda: True,
        clock: Clock | None = None,
    ) -> None:
        self.name: Final = name
        self._port = port
        self._is_present = is_present
        self._clock = clock or Clock()
        self._mix, self._metronome = Mix(), Metronome()
        self._sounding: set[tuple[Voice, int]] = set()
        self._sending = threading.RLock()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._last_check = 0.0
        self._early = _EARLY[0]
        self._problem = ""
        atexit.register(self.close)

    def play(
        self,
        performance: Performance,
        start: float,
        loop: tuple[float, float] | None,
        mix: Mix,
        clicks: ClickTimes | None = None,
    ) -> None:
        """Start playing at second ``start``.

        Args:
            start: start of playback in seconds.
            loop: start and end of the loop in seconds, or None.
            clicks: the metronome and the count-in, on the channel of drums; None: none.
        """
        self.stop()
        origin = self._clock.now() + _LEAD
        self._problem, self._last_check = "", origin
        schedule = events(performance, start, loop, clicks)
        self._stopping = threading.Event()
        self._thread = threading.Thread(
            target=self._run,
            args=(schedule, origin, mix, self._stopping),
            name="midi",
            daemon=True,
        )
        self._thread.start()

    def set_mix(self, mix: Mix) -> None:
        """Apply the mixer: volume and pan at once; a muted voice ends its note."""
        try:
            with self._sending:
                self._mix = mix
                self._send_mix()
                for voice, pitch in sorted(self._sounding):
                    if not mix.is_audible(voice):
                        self._note_off(voice, pitch)
        except Exception:  # noqa: BLE001  # each system has its own errors
            self._fail()

    def set_metronome(self, metronome: Metronome) -> None:
        """Apply the metronome from the next click on."""
        self._metronome = metronome

    def stop(self) -> None:
        """Stop; return when all notes have ended."""
        self._stopping.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()

    def problem(self) -> str:
        """Return a sentence if the port is gone, or ""."""
        return self._problem

    def close(self) -> None:
        self.stop()
        atexit.unregister(self.close)
        with contextlib.suppress(Exception):
            self._port.close()

    def _run(
        self,
        schedule: Iterator[Event | Click],
        origin: float,
        mix: Mix,
        stopping: threading.Event,
    ) -> None:
        """Send ``schedule``, its seconds counted from ``origin``, until it ends or ``stopping``."""
        try:
            with self._sending:
                self._mix = mix
                for voice, sound in zip(Voice, mix.sounds, strict=True):
                    self._send("program_change", voice, program=INSTRUMENTS[sound].program)
                self._send_mix()
            for event in schedule:
                if not self._wait_until(origin + event.seconds, stopping):
                    return
                self._play_click(event) if isinstance(event, Click) else self._play_event(event)
        except Exception:  # noqa: BLE001  # each system has its own errors
            self._fail()
        finally:
            self._silence_all()

    def _wait_until(self, deadline: float, stopping: threading.Event) -> bool:
        """Wait until ``deadline``; return False if stopped before."""
        while (left := deadline - self._clock.now() - self._early) > 0:
            self._check_port(left)
            if self._sleep(min(left, _CHECK_EVERY), stopping):
                return False
        while self._clock.now() < deadline:
            pass
        return not stopping.is_set()

    def _sleep(self, seconds: float, stopping: threading.Event) -> bool:
        """Sleep and adapt the wake-up lead; return True if woken to stop."""
        begun = self._clock.now()
        stopped = self._clock.wait(stopping, seconds)
        overslept = self._clock.now() - begun - seconds
        early = max(self._early * _DECAY, overslept * _GROWTH)
        self._early = min(max(early, _EARLY[0]), _EARLY[1])
        return stopped

    def _check_port(self, left: float) -> None:
        """Check that the port still exists, if there is time for it."""
        now = self._clock.now()
        if left > _CHECK_TIME and now - self._last_check > _CHECK_EVERY:
            self._last_check = now
            if not self._is_present():
                raise DeviceError(self.name)

    def _play_event(self, event: Event) -> None:
        with self._sending:
            if not event.note_on:
                self._note_off(event.voice, event.pitch)
            elif self._mix.is_audible(event.voice):
                self._sounding.add((event.voice, event.pitch))
                self._send(
                    "note_on", event.voice, note=event.pitch, velocity=VELOCITIES[event.voice]
                )

    def _play_click(self, click: Click) -> None:
        """Strike a wood block of General MIDI, which needs no note off but gets one."""
        settings = self._metronome
        level = settings.level * self._mix.volume
        if level and (settings.on or click.counts_in):
            note, velocity = CLICK_NOTES[click.stress]
            louder = min(round(velocity * level), HIGHEST)
            with self._sending:
                self._send("note_on", DRUMS, note=note, velocity=max(louder, 1))
                self._send("note_off", DRUMS, note=note, velocity=0)

    def _note_off(self, voice: Voice, pitch: int) -> None:
        if (voice, pitch) in self._sounding:
            self._send("note_off", voice, note=pitch, velocity=0)
            self._sounding.discard((voice, pitch))

    def _send_mix(self) -> None:
        for voice, strip in zip(Voice, self._mix.strips, strict=True):
            volume = channel_volume(strip.volume * self._mix.volume)
            pan = round((strip.pan + 1) / 2 * HIGHEST)
            self._send("control_change", voice, control=VOLUME, value=volume)
            self._send("control_change", voice, control=PAN, value=pan)

    def _send(self, kind: str, channel: int, **values: int) -> None:
        self._port.send(mido.Message(kind, channel=int(channel), **values))

    def _silence_all(self) -> None:
        """Send note off for every note and all notes off per channel, even if some sends fail."""
        with self._sending:
            for voice, pitch in sorted(self._sounding):
                with contextlib.suppress(Exception):
                    self._send("note_off", voice, note=pitch, velocity=0)
            self._sounding.clear()
            for voice in Voice:
                with contextlib.suppress(Exception):
                    self._send("control_change", voice, control=ALL_NOTES_OFF, value=0)

    def _fail(self) -> None:
        _log.info("the MIDI port %s failed", self.name, exc_info=True)
        self._stopping.set()
        self._problem = f"the MIDI port {self.name} is gone: connect it again or choose another"
