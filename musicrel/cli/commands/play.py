"""``musicrel play``: a piece is heard, until its end or Ctrl+C.

This file knows arguments and the terminal; how a piece is played stands in ``musicrel.playback``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from musicrel.cli import output
from musicrel.cli.options import source_file
from musicrel.errors import UsageError

if TYPE_CHECKING:
    from musicrel.chorale import Chorale
    from musicrel.playback.player import Player

_LOOK_EVERY: Final = 0.1
"""Seconds between two looks at the playhead."""


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("source", type=Path, metavar="FILE", help="a piece: MIDI, MusicXML or JSON")
    parser.add_argument(
        "--sound", choices=("choir", "organ"), default="choir", help="who plays (default: choir)"
    )
    parser.add_argument("--tempo", type=float, help="quarters a minute (default: as written)")
    parser.add_argument(
        "--as-written", action="store_true", help="hold fermatas no longer than they are written"
    )


def run(asked: argparse.Namespace) -> int:
    """Play; the exit code."""
    from dataclasses import replace

    from musicrel.playback.player import Player
    from musicrel.presentation.compose import position_text
    from musicrel.score.performance import FERMATA_STRETCH, Style

    piece = source_file.read(asked.source)
    slowest, fastest = position_text.tempo_bounds(piece.tempo)
    if asked.tempo is not None and not slowest <= asked.tempo <= fastest:
        raise UsageError(
            f"tempo is {asked.tempo:g}: expected {slowest} to {fastest} quarters a minute"
        )
    style = Style(
        tempo_factor=asked.tempo / piece.tempo if asked.tempo else 1.0,
        fermata_stretch=1.0 if asked.as_written else FERMATA_STRETCH,
    )
    with Player() as player:
        player.style = style
        player.mix = replace(player.mix, sound=asked.sound)
        listen(player, piece)
    return 0


def listen(player: Player, piece: Chorale, wait: Callable[[float], object] = time.sleep) -> None:
    """Play ``piece`` to its end and show where it is.

    Args:
        player: without a piece.
        piece: what is played.
        wait: lets seconds pass.

    Raises:
        DeviceError: nothing can be heard here, or no longer.
    """
    from musicrel.playback.audio import DeviceError
    from musicrel.presentation.compose import position_text

    player.load(piece)
    player.play()
    seconds = player.performance.times.seconds if player.performance else 0.0
    with output.Progress(piece.title or "playing", round(seconds), "s") as progress:
        while player.playing:
            wait(_LOOK_EVERY)
            if player.problem:
                raise DeviceError(player.problem)
            times = player.performance.times if player.performance else None
            reached = times.seconds_at(player.position) if times else 0.0
            place = position_text.place(
                min(player.position, piece.steps - 1.0), piece.meter, piece.pickup
            )
            progress.reach(int(reached), f"bar {place}")
