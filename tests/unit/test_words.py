"""Version 1's private vocabulary stays out of code, docstrings, messages and documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers import words
from tests.helpers.words import ROOT, Hit

CODE = words.python_files(*(ROOT / part for part in ("musicrel", "training", "packaging")))
TESTS = words.python_files(ROOT / "tests")
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "training" / "results").glob("*.md")),
]


def test_identifiers_are_terms_of_the_field() -> None:
    assert list(_all(words.identifiers, [*CODE, *TESTS])) == []


def test_docstrings_comments_and_messages_are_plain_english() -> None:
    assert list(_all(words.prose, CODE)) == []


def test_docstrings_and_comments_of_tests_are_plain_english() -> None:
    assert [place for file in TESTS for place in words.prose(file, messages=False)] == []


def test_no_sentence_of_a_docstring_opens_with_a_relative_clause() -> None:
    assert list(_all(words.openings, [*CODE, *TESTS])) == []


def test_documents_are_plain_english() -> None:
    assert list(_all(words.document, DOCUMENTS)) == []


@pytest.mark.parametrize(
    ("text", "offences"),
    [
        ('"""Return the logits."""\n', []),
        ('"""Return what is said."""\n', ["word 'said'"]),
        ('"""What the model returns."""\n', ["a sentence opens with 'What'"]),
        ("told = 1\n", ["identifier 'told'"]),
        ("# rewritten anew\n", ["word 'anew'"]),
        ('KEY = "told"\n', []),
        ('raise ValueError("no wish was heard")\n', ["word 'wish'", "word 'heard'"]),
    ],
)
def test_the_check_finds_each_kind_of_offence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, offences: list[str]
) -> None:
    """A test of the test: it can fail, and keys of files are left alone."""
    monkeypatch.setattr(words, "ROOT", tmp_path)
    file = tmp_path / "sample.py"
    file.write_text(text, encoding="utf-8")

    found = [*words.identifiers(file), *words.prose(file), *words.openings(file)]

    assert [place.what for place in found] == offences


def test_documents_are_checked_beside_python_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given as a folder or by name; other files are left out."""
    monkeypatch.setattr(words, "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("# A page\n\nAs we said.\n", encoding="utf-8")
    (tmp_path / "sample.py").write_text("told = 1\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("told\n", encoding="utf-8")

    assert [str(hit) for hit in words.offences(page)] == ["page.md:3: word 'said'"]
    assert [hit.file for hit in words.offences(tmp_path)] == ["sample.py", "page.md"]


def _all(check: object, files: list[Path]) -> Iterator[Hit]:
    assert callable(check)
    for file in files:
        yield from check(file)
