"""The cluster that runs a study, read from the events in the folder of the study.

Its driver writes them; nothing here asks the cluster itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from musicrel.experiment.runners.runner import Node
from musicrel.experiment.runs.event_log import EventDict, EventLog
from musicrel.experiment.runs.stored_values import fits

RunName: TypeAlias = tuple[str, int, float | None]
"""Arm and seed of a run, and its learning rate if it is a trial of a search."""

_MAX_LOSSES: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A run that lost its machine."""

    arm: str
    seed: int
    node: str
    rate: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    arm: str
    seed: int
    node: str = ""
    rate: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterStatus:
    # its machines, lost ones, too; empty if the study runs on this one alone
    nodes: tuple[Node, ...] = ()
    places: Mapping[RunName, str] = field(default_factory=dict)
    losses: tuple[Loss, ...] = ()  # the last runs that lost their machine, oldest first


class ClusterWatch:
    """An observer of the cluster of a study."""

    def __init__(self, folder: Path) -> None:
        self._log, self._offset = EventLog(folder / "events.jsonl"), 0
        self._now = ClusterStatus()

    def poll(self) -> ClusterStatus:
        """Return the current status; the same object as long as nothing changes."""
        lines, offset = self._log.follow(self._offset)
        if offset < self._offset:  # another study in the same folder
            self._now = ClusterStatus()
        self._offset = offset
        for line in lines:
            self._now = _after(self._now, line)
        return self._now


def _after(now: ClusterStatus, line: EventDict) -> ClusterStatus:
    """Return the status after an event; damaged and other events change nothing."""
    match line.get("event"):
        case "StudyStarted" | "StudyStopped" | "StudyFinished":
            return ClusterStatus(losses=now.losses)
        case "NodesChanged":
            return replace(now, nodes=_nodes(line.get("nodes")))
        case "RunPlaced" | "RunLost" | "RunEnded" if (run := _place(line)) is not None:
            return _moved(now, str(line["event"]), run)
    return now


def _moved(now: ClusterStatus, event: str, run: _Place) -> ClusterStatus:
    name = (run.arm, run.seed, run.rate)
    places = {other: node for other, node in now.places.items() if other != name}
    if event == "RunPlaced":
        return replace(now, places=places | {name: run.node})
    if event == "RunLost":
        lost = Loss(arm=run.arm, seed=run.seed, node=run.node, rate=run.rate)
        return replace(now, places=places, losses=(*now.losses, lost)[-_MAX_LOSSES:])
    return replace(now, places=places)


def _nodes(values: object) -> tuple[Node, ...]:
    return tuple(
        Node(**value)
        for value in (values if isinstance(values, list) else [])
        if isinstance(value, dict) and _is_whole(value, Node, {"name", "cpus", "gpus", "alive"})
    )


def _place(line: Mapping[str, Any]) -> _Place | None:
    values = {name: line[name] for name in ("arm", "seed", "node", "rate") if name in line}
    return _Place(**values) if _is_whole(values, _Place, {"arm", "seed"} | {*values}) else None


def _is_whole(values: Mapping[str, Any], kind: type[Any], names: set[str]) -> bool:
    """Return whether ``values`` has exactly these entries, of the types of ``kind``."""
    return {*values} == names and fits(kind, values)
