"""The folder of a run.

It holds ``run.json recipe.toml events.jsonl control.jsonl checkpoints/ best/ model/``.
``result.json`` is added when the run is finished, ``samples/`` if the recipe asks for samples,
``weighed/`` if tables are calibrated on the model's own samples, ``soft-targets/`` if it has
teachers, and ``base/`` and ``teacher-1/`` ..., other run folders, if models are trained first that
the run starts or learns from. The state of a run follows from its folder alone, for any process at
any time.

A checkpoint is two files: ``step-N.safetensors`` with every tensor, and ``step-N.json`` with the
counters and the checksum of the first. The second is written last, so a checkpoint without it, or
with another checksum, is incomplete: it is skipped.
"""

from __future__ import annotations

import errno
import hashlib
import json
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec
import safetensors.torch
import torch
from torch import Tensor

from musicrel import paths, untrusted, validated
from musicrel.errors import DataError, FileError, UsageError
from musicrel.experiment.runs import folder_lock
from musicrel.experiment.runs.event_log import EventDict, EventLog, drop_repeated_steps
from musicrel.experiment.runs.events import TrainEvent, TrainResult
from musicrel.language import tr
from musicrel.model import tensor_file

_log = logging.getLogger(__name__)
_DAMAGE: Final = (FileError, DataError, KeyError, safetensors.SafetensorError)

State: TypeAlias = tuple[dict[str, Tensor], dict[str, Any]]


class Checkpoints:
    """The checkpoints in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, step: int, tensors: Mapping[str, Tensor], counters: Mapping[str, Any]) -> None:
        """Save a checkpoint; the last two are kept."""
        content = safetensors.torch.save({name: value.cpu() for name, value in tensors.items()})
        stem = self._folder / f"step-{step:08d}"
        paths.write_bytes(stem.with_suffix(".safetensors"), content)
        entry = {**counters, "sha256": hashlib.sha256(content).hexdigest()}
        paths.write_text(stem.with_suffix(".json"), json.dumps(entry))
        for old in self._entries()[:-2]:
            _remove(old)

    def latest(self) -> State | None:
        for entry in reversed(self._entries()):
            try:
                return _read_state(entry)
            except _DAMAGE as reason:
                _log.warning("checkpoint %s is damaged (%s); trying the one before", entry, reason)
        return None

    def problems(self) -> list[str]:
        found = []
        for entry in self._entries():
            try:
                _read_state(entry)
            except _DAMAGE as reason:
                found.append(f"checkpoint {entry.stem} is damaged: {reason}")
        return found

    def prune(self, step: int) -> None:
        with paths.explained(f"delete old checkpoints in {self._folder}"):
            for entry in self._entries():
                if entry.stem > f"step-{step:08d}":
                    _remove(entry)
            for left in (*self._folder.glob(".step-*"), *self._folder.glob("step-*.safetensors")):
                if left.name.startswith(".") or not left.with_suffix(".json").exists():
                    left.unlink(missing_ok=True)

    def _entries(self) -> list[Path]:
        return sorted(self._folder.glob("step-*.json"))


def all_finite(tensors: Mapping[str, Tensor]) -> bool:
    return all(bool(torch.isfinite(value).all()) for value in tensors.values())


def _remove(entry: Path) -> None:
    """Delete a checkpoint, its counters first: what remains is incomplete and thus skipped."""
    try:
        entry.unlink(missing_ok=True)
        entry.with_suffix(".safetensors").unlink(missing_ok=True)
    except OSError as reason:  # harmless: only newer checkpoints are used
        _log.warning("cannot remove the old checkpoint %s: %s", entry, reason)


def _read_state(entry: Path) -> State:
    counters = untrusted.parse_json(untrusted.read(entry, "counters"), finite=False)
    content = untrusted.read(entry.with_suffix(".safetensors"), "checkpoint")
    if not isinstance(counters, dict):
        raise FileError("its counters are not a JSON object")
    if hashlib.sha256(content).hexdigest() != counters.pop("sha256"):
        raise FileError("its checksum does not match")
    tensor_file.check(content)
    tensors = safetensors.torch.load(content)
    if not all_finite(tensors):
        raise FileError("a tensor has non-finite values")
    return tensors, counters


FORMAT: Final = "musicrel-run"
VERSION: Final = 2

RunState = Literal[
    "queued", "running", "paused", "stopped", "cancelled", "finished", "crashed"
]  # fmt: skip
"""State of a run; a stopped run saved before it ended, a cancelled one ended without saving."""

REWINDS: Final = frozenset({"TrainStarted", "TrainRolledBack"})
"""Events after which later steps are repeated."""


class RunFolder:
    """The folder of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.log = EventLog(path / "events.jsonl")
        self._checkpoints = Checkpoints(path / "checkpoints")
        self._calibrations = Checkpoints(path / "weighed")

    @property
    def model(self) -> Path:
        return self.path / "model"

    @property
    def best(self) -> Path:
        return self.path / "best"

    def create(self, recipe_toml: str) -> None:
        if (self.path / "study.toml").exists():
            raise UsageError(f"{self.path} holds a study: choose another --out for the run")
        if (self.path / "recipe.toml").exists():
            raise UsageError(
                f"{self.path} already holds a run: resume it with --resume, or choose another --out"
            )
        paths.require_own_files(self.path)
        about = {"format": FORMAT, "version": VERSION}
        paths.write_text(self.path / "run.json", json.dumps(about) + "\n")
        paths.write_text(self.path / "recipe.toml", recipe_toml)

    def check_version(self) -> None:
        """Check that the folder has the format and version that this program reads."""
        check_version(self.path / "run.json", {FORMAT: VERSION})

    def recipe_toml(self) -> str:
        if not (self.path / "recipe.toml").is_file():
            raise UsageError(f"{self.path} holds no run to resume: start it without --resume")
        self.check_version()
        content = untrusted.read(self.path / "recipe.toml", "recipe")
        return content.decode("utf-8", errors="replace")

    def lock(self) -> AbstractContextManager[None]:
        return folder_lock.writer_lock(self.path)

    def state(self) -> RunState:
        return state_of(self.path, "result.json")

    def append_event(self, event: TrainEvent) -> None:
        self.guarded_write(lambda: self.log.append(event))

    def events(self) -> list[EventDict]:
        return drop_repeated_steps(self.log.events(), REWINDS)

    def save_checkpoint(
        self, step: int, tensors: Mapping[str, Tensor], counters: Mapping[str, Any]
    ) -> None:
        """Save a checkpoint; the last two are kept."""
        self.guarded_write(self.log.sync)
        self.guarded_write(lambda: self._checkpoints.save(step, tensors, counters))

    def latest_checkpoint(self) -> State | None:
        return self._checkpoints.latest()

    def problems(self) -> list[str]:
        """Return a sentence for each part that is damaged; models are not read."""
        lines = self.log.damaged_lines()
        events = [f"{lines:,} lines of {self.log.path.name} are no events"] if lines else []
        self.result()
        return [*events, *self._checkpoints.problems(), *self._calibrations.problems()]

    def save_calibration(self, number: int, tables: Mapping[str, Tensor], base_sha256: str) -> None:
        counters = {"round": number, "of": base_sha256}
        self.guarded_write(lambda: self._calibrations.save(number, tables, counters))

    def latest_calibration(self, base_sha256: str) -> tuple[dict[str, Tensor], int]:
        """Return the tables of the last intact calibration round, and its number; 0 for none.

        Rounds that are damaged or belong to other weights are deleted.
        """
        tables, counters = self._calibrations.latest() or ({}, {})
        number = counters.get("round")
        if type(number) is not int or number < 1 or counters.get("of") != base_sha256:
            number = 0
        self._calibrations.prune(number)
        return (tables if number else {}), number

    def repair(self, step: int) -> None:
        """Delete what a crash left incomplete, before the run resumes from ``step``."""
        self.log.repair()
        self._checkpoints.prune(step)

    def write_result(self, result: TrainResult) -> None:
        """Write ``result.json``, which marks the run as finished."""
        values = msgspec.to_builtins(result)
        for name in ("further", "stopped"):
            if not values[name]:
                del values[name]
        text = json.dumps(values, indent=2) + "\n"
        self.guarded_write(lambda: paths.write_text(self.path / "result.json", text))

    def result(self) -> TrainResult | None:
        """Return the content of ``result.json``; None while the run is not finished."""
        path = self.path / "result.json"
        values = read_json_object(path)
        if values is None:
            return None
        if "accuracies" in values:  # of earlier versions
            values["further"] = values["accuracies"]
        return validated.convert(
            values, TrainResult, tr("{path} is damaged", path=path), error=FileError
        )

    def guarded_write(self, write: Callable[[], object]) -> None:
        """Call ``write``, which writes into the folder, and explain its errors."""
        if not (self.path / "run.json").exists():  # a write would create the folder half empty
            raise FileError(
                f"the folder of the run, {self.path}, was deleted: the run cannot continue"
            )
        try:
            write()
        except FileError as reason:
            raise _explain(reason, self.path) from reason


