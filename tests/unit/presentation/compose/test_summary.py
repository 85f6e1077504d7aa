"""A piece in a few words: its numbers, positions, its growth, and a table of candidates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.analysis import numeral_search
from musicrel.chorale import REST, Chorale, Key, Meter, Provenance
from musicrel.generation.events import Generated
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.request import GenerationRequest
from musicrel.presentation import lock_cells
from musicrel.presentation.compose import candidate_table, form, position_text, summary
from musicrel.presentation.compose.form import Form
from musicrel.ui.controllers.writer import Composition
from tests.ui.fakes import candidate, steps_of

PIECE = Chorale.of([[72, 67, 64, 48]] * 32, tempo=60)
FOUR = Meter(4, 4)
FOUR_BARS = Chorale.of(np.full((64, 4), 60))
ONE_BAR = Chorale.of([(72, 67, 64, 48)] * 16)
WISH = form.rewrite(ONE_BAR, None, lock_cells.of_voice(ONE_BAR, 0), Form(seed=40, candidates=3))
MADE = [candidate(WISH, number) for number in (2, 0, 1, 3)]
LIKELY = {"nats": 1.0, "grade": 0.0}
GROWN = Chorale.of(np.tile([[72, 67, 64, 48], [74, 67, 62, 50]], (16, 1)), pickup=4)


def none_breaks(_piece: Chorale) -> bool:
    return False


def numbers(weights: dict[str, float]) -> list[int]:
    return [one.number for one in candidate_table.ranked(MADE, weights, none_breaks)]


@pytest.fixture
def composition() -> Composition:
    return Composition(GenerationRequest(bars=2, pickup=4).plan())


def grow(composition: Composition, cells: int) -> None:
    for step in steps_of(GROWN)[:cells]:
        composition.add(step)


def test_the_heading_has_the_known_facts() -> None:
    """A key that is not known is not made up; only the transport has a time, that of playing."""
    assert summary.heading(PIECE) == "4/4  ·  2 bars"
    in_key = Chorale.of(PIECE.pitches, key=Key("Eb", "major"), tempo=60)
    assert summary.heading(in_key) == "E♭ major  ·  4/4  ·  2 bars"


def test_pickup_is_no_bar_of_its_own() -> None:
    """The last bar may be shorter by it, or full: its number on the ruler counts."""
    assert "2 bars" in summary.heading(Chorale.of(PIECE.pitches, pickup=4))
    assert "2 bars" in summary.heading(Chorale.of([[72, 67, 64, 48]] * 36, pickup=4))
    assert summary.heading(Chorale.of([[72, 67, 64, 48]] * 4, pickup=4)).endswith("  1 bar")


def test_model_of_a_piece_is_named() -> None:
    provenance = Provenance(model="relative", sha256="", seed=42)
    assert summary.by_model(Chorale.of(PIECE.pitches, provenance=provenance)) == "by Relative"
    assert summary.by_model(PIECE) == ""


def test_muted_heads_of_a_piece_are_named_after_its_model() -> None:
    settings = GenerationRequest(mutes=Mutes.parse("4,2.3")).to_json()
    provenance = Provenance(model="relative", sha256="", seed=42, settings=settings)
    piece = Chorale.of(PIECE.pitches, provenance=provenance)

    assert summary.by_model(piece) == "by Relative, 2.3, 4 muted"


def test_facts_are_label_and_value() -> None:
    """Model, notes, surprisal, seconds and seed; each has a tooltip."""
    provenance = Provenance(model="any", sha256="", seed=42)
    piece = Chorale.of(PIECE.pitches, provenance=provenance)

    facts = summary.facts(Generated(chorale=piece, tokens=128, seconds=0.5, nats_per_note=0.41234))

    assert [(fact.label, fact.value) for fact in facts] == [
        ("Model", "any"),
        ("Notes", "4"),
        ("Surprisal", "0.412 nats/note"),
        ("Generated in", "0.5 s"),
        ("Seed", "42"),
    ]
    assert facts[3].meaning == "128 tokens, 256 tokens/s"


@pytest.mark.parametrize(
    ("step", "meter", "pickup", "expected"),
    [
        (0, FOUR, 0, "1.1"),
        (39.9, FOUR, 0, "3.2"),
        (40 - 1e-9, FOUR, 0, "3.3"),
        (0, FOUR, 4, "0.4"),
        (4, FOUR, 4, "1.1"),
        (13, Meter(3, 4), 0, "2.1"),
        (6, Meter(6, 8), 0, "1.4"),
    ],
)
def test_place_is_bar_and_beat(step: float, meter: Meter, pickup: int, expected: str) -> None:
    assert position_text.bar_and_beat(step, meter, pickup) == expected


@pytest.mark.parametrize(
    ("step", "meter", "pickup", "expected"),
    [
        (7.99, FOUR, 0, 4.0),
        (8 - 1e-9, FOUR, 0, 8.0),
        (1.5, FOUR, 2, 0.0),
        (2.5, FOUR, 2, 2.0),
        (5, Meter(6, 8), 0, 4.0),
        (-3.0, FOUR, 0, 0.0),
    ],
)
def test_beat_below_is_where_the_beat_began(
    step: float, meter: Meter, pickup: int, expected: float
) -> None:
    """The first beat of a piece may be cut by a pickup; a count-in is before it."""
    assert position_text.beat_below(step, meter, pickup) == expected


@pytest.mark.parametrize(
    ("step", "pickup", "expected"),
    [(5.9, 0, 4), (6.1, 0, 8), (0.4, 2, 0), (1.5, 2, 2), (99, 0, 64)],
)
def test_grid_is_the_nearest_beat(step: float, pickup: int, expected: int) -> None:
    """Counted from the bar line; the ends of the piece count too."""
    assert position_text.grid(step, FOUR, pickup, 64) == expected


def test_region_is_the_same_dragged_either_way() -> None:
    """From the left or from the right; on whole beats, and nothing where that is no beat long."""
    assert (
        position_text.region(33, 95, FOUR_BARS)
        == position_text.region(95, 33, FOUR_BARS)
        == (32, 64)
    )
    assert position_text.region(15, 17, FOUR_BARS) is None


@pytest.mark.parametrize(
    ("loop", "expected"), [(None, None), ((8, 16), (8, 16)), ((8, 80), (8, 64)), ((64, 80), None)]
)
def test_loop_is_cut_to_the_piece(
    loop: tuple[int, int] | None, expected: tuple[int, int] | None
) -> None:
    assert position_text.fitting(loop, 64) == expected


def test_tempo_stays_within_what_can_be_played() -> None:
    assert position_text.tempo_bounds(81) == (21, 324)
    assert position_text.tempo_factor(120, 80) == 1.5
    assert position_text.tempo_factor(999, 80) == 4


def test_levels_are_described() -> None:
    assert [position_text.volume(0.8), position_text.pan(0)] == ["80 %", "centre"]
    assert [position_text.pan(-0.45), position_text.pan(1)] == ["45 % left", "100 % right"]


def test_original_comes_first_and_then_the_best() -> None:
    """By the weights that hold now; the fake's higher numbers are likelier and of worse grade."""
    assert numbers(LIKELY) == [0, 3, 2, 1]
    assert numbers({"nats": 0.0, "grade": 1.0}) == [0, 1, 2, 3]


