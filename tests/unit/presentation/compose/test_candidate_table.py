"""The table of candidates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.chorale import Chorale
from musicrel.generation.candidates import ranking
from musicrel.generation.candidates.candidate_job import Stuck
from musicrel.model import catalogue
from musicrel.presentation.compose import candidate_table, form
from musicrel.presentation.compose.form import Form
from musicrel.presentation.roll import lock_cells
from tests.ui.fakes import candidate

PIECE = Chorale.of([(72, 67, 64, 48)] * 16)
WISH = form.rewrite(PIECE, None, lock_cells.of_voice(PIECE, 0), Form(seed=40), 3)
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
    """The original has not changed."""
    assert candidate_table.row(MADE[0], LIKELY).cells == (
        "2", "0.80", "0", "–", "2.0", "50%", "25%",
    )  # fmt: skip
    assert candidate_table.row(MADE[1], LIKELY).cells[-2:] == ("–", "25%")


def test_tooltip_has_all_figures_and_bachs_beside_what_is_broken() -> None:
    """In words."""
    parallel = Chorale.of([(67, 64, 55, 48)] * 8 + [(69, 65, 57, 50)] * 8)
    crossed = candidate(form.rewrite(parallel, None, lock_cells.nothing(parallel), Form(), 1), 1)
    text = candidate_table.row(crossed, LIKELY).details

    assert text.startswith("Candidate 1, seed 0: score ")
    assert "Changed: 50% of notes, by 1.0 semitones on average" in text
    assert "Copied from Bach: 25% of two-bar segments, at most 1 quarter in a row" in text
    assert "Parallel fifths: 2, " in text
    assert "per 1,000 notes, Bach 0.64" in text


def test_details_list_the_cadences() -> None:
    """One after the other."""
    measures = replace(MADE[0].measures, cadences=("half", "", "authentic"))
    text = candidate_table.row(replace(MADE[0], measures=measures), LIKELY).details
    assert "Cadences: half, none, authentic" in text.splitlines()


def test_closed_phrases_are_counted() -> None:
    """Phrase ends without a cadence are among the others."""
    measures = replace(MADE[0].measures, cadences=("half", "", "authentic"))
    cells = candidate_table.row(replace(MADE[0], measures=measures), LIKELY).cells
    titles = [column.full_title for column in candidate_table.COLUMNS]
    assert cells[titles.index("Phrases closed")] == "2 of 3"


def test_every_weight_of_the_ranking_has_a_field() -> None:
    """With its name and what it is."""
    assert [weight.term for weight in candidate_table.WEIGHTS] == list(ranking.TERMS)
    assert all(weight.title and weight.meaning for weight in candidate_table.WEIGHTS)


def test_the_critic_has_a_weight_and_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its weight needs the critic model; without it the tooltip gives the reason."""
    judged = replace(MADE[0], measures=replace(MADE[0].measures, critic=-1.25))
    assert (
        "Critic: -1.25 nats that it is not by Bach" in candidate_table.row(judged, LIKELY).details
    )
    assert "Critic" not in candidate_table.row(MADE[0], LIKELY).details
    monkeypatch.setattr(catalogue, "critic", lambda: Path("models/critic"))
    assert not any(candidate_table.unavailable(term) for term in ranking.TERMS)
    monkeypatch.setattr(catalogue, "critic", lambda: None)
    lacks = {term: candidate_table.unavailable(term) for term in ranking.TERMS}
    assert lacks.pop("critic").startswith("The model 'critic' is missing")
    assert not any(lacks.values())


def test_candidates_that_were_not_completed_are_counted() -> None:
    """With the reason of the first."""
    assert candidate_table.stuck_text([]) == ""
    two = [Stuck(number=n, seed=n, sentence=f"reason {n}", written=None) for n in (1, 2)]
    assert candidate_table.stuck_text(two) == "2 candidates not completed: reason 1"


def test_silent_piece_has_no_grade() -> None:
    """Nor has one that was never compared with anything a distance."""
    one = MADE[0]
    bare = replace(one, measures=replace(one.measures, grade=None, distance=None))
    assert candidate_table.row(bare, LIKELY).cells[4:6] == ("–", "–")


def test_candidates_that_break_the_rule_to_avoid_come_last() -> None:
    """They are marked, and a sentence explains the mark."""

    def breaks(piece: Chorale) -> bool:
        return piece is MADE[3].chorale

    ranked = candidate_table.ranked(MADE, LIKELY, breaks)
    rows = [candidate_table.row(one, LIKELY, breaks) for one in ranked]
    assert [row.cells[0] for row in rows] == ["0", "2", "1", "3 ✕"]
    assert rows[-1].details.startswith("Breaks the rule here, too\nCandidate 3")
    assert candidate_table.avoidance_texts(MADE, breaks) == (candidate_table.SOME_BREAK_IT, "")


def test_there_is_a_warning_if_no_candidate_keeps_the_rule() -> None:
    """The original does not count, and is not marked."""
    assert candidate_table.avoidance_texts(MADE, lambda _: True) == (
        "",
        candidate_table.ALL_BREAK_IT,
    )
    assert candidate_table.avoidance_texts(MADE, candidate_table.breaks_nothing) == ("", "")
    assert candidate_table.avoidance_texts(MADE, lambda one: one is PIECE) == ("", "")
    assert candidate_table.row(MADE[1], LIKELY, lambda _: True).cells[0] == "0"
