"""The training part of the bench, with a short sequence and a small model."""

from __future__ import annotations

from musicrel.bench import training
from musicrel.model import devices


def test_a_step_is_measured_in_three_ways() -> None:
    """Vanilla is fused, relative is tiled and explicit; each ratio names its reference."""
    rows = training.rows("cpu", 1, length=32, batch=2, width=16, layers=1)

    vanilla, relative, explicit = rows[:3]
    assert vanilla["name"] == "training step, 2 x 32 tokens, vanilla"
    assert {row["unit"] for row in rows} == {"s"}
    assert relative["ratio_to"] == vanilla["name"]
    assert explicit["ratio_to"] == relative["name"]
    assert explicit["ratio"] > 0


def test_relative_is_compared_with_vanilla_at_two_lengths_and_in_bfloat16() -> None:
    """In bfloat16 only where the machine has arithmetic for it."""
    rows = training.rows("cpu", 1, length=32, batch=2, width=16, layers=1)[3:]

    sizes = ["4 x 16 tokens, {}"]
    if not devices.without_bfloat16("cpu"):
        sizes += ["4 x 16 tokens, {}, mixed", "2 x 32 tokens, {}, mixed"]
    expected = [
        f"training step, {size.format(name)}" for size in sizes for name in ("vanilla", "relative")
    ]
    assert [row["name"] for row in rows] == expected
    assert [row["ratio_to"] for row in rows[1::2]] == expected[::2]
    assert all(row["ratio"] > 0 for row in rows[1::2])