def test_a_line_has_a_cell_for_each_column() -> None:
    assert candidate_table.row(MADE[0], LIKELY, none_breaks).cells == (
        "2", "0.80", "0", "–", "2.0", "50%", "25%",
    )  # fmt: skip
    assert candidate_table.row(MADE[1], LIKELY, none_breaks).cells[-2:] == ("–", "25%")


def test_tooltip_has_all_figures_and_bachs_beside_what_is_broken() -> None:
    parallel = Chorale.of([(67, 64, 55, 48)] * 8 + [(69, 65, 57, 50)] * 8)
    crossed = candidate(form.rewrite(parallel, None, lock_cells.nothing(parallel), Form()), 1)
    text = candidate_table.row(crossed, LIKELY, none_breaks).details

    assert text.startswith("Candidate 1, seed 0: score ")
    assert "Changed: 50% of notes, by 1.0 semitones on average" in text
    assert "Copied from Bach: 25% of two-bar segments, at most 1 quarter in a row" in text
    assert "Parallel fifths: 2, " in text
    assert "per 1,000 notes, Bach 0.64" in text


def test_details_list_the_cadences_and_closed_phrases_are_counted() -> None:
    measures = replace(MADE[0].measures, cadences=("half", "", "authentic"))
    text = candidate_table.row(replace(MADE[0], measures=measures), LIKELY, none_breaks).details
    assert "Cadences: half, none, authentic" in text.splitlines()

    measures = replace(MADE[0].measures, cadences=("half", "", "authentic"))
    cells = candidate_table.row(replace(MADE[0], measures=measures), LIKELY, none_breaks).cells
    titles = [column.full_title for column in candidate_table.COLUMNS]
    assert cells[titles.index("Phrases closed")] == "2 of 3"


def test_candidates_that_break_the_rule_to_avoid_come_last() -> None:
    def breaks(piece: Chorale) -> bool:
        return piece is MADE[3].chorale

    ranked = candidate_table.ranked(MADE, LIKELY, breaks)
    rows = [candidate_table.row(one, LIKELY, breaks) for one in ranked]
    assert [row.cells[0] for row in rows] == ["0", "2", "1", "3 ✕"]
    assert rows[-1].details.startswith("Also breaks the rule here\nCandidate 3")
    assert candidate_table.avoidance_texts(MADE, breaks) == (candidate_table.SOME_BREAK_IT, "")


