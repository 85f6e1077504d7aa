"""The report of a study as a page."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.corpus import bundled
from musicrel.experiment.objectives.evaluation import PieceLoss
from musicrel.experiment.study import definition, study
from musicrel.experiment.study.learning_curve import CurvePoint
from musicrel.experiment.study.results import RunOutcome, StudyResults
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.study.statistics import Comparison
from musicrel.experiment.training.train_events import TrainResult
from musicrel.presentation.drawing.drawing import Area, Drawing, Text
from musicrel.presentation.report import (
    difference_plots,
    differences,
    html,
    pair_table,
    study_page,
)
from musicrel.presentation.report.blocks import Figure, Fold, Heading, Items, Paragraph, Report

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
NOTES = 100
PIECES = 11
GAIN = {"vanilla": 0.0, "relative": -2.0}


def outcome(planned: study.PlannedRun) -> RunOutcome:
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
        parameters=77, peak_bytes=3_000_000, test_pieces=pieces,
    )  # fmt: skip
    return RunOutcome(planned=planned, state="finished", result=result)


SHOWN = Comparison(
    first="vanilla", second="relative", difference=0.175, low=0.012, high=0.3, pieces=PIECES,
    seeds=2, pieces_needed=50, bootstrap_seed=0,
)  # fmt: skip


@pytest.fixture
def found() -> StudyResults:
    """Return results of a finished study."""
    asked = study.parse(TEXT, "small.toml")
    runs = tuple(map(outcome, asked.runs))
    return StudyResults(study=asked, runs=runs, comparisons=(SHOWN,), origin={"device": "cpu"})


def texts(report: Report) -> list[str]:
    """Return the texts of all headings, paragraphs and items."""
    found: list[str] = []
    for block in report.blocks:
        match block:
            case Heading() | Paragraph():
                found.append(block.text)
            case Items():
                found += block.texts
            case _:
                pass
    return found


def test_the_page_asks_answers_and_says_how(found: StudyResults) -> None:
    """Question, verdict, losses, curves, pieces, costs, settings, method in this order."""
    report = study_page.page(found, (), {})
    words = texts(report)

    assert words[0] == "Does Relative predict unseen pieces better than Vanilla?"
    assert words[1] == "Two arms on eleven pieces. A test."
    assert (
        words[3]
        .replace("\N{NO-BREAK SPACE}", " ")
        .startswith(
            "Relative is better than Vanilla: mean difference 0.175 nats/note, 95 % confidence"
        )
    )
    assert [block.text for block in report.blocks if isinstance(block, Heading)] == [
        "Verdict", "Losses", "Learning curves", "Differences by piece", "Costs", "Settings",
        "Method",
    ]  # fmt: skip
    assert any("Command: `musicrel compare --study study.toml" in text for text in words)
    assert any(text.startswith("Machine: device cpu") for text in words)


def test_several_arms_are_summarised_against_their_reference(found: StudyResults) -> None:
    """A note warns that one of many intervals may miss."""
    none = replace(SHOWN, second="rope", low=-0.1)
    worse = replace(SHOWN, second="alibi", difference=-0.2, low=-0.3, high=-0.1)
    arms = [replace(found.study.arms[1], name=name) for name in ("rope", "alibi")]
    pairs = (("vanilla", "relative"), ("vanilla", "rope"), ("vanilla", "alibi"))
    more = replace(
        found,
        study=replace(found.study, arms=(*found.study.arms, *arms), pairs=pairs),
        runs=(
            *found.runs,
            *(
                replace(run, planned=replace(run.planned, arm=arm))
                for run in found.runs
                for arm in ("rope", "alibi")
            ),
        ),
        comparisons=(SHOWN, none, worse),
    )
    more = replace(more, runs=(replace(more.runs[0], trend="rises"), *more.runs[1:]))
    words = texts(study_page.page(more, (), {}))

    assert words[0] == "Which of 3 arms predict unseen pieces better than Vanilla?"
    assert "Better than Vanilla: Relative by 0.175 nats/note." in words
    assert "Worse than Vanilla: ALiBi by 0.200 nats/note." in words
    assert "No significant difference: Rotary (RoPE)." in words
    assert any("misses it is at most 15 %" in text for text in words)
    assert any(text.startswith("The loss of 1 of 12 runs rises") for text in words)

    falls = replace(more, runs=(replace(more.runs[0], trend="falls"), *more.runs[1:]),
                    comparisons=(replace(SHOWN, undertrained=("one",), next_step="more"),
                                 replace(none, seeds=1), worse))  # fmt: skip
    words = texts(study_page.page(falls, (), {}))
    assert words[3].replace("\N{NO-BREAK SPACE}", " ") == (
        "Not enough to say for some pairs: only 1 seed; at least 2 are needed; the loss of 1 of "
        "12 runs still falls at the end."
    )
    assert words[4] == "Next: more."
    assert "Not enough to say: Relative, Rotary (RoPE)." in words
    assert not any(text.startswith("Better than") for text in words)
    assert "Worse than Vanilla: ALiBi by 0.200 nats/note." in words


def test_differences_by_piece_are_means_over_seeds(found: StudyResults) -> None:
    """Against the formula of the fixture."""
    by_piece = differences.by_piece(found, SHOWN)

    for piece in by_piece:
        assert piece.difference == pytest.approx((2.5 + 3 * piece.index) / NOTES)
        assert piece.by_seed == pytest.approx([(2 + 3 * piece.index + s) / NOTES for s in (0, 1)])
        assert piece.agreeing == 2
    ordered = differences.most_different(by_piece)
    assert [piece.index for piece in ordered] == [*range(10, -1, -1)]


def test_the_table_shows_ten_pieces_and_its_csv_all(found: StudyResults) -> None:
    """The largest difference first."""
    table = study_page.page(found, (), {}).tables[2]
    rows = list(csv.DictReader(table.to_csv().splitlines()))

    assert table.key == "pieces-vanilla-relative"
    assert [len(table.rows), len(rows)] == [10, PIECES]
    assert rows[0]["piece"] == "piece 10"
    assert float(rows[0]["difference"]) == pytest.approx(0.325)


def test_pieces_can_be_played(found: StudyResults) -> None:
    """A piece of another title has no link."""
    piece = bundled.load_all()["test"][0]
    known = {10: replace(piece, title="piece 10"), 9: piece}
    page = html.to_html(study_page.page(found, (), known))

    assert page.count('href="data:audio/midi;base64,TVRoZ') == 1


def test_losses_and_costs_are_those_of_the_runs(found: StudyResults) -> None:
    """Means over seeds, and their standard deviation with S - 1."""
    report = study_page.page(found, (), {})
    tables = {table.key: list(csv.DictReader(table.to_csv().splitlines()))
              for table in report.tables}  # fmt: skip

    assert float(tables["losses"][0]["validation"]) == pytest.approx(0.55)
    assert float(tables["losses"][0]["SD of test"]) == 0.0
    assert float(tables["costs"][1]["tokens/s"]) == 250
    assert [row["seed"] for row in tables["runs"]] == ["0", "0", "1", "1"]
    scheme = next(row for row in tables["settings"] if row["setting"] == "scheme")
    assert scheme["value"] == "Vanilla: sinusoidal; Relative: relative"
    assert {row["table"] for row in tables["settings"]} == {"model", "data", "training"}


def test_a_window_study_has_a_row_for_each_reading() -> None:
    """A scheme with too few positions is marked as refused."""
    asked = study.parse(TEXT + '[data]\nmeasured = "window"\nwindow = 64\n', "window.toml")
    result = outcome(asked.runs[0]).result
    assert result is not None
    further: dict[str, float | str] = {"whole valid": 0.7, "whole test": "refused"}
    runs = (RunOutcome(planned=asked.runs[0], state="finished",
                       result=replace(result, further=further)),)  # fmt: skip
    report = study_page.page(StudyResults(study=asked, runs=runs, comparisons=()), (), {})
    rows = [[cell.text.replace("\N{NO-BREAK SPACE}", " ") for cell in row]
            for row in report.tables[0].rows]  # fmt: skip

    assert rows[0][:5] == ["Vanilla", "window of 64", "1", "0.5000", "1.2000"]
    assert rows[1][:5] == ["Vanilla", "whole pieces", "1", "0.7000", "refused"]


def test_whole_pieces_have_a_row_of_their_own_in_a_window_study() -> None:
    """Its interval is Student's over seeds: 0.2 and 0.4 give 0.3 -+ 12.7 * 0.1414 / sqrt(2)."""
    asked = study.parse(TEXT + '[data]\nmeasured = "window"\nwindow = 64\n', "window.toml")
    runs = []
    for planned in asked.runs:
        finished = outcome(planned)
        assert finished.result is not None
        loss = 1.0 + (planned.arm == "vanilla") * (0.2 + 0.2 * planned.seed)
        result = replace(finished.result, further={"whole test": loss})
        runs.append(replace(finished, result=result))
    found = StudyResults(study=asked, runs=tuple(runs), comparisons=(SHOWN,))
    own, whole = csv.DictReader(pair_table.pairs(found).to_csv().splitlines())

    assert [own["read"], whole["read"]] == ["window", "whole"]
    assert float(whole["difference"]) == pytest.approx(0.3)
    assert float(whole["to"]) - 0.3 == pytest.approx(12.706205 * 0.1, rel=1e-4)
    assert (whole["better"], whole["more seeds"]) == ("", "")  # where the page has a dash
    assert "Student's interval over the seeds" in pair_table.pairs(found).note


