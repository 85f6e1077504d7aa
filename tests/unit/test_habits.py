"""Limits on the size of files and functions; every test lists all offenders."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = ("musicrel", "training", "packaging")
FILES = sorted(path for part in (*CODE, "tests") for path in (ROOT / part).rglob("*.py"))
MAX_FILE_LINES = 400
MAX_FOLDER_FILES = 20
"""Files; ``__init__.py`` and ``conftest.py`` are not counted."""
MAX_CHAIN = 2
MAX_FUNCTION_LINES = 50
"""Lines, the docstring not counted; tests may be longer."""


def lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count from ``def`` to the last line, without the docstring."""
    total = (function.end_lineno or 0) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is None:
        return total
    return total - ((first.end_lineno or 0) - first.lineno + 1)


def name(path: Path) -> str:
    """Return the path relative to the repository."""
    return path.relative_to(ROOT).as_posix()


def test_there_is_code_to_look_at() -> None:
    """All four folders were found."""
    assert {name(path).split("/")[0] for path in FILES} == {*CODE, "tests"}


def test_no_file_is_longer_than_400_lines() -> None:
    """A file can be read in one sitting."""
    lengths = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}

    assert {file: length for file, length in lengths.items() if length > MAX_FILE_LINES} == {}


def test_no_function_is_longer_than_50_lines() -> None:
    """A function fits on a screen."""
    lengths = {
        f"{name(path)}:{node.name}": lines(node)
        for path in FILES
        if name(path).split("/")[0] in CODE
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }

    assert {what: length for what, length in lengths.items() if length > MAX_FUNCTION_LINES} == {}


def test_no_folder_holds_more_than_20_files() -> None:
    """A folder can be taken in at a glance."""
    sizes = Counter(
        name(path.parent) for path in FILES if path.name not in ("__init__.py", "conftest.py")
    )

    assert {folder: size for folder, size in sizes.items() if size > MAX_FOLDER_FILES} == {}


def reach(node: ast.Attribute) -> tuple[str, int]:
    """Return an attribute chain, and its length after an own object, ``self._page`` or ``page``.

    Connecting a signal and emitting it are not counted.
    """
    chain = ast.unparse(node).removesuffix(".connect").removesuffix(".emit")
    return chain, chain.removeprefix("self.").count(".")


def test_controllers_do_not_reach_through_chains_of_three_attributes() -> None:
    """They are given the objects they need; results of calls are not followed."""
    folders = [ROOT / "musicrel/ui" / part for part in ("controllers", "document", "shell")]
    chains = {
        f"{name(path)}: {chain}"
        for folder in folders
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        for chain, length in [reach(node)]
        if length > MAX_CHAIN and re.fullmatch(r"[a-z_][\w.]*", chain)
    }

    assert chains == set()


CLOCKS = re.compile(
    r"time\.(sleep|time|monotonic|perf_counter|process_time|thread_time)(_ns)?"
    r"|(qtbot|QTest)\.(wait|qWait|qSleep)"
    r"|.*\.(msleep|usleep|getmtime|getctime|st_[acm]time(_ns)?|create_time)"
)
TIMED = {
    "tests/faults/campaign.py": "processor time, of which a busy machine takes none away",
    "tests/faults/kill_study.py": "waits for a process",
    "tests/helpers/runners/fake_run.py": "a process that waits for a test",
    "tests/soak/soak.py": "acts for as long as it is asked to",
    "tests/ui/fake_study.py": "a process that waits for a test",
    "tests/unit/experiment/runs/test_folder_lock.py": "replaces the clocks",
    "tests/unit/project/test_project_file.py": "a time that the test has set",
}
"""Tests that use a clock, and why that cannot fail on a busy machine."""


def clocks(path: Path) -> set[str]:
    """Return the clocks and sleeps that a test uses; waiting for something is none."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.Attribute, ast.ImportFrom))]
    named = {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)}
    named |= {f"time.{alias.name}" for node in nodes
              if isinstance(node, ast.ImportFrom) and node.module == "time"
              for alias in node.names}  # fmt: skip
    return {one for one in named if CLOCKS.fullmatch(one)}


def test_no_test_compares_times_or_sleeps() -> None:
    """It would fail on a busy machine: tests give a clock, or wait for an event."""
    timed = {name(path) for path in FILES if name(path).startswith("tests/") and clocks(path)}

    assert timed == {*TIMED}
