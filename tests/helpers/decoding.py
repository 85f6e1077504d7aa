"""Incremental decoding compared with one pass over everything."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
import torch
from torch import Tensor

from musicrel.generation.causal import batch_forward, step_reader
from musicrel.model.decoding.step import IncrementalDecoder
from musicrel.model.families.transformer import Transformer


def assert_decodes_as_in_one_pass(
    model: Transformer, ids: Tensor, rows: Tensor, prompts: Iterable[int]
) -> None:
    """Check that after each prompt every step has the logits of the full pass.

    Both ``step`` and ``fixed_step`` are checked.

    Args:
        model: a model in double precision.
        ids: (B, T).
        rows: (B, T, C).
        prompts: lengths of the prompts.
    """
    full, length = model(ids, rows).logits_BTV, ids.shape[1]
    for prompt in prompts:
        decoder, replayed = IncrementalDecoder(model, rows), IncrementalDecoder(model, rows)
        if prompt:
            decoder.prefill(ids[:, :prompt])
            replayed.prefill(ids[:, :prompt])
        for place in range(prompt, length):
            stepped = decoder.step(ids[:, place]).logits_BV
            torch.testing.assert_close(stepped, full[:, place], rtol=0, atol=1e-10)
            again = replayed.fixed_step(ids[:, place], torch.tensor([place]), length).logits_BV
            torch.testing.assert_close(again, full[:, place], rtol=0, atol=1e-10)


def allow_only(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Let the allocation of more than ``most`` sequences fail."""

    def scarce(model: Any, conditions_BNC: Any, **options: Any) -> Any:  # noqa: N803
        if len(conditions_BNC) > most:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to ...")
        return step_reader.open_reader(model, conditions_BNC, **options)

    monkeypatch.setattr(batch_forward, "open_reader", scarce)
