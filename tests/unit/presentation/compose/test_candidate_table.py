"""The table of candidates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.chorale import Chorale
from musicrel.generation.candidates import ranking
from musicrel.generation.candidates.candidate_job import Stuck
from musicrel.model import catalogue
from musicrel.presentation.compose import candidate_table, rewrite_form
from musicrel.presentation.compose.form import Form
from musicrel.presentation.roll import lock_cells
from tests.ui.fakes import candidate

PIECE = Chorale.of([(72, 67, 64, 48)] * 16)
WISH = rewrite_form.of(PIECE, None, lock_cells.of_voice(PIECE, 0), Form(seed=40), 3)
MADE = [candidate(WISH, number) for number in (2, 0, 1, 3)]
LIKELY = {"nats": 1.0, "grade": 0.0}


def numbers(weights: dict[str, float]) -> list[int]:
    """In the order of the table."""
    return [one.number for one in candidate_table.ranked(MADE, weights)]


def test_original_comes_first_and_then_the_best() -> None:
    """By the weights that hold now; the fake's higher numbers are likelier and of worse grade."""
    assert numbers(LIKELY) == [0, 3, 2, 1]
    assert numbers({"nats": 0.0, "grade": 1.0}) == [0, 1, 2, 3]


def test_a_line_has_a_cell_for_each_column() -> None:
    """The original has no seed."""
    assert candidate_table.row(MADE[0], LIKELY).cells == (
        "2", "0.80", "0", "2.0", "50%", "25%", "41",
    )  # fmt: skip
    assert candidate_table.row(MADE[1], LIKELY).cells[-3:] == ("–", "25%", "–")


def test_tooltip_has_all_figures_and_bachs_beside_what_is_broken() -> None:
    """In words."""
    parallel = Chorale.of([(67, 64, 55, 48)] * 8 + [(69, 65, 57, 50)] * 8)
    crossed = candidate(rewrite_form.of(parallel, None, lock_cells.nothing(parallel), Form(), 1), 1)
    says = candidate_table.row(crossed, LIKELY).says

    assert says.startswith("Candidate 1, seed 0: score ")
    assert "50% of the notes differ, by 1.0 semitones" in says
    assert "25% of two-bar chunks copied, 1 quarter in a row" in says
    assert "Parallel fifths: 2, " in says
    assert "(Bach: 0.64 per 1,000 notes)" in says


def test_tooltip_says_how_phrases_close() -> None:
    """One after the other."""
    measures = replace(MADE[0].measures, cadences=("half", "", "authentic"))
    says = candidate_table.row(replace(MADE[0], measures=measures), LIKELY).says
    assert "Phrases close: half, none, authentic" in says.splitlines()


def test_every_weight_of_the_ranking_has_a_field() -> None:
    """With its name and what it is."""
    assert [weight.term for weight in candidate_table.WEIGHTS] == list(ranking.TERMS)
    assert all(weight.title and weight.says for weight in candidate_table.WEIGHTS)


def test_the_critic_has_its_say_and_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is one; without a model its weight says why there is none."""
    judged = replace(MADE[0], measures=replace(MADE[0].measures, critic=-1.25))
    assert (
        "The critic: -1.25 nats that it is not by Bach" in candidate_table.row(judged, LIKELY).says
    )
    assert "critic" not in candidate_table.row(MADE[0], LIKELY).says
    monkeypatch.setattr(catalogue, "critic", lambda: Path("models/critic"))
    assert not any(candidate_table.lacking(term) for term in ranking.TERMS)
    monkeypatch.setattr(catalogue, "critic", lambda: None)
    lacks = {term: candidate_table.lacking(term) for term in ranking.TERMS}
    assert lacks.pop("critic").startswith("There is no model 'critic'")
    assert not any(lacks.values())


def test_versions_that_came_to_no_end_are_counted() -> None:
    """With the reason of the first."""
    assert candidate_table.stuck([]) == ""
    two = [Stuck(number=n, seed=n, sentence=f"reason {n}", written=None) for n in (1, 2)]
    assert candidate_table.stuck(two) == "2 versions came to no end: reason 1"


def test_silent_piece_has_no_grade() -> None:
    """Nor has one that was never compared with anything a distance."""
    one = MADE[0]
    bare = replace(one, measures=replace(one.measures, grade=None, distance=None))
    assert candidate_table.row(bare, LIKELY).cells[3:5] == ("–", "–")
