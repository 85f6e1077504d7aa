"""A memory study as a job: time and peak memory of one layer, forward and backward pass.

Rows that would exceed the limit or the free memory are extrapolated from the rows before them and
marked as estimated. Each row is written to ``events.jsonl`` in the folder as soon as it is known,
and is not measured again when the study is resumed.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import linear_regression
from typing import Any, Final

import msgspec
import psutil
import torch

from musicrel import paths
from musicrel.experiment.runs import environment, events, run_control
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.events import LayerCost
from musicrel.experiment.runs.run_folder import read_json_object
from musicrel.experiment.study import definition, results
from musicrel.experiment.study.memory_study import LAYER_ARMS, MemoryStudy
from musicrel.jobs import Control, Job, keep_running
from musicrel.language import tr
from musicrel.model.blocks.attention import Recording, SelfAttention

MACHINE: Final = "machine.json"

_MIN_FIT_POINTS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerCosts:
    study: MemoryStudy
    rows: tuple[LayerCost, ...]  # measured or estimated so far
    machine: dict[str, Any]  # where it was measured, see ``environment.machine``

    @property
    def finished(self) -> bool:
        return len(self.rows) == len(self.study.rows)

    @property
    def sentence(self) -> str:
        powers = [
            tr("{arm} as L^{power:.2f}", arm=arm, power=power)
            for arm in self.study.arms
            if (power := self.exponent(arm, "peak_bytes")) is not None
        ]
        growth = tr("memory grows with the sequence length L: {powers}", powers=", ".join(powers))
        return growth if powers else tr("no row is measured yet")

    def rows_of(self, arm: str) -> list[LayerCost]:
        return [row for row in self.rows if row.arm == arm]

    def exponent(self, arm: str, quantity: str) -> float | None:
        """Return p of the fit a L^p to ``quantity`` over measured rows; None for fewer than two."""
        measured = [row for row in self.rows_of(arm) if not row.estimated]
        return _fit_power([(row.length, getattr(row, quantity)) for row in measured])

    def to_json(self) -> dict[str, Any]:
        return {
            "study": self.study.name,
            "finished": self.finished,
            "measure": "seconds and bytes of one layer, forward and backward pass",
            "machine": self.machine,
            "arms": [
                {
                    "name": arm,
                    "says": LAYER_ARMS[arm].description,
                    "seconds_exponent": self.exponent(arm, "seconds"),
                    "peak_exponent": self.exponent(arm, "peak_bytes"),
                }
                for arm in self.study.arms
            ],
            "runs": [msgspec.structs.asdict(row) for row in self.rows],
            "verdict": {"sentence": self.sentence},
        }


def measure(
    study: MemoryStudy,
    folder: Path,
    *,
    resume: bool = False,
    device: torch.device | str = "cpu",
    threads: int = 1,
    control: Control = keep_running,
    since: int | None = None,
) -> Job[LayerCost, LayerCosts]:
    """Run ``study`` in ``folder``; yields each row once it is known."""
    device = torch.device(device)
    opened = definition.opened(study, folder, resume=resume, control=control, since=since)
    with opened as (log, controls):
        if not (folder / MACHINE).exists():
            machine = environment.machine(device, threads) | {"commit": environment.commit()}
            paths.write_text(folder / MACHINE, json.dumps(machine, indent=1) + "\n")
        found = collect(study, folder)
        known = {(row.arm, row.length) for row in found.rows}
        for arm, length in study.rows:
            if (arm, length) in known:
                continue
            if not _may_continue(controls, log):
                log.append(events.StudyStopped(finished=len(found.rows)))
                return found
            row = _row(study, arm, length, found.rows_of(arm), device)
            log.append(row)
            found = replace(found, rows=(*found.rows, row))
            yield row
        text = json.dumps(found.to_json(), indent=2) + "\n"
        paths.write_text(folder / results.RESULTS, text)
    return found


def _may_continue(control: Control, log: EventLog) -> bool:
    """Return whether to continue with the next row; waits while the user pauses."""
    command = control()
    if command == "pause":
        log.append(events.StudyPaused())
        command = run_control.wait_while_paused(control)
        log.append(events.StudyResumed())
    return command != "stop"


def collect(study: MemoryStudy, folder: Path) -> LayerCosts:
    found = map(events.read, EventLog(folder / "events.jsonl").events())
    rows = tuple(event for event in found if isinstance(event, LayerCost))
    machine = read_json_object(folder / MACHINE) or {}
    return LayerCosts(study=study, rows=rows, machine=machine)


def _row(
    study: MemoryStudy, arm: str, length: int, shorter: Sequence[LayerCost], device: torch.device
) -> LayerCost:
    peak = _extrapolate([(row.length, row.peak_bytes) for row in shorter], length)
    if peak is not None and peak > min(study.limit_gigabytes * 1e9, _free_bytes(device)):
        seconds = _extrapolate([(row.length, row.seconds) for row in shorter], length) or 0.0
        return LayerCost(
            arm=arm, length=length, seconds=seconds, peak_bytes=round(peak), estimated=True
        )
    work = layer_pass(study, arm, length, device)
    work()  # warm-up: one-time preparations are not part of the cost
    seconds = min(_seconds(work, device) for _ in range(study.repeats))
    return LayerCost(
        arm=arm, length=length, seconds=seconds, peak_bytes=environment.peak_during(work, device)
    )


def layer_pass(
    study: MemoryStudy, arm: str, length: int, device: torch.device
) -> Callable[[], object]:
    """Return a function that runs one forward and backward pass of one causal layer."""
    layer_arm = LAYER_ARMS[arm]
    with torch.random.fork_rng():
        torch.manual_seed(0)
        positional = layer_arm.make(study.heads, study.width // study.heads, study.max_distance)
        layer = SelfAttention(study.width, study.heads, positional).to(device)
        x_BTD = torch.randn(study.batch, length, study.width).to(device).requires_grad_(True)
    leaves = [x_BTD, *layer.parameters()]

    def work() -> None:
        out_BTD = layer(x_BTD, causal=True, record=Recording() if layer_arm.explicit else None)
        torch.autograd.grad(out_BTD.sum(), leaves)

    return work


def _seconds(work: Callable[[], object], device: torch.device) -> float:
    start = time.perf_counter()
    work()
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter() - start


def _free_bytes(device: torch.device) -> float:
    if device.type == "cuda":
        return float(torch.cuda.mem_get_info(device)[0])
    return float(psutil.virtual_memory().available)


def _extrapolate(points: Sequence[tuple[int, float]], length: int) -> float | None:
    """Return the value at ``length`` by the power law of the last two points; None without them."""
    power = _fit_power(points[-2:])
    return None if power is None else float(points[-1][1] * (length / points[-1][0]) ** power)


def _fit_power(points: Sequence[tuple[int, float]]) -> float | None:
    """Return p of a L^p by least squares of the logarithms; None for fewer than two points."""
    if len(points) < _MIN_FIT_POINTS:
        return None
    xs, ys = ([math.log(value) for value in axis] for axis in zip(*points, strict=True))
    return linear_regression(xs, ys).slope
