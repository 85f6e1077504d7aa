"""A player with a device and a clock that the test turns."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mido
import pytest

from musicrel.playback import midi_port
from musicrel.playback.player import Player
from tests.helpers.playback import PLAIN
from tests.helpers.sound import FakePort, ManualClock, ManualOutput, SimulatedClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def output() -> ManualOutput:
    return ManualOutput()


@pytest.fixture
def player(output: ManualOutput, clock: ManualClock) -> Iterator[Player]:
    with Player(output, clock=clock, threaded=False) as player:
        player.style = PLAIN
        yield player


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SimpleNamespace:
    """Replace the MIDI system; the ports of both directions have the same ``names``."""
    names, callbacks = ["Piano", "Synth", "Piano"], list[Any]()

    def open_port(name: str, callback: Any = None) -> FakePort:
        if name != "Piano":
            raise OSError(f"unknown port {name!r}")
        callbacks.append(callback)
        return FakePort(SimulatedClock())

    fake = SimpleNamespace(names=names, callbacks=callbacks)
    fake.get_output_names = fake.get_input_names = lambda: names
    fake.open_output = fake.open_input = open_port
    monkeypatch.setattr(midi_port, "_SEQUENCER", tmp_path)
    monkeypatch.setattr(mido, "Backend", lambda _name: fake)
    monkeypatch.setitem(sys.modules, "rtmidi", SimpleNamespace())
    return fake
