"""A study of what layers cost, from its file to its report."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from musicrel import jobs
from musicrel.cli.main import main
from musicrel.errors import UsageError
from musicrel.experiment.runs import memory, run_control
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.study import layer_costs, memory_study, results, study
from musicrel.experiment.study.layer_arms import LAYER_ARMS
from musicrel.experiment.study.layer_costs import LayerCost, LayerCosts, layer_pass, measure
from musicrel.experiment.study.memory_study import MemoryStudy
from musicrel.experiment.study.study_watch import StudyWatch
from musicrel.presentation.study import memory_report, progress, study_text
from tests.helpers.recipes import StopAfter

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
def asked(tmp_path: Path) -> MemoryStudy:
    """A small study."""
    (tmp_path / "small.toml").write_text(TEXT)
    found = memory_study.find(str(tmp_path / "small.toml"))
    assert found is not None
    return found


def costs(asked: MemoryStudy, rows: Sequence[tuple[str, int, int]]) -> LayerCosts:
    """Results with rows of arm, length and bytes."""
    made = [
        LayerCost(arm=arm, length=length, seconds=peak / 1e6, peak_bytes=peak)
        for arm, length, peak in rows
    ]
    return LayerCosts(study=asked, rows=tuple(made), machine={"torch": "2"})


def test_every_row_is_measured_once_and_written_down(asked: MemoryStudy, tmp_path: Path) -> None:
    """Short lengths first, all arms of each; results stand in the folder."""
    told: list[LayerCost] = []

    found = jobs.run(measure(asked, tmp_path / "study"), told.append)

    assert [(row.arm, row.length) for row in told] == list(asked.rows)
    assert found.rows == tuple(told)
    assert found.finished
    assert all(row.seconds > 0 and row.peak_bytes > 0 and not row.estimated for row in told)
    written = json.loads((tmp_path / "study" / "results.json").read_text())
    assert written["study"] == "small"
    assert [arm["name"] for arm in written["arms"]] == ["vanilla", "shaw-naive"]
    assert written["runs"][0]["peak_bytes"] == told[0].peak_bytes
    assert written["verdict"]["sentence"] == found.sentence


def test_a_study_that_was_stopped_goes_on(asked: MemoryStudy, tmp_path: Path) -> None:
    """What was measured is not measured again."""
    folder = tmp_path / "study"
    first = jobs.run(measure(asked, folder, control=StopAfter(2)))
    told: list[LayerCost] = []

    second = jobs.run(measure(asked, folder, resume=True), told.append)

    assert len(first.rows) == 2
    assert not first.finished
    assert len(told) == 4
    assert second.rows == (*first.rows, *told)


def test_a_row_that_would_take_too_much_is_estimated(asked: MemoryStudy, tmp_path: Path) -> None:
    """By the growth of the two before it."""
    small = replace(asked, limit_gigabytes=0.0011, lengths=(16, 32, 4096), arms=("shaw-naive",))

    rows = jobs.run(measure(small, tmp_path / "study")).rows

    assert [row.estimated for row in rows] == [False, False, True]
    assert rows[2].peak_bytes > 64**2 * rows[1].peak_bytes


def test_powers_are_fitted_over_what_was_measured(asked: MemoryStudy) -> None:
    """Estimates follow from them and do not count."""
    found = costs(asked, [("vanilla", 16, 100), ("vanilla", 32, 400), ("vanilla", 64, 1600)])
    wrong = replace(found.rows[2], peak_bytes=5, estimated=True)

    assert found.exponent("vanilla", "peak_bytes") == pytest.approx(2)
    assert found.exponent("vanilla", "seconds") == pytest.approx(2)
    assert found.exponent("shaw-naive", "seconds") is None
    assert found.sentence == "memory grows with the length L: vanilla as L^2.00"
    kept = replace(found, rows=(*found.rows[:2], wrong))
    assert kept.exponent("vanilla", "peak_bytes") == pytest.approx(2)


def test_memory_grows_as_its_way_says(asked: MemoryStudy) -> None:
    """A row for every pair costs a tensor of L x L x d."""
    wide = replace(asked, width=64, heads=2, arms=tuple(LAYER_ARMS))
    peaks = {
        arm: memory.peak_during(layer_pass(wide, arm, 256, CPU)) for arm in ("vanilla", *LAYER_ARMS)
    }

    assert peaks["shaw-naive"] > 256 * 256 * 32 * 4
    assert peaks["vanilla"] < peaks["relative-tiled"] < peaks["relative-skew"]
    assert peaks["relative-skew"] < peaks["shaw-naive"] / 2


def test_the_report_has_tables_and_pictures(asked: MemoryStudy, tmp_path: Path) -> None:
    """Estimated rows are marked, and dashed in the pictures."""
    rows = [(arm, length, length**2) for length in asked.lengths for arm in asked.arms]
    found = costs(asked, rows)
    found = replace(found, rows=(*found.rows[:-1], replace(found.rows[-1], estimated=True)))

    files = memory_report.write(tmp_path, found)

    assert [path.name for path in files] == ["report.md", "results.csv", "memory.svg", "time.svg"]
    report = files[0].read_text()
    assert "| 64 | 4.1 kB | 4.1 kB (estimated) |" in report
    assert "| grows as | L^2.00 | L^2.00 |" in report
    assert "- Machine: torch 2." in report
    table = list(csv.DictReader(files[1].read_text().splitlines()))
    assert [row["estimated"] for row in table] == ["False"] * 5 + ["True"]
    for path in files[2:]:
        assert ET.fromstring(path.read_text()).tag.endswith("svg")  # noqa: S314  # our own
    assert "stroke-dasharray" in files[2].read_text()


def test_the_command_carries_it_out(
    asked: MemoryStudy, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As any other study; results can be written anew."""
    del asked
    folder = tmp_path / "study"
    words = ["compare", "--out", str(folder), "--device", "cpu"]

    assert main([*words, "--study", str(tmp_path / "small.toml")]) == 0
    assert capsys.readouterr().out.startswith("memory grows with the length L: vanilla as")
    assert main([*words, "--resume", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["finished"]
    (folder / "report.md").unlink()
    assert main([*words, "--report"]) == 0
    assert (folder / "report.md").exists()


def test_the_folder_of_another_study_is_left_alone(
    asked: MemoryStudy, tmp_path: Path, source: str
) -> None:
    """Whichever of the two was there first; nor is that of a run overwritten."""
    del source
    trained, weighed, run = tmp_path / "trained", tmp_path / "weighed", tmp_path / "run"
    results.begin(trained, study.load("smoke"))
    jobs.run(measure(asked, weighed))
    run.mkdir()
    (run / "recipe.toml").write_text("")

    with pytest.raises(UsageError, match="trained holds a study already"):
        jobs.run(measure(asked, trained))
    with pytest.raises(UsageError, match="run holds a run already"):
        jobs.run(measure(asked, run))
    with pytest.raises(UsageError, match="is of format 'musicrel-study', expected 'musicrel-mem"):
        jobs.run(measure(asked, trained, resume=True))
    with pytest.raises(UsageError, match="weighed holds a study already"):
        results.begin(weighed, study.load("smoke"))
    with pytest.raises(UsageError, match="is of format 'musicrel-memory', expected 'musicrel-st"):
        results.study_in(weighed)
    with pytest.raises(UsageError, match="holds no study 'small' with these values"):
        jobs.run(measure(replace(asked, repeats=2), weighed, resume=True))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[16, 32, 64]", "[16]", "lengths is .16.: expected at least two rising whole numbers"),
        ("[16, 32, 64]", "[32, 16]", "lengths is .32, 16.: expected at least two rising"),
        ("[16, 32, 64]", "5", "a list or table stands where none is expected"),
        ('"shaw-naive"', '"magic"', "arms is .'vanilla', 'magic'.: expected some of vanilla, rel"),
        ("width = 16", "width = 15", "width 15 is no multiple of heads 2"),
        ("heads = 2", "heads = 0", "heads is 0: expected 1 to 64"),
        ("repeats = 1", "repeats = true", "repeats is True: expected 1 to 100"),
        ("repeats = 1", "speed = 1", "has unknown entry 'speed': it takes name, kind, lengths"),
        ('name = "small"', "name = 3", "name is 3: expected a name"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    tmp_path: Path, old: str, new: str, sentence: str
) -> None:
    """In one sentence."""
    (tmp_path / "small.toml").write_text(TEXT.replace(old, new))

    with pytest.raises(UsageError, match=sentence):
        memory_study.find(str(tmp_path / "small.toml"))


def test_the_shipped_study_is_found_by_its_name() -> None:
    """The others are none of its kind, and a name that nobody has is told among all there are."""
    shipped = memory_study.find("memory")

    assert shipped is not None
    assert shipped.lengths == (256, 512, 1024, 2048, 4096)
    assert set(shipped.arms) == set(LAYER_ARMS)
    assert memory_study.find("smoke") is None
    assert layer_costs.study_in(Path("nowhere")) is None
    with pytest.raises(UsageError, match=r"no study 'nobody': expected a TOML .* full, memory, "):
        study.load("nobody")


def test_a_study_that_waits_is_begun_held_and_stopped_through_its_folder(
    asked: MemoryStudy, tmp_path: Path
) -> None:
    """As whoever looks after its folder asks; everything is seen there."""
    folder = tmp_path / "study"
    layer_costs.begin(folder, asked)
    watch = StudyWatch(folder, clock=iter(range(0, 1000, 2)).__next__)
    seen = [watch.look()]

    def ask(row: LayerCost) -> None:
        seen.append(watch.look())
        if row.length == 32:
            run_control.ask(folder, "stop")

    first = jobs.run(measure(asked, folder, resume=True, since=0), ask)
    seen.append(watch.look())
    jobs.run(measure(asked, folder, resume=True))
    seen.append(watch.look())

    assert len(first.rows) == 3
    assert [now.state for now in seen] == ["queued", *["running"] * 3, "stopped", "finished"]
    assert [progress.share(now) for now in seen] == [0, 1 / 6, 2 / 6, 3 / 6, 3 / 6, 1]
    assert study_text.verdict(seen[0]).startswith("No row is measured yet")
    assert study_text.heading(seen[4]) == "Stopped and saved  ·  50 %  ·  3 of 6 rows measured"
    assert study_text.verdict(seen[-1]).startswith("Memory grows with the length L: vanilla as")
    assert seen[-1].runs == ()
    assert watch.look() is seen[-1]


def test_a_study_holds_while_it_is_asked_to(
    asked: MemoryStudy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two rows."""
    control = iter(["run", "pause", "pause", "pause", *["run"] * 20])

    class Pausing:
        def wish(self) -> str:
            return next(control)

    monkeypatch.setattr(run_control, "_SECONDS_BETWEEN_LOOKS", 0.0)

    found = jobs.run(measure(asked, tmp_path, control=Pausing()))  # type: ignore[arg-type]

    told = [event["event"] for event in EventLog(tmp_path / "events.jsonl").events()]
    assert found.finished
    assert told == ["LayerCost", "StudyPaused", "StudyResumed", *["LayerCost"] * 5]
