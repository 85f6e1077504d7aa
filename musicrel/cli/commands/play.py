"""``musicrel play``: play a piece to its end, or until Ctrl+C."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from musicrel.chorale import Chorale
from musicrel.cli import output
from musicrel.cli.options import arguments, source_file
from musicrel.cli.options.arguments import argument, flag
from musicrel.errors import UsageError

if TYPE_CHECKING:
    from musicrel.playback.player import Player

_POLL_SECONDS: Final = 0.1  # time between two readings of the playhead


def add(parser: argparse.ArgumentParser) -> None:
    tempo = argument(
        "--tempo",
        "quarter notes per minute (default: that of the piece)",
        arguments.number("played tempo", "tempo"),
    )
    written = flag("--as-written", "hold fermatas no longer than written")
    own = (arguments.a_piece(), *arguments.SOUND, tempo, written)
    arguments.add(parser, (*own, *arguments.METRONOME))


def run(options: argparse.Namespace) -> int:
    from musicrel.playback.player import Player
    from musicrel.presentation.compose import position_text
    from musicrel.score.performance import FERMATA_STRETCH, Style

    piece = source_file.read(options.source)
    slowest, fastest = position_text.tempo_bounds(piece.tempo)
    if options.tempo is not None and not slowest <= options.tempo <= fastest:
        raise UsageError(
            f"tempo is {options.tempo:g}: expected {slowest} to {fastest} quarters per minute"
        )
    style = Style(
        tempo_factor=options.tempo / piece.tempo if options.tempo else 1.0,
        fermata_stretch=1.0 if options.as_written else FERMATA_STRETCH,
    )
    mix = arguments.mix(options)
    with Player() as player:
        player.style = style
        player.mix = mix
        player.metronome = arguments.metronome(options)
        play_to_end(player, piece)
    return 0


def play_to_end(
    player: Player, piece: Chorale, wait: Callable[[float], object] = time.sleep
) -> None:
    """Play ``piece`` to its end and show the position in a progress bar."""
    from musicrel.playback.audio import DeviceError
    from musicrel.presentation.compose import position_text

    player.load(piece)
    player.play(count_in=True)
    seconds = player.performance.times.seconds if player.performance else 0.0
    with output.ProgressBar(piece.title or "playing", round(seconds), "s") as bar:
        while player.playing:
            wait(_POLL_SECONDS)
            if player.problem:
                break
            times = player.performance.times if player.performance else None
            reached = times.seconds_at(player.position) if times else 0.0
            place = position_text.bar_and_beat(
                min(player.position, piece.steps - 1.0), piece.meter, piece.pickup
            )
            bar.set_done(int(reached), f"bar {place}")
    if player.problem:
        raise DeviceError(player.problem)
