"""A model card, stored as JSON beside the weights.

Torch is not imported here, so that models can be listed without it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from musicrel import untrusted, validated
from musicrel.errors import DataError, FileError, ModelError
from musicrel.language import tr
from musicrel.model.config import ModelConfig

FORMAT: Final = "musicrel-model"
VERSION: Final = 1

CARD: Final = "card.json"
WEIGHTS: Final = "model.safetensors"
"""The two files of a model directory."""

WITHOUT_NOTES: Final[Mapping[str, str]] = {
    "classifier": tr("predicts classes (family classifier), not notes"),
    "published": tr(
        "is an arm of the published comparison (family published) and predicts tokens in "
        "windows of one beat, not pieces"
    ),
}
"""Families whose models cannot generate or score the notes of pieces, and why."""


def learns_places(config: ModelConfig) -> bool:
    """Return whether the heads of a model have places for notes."""
    return config.scheme == "darope" and config.family == "causal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Facts about a model."""

    name: str
    config: ModelConfig
    vocabulary: Mapping[str, Any]  # ``name`` and ``symbols``, the meaning of every token id
    parameters: int
    # ``name``, ``sha256`` and size of the training data
    data: Mapping[str, Any] = field(default_factory=dict)
    recipe: Mapping[str, Any] = field(default_factory=dict)
    # steps, tokens, seconds, threads, device, versions, end of the learning curve
    training: Mapping[str, Any] = field(default_factory=dict)
    figures: Mapping[str, Any] = field(default_factory=dict)  # losses by split and by conditions
    # test loss of each voice's notes given voice and beat; empty without these
    voices: Mapping[str, Any] = field(default_factory=dict)
    # of a model that was taught one's own pieces: their number, loss before and after on held-out
    # ones and on Bach's, and the share of copied passages; empty for others
    taught: Mapping[str, Any] = field(default_factory=dict)
    valid_nats_per_note: float | None = None  # validation loss; None before it was measured
    test_nats_per_note: float | None = None  # test loss; None before it was measured
    commit: str = ""
    licence: str = "MIT"
    weights_sha256: str = ""  # hash of the weights file; "" in cards of before it was stored

    def to_json(self) -> str:
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        values["config"] = self.config.to_json()
        return json.dumps({"format": FORMAT, "version": VERSION, **values}, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Card:
        try:
            values = untrusted.parse_json(text, CARD, finite=False)
        except DataError as reason:
            raise ModelError(str(reason)) from reason
        if not isinstance(values, dict) or values.pop("format", None) != FORMAT:
            raise ModelError(tr("card.json is not the card of a musicrel model"))
        version = values.pop("version", None)
        if version != VERSION:
            raise ModelError(
                tr(
                    "card.json has version {found!r}, this program reads {expected}: update "
                    "musicrel to use the model",
                    found=version, expected=VERSION,
                )
            )  # fmt: skip
        card = validated.convert(values, cls, CARD, error=ModelError)
        ModelConfig.from_json(values["config"])  # unknown entries are ignored in the card alone
        if not isinstance(card.vocabulary.get("name"), str):
            raise ModelError(tr("card.json names no vocabulary"))
        return card


def read_card(directory: Path) -> Card:
    """Read the card in ``directory``."""
    try:
        text = untrusted.read(directory / CARD, "card").decode("utf-8")
    except (FileError, UnicodeDecodeError) as reason:
        raise ModelError(
            tr(
                "{directory} holds no model: its {card} is missing or unreadable ({reason})",
                directory=directory, card=CARD, reason=reason,
            )
        ) from reason  # fmt: skip
    try:
        return Card.from_json(text)
    except ModelError as reason:
        raise ModelError(f"{directory}: {reason}") from reason


def check_notes(name: str, card: Card) -> None:
    """Check that a model predicts the notes of pieces."""
    if card.config.family in WITHOUT_NOTES:
        raise ModelError(
            tr(
                "{name} {reason}: choose a model that predicts notes, of family causal, "
                "encoder_decoder or infill",
                name=name, reason=WITHOUT_NOTES[card.config.family],
            )
        )  # fmt: skip