def test_there_is_a_warning_if_no_candidate_keeps_the_rule() -> None:
    assert candidate_table.avoidance_texts(MADE, lambda _: True) == (
        "",
        candidate_table.ALL_BREAK_IT,
    )
    assert candidate_table.avoidance_texts(MADE, none_breaks) == ("", "")
    assert candidate_table.avoidance_texts(MADE, lambda one: one is ONE_BAR) == ("", "")
    assert candidate_table.row(MADE[1], LIKELY, lambda _: True).cells[0] == "0"


def test_grows_cell_by_cell(composition: Composition) -> None:
    """Written cells are in the piece; the rest is silent."""
    grow(composition, 6)

    padded_piece = composition.padded_piece()
    assert padded_piece.pitches[:3].tolist() == [[72, 67, 64, 48], [74, 67, REST, REST], [REST] * 4]
    assert composition.started_steps == 2


def test_counts_bars_as_the_ruler_numbers_them(composition: Composition) -> None:
    """A pickup is part of the first; so is what has not begun."""
    counted = []
    for cells in (0, 4 * 4, 4 * 5, 4 * 20, 4 * 21, 4 * 32):
        grow(composition, cells)
        counted.append((composition.bar, composition.bars))

    assert counted == [(1, 2), (1, 2), (1, 2), (1, 2), (2, 2), (2, 2)]


def test_unfinished_piece_ends_with_its_last_whole_step_until_it_is_the_piece(
    composition: Composition,
) -> None:
    grow(composition, 4 * 7 + 2)

    assert composition.so_far() == GROWN.cropped(0, 7)

    grow(composition, 4 * 32)

    assert composition.share == 1
    assert composition.so_far() == replace(GROWN, key=None)


PHRASE = Chorale.of(
    [(67, 62, 59, 55)] * 8
    + [(67, 64, 60, 48)] * 8
    + [(69, 65, 60, 53)] * 8
    + [(67, 62, 59, 55)] * 8,
    key=Key("C", "major"),
    fermatas=np.isin(np.arange(32), (*range(8, 16), *range(24, 32))),
)


def music(piece: Chorale, first: int, last: int) -> candidate_table.Music:
    """Return the music of a piece, of which the steps from ``first`` to ``last`` were written."""
    free = np.zeros((piece.steps, 4), dtype=np.bool_)
    free[first:last, 1] = True
    return candidate_table.music(piece, None, free)


def test_a_passage_is_the_whole_bars_that_are_written_and_is_played_with_the_bar_before() -> None:
    passage = music(PHRASE, 20, 24)
    assert (passage.start, passage.stop, passage.region) == (16, 32, (0, 32))
    assert music(PHRASE, 3, 4).region == (0, 16)
    upbeat = replace(PHRASE, pickup=4)
    assert (music(upbeat, 21, 22).start, music(upbeat, 21, 22).region) == (20, (4, 32))
    assert music(upbeat, 0, 2).stop == 4
    assert music(PHRASE, 0, 32).region == (0, 32)


def test_a_sentence_has_the_violations_and_the_cadences_of_the_passage() -> None:
    assert music(PHRASE, 0, 4).sentence == "no violation here, cadence V–I"
    assert music(PHRASE, 0, 32).sentence == "no violation, cadences V–I, half"
    parallel = Chorale.of([(67, 64, 55, 48)] * 16 + [(69, 65, 57, 50)] * 16)
    assert music(parallel, 20, 24).sentence == "3 violations here, no cadence"
    assert music(replace(PHRASE, fermatas=np.zeros(32, np.bool_)), 0, 4).sentence == (
        "no violation here"
    )


def test_new_notes_of_a_passage_are_those_that_the_original_has_not() -> None:
    free = ~lock_cells.of_voice(ONE_BAR, 0)
    changed = candidate_table.music(MADE[0].chorale, ONE_BAR, free)
    assert {(note.pitch, note.voice) for note in changed.new or ()} == {(69, 1), (66, 2), (50, 3)}
    assert candidate_table.music(ONE_BAR, ONE_BAR, free).new == frozenset()
    assert candidate_table.music(ONE_BAR, None, free).new is None


def test_a_passage_has_its_own_numerals_the_first_with_the_key() -> None:
    passage = music(PHRASE, 20, 24)
    assert passage.numerals is None
    found = passage.with_numerals(numeral_search.numerals(PHRASE)).numerals or ()
    assert [(one.start, one.text) for one in found] == [(16, "C: IV"), (24, "V")]
