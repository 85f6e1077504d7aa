"""A project whose program is killed while it is edited."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.kill_project import survive


@pytest.mark.slow
def test_a_kill_loses_at_most_the_edit_that_was_being_written(tmp_path: Path) -> None:
    """20 kills in one session; ``python -m tests.helpers.kill_project 200`` does the same."""
    found = survive(20, tmp_path)

    assert found["kills"] == 20
    assert found["snapshots read"] > 0
