"""Names of files."""

from __future__ import annotations

import pytest

from musicrel import file_names


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Chorale 7", "Chorale 7"),
        ("Übung №1 – (B♭)", "Übung 1 – (B)"),
        ("a/b\\c:d?*<>|\"e", "abcde"),
        (" BWV 102.7  Vater ", "BWV 102.7 Vater"),
        ("...", "Chorale"),
        ("\ud800\0\n", "Chorale"),
        ("– ", "Chorale"),
        ("日本", "日本"),
        ("CON", "CON_"),
        ("lpt1.x", "lpt1.x_"),
        ("Concerto", "Concerto"),
        ("a" * 500, "a" * 120),
        ("日" * 500, "日" * 66),
        ("a" * 119 + ".b", "a" * 119),
    ],
)  # fmt: skip
def test_a_name_is_valid_on_every_system(title: str, name: str) -> None:
    """Letters of all languages stay; what a system may refuse is removed."""
    assert file_names.valid(title) == name


def test_a_title_without_a_letter_gets_a_name() -> None:
    """The caller may choose it."""
    assert file_names.valid("***", "model") == "model"
    assert file_names.valid("***", "") == ""


def test_a_taken_name_gets_a_number() -> None:
    """The first free one."""
    assert file_names.numbered("a", {"b"}.__contains__) == "a"
    assert file_names.numbered("a", {"a", "a (2)"}.__contains__) == "a (3)"
