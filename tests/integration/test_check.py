"""``musicrel check`` as a process, with all shipped models, on all devices there are."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from musicrel import cores
from tests.devices import devices_here


@devices_here
def test_all_shipped_models_work_on_the_device(device: str) -> None:
    command = [sys.executable, "-m", "musicrel", "check", "--device", device, "--json"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)

    found = json.loads(answer.stdout)
    failed = [one for one in found["checks"] if one["verdict"] == "failed"]
    assert failed == []
    assert answer.returncode == 0
    assert found["machine"]["device"] == device
    assert len({one["subject"] for one in found["checks"]}) == 10


@pytest.mark.timeout(900)
def test_the_bench_measures_writing_sound_and_the_window() -> None:
    command = [sys.executable, "-m", "musicrel", "bench", "--window-seconds", "5", "--json"]
    parts = ["--only", "writing", "sound", "window", "gaps"]
    answer = subprocess.run([*command, *parts], capture_output=True, text=True, check=True)

    found = json.loads(answer.stdout)
    rows = {row["name"]: row for row in found["rows"]}
    assert found["machine"]["threads"] == cores.physical()
    assert rows["window, writing and playing for 5 s: pieces written"]["value"] >= 1
    for name in (
        "write 16 bars, relative",
        "write 16 bars, relative, attention recorded",
        "window, writing and playing for 5 s: p99 gap",
        "attention page, writing and playing for 5 s: p99 gap",
        "window, two models, writing and playing for 5 s: longest gap",
        "attention page, two models, writing and playing for 5 s: longest gap",
        "roll, 10,000 notes: cached repaint",
        "start to usable window",
        "start to first note",
        "window, only loading a model: longest gap",
        "window, only writing 3 pieces: longest gap",
        "window, only playing for 5 s: longest gap",
    ):
        assert rows[name]["value"] > 0
    # on a slow machine it is still running when the time of the benchmark is up
    studies = [name for name in rows if name.startswith("smoke study (")]
    assert {name.partition("(")[2].partition(")")[0] for name in studies} <= {"finished", "running"}
    assert {name.partition(")")[2] for name in studies} >= {" beside the window: p99 gap"}
