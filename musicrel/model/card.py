"""A model's card: all that is known of it, as JSON beside its weights.

This file knows what a card says, where it lies and how it is checked; it knows nothing of tensors,
so that models can be listed without torch.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from musicrel import paths
from musicrel.errors import FileError, ModelError
from musicrel.model.config import ModelConfig

FORMAT: Final = "musicrel-model"
VERSION: Final = 1

CARD: Final = "card.json"
WEIGHTS: Final = "model.safetensors"
"""The two files of a model directory."""

WITHOUT_NOTES: Final[Mapping[str, str]] = {
    "classifier": "tells classes apart (family classifier) and knows no notes to come",
    "critic": "tells classes apart (family critic) and knows no notes to come",
    "published": "is an arm of the published comparison (family published), finds tokens in "
    "windows of one beat and knows no pieces",
}
"""Families whose models cannot write, find or look at the notes of pieces, and why."""
_LARGEST_CARD: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What is known of a model.

    Attributes:
        name: its name.
        config: its shape.
        vocabulary: ``name`` and ``symbols``, the meaning of every token id.
        parameters: number of trained numbers.
        data: ``name``, ``sha256`` and size of what it learned from.
        recipe: the recipe's values.
        training: steps, tokens, seconds, threads, device, versions, how the curve ended.
        figures: losses by split and by what was told.
        voices: the loss on test of each voice's notes, told voice and beat; empty where not told.
        valid_nats_per_note: loss on valid; None before it was measured.
        test_nats_per_note: loss on test; None before it was measured.
        commit: of the program that trained it.
        licence: under which it may be used.
    """

    name: str
    config: ModelConfig
    vocabulary: Mapping[str, Any]
    parameters: int
    data: Mapping[str, Any] = field(default_factory=dict)
    recipe: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    figures: Mapping[str, Any] = field(default_factory=dict)
    voices: Mapping[str, Any] = field(default_factory=dict)
    valid_nats_per_note: float | None = None
    test_nats_per_note: float | None = None
    commit: str = ""
    licence: str = "MIT"

    def to_json(self) -> str:
        """The card as text."""
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        values["config"] = self.config.to_json()
        return json.dumps({"format": FORMAT, "version": VERSION, **values}, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Card:
        """The card that ``to_json`` wrote.

        Raises:
            ModelError: the text is no card, is a newer one, or an entry is missing or impossible.
        """
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as reason:  # a ValueError also for endless numbers
            raise ModelError(f"card.json is not valid JSON: {reason}") from reason
        if not isinstance(values, dict) or values.pop("format", None) != FORMAT:
            raise ModelError("card.json is not the card of a musicrel model")
        version = values.pop("version", None)
        if version != VERSION:
            raise ModelError(
                f"card.json has version {version!r}, this program reads {VERSION}: "
                "update musicrel to use the model"
            )
        known = {entry.name for entry in fields(cls)}
        missing = {"name", "config", "vocabulary", "parameters"} - set(values)
        if missing:
            raise ModelError(f"card.json lacks {', '.join(sorted(missing))}")
        kept = {name: value for name, value in values.items() if name in known}
        kept["config"] = ModelConfig.from_json(kept["config"])
        return cls(**_checked(kept))


def read_card(directory: Path) -> Card:
    """The card in ``directory``.

    Raises:
        ModelError: there is none, or it is damaged.
    """
    try:
        text = paths.read_bytes(directory / CARD, limit=_LARGEST_CARD).decode("utf-8")
    except (FileError, UnicodeDecodeError) as reason:
        raise ModelError(
            f"{directory} holds no model: its {CARD} is missing or unreadable ({reason})"
        ) from reason
    try:
        return Card.from_json(text)
    except ModelError as reason:
        raise ModelError(f"{directory}: {reason}") from reason


def check_notes(name: str, card: Card) -> None:
    """See that a model knows the notes of pieces, so that it can write, find or look at them.

    Args:
        name: of the model, for the message.
        card: what is known of it.

    Raises:
        ModelError: it does not.
    """
    if card.config.family in WITHOUT_NOTES:
        raise ModelError(
            f"{name} {WITHOUT_NOTES[card.config.family]}: choose a model that writes pieces, "
            "of family causal, encoder_decoder or infill"
        )


def _checked(values: dict[str, Any]) -> dict[str, Any]:
    """``values`` when each is of the kind the card expects."""
    expected: Mapping[str, type | tuple[type, ...]] = {
        "name": str,
        "commit": str,
        "licence": str,
        "parameters": int,
        "vocabulary": dict,
        "data": dict,
        "recipe": dict,
        "training": dict,
        "figures": dict,
        "voices": dict,
        "valid_nats_per_note": (int, float, type(None)),
        "test_nats_per_note": (int, float, type(None)),
    }
    for name, kind in expected.items():
        if name in values and not isinstance(values[name], kind):
            raise ModelError(f"card.json: {name} is {values[name]!r}, which is of the wrong kind")
    if not isinstance(values["vocabulary"].get("name"), str):
        raise ModelError("card.json names no vocabulary")
    return values
