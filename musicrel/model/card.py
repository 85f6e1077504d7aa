"""A model card, stored as JSON beside the weights.

Torch is not imported here, so that models can be listed without it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from musicrel import untrusted
from musicrel.errors import DataError, FileError, ModelError
from musicrel.model.config import ModelConfig

FORMAT: Final = "musicrel-model"
VERSION: Final = 1

CARD: Final = "card.json"
WEIGHTS: Final = "model.safetensors"
"""The two files of a model directory."""

WITHOUT_NOTES: Final[Mapping[str, str]] = {
    "classifier": "predicts classes (family classifier), not notes",
    "critic": "predicts classes (family critic), not notes",
    "published": "is an arm of the published comparison (family published) and predicts tokens in "
    "windows of one beat, not pieces",
}
"""Families whose models cannot generate or score the notes of pieces, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Facts about a model.

    Attributes:
        vocabulary: ``name`` and ``symbols``, the meaning of every token id.
        data: ``name``, ``sha256`` and size of the training data.
        training: steps, tokens, seconds, threads, device, versions, end of the learning curve.
        figures: losses by split and by conditions.
        voices: test loss of each voice's notes given voice and beat; empty without these.
        valid_nats_per_note: validation loss; None before it was measured.
        test_nats_per_note: test loss; None before it was measured.
        weights_sha256: hash of the weights file; "" in cards of before it was stored.
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
    weights_sha256: str = ""

    def to_json(self) -> str:
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        values["config"] = self.config.to_json()
        return json.dumps({"format": FORMAT, "version": VERSION, **values}, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Card:
        """Parse the result of ``to_json``.

        Raises:
            ModelError: the text is not a card, is a newer one, or an entry is missing or invalid.
        """
        try:
            values = untrusted.parse_json(text, CARD, finite=False)
        except DataError as reason:
            raise ModelError(str(reason)) from reason
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
    """Read the card in ``directory``.

    Raises:
        ModelError: the card is missing or damaged.
    """
    try:
        text = untrusted.read(directory / CARD, "card").decode("utf-8")
    except (FileError, UnicodeDecodeError) as reason:
        raise ModelError(
            f"{directory} holds no model: its {CARD} is missing or unreadable ({reason})"
        ) from reason
    try:
        return Card.from_json(text)
    except ModelError as reason:
        raise ModelError(f"{directory}: {reason}") from reason


def check_notes(name: str, card: Card) -> None:
    """Check that a model predicts the notes of pieces.

    Raises:
        ModelError: the model is of another family.
    """
    if card.config.family in WITHOUT_NOTES:
        raise ModelError(
            f"{name} {WITHOUT_NOTES[card.config.family]}: choose a model that predicts notes, "
            "of family causal, encoder_decoder or infill"
        )


def _checked(values: dict[str, Any]) -> dict[str, Any]:
    expected: Mapping[str, type | tuple[type, ...]] = {
        "name": str,
        "commit": str,
        "licence": str,
        "weights_sha256": str,
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
