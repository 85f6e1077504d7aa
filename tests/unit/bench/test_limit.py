"""The limit part of the bench, with few tokens."""

from __future__ import annotations

import pytest

from musicrel.bench import bare_loop, limit

NAMES = (
    "1 bars, shipped, relative, normal quality",
    "1 bars, shipped, relative, normal quality, torch alone",
)


@pytest.mark.slow
def test_shares_are_those_of_the_bare_loop_of_the_same_shape() -> None:
    """It is compiled here if possible."""
    if bare_loop.missing():
        pytest.skip(bare_loop.missing())
    rows = {row["name"]: row for row in limit.rows("cpu", 1, bars=1, tokens=8, batch=2)}

    assert list(rows) == [
        "bare loop, 64 tokens, shape of relative",
        "write 1 bars, relative, attention recorded, rules",
        "bare loop, 8 tokens, width 256",
        "decode 8 tokens, width 256, batch 1",
        "decode 8 tokens, width 256, batch 2",
        *NAMES,
    ]
    for share, bare in (
        ("write 1 bars, relative, attention recorded, rules", "64 tokens, shape of relative"),
        ("decode 8 tokens, width 256, batch 2", "8 tokens, width 256"),
    ):
        assert rows[share]["ratio_to"] == f"bare loop, {bare}"
        assert rows[share]["ratio"] > 0
    assert rows[NAMES[1]]["ratio_to"] == NAMES[0]


def test_without_a_compiler_the_rows_beside_torch_are_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They need none."""
    monkeypatch.setattr(bare_loop, "missing", lambda: "there is no compiler")

    rows = limit.rows("cpu", 1, bars=1)

    assert tuple(row["name"] for row in rows) == NAMES
