"""A MIDI keyboard: tells which keys are struck and let go, as it happens.

Notes of all channels count but those of drums; pedals and wheels do not. This file knows ports that
one plays into; it knows nothing of time or of what becomes of the notes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

import mido

from musicrel.playback import midi_system
from musicrel.score.midi.midi_reader import DRUMS

NO_KEYBOARD: Final = "there is no MIDI keyboard: connect one, or start the program that plays"

Hear: TypeAlias = Callable[[int, bool], object]
"""Told a pitch and whether it begins, in a thread of the MIDI system."""


class Port(Protocol):
    """Where messages come from."""

    def close(self) -> None:
        """Tell no more."""
        ...


class Keyboard:
    """One open port.

    Args:
        port: tells its messages until it is closed.
        name: what the user knows it by.
    """

    def __init__(self, port: Port, name: str) -> None:
        self.name: Final = name
        self._port = port

    def close(self) -> None:
        """Hear no more."""
        with contextlib.suppress(Exception):  # it may have been unplugged
            self._port.close()


def ports() -> tuple[list[str], str]:
    """The names of the ports one can play on; where there is none, a sentence that says why."""
    return midi_system.ports(_names, NO_KEYBOARD)


def open_keyboard(name: str, hear: Hear) -> Keyboard:
    """The keyboard called ``name``, which tells ``hear`` what is played from now on.

    Raises:
        DeviceError: it is not there, or another program has it for itself.
    """
    told = listener(hear)
    port: Port = midi_system.opened(name, lambda system: system.open_input(name, callback=told))
    return Keyboard(port, name)


def listener(hear: Hear) -> Callable[[mido.Message], None]:
    """What tells ``hear`` those messages that are notes; one of velocity 0 ends its note."""

    def receive(message: mido.Message) -> None:
        if message.type in {"note_on", "note_off"} and message.channel != DRUMS:
            hear(message.note, message.type == "note_on" and message.velocity > 0)

    return receive


def _names(system: Any) -> list[str]:
    names: list[str] = system.get_input_names()
    return names
