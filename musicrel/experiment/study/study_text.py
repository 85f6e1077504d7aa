"""Texts about studies, the actions that each state permits, and the order of the queue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from musicrel.experiment.runners import runner_choice
from musicrel.experiment.study import statistics
from musicrel.language import count, decimal, tr
from musicrel.model.card import WITHOUT_NOTES
from musicrel.presentation.words import display_names, names

if TYPE_CHECKING:
    from musicrel.experiment.runs.events import Node
    from musicrel.experiment.study.run_watch import RunStatus
    from musicrel.experiment.study.study_status import RunName, State, StudyStatus

Action = Literal["start", "pause", "resume", "stop", "cancel"]

STATES: Final[Mapping[State, tuple[str, str]]] = {
    "queued": ("◌", tr("Waiting in the queue")),
    "running": ("▶", tr("Running")),
    "paused": ("‖", tr("Paused")),
    "stopped": ("■", tr("Stopped and saved")),
    "cancelled": ("■", tr("Cancelled")),
    "finished": ("✓", tr("Finished")),
    "crashed": ("!", tr("Interrupted")),
    "failed": ("✕", tr("Failed")),
    "unreadable": ("✕", tr("Cannot be read")),
    "gone": ("✕", tr("Deleted")),
}
"""A symbol and a text for each state; the symbol distinguishes states without colour."""
_FIXED: Final[Mapping[State, str]] = {
    "running": tr("The study is running: stop it first"),
    "paused": tr("The study is paused and its process is waiting: stop it first"),
    "gone": tr("The folder was deleted"),
}
UNREADABLE: Final = tr("Cannot be read")
_ENDS: Final[Mapping[State, str]] = {
    "finished": tr("The study {title} finished"),
    "failed": tr("The study {title} failed"),
    "crashed": tr("The study {title} was interrupted"),
    "stopped": tr("The study {title} was stopped and saved"),
    "cancelled": tr("The study {title} was cancelled; it can be resumed from its last checkpoint"),
}
PENDING: Final[Mapping[Action, tuple[str, frozenset[State]]]] = {
    "start": (tr("Starting …"), frozenset(("queued", "stopped", "cancelled", "crashed"))),
    "pause": (tr("Pausing after this step …"), frozenset(("running",))),
    "resume": (tr("Resuming …"), frozenset(("paused",))),
    "stop": (tr("Stopping and saving …"), frozenset(("running", "paused"))),
    "cancel": (tr("Cancelling …"), frozenset(("running", "paused"))),
}
"""Message for each requested action, and the states in which it is still pending."""
_MAX_NAME_LENGTH: Final = 60
_NEGATIVE: Final = re.compile(r"(?<![\w.])-(?=\d)")
_UNIT: Final = re.compile(r"(?<=\d) (?=%|nats/|pieces|seeds?)")
NO_RAY: Final = tr(
    "Ray is not installed: install musicrel with its extra, as in pip install '.[cluster]'"
)
_ENOUGH: Final = 0.02
"""Share of its budget after which a run gives an estimate of its time."""
_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86_400
LAST: Final = tr("finishing with the last evaluation")
FIXED: Final = tr("The study is running: stop it to choose where it continues")
CONNECTING: Final = tr("Connecting to the cluster …")


def name(now: StudyStatus) -> str:
    folder = now.folder.name
    return display_names.recipe(folder) if now.kind == "run" else display_names.study(folder)


def title(now: StudyStatus) -> str:
    """Return the name of a study, short enough for a sentence."""
    return short(name(now))


def state_text(now: StudyStatus) -> str:
    """Return the state of a study, for the list."""
    single = tr(" · single run") if now.kind == "run" else ""
    archived = tr(" · archived") if now.archived else ""
    return "  ".join(STATES[now.state]) + single + archived


def disabled_reasons(now: StudyStatus) -> dict[Action, str]:
    """Return why each action is impossible, or "" if it is possible."""
    state, alive, stoppable = now.state, now.alive, now.alive or now.orphaned
    rests = tr("The study is not running: {state}", state=STATES[state][1].lower())
    rests = rests if state != "queued" else tr("It is queued")
    at_rest = {
        "finished": tr("The study is finished"),
        "running": tr("The study is running"),
        "paused": tr("The study is paused: resume it"),
        "unreadable": tr("The folder cannot be read"),
        "gone": tr("The folder was deleted"),
    }
    return {
        "start": at_rest.get(state, ""),
        "pause": "" if state == "running" else tr("It is already paused") if alive else rests,
        "resume": "" if state == "paused" else tr("It is not paused") if alive else rests,
        "stop": "" if stoppable else rests,
        "cancel": "" if stoppable or state == "queued" else rests,
    }


def fixed_reason(now: StudyStatus) -> str:
    """Return why a study cannot be renamed, archived or deleted now, or ""."""
    if now.orphaned:
        return tr("A run of the study is running: stop it first")
    return _FIXED.get(now.state, "")


def next_to_start(before: Sequence[StudyStatus], now: Sequence[StudyStatus]) -> Path | None:
    """Return the oldest queued study if one has just ended.

    After a study that the user stopped, the next does not start: the user may need the computer.
    """
    states = {study.folder: study.state for study in now}
    over = ("finished", "failed", None)  # None: its folder was deleted
    has_ended = any(states.get(study.folder) in over for study in before if study.alive)
    return oldest_queued(now) if has_ended else None


def oldest_queued(studies: Sequence[StudyStatus]) -> Path | None:
    """Return the study that waits longest, unless one is running."""
    waiting = [
        study.folder
        for study in studies
        if study.kind == "study" and study.state == "queued" and not study.archived
    ]
    return waiting[-1] if waiting and not any(study.alive for study in studies) else None


def pending_text(now: StudyStatus, action: Action | None) -> str:
    if action is None or now.state not in PENDING[action][1]:
        return ""
    return PENDING[action][0]


def heading(now: StudyStatus) -> str:
    words = STATES[now.state][1]
    if now.state in ("unreadable", "gone", "queued"):
        return words
    left = tr("; one of its runs is running") if now.orphaned else ""
    return f"{words}{left}  ·  {line(now)}"


def process_text(now: StudyStatus) -> str:
    """Return a sentence about the process that runs a study, or "" without one."""
    if now.writer is None:
        return ""
    return tr(
        "Runs in process {writer}, which continues when this window is closed.", writer=now.writer
    )


def verdict(now: StudyStatus) -> str:
    """Return the findings in sentences, or why there are none yet."""
    if now.state in ("unreadable", "gone"):
        return tr("No result: the folder cannot be read.")
    if now.kind == "run":
        taught = [run.result.taught for run in now.runs if run.result and run.result.taught]
        return typeset(f"{taught[0]}.") if taught else tr("A single run has no comparison.")
    if now.costs is not None and not now.verdicts:
        return tr("No result yet: no row is measured.")
    rates = _rates(now)
    if not now.verdicts:
        return "\n\n".join([tr("No result yet: no seed is finished in both arms."), *rates])
    arms = {run.arm for run in now.runs} | set(now.costs.study.arms if now.costs else ())
    advice = now.advice if now.state == "finished" else ""
    found = [
        typeset(display_names.in_sentence(sentence, arms)) for sentence in (advice, *now.verdicts)
    ]
    sentences = [sentence[:1].upper() + sentence[1:] + "." for sentence in found if sentence]
    lines = [_headed(sentence, advice=bool(advice)) for sentence in sentences]
    return "\n\n".join([*lines, *rates])


def _headed(finding: str, *, advice: bool) -> str:
    """Return a finding in lines, what a verdict lacks apart from its headline.

    With advice above it, it has neither the headline nor the next step.
    """
    if finding.startswith(statistics.works()):
        return finding
    first, *rest = (part.removesuffix(".") for part in statistics.parts(finding))
    headline, _, lacks = first.partition(": ")
    if not headline.startswith(statistics.not_enough()):
        return finding
    lines = [headline, f"{lacks[:1].upper()}{lacks[1:]}.", *(f"{part}." for part in rest)]
    if advice:
        begin = statistics.figures_begin()
        lines = [lines[1], *(line for line in lines[2:] if line.startswith(begin))]
    return "\n".join(lines)


def _rates(now: StudyStatus) -> list[str]:
    """Return the learning rates that the search of a study has found so far, as a sentence."""
    rates = ", ".join(
        f"{display_names.arm(arm)} {decimal(rate, 'g')}" for arm, rate in now.rates.items()
    )
    return [tr("Learning rates, chosen on validation: {rates}.", rates=rates)] if rates else []


def has_report(now: StudyStatus) -> bool:
    return now.kind == "study" and now.costs is None and bool(now.verdicts)


def typeset(sentence: str) -> str:
    sentence = _NEGATIVE.sub("\N{MINUS SIGN}", sentence)
    return _UNIT.sub("\N{NO-BREAK SPACE}", sentence)


def not_for_compose(now: StudyStatus) -> str:
    """Return why the models of a study cannot write music, or "" if they can."""
    reason = WITHOUT_NOTES.get(now.family)
    return tr("A model of this study {reason}", reason=reason) if reason else ""


def log(now: StudyStatus) -> str:
    lines = [
        tr("{arm}, seed {seed}: {remark}", arm=arm(run), seed=run.seed, remark=remark)
        for run in now.runs
        for remark in run.remarks
    ]
    return "\n".join([*lines, *losses(now)])


def cancel_question(now: StudyStatus) -> tuple[str, str, str]:
    """Return the question before cancelling a study, and the titles of its two buttons."""
    if now.state == "queued":
        return (
            tr("Remove “{title}” from the queue? It has not started.", title=title(now)),
            tr("Remove"),
            tr("Keep"),
        )
    question = tr(
        "Stop “{title}” now? Progress since the last checkpoint is lost; the study can "
        "be resumed from there.",
        title=title(now),
    )
    return question, tr("Stop now"), tr("Keep running")


def ended(before: Sequence[StudyStatus], now: Sequence[StudyStatus]) -> list[str]:
    was_alive = {study.folder for study in before if study.alive}
    return [
        sentence.format(title=title(study))
        for study in now
        if study.folder in was_alive and (sentence := _ENDS.get(study.state))
    ]


def short(name: str) -> str:
    """Shorten a name so that it fits into a sentence."""
    return name if len(name) <= _MAX_NAME_LENGTH else name[: _MAX_NAME_LENGTH - 1] + "…"


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
    for run, place in now.places.items():
        on.setdefault(place, []).append(run)
    found = [
        NodeRow(
            title=node.name,
            text=f"{_size(node)}: {_by_arm(on.get(node.name, ())) or tr('free')}"
            if node.alive
            else tr("lost; its runs resume on other nodes"),
            lost=not node.alive,
        )
        for node in now.nodes
    ]
    return tuple(sorted(found, key=lambda row: row.lost))


def queue(now: StudyStatus) -> str:
    """Return a sentence about the runs that wait for a machine; "" for a study without cluster."""
    if not now.alive or now.runner.runner != runner_choice.RAY:
        return ""
    if not now.nodes:
        return CONNECTING
    gone = "" if any(node.alive for node in now.nodes) else tr("No node is left. ")
    waiting = sum(
        run.result is None and (run.arm, run.seed, run.rate) not in now.places for run in now.runs
    )
    if not waiting:
        return gone.strip()
    if waiting == 1:
        return gone + tr("1 run waits for a place.")
    return gone + tr("{waiting:,} runs wait for a place.", waiting=waiting)


def losses(now: StudyStatus) -> list[str]:
    return [
        tr(
            "{run}: the node {node} was lost; the run resumes from its last checkpoint on another "
            "one",
            run=_by_arm([(lost.arm, lost.seed, lost.rate)]),
            node=lost.node,
        )
        for lost in now.losses
    ]


def _size(node: Node) -> str:
    size = count(node.cpus, "processor")
    return f"{size}, {count(node.gpus, 'GPU')}" if node.gpus else size


def _by_arm(runs: Iterable[RunName]) -> str:
    """Return runs by arm, as 'Vanilla, seeds 0, 2; Relative, learning rate 0.001'."""
    found: dict[tuple[str, bool], list[float]] = {}
    for arm, seed, rate in runs:
        found.setdefault((arm, rate is None), []).append(seed if rate is None else rate)
    forms = {
        (True, False): tr("{arm}, seed {values}"),
        (True, True): tr("{arm}, seeds {values}"),
        (False, False): tr("{arm}, learning rate {values}"),
        (False, True): tr("{arm}, learning rates {values}"),
    }
    return "; ".join(
        forms[is_seed, len(values) > 1].format(
            arm=display_names.arm(arm),
            values=", ".join(decimal(value, "g") for value in sorted(values)),
        )
        for (arm, is_seed), values in found.items()
    )


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
        return tr(
            "{percent:.0f} %  ·  {number} of {rows} measured",
            percent=share(now) * 100,
            number=len(now.costs.rows),
            rows=count(len(now.costs.study.rows), "row"),
        )
    run = at_work(now)
    most = 0.99 if now.alive else 1.0  # evaluations may be left when all training is done
    parts = [f"{min(share(now), most) * 100:.0f} %"]
    if run is not None and now.alive:
        training = [one for one in now.runs if one.state == "running"] or [run]
        several = tr("{number} runs side by side", number=len(training))
        parts.append(doing(run) if len(training) == 1 else several)
        left = remaining(now)
        if now.state == "running" and all(one.progress >= 1 for one in now.runs):
            parts.append(LAST)  # its time is not known
        elif left is not None and now.state == "running":
            short = left < _MINUTE  # evaluations, which take as long, are not counted
            about = tr("about {duration} left", duration=duration(left))
            parts.append(tr("less than a minute left") if short else about)
        if speed := sum(one.tokens_per_second for one in training):
            parts.append(tr("{speed:,.0f} tokens/s", speed=speed))
        if size := sum(one.memory for one in training):
            parts.append(memory(size))
    done = sum(run.result is not None for run in now.runs)
    parts.append(tr("{done} of {runs} done", done=done, runs=count(len(now.runs), "run")))
    return "  ·  ".join(parts)


def at_work(now: StudyStatus) -> RunStatus | None:
    order = (("running", "paused"), ("stopped", "cancelled", "crashed"), ("queued",))
    return next((run for wanted in order for run in now.runs if run.state in wanted), None)


def doing(run: RunStatus) -> str:
    """Return the activity of a run, as 'Relative, seed 1: step 120'."""
    if run.evaluating is not None:
        split, done, pieces = run.evaluating
        split = names.SPLITS.get(split, split)
        return tr(
            "{arm}, seed {seed}: evaluating {split}, {done} of {pieces}",
            arm=arm(run), seed=run.seed, split=split, done=done, pieces=pieces,
        )  # fmt: skip
    return tr("{arm}, seed {seed}: step {step:,}", arm=arm(run), seed=run.seed, step=run.step)


def arm(run: RunStatus) -> str:
    """Return the name of a run's arm, with the learning rate that a trial tries."""
    rate = "" if run.rate is None else tr(", rate {rate:g}", rate=run.rate)
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
    return tr("{days} d {hours} h", days=hours // 24, hours=hours % 24)


def memory(size: int) -> str:
    """Return a size in bytes, as '412 MB' or '1.2 GB'."""
    giga = 1e9
    return f"{decimal(size / giga, '.1f')} GB" if size >= giga else f"{size / 1e6:,.0f} MB"


def _takes(runs: Sequence[RunStatus]) -> float | None:
    known = [
        run.seconds / (run.progress * run.share)
        for run in runs
        if run.progress > _ENOUGH and run.seconds
    ]
    return sum(known) / len(known) if known else None
