"""MIDI recording: keyboard, click and take together.

A keyboard is armed first, so that it can be tried; then a take begins with its click. Note events
arrive in a thread of the MIDI system and are stamped with the click's time on arrival.

A MIDI keyboard as input: note events, as they are played.

Notes of all channels count except drums; pedals and wheels are ignored.

The clicks of a recording: the metronome at one tempo, and a clock in steps.

Its clock follows the sound as played, so that recordings are in time with the clicks for any device
latency. Without a device it keeps time silently.

A recorded take, and its conversion to music.

One bar is counted in; notes played in it already are the pickup. A gap of less than three half
sixteenths is articulation, not a rest. The rest is done by the importers of files: notes are
quantised to the nearest sixteenth, and the bars in which they moved are reported.
"""

from __future__ import annotations

import bisect
import contextlib
import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import mido
import numpy as np

from musicrel.chorale import MAX_STEPS, Key, Meter, Voice
from musicrel.language import tr
from musicrel.playback import midi_port
from musicrel.playback.audio import DeviceError, MiniaudioOutput, SilentClock, TimeSource
from musicrel.score.audio import metronome
from musicrel.score.audio.metronome import ClickReader
from musicrel.score.audio.timbre import Samples
from musicrel.score.importing import melody_import, satb_import
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.importing.quantisation import KeyEvent, paired
from musicrel.score.importing.source import Line, RawNote, Source, implied_bar_lines
from musicrel.score.midi.midi_drums import DRUMS

Kind = Literal["melody", "chords"]
TITLES: Final = {"melody": "Played melody", "chords": "Played chords"}

# The longest gap between two notes that does not count as a rest, in sixteenths.
_MAX_GAP: Final = 1.5
# The minimum length of a note in sixteenths; some keyboards send both events at once.
_MIN_LENGTH: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeSettings:
    kind: Kind  # a melody, or chords of four voices
    voice: Voice
    meter: Meter
    tempo: float  # tempo of the click, quarters per minute
    key: Key | None = None  # key of the piece, None for unknown


class Take:
    """All notes played, from the count-in on; written by one thread, read by any."""

    def __init__(self, settings: TakeSettings) -> None:
        self.settings: Final = settings
        self._meter = settings.meter
        self._played: list[KeyEvent] = []

    def record(self, step: float, pitch: int, *, pressed: bool) -> None:
        self._played.append(KeyEvent(step - self._meter.steps, pressed, pitch))

    def bar_and_beat(self, step: float) -> tuple[int, int]:
        bar, within = divmod(max(step, 0.0), self._meter.steps)
        return int(bar), int(within * self._meter.denominator / 16) + 1

    def reading(self, step: float) -> ImportedPiece:
        source = self._source(step - self._meter.steps)
        if self.settings.kind == "chords":
            return satb_import.import_satb(source, is_in_chords=True)
        return melody_import.import_melody(source, self.settings.voice)

    def _source(self, end: float) -> Source:
        found = paired(tuple(self._played))
        whole = (note._replace(stop=min(note.stop, end)) for note in itertools.chain(*found))
        notes = _legato(sorted(map(_audible, whole)))
        pickup = max(-math.floor(notes[0].start + 0.5), 0) if notes else 0
        moved = tuple(
            _audible(RawNote(max(start + pickup, 0.0), stop + pickup, pitch))
            for start, stop, pitch in notes
        )
        stop = max((note.stop for note in moved), default=0.0)
        return Source(
            lines=(Line(name="", notes=moved, end=stop),),
            bar_lines=tuple(implied_bar_lines([(0.0, self._meter)], float(pickup), stop)),
            meters=((0.0, self._meter),),
            pickup=float(pickup % self._meter.steps),
            key=self.settings.key,
            tempo=self.settings.tempo,
            title=TITLES[self.settings.kind],
        )


def _legato(notes: Sequence[RawNote]) -> list[RawNote]:
    """Extend each of ``notes`` (by start) to the next one if the gap is short."""
    starts = [note.start for note in notes]
    found = []
    for note in notes:
        place = bisect.bisect_left(starts, note.stop)
        after = starts[place] if place < len(starts) else math.inf
        found.append(note._replace(stop=after) if after - note.stop < _MAX_GAP else note)
    return found


def _audible(note: RawNote) -> RawNote:
    return note._replace(stop=max(note.stop, note.start + _MIN_LENGTH))


