"""The models to choose from, described for people; importing this takes no torch."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from musicrel.errors import ModelError
from musicrel.model import catalogue
from musicrel.model.card import Card, check_notes, read_card
from musicrel.presentation.words import display_names

_GETTING_STARTED: Final = (
    "Press Generate for a chorale in four voices, or harmonise a melody (Ctrl+H)."
)
_ARMS: Final[Mapping[str, str]] = MappingProxyType({"sinusoidal": "vanilla"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A model to choose.

    Attributes:
        name: to find and load it by.
        title: name, scheme and size in one line.
        detail: shape and loss in one line.
        conditions: the conditioning inputs it knows.
        family: the model family, as in the card.
    """

    name: str
    title: str
    detail: str
    conditions: frozenset[str]
    family: str = "causal"

    @property
    def sees_both_sides(self) -> bool:
        """Return whether it sees the notes after those it generates."""
        return self.family in ("encoder_decoder", "infill")

    @property
    def is_infill(self) -> bool:
        """Return whether it fills in and resamples notes instead of writing in order."""
        return self.family == "infill"


def installed() -> tuple[tuple[ModelChoice, ...], tuple[str, ...]]:
    """Return the installed models of notes, and an error sentence for each unusable folder."""
    choices, problems = [], []
    for folder in catalogue.model_directories():
        try:
            card = read_card(folder)
            if not card.config.classes:  # classifiers write no notes
                check_notes(folder.name, card)
                choices.append(choice(folder.name, card))
        except ModelError as reason:
            problems.append(str(reason))
    return tuple(choices), tuple(problems)


def hint(choices: Collection[ModelChoice]) -> tuple[str, str]:
    """Return title and text of the empty sheet."""
    if choices:
        return ("Empty sheet", _GETTING_STARTED)
    return ("No model installed", "Train a model, or copy one into the models folder.")


def choice(name: str, card: Card) -> ModelChoice:
    """Return a model to choose.

    Args:
        name: name of its folder.
        card: its model card.
    """
    scheme = _ARMS.get(card.config.scheme, card.config.scheme)
    shown = () if scheme in name else (display_names.arm(scheme),)
    return ModelChoice(
        name=name,
        title=" · ".join((name, *shown, size(card.parameters))),
        detail="  ·  ".join(_details(card)),
        conditions=frozenset(card.config.conditions),
        family=card.config.family,
    )


def size(parameters: int) -> str:
    """Return a number of parameters, as '1.2 M' or '640 k'."""
    million, thousand = 1_000_000, 1_000
    if parameters >= million:
        return f"{parameters / million:.1f} M"
    return f"{parameters / thousand:.0f} k" if parameters >= thousand else str(parameters)


def _details(card: Card) -> list[str]:
    found = [f"{card.config.layers} layers, {card.config.heads} heads"]
    note = "hidden note" if card.config.family == "infill" else "note"
    losses = (("test", card.test_nats_per_note), ("validation", card.valid_nats_per_note))
    for split, loss in losses:
        if loss is not None:
            return [*found, f"{loss:.3f} nats/{note} on {split}"]
    return found
