"""The report of a study as data, as Markdown and as CSV."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.analysis.corpus import bundled
from musicrel.cli.main import main
from musicrel.experiment.runs.events import PieceLoss, TrainEvaluated, TrainResult
from musicrel.experiment.study import definition, study, study_report, study_tables
from musicrel.experiment.study.blocks import Fold, Heading, Items, Paragraph, Report
from musicrel.experiment.study.memory_study import MemoryStudy
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.study.statistics import Comparison
from tests.helpers.runs import evaluation

TEXT = """\
# Two arms on eleven pieces.
# A test.
name = "small"
seeds = [0, 1]
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
WINDOW = TEXT + '[data]\nmeasured = "window"\nwindow = 64\n'
NOTES = 100
PIECES = 11
SHOWN = Comparison(
    first="vanilla", second="relative", difference=0.175, low=0.012, high=0.3, pieces=PIECES,
    seeds=2, pieces_needed=50, bootstrap_seed=0,
)  # fmt: skip


def points(*losses: float) -> tuple[TrainEvaluated, ...]:
    return tuple(evaluation(k, x, tokens=k, seconds=k) for k, x in enumerate(losses, 1))


POINTS = points(2.0, 1.0)


def outcome(planned: study.PlannedRun, **further: float | str) -> RunStatus:
    """Return a finished run; piece k differs by 2 + 3 k nats, with seed 1 by 1 nat more."""
    pieces = tuple(
        PieceLoss(
            index=index,
            title=f"piece {index}",
            nats=100.0 + (planned.arm == "vanilla") * (2 + 3 * index + planned.seed),
            notes=NOTES,
        )
        for index in range(PIECES)
    )
    result = TrainResult(
        finished=True, step=9, tokens=5000, seconds=20.0, valid=0.5 + planned.seed / 10, test=1.2,
        parameters=77, peak_bytes=3_000_000, test_pieces=pieces, further=further,
    )  # fmt: skip
    return RunStatus(
        arm=planned.arm, seed=planned.seed, folder=Path(planned.folder), state="finished",
        result=result,
    )  # fmt: skip


@pytest.fixture
def found() -> StudyResults:
    asked = study.parse(TEXT, "small.toml")
    runs = tuple(map(outcome, asked.runs))
    return StudyResults(study=asked, runs=runs, comparisons=(SHOWN,), origin={"device": "cpu"})


def report_of(found: StudyResults, *points: TrainEvaluated) -> Report:
    runs = tuple(replace(run, valid=points or run.valid) for run in found.runs)
    return study_report.report(replace(found, runs=runs), {})


def texts(report: Report) -> list[str]:
    found: list[str] = []
    for block in report.blocks:
        match block:
            case Heading() | Paragraph():
                found.append(block.text.replace("\N{NO-BREAK SPACE}", " "))
            case Items():
                found += block.texts
            case _:
                pass
    return found


def tables(report: Report) -> dict[str, list[dict[str, str]]]:
    return {table.key: list(csv.DictReader(table.to_csv().splitlines())) for table in report.tables}


def test_the_report_asks_answers_and_says_how(found: StudyResults) -> None:
    report = report_of(found)
    words = texts(report)

    assert report.title == "small"
    assert words[0] == "Does Relative predict unseen pieces better than Vanilla?"
    assert words[1] == "Two arms on eleven pieces. A test."
    assert words[3].startswith("Relative is better than Vanilla: mean difference 0.175 nats/note")
    assert [block.text for block in report.blocks if isinstance(block, Heading)] == [
        "Verdict", "Losses", "Learning curves", "Differences by piece", "Costs", "Settings",
        "Method",
    ]  # fmt: skip
    assert any("budget 5,000 tokens per run" in text for text in words)


