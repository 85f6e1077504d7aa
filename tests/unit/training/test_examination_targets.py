"""The targets, on pieces made by hand."""

import math
import statistics
from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key
from musicrel.corpus import bundled
from training.examination import material, report, targets
from training.examination.reading import Reading
from training.examination.targets import Measure, Tally

QUARTER = 4


def quarters(*chords: tuple[int, int, int, int]) -> Reading:
    """Return a piece of chords of a quarter each."""
    return Reading(piece=Chorale.of(np.repeat(chords, QUARTER, axis=0)))


def measured(measure: Measure, piece: Reading) -> float:
    """Return the row of one piece."""
    total, number = measure(piece)
    return total / number


def test_a_six_four_over_a_bass_that_leaps_is_untreated() -> None:
    leaping = quarters((72, 67, 64, 48), (72, 64, 60, 55), (72, 69, 65, 53 - 12))
    assert measured(targets.untreated_six_four, leaping) == pytest.approx(100 / 3)


def test_a_cadential_six_four_is_treated() -> None:
    cadential = quarters((72, 69, 65, 50), (72, 64, 60, 55), (71, 67, 62, 55), (72, 67, 64, 48))
    assert measured(targets.untreated_six_four, cadential) == 0


def test_a_passing_six_four_is_treated() -> None:
    passing = quarters((72, 67, 64, 52), (71, 67, 62, 50), (72, 67, 64, 48))
    assert measured(targets.untreated_six_four, passing) == 0


def test_motifs_recur_in_the_same_place_of_the_bar() -> None:
    line = [60, 62, 64, 65]
    again = quarters(*[(pitch + 12, 64, 55, 48) for pitch in [*line, *line]])
    later = quarters(*[(pitch + 12, 64, 55, 48) for pitch in [*line, 67, *line]])
    assert measured(targets.motifs, again) == pytest.approx(40)
    assert measured(targets.motifs, later) == 0


def test_recurring_rhythms_count_quarters_too() -> None:
    line = quarters(*[(60 + n, 55, 50, 43) for n in range(8)])
    assert measured(targets.rhythms, line) == 100


def test_sevenths_resolve_a_step_down() -> None:
    """Those that are held do not count."""
    seventh, resolution = (65, 62, 59, 55), (64, 60, 60, 48)
    found = quarters(seventh, resolution, seventh, (67, 60, 60, 48), seventh)
    assert targets.sevenths_resolved(found) == Tally(100, 2)


def test_cross_relations_are_those_of_the_piece_s_own_key() -> None:
    """F and F sharp sound together for a quarter of the piece, in C major."""
    chords = [(72, 67, 64, 48)] * 3 + [(78, 69, 65, 50)]
    piece = Chorale.of(np.repeat(chords, QUARTER, axis=0), key=Key("C", "major"))
    assert measured(targets.cross_relations_sounding, Reading(piece=piece)) == 250


def test_a_phrase_ends_on_a_triad_in_root_position() -> None:
    assert measured(targets.ends_in_root_position, quarters((72, 67, 64, 48))) == 100
    assert measured(targets.ends_in_root_position, quarters((72, 67, 64, 52))) == 0


def test_a_piece_that_sounds_in_another_key_is_not_in_its_own() -> None:
    chords = [(72, 67, 64, 48), (72, 69, 65, 53), (71, 67, 62, 55), (72, 67, 64, 48)]
    for tonic, share in (("C", 100), ("E", 0)):
        piece = Chorale.of(np.repeat(chords, QUARTER, axis=0), key=Key(tonic, "major"))
        assert measured(targets.in_own_key, Reading(piece=piece)) == share


def test_keys_of_cadences_are_counted_from_the_tonic_of_the_piece() -> None:
    """The last phrase does not count; the one before it does if there are three."""
    c, g, d7 = (72, 67, 64, 48), (71, 67, 62, 55), (72, 66, 62, 50)
    chords = [c, g, c, c, d7, g, c, g, c]
    fermatas = np.arange(4 * len(chords)) // 4 % 3 == 2
    notes = np.repeat(chords, QUARTER, axis=0)
    whole = Chorale.of(notes, fermatas=fermatas, key=Key("C", "major"))
    assert measured(targets.off_the_tonic, Reading(piece=whole)) == 50
    for key, share in (("C", 0), ("G", 100)):
        piece = replace(whole, key=Key(key, "major"))
        assert measured(targets.before_the_last, Reading(piece=piece)) == share
    short = Reading(piece=whole.cropped(0, 24))
    assert targets.before_the_last(short) == Tally(0, 0)


