"""Tests of a study whose arms differ in their window."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from musicrel import jobs
from musicrel.errors import UsageError
from musicrel.experiment.runners.side_by_side import in_process
from musicrel.experiment.study import study
from musicrel.experiment.study.compare import compare
from musicrel.presentation.study import study_report

TEXT = """
name = "small"
pairs = [["vanilla-8", "relative-8"], ["vanilla-8", "learned-16"]]
budget = { steps = 4 }
model = { width = 16, layers = 1, heads = 2, feedforward = 64 }
data = { source = "SOURCE", measured = "window" }
training = { batch = 2, warmup_steps = 3, evaluate_every = 4, checkpoint_every = 4 }
arms = [
  { name = "vanilla-8", scheme = "sinusoidal", data.window = 8 },
  { name = "relative-8", scheme = "relative", options.max_distance = 7, data.window = 8 },
  { name = "learned-16", scheme = "learned", options.max_length = 700, data.window = 16 },
]
"""


def test_each_arm_is_measured_in_its_window_and_on_whole_pieces(
    source: str, tmp_path: Path
) -> None:
    """The pieces are the same, so that the arms can be compared."""
    windows = study.parse(TEXT.replace("SOURCE", source), "small.toml")

    found = jobs.run(compare(windows, tmp_path, runner=in_process()))
    report = study_report.read(found).to_markdown()

    written = json.loads((tmp_path / "results.json").read_text())
    assert written["measure"].startswith("nats/note on pieces read in windows of the training le")
    for run in written["runs"]:
        assert set(run["further"]) == {"whole valid", "whole test"}
    assert written["runs"][0]["further"]["whole test"] != written["runs"][0]["test"]
    assert [arm["data"]["window"] for arm in written["arms"]] == [8, 8, 16]
    assert [comparison.second for comparison in found.comparisons] == ["relative-8", "learned-16"]
    assert "### Nats/note on whole pieces" in report
    assert "windows of 8, 16 tokens" in report


def test_the_bundled_study_trains_on_as_many_tokens_in_every_window() -> None:
    shipped = study.load("window")

    assert len(shipped.arms) == 2 * len(shipped.pairs) == 10
    for arm in shipped.arms:
        data, training = arm.recipe.data, arm.recipe.training
        assert data.measured == "window"
        assert training.tokens == 2_000_000
        assert data.window * training.batch == 2048 or data.window == 4096
        assert arm.recipe.model.options.get("max_distance", 0) < data.window
    for pair in shipped.pairs:
        windows = [arm.recipe.data.window for arm in shipped.arms if arm.name in pair]
        assert len(windows) == 2
        assert len(set(windows)) == 1
    assert 750_000 < shipped.arms[0].parameters < 850_000


def test_the_bundled_study_for_a_gpu_has_the_same_windows_and_more_schemes() -> None:
    shipped = study.load("window-gpu")
    window_of = {arm.name: arm.recipe.data.window for arm in shipped.arms}

    schemes = {arm.recipe.model.scheme for arm in shipped.arms}
    assert schemes == {"sinusoidal", "relative", "alibi", "rope", "none"}
    assert set(window_of.values()) == {16, 64, 256, 1024, 4096}
    assert len(shipped.runs) == 75
    assert len(shipped.pairs) == 20
    assert all(window_of[first] == window_of[second] for first, second in shipped.pairs)
    assert 2_900_000 < shipped.arms[0].parameters < 3_400_000


def test_arms_measured_differently_are_refused() -> None:
    text = TEXT.replace("window = 16", 'window = 16, data.measured = "whole"')

    with pytest.raises(UsageError, match="measured is 'whole' in some arms and 'window' in others"):
        study.parse(text, "small.toml")


def test_only_a_causal_model_is_measured_in_windows() -> None:
    text = TEXT.replace("width = 16", 'width = 16, family = "masked"')

    with pytest.raises(UsageError, match='set measured = "whole"'):
        study.parse('objective = "masked"\n' + text, "small.toml")
