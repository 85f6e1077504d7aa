"""The models one can choose from, in words.

This file knows cards; it knows nothing of weights, and importing it costs no torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from musicrel.model.card import Card

_SCHEMES: Final[Mapping[str, str]] = MappingProxyType(
    {"sinusoidal": "vanilla", "relative": "relative attention"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """One model.

    Attributes:
        name: under which it is found and loaded.
        title: its name, scheme and size, in one line.
        detail: what it reached and what it learned from, in one line.
        conditions: what it may be told.
    """

    name: str
    title: str
    detail: str
    conditions: frozenset[str]


def choice(name: str, card: Card) -> ModelChoice:
    """A model as it is offered.

    Args:
        name: of its folder.
        card: what is known of it.
    """
    return ModelChoice(
        name=name,
        title=f"{name}  ·  {scheme(card)}  ·  {size(card.parameters)}",
        detail="  ·  ".join(_details(card)),
        conditions=frozenset(card.config.conditions),
    )


def scheme(card: Card) -> str:
    """How the model tells positions apart, as it is called in the app."""
    return _SCHEMES.get(card.config.scheme, card.config.scheme)


def size(parameters: int) -> str:
    """A number of parameters, as in '1.2 M' or '640 k'."""
    million, thousand = 1_000_000, 1_000
    if parameters >= million:
        return f"{parameters / million:.1f} M"
    return f"{parameters / thousand:.0f} k" if parameters >= thousand else str(parameters)


def _details(card: Card) -> list[str]:
    found = [f"{card.config.layers} layers, {card.config.heads} heads"]
    for split, loss in (("test", card.test_nats_per_note), ("valid", card.valid_nats_per_note)):
        if loss is not None:
            return [*found, f"{loss:.3f} nats/note on {split}"]
    return found
