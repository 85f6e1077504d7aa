"""The training part of the bench, with a short sequence and a small model."""

from __future__ import annotations

import argparse

from musicrel.bench import training


def test_a_step_is_measured_in_three_ways() -> None:
    """Vanilla is fused, relative is tiled and written out; each ratio names what it is to."""
    asked = argparse.Namespace(device="cpu", threads=1)

    rows = training.rows(asked, length=32, batch=2, width=16, layers=1)

    vanilla, relative, written = rows
    assert vanilla["name"] == "training step, 2 x 32 tokens, vanilla"
    assert {row["unit"] for row in rows} == {"s"}
    assert relative["ratio_to"] == vanilla["name"]
    assert written["ratio_to"] == relative["name"]
    assert written["ratio"] > 0
