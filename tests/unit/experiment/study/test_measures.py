"""Studies of models that do not say the next token: their units, tables and reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from musicrel import jobs
from musicrel.experiment.study import study
from musicrel.experiment.study.compare import compare
from musicrel.experiment.study.measures import MEASURES
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.runners import InProcess
from musicrel.experiment.study.study import Study
from musicrel.model.families.model_families import FAMILIES
from musicrel.model.positions.table import SCHEMES
from musicrel.presentation.study import study_report
from tests.helpers.recipes import few_bytes


def small_study(family: str, data: str) -> Study:
    """Two arms, two seeds, four steps of a model of one layer."""
    text = f"""
        name = "small"
        seeds = [0, 1]
        objective = "{family}"
        budget = {{ steps = 4 }}
        model = {{ family = "{family}", width = 16, layers = 1, heads = 2, feedforward = 64 }}
        data = {{ source = "{data}", window = 40 }}
        training = {{ batch = 2, warmup_steps = 3, evaluate_every = 4, checkpoint_every = 2 }}
        masking = {{ rate = 0.5 }}
        arms = [
          {{ name = "bias", scheme = "bias" }},
          {{ name = "learned", scheme = "learned", options = {{ max_length = 800 }} }},
        ]
    """
    text = text.replace("800", "40") if family == "classifier" else text
    return study.parse("\n".join(line.strip() for line in text.splitlines()), "small.toml")


def carried_out(asked: Study, folder: Path) -> StudyResults:
    """Its results; the report stands beside them."""
    found = jobs.run(compare(asked, folder, runner=InProcess()))
    study_report.write(folder, found)
    return found


def test_every_family_has_its_measure() -> None:
    """A loss without a unit means nothing."""
    assert set(MEASURES) == set(FAMILIES)


def test_a_study_of_bytes_is_a_table_of_accuracies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By arm, seed and length; what a table of positions does not reach is told as refused."""
    few_bytes(monkeypatch)

    found = carried_out(small_study("classifier", "bytes:honest"), tmp_path)

    written = json.loads((tmp_path / "results.json").read_text())
    assert written["measure"].startswith("nats/sequence on byte sequences of 8 to 400 bytes")
    assert written["runs"][1]["arm"] == "learned"
    assert written["runs"][1]["further"]["60"] == "refused"
    assert 0 <= written["runs"][0]["further"]["once in 60"] <= 1
    assert "nats/sequence" in found.sentence
    assert "12 sequences, 2 seeds" in found.sentence
    report = (tmp_path / "report.md").read_text()
    assert "| arm | seed | valid | test | 40 | 60 | once in 40 | once in 60 |" in report
    assert report.count("refused") == 4
    assert "- Losses are nats/sequence on byte sequences" in report


def test_a_study_of_hidden_notes_says_so(source: str, tmp_path: Path) -> None:
    """In notes, but of those that were hidden; without a table of accuracies."""
    found = carried_out(small_study("masked", source), tmp_path)

    written = json.loads((tmp_path / "results.json").read_text())
    assert written["measure"].startswith("nats/note on the hidden notes of whole pieces")
    assert "further" not in written["runs"][0]
    assert found.finished
    assert "## Accuracy" not in (tmp_path / "report.md").read_text()


def test_the_shipped_study_of_bytes_tries_every_scheme() -> None:
    """On the honest data, with tables as long as the training sequences."""
    shipped = study.load("bytes")

    assert {arm.recipe.model.scheme for arm in shipped.arms} == set(SCHEMES)
    assert shipped.objective == "classifier"
    assert {arm.recipe.data.source for arm in shipped.arms} == {"bytes:honest"}
    spread = [arm.parameters for arm in shipped.arms]
    assert max(spread) - min(spread) < 0.01 * min(spread)