def test_several_arms_are_summarised_against_their_reference(found: StudyResults) -> None:
    none = replace(SHOWN, second="rope", low=-0.1)
    worse = replace(SHOWN, second="alibi", difference=-0.2, low=-0.3, high=-0.1)
    arms = [replace(found.study.arms[1], name=name) for name in ("rope", "alibi")]
    pairs = (("vanilla", "relative"), ("vanilla", "rope"), ("vanilla", "alibi"))
    runs = [
        *found.runs,
        *(replace(run, arm=arm) for run in found.runs for arm in ("rope", "alibi")),
    ]
    more = replace(
        found,
        study=replace(found.study, arms=(*found.study.arms, *arms), pairs=pairs),
        runs=(replace(runs[0], valid=points(1.3, 1.4, 1.5)), *runs[1:]),
        comparisons=(SHOWN, none, worse),
    )
    words = texts(report_of(more))

    assert words[0] == "Which of 3 arms predict unseen pieces better than Vanilla?"
    assert (
        "Better than Vanilla: Relative by 0.175 nats/note; the loss of 1 of 4 runs rises at the "
        "end; whether the loss of 3 of 4 runs is still falling at the end is not recorded." in words
    )
    assert any(text.startswith("Worse than Vanilla: ALiBi by 0.200 nats/note;") for text in words)
    assert any(text.startswith("No significant difference: Rotary (RoPE);") for text in words)
    assert any("misses it is at most 15 %" in text for text in words)

    falls = replace(more, runs=(replace(runs[0], valid=points(1.5, 1.4, 1.3)), *runs[1:]),
                    comparisons=(replace(SHOWN, undertrained=("one",), next_step="more"),
                                 replace(none, seeds=1), worse))  # fmt: skip
    words = texts(report_of(falls))
    assert words[3] == (
        "Not enough to say for some pairs: only 1 seed; at least 2 are needed; the loss of 1 of "
        "12 runs is still falling at the end."
    )
    assert words[4] == "Next: more."
    assert any(text.startswith("Not enough to say: Relative, Rotary (RoPE);") for text in words)
    assert not any(text.startswith("Better than") for text in words)


def test_differences_by_piece_are_means_over_seeds(found: StudyResults) -> None:
    """Against the formula of the fixture; the largest difference comes first."""
    pieces = study_report.by_piece(found, SHOWN).pieces

    assert [piece.index for piece in pieces] == [*range(10, -1, -1)]
    for piece in pieces:
        assert piece.difference == pytest.approx((2.5 + 3 * piece.index) / NOTES)
        assert piece.by_seed == pytest.approx([(2 + 3 * piece.index + s) / NOTES for s in (0, 1)])
        assert piece.agreeing == 2


def test_ten_pieces_are_shown_and_all_are_in_the_csv(found: StudyResults) -> None:
    piece = bundled.load_all()["test"][0]
    report = study_report.report(found, {10: replace(piece, title="piece 10"), 9: piece})
    table = report.tables[2]
    rows = tables(report)["pieces-vanilla-relative"]
    links = [row[-1].link for row in table.rows]

    assert [len(table.rows), len(rows)] == [10, PIECES]
    assert (rows[0]["piece"], rows[0]["difference"][:5]) == ("piece 10", "0.325")
    assert [link.name for link in links if link is not None] == ["piece 10.mid"]


def test_losses_and_costs_are_those_of_the_runs(found: StudyResults) -> None:
    """Means over seeds, and their standard deviation with S - 1."""
    rows = tables(report_of(found))

    assert float(rows["losses"][0]["validation"]) == pytest.approx(0.55)
    assert float(rows["losses"][0]["SD of test"]) == 0.0
    assert float(rows["costs"][1]["tokens/s"]) == 250
    assert [row["seed"] for row in rows["runs"]] == ["0", "0", "1", "1"]
    scheme = next(row for row in rows["settings"] if row["setting"] == "scheme")
    assert scheme["value"] == "Vanilla: sinusoidal; Relative: relative"
    assert {row["table"] for row in rows["settings"]} == {"model", "data", "training"}


def test_a_window_study_has_a_row_for_each_reading() -> None:
    """The interval on whole pieces: 0.2 and 0.4 give 0.3 -+ 12.7 * 0.1414 / sqrt(2)."""
    asked = study.parse(WINDOW, "window.toml")
    runs = []
    for run in asked.runs:
        whole_loss = 1.0 + (run.arm == "vanilla") * (0.2 + 0.2 * run.seed)
        further: dict[str, float | str] = {"whole valid": "refused", "whole test": whole_loss}
        runs.append(outcome(run, **further))
    report = report_of(StudyResults(study=asked, runs=tuple(runs), comparisons=(SHOWN,)))
    losses = [[cell.text.replace("\N{NO-BREAK SPACE}", " ") for cell in row]
              for row in report.tables[1].rows]  # fmt: skip
    own, whole = tables(report)["differences"]

    assert losses[0][:5] == ["Vanilla", "window of 64", "2", "0.5500", "1.2000"]
    assert losses[1][:5] == ["Vanilla", "whole pieces", "2", "refused", "1.3000"]
    assert [own["read"], whole["read"]] == ["window", "whole"]
    assert float(whole["difference"]) == pytest.approx(0.3)
    assert float(whole["to"]) - 0.3 == pytest.approx(12.706205 * 0.1, rel=1e-4)
    assert (whole["better"], whole["more seeds"]) == ("", "")  # where the page has a dash
    assert tables(report)["further"][0]["validation"] == "refused"


