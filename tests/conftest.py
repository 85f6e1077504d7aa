"""Set-up of every test: no display, no user's folder, one thread, missing data counted."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Iterator

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before anything imports Qt

from musicrel.ui.jobs.gc_timer import collect_if_due  # it imports Qt


@pytest.fixture(scope="session", autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep models, runs and settings of the tests out of the user's own folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MUSICREL_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    """Set torch to one thread: the same numbers everywhere, and no contention for cores."""
    with contextlib.suppress(ImportError):
        import torch

        torch.set_num_threads(1)


@pytest.fixture(scope="session", autouse=True)
def _no_thread_collects() -> Iterator[None]:
    """Switch automatic collection off, as in the app: job threads free no objects of a window."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def _collected(_no_thread_collects: None) -> Iterator[None]:
    """Collect the reference cycles of a test after it, if there are enough."""
    yield
    collect_if_due()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many tests were skipped for lack of benchmark data, which is not shipped."""
    skipped = terminalreporter.stats.get("skipped", [])
    missing = sum("shared data" in _reason(report) for report in skipped)
    terminalreporter.write_line(f"tests skipped because ../shared data is missing: {missing}")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return the reason a test was skipped: the last of file, line and reason."""
    return str(report.longrepr[-1]) if isinstance(report.longrepr, tuple) else ""
