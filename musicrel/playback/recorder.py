"""Keyboard, click and take together: one plays along, and it is written down.

A keyboard is armed first, so that its player can try it; then a take begins with its click. Keys
are told in a thread of the MIDI system and get the click's time there and then. This file knows
what belongs together; it knows nothing of windows.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from musicrel.chorale import Key, Meter, Voice
from musicrel.playback import keyboard
from musicrel.playback.audio import Output, Seconds
from musicrel.playback.click import Click
from musicrel.playback.keyboard import Hear, Keyboard
from musicrel.playback.take import Kind, Take

Ports: TypeAlias = Callable[[], tuple[list[str], str]]
Opening: TypeAlias = Callable[[str, Hear], Keyboard]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How one wants to play.

    Attributes:
        kind: a melody, or chords of four voices.
        voice: who sings a melody.
        meter: of the click.
        tempo: of the click, quarters a minute.
        key: of the piece, None where it is not known.
    """

    kind: Kind
    voice: Voice
    meter: Meter
    tempo: float
    key: Key | None = None


class Recorder:
    """Listens to one keyboard at a time, and makes one take after another.

    Args:
        output: where the click is heard.
        ports: the keyboards there are, and why there is none.
        opening: opens one of them.
        clock: seconds.
    """

    def __init__(
        self,
        output: Output,
        *,
        ports: Ports = keyboard.ports,
        opening: Opening = keyboard.open_keyboard,
        clock: Seconds = time.perf_counter,
    ) -> None:
        self.ports: Final = ports
        self._output, self._opening, self._clock = output, opening, clock
        self._keyboard: Keyboard | None = None
        self._running: tuple[Take, Click] | None = None
        self.last: int | None = None
        """The pitch that was struck last on the armed keyboard."""

    @property
    def armed(self) -> str:
        """The keyboard that is listened to, "" where none is."""
        return self._keyboard.name if self._keyboard is not None else ""

    @property
    def running(self) -> bool:
        """Whether a take is being made."""
        return self._running is not None

    @property
    def step(self) -> float:
        """Sixteenths since the first click of the count-in; 0 without a take."""
        return self._running[1].steps() if self._running is not None else 0.0

    @property
    def problem(self) -> str:
        """Why the click is silent, one sentence; "" where it is not."""
        return self._running[1].problem if self._running is not None else ""

    def arm(self, name: str) -> None:
        """Listen to the keyboard ``name``, "": to none.

        Raises:
            DeviceError: it is not there, or another program has it for itself.
        """
        if name == self.armed:
            return
        before, self._keyboard = self._keyboard, None
        if before is not None:
            before.close()
        self.last = None
        self._keyboard = self._opening(name, self._hear) if name else None

    def begin(self, asked: Asked) -> Take:
        """Count in, and write down what is played from now on."""
        self.stop()
        take = Take(asked.meter, asked.tempo, asked.kind, asked.voice, asked.key)
        click = Click(self._output, asked.meter, asked.tempo, self._clock)
        click.start()
        self._running = take, click
        return take

    def stop(self) -> None:
        """End the take, and the click."""
        running, self._running = self._running, None
        if running is not None:
            running[1].stop()

    def close(self) -> None:
        """End the take and give the keyboard back."""
        self.stop()
        self.arm("")

    def _hear(self, pitch: int, begins: bool) -> None:
        running = self._running
        if begins:
            self.last = pitch
        if running is not None:
            take, click = running
            take.hear(click.steps(), pitch, begins=begins)