def test_curves_are_drawn_where_there_are_any(found: StudyResults) -> None:
    """Else a note gives the reason."""
    points = tuple(CurvePoint(step=k, tokens=k, seconds=k, nats=2.0 / k) for k in (1, 2))
    runs = [RunStatus(arm="relative", seed=0, folder=Path(), valid=points)]

    drawn = [block for block in study_page.page(found, runs, {}).blocks
             if isinstance(block, Figure)]  # fmt: skip
    assert len(drawn) == 3
    assert "No curves: the folder has no event logs of its runs." in texts(
        study_page.page(found, (), {})
    )


def test_an_unfinished_study_is_marked(found: StudyResults) -> None:
    """Without a finished pair there is no table of differences."""
    runs = (*found.runs[:1], *(replace(run, result=None) for run in found.runs[1:]))
    report = study_page.page(replace(found, runs=runs, comparisons=()), (), {})

    assert any(text.startswith("Unfinished: 1 of 4 runs done.") for text in texts(report))
    assert not any(isinstance(block, Fold) for block in report.blocks)


def test_page_and_tables_are_written(found: StudyResults, tmp_path: Path) -> None:
    """One CSV for each table."""
    definition.create(tmp_path / "study", found.study)
    written = study_page.write(tmp_path / "study", found)

    assert [path.relative_to(tmp_path / "study").as_posix() for path in written] == [
        "report.html", "tables/differences.csv", "tables/losses.csv",
        "tables/pieces-vanilla-relative.csv", "tables/costs.csv", "tables/runs.csv",
        "tables/settings.csv",
    ]  # fmt: skip
    assert (tmp_path / "study/report.html").read_text().startswith("<!DOCTYPE html>")


