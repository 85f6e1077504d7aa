"""What holds for every test: no display, no user's folder, one thread, missing data counted.

This file knows pytest; it knows nothing of what is tested.
"""

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
    """One thread of torch: the same numbers everywhere, and no fight for busy cores."""
    with contextlib.suppress(ImportError):
        import torch

        torch.set_num_threads(1)


@pytest.fixture(scope="session", autouse=True)
def _no_thread_collects() -> Iterator[None]:
    """As in the app: what is left of a window is never freed in the thread of a job."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def _collected(_no_thread_collects: None) -> Iterator[None]:
    """Circular garbage of a test is freed after it, when enough has gathered."""
    yield
    collect_if_due()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests could not run because benchmark data, which is not shipped, is missing."""
    skipped = terminalreporter.stats.get("skipped", [])
    missing = sum("shared data" in _reason(report) for report in skipped)
    terminalreporter.write_line(f"tests skipped because ../shared data is missing: {missing}")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Why a test was skipped: the last of file, line and reason."""
    return str(report.longrepr[-1]) if isinstance(report.longrepr, tuple) else ""
