"""Machines in words."""

from __future__ import annotations

from typing import Any

import pytest

from musicrel.presentation.compose import machine_differences

HERE: dict[str, Any] = {
    "device": "cpu", "threads": 1, "kernel": "compiled", "precision": "single",
    "torch": "2.8.0", "musicrel": "2.0.0",
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({}, ""),
        ({"kernel": "torch"}, "kernel torch (here compiled)"),
        ({"precision": "mixed"}, "precision mixed (here single)"),
        (
            {"device": "cuda:0", "musicrel": "1.0.0"},
            "device cuda:0 (here cpu), musicrel 1.0.0 (here 2.0.0)",
        ),
    ],
)
def test_what_differs_is_named(changed: dict[str, Any], sentence: str) -> None:
    """Each fact with its value there and here."""
    assert machine_differences.describe(HERE | changed, HERE) == sentence


def test_a_piece_of_version_1_was_made_by_torch() -> None:
    """There was no choice, so it is not in its file."""
    made = {fact: HERE[fact] for fact in ("device", "threads", "torch", "musicrel")}

    assert machine_differences.describe(made, HERE) == "kernel torch (here compiled)"


def test_torch_matters_only_where_it_computes() -> None:
    """Its version and its threads change the last bits of its results."""
    other = {"torch": "2.7.0", "threads": 2}
    by_torch = HERE | {"kernel": "torch"}

    assert machine_differences.describe(HERE | other, HERE) == ""
    assert machine_differences.describe(by_torch | other, by_torch) == (
        "torch 2.7.0 (here 2.8.0), threads 2 (here 1)"
    )


def test_an_unknown_machine_differs_in_nothing() -> None:
    """A piece from elsewhere has no machine in its file, and versions may be unknown."""
    assert machine_differences.describe({}, HERE) == ""
    assert machine_differences.describe(HERE | {"musicrel": ""}, HERE) == ""
