"""Blocks prepared for reading whole pieces, compared with the transformer's own."""

from __future__ import annotations

import pytest
import torch

from musicrel.model.decoding.prepared_blocks import PreparedBlocks
from musicrel.model.positions.table import SCHEMES
from tests.helpers.models import tiny_config, tiny_model

STEPS = 23
WANTED = torch.tensor([0, 3, 4, 22])


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_states_are_those_of_the_transformer(scheme: str, norm: str) -> None:
    """In float32 they are equal, and in bfloat16 nearly so."""
    model = tiny_model(tiny_config(scheme, family="infill", norm=norm))
    x_BTD = torch.randn(2, STEPS, model.config.width, generator=torch.Generator().manual_seed(0))
    with torch.inference_mode():
        expected = model.run_blocks(x_BTD).out_BTD[:, WANTED]
        single = PreparedBlocks(model.blocks, torch.float32)(x_BTD, WANTED)
        mixed = PreparedBlocks(model.blocks, torch.bfloat16)(x_BTD, WANTED)
    torch.testing.assert_close(single, expected, atol=2e-5, rtol=1e-4)
    assert (mixed - expected).abs().mean() < 0.03 * expected.abs().mean()


def test_pieces_of_different_length_can_follow_each_other() -> None:
    """The rows of relative attention follow the length."""
    model = tiny_model(tiny_config("relative", family="infill"))
    blocks = PreparedBlocks(model.blocks, torch.float32)
    with torch.inference_mode():
        for steps in (9, 17, 5):
            x_BTD = torch.randn(1, steps, model.config.width)
            expected = model.run_blocks(x_BTD).out_BTD
            torch.testing.assert_close(
                blocks(x_BTD, torch.arange(steps)), expected, atol=2e-5, rtol=1e-4
            )
