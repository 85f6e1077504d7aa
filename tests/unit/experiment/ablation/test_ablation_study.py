"""The study on tiny models: what it finds, and how it goes on after an interruption."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.errors import FileError, UsageError
from musicrel.experiment.ablation import note_sample, stored_results
from musicrel.experiment.ablation.ablation_study import StudyPlan, StudyProgress, run_study
from musicrel.experiment.ablation.study_results import StudyResults
from musicrel.generation.ablation import cell_names
from tests.unit.generation.ablation.conftest import load

NOTES = 24


@pytest.fixture
def plan(folders: tuple[str, str]) -> StudyPlan:
    """Return the plan of a small study of both models."""
    return StudyPlan(models=folders, notes=NOTES, seed=5)


@pytest.fixture(scope="module")
def results(
    folders: tuple[str, str], pieces: list[Chorale], tmp_path_factory: pytest.TempPathFactory
) -> StudyResults:
    """Return the results of a small study of both models."""
    plan = StudyPlan(models=folders, notes=NOTES, seed=5)
    return jobs.run(run_study(plan, pieces, tmp_path_factory.mktemp("study") / "out"))


def test_every_model_reads_the_same_notes_of_all_pieces(
    results: StudyResults, pieces: list[Chorale]
) -> None:
    assert (results.pieces, results.notes, len(results.rows)) == (3, NOTES, 2 * NOTES)
    drawn = note_sample.draw(pieces, NOTES, 5)
    expected = [
        (piece.title, cell_names.name(cell, piece))
        for piece, cells in zip(pieces, drawn, strict=True)
        for cell in cells.tolist()
    ]
    for model in results.models:
        rows = [(row.piece, row.note) for row in results.rows if row.model == model.model]
        assert rows == expected


def test_the_mean_of_a_correlation_is_that_of_its_notes(results: StudyResults) -> None:
    for model in results.models:
        figures = [row.figures for row in results.rows if row.model == model.model]
        for one in model.correlations:
            known = [of_note[f"{one.parts} {one.measure}"] for of_note in figures]
            values = [value for value in known if value is not None]
            assert one.notes == len(values)
            assert one.mean.value == pytest.approx(np.mean(values))


def test_the_difference_is_the_second_model_minus_the_first(results: StudyResults) -> None:
    found = {one.measure: one.change.value for one in results.differences}
    first, second = (
        {f"{one.parts} {one.measure}": one.mean.value for one in model.correlations}
        for model in results.models
    )
    name = "heads concentration"
    assert found[name] == pytest.approx(second[name] - first[name])
    four = [model.removals[0].difference.value for model in results.models]
    assert found["strongest 4"] == pytest.approx(four[1] - four[0])


def test_results_are_read_back_without_the_rows_of_single_notes(
    results: StudyResults, tmp_path: Path
) -> None:
    values = {"command": "musicrel ablate study"} | results.to_json()
    (tmp_path / "results.json").write_text(json.dumps(values), encoding="utf-8")
    assert stored_results.read(tmp_path) == (replace(results, rows=()), "musicrel ablate study")


def test_results_are_plain_json(results: StudyResults) -> None:
    values = json.loads(json.dumps(results.to_json(), allow_nan=False))
    assert values["interval"] == "95 % bootstrap over pieces"
    assert values["seed"] == 5
    assert len(values["models"][0]["by_head"]) == 4
    assert "rows" not in values


def test_progress_ends_with_all_notes(
    plan: StudyPlan, pieces: list[Chorale], tmp_path: Path
) -> None:
    events: list[StudyProgress] = []
    jobs.run(run_study(replace(plan, by="zero"), pieces, tmp_path / "out"), events.append)
    for name in ("plain", "rel"):
        of_model = [event for event in events if Path(event.model).name == name]
        assert [event.done for event in of_model] == list(range(1, of_model[-1].total + 1))
        assert of_model[-1].task == "sets of heads"


def test_an_interrupted_study_goes_on_with_the_next_piece(
    plan: StudyPlan, pieces: list[Chorale], tmp_path: Path, results: StudyResults
) -> None:
    job = run_study(plan, pieces, tmp_path / "out")
    for event in job:
        if event.done > NOTES // 3:
            break
    job.close()
    kept = sorted(path.name for path in (tmp_path / "out" / "parts").iterdir())
    assert kept == ["notes-1-001.npz"]
    events: list[StudyProgress] = []
    found = jobs.run(run_study(plan, pieces, tmp_path / "out", resume=True), events.append)
    assert events[0].done == NOTES // 3 + 1
    assert replace(found, machine={}).to_json() == replace(results, machine={}).to_json()


def test_a_finished_study_is_read_again_without_measuring(
    plan: StudyPlan, pieces: list[Chorale], tmp_path: Path
) -> None:
    first = jobs.run(run_study(plan, pieces, tmp_path / "out"))
    events: list[StudyProgress] = []
    again = jobs.run(run_study(plan, pieces, tmp_path / "out", resume=True), events.append)
    assert not events
    assert again.to_json() == first.to_json()


def test_a_folder_with_a_study_is_not_overwritten(
    plan: StudyPlan, pieces: list[Chorale], tmp_path: Path
) -> None:
    next(run_study(plan, pieces, tmp_path / "out"))
    with pytest.raises(UsageError, match="already holds a study of ablations: resume it with"):
        next(run_study(plan, pieces, tmp_path / "out"))


def test_another_study_is_not_resumed(
    plan: StudyPlan, pieces: list[Chorale], tmp_path: Path
) -> None:
    next(run_study(plan, pieces, tmp_path / "out"))
    other = replace(plan, notes=NOTES + 1, seed=6)
    with pytest.raises(UsageError, match="holds a study with other notes, seed: give those of"):
        next(run_study(other, pieces, tmp_path / "out", resume=True))


def test_an_empty_folder_has_nothing_to_resume(
    plan: StudyPlan, pieces: list[Chorale], tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="holds no study of ablations: leave --resume out"):
        next(run_study(plan, pieces, tmp_path / "out", resume=True))


def test_a_damaged_part_is_named(plan: StudyPlan, pieces: list[Chorale], tmp_path: Path) -> None:
    jobs.run(run_study(plan, pieces, tmp_path / "out"))
    part = tmp_path / "out" / "parts" / "notes-2-003.npz"
    part.write_bytes(part.read_bytes()[:100])
    with pytest.raises(FileError, match=r"notes-2-003.npz is damaged: delete it and resume"):
        jobs.run(run_study(plan, pieces, tmp_path / "out", resume=True))


def test_a_model_that_is_named_twice_is_refused(
    plan: StudyPlan, pieces: list[Chorale], tmp_path: Path
) -> None:
    twice = replace(plan, models=plan.models[:1] * 2)
    with pytest.raises(UsageError, match="expected each only once"):
        next(run_study(twice, pieces, tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_an_infilling_model_is_studied_without_the_choice_by_attention(
    pieces: list[Chorale], tmp_path: Path
) -> None:
    load("infill", tmp_path / "filler")
    short = [piece.cropped(0, 24) for piece in pieces]
    plan = StudyPlan(models=(str(tmp_path / "filler"),), notes=9, by="zero")
    (model,) = jobs.run(run_study(plan, short, tmp_path / "out")).models
    assert model.infills
    assert {one.by for one in model.carriers} <= {"effect"}
    assert [one.notes for one in model.correlations] == [9] * 8
