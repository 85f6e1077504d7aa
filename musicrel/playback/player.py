"""The player: a piece, a playhead, a mixer. All times are steps of one sixteenth.

Controlled and queried from one thread; queries are cheap enough for every frame of a screen. The
playhead is the position that the output reports, never a timer's estimate. Without a device it
moves as well, and ``problem`` gives the reason for the silence.
"""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from typing import Final, Protocol

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.playback.audio import MiniaudioOutput, Output, TimeSource
from musicrel.playback.audio_callback import RenderCache
from musicrel.playback.engine import Engine
from musicrel.playback.midi_port import ClickTimes
from musicrel.score.audio import metronome
from musicrel.score.audio.metronome import NO_CLICKS, Clicks, Metronome
from musicrel.score.audio.mixer import Mix, gains
from musicrel.score.performance import Performance, Style, perform

MIN_LOOP_STEPS: Final = 1.0  # in steps
# Distance in steps of a playhead that stands at the start of the piece or of the loop.
_NEAR: Final = 0.01


class Follower(Protocol):
    def play(
        self,
        performance: Performance,
        start: float,
        loop: tuple[float, float] | None,
        mix: Mix,
        clicks: ClickTimes,
    ) -> None:
        """Start at second ``start``, after the count-in; repeat the seconds of ``loop``."""

    def set_metronome(self, metronome: Metronome) -> None:
        """Apply the metronome."""

    def set_mix(self, mix: Mix) -> None:
        """Apply the mixer."""

    def stop(self) -> None:
        """Stop; allowed without a start."""

    def problem(self) -> str:
        """Return a sentence about what went wrong, or ""."""


