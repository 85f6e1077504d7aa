"""The report of a study."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.cli.main import main
from musicrel.experiment.objectives.evaluation import PieceLoss
from musicrel.experiment.study import definition, study
from musicrel.experiment.study.learning_curve import CurvePoint
from musicrel.experiment.study.memory_study import MemoryStudy
from musicrel.experiment.study.results import RunOutcome, StudyResults
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.study.statistics import Comparison
from musicrel.experiment.training.train_events import TrainResult
from musicrel.presentation.study import study_report

TEXT = """
name = "small"
[budget]
tokens = 5000
[model]
width = 16
layers = 1
heads = 2
feedforward = 64
[[arms]]
name = "vanilla"
scheme = "sinusoidal"
[[arms]]
name = "relative"
scheme = "relative"
"""
RESULT = TrainResult(
    finished=True, step=9, tokens=5000, seconds=1.25, valid=0.5, test=0.51, parameters=77,
    peak_bytes=1000,
)  # fmt: skip
SHOWN = Comparison(
    first="vanilla", second="relative", difference=0.021, low=0.012, high=0.03, pieces=77, seeds=1,
    pieces_needed=50, bootstrap_seed=0,
)  # fmt: skip


@pytest.fixture
def found() -> StudyResults:
    """Return results in which the first of two runs is finished."""
    asked = study.parse(TEXT, "small.toml")
    first, second = asked.runs
    return StudyResults(
        study=asked,
        runs=(
            RunOutcome(planned=first, state="finished", result=RESULT),
            RunOutcome(planned=second, state="queued", result=None),
        ),
        comparisons=(SHOWN,),
    )


def test_the_report_begins_with_the_verdict(found: StudyResults) -> None:
    """Then arms, runs, and how it was measured."""
    lines = study_report.markdown(found).splitlines()

    assert lines[0] == "# Study: small"
    assert lines[2].startswith(
        "**Not enough to say which of vanilla and relative is better: only 1 seed; at least 2 are "
        "needed.** This run only: vanilla minus relative +0.021 nats/note, "
    )
    assert "Unfinished: 1 of 2 runs done." in lines
    assert "| vanilla | 0 | finished | 77 | 0.5000 | 0.5100 | 5,000 | 1 s | 0 MB |" in lines
    assert "| relative | 0 | queued |  |  |  |  |  |  |" in lines
    assert any("budget 5,000 tokens per run" in line for line in lines)
    assert "![Validation loss by tokens, nats/note](curves.svg)" in lines


def test_other_pairs_follow(found: StudyResults) -> None:
    """Each in a line."""
    more = replace(found, comparisons=(SHOWN, replace(SHOWN, second="other")))

    assert f"- {more.comparisons[1].sentence}" in study_report.markdown(more)


def test_the_table_is_csv(found: StudyResults) -> None:
    """A line a run, empty where nothing is known yet."""
    rows = list(csv.DictReader(study_report.table_csv(found).splitlines()))

    assert [row["arm"] for row in rows] == ["vanilla", "relative"]
    assert (rows[0]["test"], rows[1]["test"]) == ("0.5100", "")


def test_curves_run_along_what_is_asked() -> None:
    """Tokens or seconds."""
    point = CurvePoint(step=1, tokens=200, seconds=3.5, nats=2.0)
    runs = [RunStatus(arm="a", seed=0, folder=Path(), valid=(point,))]

    assert study_report.series(runs, "tokens")[0].points == ((200.0, 2.0),)
    assert study_report.series(runs, "seconds")[0].points == ((3.5, 2.0),)


def test_the_report_is_written_beside_the_runs(found: StudyResults, tmp_path: Path) -> None:
    """Its pictures too."""
    definition.create(tmp_path / "study", found.study)

    written = study_report.write(tmp_path / "study", found)

    assert [path.name for path in written] == [
        "report.md", "results.csv", "curves.svg", "curves-time.svg",
    ]  # fmt: skip
    assert (tmp_path / "study" / "curves.svg").read_text().startswith("<svg")


def test_csv_and_tables_name_the_unit(found: StudyResults) -> None:
    """So that a figure that is cut out is not taken for another."""
    rows = list(csv.DictReader(study_report.table_csv(found).splitlines()))

    assert [row["unit"] for row in rows] == ["nats/note", "nats/note"]
    assert "| validation, nats/note | test, nats/note |" in study_report.markdown(found)


def test_a_window_study_reports_own_windows_and_whole_pieces() -> None:
    """A scheme with too few positions is marked as refused."""
    asked = study.parse(TEXT + '[data]\nmeasured = "window"\nwindow = 64\n', "window.toml")
    result = replace(RESULT, further={"whole valid": 0.7, "whole test": "refused"})
    runs = (RunOutcome(planned=asked.runs[0], state="finished", result=result),)
    text = study_report.markdown(StudyResults(study=asked, runs=runs, comparisons=()))

    assert "## Nats/note in each arm's own window, and on whole pieces" in text
    assert "| vanilla | 0 | 64 | 0.5000 | 0.5100 | 0.7000 | refused |" in text
    assert "read in windows of the training length" in text


def test_the_report_names_machine_and_command(found: StudyResults) -> None:
    """Values that differ between runs are all listed; without cards there is no machine."""
    commits = ["0123456789abcdef", "fedcba9876543210"]
    made = replace(found, origin={"device": "cpu", "threads": 1, "commit": commits})
    text = study_report.markdown(made)

    assert (
        "- Machine: device cpu, threads 1, commit 0123456789ab or fedcba987654. Times depend on "
        "the machine and its load."
    ) in text
    assert (
        "- Command: `musicrel compare --study study.toml --out FOLDER --device cpu --threads 1`."
    ) in text
    assert made.to_json()["machine"] == {"device": "cpu", "threads": 1}
    assert made.to_json()["commit"] == commits
    assert "Machine" not in study_report.markdown(found)
    shipped = StudyResults(study=study.load("smoke"), runs=(), comparisons=())
    assert "`musicrel compare --study smoke --out FOLDER`" in study_report.markdown(shipped)


def test_weights_that_were_not_averaged_are_not_called_so(found: StudyResults) -> None:
    """With a decay of 0 there is no average."""
    plain = study.parse(TEXT + "[training]\nema = 0.0\n", "plain.toml")

    assert "The averaged weights with the best" in study_report.markdown(found)
    text = study_report.markdown(StudyResults(study=plain, runs=(), comparisons=()))
    assert "The weights with the best" in text
    assert "averaged" not in text


def test_sequences_are_called_sequences() -> None:
    """This holds for tables, too; test accuracy is beside validation accuracy."""
    text = TEXT.replace("[model]", '[model]\nfamily = "classifier"')
    data = '[data]\nsource = "bytes:honest"\n'
    asked = study.parse(f'objective = "classifier"\n{text}{data}', "bytes.toml")
    pieces = tuple(
        PieceLoss(index=index, title="", nats=0.5, notes=1, right=index > 0) for index in range(4)
    )
    result = replace(RESULT, test_pieces=pieces, further={"valid": 1.0, "400": "refused"})
    runs = (RunOutcome(planned=asked.runs[0], state="finished", result=result),)
    found = StudyResults(study=asked, runs=runs, comparisons=())
    text = study_report.markdown(found)
    (row,) = csv.DictReader(study_report.table_csv(found).splitlines())

    assert "| test, nats/sequence | sequences | time |" in text
    assert "Validation loss by sequences, nats/sequence" in text
    assert "| arm | seed | validation | test | 400 |" in text
    assert "| vanilla | 0 | 1.0000 | 0.7500 | refused |" in text
    assert (row["sequences"], row["test"], row["Share right: test"]) == ("5000", "0.5100", "0.7500")


def test_a_report_on_another_study_is_refused(
    found: StudyResults, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is written; the study that is there may be named."""
    definition.create(tmp_path / "study", found.study)
    before = sorted((tmp_path / "study").rglob("*"))
    words = ["compare", "--out", str(tmp_path / "study"), "--report", "--study"]

    for other in ("bytes", "memory"):
        assert main([*words, other]) == 2
        output = capsys.readouterr().err
        assert f"holds the study 'small' with other values than '{other}' has" in output
    assert sorted((tmp_path / "study").rglob("*")) == before
    (tmp_path / "same.toml").write_text("# the same\n" + TEXT)
    assert main([*words, str(tmp_path / "same.toml")]) == 0


