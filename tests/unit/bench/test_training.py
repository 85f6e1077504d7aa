"""The training part of the bench, with a short sequence and a small model."""

from __future__ import annotations

from musicrel.bench import training


def test_a_step_is_measured_in_three_ways() -> None:
    """Vanilla is fused, relative is tiled and explicit; each ratio names its reference."""
    rows = training.rows("cpu", 1, length=32, batch=2, width=16, layers=1)

    vanilla, relative, explicit = rows
    assert vanilla["name"] == "training step, 2 x 32 tokens, vanilla"
    assert {row["unit"] for row in rows} == {"s"}
    assert relative["ratio_to"] == vanilla["name"]
    assert explicit["ratio_to"] == relative["name"]
    assert explicit["ratio"] > 0
