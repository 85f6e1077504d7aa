"""A campaign of mutations: each must give a good result or an error of ours, soon and in bounds."""

from __future__ import annotations

import faulthandler
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from musicrel.errors import MusicrelError
from tests.faults.formats import Format

MAX_SECONDS: Final = 2.0
"""Processor time of one file."""
MAX_GROWTH: Final = 300_000_000
"""Growth of the memory of the process in bytes."""
_HANGS_AFTER: Final = 60
_WATCHED: Final = 10
"""Files between two settings of the watchdog."""
_MAX_MESSAGE: Final = 1_100
_SOCKETS: Final = ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.bind")


@dataclass(slots=True)
class Findings:
    """The result of a campaign.

    Attributes:
        outcomes: number of files by format and outcome: good, refused, fault.
        faults: a line for each file that was handled wrongly, with the number that repeats it.
        slowest: the longest processor time of a file in seconds, by format.
        growth: growth of the peak of memory in bytes.
    """

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest: dict[str, float] = field(default_factory=dict)
    growth: int = 0

    @property
    def files(self) -> int:
        return sum(self.outcomes.values())


def run(
    formats: Mapping[str, Format], numbers: Sequence[int], seed: int, folder: Path
) -> Iterator[Findings]:
    """Read a mutated file of every format for every number; yield the findings so far.

    Args:
        formats: by name.
        numbers: each gives one file of each format, the same at any time.
        seed: of all choices.
        folder: an empty folder for the files.
    """
    found = Findings()
    for name, kind in sorted(formats.items()):
        work = folder / name
        work.mkdir(parents=True)
        seeds = kind.seeds(work)
        for content in seeds:
            kind.read(content, work)  # also fills the caches, whose memory is no growth
        before = _peak()
        for number in numbers:
            if number % _WATCHED == 0:
                faulthandler.dump_traceback_later(_HANGS_AFTER, exit=True)
            rng = np.random.default_rng([seed, number, sum(name.encode())])
            content = kind.mutated(seeds, rng)
            _check(partial(kind.read, content, work), name, number, found)
        found.growth = max(found.growth, _peak() - before)
        if _peak() - before > MAX_GROWTH:
            found.faults.append(f"{name}: memory grew by {_peak() - before:,} bytes")
        yield found
    faulthandler.cancel_dump_traceback_later()


def _check(read: Callable[[], object], name: str, number: int, found: Findings) -> None:
    begin, outcome, problem = time.process_time(), "good", ""
    try:
        read()
    except MusicrelError as reason:
        outcome, problem = "refused", _problem_of(str(reason))
    except Exception as reason:  # noqa: BLE001  # each one is a fault
        problem = f"{type(reason).__name__}: {str(reason)[:100]!r} at {_place(reason)}"
    seconds = time.process_time() - begin
    found.slowest[name] = max(found.slowest.get(name, 0.0), seconds)
    if seconds > MAX_SECONDS:
        problem = problem or f"it took {seconds:.1f} s"
    if problem:
        found.faults.append(f"{name} {number}: {problem}")
    found.outcomes[name, "fault" if problem else outcome] += 1


def _problem_of(message: str) -> str:
    if not message.strip() or len(message) > _MAX_MESSAGE or not message.isprintable():
        return f"a message that cannot be shown: {message[:80]!r}"
    return ""


def _place(reason: BaseException) -> str:
    trace, place = reason.__traceback__, ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        place = f"{Path(file).name}:{trace.tb_lineno}" if "musicrel" in file else place
        trace = trace.tb_next
    return place


def _peak() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


@contextmanager
def sockets_opened() -> Iterator[list[str]]:
    used: list[str] = []
    active = [True]

    def note(event: str, _arguments: tuple[Any, ...]) -> None:
        if active[0] and event in _SOCKETS:
            used.append(event)

    sys.addaudithook(note)
    try:
        yield used
    finally:
        active[0] = False  # a hook cannot be removed
