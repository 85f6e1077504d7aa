"""Playback through a MIDI port: to a synthesizer, a sampler or a recording program.

A thread sends each message at its absolute deadline: it sleeps until shortly before and then spins,
so that delays do not accumulate. However it ends, it leaves no note sounding.

Schedule of notes and metronome clicks from any second of a performance, loops included.

Times are seconds since playing began.

The MIDI system of this computer, if there is one, and its ports.

Ports come from mido with python-rtmidi, which is an optional dependency.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import itertools
import logging
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import mido

from musicrel.chorale import Voice
from musicrel.language import tr
from musicrel.playback.audio import DeviceError
from musicrel.score.audio.metronome import NO_CLICKS, Clicks, Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.score.instruments import INSTRUMENTS
from musicrel.score.midi.midi_drums import (
    ALL_NOTES_OFF,
    DRUMS,
    HIGHEST,
    PAN,
    VOLUME,
    channel_volume,
)
from musicrel.score.midi.midi_writer import CLICK_NOTES, velocity_of
from musicrel.score.performance import Performance

NO_SYSTEM: Final = tr("this computer offers no MIDI system, so there are no MIDI ports")
NOT_INSTALLED: Final = tr("MIDI ports need the package python-rtmidi: install musicrel[midi]")
_NOT_OPENED: Final = tr(
    "the MIDI port {name} does not open ({reason}): choose another, or close the program that uses "
    "it"
)
_GONE: Final = tr("the MIDI port {name} is gone: connect it again or choose another")

_SEQUENCER: Final = Path("/dev/snd/seq")


def backend() -> Any:
    if sys.platform.startswith("linux") and not _SEQUENCER.exists():
        raise DeviceError(NO_SYSTEM)
    try:
        importlib.import_module("rtmidi")
    except ImportError as reason:
        raise DeviceError(NOT_INSTALLED) from reason
    return mido.Backend("mido.backends.rtmidi")


def names(direction: Literal["input", "output"], nothing: str) -> tuple[list[str], str]:
    """List the names of the current ports; if there is none, give the reason in a sentence."""
    try:
        found = list(dict.fromkeys(getattr(backend(), f"get_{direction}_names")()))
    except DeviceError as reason:
        return [], str(reason)
    except Exception as reason:  # noqa: BLE001  # each system has its own errors
        _log.info("no MIDI system: %s", reason)
        return [], NO_SYSTEM
    return found, "" if found else nothing


def open_named(name: str, opener: Callable[[Any], Any]) -> Any:
    try:
        return opener(backend())
    except DeviceError:
        raise
    except Exception as reason:
        raise DeviceError(_NOT_OPENED.format(name=name, reason=reason)) from reason


_ROUNDING: Final = 1e-4  # seconds that a click, placed at a whole frame, may be off its beat
# Seconds of a note below which it is dropped if a loop or a start cuts it.
_TOO_SHORT: Final = 0.005


class Event(NamedTuple):
    seconds: float
    note_on: bool  # True for note on, False for note off, which sorts first
    voice: Voice
    pitch: int
    level: float = 1.0  # of a note on; see ``TimedNote``


class Click(NamedTuple):
    seconds: float
    stress: int  # how strong it is, 0 the strongest
    counts_in: bool = False


def events(
    performance: Performance,
    start: float,
    loop: tuple[float, float] | None,
    *,
    clicks: Clicks = NO_CLICKS,
    count_in: Clicks = NO_CLICKS,
    left: float = 0.0,
) -> Iterator[Event | Click]:
    """Schedule ``performance`` from second ``start`` on, in order; infinite if it loops.

    The last ``left`` seconds of the count-in come first. A note that sounds at the start, or at the
    start of the loop, is struck there. A start behind the loop plays to the end.
    """
    begun = count_in.frames / count_in.rate - left
    for at, stress in count_in.between(math.ceil(begun * count_in.rate), count_in.frames):
        yield Click(at / count_in.rate - begun, stress, counts_in=True)
    end = performance.times.seconds
    first, last = loop or (end, end)
    loops = start < last and first < min(last, end)
    stop = min(last, end) if loops else end
    for event in _between(performance, clicks, start, stop):
        yield event._replace(seconds=event.seconds + left)
    again = _between(performance, clicks, first, stop) if loops else []
    for passes in itertools.count() if again else ():
        late = left + stop - start + passes * (stop - first)
        for event in again:
            yield event._replace(seconds=event.seconds + late)


def _between(
    performance: Performance, clicks: Clicks, begin: float, end: float
) -> list[Event | Click]:
    """List notes and clicks from second ``begin`` to ``end``, counted from ``begin``."""
    notes: list[Event] = []
    for note in itertools.chain.from_iterable(performance.notes):
        pressed, released = max(note.start, begin), min(note.stop, end)
        if released - pressed > min(_TOO_SHORT, (note.stop - note.start) / 2):
            notes.append(Event(pressed - begin, True, note.voice, note.pitch, note.level))
            notes.append(Event(released - begin, False, note.voice, note.pitch))
    frames = (math.ceil((second - _ROUNDING) * clicks.rate) for second in (begin, end))
    clicked = (
        Click(max(at / clicks.rate - begin, 0.0), stress) for at, stress in clicks.between(*frames)
    )
    return sorted([*sorted(notes), *clicked], key=attrgetter("seconds"))


NO_PORT: Final = tr(
    "there is no MIDI port: connect an instrument or start the program that has one"
)

_LEAD: Final = 0.01  # seconds for setting up the channels before the first note
# Minimum and maximum seconds before a deadline at which the thread wakes to spin. Waking is slow
# while other threads compute, so the lead follows the recent oversleeping.
_EARLY: Final = (0.002, 0.008)
_GROWTH, _DECAY = 1.3, 0.95
_CHECK_EVERY: Final = 2.0
_CHECK_TIME: Final = 0.15  # seconds before a deadline that checking the port may take
_log = logging.getLogger(__name__)


class Clock:
    def now(self) -> float:
        return time.perf_counter()

    def wait(self, woken: threading.Event, seconds: float) -> bool:
        return woken.wait(seconds)


def ports() -> tuple[list[str], str]:
    return names("output", NO_PORT)


def open_port(name: str) -> MidiPort:
    port = open_named(name, lambda backend: backend.open_output(name))
    return MidiPort(port, name, is_present=lambda: name in ports()[0])


class MidiPort:
    """Plays performances through one open port of mido.

    Used by one thread; the thread it starts only sends.
    """

    def __init__(
        self,
        port: Any,
        name: str,
        *,
        is_present: Callable[[], bool] = lambda: True,
        clock: Clock | None = None,
    ) -> None:
        self.name: Final = name
        self._port, self._is_present, self._clock = port, is_present, clock or Clock()
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
        *,
        clicks: Clicks = NO_CLICKS,
        count_in: Clicks = NO_CLICKS,
        left: float = 0.0,
    ) -> None:
        """Start playing; the arguments are those of ``events``."""
        self.stop()
        origin = self._clock.now() + _LEAD
        self._problem, self._last_check = "", origin
        schedule = events(performance, start, loop, clicks=clicks, count_in=count_in, left=left)
        self._stopping = threading.Event()
        self._thread = threading.Thread(
            target=self._run,
            args=(schedule, origin, mix, self._stopping),
            name="midi",
            daemon=True,
        )
        self._thread.start()

    def set_mix(self, mix: Mix) -> None:
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
        self._metronome = metronome

    def stop(self) -> None:
        """Stop; return when all notes have ended."""
        self._stopping.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()

    def problem(self) -> str:
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
                velocity = velocity_of(event.voice, event.level)
                self._send("note_on", event.voice, note=event.pitch, velocity=velocity)

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
        self._problem = _GONE.format(name=self.name)
