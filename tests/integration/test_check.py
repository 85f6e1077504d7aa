"""``musicrel check`` as a process, with all shipped models, on all devices there are."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.devices import devices_here


@pytest.mark.slow
@devices_here
def test_all_shipped_models_work_on_the_device(device: str) -> None:
    """Only what other devices have is not tried."""
    command = [sys.executable, "-m", "musicrel", "check", "--device", device, "--json"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)

    found = json.loads(answer.stdout)
    failed = [one for one in found["checks"] if one["verdict"] == "failed"]
    assert failed == []
    assert answer.returncode == 0
    assert found["machine"]["device"] == device
    assert len({one["subject"] for one in found["checks"]}) == 10
