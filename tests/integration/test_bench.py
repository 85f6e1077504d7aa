"""The bench, as a user calls it: briefly, with gross bounds."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


@pytest.mark.slow
def test_the_bench_measures_writing_sound_and_the_window() -> None:
    """The figures are there and none is absurd, even on a busy machine."""
    command = [sys.executable, "-m", "musicrel", "bench", "--window-seconds", "5", "--json"]
    parts = ["--only", "writing", "sound", "window"]
    answer = subprocess.run([*command, *parts], capture_output=True, text=True, check=True)

    said = json.loads(answer.stdout)
    rows = {row["name"]: row for row in said["rows"]}
    assert said["machine"]["threads"] == 1
    assert rows["write 16 bars, relative"]["value"] > 100
    assert rows["write 16 bars, relative, attention recorded"]["ratio"] > 0.5
    assert rows["window, writing and playing for 5 s: p99 gap"]["value"] < 150
    assert rows["window, writing and playing for 5 s: pieces written"]["value"] >= 1
    assert rows["smoke study (finished) beside the window: p99 gap"]["value"] < 150
    assert rows["roll, 10,000 notes: cached repaint"]["value"] < 15
