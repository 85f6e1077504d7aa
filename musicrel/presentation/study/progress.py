"""How far a study has come and how long it will take, as numbers and in words.

This file knows runs as they stand; it knows nothing of where this is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from musicrel.presentation.words import names

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunNow
    from musicrel.experiment.study.study_watch import StudyNow

_ENOUGH: Final = 0.02
"""Share of its budget after which a run tells how long it will take."""
_ENOUGH_SECONDS: Final = 5.0
_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86_400


def share(now: StudyNow) -> float:
    """How much of the study is done, 0 to 1; all runs count alike, and so do measured rows."""
    if now.costs is not None:
        return len(now.costs.rows) / len(now.costs.study.rows)
    return sum(run.progress for run in now.runs) / len(now.runs) if now.runs else 0.0


def remaining(now: StudyNow) -> float | None:
    """Seconds until the last run will be done; None before that can be told.

    What is left of each run times what a run of its arm takes, times how much longer it took than
    learning alone while it was watched: evaluations and small pieces are part of it.
    """
    takes = {arm: _takes([run for run in now.runs if run.arm == arm])
             for arm in dict.fromkeys(run.arm for run in now.runs)}  # fmt: skip
    known = [seconds for seconds in takes.values() if seconds is not None]
    if not known:
        return None
    left = sum((1 - run.progress) * (takes[run.arm] or max(known)) for run in now.runs)
    slower = max(now.watched / now.learned, 1.0) if now.learned > _ENOUGH_SECONDS else 1.0
    return left * slower


def line(now: StudyNow) -> str:
    """What is going on, in one line, as in '41 %  ·  relative, seed 1  ·  12 min left  ·  …'."""
    if now.costs is not None:
        rows = names.count(len(now.costs.study.rows), "row")
        return f"{share(now) * 100:.0f} %  ·  {len(now.costs.rows)} of {rows} measured"
    run = at_work(now)
    parts = [f"{share(now) * 100:.0f} %"]
    if run is not None and now.alive:
        parts.append(doing(run))
        left = remaining(now)
        if left is not None and now.state == "running":
            parts.append(f"about {duration(left)} left")
        if run.tokens_per_second:
            parts.append(f"{run.tokens_per_second:,.0f} tokens/s")
        if run.memory:
            parts.append(memory(run.memory))
    done = sum(run.result is not None for run in now.runs)
    parts.append(f"{done} of {names.count(len(now.runs), 'run')} done")
    return "  ·  ".join(parts)


def at_work(now: StudyNow) -> RunNow | None:
    """The run that is being made, or would be made next."""
    for wanted in (("running", "paused"), ("stopped", "cancelled", "crashed"), ("queued",)):
        for run in now.runs:
            if run.state in wanted:
                return run
    return None


def doing(run: RunNow) -> str:
    """What a run is at, as in 'relative, seed 1: step 120'."""
    if run.evaluating is not None:
        split, done, pieces = run.evaluating
        return f"{run.arm}, seed {run.seed}: evaluating {split}, {done} of {pieces}"
    return f"{run.arm}, seed {run.seed}: step {run.step:,}"


def duration(seconds: float) -> str:
    """A time, as in '40 s', '12 min', '3 h 20 min', '2 d 4 h'."""
    if seconds < _MINUTE:
        return f"{max(round(seconds), 1)} s"
    minutes = round(seconds / _MINUTE)
    if seconds < _HOUR:
        return f"{minutes} min"
    if seconds < _DAY:
        return f"{minutes // 60} h {minutes % 60:02d} min"
    hours = round(seconds / _HOUR)
    return f"{hours // 24} d {hours % 24} h"


def memory(size: int) -> str:
    """A size in bytes, as in '412 MB' or '1.2 GB'."""
    giga = 1e9
    return f"{size / giga:.1f} GB" if size >= giga else f"{size / 1e6:,.0f} MB"


def _takes(runs: Sequence[RunNow]) -> float | None:
    """Seconds of learning that a run of an arm takes."""
    known = [run.seconds / run.progress for run in runs if run.progress > _ENOUGH and run.seconds]
    return sum(known) / len(known) if known else None
