"""MIDI recording: keyboard, click and take together.

A keyboard is armed first, so that it can be tried; then a take begins with its click. Note events
arrive in a thread of the MIDI system and are stamped with the click's time on arrival.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from musicrel.chorale import Key, Meter, Voice
from musicrel.playback import keyboard
from musicrel.playback.audio import Output, TimeSource
from musicrel.playback.click import Click
from musicrel.playback.keyboard import Keyboard, NoteCallback
from musicrel.playback.take import Kind, Take

Ports: TypeAlias = Callable[[], tuple[list[str], str]]
KeyboardOpener: TypeAlias = Callable[[str, NoteCallback], Keyboard]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeSettings:
    kind: Kind  # a melody, or chords of four voices
    voice: Voice
    meter: Meter
    tempo: float  # tempo of the click, quarters per minute
    key: Key | None = None  # key of the piece, None for unknown


class Recorder:
    """Listens to one keyboard at a time and records takes.

    Args:
        clock: seconds.
    """

    def __init__(
        self,
        output: Output,
        *,
        ports: Ports = keyboard.ports,
        open_keyboard: KeyboardOpener = keyboard.open_keyboard,
        clock: TimeSource = time.perf_counter,
    ) -> None:
        self.ports: Final = ports
        self._output, self._open_keyboard, self._clock = output, open_keyboard, clock
        self._keyboard: Keyboard | None = None
        self._running: tuple[Take, Click] | None = None
        self.last: int | None = None
        """The last pitch played on the armed keyboard."""

    @property
    def armed(self) -> str:
        """Return the name of the armed keyboard, or ""."""
        return self._keyboard.name if self._keyboard is not None else ""

    @property
    def running(self) -> bool:
        return self._running is not None

    @property
    def step(self) -> float:
        """Return the sixteenths since the first click of the count-in; 0 without a take."""
        return self._running[1].steps() if self._running is not None else 0.0

    @property
    def problem(self) -> str:
        """Return a sentence that explains a silent click, or ""."""
        return self._running[1].problem if self._running is not None else ""

    def arm(self, name: str) -> None:
        """Listen to the keyboard ``name``; "" for none."""
        if name == self.armed:
            return
        before, self._keyboard = self._keyboard, None
        if before is not None:
            before.close()
        self.last = None
        self._keyboard = self._open_keyboard(name, self._on_note) if name else None

    def begin(self, settings: TakeSettings) -> Take:
        """Start the count-in and record from now on."""
        self.stop()
        take = Take(settings.meter, settings.tempo, settings.kind, settings.voice, settings.key)
        click = Click(self._output, settings.meter, settings.tempo, self._clock)
        click.start()
        self._running = take, click
        return take

    def stop(self) -> None:
        """End the take and the click."""
        running, self._running = self._running, None
        if running is not None:
            running[1].stop()

    def close(self) -> None:
        """End the take and close the keyboard."""
        self.stop()
        self.arm("")

    def _on_note(self, pitch: int, pressed: bool) -> None:
        running = self._running
        if pressed:
            self.last = pitch
        if running is not None:
            take, click = running
            take.record(click.steps(), pitch, pressed=pressed)
