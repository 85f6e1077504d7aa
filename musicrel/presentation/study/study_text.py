"""Texts about studies and their runners, the actions each state permits, the order of the queue."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from musicrel.experiment.runners import runner_choice
from musicrel.experiment.study import statistics
from musicrel.model.card import WITHOUT_NOTES
from musicrel.presentation.study import progress
from musicrel.presentation.words import display_names, names

if TYPE_CHECKING:
    from musicrel.experiment.runs.events import Node
    from musicrel.experiment.study.study_folder import Kind
    from musicrel.experiment.study.study_watch import RunName, State, StudyStatus

Action = Literal["start", "pause", "resume", "stop", "cancel"]

STATES: Final[Mapping[State, tuple[str, str]]] = {
    "queued": ("◌", "Waiting in the queue"),
    "running": ("▶", "Running"),
    "paused": ("‖", "Paused"),
    "stopped": ("■", "Stopped and saved"),
    "cancelled": ("■", "Cancelled"),
    "finished": ("✓", "Finished"),
    "crashed": ("!", "Interrupted"),
    "failed": ("✕", "Failed"),
    "unreadable": ("✕", "Cannot be read"),
    "gone": ("✕", "Deleted"),
}
"""A symbol and a text for each state; the symbol distinguishes states without colour."""
_MANY: Final = 5
"""Arms whose sizes are listed one by one at most; more would fill half of a small window."""
_FIXED: Final[Mapping[State, str]] = {
    "running": "The study is running: stop it first",
    "paused": "The study is paused and its process is waiting: stop it first",
    "gone": "The folder was deleted",
}
UNREADABLE: Final = "Cannot be read"
_ENDS: Final[Mapping[State, str]] = {
    "finished": "finished",
    "failed": "failed",
    "crashed": "was interrupted",
    "stopped": "was stopped and saved",
    "cancelled": "was cancelled; it can be resumed from its last checkpoint",
}
PENDING: Final[Mapping[Action, tuple[str, frozenset[State]]]] = {
    "start": ("Starting …", frozenset(("queued", "stopped", "cancelled", "crashed"))),
    "pause": ("Pausing after this step …", frozenset(("running",))),
    "resume": ("Resuming …", frozenset(("paused",))),
    "stop": ("Stopping and saving …", frozenset(("running", "paused"))),
    "cancel": ("Cancelling …", frozenset(("running", "paused"))),
}
"""Message for each requested action, and the states in which it is still pending."""
_MAX_NAME_LENGTH: Final = 60
_NEGATIVE: Final = re.compile(r"(?<![\w.])-(?=\d)")
_UNIT: Final = re.compile(r"(?<=\d) (?=%|nats/|pieces|seeds?)")
NO_RAY: Final = (
    "Ray is not installed: install musicrel with its extra, as in pip install '.[cluster]'"
)
FIXED: Final = "The study is running: stop it to choose where it continues"
CONNECTING: Final = "Connecting to the cluster …"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    folder: Path
    kind: Kind  # a study, or a single run
    state: State
    archived: bool = False

    @property
    def title(self) -> str:
        name = self.folder.name
        return display_names.recipe(name) if self.kind == "run" else display_names.study(name)

    @property
    def status(self) -> str:
        symbol, words = STATES[self.state]
        more = [" · single run"] if self.kind == "run" else []
        return "".join([f"{symbol}  {words}", *more, *([" · archived"] if self.archived else [])])


def disabled_reasons(state: State, *, orphaned: bool = False) -> dict[Action, str]:
    """Return why each action is impossible, or "" if it is possible."""
    alive = state in ("running", "paused")
    words = STATES[state][1].lower()
    rests = f"The study is not running: {words}" if state != "queued" else "It is queued"
    at_rest = {
        "finished": "The study is finished",
        "running": "The study is running",
        "paused": "The study is paused: resume it",
        "unreadable": "The folder cannot be read",
        "gone": "The folder was deleted",
    }
    return {
        "start": at_rest.get(state, ""),
        "pause": "" if state == "running" else "It is already paused" if alive else rests,
        "resume": "" if state == "paused" else "It is not paused" if alive else rests,
        "stop": "" if alive or orphaned else rests,
        "cancel": "" if alive or orphaned or state == "queued" else rests,
    }


def fixed_reason(state: State, *, orphaned: bool = False) -> str:
    """Return why a study cannot be renamed, archived or deleted now, or ""."""
    if orphaned:
        return "A run of the study is running: stop it first"
    return _FIXED.get(state, "")


def next_to_start(before: Sequence[Entry], now: Sequence[Entry]) -> Path | None:
    """Return the oldest queued study if one has just ended.

    After a study that the user stopped, the next does not start: the user may need the computer.
    """
    states = {entry.folder: entry.state for entry in now}
    over = ("finished", "failed", None)  # None: its folder was deleted
    has_ended = any(states.get(folder) in over for folder in _alive(before))
    return _oldest_queued(now) if has_ended and not running(now) else None


def study_to_start_on_launch(now: Sequence[Entry], there: Collection[Path]) -> Path | None:
    """Return the study to start when the app opens: the oldest that was queued before."""
    queued_before = [entry for entry in now if entry.folder in there]
    return None if running(now) else _oldest_queued(queued_before)


def _oldest_queued(entries: Sequence[Entry]) -> Path | None:
    studies = [entry for entry in entries if entry.kind == "study" and not entry.archived]
    waiting = [entry for entry in studies if entry.state == "queued"]
    return waiting[-1].folder if waiting else None


def pending_text(now: StudyStatus, action: Action | None) -> str:
    if action is None or now.state not in PENDING[action][1]:
        return ""
    return PENDING[action][0]


def title(now: StudyStatus) -> str:
    return short(Entry(folder=now.folder, kind=now.kind, state=now.state).title)


def heading(now: StudyStatus) -> str:
    words = STATES[now.state][1]
    if now.state in ("unreadable", "gone", "queued"):
        return words
    left = "; one of its runs is running" if now.orphaned else ""
    return f"{words}{left}  ·  {progress.line(now)}"


def process_text(now: StudyStatus) -> str:
    """Return a sentence about the process that runs a study, or "" without one."""
    if now.writer is None:
        return ""
    return f"Runs in process {now.writer}, which continues when this window is closed."


def verdict(now: StudyStatus) -> str:
    """Return the findings in sentences, or why there are none yet."""
    if now.state in ("unreadable", "gone"):
        return "No result: the folder cannot be read."
    if now.kind == "run":
        return "A single run has no comparison."
    if now.costs is not None and not now.verdicts:
        return "No result yet: no row is measured."
    rates = _rates(now)
    if not now.verdicts:
        return "\n\n".join(["No result yet: no seed is finished in both arms.", *rates])
    arms = {run.arm for run in now.runs} | set(now.costs.study.arms if now.costs else ())
    found = [typeset(display_names.in_sentence(sentence, arms)) for sentence in now.verdicts]
    sentences = [sentence[:1].upper() + sentence[1:] + "." for sentence in found]
    lines = [_headed(".\n".join(statistics.parts(sentence))) for sentence in sentences]
    return "\n\n".join([*lines, *rates])


def _headed(finding: str) -> str:
    """Return a finding, what a verdict lacks apart from its headline."""
    headline, _, lacks = finding.partition(": ")
    if not headline.startswith(statistics.NOT_ENOUGH):
        return finding
    return f"{headline}\n{lacks[:1].upper()}{lacks[1:]}"


def _rates(now: StudyStatus) -> list[str]:
    """Return the learning rates that the search of a study has found so far, as a sentence."""
    found = ", ".join(f"{display_names.arm(arm)} {rate:g}" for arm, rate in now.rates.items())
    return [f"Learning rates, chosen on validation: {found}."] if found else []


def has_report(now: StudyStatus) -> bool:
    return now.kind == "study" and now.costs is None and bool(now.verdicts)


def typeset(sentence: str) -> str:
    sentence = _NEGATIVE.sub("\N{MINUS SIGN}", sentence)
    return _UNIT.sub("\N{NO-BREAK SPACE}", sentence)


def not_for_compose(now: StudyStatus) -> str:
    """Return why the models of a study cannot write music, or "" if they can."""
    reason = WITHOUT_NOTES.get(now.family)
    return f"A model of this study {reason}" if reason else ""


def log(now: StudyStatus) -> str:
    lines = [
        f"{progress.arm(run)}, seed {run.seed}: {remark}"
        for run in now.runs
        for remark in run.remarks
    ]
    return "\n".join([*lines, *losses(now)])


def cancel_question(name: str, state: State) -> tuple[str, str, str]:
    """Return the question before cancelling a study, and the titles of its two buttons."""
    shown = short(display_names.study(name))
    if state == "queued":
        return f"Remove “{shown}” from the queue? It has not started.", "Remove", "Keep"
    question = (
        f"Stop “{shown}” now? Progress since the last checkpoint is lost; the study can be "
        "resumed from there."
    )
    return question, "Stop now", "Keep running"


def ended(before: Sequence[Entry], now: Sequence[Entry]) -> list[str]:
    was_alive = _alive(before)
    return [
        f"The study {short(entry.title)} {words}"
        for entry in now
        if entry.folder in was_alive and (words := _ENDS.get(entry.state))
    ]


def short(name: str) -> str:
    """Shorten a name so that it fits into a sentence."""
    return name if len(name) <= _MAX_NAME_LENGTH else name[: _MAX_NAME_LENGTH - 1] + "…"


def running(entries: Iterable[Entry]) -> bool:
    """Return whether any study is running or paused."""
    return bool(_alive(entries))


def _alive(entries: Iterable[Entry]) -> set[Path]:
    return {entry.folder for entry in entries if entry.state in ("running", "paused")}


def timing_plan(rows: int, arms: Sequence[str]) -> str:
    named = ", ".join(display_names.arm(arm) for arm in arms)
    return f"{rows} rows: {named}.\nTime and memory are measured without training."


def plan(
    runs: int, arms: Sequence[tuple[str, int, int]], seconds: float | None, trials: int = 0
) -> str:
    """Describe a study that trains models."""
    if seconds is None:
        takes = (
            "No time estimate: this computer has no run of this size yet. "
            "The remaining time is shown while it runs."
        )
    else:
        takes = (
            f"About {progress.duration(seconds)} of training, estimated from earlier runs of this "
            "size or the budget, plus evaluations."
        )
    first = f"{names.count(trials, 'short run')} to choose learning rates, then " if trials else ""
    return f"{first}{names.count(runs, 'run')}: {_sizes(arms)}.\n{takes}"


def template_time(seconds: float | None, *, trains: bool) -> str:
    """Return the time that a study takes on this computer, for its card."""
    if not trains:
        return "Minutes, no training"
    return (
        "Time not known yet"
        if seconds is None
        else f"About {progress.duration(seconds)} of training"
    )


def _sizes(arms: Sequence[tuple[str, int, int]]) -> str:
    """List the parameters of each arm; of many arms, the range."""
    if len(arms) > _MANY:
        counts = [parameters for _, parameters, _ in arms]
        return f"{len(arms)} arms of {min(counts):,} to {max(counts):,} parameters"
    return ", ".join(
        f"{display_names.arm(name)} {parameters:,} parameters"
        + (f" ({excess:+,})" if excess else "")
        for name, parameters, excess in arms
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRow:
    title: str
    text: str  # its size and what runs there
    lost: bool = False  # True once it is lost


def can_choose(now: StudyStatus) -> bool:
    """Return whether a runner is of use: the study trains models and is not finished."""
    over = ("finished", "unreadable", "gone")
    return now.kind == "study" and now.costs is None and now.state not in over


def nodes(now: StudyStatus) -> tuple[NodeRow, ...]:
    """Return a row for each machine of the cluster, those that are lost last."""
    if not now.alive:
        return ()
    on: dict[str, list[RunName]] = {}
    for run, place in now.cluster.places.items():
        on.setdefault(place, []).append(run)
    found = [
        NodeRow(
            title=node.name,
            text=f"{_size(node)}: {_by_arm(on.get(node.name, ())) or 'free'}"
            if node.alive
            else "lost; its runs resume on other nodes",
            lost=not node.alive,
        )
        for node in now.cluster.nodes
    ]
    return tuple(sorted(found, key=lambda row: row.lost))


def queue(now: StudyStatus) -> str:
    """Return a sentence about the runs that wait for a machine; "" for a study without cluster."""
    if not now.alive or now.runner.runner != runner_choice.RAY:
        return ""
    if not now.cluster.nodes:
        return CONNECTING
    gone = "" if any(node.alive for node in now.cluster.nodes) else "No node is left. "
    waiting = sum(
        run.result is None and (run.arm, run.seed, run.rate) not in now.cluster.places
        for run in now.runs
    )
    verb = "waits" if waiting == 1 else "wait"
    return f"{gone}{names.count(waiting, 'run')} {verb} for a place." if waiting else gone.strip()


def losses(now: StudyStatus) -> list[str]:
    return [
        f"{_by_arm([(lost.arm, lost.seed, lost.rate)])}: the node {lost.node} was lost; the run "
        "resumes from its last checkpoint on another one"
        for lost in now.cluster.losses
    ]


def _size(node: Node) -> str:
    size = names.count(node.cpus, "processor")
    return f"{size}, {names.count(node.gpus, 'GPU')}" if node.gpus else size


def _by_arm(runs: Iterable[RunName]) -> str:
    """Return runs by arm, as 'Vanilla, seeds 0, 2; Relative, learning rate 0.001'."""
    found: dict[tuple[str, str], list[float]] = {}
    for arm, seed, rate in runs:
        what, value = ("seed", seed) if rate is None else ("learning rate", rate)
        found.setdefault((arm, what), []).append(value)
    return "; ".join(
        f"{display_names.arm(arm)}, {what}{'s' if len(values) > 1 else ''} "
        + ", ".join(f"{value:g}" for value in sorted(values))
        for (arm, what), values in found.items()
    )
