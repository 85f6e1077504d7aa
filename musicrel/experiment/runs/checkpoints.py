"""Checkpoints of a run on disk, each intact or skipped.

A checkpoint is two files: ``step-N.safetensors`` with every tensor, and ``step-N.json`` with the
counters and the checksum of the first. The second is written last, so a checkpoint without it, or
with another checksum, is incomplete.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import safetensors.torch
import torch
from torch import Tensor

from musicrel import gate, paths
from musicrel.errors import DataError, FileError
from musicrel.model import tensor_file

_log = logging.getLogger(__name__)
_KEPT: Final = 2
_DAMAGE: Final = (FileError, DataError, KeyError, safetensors.SafetensorError)
"""Errors of reading a damaged checkpoint."""

State: TypeAlias = tuple[dict[str, Tensor], dict[str, Any]]
"""Tensors by name, and counters."""


class Checkpoints:
    """The checkpoints in one folder.

    Args:
        folder: a folder for checkpoints only; it need not exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, step: int, tensors: Mapping[str, Tensor], counters: Mapping[str, Any]) -> None:
        """Save a checkpoint; the last two are kept."""
        content = safetensors.torch.save({name: value.cpu() for name, value in tensors.items()})
        stem = self._folder / f"step-{step:08d}"
        paths.write_bytes(stem.with_suffix(".safetensors"), content)
        entry = {**counters, "sha256": hashlib.sha256(content).hexdigest()}
        paths.write_text(stem.with_suffix(".json"), json.dumps(entry))
        for old in self._entries()[:-_KEPT]:
            _remove(old)

    def latest(self) -> State | None:
        """Return the newest intact checkpoint, or None if there is none."""
        for entry in reversed(self._entries()):
            try:
                return _read_state(entry)
            except _DAMAGE as reason:
                _log.warning("checkpoint %s is damaged (%s); trying the one before", entry, reason)
        return None

    def problems(self) -> list[str]:
        """Return a sentence for each checkpoint that is damaged."""
        found = []
        for entry in self._entries():
            try:
                _read_state(entry)
            except _DAMAGE as reason:
                found.append(f"checkpoint {entry.stem} is damaged: {reason}")
        return found

    def prune(self, step: int) -> None:
        """Delete incomplete files and the checkpoints after ``step``."""
        try:
            for entry in self._entries():
                if entry.stem > f"step-{step:08d}":
                    _remove(entry)
            for left in (*self._folder.glob(".step-*"), *self._folder.glob("step-*.safetensors")):
                if left.name.startswith(".") or not left.with_suffix(".json").exists():
                    left.unlink(missing_ok=True)
        except OSError as reason:
            raise FileError(
                f"cannot delete old checkpoints in {self._folder}: {reason.strerror or reason}"
            ) from reason

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
    counters = gate.parse_json(gate.read(entry, "counters"), finite=False)
    content = gate.read(entry.with_suffix(".safetensors"), "checkpoint")
    if not isinstance(counters, dict):
        raise FileError("its counters are not a JSON object")
    if hashlib.sha256(content).hexdigest() != counters.pop("sha256"):
        raise FileError("its checksum does not match")
    tensor_file.check(content)
    tensors = safetensors.torch.load(content)
    if not all_finite(tensors):
        raise FileError("a tensor has non-finite values")
    return tensors, counters