def test_parts_of_a_training_piece_are_copies() -> None:
    piece = bundled.load("train")[0]
    assert measured(targets.copied, Reading(piece=piece.transposed(1))) == 100
    assert measured(targets.copied, quarters(*[(72, 67, 64, 48)] * 10)) < 100


def test_a_writer_without_a_later_target_has_an_empty_cell() -> None:
    """Stored rows are not measured again when a target is added."""
    figure = {"value": 1.0, "low": 0.5, "high": 1.5}
    found = report.targets({"before": {"a": figure}, "now": {"a": figure, "b": figure}})
    *_, a, b = found.splitlines()
    assert a == "| a | 1.00 (0.50 to 1.50) | 1.00 (0.50 to 1.50) |"
    assert b == "| b |  | 1.00 (0.50 to 1.50) |"


def test_a_row_pools_its_pieces_so_that_long_ones_weigh_more() -> None:
    found = targets.pooled([Tally(100, 1), Tally(0, 3)], ["one", "two"])
    assert found.value == 25
    assert (found.low, found.high) == (0, 100)


def test_recurrence_is_the_mean_of_the_pieces_that_are_long_enough() -> None:
    line = [(60 + n, 55, 50, 43) for n in range(8)]
    short = quarters(*line[:4])
    assert targets.rhythms(short) == Tally(0, 0)
    tallies = [targets.rhythms(one) for one in (quarters(*line), short, short)]
    assert targets.pooled(tallies, ["one", "two", "three"]).value == 100


def test_the_interval_is_that_of_the_means_of_drawn_groups() -> None:
    values = np.random.default_rng(0).normal(50, 10, size=80)
    found = targets.pooled([Tally(v, 1) for v in values], [str(n) for n in range(80)])
    error = statistics.stdev(values) / math.sqrt(80)
    assert found.value == pytest.approx(values.mean())
    assert [found.low, found.high] == pytest.approx(
        [values.mean() - 1.96 * error, values.mean() + 1.96 * error], abs=0.3
    )


def test_pieces_of_one_tune_are_drawn_together() -> None:
    values = np.random.default_rng(1).normal(50, 10, size=40).repeat(2)
    tallies = [Tally(value, 1) for value in values]
    alone = targets.pooled(tallies, [str(n) for n in range(80)])
    paired = targets.pooled(tallies, [str(n // 2) for n in range(80)])
    assert paired.value == alone.value
    assert paired.high - paired.low > 1.2 * (alone.high - alone.low)


def test_nothing_to_count_is_not_a_number() -> None:
    found = targets.pooled([Tally(0, 0)], ["one"])
    assert [math.isnan(value) for value in (found.value, found.low, found.high)] == [True] * 3


def test_bach_has_the_published_column() -> None:
    row = targets.row(material.bach("valid") + material.bach("test"))
    found = {name: one.value for name, one in row.items()}
    directions = [found[f"second step goes on, {letter}, %"] for letter in "SATB"]
    assert directions == pytest.approx([67, 55, 62, 77], abs=1)
    assert found["struck again off the beat, % of notes"] == pytest.approx(0.11, abs=0.01)
    assert found["recurring motifs of four notes, soprano, %"] == pytest.approx(18, abs=0.5)
    assert found["recurring rhythms of six notes, soprano, %"] == pytest.approx(35, abs=0.5)
    assert found["eighths, soprano, %"] == pytest.approx(19, abs=0.5)
    assert found["bass held over the beat, %"] == pytest.approx(0.5, abs=0.1)
    assert found["untreated 6-4 per 100 beats"] == pytest.approx(0.16, abs=0.01)
    assert found["last close authentic, %"] == pytest.approx(87, abs=1)
    assert found["parallels per 1,000 notes"] < 1
    assert all(one.low <= one.value <= one.high for one in row.values())
