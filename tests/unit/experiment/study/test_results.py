"""Tests of the results of a study: machine and commit of its runs, and trends at their ends."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.events import TrainEvaluated
from musicrel.experiment.study import compare, definition, results, study
from musicrel.experiment.study.results import origin
from musicrel.experiment.study.run_watch import RunWatch, slope, trend
from musicrel.model.networks import build
from tests.helpers.models import tiny_card, tiny_config
from tests.helpers.runs import evaluation


def model(folder: Path, machine: Mapping[str, Any], commit: str) -> Path:
    card = tiny_card(build(tiny_config("relative")))
    folder.mkdir()
    card = replace(card, training={"machine": machine}, commit=commit)
    (folder / "card.json").write_text(card.to_json())
    return folder


def test_values_common_to_all_runs_are_listed_once(tmp_path: Path) -> None:
    runs = [
        model(tmp_path / "a", {"device": "cpu", "threads": 2}, "abc"),
        model(tmp_path / "b", {"device": "cpu", "threads": 1}, "abc"),
        tmp_path / "waits",
    ]

    assert origin(runs) == {"device": "cpu", "threads": [2, 1], "commit": "abc"}
    assert origin([tmp_path / "waits", model(tmp_path / "silent", {}, "")]) == {}


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
    asked = study.parse(STUDY, "small.toml")
    folder = tmp_path / "study"
    definition.create(folder, asked)
    finish(folder / "runs/vanilla-seed0", [2.0, 1.5, 1.4, 1.3], 10.0)
    finish(folder / "runs/relative-seed0", [2.0, 1.3, 1.4, 1.5], 9.0)

    found = results.collect(asked, folder)

    assert [run.ending for run in found.runs] == ["falls", "rises"]
    assert found.sentence.startswith(
        "Not enough to say which of vanilla and relative is better: only 1 seed; at least 2 are "
        "needed; the loss of 1 of 2 runs is still falling at the end. Next: the study quick, "
        "then the study full. This run only: vanilla minus relative +"
    )
    assert found.sentence.endswith("; the loss of 1 of 2 runs rises at the end")
    verdict = found.to_json()["verdict"]
    assert (verdict["better"], verdict["sentence"]) == (None, found.sentence)
    assert verdict["missing"] == [
        "only 1 seed; at least 2 are needed", "the loss of 1 of 2 runs is still falling at the end",
    ]  # fmt: skip
    assert [run["trend"] for run in found.to_json()["runs"]] == ["falls", "rises"]


def test_a_loss_that_still_fell_is_known_without_the_logs(tmp_path: Path) -> None:
    definition.create(tmp_path, asked := study.parse(STUDY, "small.toml"))
    for run in asked.runs:
        finish(tmp_path / run.folder, FALLING, 10.0)
    before = compare.write_results(asked, tmp_path)
    for log in tmp_path.glob("runs/*/events.jsonl"):
        log.unlink()

    assert before.comparisons[0].undertrained
    assert results.collect(asked, tmp_path).comparisons == before.comparisons
    (tmp_path / results.RESULTS).write_text('{"runs": [{"arm": 1}]}')
    assert not results.collect(asked, tmp_path).comparisons[0].undertrained


def test_the_verdict_names_how_pieces_were_read(tmp_path: Path) -> None:
    asked = study.parse('data = { measured = "window", window = 64 }\n' + STUDY, "small.toml")
    definition.create(tmp_path / "study", asked)
    for arm in ("vanilla", "relative"):
        finish(tmp_path / f"study/runs/{arm}-seed0", [2.0], 9.0)

    found = results.collect(asked, tmp_path / "study")

    assert "(5 pieces read in each arm's own window, 1 seed)" in found.sentence


def test_level_runs_have_no_caveat(tmp_path: Path) -> None:
    asked = study.parse(STUDY, "small.toml")
    definition.create(tmp_path / "study", asked)
    finish(tmp_path / "study/runs/vanilla-seed0", [2.0, 1.3, 1.301, 1.3], 10.0)
    finish(tmp_path / "study/runs/relative-seed0", [2.0], 9.0)

    found = results.collect(asked, tmp_path / "study")

    assert [run.ending for run in found.runs] == ["level", "unknown"]
    assert "(5 pieces read whole, 1 seed)" in found.sentence
    assert found.comparisons[0].caveat == ""
    assert found.comparisons[0].undertrained == (
        (
            "1 of 2 runs were evaluated fewer than three times, too few to see whether the loss is "
            "still falling"
        ),
    )


LEVEL, FALLING = [2.0, 1.3, 1.301, 1.3], [2.0, 1.5, 1.4, 1.3]


@pytest.mark.parametrize(
    ("finished", "losses", "changes", "verdict"),
    [
        (4, LEVEL, ("", ""), "relative is better than vanilla: "),
        (4, FALLING, ("", ""), "Next: the study full. "),
        (4, LEVEL[:2], ("", ""), "Next: the study full. "),
        (2, LEVEL, ("", ""), "Next: the remaining runs of this study. "),
        (3, LEVEL, ("", ""), "Next: the remaining runs of this study. "),
        (
            4, FALLING, ('scheme = "relative"', 'scheme = "rope"'),
            "Next: a study like this one with a larger budget. ",
        ),
        (6, FALLING, ("[0, 1]", "[0, 1, 2]"), "Next: a study like this one with a larger budget. "),
        (
            2, FALLING, ('seeds = [0, 1]\n', 'data = { measured = "window" }\n'),
            "Next: a study like this one with 3 seeds or more and a larger budget. ",
        ),
        (
            2, LEVEL, ('seeds = [0, 1]\n', 'data = { source = "folder:mine" }\n'),
            "Next: a study like this one with 3 seeds or more. ",
        ),
    ],
)  # fmt: skip
def test_two_seeds_with_level_losses_give_a_verdict_and_others_a_next_step(
    tmp_path: Path, finished: int, losses: list[float], changes: tuple[str, str], verdict: str
) -> None:
    asked = study.parse(f"seeds = [0, 1]\n{STUDY}".replace(*changes), "small.toml")
    folder = tmp_path / "study"
    definition.create(folder, asked)
    for run in asked.runs[:finished]:
        finish(folder / run.folder, losses, 10.0 if run.arm == "vanilla" else 9.0)

    found = results.collect(asked, folder)

    assert verdict in found.sentence
    assert found.sentence.startswith("Not enough to say") == ("Next" in verdict)
    watched = [RunWatch(folder / run.folder, run.arm, run.seed) for run in asked.runs]
    statuses = [watch.poll(check_process=True) for watch in watched]
    assert found.comparisons == results.compare_arms(asked, statuses)


def curve(losses: list[float], every: int = 10) -> list[TrainEvaluated]:
    return [evaluation(every * number, loss) for number, loss in enumerate(losses, 1)]


def test_the_slope_is_the_median_of_all_pairs_in_the_last_quarter() -> None:
    """Against a plain loop in float64."""
    losses = np.random.default_rng(0).normal(2.0, 0.1, 40).tolist()
    naive = [
        (losses[right] - losses[left]) / (10.0 * (right - left))
        for left in range(29, 40)
        for right in range(left + 1, 40)
    ]

    assert slope(curve(losses)) == pytest.approx(np.median(np.array(naive)))


@pytest.mark.parametrize(
    ("losses", "found"),
    [
        ([2.0, 1.5, 1.2, 1.1, 1.05], "falls"),
        ([2.0, 1.0, 1.1, 1.2, 1.3], "rises"),
        ([2.0, 1.0, 1.001, 1.0, 1.001], "level"),
        ([*[1.0] * 18, 1.5, 1.0], "level"),
        ([2.0, 1.0], None),
        ([], None),
    ],
)
def test_a_trend_is_a_change_of_a_hundredth_over_the_last_quarter(
    losses: list[float], found: str | None
) -> None:
    assert trend(curve(losses)) == trend(curve(losses, every=100)) == found
