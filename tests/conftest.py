"""Set-up of every test: no display, no user's folder, one thread, missing data counted."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before anything imports Qt

from musicrel import language
from musicrel.ui import languages

LANGUAGE = os.environ.get("MUSICREL_TEST_LANGUAGE", languages.ENGLISH)
"""The language of the window in a run of its own; the texts of other tests are in English."""
MARKED = "marked"
"""The language in which each text that is looked up is put into marks."""
if LANGUAGE == MARKED:
    language.install(lambda text, _sense: f"‹{text}›")
elif LANGUAGE != languages.ENGLISH:
    languages.install(LANGUAGE)  # before anything imports texts

from musicrel.ui.jobs.gc_timer import collect_if_due  # noqa: E402  # texts are looked up from here

SLOW = Path(__file__).with_name("slow.txt")
"""The tests that take a second or more, one in each line."""


@pytest.hookimpl(tryfirst=True)  # before pytest selects by marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    slow = {*SLOW.read_text(encoding="utf-8").split()}
    for item in items:
        if item.nodeid.partition("[")[0] in slow:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session", autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
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
    """Switch automatic collection off, as in the app: job threads free no objects of a window.

    The many objects of imports and of the collected tests are never visited.
    """
    gc.disable()
    gc.freeze()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def _collected(_no_thread_collects: None) -> Iterator[None]:
    yield
    collect_if_due()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    missing = sum("shared data" in _reason(report) for report in skipped)
    terminalreporter.write_line(f"tests skipped because ../shared data is missing: {missing}")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return the reason a test was skipped: the last of file, line and reason."""
    return str(report.longrepr[-1]) if isinstance(report.longrepr, tuple) else ""
