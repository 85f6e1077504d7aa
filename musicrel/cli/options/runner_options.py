"""Options that choose the runner of a study, and the runner they ask for."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from musicrel import bounds
from musicrel.cli.options import arguments
from musicrel.errors import UsageError

if TYPE_CHECKING:
    from musicrel.experiment.runners.resources import Resources
    from musicrel.experiment.runners.runner import Runner
    from musicrel.experiment.runners.runner_choice import RunnerChoice
    from musicrel.experiment.study.study import Study

_AUTO: Final = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerOptions:
    """Options of the runner; see the help of the command."""

    runner: str
    jobs: int | None
    address: str | None
    gpus: float | None
    fetch: bool
    device: str
    threads: int


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose a runner, without --device and --threads."""
    parser.add_argument(
        "--runner",
        choices=("local", "here", "ray"),
        default="local",
        help="where to train: each run in its own process (local, the default), all runs in this "
        "process (here), or on the nodes of a Ray cluster (ray)",
    )
    parser.add_argument(
        "--jobs",
        type=arguments.checked(_jobs),
        help="runs side by side: a number, or auto, as many as threads and memory allow (default: "
        "1 on this machine, auto on a cluster)",
    )
    parser.add_argument(
        "--address", help="Ray: auto, the cluster of this machine (default), or HOST:PORT"
    )
    parser.add_argument(
        "--gpus",
        type=arguments.checked(_gpus),
        help="Ray: GPUs for each run, or a share of one, as in 0.25 (default: as in its "
        "recipe, else 1 on a GPU)",
    )
    parser.add_argument(
        "--fetch",
        action="store_true",
        help="Ray: the nodes do not share the folder of the study; fetch the files of the runs",
    )


@contextmanager
def runner(chosen: RunnerOptions, study: Study, out: Path) -> Iterator[Runner]:
    """Yield the runner for the runs of ``study`` in the folder ``out``."""
    _check(chosen)
    if chosen.runner == "ray":
        with _on_cluster(chosen, study, out) as made:
            yield made
    else:
        yield _on_this_machine(chosen, study)


def choice(chosen: RunnerOptions) -> RunnerChoice:
    """Return the choice that the folder of a study keeps."""
    from musicrel.experiment.runners import runner_choice

    on_cluster = chosen.runner == runner_choice.RAY
    default = runner_choice.AUTO if on_cluster else 1
    return runner_choice.RunnerChoice(
        runner=runner_choice.RAY if on_cluster else runner_choice.LOCAL,
        jobs=default if chosen.jobs is None else chosen.jobs,
        address=chosen.address or runner_choice.THIS_CLUSTER,
        fetch=chosen.fetch,
        gpus=chosen.gpus or 0.0,
    )


def _jobs(text: str) -> int:
    if text == "auto":
        return _AUTO
    return int(bounds.parse("jobs", text))


def _gpus(text: str) -> float:
    from musicrel.experiment.recipe import recipe_checks

    found = bounds.parse("gpus", text)
    if not recipe_checks.are_gpus(found):
        raise UsageError(f"gpus is {text}: {recipe_checks.GPUS}")
    return found


def _check(chosen: RunnerOptions) -> None:
    given = {"--address": chosen.address, "--gpus": chosen.gpus, "--fetch": chosen.fetch or None}
    misplaced = [name for name, value in given.items() if value is not None]
    if misplaced and chosen.runner != "ray":
        raise UsageError(f"{misplaced[0]} is for clusters: give --runner ray as well")
    if chosen.runner == "here" and chosen.jobs not in (None, 1):
        raise UsageError("--runner here makes one run after the other: leave --jobs out")


def _on_this_machine(chosen: RunnerOptions, study: Study) -> Runner:
    from musicrel.experiment.runners import resources
    from musicrel.experiment.runners.in_process import InProcess
    from musicrel.experiment.runners.local_runner import LocalRunner
    from musicrel.model import devices

    device = devices.resolve(chosen.device)
    if chosen.runner == "here":
        return InProcess(device, chosen.threads)
    slots = 1 if chosen.jobs is None else chosen.jobs
    if slots == _AUTO:
        parameters = _parameters(study)
        memory = [
            resources.memory_bytes(run.recipe, parameters[run.arm]) for run in study.every_run
        ]
        slots = resources.local_slots(memory, chosen.threads, device.type)
    return LocalRunner(device.type, chosen.threads, slots)


@contextmanager
def _on_cluster(chosen: RunnerOptions, study: Study, out: Path) -> Iterator[Runner]:
    from musicrel.experiment.runners import cluster_runner
    from musicrel.experiment.runners.ray_cluster import RayCluster
    from musicrel.model import devices

    if chosen.device not in devices.DEVICES:
        devices.resolve(chosen.device)  # raises the error
    cluster = RayCluster(chosen.address or "auto")
    try:
        device = chosen.device
        if device == "auto":
            device = "cuda" if cluster.has_gpus() else "cpu"
        yield cluster_runner.ClusterRunner(
            cluster,
            ("--device", device, "--threads", str(chosen.threads)),
            _needs(chosen, study, out, device),
            slots=chosen.jobs or cluster_runner.MANY,
            fetch=chosen.fetch,
        )
    finally:
        cluster.close()


def _needs(
    chosen: RunnerOptions, study: Study, out: Path, device: str
) -> Callable[[Path], Resources]:
    from musicrel.experiment.runners import resources

    parameters = _parameters(study)
    found: dict[Path, Resources] = {}
    for planned in study.every_run:
        gpus = chosen.gpus or planned.recipe.resources.gpus or 1.0
        found[out / planned.folder] = resources.needs(
            planned.recipe,
            parameters[planned.arm],
            threads=chosen.threads,
            gpus=gpus if device == "cuda" else 0.0,
        )
    return found.__getitem__


def _parameters(study: Study) -> dict[str, int]:
    return {arm.name: arm.parameters for arm in study.arms}
