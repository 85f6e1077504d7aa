"""The tape deck: where it stands, whether it runs, what loops, and what of it is heard when.

Frames are taken some time before they are heard. So there are two ends: the *reading* end, which
moves as frames are taken, and the *heard* one, which follows as an output says they were heard.
Positions are frames from the tape's beginning. This file knows nothing of music, threads or
devices.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

_MOST_MARKS: Final = 4096


class Tape(Protocol):
    """What can be put on."""

    @property
    def frames(self) -> int:
        """How long it is."""
        ...


T = TypeVar("T", bound=Tape)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch that is read without a jump.

    Attributes:
        position: where it begins.
        frames: how long it is.
        runs: False where the tape stands still and nothing sounds.
    """

    position: int
    frames: int
    runs: bool


@dataclass(frozen=True, slots=True)
class _Mark(Generic[T]):
    """From ``taken`` frames on, ``tape`` is read at ``position``; ``jump`` counts the user's."""

    taken: int
    tape: T
    position: int
    runs: bool
    jump: int


class Transport(Generic[T]):
    """One tape at a time. Not to be used by two threads at once.

    Args:
        tape: the first one.
    """

    def __init__(self, tape: T) -> None:
        self.tape = tape
        self.position = 0
        """Where the reading end stands."""
        self.runs = False
        self.loop: tuple[int, int] | None = None
        """The first frame and the one after the last; entered from before, never from behind."""
        self.taken = 0
        """Frames taken since the last ``restart``."""
        self._jump = 0
        self._marks: deque[_Mark[T]] = deque(maxlen=_MOST_MARKS)

    def seek(self, position: int) -> None:
        """Jump to ``position``, as near as the tape has it."""
        self.position = min(max(position, 0), self.tape.frames)
        self._jump += 1

    def exchange(self, tape: T, position: int) -> None:
        """Go on with another ``tape`` at ``position``; what was taken of the old one is heard."""
        self.tape = tape
        self.position = min(max(position, 0), tape.frames)

    def restart(self, position: int) -> None:
        """Begin at ``position`` to count taken frames anew, as a newly started output does."""
        self.position = min(max(position, 0), self.tape.frames)
        self.taken = 0
        self._marks.clear()

    def advance(self, frames: int) -> list[Span]:
        """Take ``frames``; how they are read, in order. Their sum is ``frames``."""
        spans = []
        for span in self._spans(frames):
            self._note(span)
            spans.append(span)
        return spans

    def hold(self, frames: int) -> list[Span]:
        """Take ``frames`` of nothing; the tape stands still, though it is to run."""
        span = Span(position=self.position, frames=frames, runs=False)
        self._note(span)
        return [span]

    def heard_at(self, heard: float) -> tuple[T, float]:
        """Which tape was read, and where, for frame ``heard`` of all that were taken.

        After a jump it is where the jump went, until its first frame is heard.
        """
        while len(self._marks) > 1 and self._marks[1].taken <= heard:
            self._marks.popleft()
        mark = next((mark for mark in self._marks if mark.jump == self._jump), None)
        if mark is None:
            return self.tape, float(self.position)
        if mark is not self._marks[0] or not mark.runs:
            return mark.tape, float(mark.position)
        until = self._marks[1].taken if len(self._marks) > 1 else self.taken
        return mark.tape, mark.position + max(min(heard, until) - mark.taken, 0.0)

    def _spans(self, frames: int) -> Iterator[Span]:
        while frames > 0:
            turn = self._next_turn()
            if not self.runs or turn <= self.position:
                self.runs = False
                yield Span(position=self.position, frames=frames, runs=False)
                return
            span = Span(position=self.position, frames=min(frames, turn - self.position), runs=True)
            yield span
            frames -= span.frames
            self.position += span.frames
            if self.loop is not None and self.position == self.loop[1]:
                self.position = self.loop[0]

    def _next_turn(self) -> int:
        """The frame at which the tape next goes back or ends."""
        if self.loop is not None and self.position < self.loop[1]:
            return self.loop[1]
        return self.tape.frames

    def _note(self, span: Span) -> None:
        """Count ``span`` as taken, and remember it where it does not just go on."""
        last = self._marks[-1] if self._marks else None
        if last is None or not self._goes_on(last, span):
            mark = _Mark(self.taken, self.tape, span.position, span.runs, self._jump)
            self._marks.append(mark)
        self.taken += span.frames

    def _goes_on(self, last: _Mark[T], span: Span) -> bool:
        if last.tape is not self.tape or (last.runs, last.jump) != (span.runs, self._jump):
            return False
        moved = self.taken - last.taken if last.runs else 0
        return span.position == last.position + moved