def test_help_names_all_studies_that_come_along(capsys: pytest.CaptureFixture[str]) -> None:
    """Those that train nothing too."""
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    output = " ".join(capsys.readouterr().out.split())

    assert "bytes, full, memory, published, quick, smoke, window, window-gpu" in output


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_curves_are_drawn_by_a_command(suffix: str, found: StudyResults, tmp_path: Path) -> None:
    """Of a study, or of one of its runs."""
    definition.create(tmp_path / "study", found.study)
    out = tmp_path / f"curves.{suffix}"

    for folder in ("study", "study/runs/vanilla-seed0"):
        words = ["plot", "curves", str(tmp_path / folder), "--theme", "dark", "--out", str(out)]
        assert main(words) == 0
        assert out.stat().st_size > 300
        out.unlink()


def test_only_studies_that_train_have_curves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """For others a message names the alternative."""
    definition.create(tmp_path / "memory", MemoryStudy(text='name = "m"\nkind = "memory"\n'))
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged/study.toml").write_bytes(b"\xff\x00")

    for folder, sentence in (
        ("none", "holds no study and no run"),
        ("memory", "has no learning curves"),
        ("damaged", "is not valid TOML"),
    ):
        out = str(tmp_path / "x.svg")
        assert main(["plot", "curves", str(tmp_path / folder), "--out", out]) == 2
        assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("loss", [-1.0, float("nan"), float("inf"), 1e30])
def test_impossible_losses_are_not_drawn(loss: float) -> None:
    """A damaged file may hold any number."""
    points = tuple(CurvePoint(step=1, tokens=200, seconds=3.5, nats=one) for one in (loss, 2.0))
    runs = [RunStatus(arm="a", seed=0, folder=Path(), valid=points)]

    assert study_report.series(runs, "tokens")[0].points == ((200.0, 2.0),)
