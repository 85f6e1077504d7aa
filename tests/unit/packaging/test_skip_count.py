"""The summary of tests skipped for missing benchmark data."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest


@dataclass(frozen=True)
class FakeReport:
    """A test's report, with the reason for its skip."""

    longrepr: tuple[str, int, str] | None


@dataclass
class FakeReporter:
    """Collects the printed lines."""

    stats: dict[str, list[FakeReport]]
    lines: list[str] = field(default_factory=list)

    def write_line(self, line: str) -> None:
        """Store a line."""
        self.lines.append(line)


def _summary(config: pytest.Config, stats: dict[str, list[FakeReport]]) -> list[str]:
    hooks = config.pluginmanager.get_plugin(str(Path(__file__).parents[2] / "conftest.py"))
    assert hooks is not None
    reporter = FakeReporter(stats)
    hooks.pytest_terminal_summary(reporter)
    return reporter.lines


def test_skips_for_missing_data_are_counted_apart(pytestconfig: pytest.Config) -> None:
    """Only reasons that mention the shared data count."""
    reasons = ["Skipped: no shared data at ../shared/data", "Skipped: needs a GPU"]
    reports = [FakeReport(("test_jsb.py", 7, reason)) for reason in reasons]
    stats = {"skipped": [*reports, FakeReport(None)], "passed": [FakeReport(None)]}
    assert _summary(pytestconfig, stats) == ["tests skipped because ../shared data is missing: 1"]


def test_the_count_is_printed_if_nothing_was_skipped(pytestconfig: pytest.Config) -> None:
    """Zero means that all benchmark data was there."""
    assert _summary(pytestconfig, {}) == ["tests skipped because ../shared data is missing: 0"]
