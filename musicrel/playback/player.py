"""The player: a piece, a playhead, a mixer. All times are steps of one sixteenth.

Steered and asked from one thread; asking is cheap enough for every frame of a screen. The playhead
is where the output says it is, never where a timer guesses. Without a device it moves all the
same, and ``problem`` says what is missing. This file knows nothing of windows.
"""

from __future__ import annotations

import time
from types import TracebackType
from typing import Final, Protocol, Self

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.playback.audio import Miniaudio, Output, Seconds
from musicrel.playback.engine import Engine
from musicrel.playback.render_cache import Stock
from musicrel.score.audio.mixer import Mix, gains
from musicrel.score.performance import Performance, Style

SHORTEST_LOOP: Final = 1.0
"""Steps."""


class Follower(Protocol):
    """What plays instead of the sound: a MIDI port."""

    def play(
        self, performance: Performance, start: float, loop: tuple[float, float] | None, mix: Mix
    ) -> None:
        """Begin at second ``start``, now; repeat the seconds of ``loop``."""
        ...

    def set_mix(self, mix: Mix) -> None:
        """Follow the mixer."""
        ...

    def stop(self) -> None:
        """Be silent; also without a start."""
        ...

    def problem(self) -> str:
        """What went wrong, in one sentence; empty where all is well."""
        ...


class Player:
    """Plays one chorale at a time.

    Args:
        output: where sound goes; None: this computer's default device.
        clock: seconds; moves the playhead where there is no device.
        threaded: make sound ahead in a thread; False leaves that to calls of ``work``.
    """

    def __init__(
        self,
        output: Output | None = None,
        *,
        clock: Seconds = time.perf_counter,
        threaded: bool = True,
    ) -> None:
        self._device: Output = output or Miniaudio()
        self._style, self._mix = Style(), Mix()
        self._loop: tuple[float, float] | None = None
        self._follower: Follower | None = None
        self._engine = Engine(self._device, gains(self._mix), clock, threaded=threaded)

    def __enter__(self) -> Self:
        """The player itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    @property
    def chorale(self) -> Chorale | None:
        """The piece loaded last."""
        return self._engine.stock.chorale if self._engine.stock else None

    @property
    def position(self) -> float:
        """The step that is heard now, fractions included; 0 without a piece."""
        return self._engine.step()

    @property
    def playing(self) -> bool:
        """Whether the playhead moves or is about to."""
        return self._engine.runs

    @property
    def problem(self) -> str:
        """What keeps the sound away, in one sentence; empty where all is well."""
        return (self._follower.problem() if self._follower else "") or self._engine.problem

    @property
    def performance(self) -> Performance | None:
        """When each step and note comes, as the piece is played now."""
        return self._engine.stock.performance if self._engine.stock else None

    @property
    def mix(self) -> Mix:
        """How the mixer is set."""
        return self._mix

    @mix.setter
    def mix(self, mix: Mix) -> None:
        """Set the mixer; heard when the device has played what it already took."""
        before, self._mix = self._mix, mix
        self._engine.set_gains(gains(mix))
        if before.sound != mix.sound:
            self._renew()
        elif self._follower is not None:
            self._follower.set_mix(mix)

    @property
    def style(self) -> Style:
        """Tempo and fermatas."""
        return self._style

    @style.setter
    def style(self, style: Style) -> None:
        """Play on at the same step in another tempo."""
        changed = style != self._style
        self._style = style
        if changed:
            self._renew()

    @property
    def loop(self) -> tuple[float, float] | None:
        """The steps that are repeated, half-open, or None."""
        return self._loop

    @loop.setter
    def loop(self, steps: tuple[float, float] | None) -> None:
        """Repeat ``steps`` once the playhead is in or before them; None: go on at their end.

        Raises:
            UsageError: the range is shorter than ``SHORTEST_LOOP`` or begins before 0.
        """
        if steps is not None and not (steps[0] >= 0 and steps[1] - steps[0] >= SHORTEST_LOOP):
            raise UsageError(
                f"steps {steps[0]:g}:{steps[1]:g} cannot be repeated: expected a start from 0 and "
                f"a stop at least {SHORTEST_LOOP:g} later"
            )
        self._loop = steps
        self._engine.set_loop(steps)
        self._follow()

    def load(self, chorale: Chorale, *, keep_position: bool = True) -> None:
        """Take another piece; if one plays, the new one plays on.

        Args:
            chorale: the piece.
            keep_position: leave the playhead at its step, or at the end of a shorter piece; False
                puts it at the beginning.
        """
        stock = Stock(chorale, self._style, self._mix.sound, self._device.rate)
        self._engine.put_on(stock, rewind=not keep_position)
        self._follow()

    def play(self, step: float | None = None) -> None:
        """Play from ``step``; None: from the playhead, or from the beginning if it is at the end.

        Does nothing without a piece.
        """
        if step is not None:
            self._engine.seek(step)
        self._engine.play()
        self._follow()

    def pause(self) -> None:
        """Stand still; the playhead stays where it is heard last."""
        self._engine.pause()
        self._follow()

    def stop(self) -> None:
        """Stand still at the beginning, of the loop where there is one."""
        self._engine.pause()
        self.seek(self._loop[0] if self._loop else 0.0)

    def seek(self, step: float) -> None:
        """Put the playhead at ``step``, or as near as the piece has it."""
        self._engine.seek(step)
        self._follow()

    def route(self, follower: Follower | None) -> None:
        """Play through ``follower`` instead of the sound; None: through the sound again."""
        if self._follower is not None:
            self._follower.stop()
        self._follower = follower
        self._engine.set_soundless(soundless=follower is not None)
        self._follow()

    def work(self) -> bool:
        """Make one piece of what will be heard; for a player without a thread."""
        return self._engine.work()

    def close(self) -> None:
        """Be silent for good; the player cannot be used again."""
        if self._follower is not None:
            self._follower.stop()
        self._engine.close()

    def _renew(self) -> None:
        """Load the same piece as style and mixer now are."""
        if self.chorale is not None:
            self.load(self.chorale)

    def _follow(self) -> None:
        """Let the follower play what the engine plays, or be silent as it is."""
        performance = self.performance
        if self._follower is None or performance is None:
            return
        if not self._engine.runs:
            self._follower.stop()
            return
        second = performance.times.seconds_at
        loop = (second(self._loop[0]), second(self._loop[1])) if self._loop else None
        self._follower.play(performance, second(self.position), loop, self._mix)