class Click:
    """One run of clicks from the first beat of a bar on."""

    def __init__(
        self, output: MiniaudioOutput, meter: Meter, tempo: float, clock: TimeSource
    ) -> None:
        self._output = output
        self._silence = SilentClock(clock, output.rate)
        self._clicks = metronome.steady(meter, tempo, meter.steps + MAX_STEPS, output.rate)
        self._reader = ClickReader(output.rate)
        self._made = 0
        self._before = 0.0
        self._step = output.rate * metronome.step_seconds(tempo)
        self.problem = ""  # a sentence that explains missing sound, or ""

    def start(self) -> None:
        try:
            self._output.start(self.read)
        except DeviceError as reason:
            self.problem = str(reason)
            self._silence.start()

    def steps(self) -> float:
        """Return the sixteenths played, or elapsed silently if the device is missing or lost."""
        if not self.problem and (trouble := self._output.problem()):
            self._before = self._output.frames_played()
            self._silence.start()
            self.problem = trouble
        silent = self._before + self._silence.elapsed_frames()
        return (silent if self.problem else self._output.frames_played()) / self._step

    def read(self, frames: int) -> Samples:
        start, self._made = self._made, self._made + frames
        sound = self._reader.read(self._clicks, start, frames)
        return np.repeat(sound[:, None], 2, axis=1)


_THROUGH: Final = "Midi Through"
NO_KEYBOARD: Final = tr("there is no MIDI keyboard: connect one, or start the program that plays")
# Called with a pitch and True for note on, in a thread of the MIDI system.
NoteCallback: TypeAlias = Callable[[int, bool], object]


def ports() -> tuple[list[str], str]:
    """List the keyboards, or give the reason why there is none.

    The port of Linux that passes on what other programs send comes last: few play on it.
    """
    found, reason = midi_port.names("input", NO_KEYBOARD)
    return sorted(found, key=lambda name: name.startswith(_THROUGH)), reason


def open_keyboard(name: str, on_note: NoteCallback) -> Any:
    """Open the port ``name`` of mido, which forwards notes; velocity 0 is note off."""

    def receive(message: mido.Message) -> None:
        if message.type in {"note_on", "note_off"} and message.channel != DRUMS:
            on_note(message.note, message.type == "note_on" and message.velocity > 0)

    return midi_port.open_named(name, lambda system: system.open_input(name, callback=receive))


class Recorder:
    """Listens to one keyboard at a time and records takes.

    ``on_key`` is called with the pitch of each key that is pressed, in a thread of the MIDI system.
    """

    def __init__(
        self,
        output: MiniaudioOutput,
        *,
        ports: Callable[[], tuple[list[str], str]] = ports,
        open_keyboard: Callable[[str, NoteCallback], Any] = open_keyboard,
        clock: TimeSource = time.perf_counter,
    ) -> None:
        self.ports: Final = ports
        self._output, self._open_keyboard, self._clock = output, open_keyboard, clock
        self._keyboard: Any = None
        self.armed = self.chosen = ""  # the name of the keyboard, "" without one; the last one
        self.take: Take | None = None  # the one that is being recorded
        self._click: Click | None = None
        self.last: int | None = None  # the last pitch played on the armed keyboard
        self.on_key: Callable[[int], object] = lambda _pitch: None

    @property
    def step(self) -> float:
        """Return the sixteenths since the first click of the count-in; 0 without a take."""
        return self._click.steps() if self._click is not None else 0.0

    @property
    def problem(self) -> str:
        return self._click.problem if self._click is not None else ""

    def arm(self, name: str) -> None:
        if name == self.armed:
            return
        if self._keyboard is not None:
            with contextlib.suppress(Exception):  # it may have been unplugged
                self._keyboard.close()
        self._keyboard, self.last, self.armed = None, None, ""
        if name:
            self._keyboard = self._open_keyboard(name, self._on_note)
            self.armed = self.chosen = name

    def begin(self, settings: TakeSettings) -> Take:
        self.stop()
        click = Click(self._output, settings.meter, settings.tempo, self._clock)
        click.start()
        take = Take(settings)
        self.take, self._click = take, click
        return take

    def stop(self) -> None:
        if self._click is not None:
            self._output.stop()
        self.take = self._click = None

    def close(self) -> None:
        self.stop()
        self.arm("")

    def _on_note(self, pitch: int, pressed: bool) -> None:
        take, click = self.take, self._click
        if pressed:
            self.last = pitch
            self.on_key(pitch)
        if take is not None and click is not None:
            take.record(click.steps(), pitch, pressed=pressed)
