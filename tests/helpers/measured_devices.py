"""A machine with a GPU that nobody has: what there is, the folder of the cache and the speeds."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest
import torch

from musicrel.model import device_choice, devices

MACHINE: Final = {"graphics": "NVIDIA H200, 570.124", "torch": "2.13", "musicrel": "2.0.0"}
_PROGRAM: Final = (
    "import sys, time\n"
    "open(sys.argv[1], 'a').write(sys.argv[3] + ' ')\n"
    "print(sys.argv[2], flush=True)\n"
)
WAITS: Final = "time.sleep(600)\n"
DIES: Final = "sys.exit(3)\n"


class Graphics:
    """The simulated machine; ``started`` has the tasks that were measured."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self._patch, self.folder = monkeypatch, folder
        monkeypatch.setattr(device_choice, "folder", lambda: folder / "devices")
        monkeypatch.setattr(devices, "may_have_accelerator", lambda: True)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
        self.is_here(cuda=True)
        self.use(MACHINE)
        self.answer({"device": "cpu", "tokens_per_second": 9.0}, end=DIES)

    def is_here(self, *, cuda: bool) -> None:
        self._patch.setattr(torch.cuda, "is_available", lambda: cuda)

    def use(self, machine: dict[str, str]) -> None:
        self._patch.setattr(devices, "machine", lambda: machine)

    def answer(self, *answers: dict[str, Any], end: str = "") -> None:
        """Let the program print objects instead of measuring."""
        lines = "\n".join(map(json.dumps, answers))
        started = self.folder / "started"
        command = (sys.executable, "-c", _PROGRAM + end, str(started), lines)
        self._patch.setattr(device_choice, "COMMAND", command)

    def have(self, **rates: float) -> None:
        """Let the next measurement find tokens a second of devices."""
        self.answer(*({"device": name, "tokens_per_second": one} for name, one in rates.items()))

    @property
    def started(self) -> list[str]:
        path = self.folder / "started"
        return path.read_text().split() if path.exists() else []
