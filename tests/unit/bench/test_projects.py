"""The projects part of the bench, with a small project."""

from __future__ import annotations

from musicrel.bench import projects


def test_opening_and_writing_are_measured() -> None:
    """Their size depends on the machine."""
    measured = projects.rows(takes=20, edits=5, saves=2)
    found = {row["name"]: (row["unit"], row["value"]) for row in measured}

    assert {name: unit for name, (unit, _) in found.items()} == {
        "project of 20 takes: size": "MB",
        "project of 20 takes: open": "s",
        "project of 20 takes: first edit after a save, snapshot and edit": "ms",
        "project of 20 takes: write a later edit, median": "ms",
        "project of 20 takes: write a later edit, p99": "ms",
    }
    assert all(value > 0 for _, value in found.values())
