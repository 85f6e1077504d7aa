"""A player with a device and a clock that the test turns."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from musicrel.playback.player import Player
from tests.helpers.playback import PLAIN
from tests.helpers.sound import ManualClock, ManualOutput


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
