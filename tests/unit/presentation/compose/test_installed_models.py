"""The facts about all models."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from musicrel.presentation.compose import installed_models
from musicrel.presentation.compose.installed_models import (
    DIFFERS,
    MATCHES,
    UNKNOWN,
    UNNAMED,
    UNREADABLE,
    Checksum,
    InstalledModel,
)
from tests.helpers.models import tiny_model_directory


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a model of the user."""
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path))
    return tiny_model_directory(tmp_path / "models" / "mine")


def found(name: str) -> InstalledModel:
    """Return a model of the list."""
    return next(model for model in installed_models.listed() if model.name == name)


def checksum(name: str) -> Checksum:
    """Return the hash of a model."""
    return next(installed_models.checksums((found(name),)))


def test_a_shipped_model_has_all_its_facts() -> None:
    """All are texts for a table."""
    model = found("relative-infill")

    assert (model.family, model.scheme, model.task) == ("Infill", "Relative", "Rewrites")
    assert (model.parameters, model.size, model.loss) == ("2.5 M", "5.0 MB", "1.241")
    assert (model.licence, model.stored, model.usable) == ("MIT", "musicrel", True)


def test_the_critic_cannot_be_chosen() -> None:
    """It ranks candidates."""
    assert (found("critic").task, found("critic").usable) == ("Ranks", False)


def test_all_shipped_weights_match_their_cards() -> None:
    """A card names the hash of its weights."""
    shipped = tuple(model for model in installed_models.listed() if model.shipped)

    assert len(shipped) > 5
    assert {one.state for one in installed_models.checksums(shipped)} == {MATCHES}


def test_the_hash_is_compared_with_the_card(own: Path) -> None:
    """Match, difference, no hash in the card, no weights."""
    weights, card = own / "model.safetensors", own / "card.json"
    assert checksum("mine").state == MATCHES
    weights.write_bytes(b"other")
    assert checksum("mine").state == DIFFERS
    assert checksum("mine").sha256 == hashlib.sha256(b"other").hexdigest()
    card.write_text(json.dumps(json.loads(card.read_text()) | {"weights_sha256": ""}))
    assert checksum("mine").state == UNNAMED
    weights.unlink()
    assert (checksum("mine").state, checksum("mine").sha256) == (UNREADABLE, "")


def test_a_damaged_card_is_a_problem_of_that_model_only(own: Path) -> None:
    """Its facts are unknown."""
    os.utime(own / "card.json", (0, 0))
    assert (found("mine").stored, found("mine").added) == ("Imported by you", "1970-01-01")
    (own / "card.json").write_text("{")

    model = found("mine")

    assert (model.task, model.size, model.usable) == (UNKNOWN, UNKNOWN, False)
    assert "is not valid JSON" in model.problem
