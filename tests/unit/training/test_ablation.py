"""The study of ablations: its measures, means and files against naive formulas."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from musicrel.analysis.claims.intervals import spearman
from musicrel.analysis.corpus import bundled
from musicrel.errors import UsageError
from musicrel.interpretability import ablation as parts
from musicrel.interpretability.ablation import NoteReader
from musicrel.interpretability.readers import open_reader
from tests.helpers.music import random_chorale
from tests.unit.interpretability.conftest import load
from tests.unit.interpretability.naive import NaiveModel
from training.ablation import __main__ as study
from training.ablation import measures, results
from training.ablation.head_patterns import PATTERNS, HeadPatterns
from training.ablation.measures import GROUPS, RANDOM_SETS, REMOVED, ChosenSet, Measures
from training.ablation.results import NoteMeans, Observed, Row

CLOSE = 5e-4
NOTES, HEADS = 40, 6
MEANS = NoteMeans([8] * 5)


class Studied(NamedTuple):
    reader: NoteReader
    naive: NaiveModel
    cells: list[int]  # a note at the beginning, and one near the end
    measured: Measures

    @property
    def is_infill(self) -> bool:
        return self.reader.model.config.family == "infill"


@pytest.fixture(scope="session", params=("relative", "infill"))
def studied(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Studied:
    model = load(request.param, tmp_path_factory.mktemp("studied") / "tiny")
    piece = bundled.load("test")[1].cropped(0, 48)
    cells = np.flatnonzero(piece.onsets.reshape(-1))[[0, -3]]
    reader = open_reader(model, piece)
    measured = measures.measure(reader, cells, "mean", 3, 1)
    return Studied(reader, NaiveModel(model, piece), cells.tolist(), measured)


def test_a_short_piece_gives_all_its_notes_and_the_others_as_many_as_each_other() -> None:
    pieces = [random_chorale(seed, steps) for seed, steps in enumerate((4, 40, 60))]
    short = int(pieces[0].onsets.sum())
    drawn = measures.draw_notes(pieces, short + 41, seed=0)
    assert [len(drawn[0]), *sorted(map(len, drawn[1:]))] == [short, 20, 21]
    for one, cells_N in zip(pieces, drawn, strict=True):
        assert one.onsets.reshape(-1)[cells_N].all()
        assert len(set(cells_N.tolist())) == len(cells_N)
    with pytest.raises(UsageError, match="notes is 2: expected 3 to "):
        measures.draw_notes(pieces, 2, seed=0)


def test_heads_and_sources_have_the_effects_and_weights_of_the_reader(studied: Studied) -> None:
    reader, cell, measured = studied.reader, studied.cells[-1], studied.measured
    local, attention_LHK = reader.local(cell), reader.weights(cell).astype(np.float64)
    np.testing.assert_array_equal(measured["effects_H"][-1], local.effects_LH.reshape(-1))
    keys_SK = parts.keys_of(reader.every_source(cell), attention_LHK.shape[-1])
    largest_LH = np.max([attention_LHK[..., keys_K].sum(axis=-1) for keys_K in keys_SK], axis=0)
    row = attention_LHK[1, 1].tolist()
    entropy = -sum(weight * math.log(weight) for weight in row if weight)
    np.testing.assert_allclose(measured["weights_WH"][-1, 0], largest_LH.reshape(-1), atol=1e-9)
    assert measured["weights_WH"][-1, 1, -1] == pytest.approx(1 - entropy / math.log(len(row)))
    removed = reader.sources(cell, seed=3)
    last = len(removed.sources)
    np.testing.assert_array_equal(measured["source_effects_S"][-1, :last], removed.effects_S)
    assert np.isnan(measured["source_effects_S"][-1, last:]).all()
    steps = [one.stop - 1 if one.start <= cell // 4 else one.start for one in removed.sources]
    closeness_S = -np.abs(cell // 4 - np.array(steps))
    expected = [
        float(spearman(weights, effects))
        for weights in (removed.weights_S, closeness_S)
        for effects in (removed.effects_S, abs(removed.effects_S))
    ]
    np.testing.assert_allclose(measured["correlations_C"][-1], expected)


def test_the_strongest_and_the_nearest_sources_are_removed_together(studied: Studied) -> None:
    reader, naive, cell = studied.reader, studied.naive, studied.cells[-1]
    weights_LHK, every = reader.weights(cell).astype(np.float64), reader.every_source(cell)
    keys_SK = parts.keys_of(every, weights_LHK.shape[-1])
    weights = [float(weights_LHK[..., keys_K].sum(axis=-1).mean()) for keys_K in keys_SK]
    order = sorted(range(len(weights)), key=lambda place: -weights[place])
    for row, number in enumerate(REMOVED):
        keys = np.flatnonzero(keys_SK[order[:number]].any(axis=0)).tolist()
        with naive.removed(naive.query(cell), keys):
            expected = naive.nats(cell)
        effect = studied.measured["removed_RG"][-1, row, GROUPS.index("strongest")]
        assert effect == pytest.approx(expected - naive.nats(cell), abs=CLOSE)
    distances = [max(cell // 4 - one.stop + 1, one.start - cell // 4) for one in every]
    nearest = [every[place] for place in np.argsort(distances, kind="stable")[: REMOVED[0]]]
    expected = float(reader.without(cell, [nearest])[0]) - reader.output(cell).nats
    assert studied.measured["removed_RG"][-1, 0, GROUPS.index("nearest")] == pytest.approx(expected)


def test_a_note_with_few_sources_has_no_correlation_and_no_groups(studied: Studied) -> None:
    """An infilling model has all other steps as sources."""
    for name in ("correlations_C", "by_head_H", "removed_RG"):
        assert np.isnan(studied.measured[name][0]).all() != studied.is_infill


def test_the_weight_on_a_pattern_is_above_that_of_equal_weights(studied: Studied) -> None:
    cell, measured = studied.cells[-1], studied.measured
    patterns = HeadPatterns.of(studied.reader.chorale, both_sides=studied.is_infill)
    columns, of_notes = patterns.of_columns(np.array([cell])), patterns.of_notes()
    weights_HK = studied.reader.weights(cell).astype(np.float64).reshape(4, -1)
    for row, name in enumerate(PATTERNS):
        scores_S, expected = columns[name][0, : cell + 1], np.full(4, np.nan)
        if scores_S.any() and not studied.is_infill:
            expected = weights_HK @ scores_S - scores_S.mean()
        np.testing.assert_allclose(measured["excess_PH"][-1, row], expected, atol=1e-6)
        assert measured["scores_P"][-1, row] == pytest.approx(
            of_notes[name].reshape(-1)[cell], nan_ok=True
        )


def test_a_set_of_heads_is_replaced_together(studied: Studied) -> None:
    naive, cell, model = studied.naive, studied.cells[-1], studied.reader.model
    sets_DH = np.array([[True, False, True, False], [False, False, False, True]])
    found_ND = measures.set_effects(studied.reader, np.array(studied.cells), sets_DH, "zero")
    zero = {naive.query(cell): np.zeros(model.config.head_width, dtype=np.float32)}
    with naive.replaced(0, 0, zero), naive.replaced(1, 0, zero):
        expected = naive.nats(cell)
    assert found_ND.shape == (2, 2)
    assert found_ND[-1, 0] == pytest.approx(expected - naive.nats(cell), abs=CLOSE)


@pytest.mark.parametrize(
    ("weights", "expected"), [([0.25] * 4, 0.0), ([0.0, 1.0, 0.0, 0.0], 1.0), ([1.0], 1.0)]
)
def test_concentration_goes_from_equal_weights_to_one_key(
    weights: list[float], expected: float
) -> None:
    assert measures.concentration(np.array([[weights]])) == pytest.approx(expected)


def test_the_contrast_is_a_difference_of_weighted_means() -> None:
    effects_ND = np.array([[1.0], [2.0], [5.0], [4.0], [100.0]])
    yes_or_no, degrees = np.array([1, 0, 1, 0, np.nan]), np.array([0.25, 0.75])
    assert measures.contrast(yes_or_no, effects_ND**2).tolist() == [13.0 - 10.0]
    expected = (0.25 * 1 + 0.75 * 2) - (0.75 * 1 + 0.25 * 2)
    assert measures.contrast(degrees, effects_ND[:2]) == pytest.approx(expected)
    assert np.isnan(measures.contrast(np.array([1.0, np.nan]), effects_ND[:2])).all()


def random_measures() -> Measures:
    rng = np.random.default_rng(0)
    removed = rng.normal(size=(NOTES, 2, 3))
    removed[:5, 1] = np.nan
    return {
        "nats": rng.random(NOTES),
        "weights_WH": rng.random((NOTES, 2, HEADS)),
        "effects_H": rng.normal(size=(NOTES, HEADS)),
        "source_weights_S": np.sort(rng.random((NOTES, 128)))[:, ::-1],
        "source_effects_S": rng.normal(size=(NOTES, 128)),
        "strongest": np.full(NOTES, 64.0),
        "correlations_C": rng.random((NOTES, 4)),
        "by_head_H": rng.random((NOTES, HEADS)),
        "removed_RG": removed,
        "hurts_more_R": rng.random((NOTES, 2)),
        "scores_P": rng.integers(2, size=(NOTES, len(PATTERNS))).astype(np.float64),
        "excess_PH": rng.normal(size=(NOTES, len(PATTERNS), HEADS)),
    }


def test_heads_are_chosen_by_the_weight_on_a_pattern_and_by_the_contrast() -> None:
    changed = random_measures()
    changed["excess_PH"][:, 0, [5, 1, 2]] += [30.0, 20.0, 10.0]
    changed["excess_PH"][:, 1:] = np.nan
    changed["scores_P"] = np.ones((NOTES, len(PATTERNS)))
    changed["scores_P"][1::2, 0] = 0.0
    changed["effects_H"] = np.zeros((NOTES, HEADS))
    changed["effects_H"][::2, [0, 3, 4]] = [1.0, 3.0, 2.0]
    first, second = measures.choose_sets(changed)  # no note decides about the other patterns
    assert first == ChosenSet("parallel_motion", "attention", (5, 1, 2))
    assert second == ChosenSet("parallel_motion", "effect", (3, 4, 0))
    sets_DH = measures.with_random([first, second], HEADS, np.random.default_rng(0))
    assert sets_DH.shape == (2 + RANDOM_SETS, HEADS)
    assert [np.flatnonzero(row).tolist() for row in sets_DH[:2]] == [[1, 2, 5], [0, 3, 4]]
    assert (sets_DH.sum(axis=1) == 3).all()


def test_results_are_means_over_the_notes_that_have_a_value() -> None:
    given = random_measures()
    found = {name: MEANS.mean(values) for name, values in results.quantities(given, 2).items()}
    value = {name: one.value for name, one in found.items() if one is not None}
    heads = [spearman(given["weights_WH"][n, 1], abs(given["effects_H"][n])) for n in range(NOTES)]
    assert value["heads concentration_size"] == pytest.approx(np.mean(heads))
    assert value["head 2.2 effect"] == pytest.approx(given["effects_H"][:, 3].mean())
    kept = given["removed_RG"][5:, 1]
    assert value["16 sources difference"] == pytest.approx((kept[:, 0] - kept[:, 2]).mean())
    effects_NS = given["source_effects_S"]
    assert value["ranks 5 to 6 effect"] == pytest.approx(effects_NS[:, 4:6].mean())
    assert value["ranks 5 to 6 size"] == pytest.approx(abs(effects_NS[:, 4:6]).mean())
    assert value["random others effect"] == pytest.approx(effects_NS[:, 64:].mean())


def test_a_set_of_heads_is_compared_with_the_random_ones() -> None:
    given, chosen = random_measures(), [ChosenSet(PATTERNS[0], "effect", (0, 4))]
    effects_ND = np.random.default_rng(7).normal(size=(NOTES, 1 + RANDOM_SETS))
    here = given["scores_P"][:, 0] == 1
    effects_ND[here, 0] += 5
    pieces = [{name: values[n : n + 8] for name, values in given.items()}
              for n in range(0, NOTES, 8)]  # fmt: skip
    one = Observed("tiny", 2, pieces, chosen, [0, 1, 2, 3, 4], effects_ND)
    rows = {row.quantity: row for row in results.summarise([one])}
    contrast_D = effects_ND[here].mean(axis=0) - effects_ND[~here].mean(axis=0)
    prefix = f"{PATTERNS[0]} effect"
    assert rows[f"{prefix} heads"].value == "1.1 3.1"
    assert rows[f"{prefix} contrast"].value == pytest.approx(contrast_D[0])
    assert rows[f"{prefix} excess"].value == pytest.approx(contrast_D[0] - contrast_D[1:].mean())
    assert rows[f"{prefix} with_pattern"].value == pytest.approx(effects_ND[here, 0].mean())
    assert rows[f"{prefix} rank"].value == 1.0
    assert rows[f"{prefix} p"].value == pytest.approx(1 / 101)


def test_the_report_has_a_row_for_each_quantity_and_a_column_for_each_model() -> None:
    rows = (
        Row("a", "nats", 1.0, 0.5, 1.5),
        Row("b", "nats", -2.0, -3.0, -1.0),
        Row("a", "head 1.1 effect", 0.25, 0.0, 0.5),
        Row("a", "bar_ago effect heads", "1.1"),
    )
    text = results.report(rows, "python -m training.ablation")
    assert "| nats | 1.0000 (0.5000 to 1.5000) | −2.0000 (−3.0000 to −1.0000) |" in text
    assert "| head 1.1 effect | 0.2500 (0.0000 to 0.5000) |" in text
    assert "| bar ago effect heads | 1.1 |" in text


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    pieces = [piece.cropped(0, 32) for piece in bundled.load("test")[:3]]
    monkeypatch.setattr(bundled, "load", lambda _: pieces)
    names = [tmp_path / "plain", tmp_path / "rel"]
    for kind, folder in zip(("sinusoidal", "relative"), names, strict=True):
        load(kind, folder)
    return ["--models", *map(str, names), "--notes", "12", "--out", str(tmp_path / "out")]


def test_a_study_is_continued_by_the_same_command(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert study.main(words) == 0
    out = tmp_path / "out"
    before = {name: (out / name).read_text() for name in ("results.csv", "report.md")}
    rows = {(row["model"], row["quantity"]): row for row in csv.DictReader(
        before["results.csv"].splitlines())}  # fmt: skip
    first, second, change = (
        float(rows[name, "heads concentration"]["value"])
        for name in ("plain", "rel", "rel minus plain")
    )
    assert change == pytest.approx(second - first, abs=2e-6)
    for path in out.glob("parts/*/notes-002.npz"):
        path.unlink()
    monkeypatch.setattr(measures, "set_effects", None)  # all of them are kept
    assert study.main(words) == 0
    assert before == {name: (out / name).read_text() for name in before}


def test_a_folder_with_another_study_is_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = Path(words[-1])
    out.mkdir()
    (out / "ablation.json").write_text("{}")
    with pytest.raises(SystemExit):
        study.main(words)
    assert "holds another study: choose another --out" in capsys.readouterr().err
