"""Tests of the Ray adaptor, with a module in place of Ray."""

from __future__ import annotations

import signal
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from musicrel.errors import UsageError
from musicrel.experiment.runners.ray_cluster import RayCluster
from musicrel.experiment.runners.resources import Resources
from musicrel.experiment.runners.run_host import Answer, NodeLostError
from musicrel.experiment.runs.events import Node
from tests.helpers.processes import printed

SMALL = Resources(cpus=1, gpus=0.0, memory=1_000_000_000)


class RayTaskError(Exception):
    cause = ValueError("broken")


class RayActorError(Exception):
    """See ``ray.exceptions``."""


class FailedStartError(RayActorError):
    actor_init_failed = True


class FakeRay(ModuleType):
    """Stands in for Ray: a node of two processors, actors that answer with a value or an error."""

    def __init__(self) -> None:
        super().__init__("ray")
        self.exceptions = SimpleNamespace(
            RayTaskError=RayTaskError, RayActorError=RayActorError, ObjectLostError=RayActorError
        )
        self.answers: list[Any] = []
        self.lives = True
        self.done: list[str] = []

    def init(self, address: str, **_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if address != "head:6379":
            raise ConnectionError("nobody there")

    def nodes(self) -> list[dict[str, Any]]:
        sizes = {"CPU": 2.0, "memory": 2e9}
        return [
            {
                "Alive": self.lives,
                "Resources": sizes,
                "NodeManagerHostname": "pc",
                "NodeID": "abcdef",
            },
            {
                "Alive": False,
                "Resources": {"CPU": 64.0},
                "NodeManagerHostname": "pc",
                "NodeID": "f",
            },
            {"Alive": True, "Resources": {}, "NodeManagerHostname": "head", "NodeID": "0123"},
        ]

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def remote(self, _: type) -> Any:
        method = SimpleNamespace(remote=lambda *arguments: arguments)
        actor = SimpleNamespace(start=method)
        made = SimpleNamespace(remote=lambda: actor)
        return SimpleNamespace(options=lambda **_: made)

    def wait(self, references: list[Any], timeout: float) -> tuple[list[Any], list[Any]]:
        del timeout
        return (references, []) if self.answers else ([], references)

    def get(self, _: object) -> Any:
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def kill(self, _: object) -> None:
        self.done.append("kill")

    def shutdown(self) -> None:
        self.done.append("shutdown")


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    fake = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", fake)
    return fake


def test_ray_is_not_imported_without_being_asked_for() -> None:
    code = """
import sys
import musicrel.cli.commands.training
import musicrel.experiment.runners.ray_cluster, musicrel.experiment.runners.run_host
print("ray" in sys.modules, "torch" in sys.modules)
"""
    assert printed(code) == ["False False"]


def test_a_sentence_names_the_extra_where_ray_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UsageError, match=r"pip install '\.\[cluster\]', or use --runner local"):
        RayCluster()


@pytest.mark.usefixtures("ray")
def test_a_cluster_that_does_not_answer_is_named() -> None:
    with pytest.raises(UsageError, match="no Ray cluster answers at 'auto': start one with ray "):
        RayCluster()


@pytest.mark.usefixtures("ray")
def test_signals_stay_those_of_the_command() -> None:
    """Ray's own handler would end the process without saving."""
    before = signal.getsignal(signal.SIGTERM)

    def handler(*_: object) -> None: ...

    signal.signal(signal.SIGTERM, handler)
    try:
        RayCluster("head:6379")
        assert signal.getsignal(signal.SIGTERM) is handler
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize(
    "needs",
    [
        Resources(cpus=3, gpus=0.0, memory=1),
        Resources(cpus=1, gpus=0.5, memory=1),
        Resources(cpus=1, gpus=0.0, memory=3_000_000_000),
    ],
)
@pytest.mark.usefixtures("ray")
def test_a_run_too_large_for_every_node_is_refused(needs: Resources) -> None:
    """It would never get a place; dead nodes do not count."""
    with pytest.raises(UsageError, match=f"large enough for a run of {needs.cpus} CPUs, "):
        RayCluster("head:6379").place(needs)


def test_nodes_with_processors_stay_known_when_they_are_lost(ray: FakeRay) -> None:
    cluster = RayCluster("head:6379")
    assert cluster.nodes() == (Node(name="pc-abcd", cpus=2),)
    ray.lives = False
    assert cluster.nodes() == (Node(name="pc-abcd", cpus=2, alive=False),)


def test_a_host_answers_when_ray_does(ray: FakeRay) -> None:
    cluster = RayCluster("head:6379")
    host = cluster.place(SMALL)
    host.call("start", "folder", (), None)

    assert host.answer() is None
    ray.answers = [Answer(node="a"), RayTaskError(), RayActorError("died")]
    assert host.answer() == Answer(node="a")
    failed = host.answer()
    assert failed is not None
    assert failed.problem == "the node failed: ValueError('broken')"
    with pytest.raises(NodeLostError, match="died"):
        host.answer()

    ray.answers = [FailedStartError("Traceback\nModuleNotFoundError: No module named 'musicrel'")]
    failed = host.answer()
    assert failed is not None
    assert "cannot start musicrel (ModuleNotFoundError: No module" in failed.problem

    host.release()
    cluster.close()
    assert ray.done == ["kill", "shutdown"]
    assert not cluster.has_gpus()
