"""The decoder part of the bench, with few tokens."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from musicrel.bench import bare_loop, decoder, peers, timing


@pytest.fixture
def few_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make it a bench of 8 tokens, with one peer that does nothing."""

    def found(*_: object) -> dict[str, Callable[[], object]]:
        return {"another decoder": lambda: None, peers.GPT2: lambda: None}

    monkeypatch.setattr(peers, "found", found)
    for name in ("_TOKENS", "_BATCH_TOKENS", "_PROMPT"):
        monkeypatch.setattr(decoder, name, 8)
    monkeypatch.setattr(decoder, "_BARS", 1)


@pytest.mark.slow
@pytest.mark.usefixtures("few_tokens")
def test_every_figure_is_there() -> None:
    """Ratios of peers are to our decoder."""
    ours = "decode 1,024 tokens, vanilla"  # formatted before the fixture changes the number
    rows = {row["name"]: row for row in decoder.rows("cpu", 1)}

    assert rows["decode 8 tokens, vanilla, batch 8"]["ratio"] > 0
    assert rows["another decoder"]["ratio_to"] == ours
    if not bare_loop.missing():
        assert rows["bare loop, 8 tokens, width 256"]["ratio_to"] == ours
    assert rows[f"{ours}, beside GPT-2"]["ratio_to"] == peers.GPT2
    for name in (
        "decode 8 tokens, relative",
        f"{ours}, attention recorded",
        "first token after 8 of a prompt, relative",
        "1 bars, width 256, vanilla",
        "8 candidates of 4 bars, shipped, relative",
    ):
        assert rows[name]["value"] > 0


def test_contenders_take_turns_and_the_best_counts() -> None:
    """Each runs once per repeat."""
    turns: list[str] = []
    seconds = timing.best({name: partial(turns.append, name) for name in "ab"}, repeats=3)

    assert turns == list("ababab")
    assert set(seconds) == {"a", "b"}
