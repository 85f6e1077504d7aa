"""The runner of a study, kept in its folder beside the definition.

Results do not depend on it, so it may change whenever the study does not run.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from musicrel import paths, untrusted, validated
from musicrel.errors import DataError, FileError, UsageError

FILE: Final = "runner.json"
LOCAL: Final = "local"
RAY: Final = "ray"
AUTO: Final = 0
"""Number of jobs: as many as there is room for."""
THIS_CLUSTER: Final = "auto"
"""Address of the cluster that this machine belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerChoice:
    # ``LOCAL``, processes on this machine, or ``RAY``, on the nodes of a cluster
    runner: str = LOCAL
    jobs: int = 1  # runs side by side, or ``AUTO``
    address: str = THIS_CLUSTER  # of the cluster; ``THIS_CLUSTER`` or HOST:PORT
    fetch: bool = False  # the machines of the cluster do not share the folder
    gpus: float = 0.0  # GPUs for each run on the cluster, or a share of one; 0: those of its recipe

    @property
    def options(self) -> tuple[str, ...]:
        jobs = ("--jobs", str(self.jobs or "auto"))
        if self.runner != RAY:
            return jobs
        fetch = ("--fetch",) if self.fetch else ()
        gpus = ("--gpus", f"{self.gpus:g}") if self.gpus else ()
        return ("--runner", RAY, "--address", self.address or THIS_CLUSTER, *jobs, *fetch, *gpus)


def read(folder: Path) -> RunnerChoice:
    """Return the choice in the folder of a study; the default if it has no valid one."""
    try:
        values = untrusted.parse_json(untrusted.read(folder / FILE, "settings"))
        return validated.convert(values, RunnerChoice, FILE, exact=True)
    except (FileError, DataError, UsageError):
        return RunnerChoice()


def write(folder: Path, chosen: RunnerChoice) -> None:
    paths.require_own_files(folder)
    paths.write_text(folder / FILE, json.dumps(asdict(chosen)) + "\n")
