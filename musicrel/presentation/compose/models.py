"""The models one can choose from, in words.

This file knows cards; it knows nothing of weights, and importing it takes no torch.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from musicrel.errors import ModelError
from musicrel.model import catalogue
from musicrel.model.card import Card, check_notes, read_card

_WAYS_IN: Final = (
    "Press Generate, and four voices are written here, note by note. "
    "Or give a melody, and have it harmonised (Ctrl+H)."
)
_SCHEMES: Final[Mapping[str, str]] = MappingProxyType({"sinusoidal": "vanilla"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """One model.

    Attributes:
        name: under which it is found and loaded.
        title: its name, scheme and size, in one line.
        detail: what it reached and what it learned from, in one line.
        conditions: what it may be told.
        family: how it reads; some see both sides of what they write.
    """

    name: str
    title: str
    detail: str
    conditions: frozenset[str]
    family: str = "causal"

    @property
    def sees_both_sides(self) -> bool:
        """Whether it knows what comes after the notes it writes."""
        return self.family in ("encoder_decoder", "infill")

    @property
    def settles(self) -> bool:
        """Whether it goes over its notes again and does not write in order."""
        return self.family == "infill"


def installed() -> tuple[tuple[ModelChoice, ...], tuple[str, ...]]:
    """The models at hand that know notes, and a sentence for each folder that holds none to use."""
    choices, problems = [], []
    for folder in catalogue.folders():
        try:
            card = read_card(folder)
            if not card.config.classes:  # those tell classes apart and are chosen nowhere
                check_notes(folder.name, card)
                choices.append(choice(folder.name, card))
        except ModelError as reason:
            problems.append(str(reason))
    return tuple(choices), tuple(problems)


def hint(choices: Collection[ModelChoice]) -> tuple[str, str]:
    """The words of an empty sheet: what it is, and what to do."""
    if choices:
        return ("An empty sheet", _WAYS_IN)
    return ("No model yet", "Train one, or copy one into the models folder, to let it write.")


def choice(name: str, card: Card) -> ModelChoice:
    """A model as it is offered.

    Args:
        name: of its folder.
        card: what is known of it.
    """
    said = () if scheme(card) in name else (scheme(card),)
    return ModelChoice(
        name=name,
        title=" · ".join((name, *said, size(card.parameters))),
        detail="  ·  ".join(_details(card)),
        conditions=frozenset(card.config.conditions),
        family=card.config.family,
    )


def scheme(card: Card) -> str:
    """How the model tells positions apart, as people call it."""
    return _SCHEMES.get(card.config.scheme, card.config.scheme)


def size(parameters: int) -> str:
    """A number of parameters, as in '1.2 M' or '640 k'."""
    million, thousand = 1_000_000, 1_000
    if parameters >= million:
        return f"{parameters / million:.1f} M"
    return f"{parameters / thousand:.0f} k" if parameters >= thousand else str(parameters)


def _details(card: Card) -> list[str]:
    found = [f"{card.config.layers} layers, {card.config.heads} heads"]
    note = "hidden note" if card.config.family == "infill" else "note"
    for split, loss in (("test", card.test_nats_per_note), ("valid", card.valid_nats_per_note)):
        if loss is not None:
            return [*found, f"{loss:.3f} nats/{note} on {split}"]
    return found
