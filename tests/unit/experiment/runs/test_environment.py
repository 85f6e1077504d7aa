"""Tests of the description of program and machine."""

from __future__ import annotations

import re
import shutil

import pytest
import torch

from musicrel.experiment.runs import environment


def test_a_machine_is_described_by_what_decides_the_last_bit() -> None:
    """The values are plain JSON."""
    machine = environment.machine(torch.device("cpu"), 2)

    assert (machine["torch"], machine["device"], machine["threads"]) == (
        torch.__version__,
        "cpu",
        2,
    )
    assert all(isinstance(value, (str, int)) for value in machine.values())


def test_the_commit_is_that_of_the_source_tree() -> None:
    """Forty hexadecimal digits, or nothing outside a repository."""
    assert re.fullmatch(r"([0-9a-f]{40})?", environment.commit())


def test_without_git_no_commit_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Training does not need it."""
    monkeypatch.setattr(shutil, "which", lambda _: None)

    assert environment.commit() == ""
