"""Studies that are not of causal models on whole pieces: other families, and windows."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import pytest

from musicrel import jobs
from musicrel.errors import UsageError
from musicrel.experiment.runners.side_by_side import in_process
from musicrel.experiment.study import study, study_report
from musicrel.experiment.study.compare import compare
from musicrel.experiment.study.measures import MEASURES
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.study import Study
from musicrel.model.networks import FAMILIES
from musicrel.model.positions.table import SCHEMES
from tests.helpers.known import known
from tests.helpers.recipes import few_bytes

ROOT = Path(__file__).parents[4]


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


def test_openings_are_measured_without_their_first_note(source: str, tmp_path: Path) -> None:
    text = TEXT.replace("SOURCE", source).replace('"window" }', '"opening", conditions = [] }')
    text = text.replace('"relative",', '"relative", published = { "a book" = 1.5 },')
    openings = study.parse(text.replace("data.window = 8", "data.window = 16"), "small.toml")

    found = jobs.run(compare(openings, tmp_path, runner=in_process()))
    report = study_report.read(found).to_markdown()

    assert found.study.measure.basis == (
        "the openings of pieces, as many notes as the window, without the first; weighted by notes"
    )
    assert "opening\N{NO-BREAK SPACE}of 16" in report
    mean = statistics.fmean(
        known(known(run.result).test) for run in found.runs if run.arm == "relative-8"
    )
    assert f"| Relative, 8 | a book | 1.5000 | {mean:.4f} | {mean - 1.5:+.4f} |" in report
    assert {pair.reading for pair in found.comparisons} == {
        "read from the second note to the end of the window"
    }


def test_the_study_on_jsb16_follows_the_published_protocol() -> None:
    published = study.load(str(ROOT / "training/schemes_jsb16.toml"))

    schemes = {arm.name.removesuffix("-transposed") for arm in published.arms}
    assert schemes == {
        "rope", "pope", "darope", "hope", "relative", "kerple", "fire", "fox", "none"
    }  # fmt: skip
    losses = {arm.name: tuple(arm.published.values()) for arm in published.arms if arm.published}
    assert losses == {
        "rope": (0.5081, 0.5331), "pope": (0.4889, 0.5009), "darope": (0.4547,), "hope": (0.4567,),
        "none": (1.1634,), "pope-transposed": (0.3936,),
    }  # fmt: skip
    assert len(published.runs) == 2 * 9 * 5
    assert len(published.trials) == 2 * 9 * 4
    for arm in published.arms:
        data, training = arm.recipe.data, arm.recipe.training
        farthest = 3 if arm.name.endswith("-transposed") else 0
        assert (data.transpose, data.farthest_shift) == (farthest > 0, farthest)
        assert (data.measured, data.window, data.vocabulary) == ("opening", 2048, "pitch")
        assert (training.steps, training.batch, data.conditions) == (3000, 4, ())
        assert 4_750_000 < arm.parameters < 5_000_000


def test_arms_measured_differently_are_refused() -> None:
    text = TEXT.replace("window = 16", 'window = 16, data.measured = "whole"')

    with pytest.raises(UsageError, match="measured is 'whole' in some arms and 'window' in others"):
        study.parse(text, "small.toml")


def test_only_a_causal_model_is_measured_in_windows() -> None:
    text = TEXT.replace("width = 16", 'width = 16, family = "masked"')

    with pytest.raises(UsageError, match='set measured = "whole"'):
        study.parse('objective = "masked"\n' + text, "small.toml")
