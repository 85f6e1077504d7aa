"""A Ray cluster of several nodes on this machine, in a process of its own.

Prints its address, kills a node at each line of standard input, and ends with it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

_MEMORY: Final = 100_000_000
_RUN_MEMORY: Final = 4_000_000_000


class Nodes:
    """A running cluster."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.address = self._answer()

    def kill_one(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("kill\n")
        self._process.stdin.flush()
        assert self._answer() == "killed"

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@contextmanager
def running(nodes: int) -> Iterator[Nodes]:
    command = [sys.executable, "-W", "ignore", "-m", "tests.helpers.runners.ray_nodes", str(nodes)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"},
    )
    with process:  # which closes its standard input, and waits
        yield Nodes(process)


def main() -> None:
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": _MEMORY}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    nodes: list[Any] = [
        cluster.add_node(num_cpus=1, object_store_memory=_MEMORY, memory=_RUN_MEMORY)
        for _ in range(int(sys.argv[1]))
    ]
    sys.stdout.write(f"{cluster.address}\n")
    sys.stdout.flush()
    for _ in sys.stdin:
        cluster.remove_node(nodes.pop(), allow_graceful=False)
        sys.stdout.write("killed\n")
        sys.stdout.flush()
    cluster.shutdown()


if __name__ == "__main__":
    main()
