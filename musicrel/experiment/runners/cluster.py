"""The interface of a cluster: machines (nodes) that are joined by an engine such as Ray."""

from __future__ import annotations

from typing import Protocol

from musicrel.errors import MusicrelError
from musicrel.experiment.runners.resources import Resources
from musicrel.experiment.runners.run_host import Answer
from musicrel.experiment.runners.runner import Node


class NodeLostError(MusicrelError):
    """The node of a host, or the host's process there, does not exist any more."""


class Host(Protocol):
    """A ``RunHost`` that has, or waits for, a place on a node. One call is answered at a time."""

    def call(self, method: str, *arguments: object) -> None:
        """Call a method of the ``RunHost`` without waiting for the answer."""
        ...

    def answer(self, seconds: float = 0.0) -> Answer | None:
        """Return the answer to the last call; None if it has not arrived after ``seconds``."""
        ...

    def release(self) -> None:
        """End the host and every process it started, and free its place."""
        ...


class Cluster(Protocol):
    def place(self, needs: Resources) -> Host:
        """Return a new host; it gets its place as soon as a node has the resources free."""
        ...

    def nodes(self) -> tuple[Node, ...]:
        """Return all nodes with processors, lost ones, too; a lost cluster has none."""
        ...
