"""The audio callback's work: read stems and the metronome along the tape, and mix them smoothly.

At every jump, stop or change of tape the old sound fades into the new one; gains move gradually to
the mixer's settings. The metronome does not fade: its clicks begin at exact frames and sound to
their end.

A cache of rendered sound: chunks of one performance, kept while they are near the playhead.

The device's thread reads the chunks; another thread renders those needed next.

The transport: position, running state, loop, lead-in, and the positions of played frames.

Frames are taken some time before they are played. So there are two positions: the *read* position,
which moves as frames are taken, and the *played* one, which follows the output's report. Positions
are frames from the tape's beginning.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.score.audio import metronome
from musicrel.score.audio.metronome import NO_CLICKS
from musicrel.score.audio.mixer import Mix, limit
from musicrel.score.audio.synth import LENGTH, Synthesizer
from musicrel.score.audio.timbre import Samples
from musicrel.score.performance import Style, perform

_MAX_MARKS: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    position: int  # its first frame
    frames: int
    running: bool  # False if the tape is stopped and silent
    lead: int = 0  # frames of the lead-in that are left at its beginning; the tape stands meanwhile


@dataclass(frozen=True, slots=True)
class _Mark:
    """A discontinuity: from ``taken`` frames on, ``tape`` is read at ``position``.

    ``jump`` counts the user's jumps.
    """

    taken: int
    tape: RenderCache
    position: int
    running: bool
    lead: int
    jump: int


class Transport:
    """One tape at a time. Not thread-safe."""

    def __init__(self, tape: RenderCache) -> None:
        self.tape = tape
        self.position = 0  # the read position
        self.running = False
        self.lead = 0  # frames of the lead-in that are left; they pass before a running tape moves
        # the first frame and the one after the last; effective from before its end only.
        self.loop: tuple[int, int] | None = None
        self.taken = 0  # frames taken since the last ``restart``
        self._jump = 0
        self._marks: deque[_Mark] = deque(maxlen=_MAX_MARKS)

    def seek(self, position: int) -> None:
        self.position = min(max(position, 0), self.tape.frames)
        self.lead = 0
        self._jump += 1

    def pause(self) -> None:
        """Stop at the position; what is left of a lead-in is dropped."""
        self.running = False
        if self.lead:
            self.seek(self.position)

    def replace_tape(self, tape: RenderCache, position: int) -> None:
        self.tape = tape
        self.position = min(max(position, 0), tape.frames)

    def restart(self, position: int) -> None:
        self.position = min(max(position, 0), self.tape.frames)
        self.taken = 0
        self._marks.clear()

    def advance(self, frames: int) -> list[Span]:
        """Take ``frames`` and return the spans to read, in order; their sum is ``frames``."""
        spans = []
        for span in self._spans(frames):
            self._record(span)
            spans.append(span)
        return spans

    def hold(self, frames: int) -> list[Span]:
        span = Span(position=self.position, frames=frames, running=False)
        self._record(span)
        return [span]

    def played_at(self, played: float) -> tuple[RenderCache, float]:
        """Return the tape and the position of the taken frame ``played``.

        After a jump it is the target of the jump until its first frame is played.
        """
        while len(self._marks) > 1 and self._marks[1].taken <= played:
            self._marks.popleft()
        mark = next((mark for mark in self._marks if mark.jump == self._jump), None)
        if mark is None:
            return self.tape, float(self.position)
        if mark is not self._marks[0] or not mark.running:
            return mark.tape, float(mark.position)
        until = self._marks[1].taken if len(self._marks) > 1 else self.taken
        return mark.tape, mark.position + max(min(played, until) - mark.taken, 0.0)

    def lead_at(self, played: float) -> float:
        """Return the frames of the lead-in that are left at the taken frame ``played``."""
        self.played_at(played)  # forgets the marks before it
        for mark in reversed(self._marks):
            if mark.lead and mark.jump == self._jump:
                return max(mark.lead - max(played - mark.taken, 0.0), 0.0)
        return float(self.lead)

    def _spans(self, frames: int) -> Iterator[Span]:
        if self.running and self.lead and frames:
            count = min(frames, self.lead)
            yield Span(position=self.position, frames=count, running=False, lead=self.lead)
            self.lead -= count
            frames -= count
        while frames > 0:
            loops = self.loop is not None and self.position < self.loop[1]
            boundary = self.loop[1] if self.loop and loops else self.tape.frames
            if not self.running or boundary <= self.position:
                self.running = False
                yield Span(position=self.position, frames=frames, running=False)
                return
            span = Span(
                position=self.position, frames=min(frames, boundary - self.position), running=True
            )
            yield span
            frames -= span.frames
            self.position += span.frames
            if self.loop is not None and self.position == self.loop[1]:
                self.position = self.loop[0]

    def _record(self, span: Span) -> None:
        last = self._marks[-1] if self._marks else None
        if last is None or not self._continues(last, span):
            mark = _Mark(self.taken, self.tape, span.position, span.running, span.lead, self._jump)
            self._marks.append(mark)
        self.taken += span.frames

    def _continues(self, last: _Mark, span: Span) -> bool:
        if last.tape is not self.tape or (last.running, last.jump) != (span.running, self._jump):
            return False
        passed = self.taken - last.taken
        if last.lead or span.lead:
            return last.lead > 0 and span.lead == last.lead - passed
        return span.position == last.position + (passed if last.running else 0)


STEMS: Final = 3  # per voice: dry, reverb left, reverb right

_LOOKAHEAD: Final = 5  # chunks rendered ahead of the playhead, 1.5 seconds each
# Bytes of the chunks kept, three megabytes each: all that is needed next, and one more.
_MAX_BYTES: Final = 26_000_000


class RenderCache:
    """The sound of one piece in one style and its instruments, in chunks of ``LENGTH`` frames."""

    def __init__(
        self, chorale: Chorale, style: Style, mix: Mix, rate: int, *, clicks: bool = True
    ) -> None:
        self.chorale = chorale
        self.performance = perform(chorale, style)
        self.steps = self.performance.times.steps  # number of steps of the piece
        times = self.performance.times
        self.clicks = metronome.of_piece(chorale, style, times, rate) if clicks else NO_CLICKS
        self._synthesizer = Synthesizer(self.performance, mix, rate)
        self.frames = self._synthesizer.frames  # number of frames, the reverb's tail included
        self._render_lock = threading.Lock()
        self._chunks: dict[int, Samples] = {}

    @property
    def kept_bytes(self) -> int:
        return sum(chunk.nbytes for chunk in self._chunks.values())

    def step_at(self, frame: float) -> float:
        return self.performance.times.step_at(frame / self._synthesizer.rate)

    def frame_at(self, step: float) -> int:
        return round(self.performance.times.seconds_at(step) * self._synthesizer.rate)

    def render_next(self, position: int, loop: tuple[int, int] | None) -> bool:
        """Render the chunk needed first for a playhead at ``position``."""
        with self._render_lock:
            wanted = self._wanted_chunks(position, loop)
            first_missing = next((chunk for chunk in wanted if chunk not in self._chunks), None)
            if first_missing is None:
                return False
            self._chunks[first_missing] = self._synthesizer.stems(first_missing)
            for chunk in list(self._chunks):
                if self.kept_bytes > _MAX_BYTES and chunk not in wanted:
                    del self._chunks[chunk]
            return True

    def is_ready(self, position: int, frames: int) -> bool:
        last = min(position + frames, self.frames) - 1
        return all(chunk in self._chunks for chunk in range(position // LENGTH, last // LENGTH + 1))

    def read(self, position: int, frames: int) -> Samples:
        """Return the sound from ``position`` on, float32 (3, 4, frames): ``STEMS`` of S, A, T, B.

        Chunks not rendered and frames after the end are silent.
        """
        out = np.zeros((STEMS, len(Voice), frames), dtype=np.float32)
        done = 0
        while done < frames:
            number, offset = divmod(position + done, LENGTH)
            length = min(LENGTH - offset, frames - done)
            chunk = self._chunks.get(number)
            if chunk is not None:
                out[..., done : done + length] = chunk[..., offset : offset + length]
            done += length
        return out

    def _wanted_chunks(self, position: int, loop: tuple[int, int] | None) -> list[int]:
        """List the chunks from ``position`` on and of the loop's start, most urgent first."""
        here = position // LENGTH
        wanted_chunks = list(range(here, here + _LOOKAHEAD))
        if loop is not None:
            again = loop[0] // LENGTH
            wanted_chunks[2:2] = [again, again + 1]
        return [chunk for chunk in wanted_chunks if chunk < self._synthesizer.chunks]


