"""Tests of the machine and commit of a study's runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from musicrel.errors import ModelError
from musicrel.experiment.study.results import origin
from musicrel.model.families.model_families import build
from tests.helpers.models import tiny_card, tiny_config


def model(folder: Path, machine: Mapping[str, Any], commit: str) -> Path:
    """Create a directory with nothing but a card."""
    card = tiny_card(build(tiny_config("relative")))
    folder.mkdir()
    card = replace(card, training={"machine": machine}, commit=commit)
    (folder / "card.json").write_text(card.to_json())
    return folder


def test_values_common_to_all_runs_are_listed_once(tmp_path: Path) -> None:
    """Values that differ are a list in the order of the runs."""
    runs = [
        model(tmp_path / "a", {"device": "cpu", "threads": 2}, "abc"),
        model(tmp_path / "b", {"device": "cpu", "threads": 1}, "abc"),
        tmp_path / "waits",
    ]

    assert origin(runs) == {"device": "cpu", "threads": [2, 1], "commit": "abc"}


def test_runs_without_cards_have_no_origin(tmp_path: Path) -> None:
    """Neither do cards without machine and commit."""
    assert origin([tmp_path / "waits", model(tmp_path / "silent", {}, "")]) == {}


def test_a_damaged_card_is_refused(tmp_path: Path) -> None:
    """The message names the file."""
    (tmp_path / "card.json").write_text("{")

    with pytest.raises(ModelError, match=r"card\.json is not valid JSON"):
        origin([tmp_path])