def state_of(folder: Path, result: str) -> RunState:
    alive = folder_lock.writer(folder) is not None  # first: a process ends after its last event
    if not alive and (folder / result).is_file():
        return "finished"
    last = EventLog(folder / "events.jsonl").last()
    name = str(last.get("event")) if last else ""
    if alive:
        return "paused" if name.endswith("Paused") else "running"
    if not name:
        return "queued"
    if not name.endswith("Stopped"):
        return "crashed"
    return "cancelled" if last and last.get("saved") is False else "stopped"


def check_version(path: Path, versions: Mapping[str, int]) -> None:
    """Check the format and version in the file ``path``, which the oldest folders do not have."""
    about = read_json_object(path) or {"format": next(iter(versions)), "version": 1}
    name, found = str(about.get("format")), about.get("version")
    version = versions.get(name)
    if version is None:
        expected = " or ".join(map(repr, versions))
        raise UsageError(
            tr(
                "{folder} is of format {name!r}, expected {expected}: choose another folder",
                folder=path.parent, name=about.get("format"), expected=expected,
            )
        )  # fmt: skip
    if found != version:
        newer = isinstance(found, int) and found > version
        form = (
            tr("{folder} is of format version {found!r}, this program reads {version}: update "
               "musicrel to use it")
            if newer
            else tr("{folder} is of format version {found!r}, this program reads {version}: start "
                    "it again in another folder")
        )  # fmt: skip
        raise UsageError(form.format(folder=path.parent, found=found, version=version))


def read_json_object(path: Path) -> dict[str, Any] | None:
    """Return the JSON object in ``path``; None if there is no such file."""
    if not path.exists():
        return None
    try:
        values = untrusted.parse_json(untrusted.read(path, "run"), finite=False)
    except DataError as reason:
        raise FileError(tr("{path} is damaged: {reason}", path=path, reason=reason)) from reason
    if not isinstance(values, dict):
        raise FileError(tr("{path} is damaged: expected a JSON object", path=path))
    return values


def _explain(reason: FileError, folder: Path) -> FileError:
    """Return ``reason``, or advice if the disk is full."""
    cause: BaseException | None = reason
    while cause is not None and not isinstance(cause, OSError):
        cause = cause.__cause__
    if isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return FileError(
            f"the disk of {folder} is full: earlier checkpoints are intact, free some space and "
            "resume"
        )
    return reason
