"""Version 1's private vocabulary stays out of code, docstrings, messages and documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers import words
from tests.helpers.words import ROOT

PARTS = ("musicrel", "training", "packaging")
CODE = sorted(file for part in PARTS for file in (ROOT / part).rglob("*.py"))
TESTS = sorted({*(ROOT / "tests").rglob("*.py")} - {Path(words.__file__)})
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "training" / "results").glob("*.md")),
]


def test_identifiers_are_terms_of_the_field() -> None:
    assert [place for file in (*CODE, *TESTS) for place in words.identifiers(file)] == []


def test_docstrings_comments_and_messages_are_plain_english() -> None:
    """Of tests docstrings and comments alone."""
    assert [place for file in CODE for place in words.prose(file)] == []
    assert [place for file in TESTS for place in words.prose(file, messages=False)] == []


def test_no_sentence_of_a_docstring_opens_with_a_relative_clause() -> None:
    assert [place for file in (*CODE, *TESTS) for place in words.openings(file)] == []


def test_documents_are_plain_english() -> None:
    assert [place for file in DOCUMENTS for place in words.document(file)] == []


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
    monkeypatch.setattr(words, "ROOT", tmp_path)
    file = tmp_path / "sample.py"
    file.write_text(text, encoding="utf-8")

    found = [*words.identifiers(file), *words.prose(file), *words.openings(file)]

    assert [place.partition(": ")[2] for place in found] == offences


def test_documents_are_checked_line_by_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("# A page\n\nAs we said.\n", encoding="utf-8")

    assert list(words.document(page)) == ["page.md:3: word 'said'"]
