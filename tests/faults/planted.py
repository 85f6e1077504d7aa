"""Links, pipes and devices in place of the files of a folder that someone has sent."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

KEPT: Final = b"the user's own words\n"


@dataclass(frozen=True, slots=True)
class Victim:
    """A folder of the user, to which links lead.

    Args:
        folder: a new folder.
    """

    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir()
        self.file.write_bytes(KEPT)
        (self.folder / ".step-00000001.json").write_bytes(KEPT)

    @property
    def file(self) -> Path:
        return self.folder / "step-99999999.json"

    def is_whole(self) -> bool:
        found = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        return found == dict.fromkeys(("step-99999999.json", ".step-00000001.json"), KEPT)


PLANTED: Final[Mapping[str, Callable[[Path, Victim], object]]] = {
    "link": lambda path, victim: path.symlink_to(victim.file),
    "link to a new file": lambda path, victim: path.symlink_to(victim.folder / "new"),
    "link to a folder": lambda path, victim: path.symlink_to(victim.folder),
    "hard link": lambda path, victim: path.hardlink_to(victim.file),
    "pipe": lambda path, _: os.mkfifo(path),
    "link to a device": lambda path, _: path.symlink_to("/dev/zero"),
}
"""Links, pipes and other traps, by kind."""
FILES: Final = (
    "writer.lock", "writer.alive", "events.jsonl", "control.jsonl", "log.txt", "run.json",
    "recipe.toml", "result.json", "data.txt", "checkpoints/step-00000006.json",
    "checkpoints/step-00000012.safetensors", "checkpoints", "best", "best/card.json",
    "best/model.safetensors", "model", "model/card.json", "samples", "soft-targets", "weighed",
    "base",
)  # fmt: skip
"""Files in the folder of a run, present or written later."""


def plant(folder: Path, name: str, kind: str, victim: Victim) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    PLANTED[kind](path, victim)
