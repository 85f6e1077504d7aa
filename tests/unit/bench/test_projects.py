"""The projects part of the bench, with a small project."""

from __future__ import annotations

from musicrel.bench import projects


def test_opening_and_saving_are_measured() -> None:
    """Their size depends on the machine."""
    found = {row["name"]: (row["unit"], row["value"]) for row in projects.rows(takes=20, edits=5)}

    assert {name: unit for name, (unit, _) in found.items()} == {
        "project of 20 takes: size": "MB",
        "project of 20 takes: open": "s",
        "project of 20 takes: save an edit, median": "ms",
        "project of 20 takes: save an edit, p99": "ms",
    }
    assert all(value > 0 for _, value in found.values())
