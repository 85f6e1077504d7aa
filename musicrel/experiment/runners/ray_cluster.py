"""Ray as a cluster (https://docs.ray.io): each host is an actor, which ends with this process.

Ray is imported here only, and not before a cluster is used.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import signal
import socket
from dataclasses import replace
from typing import Any

from musicrel.errors import UsageError
from musicrel.experiment.runners.resources import Resources
from musicrel.experiment.runners.run_host import Answer, Host, NodeLostError, RunHost
from musicrel.experiment.runs.events import Node


def is_installed() -> bool:
    """Return whether Ray is installed, without importing it."""
    return importlib.util.find_spec("ray") is not None


class RayCluster:
    def __init__(self, address: str = "auto") -> None:
        # Ray has signal handlers of its own, which would end the process
        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            self._ray = _connected(address)
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
        self._nodes: dict[str, Node] = {}

    def has_gpus(self) -> bool:
        return bool(self._ray.cluster_resources().get("GPU"))

    def place(self, needs: Resources) -> Host:
        self._check_size(needs)
        actor = self._ray.remote(_NodeHost).options(
            num_cpus=needs.cpus, num_gpus=needs.gpus, memory=needs.memory, max_restarts=0
        )
        return _RayHost(self._ray, actor.remote())

    def nodes(self) -> tuple[Node, ...]:
        for found in self._ray.nodes():
            name = _node_name(found["NodeManagerHostname"], found["NodeID"])
            sizes = found["Resources"]
            if found["Alive"] and sizes.get("CPU"):
                self._nodes[name] = Node(
                    name=name, cpus=int(sizes["CPU"]), gpus=int(sizes.get("GPU", 0))
                )
            elif name in self._nodes:  # a lost node has no sizes
                self._nodes[name] = replace(self._nodes[name], alive=False)
        return tuple(self._nodes.values())

    def close(self) -> None:
        """Leave the cluster; all hosts end."""
        self._ray.shutdown()

    def _check_size(self, needs: Resources) -> None:
        sizes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        wanted = {"CPU": needs.cpus, "GPU": needs.gpus, "memory": needs.memory}
        if not any(all(size.get(k, 0) >= v for k, v in wanted.items()) for size in sizes):
            raise UsageError(
                f"no node of the cluster is large enough for a run of {needs.cpus} CPUs, "
                f"{needs.gpus:g} GPUs and {needs.memory / 1e9:.1f} GB of memory: lower --threads, "
                "--gpus or the sizes of the study, or add a larger node"
            )


class _NodeHost(RunHost):
    """A ``RunHost`` in an actor, with the name of the actor's node."""

    def __init__(self) -> None:
        import ray  # noqa: PLC0415  # on the node

        super().__init__(
            node=_node_name(socket.gethostname(), ray.get_runtime_context().get_node_id())
        )


class _RayHost:
    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray, self._actor, self._reference = ray, actor, None

    def call(self, method: str, *arguments: object) -> None:
        self._reference = getattr(self._actor, method).remote(*arguments)

    def answer(self, seconds: float = 0.0) -> Answer | None:
        ready, _ = self._ray.wait([self._reference], timeout=seconds)
        if not ready:
            return None
        errors = self._ray.exceptions
        try:
            found: Answer = self._ray.get(self._reference)
        except errors.RayTaskError as reason:
            return Answer(node="", problem=f"the node failed: {reason.cause!r}")
        except (errors.RayActorError, errors.ObjectLostError) as reason:
            last = str(reason).strip().rpartition("\n")[2]
            if getattr(reason, "actor_init_failed", False):
                problem = (
                    f"a node cannot start musicrel ({last}): install the same version there as "
                    "here, in the Python that runs Ray"
                )
                return Answer(node="", problem=problem)
            raise NodeLostError(last) from reason
        return found

    def release(self) -> None:
        self._ray.kill(self._actor)


def _node_name(machine: str, node_id: str) -> str:
    """Return the name of a node; a machine that joins again, or twice, is another node."""
    return f"{machine}-{node_id[:4]}"


def _connected(address: str) -> Any:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        import ray  # noqa: PLC0415  # an extra, and a second
    except ImportError as reason:
        raise UsageError(
            "Ray is not installed: install musicrel with its extra, as in pip install "
            "'.[cluster]', or use --runner local"
        ) from reason
    try:
        ray.init(
            address=address, namespace="musicrel", log_to_driver=False, logging_level=logging.ERROR
        )
    except (ConnectionError, ValueError, RuntimeError, OSError) as reason:
        raise UsageError(
            f"no Ray cluster answers at {address!r}: start one with ray start --head, or give "
            "--address HOST:PORT of a running one"
        ) from reason
    return ray
