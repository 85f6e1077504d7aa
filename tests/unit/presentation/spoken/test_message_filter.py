"""The choice of messages that are announced."""

from __future__ import annotations

import pytest

from musicrel.presentation.spoken.message_filter import MessageFilter, quarter_of


def announced(*texts: str) -> list[str]:
    """Return the messages that are announced, one after the other."""
    chosen = MessageFilter()
    return [text for text in texts if chosen.is_due(text)]


def test_progress_is_announced_by_quarters() -> None:
    bars = [f"Generating bar {bar} of 8" for bar in range(1, 9)]

    assert announced(*(bar for bar in bars for _ in range(30)), "Generated in 2.5 s") == [
        "Generating bar 1 of 8", "Generating bar 3 of 8", "Generating bar 5 of 8",
        "Generating bar 7 of 8", "Generated in 2.5 s",
    ]  # fmt: skip


def test_search_between_bars_is_announced_once() -> None:
    first, search, done = "Generating bar 1 of 8", "Searching: 40 of 64 continuations fit", "Done"
    again = "Searching: 12 of 64 continuations fit"

    found = announced(first, search, first, again, "Generating bar 2 of 8", done, first)

    assert found == [first, search, done, first]


def test_other_messages_are_announced_each_time() -> None:
    """The same result of another attempt is news."""
    assert announced("Generated in 1.0 s", "", "Generated in 1.0 s") == ["Generated in 1.0 s"] * 2


@pytest.mark.parametrize(
    ("text", "quarter"),
    [
        ("Engraving the score: 0%", 0),
        ("Engraving the score: 49%", 1),
        ("Writing and revising candidate 1 of 8: 100 %", 4),
        ("Generating bar 8 of 8", 3),
        ("Stopped in bar 8 of 8", None),
        ("Rated 3 of 5", None),
        ("Score engraved", None),
    ],
)
def test_quarter_of_a_message(text: str, quarter: int | None) -> None:
    assert quarter_of(text) == quarter
