"""Tiny models with weights by chance, in memory and on disk.

This file knows how a model is put together; it knows nothing of how one is tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from musicrel.model import checkpoint
from musicrel.model.card import Card
from musicrel.model.config import ModelConfig
from musicrel.model.families.model_families import build
from musicrel.model.families.transformer import Transformer
from musicrel.tokens import conditions
from musicrel.tokens.vocabulary import ARTICULATED, PITCHES, Vocabulary

_LOUD = 0.5


def tiny_config(
    scheme: str,
    *,
    told: Sequence[str] = (),
    vocabulary: Vocabulary = ARTICULATED,
    **fields: Any,
) -> ModelConfig:
    """Width 16, two layers, two heads, no dropout; ``fields`` override."""
    shape: dict[str, Any] = {"width": 16, "layers": 2, "heads": 2, "feedforward": 32}
    shape |= {"dropout": 0.0, "trained_length": 64} | fields
    return ModelConfig(
        scheme=scheme, tokens=vocabulary.size, conditions=conditions.sizes(told), **shape
    )


def tiny_model(config: ModelConfig, seed: int = 0, dtype: torch.dtype | None = None) -> Transformer:
    """A model whose weights are large enough for every part to matter, in evaluation mode.

    Args:
        config: its shape.
        seed: of its weights.
        dtype: of its weights and of tables made later, as under ``torch.set_default_dtype``.
    """
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype or before)
    try:
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            model = build(config).eval()
            make_loud(model)
    finally:
        torch.set_default_dtype(before)
    return model


@torch.no_grad()
def make_loud(module: nn.Module) -> None:
    """Set all matrices and tables to numbers by chance around 0, far larger than at the start."""
    for parameter in module.parameters():
        if parameter.ndim > 1:
            nn.init.normal_(parameter, std=_LOUD)


def tiny_card(model: Transformer, vocabulary: Vocabulary = ARTICULATED, **fields: Any) -> Card:
    """A card for ``model``; ``fields`` override."""
    entries: dict[str, Any] = {
        "name": "tiny",
        "config": model.config,
        "vocabulary": {"name": vocabulary.name, "symbols": vocabulary.symbols()},
        "parameters": model.parameter_count,
    }
    return Card(**entries | fields)


def tiny_model_directory(
    directory: Path, scheme: str = "relative", vocabulary: Vocabulary = ARTICULATED
) -> Path:
    """Write a tiny model that may be told everything; its directory again."""
    config = tiny_config(scheme, told=tuple(conditions.CONDITIONS), vocabulary=vocabulary)
    model = tiny_model(config)
    checkpoint.save(directory, model, tiny_card(model, vocabulary))
    return directory


def tiny_looking_directory(directory: Path) -> Path:
    """Write a tiny model that looks across at what is given; its directory again."""
    told = (*conditions.CONDITIONS, conditions.GIVEN.name)
    shape: dict[str, Any] = {"encoder_layers": 1, "cross": True, "pitches": PITCHES}
    model = tiny_model(tiny_config("relative", told=told, family="encoder_decoder", **shape))
    checkpoint.save(directory, model, tiny_card(model))
    return directory


def tiny_ids(config: ModelConfig, batch: int, length: int, seed: int = 1) -> torch.Tensor:
    """Token ids by chance, int64 (batch, length)."""
    rng = torch.Generator().manual_seed(seed)
    return torch.randint(config.tokens, (batch, length), generator=rng)


def tiny_rows(config: ModelConfig, batch: int, length: int, seed: int = 2) -> torch.Tensor:
    """Rows of all conditions by chance, int64 (batch, length, conditions)."""
    rng = torch.Generator().manual_seed(seed)
    columns = [
        torch.randint(rows, (batch, length), generator=rng) for rows in config.conditions.values()
    ]
    if not columns:
        return torch.zeros(batch, length, 0, dtype=torch.int64)
    return torch.stack(columns, dim=-1)
