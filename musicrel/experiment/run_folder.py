"""A run as a folder: ``recipe.toml events.jsonl result.json checkpoints/ best/ model/``.

A checkpoint is two files: ``step-N.safetensors`` with every tensor, then ``step-N.json`` with the
counters and the checksum of the first. The second is written last, so a checkpoint without it, or
with another checksum, was never finished and is passed over.

This file knows files; it knows nothing of models or of what the numbers mean.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import safetensors.torch
from torch import Tensor

from musicrel import paths
from musicrel.errors import FileError, UsageError

_log = logging.getLogger(__name__)
_KEPT: Final = 2
_LARGEST_STATE: Final = 2_000_000_000
_LARGEST_TEXT: Final = 64_000_000

State = tuple[dict[str, Tensor], dict[str, Any]]


class RunFolder:
    """The folder of one run.

    Args:
        path: the folder; it may not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def model(self) -> Path:
        """The finished model's directory."""
        return self.path / "model"

    def begin(self, recipe_toml: str) -> None:
        """Make the folder for a new run.

        Raises:
            UsageError: the folder holds a run already.
            FileError: it cannot be written.
        """
        if (self.path / "recipe.toml").exists():
            raise UsageError(
                f"{self.path} holds a run already: go on with --resume, or choose another --out"
            )
        paths.write_text(self.path / "recipe.toml", recipe_toml)

    def recipe_toml(self) -> str:
        """The recipe of the run that is in the folder.

        Raises:
            UsageError: there is no run.
        """
        if not (self.path / "recipe.toml").is_file():
            raise UsageError(f"{self.path} holds no run to resume: start it without --resume")
        return paths.read_bytes(self.path / "recipe.toml", limit=_LARGEST_TEXT).decode("utf-8")

    def append_event(self, event: Mapping[str, Any]) -> None:
        """Add a line to ``events.jsonl``."""
        try:
            with (self.path / "events.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(event) + "\n")
        except OSError as reason:
            raise FileError(f"cannot write {self.path / 'events.jsonl'}: {reason}") from reason

    def events(self) -> Iterator[dict[str, Any]]:
        """The events so far; a line that was cut off is left out."""
        path = self.path / "events.jsonl"
        if not path.exists():
            return
        text = paths.read_bytes(path, limit=_LARGEST_TEXT).decode("utf-8", errors="replace")
        for line in text.splitlines():
            with contextlib.suppress(json.JSONDecodeError):
                yield json.loads(line)

    def forget_events_after(self, step: int) -> None:
        """Drop events of later steps, which a resumed run writes again."""
        kept = [event for event in self.events() if event.get("step", 0) <= step]
        lines = "".join(json.dumps(event) + "\n" for event in kept)
        paths.write_text(self.path / "events.jsonl", lines)

    def save_checkpoint(
        self, step: int, tensors: Mapping[str, Tensor], counters: Mapping[str, Any]
    ) -> None:
        """Store a state; the last two are kept."""
        content = safetensors.torch.save(dict(tensors))
        stem = self._checkpoints / f"step-{step:08d}"
        paths.write_bytes(stem.with_suffix(".safetensors"), content)
        entry = {"sha256": hashlib.sha256(content).hexdigest(), **counters}
        paths.write_text(stem.with_suffix(".json"), json.dumps(entry))
        for old in sorted(self._checkpoints.glob("step-*.json"))[:-_KEPT]:
            old.unlink(missing_ok=True)
            old.with_suffix(".safetensors").unlink(missing_ok=True)

    def latest_checkpoint(self) -> State | None:
        """The newest state that is whole, or None where there is none."""
        for entry in sorted(self._checkpoints.glob("step-*.json"), reverse=True):
            try:
                return _read_state(entry)
            except (FileError, ValueError, KeyError, safetensors.SafetensorError) as reason:
                _log.warning("checkpoint %s is damaged (%s); trying the one before", entry, reason)
        return None

    def write_result(self, result: Mapping[str, Any]) -> None:
        """Write ``result.json``; the run is done."""
        paths.write_text(self.path / "result.json", json.dumps(result, indent=2) + "\n")

    @property
    def _checkpoints(self) -> Path:
        return self.path / "checkpoints"


def _read_state(entry: Path) -> State:
    counters = json.loads(paths.read_bytes(entry, limit=_LARGEST_TEXT))
    content = paths.read_bytes(entry.with_suffix(".safetensors"), limit=_LARGEST_STATE)
    if not isinstance(counters, dict):
        raise FileError("its counters are no table")
    if hashlib.sha256(content).hexdigest() != counters.pop("sha256"):
        raise FileError("its checksum does not match")
    return safetensors.torch.load(content), counters
