"""Incremental decoding compared with one pass over everything."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.families.transformer import Transformer
from musicrel.model.torch_reader import TorchReader


def assert_decodes_as_in_one_pass(
    model: Transformer,
    ids: Tensor,  # (B, T)
    rows: Tensor,  # (B, T, C)
    prompts: Iterable[int],  # their lengths
    tolerance: float = 1e-6,
) -> None:
    """Check that after each prompt every step has the logits of the full pass, captured or not."""
    with torch.inference_mode():
        full = model(ids, rows).logits_BTV.float().numpy()
    tokens, conditions = ids.numpy(), rows.numpy()
    for prompt in prompts:
        for capture in (None, lambda step: step):
            reader = TorchReader(model, conditions, capture=capture)
            if prompt:
                reader.prefill(tokens[:, :prompt])
            for place in range(prompt, tokens.shape[1]):
                found, _ = reader.step(tokens[:, place])
                np.testing.assert_allclose(found, full[:, place], rtol=tolerance, atol=tolerance)


def allow_only(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    reader = LoadedModel.reader

    def scarce(model: Any, conditions_BNC: Any, **options: Any) -> Any:  # noqa: N803
        if len(conditions_BNC) > most:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to ...")
        return reader(model, conditions_BNC, **options)

    monkeypatch.setattr(LoadedModel, "reader", scarce)