class Player(AbstractContextManager["Player"]):
    """Plays one chorale at a time."""

    def __init__(
        self,
        output: Output | None = None,
        *,
        clock: TimeSource = time.perf_counter,
        threaded: bool = True,
    ) -> None:
        self._device: Output = output or MiniaudioOutput()
        self._style, self._mix, self._metronome = Style(), Mix(), Metronome()
        self._loop: tuple[float, float] | None = None
        self._has_clicks = True
        # the MIDI port that replaces the audio output; set by ``route``.
        self.follower: Follower | None = None
        self._spare: RenderCache | None = None
        self._engine = Engine(self._device, gains(self._mix), clock, threaded=threaded)

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def chorale(self) -> Chorale | None:
        return self._engine.cache.chorale if self._engine.cache else None

    @property
    def position(self) -> float:
        """Return the step that is played now, fractions included; 0 without a piece."""
        return self._engine.step()

    @property
    def playing(self) -> bool:
        return self._engine.running

    @property
    def problem(self) -> str:
        return (self.follower.problem() if self.follower else "") or self._engine.problem

    @property
    def performance(self) -> Performance | None:
        return self._engine.cache.performance if self._engine.cache else None

    @property
    def mix(self) -> Mix:
        return self._mix

    @mix.setter
    def mix(self, mix: Mix) -> None:
        before, self._mix = self._mix, mix
        self._engine.set_gains(gains(mix))
        self._set_click_levels()
        if (before.sounds, before.soundfont) != (mix.sounds, mix.soundfont):
            self._reload()
        elif self.follower is not None:
            self.follower.set_mix(mix)

    @property
    def metronome(self) -> Metronome:
        return self._metronome

    @metronome.setter
    def metronome(self, settings: Metronome) -> None:
        self._metronome = settings
        self._set_click_levels()
        if self.follower is not None:
            self.follower.set_metronome(settings)

    @property
    def count_in(self) -> float:
        """Return the steps of the count-in that are left until the piece begins; 0 without one."""
        _, left = self._engine.count_in
        if not left or self.chorale is None:
            return 0.0
        tempo = self.chorale.tempo * self._style.tempo_factor
        return left / self._device.rate / metronome.step_seconds(tempo)

    @property
    def style(self) -> Style:
        return self._style

    @style.setter
    def style(self, style: Style) -> None:
        changed = style != self._style
        self._style = style
        if changed:
            self._reload()

    @property
    def loop(self) -> tuple[float, float] | None:
        """Return the repeated steps, half-open, or None."""
        return self._loop

    @loop.setter
    def loop(self, steps: tuple[float, float] | None) -> None:
        """Repeat ``steps`` once the playhead is in or before them; None: continue at their end."""
        if steps is not None and not (steps[0] >= 0 and steps[1] - steps[0] >= MIN_LOOP_STEPS):
            raise UsageError(
                f"steps {steps[0]:g}:{steps[1]:g} cannot be repeated: expected a start from 0 and "
                f"a stop at least {MIN_LOOP_STEPS:g} later"
            )
        self._loop = steps
        self._engine.set_loop(steps)
        self._update_follower()

    def load(
        self, chorale: Chorale, *, keep_position: bool = True, has_clicks: bool = True
    ) -> None:
        """Load another piece; a running player continues with it.

        Args:
            keep_position: leave the playhead at its step, or at the end of a shorter piece; False
                moves it to the beginning.
            has_clicks: False plays it without the metronome.
        """
        before, spare = self._engine.cache, self._spare
        fits = spare is not None and spare.chorale is chorale and has_clicks == self._has_clicks
        self._has_clicks = has_clicks
        if spare is not None and fits:
            cache, self._spare = spare, before
        else:
            cache = self._rendered(chorale)
        self._engine.load(cache, rewind=not keep_position)
        self._engine.prepare(self._spare)
        self._update_follower()

    def prepare(self, chorale: Chorale | None) -> None:
        """Render another piece at the playhead, too: ``load`` then plays it at once, without a gap.

        The piece that it replaces is kept ready in its place. None: no other piece.
        """
        known = self._spare.chorale if self._spare is not None else None
        if chorale is not known:
            self._spare = None if chorale is None else self._rendered(chorale)
            self._engine.prepare(self._spare)

    def play(self, step: float | None = None, *, count_in: bool = False) -> None:
        """Play, if there is a piece."""
        if step is not None:
            self._engine.seek(step)
        self._engine.play(self._count_in if count_in else None)
        self._update_follower()

    def pause(self) -> None:
        self._engine.pause()
        self._update_follower()

    @property
    def previewing(self) -> bool:
        """Return True if a preview sounds or is about to; unknown with a MIDI port."""
        return self._engine.preview is not None

    def preview(self, chorale: Chorale) -> None:
        """Let a short piece sound once while the player stands; nothing but the sound changes.

        Piece, playhead and loop stay. Without a piece, and while the player plays, nothing sounds;
        ``play`` ends the sound.
        """
        if self.chorale is None or self.playing:
            return
        if self.follower is not None:
            self.follower.play(perform(chorale, Style()), 0.0, None, self._mix, ClickTimes())
            return
        cache = RenderCache(chorale, Style(), self._mix, self._device.rate, clicks=False)
        self._engine.start_preview(cache)

    def stop_preview(self) -> None:
        self._engine.stop_preview()
        if self.follower is not None and not self.playing:
            self.follower.stop()

    def stop(self) -> None:
        self._engine.pause()
        self.seek(self._loop[0] if self._loop else 0.0)

    def seek(self, step: float) -> None:
        self._engine.seek(step)
        self._update_follower()

    def route(self, follower: Follower | None) -> None:
        """Play through ``follower`` instead of the audio output; None: through audio again."""
        if self.follower is not None:
            self.follower.stop()
        self.follower = follower
        if follower is not None:
            follower.set_metronome(self._metronome)
        self._engine.set_audio_off(audio_off=follower is not None)
        self._update_follower()

    def work(self) -> bool:
        """Render one chunk ahead; for a player without a thread."""
        return self._engine.work()

    def close(self) -> None:
        if self.follower is not None:
            self.follower.stop()
        self._engine.close()

    def _count_in(self, step: float) -> Clicks:
        """Return the count-in before ``step``; none where the metronome has none."""
        starts, wanted = (0.0, self._loop[0] if self._loop else 0.0), self._metronome.count_in
        at_start = any(abs(step - start) < _NEAR for start in starts)
        if self.chorale is None or not (wanted == "always" or (wanted == "start" and at_start)):
            return NO_CLICKS
        return metronome.count_in(self.chorale, self._style, step, self._device.rate)

    def _set_click_levels(self) -> None:
        level = self._metronome.level * self._mix.volume
        self._engine.set_click_levels(level if self._metronome.on else 0.0, level)

    def _rendered(self, chorale: Chorale) -> RenderCache:
        rate, has_clicks = self._device.rate, self._has_clicks
        return RenderCache(chorale, self._style, self._mix, rate, clicks=has_clicks)

    def _reload(self) -> None:
        other = self._spare.chorale if self._spare is not None else None
        self._spare = None
        if self.chorale is not None:
            self.load(self.chorale, has_clicks=self._has_clicks)
        self.prepare(other)

    def _update_follower(self) -> None:
        cache, performance = self._engine.cache, self.performance
        if self.follower is None or cache is None or performance is None:
            return
        if not self._engine.running:
            self.follower.stop()
            return
        second = performance.times.seconds_at
        loop = (second(self._loop[0]), second(self._loop[1])) if self._loop else None
        clicks = ClickTimes.of(cache.clicks, *self._engine.count_in, self._device.rate)
        self.follower.play(performance, second(self.position), loop, self._mix, clicks)
