"""Plays through a MIDI port, in time: to a synthesizer, a sampler or a recording program.

A thread sends each message at its absolute deadline: it sleeps until shortly before and spins the
rest, so that no delay adds up. Whatever ends it, it leaves no note sounding. This file knows
nothing of sound or windows.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

import mido

from musicrel.chorale import Voice
from musicrel.playback import midi_system
from musicrel.playback.audio import DeviceError
from musicrel.playback.midi_schedule import Event, events
from musicrel.score.audio.mixer import Mix
from musicrel.score.midi.midi_writer import PROGRAMS, VELOCITIES
from musicrel.score.performance import Performance

NO_PORT: Final = "there is no MIDI port: connect an instrument or start the program that has one"

_LEAD: Final = 0.01
"""Seconds in which the channels are set up before the first note."""
_EARLY: Final = (0.002, 0.008)
"""Seconds before a deadline at which it wakes, to spin the rest: at least and at most. Waking takes
long where other threads compute, so it wakes as much earlier as it overslept of late."""
_CAUTION, _CALM = 1.3, 0.95
_LOOK_EVERY: Final = 2.0
_LOOK_BEFORE: Final = 0.15
"""Seconds that looking whether the port is there may take, before a deadline."""
_VOLUME, _PAN, _ALL_NOTES_OFF = 7, 10, 123
_USUAL_VOLUME: Final = 100
_HIGHEST: Final = 127
_log = logging.getLogger(__name__)


class Port(Protocol):
    """Where messages go."""

    def send(self, message: mido.Message) -> None:
        """Send ``message`` now."""
        ...

    def close(self) -> None:
        """Take no more."""
        ...


class Clock:
    """The time, and how to let it pass."""

    def now(self) -> float:
        """Seconds."""
        return time.perf_counter()

    def wait(self, woken: threading.Event, seconds: float) -> bool:
        """Sleep for ``seconds``, or until ``woken``: whether it was."""
        return woken.wait(seconds)


def ports() -> tuple[list[str], str]:
    """The ports one can play through, by name; where there is none, a sentence that says why."""
    return midi_system.ports(_names, NO_PORT)


def _names(backend: Any) -> list[str]:
    names: list[str] = backend.get_output_names()
    return names


def open_port(name: str) -> MidiPort:
    """The port called ``name``, open.

    Raises:
        DeviceError: it is not there, or another program has it for itself.
    """
    port: Port = midi_system.opened(name, lambda backend: backend.open_output(name))
    return MidiPort(port, name, present=lambda: name in ports()[0])


class MidiPort:
    """Plays performances through one open port; a ``Follower`` of the player.

    Used by one thread; the one it starts only sends.

    Args:
        port: where messages go.
        name: what the user knows it by.
        present: tells whether the port is still there; asked now and then.
        clock: the time.
    """

    def __init__(
        self,
        port: Port,
        name: str,
        *,
        present: Callable[[], bool] = lambda: True,
        clock: Clock | None = None,
    ) -> None:
        self.name: Final = name
        self._port = port
        self._present = present
        self._clock = clock or Clock()
        self._mix = Mix()
        self._sounding: set[tuple[Voice, int]] = set()
        self._sending = threading.RLock()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._looked = 0.0
        self._early = _EARLY[0]
        self._trouble = ""
        atexit.register(self.close)

    def play(
        self, performance: Performance, start: float, loop: tuple[float, float] | None, mix: Mix
    ) -> None:
        """Begin at second ``start``, now.

        Args:
            performance: what is played.
            start: the second of it to begin at.
            loop: the seconds to repeat, or None.
            mix: volume, place and silence of each voice, and the sound to ask for.
        """
        self.stop()
        origin = self._clock.now() + _LEAD
        self._trouble, self._looked = "", origin
        schedule = events(performance, start, loop)
        self._stopping = threading.Event()
        self._thread = threading.Thread(
            target=self._run,
            args=(schedule, origin, mix, self._stopping),
            name="midi",
            daemon=True,
        )
        self._thread.start()

    def set_mix(self, mix: Mix) -> None:
        """Follow the mixer: volume and place at once; a muted voice ends its note."""
        try:
            with self._sending:
                self._mix = mix
                self._send_mix()
                for voice, pitch in sorted(self._sounding):
                    if not mix.hears(voice):
                        self._let_go(voice, pitch)
        except Exception:  # noqa: BLE001  # each system has errors of its own
            self._lose()

    def stop(self) -> None:
        """Be silent; returns when all notes have ended."""
        self._stopping.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()

    def problem(self) -> str:
        """Whether the port is gone, in one sentence; empty where all is well."""
        return self._trouble

    def close(self) -> None:
        """Be silent and give the port back."""
        self.stop()
        atexit.unregister(self.close)
        with contextlib.suppress(Exception):
            self._port.close()

    def _run(
        self, schedule: Iterator[Event], origin: float, mix: Mix, stopping: threading.Event
    ) -> None:
        """Send ``schedule``, its seconds counted from ``origin``, until it ends or ``stopping``."""
        try:
            with self._sending:
                self._mix = mix
                self._send_programs()
                self._send_mix()
            for event in schedule:
                if not self._reach(origin + event.seconds, stopping):
                    return
                self._do(event)
        except Exception:  # noqa: BLE001  # each system has errors of its own
            self._lose()
        finally:
            self._hush()

    def _reach(self, deadline: float, stopping: threading.Event) -> bool:
        """Let the time pass until ``deadline``; False when it is to stop before."""
        while (left := deadline - self._clock.now() - self._early) > 0:
            self._look(left)
            if self._sleep(min(left, _LOOK_EVERY), stopping):
                return False
        while self._clock.now() < deadline:
            pass
        return not stopping.is_set()

    def _sleep(self, seconds: float, stopping: threading.Event) -> bool:
        """Sleep, and learn how long waking takes; whether it was woken to stop."""
        begun = self._clock.now()
        stopped = self._clock.wait(stopping, seconds)
        overslept = self._clock.now() - begun - seconds
        early = max(self._early * _CALM, overslept * _CAUTION)
        self._early = min(max(early, _EARLY[0]), _EARLY[1])
        return stopped

    def _look(self, left: float) -> None:
        """See whether the port is still there, if there is time for it."""
        now = self._clock.now()
        if left > _LOOK_BEFORE and now - self._looked > _LOOK_EVERY:
            self._looked = now
            if not self._present():
                raise DeviceError(self.name)

    def _do(self, event: Event) -> None:
        with self._sending:
            if not event.begins:
                self._let_go(event.voice, event.pitch)
            elif self._mix.hears(event.voice):
                self._sounding.add((event.voice, event.pitch))
                self._send(
                    "note_on", event.voice, note=event.pitch, velocity=VELOCITIES[event.voice]
                )

    def _let_go(self, voice: Voice, pitch: int) -> None:
        if (voice, pitch) in self._sounding:
            self._send("note_off", voice, note=pitch, velocity=0)
            self._sounding.discard((voice, pitch))

    def _send_programs(self) -> None:
        for voice in Voice:
            self._send("program_change", voice, program=PROGRAMS[self._mix.sound])

    def _send_mix(self) -> None:
        for voice, strip in zip(Voice, self._mix.strips, strict=True):
            volume = round(_USUAL_VOLUME * strip.volume * self._mix.volume)
            pan = round((strip.pan + 1) / 2 * _HIGHEST)
            self._send("control_change", voice, control=_VOLUME, value=min(volume, _HIGHEST))
            self._send("control_change", voice, control=_PAN, value=pan)

    def _send(self, kind: str, voice: Voice, **values: int) -> None:
        self._port.send(mido.Message(kind, channel=int(voice), **values))

    def _hush(self) -> None:
        """End every note, each by name and then all of the channel, even if some cannot be sent."""
        with self._sending:
            for voice, pitch in sorted(self._sounding):
                with contextlib.suppress(Exception):
                    self._send("note_off", voice, note=pitch, velocity=0)
            self._sounding.clear()
            for voice in Voice:
                with contextlib.suppress(Exception):
                    self._send("control_change", voice, control=_ALL_NOTES_OFF, value=0)

    def _lose(self) -> None:
        _log.info("the MIDI port %s failed", self.name, exc_info=True)
        self._stopping.set()
        self._trouble = f"the MIDI port {self.name} is gone: connect it again or choose another"
