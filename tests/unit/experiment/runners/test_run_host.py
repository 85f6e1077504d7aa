"""The host of a run on a node of a cluster."""

from __future__ import annotations

from pathlib import Path

from musicrel.experiment.runners.run_host import RunHost


def test_a_program_that_a_node_does_not_have_is_named(tmp_path: Path) -> None:
    """It is not taken for a missing folder."""
    host = RunHost(("/nowhere/python", "-m", "musicrel"), node="near")

    answer = host.start(str(tmp_path), (), None)

    assert answer.problem.startswith("cannot start the run: ")
    assert "/nowhere/python" in answer.problem
