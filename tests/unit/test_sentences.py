"""Sentences on screen are constants of their module, so that a translation finds them all."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "musicrel" / "ui").rglob("*.py"))
WORDS = re.compile(r"[^\W\d_]{2,}[^\w\s]* | [^\w\s]?[^\W\d_]{2,}")
"""A word with a space before or after it; keys, names and formats of numbers have none."""
NOT_SHOWN = frozenset({"setStyleSheet", "setObjectName", "setProperty", "cast", "RuntimeError"})
"""Functions whose arguments nobody reads on the screen."""
LOG = re.compile(r"_?log(ging)?(\.getLogger\(.*\))?\.\w+")

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def sentences(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for function in ast.walk(tree):
        if not isinstance(function, Function):
            continue
        hidden = {id(part) for node in unseen(function) for part in ast.walk(node)}
        for node in ast.walk(function):
            match node:
                case ast.Constant(value=str(text)) if WORDS.search(text) and id(node) not in hidden:
                    yield node.lineno, text


def unseen(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a function that nobody reads: docstrings, types, the log."""
    for node in ast.walk(function):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
            yield node.returns
        elif isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield node.annotation
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name.rpartition(".")[2] in NOT_SHOWN or LOG.fullmatch(name):
                yield node


def test_no_sentence_of_the_window_is_inside_a_function() -> None:
    found = [
        f"{path.relative_to(ROOT).as_posix()}:{line}: {text!r}"
        for path in FILES
        for line, text in sorted(set(sentences(ast.parse(path.read_text(encoding="utf-8")))))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('TITLE = "Two words"', []),
        ('def f():\n    show("Two words")', ["Two words"]),
        ('def f(n):\n    show(f"Bar {n}")', ["Bar "]),
        ('def f(n):\n    show(f"Bars: {n}")', ["Bars: "]),
        ('def f(n):\n    show(f"{n} (Ctrl+E)")', [" (Ctrl+E)"]),
        ('f = lambda: show("Two words")', ["Two words"]),
        ('def f():\n    """Show two words."""', []),
        ('def f(a: "x | None") -> "x | None":\n    b: "x | None"', []),
        ('def f():\n    _log.warning("two words")', []),
        ('def f():\n    label.setStyleSheet("color: red; two words")', []),
        ('def f():\n    act("key", "Ctrl+,", "%s: ", "a, b")', []),
    ],
)
def test_the_check_finds_sentences_and_nothing_else(code: str, expected: list[str]) -> None:
    assert [text for _, text in sentences(ast.parse(code))] == expected
