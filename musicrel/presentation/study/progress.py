"""Progress and remaining time of a study, as numbers and in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from musicrel.presentation.words import display_names, names

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunStatus
    from musicrel.experiment.study.study_watch import StudyStatus

_ENOUGH: Final = 0.02
"""Share of its budget after which a run gives an estimate of its time."""
_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86_400


def share(now: StudyStatus) -> float:
    """Return the finished share of the study, 0 to 1; runs count by their budget, rows equally."""
    if now.costs is not None:
        return len(now.costs.rows) / len(now.costs.study.rows)
    whole = sum(run.share for run in now.runs)
    return sum(run.progress * run.share for run in now.runs) / whole if whole else 0.0


def remaining(now: StudyStatus) -> float | None:
    """Estimate the seconds until the last run is finished; None without data for an estimate.

    The remaining share of each run times the training time of a run of its arm, times the pace of
    the last minutes, which covers evaluations, samples and runs side by side.
    """
    takes = {arm: _takes([run for run in now.runs if run.arm == arm])
             for arm in dict.fromkeys(run.arm for run in now.runs)}  # fmt: skip
    known = [seconds for seconds in takes.values() if seconds is not None]
    if not known:
        return None
    left = sum((1 - run.progress) * run.share * (takes[run.arm] or max(known)) for run in now.runs)
    return left if now.pace is None else left * now.pace


def line(now: StudyStatus) -> str:
    """Return the progress in one line, as '41 %  ·  relative, seed 1  ·  12 min left  ·  …'."""
    if now.costs is not None:
        rows = names.count(len(now.costs.study.rows), "row")
        return f"{share(now) * 100:.0f} %  ·  {len(now.costs.rows)} of {rows} measured"
    run = at_work(now)
    parts = [f"{share(now) * 100:.0f} %"]
    if run is not None and now.alive:
        training = [one for one in now.runs if one.state == "running"] or [run]
        parts.append(doing(run) if len(training) == 1 else f"{len(training)} runs side by side")
        left = remaining(now)
        if left is not None and now.state == "running":
            parts.append(f"about {duration(left)} left")
        if speed := sum(one.tokens_per_second for one in training):
            parts.append(f"{speed:,.0f} tokens/s")
        if size := sum(one.memory for one in training):
            parts.append(memory(size))
    done = sum(run.result is not None for run in now.runs)
    parts.append(f"{done} of {names.count(len(now.runs), 'run')} done")
    return "  ·  ".join(parts)


def at_work(now: StudyStatus) -> RunStatus | None:
    order = (("running", "paused"), ("stopped", "cancelled", "crashed"), ("queued",))
    return next((run for wanted in order for run in now.runs if run.state in wanted), None)


def doing(run: RunStatus) -> str:
    """Return the activity of a run, as 'Relative, seed 1: step 120'."""
    if run.evaluating is not None:
        split, done, pieces = run.evaluating
        split = names.SPLITS.get(split, split)
        return f"{arm(run)}, seed {run.seed}: evaluating {split}, {done} of {pieces}"
    return f"{arm(run)}, seed {run.seed}: step {run.step:,}"


def arm(run: RunStatus) -> str:
    """Return the name of a run's arm, with the learning rate that a trial tries."""
    rate = "" if run.rate is None else f", rate {run.rate:g}"
    return display_names.arm(run.arm) + rate


def duration(seconds: float) -> str:
    """Return a duration in seconds, as '40 s', '12 min', '3 h 20 min', '2 d 4 h'."""
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
    """Return a size in bytes, as '412 MB' or '1.2 GB'."""
    giga = 1e9
    return f"{size / giga:.1f} GB" if size >= giga else f"{size / 1e6:,.0f} MB"


def _takes(runs: Sequence[RunStatus]) -> float | None:
    known = [
        run.seconds / (run.progress * run.share)
        for run in runs
        if run.progress > _ENOUGH and run.seconds
    ]
    return sum(known) / len(known) if known else None
