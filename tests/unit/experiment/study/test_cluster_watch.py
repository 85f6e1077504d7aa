"""Tests of the status of a cluster, as observers read it from the events of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from musicrel.experiment.runners.runner import Node
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.study.cluster_watch import ClusterStatus, ClusterWatch, Loss
from musicrel.experiment.study.compare import NodesChanged, RunEnded, RunLost, RunPlaced
from musicrel.experiment.training.train_events import to_json

ONE, TWO = Node(name="one", cpus=2), Node(name="two", cpus=1, gpus=1)
PLACED = RunPlaced(arm="vanilla", seed=3, node="one")


def write(folder: Path, *events: object) -> None:
    """Append events, or their JSON, to the log of a study."""
    for event in events:
        line: dict[str, Any] = event if isinstance(event, dict) else to_json(event)
        EventLog(folder / "events.jsonl").append(line)


def test_nodes_and_places_are_those_of_the_last_events(tmp_path: Path) -> None:
    """Events are read once; without new ones the same object is returned."""
    watch = ClusterWatch(tmp_path)
    assert watch.poll() == ClusterStatus()

    write(tmp_path, NodesChanged(nodes=(ONE, TWO)), PLACED)
    now = watch.poll()
    assert (now.nodes, now.places) == ((ONE, TWO), {("vanilla", 3, None): "one"})
    assert watch.poll() is now

    write(tmp_path, RunEnded(arm="vanilla", seed=3, valid=1.0, test=1.0, seconds=1.0))
    assert watch.poll().places == {}


def test_a_lost_run_has_no_place_until_it_has_the_next_one(tmp_path: Path) -> None:
    """The loss stays known."""
    watch = ClusterWatch(tmp_path)
    write(tmp_path, PLACED, RunLost(arm="vanilla", seed=3, node="one"))
    assert watch.poll() == ClusterStatus(losses=(Loss(arm="vanilla", seed=3, node="one"),))

    write(tmp_path, RunPlaced(arm="vanilla", seed=3, node="two"))
    assert watch.poll().places == {("vanilla", 3, None): "two"}


@pytest.mark.parametrize("event", ["StudyStarted", "StudyStopped", "StudyFinished"])
def test_nothing_runs_when_a_study_starts_or_ends(tmp_path: Path, event: str) -> None:
    """The nodes are found again."""
    write(tmp_path, NodesChanged(nodes=(ONE,)), PLACED, {"event": event})
    assert ClusterWatch(tmp_path).poll() == ClusterStatus()


def test_a_shorter_log_is_that_of_another_study(tmp_path: Path) -> None:
    """It is read from its beginning."""
    watch = ClusterWatch(tmp_path)
    write(tmp_path, NodesChanged(nodes=(ONE,)), PLACED)
    watch.poll()
    (tmp_path / "events.jsonl").unlink()
    write(tmp_path, NodesChanged(nodes=(TWO,)))

    assert watch.poll() == ClusterStatus(nodes=(TWO,))


@pytest.mark.parametrize(
    "damaged",
    [
        {"event": "RunPlaced", "arm": 3, "seed": 3, "node": "one"},
        {"event": "RunPlaced", "seed": 3, "node": "one"},
        {"event": "RunLost", "arm": "vanilla", "seed": "3", "node": "one"},
        {"event": "NodesChanged", "nodes": "one"},
        {"event": "NodesChanged", "nodes": [{"name": "one"}]},
    ],
)
def test_damaged_events_are_skipped(tmp_path: Path, damaged: dict[str, Any]) -> None:
    """Each names no run or node."""
    write(tmp_path, damaged)
    assert ClusterWatch(tmp_path).poll() == ClusterStatus()
