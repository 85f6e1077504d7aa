"""Tests of the results of a study: machine and commit of its runs, and trends at their ends."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from musicrel.errors import ModelError
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.study import definition, results, study
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


STUDY = """
name = "small"
budget = { steps = 40 }
model = { width = 16, layers = 1, heads = 2, feedforward = 64 }
[[arms]]
name = "vanilla"
scheme = "sinusoidal"
[[arms]]
name = "relative"
scheme = "relative"
"""


def finish(folder: Path, losses: list[float], nats: float) -> None:
    """Write the events and the result of a run."""
    log = EventLog(folder / "events.jsonl")
    for number, loss in enumerate(losses, 1):
        step = 40 * number // len(losses)
        log.append({"event": "TrainEvaluated", "step": step, "tokens": step, "valid": loss,
                    "best": loss})  # fmt: skip
    pieces = [{"index": index, "title": "", "nats": nats + index, "notes": 9} for index in range(5)]
    result = {
        "finished": True, "step": 40, "tokens": 40, "seconds": 1.0, "valid": 1.0, "test": 1.0,
        "test_pieces": pieces,
    }  # fmt: skip
    (folder / "result.json").write_text(json.dumps(result))


def test_the_verdict_names_runs_whose_loss_still_falls_or_rises(tmp_path: Path) -> None:
    """The mark of each run is in the results, too."""
    asked = study.parse(STUDY, "small.toml")
    folder = tmp_path / "study"
    definition.create(folder, asked)
    finish(folder / "runs/vanilla-seed0", [2.0, 1.5, 1.4, 1.3], 10.0)
    finish(folder / "runs/relative-seed0", [2.0, 1.3, 1.4, 1.5], 9.0)

    found = results.collect(asked, folder)

    assert [run.trend for run in found.runs] == ["falls", "rises"]
    assert found.sentence.endswith(
        "; the loss of 1 of 2 runs still falls at the end, so longer training may change the "
        "result; the loss of 1 of 2 runs rises at the end"
    )
    assert [run["trend"] for run in found.to_json()["runs"]] == ["falls", "rises"]


def test_the_verdict_names_how_pieces_were_read(tmp_path: Path) -> None:
    """In the window of each arm, if the study measures so."""
    asked = study.parse('data = { measured = "window", window = 64 }\n' + STUDY, "small.toml")
    definition.create(tmp_path / "study", asked)
    for arm in ("vanilla", "relative"):
        finish(tmp_path / f"study/runs/{arm}-seed0", [2.0], 9.0)

    found = results.collect(asked, tmp_path / "study")

    assert "(5 pieces read in each arm's own window, 1 seed)" in found.sentence


def test_level_runs_have_no_caveat(tmp_path: Path) -> None:
    """Neither have runs with too few evaluations, whose trend is unknown."""
    asked = study.parse(STUDY, "small.toml")
    definition.create(tmp_path / "study", asked)
    finish(tmp_path / "study/runs/vanilla-seed0", [2.0, 1.3, 1.301, 1.3], 10.0)
    finish(tmp_path / "study/runs/relative-seed0", [2.0], 9.0)

    found = results.collect(asked, tmp_path / "study")

    assert [run.trend for run in found.runs] == ["level", None]
    assert "(5 pieces read whole, 1 seed)" in found.sentence
    assert found.comparisons[0].caveat == ""
    assert "trend" not in found.to_json()["runs"][1]
