"""The code keeps its own rules: short files, short functions."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(path for part in ("musicrel", "training", "packaging")
               for path in (ROOT / part).rglob("*.py"))  # fmt: skip
LONGEST_FILE = 400
LONGEST_FUNCTION = 50
"""Lines, the docstring not counted."""


def lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """From ``def`` to the last line, without the docstring."""
    total = (function.end_lineno or 0) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is None:
        return total
    return total - ((first.end_lineno or 0) - first.lineno + 1)


def name(path: Path) -> str:
    """As it is written in reports."""
    return path.relative_to(ROOT).as_posix()


def test_there_is_code_to_look_at() -> None:
    """All three folders were found."""
    assert {name(path).split("/")[0] for path in FILES} == {"musicrel", "training", "packaging"}


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_file_can_be_read_in_one_sitting(path: Path) -> None:
    """At most 400 lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_function_fits_on_a_screen(path: Path) -> None:
    """At most 50 lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    long = {
        node.name: lines(node)
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and lines(node) > LONGEST_FUNCTION
    }

    assert not long
