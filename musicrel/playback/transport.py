"""The transport: position, running state, loop, lead-in, and the positions of played frames.

Frames are taken some time before they are played. So there are two positions: the *read* position,
which moves as frames are taken, and the *played* one, which follows the output's report. Positions
are frames from the tape's beginning.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

_MAX_MARKS: Final = 4096


class Tape(Protocol):
    """A recording of known length."""

    @property
    def frames(self) -> int:
        """Return the number of frames."""


T = TypeVar("T", bound=Tape)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch that is read without a jump."""

    position: int  # its first frame
    frames: int
    running: bool  # False if the tape is stopped and silent
    lead: int = 0  # frames of the lead-in that are left at its beginning; the tape stands meanwhile


@dataclass(frozen=True, slots=True)
class _Mark(Generic[T]):
    """A discontinuity: from ``taken`` frames on, ``tape`` is read at ``position``.

    ``jump`` counts the user's jumps.
    """

    taken: int
    tape: T
    position: int
    running: bool
    lead: int
    jump: int


class Transport(Generic[T]):
    """One tape at a time. Not thread-safe."""

    def __init__(self, tape: T) -> None:
        self.tape = tape
        self.position = 0
        """The read position."""
        self.running = False
        self.lead = 0
        """Frames of the lead-in that are left; they pass before a running tape moves."""
        self.loop: tuple[int, int] | None = None
        """The first frame and the one after the last; effective from before its end only."""
        self.taken = 0
        """Frames taken since the last ``restart``."""
        self._jump = 0
        self._marks: deque[_Mark[T]] = deque(maxlen=_MAX_MARKS)

    def seek(self, position: int) -> None:
        """Jump to ``position``, clipped to the tape."""
        self.position = min(max(position, 0), self.tape.frames)
        self.lead = 0
        self._jump += 1

    def pause(self) -> None:
        """Stop at the position; what is left of a lead-in is dropped."""
        self.running = False
        if self.lead:
            self.seek(self.position)

    def replace_tape(self, tape: T, position: int) -> None:
        """Continue with another ``tape`` at ``position``; frames already taken still play."""
        self.tape = tape
        self.position = min(max(position, 0), tape.frames)

    def restart(self, position: int) -> None:
        """Restart the count of taken frames at ``position``, for a newly started output."""
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
        """Take ``frames`` of silence; the tape does not move although it should run."""
        span = Span(position=self.position, frames=frames, running=False)
        self._record(span)
        return [span]

    def played_at(self, played: float) -> tuple[T, float]:
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
            boundary = self._next_boundary()
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

    def _next_boundary(self) -> int:
        """Return the frame of the loop's end or the tape's."""
        if self.loop is not None and self.position < self.loop[1]:
            return self.loop[1]
        return self.tape.frames

    def _record(self, span: Span) -> None:
        """Count ``span`` as taken, and mark it if it is a discontinuity."""
        last = self._marks[-1] if self._marks else None
        if last is None or not self._continues(last, span):
            mark = _Mark(self.taken, self.tape, span.position, span.running, span.lead, self._jump)
            self._marks.append(mark)
        self.taken += span.frames

    def _continues(self, last: _Mark[T], span: Span) -> bool:
        if last.tape is not self.tape or (last.running, last.jump) != (span.running, self._jump):
            return False
        passed = self.taken - last.taken
        if last.lead or span.lead:
            return last.lead > 0 and span.lead == last.lead - passed
        return span.position == last.position + (passed if last.running else 0)
