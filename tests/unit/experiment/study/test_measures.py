"""Tests of studies whose models do not predict the next token: units, tables and reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from musicrel import jobs
from musicrel.experiment.runners.side_by_side import in_process
from musicrel.experiment.study import study
from musicrel.experiment.study.compare import compare
from musicrel.experiment.study.measures import MEASURES
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.study import Study
from musicrel.model.networks import FAMILIES
from musicrel.model.positions.table import SCHEMES
from musicrel.presentation.study import study_report
from tests.helpers.recipes import few_bytes


def small_study(family: str, data: str) -> Study:
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


def run_study(study_: Study, folder: Path) -> StudyResults:
    found = jobs.run(compare(study_, folder, runner=in_process()))
    (folder / "report.md").write_text(study_report.read(found).to_markdown())
    return found


def test_every_family_has_its_measure() -> None:
    assert set(MEASURES) == set(FAMILIES)


def test_a_study_of_bytes_is_a_table_of_accuracies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_bytes(monkeypatch)

    found = run_study(small_study("classifier", "bytes:honest"), tmp_path)

    written = json.loads((tmp_path / "results.json").read_text())
    assert written["measure"].startswith("nats/sequence on byte sequences of 8 to 400 bytes")
    assert written["runs"][1]["arm"] == "learned"
    assert written["runs"][1]["further"]["60"] == "refused"
    assert 0 <= written["runs"][0]["further"]["once in 60"] <= 1
    assert "nats/sequence" in found.sentence
    assert "12 sequences, 2 seeds" in found.sentence
    report = (tmp_path / "report.md").read_text()
    assert "| arm | seed | validation | test | 40 | 60 | once in 40 | once in 60 |" in report
    assert report.count("refused") == 4
    assert "- Losses are nats/sequence on byte sequences" in report


def test_a_study_of_masked_notes_states_it(source: str, tmp_path: Path) -> None:
    found = run_study(small_study("masked", source), tmp_path)

    written = json.loads((tmp_path / "results.json").read_text())
    assert written["measure"].startswith("nats/note on the masked notes of whole pieces")
    assert "further" not in written["runs"][0]
    assert found.finished
    assert "## Accuracy" not in (tmp_path / "report.md").read_text()


def test_the_bundled_study_of_bytes_covers_the_eleven_schemes() -> None:
    """On the honest data, with parameter counts within 1 %."""
    shipped = study.load("bytes")

    schemes = {arm.recipe.model.scheme for arm in shipped.arms}
    assert schemes <= set(SCHEMES)
    assert len(schemes) == 11
    assert shipped.objective == "classifier"
    assert {arm.recipe.data.source for arm in shipped.arms} == {"bytes:honest"}
    spread = [arm.parameters for arm in shipped.arms]
    assert max(spread) - min(spread) < 0.01 * min(spread)
