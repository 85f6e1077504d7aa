"""A memory study as a job: one layer after the other, forwards and backwards, timed and weighed.

Rows that would take more than the limit, or than there is, are estimated from the growth of the
rows before, and say so. What is measured stands in the folder's ``events.jsonl`` at once, and is
not measured again when the study goes on.

This file knows layers, clock and folder; how figures are shown is the report's.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import linear_regression
from typing import Any, Final

import psutil
import torch

from musicrel import paths
from musicrel.errors import UsageError
from musicrel.experiment.runs import environment, memory, run_control
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.folder_lock import WriterLock
from musicrel.experiment.runs.run_control import Either, FolderControl
from musicrel.experiment.runs.run_folder import check_version, read_table
from musicrel.experiment.study import results
from musicrel.experiment.study.layer_arms import LAYER_ARMS
from musicrel.experiment.study.memory_study import MemoryStudy, read
from musicrel.jobs import Control, Job, KeepRunning
from musicrel.model.blocks.attention import SelfAttention

FORMAT: Final = "musicrel-memory"
VERSION: Final = 1
MACHINE: Final = "machine.json"

_GIGABYTE: Final = 1e9
_NEEDED_FOR_A_FIT: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerCost:
    """What one layer took.

    Attributes:
        arm: which way, see ``layer_arms``.
        length: tokens L.
        seconds: of one pass forwards and backwards, the fastest of several.
        peak_bytes: the most that its tensors held at a time, inputs and weights not counted.
        estimated: whether it was not measured but told from shorter rows.
    """

    arm: str
    length: int
    seconds: float
    peak_bytes: int
    estimated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerCosts:
    """A memory study and what came of it.

    Attributes:
        study: what was asked.
        rows: what was measured or estimated.
        machine: where.
    """

    study: MemoryStudy
    rows: tuple[LayerCost, ...]
    machine: dict[str, Any]

    @property
    def finished(self) -> bool:
        """Whether every row is there."""
        return len(self.rows) == len(self.study.rows)

    @property
    def sentence(self) -> str:
        """How memory grows, in words."""
        told = [
            f"{arm} as L^{power:.2f}"
            for arm in self.study.arms
            if (power := self.exponent(arm, "peak_bytes")) is not None
        ]
        return f"memory grows with the length L: {', '.join(told)}" if told else "no row is done"

    def of(self, arm: str) -> list[LayerCost]:
        """The rows of an arm, short ones first."""
        return [row for row in self.rows if row.arm == arm]

    def exponent(self, arm: str, what: str) -> float | None:
        """The power of L with which ``seconds`` or ``peak_bytes`` grow, over measured rows."""
        measured = [row for row in self.of(arm) if not row.estimated]
        return _power([(row.length, getattr(row, what)) for row in measured])

    def to_json(self) -> dict[str, Any]:
        """The content of ``results.json``."""
        return {
            "study": self.study.name,
            "finished": self.finished,
            "measure": "seconds and bytes of one layer, forwards and backwards",
            "machine": self.machine,
            "arms": [
                {
                    "name": arm,
                    "says": LAYER_ARMS[arm].says,
                    "seconds_exponent": self.exponent(arm, "seconds"),
                    "peak_exponent": self.exponent(arm, "peak_bytes"),
                }
                for arm in self.study.arms
            ],
            "runs": [asdict(row) for row in self.rows],
            "verdict": {"sentence": self.sentence},
        }


def study_in(folder: Path) -> MemoryStudy | None:
    """The memory study in a folder; None: it holds none."""
    path = folder / results.STUDY
    return read(path) if path.is_file() else None


def begin(folder: Path, study: MemoryStudy) -> None:
    """Make the folder of a study that waits.

    Raises:
        UsageError: it holds a study or a run already.
        FileError: it cannot be written.
    """
    results.claim(folder, study.text, FORMAT, VERSION)


def measure(
    study: MemoryStudy,
    folder: Path,
    *,
    resume: bool = False,
    device: torch.device | str = "cpu",
    threads: int = 1,
    control: Control | None = None,
    since: int | None = None,
) -> Job[LayerCost, LayerCosts]:
    """Carry ``study`` out in ``folder``; yields each row as it is known.

    Args:
        study: what to measure.
        folder: the study's folder; new, unless ``resume``.
        resume: go on with the study in the folder.
        device: where.
        threads: of torch.
        control: asked before each row, beside ``control.jsonl`` in the folder: ``stop`` ends,
            ``pause`` waits.
        since: byte of ``control.jsonl`` from which on its wishes count; None: those made from now.

    Raises:
        UsageError: the folder holds another study, or none to resume.
        FileError: it cannot be written.
    """
    device = torch.device(device)
    if resume:
        _check_same(study, folder)
    else:
        begin(folder, study)
    wanted = Either(FolderControl(folder, since), control or KeepRunning())
    with WriterLock(folder):
        log = EventLog(folder / "events.jsonl")
        log.mend()
        _note_machine(folder, device, threads)
        done = {(row.arm, row.length) for row in _rows(folder)}
        for arm, length in study.rows:
            if (arm, length) in done:
                continue
            if not _goes_on(wanted, log):
                log.append({"event": "StudyStopped", "finished": len(_rows(folder))})
                return collect(study, folder)
            row = _row(study, arm, length, collect(study, folder).of(arm), device)
            log.append({"event": "LayerCost", **asdict(row)})
            yield row
        found = collect(study, folder)
        text = json.dumps(found.to_json(), indent=2) + "\n"
        paths.write_text(folder / results.RESULTS, text)
    return found


def _note_machine(folder: Path, device: torch.device, threads: int) -> None:
    """Write down where the first row is measured."""
    if not (folder / MACHINE).exists():
        machine = environment.machine(device, threads) | {"commit": environment.commit()}
        paths.write_text(folder / MACHINE, json.dumps(machine, indent=1) + "\n")


def _goes_on(wanted: Control, log: EventLog) -> bool:
    """Whether the next row is wanted; waits while the user pauses."""
    wish = wanted.wish()
    if wish == "pause":
        log.append({"event": "StudyPaused"})
        wish = run_control.after_pause(wanted.wish)
        log.append({"event": "StudyResumed"})
    return wish != "stop"


def collect(study: MemoryStudy, folder: Path) -> LayerCosts:
    """What has come of ``study`` in its folder so far."""
    machine = read_table(folder / MACHINE) or {}
    return LayerCosts(study=study, rows=tuple(_rows(folder)), machine=machine)


def _rows(folder: Path) -> list[LayerCost]:
    events = EventLog(folder / "events.jsonl").events()
    return [
        LayerCost(**{name: event[name] for name in LayerCost.__dataclass_fields__})
        for event in events
        if event.get("event") == "LayerCost"
    ]


def _row(
    study: MemoryStudy, arm: str, length: int, shorter: Sequence[LayerCost], device: torch.device
) -> LayerCost:
    """Measure a row, or estimate it where it would take too much."""
    peak = _extended([(row.length, row.peak_bytes) for row in shorter], length)
    if peak is not None and peak > min(study.limit_gigabytes * _GIGABYTE, _available(device)):
        seconds = _extended([(row.length, row.seconds) for row in shorter], length) or 0.0
        return LayerCost(
            arm=arm, length=length, seconds=seconds, peak_bytes=round(peak), estimated=True
        )
    work = layer_pass(study, arm, length, device)
    work()  # what is prepared once is no cost of the layer
    seconds = min(_seconds(work, device) for _ in range(study.repeats))
    return LayerCost(
        arm=arm, length=length, seconds=seconds, peak_bytes=memory.peak_during(work, device)
    )


def layer_pass(
    study: MemoryStudy, arm: str, length: int, device: torch.device
) -> Callable[[], object]:
    """One pass of one causal layer, forwards and backwards, ready to be run."""
    way = LAYER_ARMS[arm]
    with torch.random.fork_rng():
        torch.manual_seed(0)
        positional = way.make(study.heads, study.width // study.heads, study.max_distance)
        layer = SelfAttention(study.width, study.heads, positional).to(device)
        x_BTD = torch.randn(study.batch, length, study.width).to(device).requires_grad_(True)
    leaves = [x_BTD, *layer.parameters()]

    def work() -> None:
        out_BTD = layer(x_BTD, causal=True, record=way.explicit).out_BTD
        torch.autograd.grad(out_BTD.sum(), leaves)

    return work


def _seconds(work: Callable[[], object], device: torch.device) -> float:
    began = time.perf_counter()
    work()
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter() - began


def _available(device: torch.device) -> float:
    """Bytes that are free."""
    if device.type == "cuda":
        return float(torch.cuda.mem_get_info(device)[0])
    return float(psutil.virtual_memory().available)


def _extended(points: Sequence[tuple[int, float]], length: int) -> float | None:
    """The value at ``length`` by the growth of the last two points; None without them."""
    power = _power(points[-2:])
    return None if power is None else float(points[-1][1] * (length / points[-1][0]) ** power)


def _power(points: Sequence[tuple[int, float]]) -> float | None:
    """The p of a L^p by least squares of the logarithms; None for less than two points."""
    if len(points) < _NEEDED_FOR_A_FIT:
        return None
    xs, ys = ([math.log(value) for value in axis] for axis in zip(*points, strict=True))
    return linear_regression(xs, ys).slope


def _check_same(study: MemoryStudy, folder: Path) -> None:
    check_version(folder / results.ABOUT, FORMAT, VERSION)
    if study_in(folder) != study:
        raise UsageError(
            f"{folder} holds no study {study.name!r} with these values: resume it without --study, "
            "or choose another --out"
        )
