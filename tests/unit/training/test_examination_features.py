"""The features: two sets without a common measure, read from pieces made by hand."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from musicrel.chorale import Chorale, Meter
from musicrel.corpus.splits import Split
from training.examination import features, form, grams, harmony, lines, material, rhythm, samples
from training.examination.examination import measured
from training.examination.reading import Reading

Column = npt.NDArray[np.float64]

CADENCE = [(72, 67, 64, 48)] * 4 + [(71, 67, 62, 55)] * 4 + [(72, 67, 64, 48)] * 8
"""I, V and a long I in C major."""


def scale(*soprano: int) -> Reading:
    """Return a soprano of quarters over a held chord."""
    grid = [(pitch, 64, 55, 48) for pitch in soprano for _ in range(4)]
    return Reading(piece=Chorale.of(grid))


def restruck(*steps: int) -> Reading:
    """Return a chord of two beats in which the bass is struck again at ``steps``."""
    grid = np.array([(72, 67, 64, 48)] * 8, dtype=np.int16)
    onsets = np.zeros(grid.shape, dtype=bool)
    onsets[0] = True
    onsets[list(steps), 3] = True
    return Reading(piece=Chorale.of(grid, onsets=onsets))


def correlation(one: Column, other: Column) -> float:
    """Return the size of Pearson's correlation where both are measured, 0 for a constant."""
    both = np.isfinite(one) & np.isfinite(other)
    if not one[both].std() or not other[both].std():
        return 0.0
    return float(abs(np.corrcoef(one[both], other[both])[0, 1]))


def variants(which: features.FeatureSet) -> set[tuple[object, str]]:
    return {(f.measure, v) for f in features.FAMILIES for v in f.variants(which)}


def test_no_measure_is_in_both_sets() -> None:
    assert not variants("G") & variants("R")
    assert not set(features.metrics("G")) & set(features.metrics("R"))


def test_the_sets_are_of_like_size() -> None:
    sizes = [len(features.metrics(which)) for which in features.SETS]
    assert min(sizes) >= 50
    assert max(sizes) - min(sizes) <= 10


def crops(split: Split) -> list[Reading]:
    """Return the crops of Bach's pieces, as they are examined."""
    pieces = material.bach(split)
    return [Reading(piece=crop.piece) for crop in samples.samples(pieces, [""] * len(pieces), "8")]


@pytest.mark.slow
def test_no_feature_of_one_set_stands_for_one_of_the_other() -> None:
    """The rule of ``features``: in the crops of training, and of training and validation."""
    train, valid = crops("train"), crops("valid")
    guiding, reporting = (measured([*train, *valid], which) for which in features.SETS)
    assert (guiding.shape[1], reporting.shape[1]) == (94, 91)
    for number in (len(train), len(train) + len(valid)):
        strongest = [
            max(correlation(one, other) for one in guiding[:number].T)
            for other in reporting[:number].T
        ]
        assert max(strongest) < 0.9
        assert sum(size >= 0.8 for size in strongest) == 7


def test_the_seeds_of_the_sets_are_far_apart() -> None:
    assert abs(features.FIRST_SEED["G"] - features.FIRST_SEED["R"]) >= 10_000


@pytest.mark.parametrize("which", features.SETS)
def test_every_metric_measures_a_short_piece(which: features.FeatureSet) -> None:
    reading = Reading(piece=Chorale.of(CADENCE))
    values = [metric(reading) for metric in features.metrics(which).values()]
    assert not any(math.isinf(value) for value in values)
    assert sum(math.isnan(value) for value in values) < len(values) / 2


def test_a_scale_keeps_its_direction_and_a_trill_does_not() -> None:
    assert lines.step_goes_on(scale(60, 62, 64, 65, 67), "S") == 1
    assert lines.step_goes_on(scale(60, 62, 60, 62, 60), "S") == 0
    assert lines.zigzag(scale(60, 62, 60, 62, 60), "S") == 1


def test_a_leap_that_turns_is_counted() -> None:
    assert lines.leap_turns(scale(60, 67, 65), "S") == 1
    assert lines.leap_turns(scale(60, 67, 69), "S") == 0


def test_a_note_struck_again_is_a_note() -> None:
    assert rhythm.struck_off_beat(restruck(2), "B") == pytest.approx(1 / 2)
    assert rhythm.struck_on_beat(restruck(4), "B") == pytest.approx(1 / 2)
    assert rhythm.struck_off_beat(restruck(4), "B") == 0


@pytest.mark.parametrize("beats", [2, 3])
def test_a_note_held_over_beats_is_counted_once(beats: int) -> None:
    grid = [(72, 67, 64, 48)] * 2 + [(72, 67, 64, 50)] * (4 * beats - 2)
    assert rhythm.held_over(Reading(piece=Chorale.of(grid)), "B") == 1 / beats


def test_chords_have_kind_root_and_bass() -> None:
    chords = Reading(piece=Chorale.of(CADENCE)).chords
    assert [(chord.kind, chord.root, chord.bass) for chord in chords] == [
        ("major", 0, 0), ("major", 7, 7), ("major", 0, 0), ("major", 0, 0)
    ]  # fmt: skip


def test_root_motion_counts_changes_alone() -> None:
    assert harmony.root_motion(Reading(piece=Chorale.of(CADENCE)), "5") == 1 / 2


def test_a_suspension_is_held_clashes_and_falls() -> None:
    grid = [(72, 69, 65, 53)] * 4 + [(72, 67, 62, 55)] * 2 + [(71, 67, 62, 55)] * 2
    prepared = Reading(piece=Chorale.of([(72, 69, 65, 53)] * 4 + grid))
    assert harmony.suspensions(prepared, "S") == 0  # a fourth and a unison are no dissonance here
    grid = [(74, 69, 65, 50)] * 4 + [(74, 67, 60, 48)] * 2 + [(72, 67, 64, 48)] * 2
    assert harmony.suspensions(Reading(piece=Chorale.of(grid)), "S") == 1 / 2


def test_a_motif_recurs_with_its_rhythm() -> None:
    assert form.motifs(scale(60, 62, 64, 65, 60, 62, 64, 65), "S") == pytest.approx(2 / 5)


def test_words_of_the_sets_differ() -> None:
    reading = Reading(piece=Chorale.of(CADENCE, meter=Meter(4, 4)))
    assert "S-1/4@0" in grams.words(reading, "G")
    assert not set(grams.words(reading, "G")) & set(grams.words(reading, "R"))
