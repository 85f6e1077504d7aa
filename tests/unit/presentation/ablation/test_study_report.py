"""The report of the study of ablations: sentences, tables, files and pictures."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from musicrel.analysis.claims.intervals import Estimate
from musicrel.analysis.heads.head_sets import SetComparison
from musicrel.experiment.ablation.study_results import (
    Carrier,
    Correlation,
    Difference,
    HeadResult,
    ModelResults,
    NoteRow,
    RankEffect,
    Removal,
    StudyResults,
)
from musicrel.generation.heads.mutes import Head
from musicrel.presentation.ablation import study_charts, study_report, study_tables
from musicrel.presentation.words.palette import DARK, LIGHT

COMMAND = "musicrel ablate study --models plain rel --notes 2 --seed 7 --out FOLDER"


def around(value: float) -> Estimate:
    return Estimate(value, value - 0.01, value + 0.01)


def removal(difference: Estimate) -> Removal:
    return Removal(
        number=4,
        strongest=around(0.9),
        nearest=around(0.5),
        random=around(0.1),
        difference=difference,
        hurts_more=around(0.75),
        notes=1234,
    )


def model(name: str, correlation: float) -> ModelResults:
    heads = (Head(0, 0), Head(0, 1))
    comparison = SetComparison(heads=(0, 1), value=0.3, random=(-0.1, 0.0, 0.2, 0.4))
    return ModelResults(
        model=name,
        sha256="0123456789abcdef",
        scheme="relative",
        infills=False,
        layers=1,
        heads=2,
        nats=around(1.2),
        correlations=(
            Correlation(parts="heads", measure="concentration", mean=around(0.2), notes=2),
            Correlation(parts="sources", measure="weight", mean=around(correlation), notes=1),
        ),
        by_head=tuple(
            HeadResult(
                head=head,
                weights={"strongest_source": around(0.6), "concentration": around(0.4)},
                effect=around(-0.03),
                correlation=around(0.1) if head.head else None,
            )
            for head in heads
        ),
        removals=(removal(around(0.8)),),
        ranks=(
            RankEffect(first=1, last=1, weight=around(0.3), effect=around(0.5), size=around(0.7)),
            RankEffect(first=5, last=6, weight=around(0.1), effect=around(0.02), size=around(0.05)),
            RankEffect(first=0, last=0, weight=around(0.01), effect=around(0.0), size=around(0.02)),
        ),
        carriers=(
            Carrier(
                pattern="bar_ago",
                by="effect",
                heads=heads[::-1],
                with_pattern=around(0.4),
                without=around(0.1),
                contrast=around(0.3),
                excess=around(0.175),
                comparison=comparison,
            ),
        ),
    )


RESULTS = StudyResults(
    pieces=2,
    notes=2,
    seed=7,
    by="zero",
    machine={"system": "Linux", "commit": ""},
    models=(model("plain", 0.4), model("rel", 0.55)),
    differences=(
        Difference(first="plain", second="rel", measure="sources weight", change=around(0.15)),
    ),
    rows=(
        NoteRow(model="plain", piece="A", note="alto:1.2", figures={"nats": 0.5, "heads x": None}),
        NoteRow(model="rel", piece="A", note="alto:1.2", figures={"nats": 0.25, "heads x": 1.0}),
    ),
)


def test_correlations_stand_beside_each_other_with_their_difference() -> None:
    head, heads, sources = study_tables.correlations(RESULTS)
    assert head == ("parts", "rank correlation of", "plain", "rel", "rel − plain")
    assert heads[-1] == "–"
    assert sources == (
        "sources", "weight, effect", "0.400 (0.390 to 0.410)", "0.550 (0.540 to 0.560)",
        "0.150 (0.140 to 0.160)",
    )  # fmt: skip


def test_removals_give_the_share_in_percent() -> None:
    _head, row, _other = study_tables.removals(RESULTS)
    assert row[:3] == ("plain", "4", "0.900 (0.890 to 0.910)")
    assert row[-2:] == ("75.0 (74.0 to 76.0)", "1,234")


def test_ranks_are_named() -> None:
    assert [row[1] for row in study_tables.ranks(RESULTS)][:4] == [
        "rank", "1", "5 to 6", "random others",
    ]  # fmt: skip


def test_sets_of_heads_are_sorted_and_have_rank_and_p() -> None:
    _head, row, _other = study_tables.carriers(RESULTS)
    assert row[:4] == ("plain", "this pitch a bar ago", "by effect", "1.1, 1.2")
    assert row[-2:] == ("75", "0.400")


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (Estimate(0.5, 0.4, 0.6), "hurts more than removing as many random ones: 0.500"),
        (Estimate(0.1, -0.1, 0.3), "does not differ measurably from removing as many random ones"),
        (Estimate(-0.5, -0.6, -0.4), "hurts less than removing as many random ones: −0.500"),
    ],
)
def test_the_verdict_depends_on_the_side_of_the_interval(difference: Estimate, words: str) -> None:
    sentence = study_report.verdict(RESULTS.models[1], removal(difference))
    assert sentence.startswith("rel: removing the 4 sources of largest weight ")
    assert words in sentence


def test_command_and_seed_stand_beside_each_picture(tmp_path: Path) -> None:
    files = study_report.write(tmp_path, RESULTS, COMMAND)
    pictures = [file for file in files if file.suffix == ".svg"]
    assert {file.name for file in pictures} == {
        "correlations.svg", "removals.svg", "ranks.svg", "carriers.svg", "heads-1.svg",
        "heads-2.svg",
    }  # fmt: skip
    text = (tmp_path / "report.md").read_text("utf-8")
    for file in pictures:
        _before, after = text.split(f"]({file.name})")
        assert after.startswith(f"\n\n`{COMMAND}`, seed 7\n")
    caption = f"{COMMAND}; seed 7"
    for name in ("correlations.svg", "removals.svg", "ranks.svg", "carriers.svg"):
        root = ET.fromstring((tmp_path / name).read_text("utf-8"))  # noqa: S314  # our own
        assert caption in [element.text for element in root.iter()]


def test_sections_without_values_are_left_out(tmp_path: Path) -> None:
    bare = tuple(replace(one, removals=(), ranks=(), carriers=()) for one in RESULTS.models)
    files = study_report.write(tmp_path, replace(RESULTS, models=bare), COMMAND)
    assert {"removals.svg", "ranks.svg", "carriers.svg"}.isdisjoint(file.name for file in files)
    text = (tmp_path / "report.md").read_text("utf-8")
    titles = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert titles == ["Rank correlations of weight and effect", "Heads of plain", "Heads of rel"]


def test_the_sources_of_an_infilling_model_are_named() -> None:
    one, other = RESULTS.models
    mixed = replace(RESULTS, models=(one, replace(other, infills=True)))
    expected = "which are earlier notes, or the other steps of an infilling model:"
    assert expected in study_report.markdown(mixed, COMMAND, ())
    assert "which are earlier notes:" in study_report.markdown(RESULTS, COMMAND, ())


def test_json_has_the_command_and_all_means(tmp_path: Path) -> None:
    study_report.write(tmp_path, RESULTS, COMMAND)
    values = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert (values["command"], values["seed"], values["notes"]) == (COMMAND, 7, 2)
    assert values["models"][0]["carriers"][0]["comparison"]["random"] == [-0.1, 0.0, 0.2, 0.4]


def test_csv_has_a_row_for_each_mean_and_for_each_note(tmp_path: Path) -> None:
    study_report.write(tmp_path, RESULTS, COMMAND)
    with (tmp_path / "results.csv").open(encoding="utf-8") as file:
        means = {(row["model"], row["quantity"]): row for row in csv.DictReader(file)}
    assert means["plain", "sources weight"]["value"] == "0.4"
    assert means["rel", "head 1.2 effect"]["low"] == "-0.04"
    assert means["rel", "4 sources hurts_more"]["high"] == "0.76"
    assert means["rel", "bar_ago effect excess"]["value"] == "0.175"
    assert means["rel minus plain", "sources weight"]["value"] == "0.15"
    with (tmp_path / "notes.csv").open(encoding="utf-8") as file:
        notes = list(csv.DictReader(file))
    assert notes[0] == {
        "model": "plain", "piece": "A", "note": "alto:1.2", "nats": "0.5", "heads x": "",
    }  # fmt: skip


def test_pictures_follow_the_theme() -> None:
    for theme in (LIGHT, DARK):
        for drawing in study_charts.draw(RESULTS, COMMAND, theme).values():
            assert drawing.background == theme.panel
