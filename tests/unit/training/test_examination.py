"""The examination: features and targets on pieces made by hand, and examination."""

import math
import statistics
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from musicrel.analysis.corpus import bundled
from musicrel.analysis.corpus.splits import Split
from musicrel.chorale import Chorale, Key, Meter, Voice
from musicrel.errors import FileError
from musicrel.generation.constraints.voice_ranges import PRESETS
from training import discriminator, reports
from training.examination import (
    examination,
    features,
    grams,
    material,
    power,
    samples,
    targets,
)
from training.examination.estimate import Estimate, area
from training.examination.examination import examine, giveaways
from training.examination.reading import Reading
from training.examination.samples import Sample
from training.examination.targets import Measure, Tally

Column = npt.NDArray[np.float64]
CADENCE = [(72, 67, 64, 48)] * 4 + [(71, 67, 62, 55)] * 4 + [(72, 67, 64, 48)] * 8
"""I, V and a long I in C major."""
QUARTER = 4
NUMBER = 60
Array = npt.NDArray[Any]
LABELS = np.arange(NUMBER) % 2 == 0
NAMES = [str(n) for n in range(NUMBER)]


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
    return {(f.measure, v) for f in features.FAMILIES for v in features.variants(f, which)}


def quarters(*chords: tuple[int, int, int, int]) -> Reading:
    return Reading(piece=Chorale.of(np.repeat(chords, QUARTER, axis=0)))


def measured_by(title: str, reading: Reading, variant: str) -> float:
    (measure,) = (family.measure for family in features.FAMILIES if family.title == title)
    return measure(reading, variant)


def target_of(measure: Measure | str, piece: Reading) -> float:
    found = targets.TARGETS[measure] if isinstance(measure, str) else measure
    total, number = found(piece)
    return total / number


