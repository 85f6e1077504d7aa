"""Parts of the search are switched off one at a time, and stay off no longer than a row."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import musicrel
from musicrel.chorale import Chorale
from musicrel.generation.causal import potentials
from training import search_ablation
from training.examination import material
from training.search_ablation import PARTS, ROWS, without, written

PITCHES = (72, 67, 64, 48)


def test_every_potential_of_the_search_has_a_row() -> None:
    """A potential that is added has to be named here, too: they are the functions of tokens."""
    functions = inspect.getmembers(potentials, inspect.isfunction)
    own = {
        name
        for name, one in functions
        if one.__module__ == potentials.__name__
        and not name.startswith("_")
        and next(iter(inspect.signature(one).parameters)) in {"ids_KN", "written"}
    }
    assert own == {part.name for part in PARTS.values() if callable(part.without)}
    assert {f"without {title}" for title in PARTS} < set(ROWS)


@pytest.mark.parametrize("title", PARTS)
def test_a_part_is_off_within_the_block_alone(title: str) -> None:
    part = PARTS[title]
    before = getattr(part.module, part.name)
    with without(part):
        assert getattr(part.module, part.name) is part.without
    assert getattr(part.module, part.name) is before


def test_without_parallels_none_are_weighed() -> None:
    voices = SimpleNamespace(pitch_V=np.arange(128))
    fifths = np.repeat([[67, 60, 50, 43], [69, 62, 52, 45]], [1, 4], axis=0)
    constraints: Any = voices
    assert potentials.parallels(fifths.reshape(1, -1), constraints)[0] < 0
    with without(PARTS["parallels"]):
        assert potentials.parallels(fifths.reshape(1, -1), constraints).tolist() == [0.0]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Return the requests that rows make of a model that writes one chord."""
    found: list[dict[str, Any]] = []

    def generate(_model: object, **options: Any) -> Chorale:
        found.append(options)
        return Chorale.of([PITCHES] * options["bars"])

    monkeypatch.setattr(musicrel, "generate", generate)
    monkeypatch.setattr(material, "lengths", lambda _: [3, 5])
    return found


def test_rows_differ_in_what_they_ask_for(asked: list[dict[str, Any]]) -> None:
    model: Any = None
    for row in ROWS:
        pieces, _ = written(row, model, 3, None)
        assert [piece.steps for piece in pieces] == [3, 5, 3]
    requests = {row: asked[3 * n : 3 * n + 3] for n, row in enumerate(ROWS)}
    seeds = [600_000, 600_001, 600_002]
    assert all([one["seed"] for one in of_row] == seeds for of_row in requests.values())
    assert requests["without a search"][0]["quality"] == "draft"
    assert requests["without key"][0]["quality"] == requests["all parts"][0]["quality"] == "normal"


def test_kept_pieces_are_not_written_again(asked: list[dict[str, Any]], tmp_path: Path) -> None:
    model: Any = None
    first, _ = written("all parts", model, 2, tmp_path)
    again, seconds = written("all parts", model, 3, tmp_path)
    assert (len(asked), len(again)) == (3, 3)
    assert again[:2] == first
    assert seconds >= 0


def test_the_table_has_a_row_for_each_part(
    asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(musicrel, "load_model", lambda _: None)
    monkeypatch.setattr(search_ablation, "figures", lambda pieces, _: {"pieces": len(pieces)})
    rows = ["all parts", "without key"]
    assert search_ablation.main(["--pieces", "2", "--only", *rows]) == 0
    assert "| all parts | 2.00 |\n| without key | 2.00 |" in capsys.readouterr().out
    assert len(asked) == 4
