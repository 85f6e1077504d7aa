"""Tests of a study of layer costs, from its file to its report."""

from __future__ import annotations

import csv
import json
import time
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import torch

from musicrel import jobs
from musicrel.cli.main import main
from musicrel.errors import UsageError
from musicrel.experiment.runs import environment, run_control
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.events import LayerCost
from musicrel.experiment.study import definition, layer_report, study, study_text
from musicrel.experiment.study.layer_costs import LayerCosts, layer_pass, measure
from musicrel.experiment.study.memory_study import LAYER_ARMS, MemoryStudy
from musicrel.experiment.study.study_watch import StudyWatch
from musicrel.figures import report as report_files

TEXT = """
name = "small"
kind = "memory"
lengths = [16, 32, 64]
arms = ["vanilla", "shaw-naive"]
width = 16
heads = 2
max_distance = 8
repeats = 1
"""
CPU = torch.device("cpu")


@pytest.fixture
def small(tmp_path: Path) -> MemoryStudy:
    (tmp_path / "small.toml").write_text(TEXT)
    found = definition.load(str(tmp_path / "small.toml"))
    assert isinstance(found, MemoryStudy)
    return found


def costs(small: MemoryStudy, rows: Sequence[tuple[str, int, int]]) -> LayerCosts:
    found = [
        LayerCost(arm=arm, length=length, seconds=peak / 1e6, peak_bytes=peak)
        for arm, length, peak in rows
    ]
    return LayerCosts(study=small, rows=tuple(found), machine={"torch": "2"})


def test_every_row_is_measured_once_and_written_down(small: MemoryStudy, tmp_path: Path) -> None:
    yielded: list[LayerCost] = []

    found = jobs.run(measure(small, tmp_path / "study"), yielded.append)

    assert [(row.arm, row.length) for row in yielded] == list(small.rows)
    assert found.rows == tuple(yielded)
    assert found.finished
    assert all(row.seconds > 0 and row.peak_bytes > 0 and not row.estimated for row in yielded)
    written = json.loads((tmp_path / "study" / "results.json").read_text())
    assert written["study"] == "small"
    assert [arm["name"] for arm in written["arms"]] == ["vanilla", "shaw-naive"]
    assert written["runs"][0]["peak_bytes"] == yielded[0].peak_bytes
    assert written["verdict"]["sentence"] == found.sentence


def test_a_row_above_the_memory_limit_is_estimated(small: MemoryStudy, tmp_path: Path) -> None:
    limited = replace(small, limit_gigabytes=0.0011, lengths=(16, 32, 4096), arms=("shaw-naive",))

    rows = jobs.run(measure(limited, tmp_path / "study")).rows

    assert [row.estimated for row in rows] == [False, False, True]
    assert rows[2].peak_bytes > 64**2 * rows[1].peak_bytes


def test_powers_are_fitted_to_measured_rows(small: MemoryStudy) -> None:
    found = costs(small, [("vanilla", 16, 100), ("vanilla", 32, 400), ("vanilla", 64, 1600)])
    wrong = msgspec.structs.replace(found.rows[2], peak_bytes=5, estimated=True)

    assert found.exponent("vanilla", "peak_bytes") == pytest.approx(2)
    assert found.exponent("vanilla", "seconds") == pytest.approx(2)
    assert found.exponent("shaw-naive", "seconds") is None
    assert found.sentence == "memory grows with the sequence length L: vanilla as L^2.00"
    kept = replace(found, rows=(*found.rows[:2], wrong))
    assert kept.exponent("vanilla", "peak_bytes") == pytest.approx(2)


def test_memory_is_that_of_the_implementation(small: MemoryStudy) -> None:
    wide = replace(small, width=64, heads=2, arms=tuple(LAYER_ARMS))
    peaks = {
        arm: environment.peak_during(layer_pass(wide, arm, 256, CPU))
        for arm in ("vanilla", *LAYER_ARMS)
    }

    assert peaks["shaw-naive"] > 256 * 256 * 32 * 4
    assert peaks["vanilla"] < peaks["relative-tiled"] < peaks["relative-skew"]
    assert peaks["relative-skew"] < peaks["shaw-naive"] / 2


def test_the_report_has_tables_and_pictures(small: MemoryStudy, tmp_path: Path) -> None:
    rows = [(arm, length, length**2) for length in small.lengths for arm in small.arms]
    found = costs(small, rows)
    found = replace(
        found, rows=(*found.rows[:-1], msgspec.structs.replace(found.rows[-1], estimated=True))
    )

    table = layer_report.results_csv(found)
    files = report_files.write(tmp_path, layer_report.report(found), table)

    assert [path.name for path in files[:3]] == ["report.md", "results.csv", "report.html"]
    assert [path.name for path in files[-2:]] == ["memory.svg", "time.svg"]
    report = files[0].read_text()
    assert "| 64 | 4.1 kB | 4.1 kB (estimated) |" in report
    assert "| growth | L^2.00 | L^2.00 |" in report
    assert "- Machine: torch 2." in report
    rows_ = csv.DictReader(files[1].read_text().splitlines())
    assert [row["estimated"] for row in rows_] == ["False"] * 5 + ["True"]
    for path in files[-2:]:
        assert ET.fromstring(path.read_text()).tag.endswith("svg")  # noqa: S314  # our own
    assert "stroke-dasharray" in files[-2].read_text()


