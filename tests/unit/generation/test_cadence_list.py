"""Requested cadences as text."""

from __future__ import annotations

import pytest

from musicrel.errors import UsageError
from musicrel.generation import cadence_list


def test_one_kind_is_that_of_all_phrases() -> None:
    """None stands for any cadence."""
    assert cadence_list.of_phrases("half", 3) == ("half",) * 3
    assert cadence_list.of_phrases("", 2) == ("", "")


def test_a_list_has_a_kind_for_each_phrase() -> None:
    """An empty place is for any cadence."""
    assert cadence_list.of_phrases("half, ,authentic", 3) == ("half", "", "authentic")


@pytest.mark.parametrize("kinds", [("half", "", "authentic"), ("", "half"), ("half",), ("", "")])
def test_text_is_parsed_back(kinds: tuple[str, ...]) -> None:
    """Equal kinds are written once."""
    assert cadence_list.of_phrases(cadence_list.to_text(kinds), len(kinds)) == kinds


def test_equal_kinds_are_written_once() -> None:
    """So that the text holds for other phrases, too."""
    assert cadence_list.to_text(("half", "half")) == "half"
    assert cadence_list.to_text(("", "")) == ""


def test_unknown_kinds_and_wrong_numbers_are_refused() -> None:
    """The sentence names what is expected."""
    with pytest.raises(UsageError, match="cadence is 'perfect': expected authentic, half"):
        cadence_list.parse("half,perfect")
    with pytest.raises(UsageError, match="2 cadences for 3 phrases: expected one for all, or one"):
        cadence_list.of_phrases("half,half", 3)
