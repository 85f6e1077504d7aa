"""Limits on the size of capabilities and functions; every test lists all offenders."""

from __future__ import annotations

import ast
import operator
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = ("musicrel", "training", "packaging")
FILES = sorted(path for part in (*CODE, "tests") for path in (ROOT / part).rglob("*.py"))
MAX_SINGLE_LINES = 80
BUDGET: dict[str, tuple[int, int]] = {
    "musicrel": (3250, 1750),
    "musicrel/analysis": (3000, 1650),
    "musicrel/cli": (4300, 2250),
    "musicrel/experiment": (12400, 7400),
    "musicrel/figures": (3300, 2250),
    "musicrel/generation": (9900, 5700),
    "musicrel/interpretability": (5100, 3200),
    "musicrel/model": (9050, 5200),
    "musicrel/playback": (1750, 1200),
    "musicrel/presentation": (4400, 2350),
    "musicrel/project": (1650, 1050),
    "musicrel/score": (10800, 6550),
    "musicrel/ui": (28550, 19400),
    "packaging": (2850, 1750),
    "tests": (85650, 51750),
    "training": (7750, 4550),
}
"""Capability -> lines and statements at most."""
SCHEMES = "musicrel.model.positions."
"""Modules of one scheme each, short or long."""
MAX_CHAIN = 2
MAX_FUNCTION_LINES = 50
"""Lines, the docstring not counted; tests may be longer."""


def lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    total = (function.end_lineno or 0) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is None:
        return total
    return total - ((first.end_lineno or 0) - first.lineno + 1)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_there_is_code_to_look_at() -> None:
    assert {name(path).split("/")[0] for path in FILES} == {*CODE, "tests"}


def size(folder: str) -> tuple[int, int]:
    """Return the lines and the statements of a capability; files at the top count as one."""
    found = [path for path in FILES if capability(path) == folder]
    texts = [path.read_text(encoding="utf-8") for path in found]
    statements = (isinstance(one, ast.stmt) for text in texts for one in ast.walk(ast.parse(text)))
    return sum(len(text.splitlines()) for text in texts), sum(statements)


def capability(path: Path) -> str:
    folder, _, rest = name(path).partition("/")
    if folder != "musicrel":
        return folder
    return f"{folder}/{rest.partition('/')[0]}" if "/" in rest else folder


def test_every_capability_keeps_within_its_budget() -> None:
    """It is lowered as code goes; raising it needs a line in docs/decisions.md."""
    sizes = {folder: size(folder) for folder in {capability(path) for path in FILES}}
    over = {
        folder: found
        for folder, found in sizes.items()
        if any(map(operator.gt, found, BUDGET.get(folder, (0, 0))))
    }
    assert over == {}


def test_modules_with_a_single_importer_beside_them_are_part_of_it() -> None:
    modules = {
        name(path).removesuffix(".py").replace("/", "."): path
        for path in FILES
        if path.name != "__init__.py" and name(path).startswith("musicrel/")
    }
    importers: dict[str, set[str]] = {}
    for module, path in modules.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for one in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                    importers.setdefault(one, set()).add(module)

    alone = {
        module
        for module, path in modules.items()
        if len(importers.get(module, ())) == 1
        and not module.startswith(SCHEMES)
        and modules[next(iter(importers[module]))].parent == path.parent
        and len(path.read_text(encoding="utf-8").splitlines()) <= MAX_SINGLE_LINES
    }
    assert alone == set()


def test_no_function_is_longer_than_50_lines() -> None:
    lengths = {
        f"{name(path)}:{node.name}": lines(node)
        for path in FILES
        if name(path).split("/")[0] in CODE
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    assert {what: length for what, length in lengths.items() if length > MAX_FUNCTION_LINES} == {}


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


def test_every_slow_test_exists() -> None:
    missing = []
    for line in (ROOT / "tests/slow.txt").read_text(encoding="utf-8").splitlines():
        path, _, test = line.partition("::")
        if f"def {test}(" not in (ROOT / path).read_text(encoding="utf-8"):
            missing.append(line)
    assert missing == []