def test_intervals_are_ordered_by_difference() -> None:
    """The value of each stands beside its row, the largest on top."""
    pairs = [replace(SHOWN, second=name, difference=value)
             for name, value in (("b", 0.1), ("c", 0.2), ("a", -0.05))]  # fmt: skip
    names = placed(difference_plots.intervals(pairs), ("a", "b", "c"))

    assert sorted(names, key=names.__getitem__) == ["c", "b", "a"]


def test_there_is_a_dot_for_each_piece(found: StudyResults) -> None:
    """They rise from left to right; the larger a difference, the higher its dot."""
    drawing = difference_plots.dots(differences.by_piece(found, SHOWN), SHOWN)
    dots = [item for item in drawing.items if isinstance(item, Area)]
    centres = [(sum(x for x, _ in dot.points), sum(y for _, y in dot.points)) for dot in dots]

    assert len(dots) == PIECES
    assert centres == sorted(centres)
    assert [y for _, y in centres] == sorted((y for _, y in centres), reverse=True)
    assert len({dot.fill for dot in dots}) == 2


def placed(drawing: Drawing, names: tuple[str, ...]) -> dict[str, float]:
    """Return the heights of texts."""
    return {
        item.text: item.y for item in drawing.items if isinstance(item, Text) and item.text in names
    }
