"""Classifiers, areas, groups and samples."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from musicrel.chorale import Chorale, Voice
from musicrel.corpus import bundled
from musicrel.errors import FileError
from musicrel.generation.constraints.voice_ranges import PRESETS
from training import discriminator
from training.examination import (
    classifiers,
    material,
    power,
    report,
    results,
    samples,
    tunes,
    writing,
)
from training.examination.auc import area
from training.examination.estimate import Estimate
from training.examination.examination import examine, giveaways
from training.examination.samples import Sample

NUMBER = 60
Array = npt.NDArray[Any]


def labels() -> Array:
    return np.array([n % 2 == 0 for n in range(NUMBER)])


def names() -> list[str]:
    return [str(n) for n in range(NUMBER)]


def wandering(seed: int, steps: int = 160) -> Chorale:
    """Return a piece in which each voice walks at random, a note a beat."""
    random = np.random.default_rng(seed)
    walk = random.integers(-2, 3, (steps // 4, 4)).cumsum(axis=0).clip(-6, 6)
    return Chorale.of(np.repeat(walk + np.array([72, 65, 58, 50]), 4, axis=0))


def by_pairs(scores: Array, is_other: Array) -> float:
    """Return the area by its definition, in a loop."""
    pairs = [(a, b) for a in scores[is_other] for b in scores[~is_other]]
    return sum(1.0 if a > b else 0.5 if a == b else 0.0 for a, b in pairs) / len(pairs)


def test_the_area_is_the_share_of_pairs_in_order() -> None:
    scores = np.random.default_rng(0).integers(0, 5, NUMBER).astype(float)
    found = area(scores, labels(), names(), seed=0)
    assert found.value == pytest.approx(by_pairs(scores, labels()))
    assert found.low < found.value < found.high


def test_an_interval_is_wider_where_groups_are_larger() -> None:
    scores = np.random.default_rng(1).normal(size=NUMBER).repeat(2)
    is_other = labels().repeat(2)
    alone = area(scores, is_other, [str(n) for n in range(2 * NUMBER)], seed=0)
    paired = area(scores, is_other, [str(n // 2) for n in range(2 * NUMBER)], seed=0)
    assert paired.high - paired.low > alone.high - alone.low


def test_noise_cannot_be_told_apart() -> None:
    data = np.random.default_rng(2).normal(size=(NUMBER, 4))
    scores = classifiers.cross_validated(
        classifiers.CLASSIFIERS["logistic regression"], data, labels(), names(), seed=0
    )
    assert 0.3 < by_pairs(scores, labels()) < 0.7


def test_a_shift_is_found_and_named() -> None:
    data = np.random.default_rng(3).normal(size=(NUMBER, 3))
    data[labels(), 1] += 4
    scores = classifiers.cross_validated(
        classifiers.CLASSIFIERS["logistic regression"], data, labels(), names(), seed=0
    )
    assert by_pairs(scores, labels()) > 0.9
    first, *_ = giveaways(data, labels(), ("one", "two", "three"))
    assert first.name == "two"
    assert first.other - first.bach == pytest.approx(4, abs=1)


class Recorder:
    """A classifier that notes on which samples it is trained and asked."""

    trained: Array

    def fit(self, data: Array, _: Array) -> "Recorder":
        self.trained = data
        return self

    def predict_proba(self, data: Array) -> Array:
        assert not set(self.trained) & set(data)
        return np.full((len(data), 2), 0.5)


def test_a_group_is_never_on_both_sides_of_a_fold() -> None:
    groups = [str(n % 13) for n in range(NUMBER)]
    scores = classifiers.cross_validated(
        lambda _: Recorder(), np.array(groups), labels(), groups, seed=0
    )
    assert not scores.any()


def test_settings_of_one_tune_are_one_group() -> None:
    piece = wandering(0)
    other = wandering(1)
    setting = Chorale.of(np.column_stack([piece.pitches[:, 0] + 2, other.pitches[:, 1:]]))
    assert tunes.groups([piece, other, setting]) == [0, 1, 0]


def test_a_piece_between_two_tunes_joins_them() -> None:
    one, two = wandering(2, steps=160), wandering(3, steps=160)
    both = Chorale.of(np.concatenate([one.pitches, two.pitches]))
    assert tunes.groups([one, two, both]) == [0, 0, 0]


def test_crops_cover_a_piece_from_first_beat_to_last() -> None:
    piece = wandering(4, steps=300)
    parts = list(samples.crops(piece))
    assert [part.steps for part in parts] == [128, 128, 128]
    assert np.array_equal(parts[0].pitches, piece.pitches[:128])
    assert np.array_equal(parts[-1].pitches, piece.pitches[-128:])


def test_a_short_piece_is_one_sample() -> None:
    assert [part.steps for part in samples.crops(wandering(5, steps=64))] == [64]


def test_pieces_of_one_kind_look_alike_and_others_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classifiers, "_TREES", 30)
    monkeypatch.setattr(classifiers, "_REPEATS", 1)
    bach = [Sample(piece=wandering(n, 128), group=str(n)) for n in range(20)]
    alike = [Sample(piece=wandering(n, 128), group=str(n)) for n in range(20, 40)]
    stiff = [
        Sample(piece=Chorale.of(one.piece.pitches.repeat(2, axis=0)), group=one.group)
        for one in alike
    ]
    assert examine(bach, alike, "G").areas["random forest"].value < 0.75
    found = examine(bach, stiff, "G")
    assert found.worst.value > 0.95
    assert "| it | 1.00" in report.examinations({"it": report.figures(found)})


def test_one_voice_of_a_shuffled_piece_has_its_phrases_in_another_order() -> None:
    piece = wandering(6, steps=128)
    other = material.shuffled(piece, seed=0)
    changed = (piece.pitches != other.pitches).any(axis=0)
    assert changed.sum() == 1
    assert np.array_equal(np.sort(piece.pitches, axis=0), np.sort(other.pitches, axis=0))


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"holds no pieces: expected files \.json or \.mid"):
        material.read_folder(tmp_path)


def test_a_folder_is_read_in_order(tmp_path: Path) -> None:
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
            "--keep takes pieces of one writer",
        ),
        (["--set", "G", "--power", "--targets"], "two commands: give one"),
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
    """Let a model write six chorales, and compare them with six others by small classifiers."""
    other, bach = material.bach("valid")[:6], material.bach("test")[:6]
    monkeypatch.setattr(classifiers, "_TREES", 10)
    monkeypatch.setattr(classifiers, "_REPEATS", 1)
    monkeypatch.setattr(writing, "composed", lambda *_: iter(other))
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


def test_figures_are_stored_by_section_and_writer(tmp_path: Path) -> None:
    def row(value: float) -> dict[str, dict[str, float]]:
        return {"eighths": {"value": value, "low": value - 1, "high": value + 2}}

    results.store_targets("first", {"Bach": row(19.0)}, tmp_path)
    results.store_targets("second", {"it": row(6.0), "Bach": row(19.2)}, tmp_path)
    text = (tmp_path / "examination.md").read_text("utf-8")
    assert "| eighths | 19.20 (18.20 to 21.20) | 6.00 (5.00 to 8.00) |" in text
    assert "first" not in text


def test_power_has_the_mean_of_draws_and_their_extremes() -> None:
    draws = [{"forest": Estimate(value=value, low=0, high=1)} for value in (0.5, 0.7, 0.6)]
    found = power.over_draws(draws)["forest"]
    assert found.value == pytest.approx(0.6)
    assert (found.low, found.high) == (0.5, 0.7)


def test_a_single_draw_keeps_its_interval() -> None:
    one = {"forest": Estimate(value=0.9, low=0.8, high=0.95)}
    assert power.over_draws([one]) == one


@pytest.mark.slow
def test_pieces_are_written_with_the_lengths_of_the_split_and_kept(tmp_path: Path) -> None:
    (piece,) = writing.kept(writing.composed("relative", "valid", 1, 0), tmp_path)
    assert piece.bars - bool(piece.pickup) == -(-material.bach("valid")[0].steps // 16)
    assert piece.fermatas.any()
    assert np.array_equal(material.read_folder(tmp_path)[0].pitches, piece.pitches)


@pytest.mark.slow
def test_melodies_are_harmonised_in_the_ranges_of_a_choir() -> None:
    melody = bundled.load("valid")[0].pitches[:, Voice.SOPRANO]
    piece = next(writing.harmonised("relative-infill", "valid", 0))
    assert np.array_equal(piece.pitches[:, Voice.SOPRANO], melody)
    low, high = np.array(PRESETS["choir"].ranges)[1:].T
    others = piece.pitches[:, 1:]
    assert ((others >= low) & (others <= high)).all()