def test_curves_are_drawn_where_there_are_any_and_an_unfinished_study_is_marked(
    found: StudyResults,
) -> None:
    assert [figure.file for figure in report_of(found, *POINTS).figures] == [
        "", "curves.svg", "curves-time.svg", "",
    ]  # fmt: skip
    words = texts(report_of(found))
    assert "No curves: the folder has no event logs of its runs." in words

    runs = (*found.runs[:1], *(replace(run, result=None) for run in found.runs[1:]))
    report = report_of(replace(found, runs=runs, comparisons=()))

    assert any(text.startswith("Unfinished: 1 of 4 runs done.") for text in texts(report))
    assert not any(isinstance(block, Fold) for block in report.blocks)


def test_markdown_has_verdict_tables_and_files_of_figures(found: StudyResults) -> None:
    few = replace(found, comparisons=(replace(SHOWN, seeds=1),))
    lines = report_of(few, *POINTS).to_markdown().splitlines()

    assert lines[0] == "# small"
    assert (
        lines[8]
        .replace("\N{NO-BREAK SPACE}", " ")
        .startswith("**Not enough to say which of Vanilla and Relative is better: only 1 seed")
    )
    row = "| Vanilla | 0 | finished | 0.5000 | 1.2000 | 20 s | 3 MB | 9 | 5,000 | 0 | unknown |"
    assert row in lines
    assert "![Validation loss by tokens, nats/note](curves.svg)" in lines


def test_results_are_csv_with_their_unit(found: StudyResults) -> None:
    unfinished = replace(found, runs=(found.runs[0], replace(found.runs[1], result=None)))
    rows = list(csv.DictReader(study_tables.results_csv(unfinished).splitlines()))

    assert [row["arm"] for row in rows] == ["vanilla", "relative"]
    assert [row["test"] for row in rows] == ["1.2000", ""]
    assert [row["unit"] for row in rows] == ["nats/note"] * 2


def test_machine_and_command_are_named(found: StudyResults) -> None:
    commits = ["0123456789abcdef", "fedcba9876543210"]
    made = replace(found, origin={"device": "cpu", "threads": 1, "commit": commits})
    words = texts(report_of(made))

    assert (
        "Machine: device cpu, threads 1, commit 0123456789ab or fedcba987654. Times depend on "
        "the machine and its load."
    ) in words
    assert (
        "Command: `musicrel compare --study study.toml --out FOLDER --device cpu --threads 1`."
    ) in words
    assert made.to_json()["machine"] == {"device": "cpu", "threads": 1}
    assert made.to_json()["commit"] == commits
    assert "Machine" not in report_of(replace(found, origin={})).to_markdown()
    shipped = StudyResults(study=study.load("smoke"), runs=(), comparisons=())
    assert "`musicrel compare --study smoke --out FOLDER`" in report_of(shipped).to_markdown()


def test_weights_that_were_not_averaged_are_not_called_so(found: StudyResults) -> None:
    plain = study.parse(TEXT + "[training]\nema = 0.0\n", "plain.toml")
    text = report_of(StudyResults(study=plain, runs=(), comparisons=())).to_markdown()

    assert "The averaged weights with the best" in report_of(found).to_markdown()
    assert "The weights with the best" in text


def test_sequences_are_called_sequences() -> None:
    text = TEXT.replace("[model]", '[model]\nfamily = "classifier"')
    data = '[data]\nsource = "bytes:honest"\n'
    asked = study.parse(f'objective = "classifier"\n{text}{data}', "bytes.toml")
    pieces = tuple(
        PieceLoss(index=index, title="", nats=0.5, notes=1, right=index > 0) for index in range(4)
    )
    run = outcome(asked.runs[0], valid=1.0, **{"400": "refused"})
    assert run.result is not None
    runs = (replace(run, result=replace(run.result, test_pieces=pieces)),)
    found = StudyResults(study=asked, runs=runs, comparisons=())
    rows = tables(report_of(found))
    (row,) = csv.DictReader(study_tables.results_csv(found).splitlines())

    assert "sequences" in rows["runs"][0]
    assert rows["further"] == [
        {"arm": "Vanilla", "seed": "0", "validation": "1.0", "test": "0.75", "400": "refused"}
    ]
    assert (row["sequences"], row["test"], row["Share right: test"]) == ("5000", "1.2000", "0.7500")


def test_a_report_on_another_study_is_refused(
    found: StudyResults, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    output = " ".join(capsys.readouterr().out.split())

    assert "bytes, full, memory, published, quick, smoke, window, window-gpu" in output


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_curves_are_drawn_by_a_command(suffix: str, found: StudyResults, tmp_path: Path) -> None:
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
    definition.create(
        tmp_path / "memory", MemoryStudy(name="m", text='name = "m"\nkind = "memory"\n')
    )
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
