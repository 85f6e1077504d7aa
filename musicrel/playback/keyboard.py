"""A MIDI keyboard as input: note events, as they are played.

Notes of all channels count except drums; pedals and wheels are ignored.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

import mido

from musicrel.playback import midi_system
from musicrel.score.midi.midi_drums import DRUMS

NO_KEYBOARD: Final = "there is no MIDI keyboard: connect one, or start the program that plays"

NoteCallback: TypeAlias = Callable[[int, bool], object]
"""Called with a pitch and True for note on, in a thread of the MIDI system."""


class Port(Protocol):
    """A source of MIDI messages."""

    def close(self) -> None:
        """Stop sending messages."""


class Keyboard:
    """One open port."""

    def __init__(self, port: Port, name: str) -> None:
        self.name: Final = name
        self._port = port

    def close(self) -> None:
        """Stop listening."""
        with contextlib.suppress(Exception):  # it may have been unplugged
            self._port.close()


def ports() -> tuple[list[str], str]:
    """List the input ports by name; if there is none, give the reason in a sentence."""
    return midi_system.ports("input", NO_KEYBOARD)


def open_keyboard(name: str, on_note: NoteCallback) -> Keyboard:
    """Open the keyboard ``name``; ``on_note`` is called with every note from now on."""
    callback = listener(on_note)
    port: Port = midi_system.open_named(
        name, lambda system: system.open_input(name, callback=callback)
    )
    return Keyboard(port, name)


def listener(on_note: NoteCallback) -> Callable[[mido.Message], None]:
    """Return a MIDI callback that forwards notes to ``on_note``; velocity 0 is note off."""

    def receive(message: mido.Message) -> None:
        if message.type in {"note_on", "note_off"} and message.channel != DRUMS:
            on_note(message.note, message.type == "note_on" and message.velocity > 0)

    return receive