def test_the_command_runs_the_study(
    small: MemoryStudy, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del small
    folder = tmp_path / "study"
    words = ["compare", "--out", str(folder), "--device", "cpu"]

    assert main([*words, "--study", str(tmp_path / "small.toml")]) == 0
    assert capsys.readouterr().out.startswith("memory grows with the sequence length L: vanilla as")
    assert main([*words, "--resume", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["finished"]
    (folder / "report.md").unlink()
    assert main([*words, "--report"]) == 0
    assert (folder / "report.md").exists()


def test_the_folder_of_another_study_is_left_alone(
    small: MemoryStudy, tmp_path: Path, source: str
) -> None:
    del source
    trained, measured, run = tmp_path / "trained", tmp_path / "measured", tmp_path / "run"
    definition.create(trained, study.load("smoke"))
    jobs.run(measure(small, measured))
    run.mkdir()
    (run / "recipe.toml").write_text("")

    with pytest.raises(UsageError, match="trained already holds a study"):
        jobs.run(measure(small, trained))
    with pytest.raises(UsageError, match="run already holds a run"):
        jobs.run(measure(small, run))
    with pytest.raises(UsageError, match="holds the study 'smoke' with other values than 'small'"):
        jobs.run(measure(small, trained, resume=True))
    with pytest.raises(UsageError, match="measured already holds a study"):
        definition.create(measured, study.load("smoke"))
    with pytest.raises(UsageError, match="holds the study 'small' with other values than 'small'"):
        jobs.run(measure(replace(small, repeats=2, text=""), measured, resume=True))
    (measured / "study.json").write_text('{"format": "other", "version": 1}')
    with pytest.raises(UsageError, match="of format 'other', expected 'musicrel-study' or"):
        definition.read(measured)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[16, 32, 64]", "[16]", "lengths is .16.: expected at least two rising whole numbers"),
        ("[16, 32, 64]", "[32, 16]", "lengths is .32, 16.: expected at least two rising"),
        ('"shaw-naive"', '"magic"', "arms is .'vanilla', 'magic'.: expected some of vanilla, rel"),
        ("width = 16", "width = 15", "width is 15: expected a multiple of heads, 2"),
        ("repeats = 1", "speed = 1", "has unknown entry 'speed': it takes name, kind, lengths"),
    ],
)
def test_an_invalid_study_is_refused(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    (tmp_path / "small.toml").write_text(TEXT.replace(old, new))

    with pytest.raises(UsageError, match=sentence):
        definition.load(str(tmp_path / "small.toml"))


def test_a_queued_study_is_started_stopped_and_resumed_through_its_folder(
    small: MemoryStudy, tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    definition.create(folder, small)
    watch = StudyWatch(folder, clock=iter(range(0, 1000, 2)).__next__)
    seen = [watch.poll()]

    def stop(row: LayerCost) -> None:
        seen.append(watch.poll())
        if row.length == 32:
            run_control.send_request(folder, "stop")

    first = jobs.run(measure(small, folder, resume=True, since=0), stop)
    seen.append(watch.poll())
    jobs.run(measure(small, folder, resume=True))
    seen.append(watch.poll())

    assert len(first.rows) == 3
    assert [now.state for now in seen] == ["queued", *["running"] * 3, "stopped", "finished"]
    assert [study_text.share(now) for now in seen] == [0, 1 / 6, 2 / 6, 3 / 6, 3 / 6, 1]
    assert study_text.verdict(seen[0]).startswith("No result yet: no row is measured")
    assert study_text.heading(seen[4]) == "Stopped and saved  ·  50 %  ·  3 of 6 rows measured"
    assert study_text.verdict(seen[-1]).startswith("Memory grows with the sequence length L: ")
    assert seen[-1].runs == ()
    assert watch.poll() is seen[-1]


def test_a_study_is_paused_between_two_rows(
    small: MemoryStudy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    control = iter(["run", "pause", "pause", "pause", *["run"] * 20])

    class Pausing:
        def __call__(self) -> str:
            return next(control)

    monkeypatch.setattr(time, "sleep", id)

    found = jobs.run(measure(small, tmp_path, control=Pausing()))  # type: ignore[arg-type]

    events = [event["event"] for event in EventLog(tmp_path / "events.jsonl").events()]
    assert found.finished
    assert events == ["LayerCost", "StudyPaused", "StudyResumed", *["LayerCost"] * 5]
