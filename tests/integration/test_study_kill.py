"""A study whose processes are killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.kill_study import kill_study


@pytest.mark.slow
@pytest.mark.timeout(3600)  # minutes; more on a busy machine
def test_a_killed_study_equals_an_undisturbed_one(tmp_path: Path) -> None:
    """20 kills; ``python -m tests.faults.kill_study 200`` does the same."""
    report = kill_study(tmp_path, kills=20, seed=1)

    assert report.problems == []
    assert report.kills == 20