FADE: Final = 1_440  # frames of a crossfade: 30 ms at 48,000 Hz
# The largest change of a gain per frame: from the default to zero in 50 ms.
GAIN_SLEW: Final = 0.1 / 2_400

# For each gain: the stem it multiplies, and the output channel.
_STEM_AND_CHANNEL: Final = ((0, 0), (0, 1), (1, 0), (2, 1))
_FADE_IN: Final = np.sin(np.linspace(0, np.pi / 2, FADE, dtype=np.float32)) ** 2


class StemReader:
    """Reads stems and crossfades at discontinuities. For the device's thread alone."""

    def __init__(self) -> None:
        self._source: RenderCache | None = None
        self._position = 0
        self._old: tuple[RenderCache | None, int] = (None, 0)
        self._faded = FADE

    def read(self, source: RenderCache | None, position: int, frames: int) -> Samples:
        """Return the next ``frames``, crossfaded from the last ones at a discontinuity."""
        if source is not self._source or (source is not None and position != self._position):
            self._old, self._faded = (self._source, self._position), 0
        self._source, self._position = source, position + frames
        sound = _read(source, position, frames)
        fading = min(FADE - self._faded, frames)
        if fading > 0:
            self._fade(sound[..., :fading])
        return sound

    def _fade(self, sound: Samples) -> None:
        """Fade the old sound out and ``sound`` (3, 4, n) in, in place."""
        length = sound.shape[-1]
        rising = _FADE_IN[self._faded : self._faded + length]
        source, position = self._old
        sound *= rising
        sound += _read(source, position, length) * (1 - rising)
        self._faded += length
        self._old = (source, position + length) if self._faded < FADE else (None, 0)


