"""The decoder's part of the bench, with a few tokens."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

import pytest

from musicrel.bench import decoder, peers, timing


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> argparse.Namespace:
    """A bench of 8 tokens, with one peer that does nothing."""

    def found(*_: object) -> dict[str, Callable[[], object]]:
        return {"somebody else": lambda: None}

    monkeypatch.setattr(peers, "found", found)
    for name in ("_TOKENS", "_BATCH_TOKENS", "_PROMPT"):
        monkeypatch.setattr(decoder, name, 8)
    monkeypatch.setattr(decoder, "_BARS", 1)
    return argparse.Namespace(device="cpu", threads=1)


@pytest.mark.slow
def test_every_figure_is_there(asked: argparse.Namespace) -> None:
    """Batches, first token, relative, recording, peers and whole pieces; ratios to ours."""
    ours = "decode 1,024 tokens, vanilla"  # its name is made once
    rows = {row["name"]: row for row in decoder.rows(asked)}

    assert rows["decode 8 tokens, vanilla, batch 8"]["ratio"] > 1
    assert rows["somebody else"]["ratio_to"] == ours
    for name in (
        "decode 8 tokens, relative",
        f"{ours}, attention recorded",
        "first token after 8 of a prompt, relative",
        "1 bars, width 256, vanilla",
        "8 candidates of 4 bars, shipped, relative",
    ):
        assert rows[name]["value"] > 0


def test_contenders_take_turns_and_the_best_counts() -> None:
    """One after the other, as often as asked."""
    turns: list[str] = []
    seconds = timing.best({name: partial(turns.append, name) for name in "ab"}, repeats=3)

    assert turns == list("ababab")
    assert set(seconds) == {"a", "b"}
    assert all(0 <= value < 1 for value in seconds.values())
