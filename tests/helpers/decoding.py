"""Decoding step by step, beside one pass over everything.

This file knows both ways to read; it knows nothing of what a model hears or adds.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from musicrel.model.decoding.step import Stepper
from musicrel.model.families.transformer import Transformer


def assert_decodes_as_in_one_pass(
    model: Transformer, ids: Tensor, rows: Tensor, prompts: Iterable[int]
) -> None:
    """After each prompt every step says what the full pass says, read and in fixed shape.

    Args:
        model: in double precision.
        ids: (B, T).
        rows: (B, T, C).
        prompts: how many tokens are taken in at once.
    """
    full, length = model(ids, rows).logits_BTV, ids.shape[1]
    for prompt in prompts:
        stepper, replayed = Stepper(model, rows), Stepper(model, rows)
        if prompt:
            stepper.prefill(ids[:, :prompt])
            replayed.prefill(ids[:, :prompt])
        for place in range(prompt, length):
            read = stepper.read(ids[:, place]).logits_BV
            torch.testing.assert_close(read, full[:, place], rtol=0, atol=1e-10)
            again = replayed.replay(ids[:, place], torch.tensor([place]), length).logits_BV
            torch.testing.assert_close(again, full[:, place], rtol=0, atol=1e-10)
