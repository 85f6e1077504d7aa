"""Texts about the runner of a study and the machines of its cluster."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from musicrel.experiment.runners import runner_choice
from musicrel.presentation.words import display_names, names

if TYPE_CHECKING:
    from musicrel.experiment.runners.runner import Node
    from musicrel.experiment.study.cluster_watch import ClusterStatus, RunName
    from musicrel.experiment.study.study_watch import StudyStatus

NO_RAY: Final = (
    "Ray is not installed: install musicrel with its extra, as in pip install '.[cluster]'"
)
FIXED: Final = "The study is running: stop it to choose where it continues"
CONNECTING: Final = "Connecting to the cluster …"
_NO_NODE: Final = "No node is left. "
_FREE: Final = "free"
_LOST: Final = "lost; its runs resume on other nodes"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRow:
    """A machine of a cluster."""

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
    found = [
        NodeRow(
            title=node.name,
            text=f"{_size(node)}: {_runs_there(now.cluster, node.name)}" if node.alive else _LOST,
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
    gone = "" if any(node.alive for node in now.cluster.nodes) else _NO_NODE
    waiting = sum(
        run.result is None and (run.arm, run.seed, run.rate) not in now.cluster.places
        for run in now.runs
    )
    verb = "waits" if waiting == 1 else "wait"
    return f"{gone}{names.count(waiting, 'run')} {verb} for a place." if waiting else gone.strip()


def losses(now: StudyStatus) -> list[str]:
    """Return a remark for each run that lost its machine."""
    return [
        f"{_by_arm([(lost.arm, lost.seed, lost.rate)])}: the node {lost.node} was lost; the run "
        "resumes from its last checkpoint on another one"
        for lost in now.cluster.losses
    ]


def _size(node: Node) -> str:
    size = names.count(node.cpus, "processor")
    return f"{size}, {names.count(node.gpus, 'GPU')}" if node.gpus else size


def _runs_there(cluster: ClusterStatus, node: str) -> str:
    return _by_arm(run for run, place in cluster.places.items() if place == node) or _FREE


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
