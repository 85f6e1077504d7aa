"""States of a run on disk, each whole or passed over.

A checkpoint is two files: ``step-N.safetensors`` with every tensor, then ``step-N.json`` with the
counters and the checksum of the first. The second is written last, so a checkpoint without it, or
with another checksum, was never finished.

This file knows tensors by name; it knows nothing of what the counters mean.
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

from musicrel import paths
from musicrel.errors import FileError

_log = logging.getLogger(__name__)
_KEPT: Final = 2
_LARGEST_STATE: Final = 16_000_000_000
_LARGEST_TEXT: Final = 1_000_000

State: TypeAlias = tuple[dict[str, Tensor], dict[str, Any]]


class Checkpoints:
    """The checkpoints in one folder.

    Args:
        folder: theirs alone; it may not exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, step: int, tensors: Mapping[str, Tensor], counters: Mapping[str, Any]) -> None:
        """Store a state; the last two are kept.

        Raises:
            FileError: it cannot be written; those from before are as they were.
        """
        content = safetensors.torch.save({name: value.cpu() for name, value in tensors.items()})
        stem = self._folder / f"step-{step:08d}"
        paths.write_bytes(stem.with_suffix(".safetensors"), content)
        entry = {**counters, "sha256": hashlib.sha256(content).hexdigest()}
        paths.write_text(stem.with_suffix(".json"), json.dumps(entry))
        for old in self._entries()[:-_KEPT]:
            _remove(old)

    def latest(self) -> State | None:
        """The newest state that is whole, or None where there is none."""
        for entry in reversed(self._entries()):
            try:
                return _read_state(entry)
            except (FileError, ValueError, KeyError, safetensors.SafetensorError) as reason:
                _log.warning("checkpoint %s is damaged (%s); trying the one before", entry, reason)
        return None

    def tidy(self, step: int) -> None:
        """Take away what a sudden death left: half-written files, and states after ``step``.

        Raises:
            FileError: the folder cannot be written.
        """
        try:
            for entry in self._entries():
                if entry.stem > f"step-{step:08d}":
                    _remove(entry)
            for left in (*self._folder.glob(".step-*"), *self._folder.glob("step-*.safetensors")):
                if left.name.startswith(".") or not left.with_suffix(".json").exists():
                    left.unlink(missing_ok=True)
        except OSError as reason:
            raise FileError(f"cannot tidy {self._folder}: {reason.strerror or reason}") from reason

    def _entries(self) -> list[Path]:
        return sorted(self._folder.glob("step-*.json"))


def all_finite(tensors: Mapping[str, Tensor]) -> bool:
    """Whether every value is a number; a state with others is worth nothing."""
    return all(bool(torch.isfinite(value).all()) for value in tensors.values())


def _remove(entry: Path) -> None:
    """The counters first, so that nothing looks whole that is not."""
    try:
        entry.unlink(missing_ok=True)
        entry.with_suffix(".safetensors").unlink(missing_ok=True)
    except OSError as reason:  # an old state too many harms nobody
        _log.warning("cannot remove the old checkpoint %s: %s", entry, reason)


def _read_state(entry: Path) -> State:
    counters = json.loads(paths.read_bytes(entry, limit=_LARGEST_TEXT))
    content = paths.read_bytes(entry.with_suffix(".safetensors"), limit=_LARGEST_STATE)
    if not isinstance(counters, dict):
        raise FileError("its counters are no table")
    if hashlib.sha256(content).hexdigest() != counters.pop("sha256"):
        raise FileError("its checksum does not match")
    return safetensors.torch.load(content), counters