class Mixer:
    """Mixes stems to two channels, with gradual gain changes. For the device's thread alone."""

    def __init__(self, gains: Samples) -> None:
        self._now = gains

    def mix(self, stems: Samples, gains: Samples, clicks: Samples | None = None) -> Samples:
        """Mix stems (3, 4, n) by gains (4, 4), and clicks (n,), to (n, 2) within ±0.97."""
        frames = stems.shape[-1]
        reach = np.arange(1, frames + 1, dtype=np.float32) * np.float32(GAIN_SLEW)
        channels = np.zeros((2, frames), dtype=np.float32)
        if clicks is not None:
            channels += clicks
        for row, (stem, channel) in enumerate(_STEM_AND_CHANNEL):
            for voice in Voice:
                now, target = self._now[row, voice], gains[row, voice]
                channels[channel] += stems[stem, voice] * _slewed(now, target, reach)
        if frames:
            self._now = _slewed(self._now, gains, reach[-1])
        return limit(channels).T


def _slewed(now: Samples, target: Samples, reach: Samples) -> Samples:
    """Move ``now`` towards ``target`` by at most ``reach``, and reach it exactly."""
    difference = target - now
    return np.where(np.abs(difference) <= reach, target, now + np.clip(difference, -reach, reach))


def _read(source: RenderCache | None, position: int, frames: int) -> Samples:
    if source is None:
        return np.zeros((STEMS, len(Voice), frames), dtype=np.float32)
    return source.read(position, frames)