def wandering(seed: int, steps: int = 160) -> Chorale:
    random = np.random.default_rng(seed)
    walk = random.integers(-2, 3, (steps // 4, 4)).cumsum(axis=0).clip(-6, 6)
    return Chorale.of(np.repeat(walk + np.array([72, 65, 58, 50]), 4, axis=0))


def by_pairs(scores: Array, is_other: Array) -> float:
    pairs = [(a, b) for a in scores[is_other] for b in scores[~is_other]]
    return sum(1.0 if a > b else 0.5 if a == b else 0.0 for a, b in pairs) / len(pairs)


def test_no_measure_is_in_both_sets() -> None:
    assert not variants("G") & variants("R")
    assert not set(features.metrics("G")) & set(features.metrics("R"))


def test_the_sets_are_of_like_size_and_their_seeds_far_apart() -> None:
    sizes = [len(features.metrics(which)) for which in features.SETS]
    assert min(sizes) >= 50
    assert max(sizes) - min(sizes) <= 10
    assert abs(features.FIRST_SEED["G"] - features.FIRST_SEED["R"]) >= 10_000


def crops(split: Split) -> list[Reading]:
    pieces = material.bach(split)
    return [Reading(piece=crop.piece) for crop in samples.samples(pieces, [""] * len(pieces), "8")]


def test_no_feature_of_one_set_stands_for_one_of_the_other() -> None:
    """The rule of ``features``: in the crops of training, and of training and validation."""
    train, valid = crops("train"), crops("valid")
    guiding, reporting = (features.measured([*train, *valid], which)[1] for which in features.SETS)
    assert (guiding.shape[1], reporting.shape[1]) == (94, 91)
    for number in (len(train), len(train) + len(valid)):
        strongest = [
            max(correlation(one, other) for one in guiding[:number].T)
            for other in reporting[:number].T
        ]
        assert max(strongest) < 0.9
        assert sum(size >= 0.8 for size in strongest) == 7


@pytest.mark.parametrize("which", features.SETS)
def test_every_metric_measures_a_short_piece(which: features.FeatureSet) -> None:
    reading = Reading(piece=Chorale.of(CADENCE))
    values = [metric(reading) for metric in features.metrics(which).values()]
    assert not any(math.isinf(value) for value in values)
    assert sum(math.isnan(value) for value in values) < len(values) / 2


@pytest.mark.parametrize(
    ("measure", "soprano", "share"),
    [
        ("second step goes on", (60, 62, 64, 65, 67), 1),
        ("second step goes on", (60, 62, 60, 62, 60), 0),
        ("turns twice", (60, 62, 60, 62, 60), 1),
        ("leap turns", (60, 67, 65), 1),
        ("leap turns", (60, 67, 69), 0),
        ("recurring motifs", (60, 62, 64, 65, 60, 62, 64, 65), 2 / 5),
    ],
)
def test_lines_are_measured(measure: str, soprano: tuple[int, ...], share: float) -> None:
    assert measured_by(measure, scale(*soprano), "S") == pytest.approx(share)


def test_a_note_struck_again_is_a_note() -> None:
    assert measured_by("struck again off the beat", restruck(2), "B") == pytest.approx(1 / 2)
    assert measured_by("struck again on a beat", restruck(4), "B") == pytest.approx(1 / 2)
    assert measured_by("struck again off the beat", restruck(4), "B") == 0


@pytest.mark.parametrize("beats", [2, 3])
def test_a_note_held_over_beats_is_counted_once(beats: int) -> None:
    grid = [(72, 67, 64, 48)] * 2 + [(72, 67, 64, 50)] * (4 * beats - 2)
    assert measured_by("held over a beat", Reading(piece=Chorale.of(grid)), "B") == 1 / beats


def test_chords_have_kind_root_and_bass_and_root_motion_counts_changes_alone() -> None:
    reading = Reading(piece=Chorale.of(CADENCE))
    assert [(chord.kind, chord.root, chord.bass) for chord in reading.chords] == [
        ("major", 0, 0), ("major", 7, 7), ("major", 0, 0), ("major", 0, 0)
    ]  # fmt: skip
    assert measured_by("root goes up by", reading, "5") == 1 / 2


def test_a_suspension_is_held_clashes_and_falls() -> None:
    grid = [(72, 69, 65, 53)] * 4 + [(72, 67, 62, 55)] * 2 + [(71, 67, 62, 55)] * 2
    prepared = Reading(piece=Chorale.of([(72, 69, 65, 53)] * 4 + grid))
    assert (
        measured_by("suspensions", prepared, "S") == 0
    )  # a fourth and a unison are no dissonance here
    grid = [(74, 69, 65, 50)] * 4 + [(74, 67, 60, 48)] * 2 + [(72, 67, 64, 48)] * 2
    assert measured_by("suspensions", Reading(piece=Chorale.of(grid)), "S") == 1 / 2


def test_words_of_the_sets_differ() -> None:
    reading = Reading(piece=Chorale.of(CADENCE, meter=Meter(4, 4)))
    assert "S-1/4@0" in grams.words(reading, "G")
    assert not set(grams.words(reading, "G")) & set(grams.words(reading, "R"))


@pytest.mark.parametrize(
    ("chords", "share"),
    [
        ([(72, 67, 64, 48), (72, 64, 60, 55), (72, 69, 65, 41)], 100 / 3),  # a bass that leaps
        ([(72, 69, 65, 50), (72, 64, 60, 55), (71, 67, 62, 55), (72, 67, 64, 48)], 0),  # cadential
        ([(72, 67, 64, 52), (71, 67, 62, 50), (72, 67, 64, 48)], 0),  # passing
    ],
)
def test_a_six_four_is_treated_as_part_of_a_cadence_or_in_passing(
    chords: list[tuple[int, int, int, int]], share: float
) -> None:
    assert target_of(targets.untreated_six_four, quarters(*chords)) == pytest.approx(share)


def test_motifs_recur_in_the_same_place_of_the_bar() -> None:
    line = [60, 62, 64, 65]
    again = quarters(*[(pitch + 12, 64, 55, 48) for pitch in [*line, *line]])
    later = quarters(*[(pitch + 12, 64, 55, 48) for pitch in [*line, 67, *line]])
    assert target_of(
        targets.TARGETS["recurring motifs of four notes, soprano, %"], again
    ) == pytest.approx(40)
    assert target_of("recurring motifs of four notes, soprano, %", later) == 0


def test_sevenths_resolve_a_step_down() -> None:
    seventh, resolution = (65, 62, 59, 55), (64, 60, 60, 48)
    found = quarters(seventh, resolution, seventh, (67, 60, 60, 48), seventh)
    assert targets.sevenths_resolved(found) == Tally(100, 2)


def test_cross_relations_are_those_of_the_piece_s_own_key() -> None:
    chords = [(72, 67, 64, 48)] * 3 + [(78, 69, 65, 50)]
    piece = Chorale.of(np.repeat(chords, QUARTER, axis=0), key=Key("C", "major"))
    assert target_of("cross relations per 1,000 sixteenths", Reading(piece=piece)) == 250


def test_a_phrase_ends_on_a_triad_in_root_position() -> None:
    measure = "phrase ends on a triad in root position, %"
    assert target_of(measure, quarters((72, 67, 64, 48))) == 100
    assert target_of(measure, quarters((72, 67, 64, 52))) == 0


@pytest.mark.parametrize(("tonic", "share"), [("C", 100), ("E", 0)])
def test_a_piece_that_sounds_in_another_key_is_not_in_its_own(tonic: str, share: int) -> None:
    chords = [(72, 67, 64, 48), (72, 69, 65, 53), (71, 67, 62, 55), (72, 67, 64, 48)]
    piece = replace(quarters(*chords).piece, key=Key(tonic, "major"))
    assert target_of("pieces in their own key by estimate, %", Reading(piece=piece)) == share


def test_keys_of_cadences_are_counted_from_the_tonic_of_the_piece() -> None:
    """The last phrase does not count; the one before it does if there are three."""
    c, g, d7 = (72, 67, 64, 48), (71, 67, 62, 55), (72, 66, 62, 50)
    chords = [c, g, c, c, d7, g, c, g, c]
    fermatas = np.arange(4 * len(chords)) // 4 % 3 == 2
    notes = np.repeat(chords, QUARTER, axis=0)
    whole = Chorale.of(notes, fermatas=fermatas, key=Key("C", "major"))
    assert target_of(targets.off_the_tonic, Reading(piece=whole)) == 50
    for key, share in (("C", 0), ("G", 100)):
        piece = replace(whole, key=Key(key, "major"))
        assert target_of(targets.before_the_last, Reading(piece=piece)) == share
    short = Reading(piece=whole.cropped(0, 24))
    assert targets.before_the_last(short) == Tally(0, 0)


def test_parts_of_a_training_piece_are_copies() -> None:
    piece = bundled.load("train")[0]
    assert target_of(targets.copied, Reading(piece=piece.transposed(1))) == 100
    assert target_of(targets.copied, quarters(*[(72, 67, 64, 48)] * 10)) < 100


def test_a_writer_without_a_later_target_has_an_empty_cell() -> None:
    figure = {"value": 1.0, "low": 0.5, "high": 1.5}
    found = discriminator.targets_table(
        {"before": {"a": figure}, "now": {"a": figure, "b": figure}}
    )
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
    rhythms = targets.TARGETS["recurring rhythms of six notes, soprano, %"]
    assert rhythms(short) == Tally(0, 0)
    assert rhythms(quarters(*line)) == Tally(100, 1)  # of quarters alone, too
    tallies = [rhythms(one) for one in (quarters(*line), short, short)]
    assert targets.pooled(tallies, ["one", "two", "three"]).value == 100


def test_the_interval_is_that_of_the_means_of_drawn_groups() -> None:
    values = np.random.default_rng(0).normal(50, 10, size=80)
    found = targets.pooled([Tally(v, 1) for v in values], [str(n) for n in range(80)])
    error = statistics.stdev(values) / math.sqrt(80)
    assert found.value == pytest.approx(values.mean())
    assert [found.low, found.high] == pytest.approx(
        [values.mean() - 1.96 * error, values.mean() + 1.96 * error], abs=0.3
    )


def test_nothing_to_count_is_not_a_number() -> None:
    found = targets.pooled([Tally(0, 0)], ["one"])
    assert np.isnan([found.value, found.low, found.high]).all()


def test_bach_has_the_published_column() -> None:
    row = targets.row(material.bach("valid") + material.bach("test"))
    found = {name: one.value for name, one in row.items()}
    for name, value, tolerance in (
        ("second step goes on, S, %", 67, 1),
        ("second step goes on, A, %", 55, 1),
        ("second step goes on, T, %", 62, 1),
        ("second step goes on, B, %", 77, 1),
        ("struck again off the beat, % of notes", 0.11, 0.01),
        ("recurring motifs of four notes, soprano, %", 18, 0.5),
        ("recurring rhythms of six notes, soprano, %", 35, 0.5),
        ("eighths, soprano, %", 19, 0.5),
        ("bass held over the beat, %", 0.5, 0.1),
        ("untreated 6-4 per 100 beats", 0.16, 0.01),
        ("last close authentic, %", 87, 1),
    ):
        assert found[name] == pytest.approx(value, abs=tolerance), name
    assert found["parallels per 1,000 notes"] < 1
    assert all(one.low <= one.value <= one.high for one in row.values())


def test_the_area_is_the_share_of_pairs_in_order_and_wider_for_larger_groups() -> None:
    scores = np.random.default_rng(0).integers(0, 5, NUMBER).astype(float)
    found = area(scores, LABELS, NAMES, seed=0)
    assert found.value == pytest.approx(by_pairs(scores, LABELS))
    assert found.low < found.value < found.high

    scores = np.random.default_rng(1).normal(size=NUMBER).repeat(2)
    is_other = LABELS.repeat(2)
    alone = area(scores, is_other, [str(n) for n in range(2 * NUMBER)], seed=0)
    paired = area(scores, is_other, [str(n // 2) for n in range(2 * NUMBER)], seed=0)
    assert paired.high - paired.low > alone.high - alone.low


def cross_validated(data: Array) -> float:
    """Return the area of logistic regression."""
    make = examination.CLASSIFIERS["logistic regression"]
    scores = examination.cross_validated(make, data, LABELS, NAMES, seed=0)
    return by_pairs(scores, LABELS)


def test_noise_cannot_be_told_apart_and_a_shift_is_found_and_named() -> None:
    assert 0.3 < cross_validated(np.random.default_rng(2).normal(size=(NUMBER, 4))) < 0.7

    data = np.random.default_rng(3).normal(size=(NUMBER, 3))
    data[LABELS, 1] += 4
    assert cross_validated(data) > 0.9
    first, *_ = giveaways(data, LABELS, ("one", "two", "three"))
    assert first.name == "two"
    assert first.other - first.bach == pytest.approx(4, abs=1)


class Recorder:
    trained: Array

    def fit(self, data: Array, _: Array) -> "Recorder":
        self.trained = data
        return self

    def predict_proba(self, data: Array) -> Array:
        assert not set(self.trained) & set(data)
        return np.full((len(data), 2), 0.5)


def test_a_group_is_never_on_both_sides_of_a_fold() -> None:
    groups = [str(n % 13) for n in range(NUMBER)]
    scores = examination.cross_validated(
        lambda _: Recorder(), np.array(groups), LABELS, groups, seed=0
    )
    assert not scores.any()


def test_settings_of_one_tune_are_one_group() -> None:
    """A piece between two tunes joins them."""
    piece, other = wandering(0), wandering(1)
    setting = Chorale.of(np.column_stack([piece.pitches[:, 0] + 2, other.pitches[:, 1:]]))
    both = Chorale.of(np.concatenate([piece.pitches, other.pitches]))
    assert samples.groups_by_tune([piece, other, setting]) == [0, 1, 0]
    assert samples.groups_by_tune([piece, other, both]) == [0, 0, 0]


def test_crops_cover_a_piece_from_first_beat_to_last() -> None:
    piece = wandering(4, steps=300)
    parts = list(samples.crops(piece))
    assert [part.steps for part in parts] == [128, 128, 128]
    assert np.array_equal(parts[0].pitches, piece.pitches[:128])
    assert np.array_equal(parts[-1].pitches, piece.pitches[-128:])
    assert [part.steps for part in samples.crops(wandering(5, steps=64))] == [64]


def test_pieces_of_one_kind_look_alike_and_others_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "_TREES", 30)
    monkeypatch.setattr(examination, "_REPEATS", 1)
    bach = [Sample(piece=wandering(n, 128), group=str(n)) for n in range(20)]
    alike = [Sample(piece=wandering(n, 128), group=str(n)) for n in range(20, 40)]
    stiff = [
        Sample(piece=Chorale.of(one.piece.pitches.repeat(2, axis=0)), group=one.group)
        for one in alike
    ]
    assert examine(bach, alike, "G").areas["random forest"].value < 0.75
    found = examine(bach, stiff, "G")
    assert found.worst.value > 0.95
    assert "| it | 1.00" in discriminator.examinations({"it": asdict(found)})


def test_one_voice_of_a_shuffled_piece_has_its_phrases_in_another_order() -> None:
    piece = wandering(6, steps=128)
    other = material.shuffled(piece, seed=0)
    changed = (piece.pitches != other.pitches).any(axis=0)
    assert changed.sum() == 1
    assert np.array_equal(np.sort(piece.pitches, axis=0), np.sort(other.pitches, axis=0))


def test_repeats_are_left_out_before_pieces_are_examined() -> None:
    """Also those with another ending; the pickup of the second time stays one."""
    piece = replace(wandering(7), pickup=4)
    first, rest = piece.pitches[:64], piece.pitches[64:]
    other_end = np.concatenate([first[:-8], first[-8:] + 2])
    for again in (first, other_end):
        twice = replace(Chorale.of(np.concatenate([first, again, rest])), pickup=4)
        once = material.played_once(twice)
        assert np.array_equal(once.pitches, np.concatenate([again, rest]))
        assert once.pickup == 4
    assert material.played_once(piece) == piece


def test_a_folder_is_read_in_order_and_an_empty_one_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"holds no pieces: expected files \.json or \.mid"):
        material.read_folder(tmp_path)
    for number in (1, 0):
        wandering(number).write(tmp_path / f"{number}.json")
    assert np.array_equal(material.read_folder(tmp_path)[0].pitches, wandering(0).pitches)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "nothing to examine: give folders"),
        (["--targets"], "nothing to examine: give folders"),
        (["folder"], "no set: give --set G or --set R"),
        (["--targets", "--model", "it"], "no set: give --set G or --set R"),
        (
            ["--set", "G", "--model", "it", "--harmonise", "it", "--keep", "folder"],
            "pieces of one writer",
        ),
        (["--set", "G", "--power", "--targets"], "two commands: give one"),
        (["--set", "L", "--power"], "Bach's other split is the first row of set L"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        discriminator.main(words)
    assert sentence in capsys.readouterr().err


@pytest.fixture
def few_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    other, bach = material.bach("valid")[:6], material.bach("test")[:6]
    monkeypatch.setattr(examination, "_TREES", 10)
    monkeypatch.setattr(examination, "_REPEATS", 1)
    monkeypatch.setattr(material, "composed", lambda *_: iter(other))
    monkeypatch.setattr(discriminator, "bundled", SimpleNamespace(load=lambda _: bach))
    monkeypatch.setattr(material, "bach", lambda _: bach)


@pytest.mark.usefixtures("few_pieces")
def test_kept_pieces_are_examined_like_those_just_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "it")

    def printed(*words: str) -> str:
        assert discriminator.main([*words, "--crop", "whole"]) == 0
        return capsys.readouterr().out

    written = printed("--set", "G", "--model", "it", "--keep", folder)
    assert printed("--set", "G", folder) == written
    assert printed("--set", "R", folder) == printed("--set", "R", "--model", "it") != written
    assert printed("--targets", folder) == printed("--targets", "--set", "G", "--model", "it")


@pytest.mark.usefixtures("few_pieces")
def test_pieces_are_not_kept_beside_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wandering(0).write(tmp_path / "old.json")
    assert discriminator.main(["--set", "G", "--model", "it", "--keep", str(tmp_path)]) == 1
    assert "holds pieces already: expected an empty folder or a new one" in capsys.readouterr().err


def test_figures_are_stored_by_section_and_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "RESULTS", tmp_path)

    def row(value: float) -> dict[str, dict[str, float]]:
        return {"eighths": {"value": value, "low": value - 1, "high": value + 2}}

    discriminator.PAGE.store(discriminator.TARGETS, "first", {"Bach": row(19.0)})
    discriminator.PAGE.store(discriminator.TARGETS, "second", {"it": row(6.0), "Bach": row(19.2)})
    text = (tmp_path / "examination.md").read_text("utf-8")
    assert "| eighths | 19.20 (18.20 to 21.20) | 6.00 (5.00 to 8.00) |" in text
    assert "first" not in text


def test_power_has_the_mean_of_draws_and_their_extremes() -> None:
    """A single draw keeps its interval."""
    draws = [{"forest": Estimate(value=value, low=0, high=1)} for value in (0.5, 0.7, 0.6)]
    found = power.over_draws(draws)["forest"]
    assert found.value == pytest.approx(0.6)
    assert (found.low, found.high) == (0.5, 0.7)
    assert power.over_draws(draws[:1]) == draws[0]


def test_pieces_are_written_with_the_lengths_of_the_split_and_kept(tmp_path: Path) -> None:
    (piece,) = material.kept(material.composed("relative", "valid", 1, 0), tmp_path)
    assert piece.bars - bool(piece.pickup) == -(-material.bach("valid")[0].steps // 16)
    assert piece.fermatas.any()
    assert np.array_equal(material.read_folder(tmp_path)[0].pitches, piece.pitches)


def test_melodies_are_harmonised_in_the_ranges_of_a_choir() -> None:
    melody = bundled.load("valid")[0].pitches[:, Voice.SOPRANO]
    piece = next(material.harmonised("relative-infill", "valid", 0))
    assert np.array_equal(piece.pitches[:, Voice.SOPRANO], melody)
    low, high = np.array(PRESETS["choir"].ranges)[1:].T
    others = piece.pitches[:, 1:]
    assert ((others >= low) & (others <= high)).all()
