"""A cluster in this process, whose nodes can die."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from musicrel.experiment.runners.resources import Resources
from musicrel.experiment.runners.run_host import Answer, NodeLostError, RunHost
from musicrel.experiment.runs.events import Node
from tests.helpers.runners import fake_run


class FakeHost:
    """A host on a fake node; a real one if it is used as such."""

    def __init__(self, cluster: FakeCluster) -> None:
        self.host: RunHost | None = None
        self.calls: list[tuple[str, tuple[object, ...]]] = []
        self.alive, self._cluster = True, cluster
        self.waited = 0.0  # seconds for which an answer was waited for while no node was free

    def call(self, method: str, *arguments: object) -> None:
        self.calls.append((method, arguments))

    def answer(self, seconds: float = 0.0) -> Answer | None:
        """See ``Host``; the call is made now."""
        if not self.alive:
            raise NodeLostError("the node died")
        if self.host is None:
            if not self._cluster.free:
                self.waited += seconds
                return None
            self._cluster.free -= 1
            self.host = RunHost(self._cluster.program)
        method, arguments = self.calls[-1]
        found: Answer = getattr(self.host, method)(*arguments)
        return found

    def release(self) -> None:
        if self.alive and self.host is not None:
            self._cluster.free += 1
            self.host.close()
        self.alive = False

    def die(self) -> None:
        self.alive = False
        if self.host is not None and self.host.process is not None:
            assert self.host.process.stdin is not None
            self.host.process.stdin.close()  # as the operating system does
            self._cluster.orphans.append(self.host.process)


class FakeCluster:
    """A cluster."""

    def __init__(self, nodes: int = 2, program: Sequence[str] = fake_run.PROGRAM) -> None:
        self.free, self.program, self._all = nodes, program, nodes
        self.hosts: list[FakeHost] = []
        self.orphans: list[subprocess.Popen[bytes]] = []

    def place(self, needs: Resources) -> FakeHost:
        assert needs.cpus == 1
        self.hosts.append(FakeHost(self))
        return self.hosts[-1]

    def nodes(self) -> tuple[Node, ...]:
        """See ``Cluster``; a node is lost with each host that dies."""
        lost = len(self.orphans)
        return tuple(
            Node(name=f"node-{number}", cpus=1, alive=number >= lost) for number in range(self._all)
        )

    def orphans_end(self) -> bool:
        return {process.wait() for process in self.orphans} <= {130, -9}
