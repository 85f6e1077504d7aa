"""A player with a device and a clock that the test turns."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from musicrel.playback.player import Player
from tests.helpers.playback import PLAIN
from tests.helpers.sound import ManualClock, ManualOutput


@pytest.fixture
def clock() -> ManualClock:
    """Return the clock for playback without a device."""
    return ManualClock()


@pytest.fixture
def output() -> ManualOutput:
    """Return a device that the test turns."""
    return ManualOutput()


@pytest.fixture
def player(output: ManualOutput, clock: ManualClock) -> Iterator[Player]:
    """Return a player without a thread, fermatas as written."""
    with Player(output, clock=clock, threaded=False) as player:
        player.style = PLAIN
        yield player
