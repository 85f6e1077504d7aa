"""Tests of the texts about nodes, what runs there, and what waits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from musicrel.experiment.runners.runner import Node
from musicrel.experiment.runners.runner_choice import RAY, RunnerChoice
from musicrel.experiment.study.cluster_watch import ClusterStatus, Loss
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.study.study_watch import State, StudyStatus
from musicrel.presentation.study import runner_text, study_text
from musicrel.presentation.study.runner_text import NodeRow

LOST, LEFT = Node(name="a", cpus=1, alive=False), Node(name="b", cpus=4, gpus=1)
PLACES = {
    ("vanilla", 2, None): "b",
    ("vanilla", 0, None): "b",
    ("relative", 1, None): "b",
    ("relative", 0, 0.001): "b",
}


def on_cluster(*nodes: Node, places: dict[Any, str] | None = None, **values: Any) -> StudyStatus:
    """Return the status of a study of two arms and three seeds on a cluster."""
    runs = tuple(RunStatus(arm=arm, seed=seed, folder=Path(f"{arm}{seed}"))
                 for seed in range(3) for arm in ("vanilla", "relative"))  # fmt: skip
    cluster = ClusterStatus(nodes=nodes, places=places or {})
    shared: dict[str, Any] = {"state": "running", "runner": RunnerChoice(runner=RAY)}
    shared |= {"cluster": cluster, **values}
    return StudyStatus(folder=Path("study"), name="study", kind="study", runs=runs, **shared)


def test_a_node_has_its_size_and_its_runs_by_arm() -> None:
    """Lost nodes come last."""
    assert runner_text.nodes(on_cluster(LOST, LEFT, places=PLACES)) == (
        NodeRow(
            title="b",
            text="4 processors, 1 GPU: Vanilla, seeds 0, 2; Relative, seed 1; "
            "Relative, learning rate 0.001",
        ),
        NodeRow(title="a", text="lost; its runs resume on other nodes", lost=True),
    )
    free = runner_text.nodes(on_cluster(Node(name="c", cpus=1)))
    assert free == (NodeRow(title="c", text="1 processor: free"),)


@pytest.mark.parametrize(
    ("now", "sentence"),
    [
        (on_cluster(), "Connecting to the cluster …"),
        (on_cluster(LEFT, places=PLACES), "3 runs wait for a place."),
        (on_cluster(LOST), "No node is left. 6 runs wait for a place."),
        (on_cluster(LEFT, state="stopped"), ""),
        (on_cluster(runner=RunnerChoice()), ""),
    ],
)
def test_the_queue_is_what_has_no_node(now: StudyStatus, sentence: str) -> None:
    """Only while the study runs on a cluster."""
    assert runner_text.queue(now) == sentence


def test_no_nodes_are_shown_of_a_study_that_does_not_run() -> None:
    """They may be gone by now."""
    assert runner_text.nodes(on_cluster(LEFT, places=PLACES, state="crashed")) == ()


def test_each_loss_is_a_line_of_the_log() -> None:
    """With the run and the node."""
    losses = (Loss(arm="relative", seed=1, node="a"),)
    now = on_cluster(cluster=ClusterStatus(losses=losses))
    assert study_text.log(now) == (
        "Relative, seed 1: the node a was lost; the run resumes from its last checkpoint on "
        "another one"
    )


@pytest.mark.parametrize(
    ("state", "chosen"), [("queued", True), ("running", True), ("finished", False), ("gone", False)]
)
def test_a_runner_is_chosen_for_studies_that_go_on(state: State, chosen: bool) -> None:
    """A run alone is a process here."""
    now = on_cluster(state=state)
    assert runner_text.can_choose(now) is chosen
    assert not runner_text.can_choose(replace(now, kind="run"))
