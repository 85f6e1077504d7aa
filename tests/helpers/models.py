"""Tiny models with random weights, in memory and on disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from musicrel.model import checkpoint
from musicrel.model.card import Card
from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Transformer
from musicrel.model.networks import build
from musicrel.model.positions.base import SchemePart
from musicrel.model.tokens.conditions import CONDITIONS, GIVEN, sizes
from musicrel.model.tokens.vocabulary import ARTICULATED, PITCHES, Vocabulary
from musicrel.model.torch_reader import Step

BOTH_SIDES = tuple(name for name in CONDITIONS if name != "voice")
"""The conditions of models that read all voices at once."""
_STD = 0.5


def itself(step: Step) -> Step:
    """Capture a step on a CPU."""
    return step


def tiny_config(
    scheme: str,
    *,
    conditions: Sequence[str] = (),
    vocabulary: Vocabulary = ARTICULATED,
    **fields: Any,
) -> ModelConfig:
    """Return a config of width 16, two layers, two heads, no dropout; ``fields`` override."""
    shape: dict[str, Any] = {"width": 16, "layers": 2, "heads": 2, "feedforward": 32}
    shape |= {"dropout": 0.0, "trained_length": 64} | fields
    return ModelConfig(scheme=scheme, tokens=vocabulary.size, conditions=sizes(conditions), **shape)


def tiny_model(config: ModelConfig, seed: int = 0, dtype: torch.dtype | None = None) -> Transformer:
    """Build a model in evaluation mode with weights large enough for every part to matter."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype or before)
    try:
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            model = build(config).eval()
            enlarge_weights(model)
    finally:
        torch.set_default_dtype(before)
    return model


@torch.no_grad()
def enlarge_weights(module: nn.Module) -> None:
    """Draw matrices, and all that a scheme learns, from N(0, 0.5^2), wider than at first."""
    for part in module.modules():
        for parameter in part.parameters(recurse=False):
            if parameter.ndim > 1 or isinstance(part, SchemePart):
                nn.init.normal_(parameter, std=_STD)


def tiny_card(model: Transformer, vocabulary: Vocabulary = ARTICULATED, **fields: Any) -> Card:
    """Return a card for ``model``; ``fields`` override."""
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
    return _saved(
        directory,
        tiny_config(scheme, conditions=tuple(CONDITIONS), vocabulary=vocabulary),
        vocabulary,
    )


def tiny_cross_attention_directory(directory: Path) -> Path:
    """Write a tiny model with cross-attention to the given notes; return its directory."""
    shape: dict[str, Any] = {"encoder_layers": 1, "cross": True, "pitches": PITCHES}
    names = (*CONDITIONS, GIVEN.name)
    config = tiny_config("relative", conditions=names, family="encoder_decoder", **shape)
    return _saved(directory, config)


def tiny_infill_directory(
    directory: Path, scheme: str = "relative", conditions: Sequence[str] = ("beat", "key")
) -> Path:
    return _saved(directory, tiny_config(scheme, conditions=conditions, family="infill"))


def _saved(directory: Path, config: ModelConfig, vocabulary: Vocabulary = ARTICULATED) -> Path:
    model = tiny_model(config)
    checkpoint.save(directory, model, tiny_card(model, vocabulary))
    return directory


def tiny_ids(config: ModelConfig, batch: int, length: int, seed: int = 1) -> torch.Tensor:
    """Return random token ids, int64 (batch, length)."""
    rng = torch.Generator().manual_seed(seed)
    return torch.randint(config.tokens, (batch, length), generator=rng)


def tiny_rows(config: ModelConfig, batch: int, length: int, seed: int = 2) -> torch.Tensor:
    """Return random rows of all conditions, int64 (batch, length, conditions)."""
    rng = torch.Generator().manual_seed(seed)
    columns = [
        torch.randint(rows, (batch, length), generator=rng) for rows in config.conditions.values()
    ]
    if not columns:
        return torch.zeros(batch, length, 0, dtype=torch.int64)
    return torch.stack(columns, dim=-1)
