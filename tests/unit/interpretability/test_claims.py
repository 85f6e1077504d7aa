"""The claims of 2018, examined on tiny models."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.analysis.claims.claim_shares import MEASURES, OF_PIECES, STEPS, ClaimShares
from musicrel.analysis.claims.intervals import Estimate
from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError
from musicrel.generation.heads import means as sources
from musicrel.generation.loaded_model import load_model
from musicrel.generation.scoring.teacher_forcing import conditions_of
from musicrel.interpretability import claims
from musicrel.interpretability.claims import (
    ClaimProgress,
    ClaimResults,
    examine_claims,
    measure_attention,
    verdict_of,
)
from musicrel.model import checkpoint
from musicrel.model.tokens.vocabulary import MASK, PITCH
from tests.helpers.known import known
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory

PIECES = 2


@pytest.fixture(autouse=True)
def split(monkeypatch: pytest.MonkeyPatch) -> list[Chorale]:
    pieces = [piece.cropped(0, 64) for piece in bundled.load("test")[:3]]
    load = bundled.load  # phrases are drawn as in the training chorales, which are kept
    monkeypatch.setattr(
        bundled, "load", lambda split: list(pieces) if split == "test" else load(split)
    )
    return pieces


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("models")
    pairs = {"plain": "sinusoidal", "rel": "relative"}
    return [str(tiny_model_directory(folder / name, scheme)) for name, scheme in pairs.items()]


@pytest.fixture(scope="module")
def infiller(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("infiller") / "filler"
    model = tiny_model(tiny_config("relative", conditions=("beat",), family="infill"))
    checkpoint.save(folder, model, tiny_card(model))
    return str(folder)


def examined(names: Sequence[str], events: list[ClaimProgress] | None = None) -> ClaimResults:
    job = examine_claims(names, pieces=PIECES)
    return jobs.run(job, None if events is None else events.append)


def test_shares_are_those_of_the_whole_map(models: list[str], split: list[Chorale]) -> None:
    model = load_model(models[1])
    rows = model.condition_rows(split[0], conditions_of(split[0]))
    ids = model.encode(split[0])[:-1]
    weights = model.attention(ids, rows[: len(ids)]).reshape(4, len(ids), len(ids))[:, :-1]
    all_heads = np.concatenate((weights.mean(0, keepdims=True), weights))
    expected = ClaimShares.of(split[0]).measure(all_heads, np.arange(len(ids) - 1))

    found = measure_attention(model, split[0])

    for name, values in expected.items():
        known = ~np.isnan(values[0])
        assert found.counts[name] == known.sum()
        np.testing.assert_allclose(found.totals[name], values[:, known].sum(1), rtol=1e-5)
    last = expected["last_events"][:, 4:]
    growth = last[:, -84:].mean(1) - last[:, :84].mean(1)
    np.testing.assert_allclose(found.totals["last_events_growth"], growth, atol=1e-6)


def test_every_measure_is_found_for_every_model(models: list[str]) -> None:
    found = examined(models)

    assert [model.model for model in found.models] == ["plain", "rel"]
    assert [model.scheme for model in found.models] == ["sinusoidal", "relative"]
    for model in found.models:
        for name in MEASURES:
            own = model.find(name, "own")
            if name in OF_PIECES:
                assert model.find(name, "test") is None
                assert own is not None
                continue
            test = known(model.find(name, "test"))
            assert test.mean.low <= test.mean.value <= test.mean.high
            assert np.shape(test.heads) == (2, 2)
            assert test.strongest is not None
            best = test.heads[test.strongest.layer][test.strongest.head]
            assert best == test.strongest.share.value == np.max(test.heads)
    assert tuple(finding.measure for finding in found.bach) == OF_PIECES


def test_mean_over_pieces_is_pooled(models: list[str], split: list[Chorale]) -> None:
    found = examined(models[:1]).models[0].find("step_before", "test")
    parts = [measure_attention(load_model(models[0]), piece) for piece in split[:PIECES]]

    total = sum(part.totals["step_before"][0] for part in parts)
    assert found is not None
    assert found.mean.value == pytest.approx(total / (PIECES * 63 * 4))
    assert found.even == pytest.approx(sum(4 / (cell + 1) for cell in range(4, 256)) / 252)


def test_differences_are_those_of_later_models_to_the_first(models: list[str]) -> None:
    found = examined(models)

    changes = {(one.measure, one.source): one for one in found.differences}
    assert ("step_before", "test") in changes
    assert ("repeated_notes", "own") in changes
    assert ("repeated_notes", "test") not in changes
    for (measure, source), one in changes.items():
        first, second = (model.find(measure, source) for model in found.models)
        assert first is not None
        assert second is not None
        assert one.change.value == pytest.approx(second.mean.value - first.mean.value)
        schemes = "sinusoidal", "relative"
        assert one.verdict == verdict_of(measure, one.change, (first.mean, second.mean), schemes)


@pytest.mark.parametrize(
    ("measure", "low", "high", "schemes", "expected"),
    [
        ("step_before", 0.1, 0.2, ("sinusoidal", "relative"), "holds"),
        ("step_before", -0.2, -0.1, ("sinusoidal", "relative"), "opposite"),
        ("step_before", -0.1, 0.2, ("sinusoidal", "relative"), "open"),
        ("step_before", 0.1, 0.2, ("relative", "sinusoidal"), "opposite"),
        ("last_events", 0.1, 0.2, ("sinusoidal", "relative"), "opposite"),
        ("last_events", -0.2, -0.1, ("sinusoidal", "relative"), "holds"),
        ("last_events", 0.1, 0.2, ("relative", "relative"), None),
        ("last_events", 0.1, 0.2, ("rope", "alibi"), None),
    ],
)
def test_a_claim_holds_if_the_interval_is_on_its_side(
    measure: str, low: float, high: float, schemes: tuple[str, str], expected: str | None
) -> None:
    none = Estimate(0, 0, 0)

    found = verdict_of(measure, Estimate((low + high) / 2, low, high), (none, none), schemes)

    assert found == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.1, 0.2, "holds"), (-0.1, 0.2, "open"), (-0.2, -0.1, "opposite")],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_a_preference_must_be_that_of_the_relative_model(
    low: float, high: float, expected: str, *, is_first: bool
) -> None:
    other, own = Estimate(0.5, 0.4, 0.6), Estimate((low + high) / 2, low, high)
    values, schemes = (other, own), ("sinusoidal", "relative")
    if is_first:
        values, schemes = (own, other), ("relative", "sinusoidal")
    assert verdict_of("phrase_start_excess", other, values, schemes) == expected


def test_infilling_models_are_examined_by_step(infiller: str) -> None:
    (model,) = examined([infiller]).models

    assert {finding.measure for finding in model.findings} == {
        "step_before", "phrase_start", "phrase_start_excess", *OF_PIECES,
    }  # fmt: skip
    found = known(model.find("step_before", "test"))
    assert found.even == pytest.approx(1 / 64)


def test_models_without_repeated_notes_have_no_rate(tmp_path: Path) -> None:
    name = str(tiny_model_directory(tmp_path / "grid", vocabulary=PITCH))
    (model,) = examined([name]).models

    assert model.find("repeated_notes", "own") is None
    assert model.find("longest_pitch", "own") is not None


def test_progress_counts_the_pieces_of_three_tasks(models: list[str]) -> None:
    events: list[ClaimProgress] = []
    examined(models, events)

    assert [event.done for event in events] == [1, 2, 3, 4, 5, 6] * 2
    assert {event.total for event in events} == {6}
    tasks = ["reading", "writing", "reading its own"]
    assert [event.task for event in events[::2]] == tasks * 2


@pytest.mark.parametrize(
    ("names", "pieces", "sentence"),
    [
        (["relative"], 0, "pieces is 0: expected 1 to 3, those of the test"),
        (["relative"], 4, "pieces is 4: expected 1 to 3, those of the test"),
        (["relative", "relative"], None, "expected each only once"),
    ],
    ids=["no piece", "too many pieces", "the same model"],
)
def test_other_pieces_and_models_are_refused(
    names: list[str], pieces: int | None, sentence: str
) -> None:
    with pytest.raises(MusicrelError, match=sentence):
        jobs.run(examine_claims(names, pieces=pieces))


def test_results_are_reported_in_full(models: list[str]) -> None:
    found = examined(models)

    values = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert values["models"][0]["findings"][0]["mean"][0] == found.models[0].findings[0].mean.value
    head, lines = claims.head(found), list(claims.rows(found))
    assert head[2:] == ("plain", "rel", "Bach, or equal weights", "rel − plain", "claim")
    assert {len(line) for line in lines} == {len(head)}
    known = {(one.measure, one.source) for model in found.models for one in model.findings}
    assert len(lines) == len(known)
    text = claims.markdown(found, "musicrel diagnose --claims")
    assert text.startswith("`musicrel diagnose --claims`. Values with 95 % intervals")
    assert "(seeds 0 to 1," in text
    assert text.count("\n| ") == len(lines) + 4 + len(MEASURES) - len(OF_PIECES)


def test_figures_have_the_unit_of_their_measure() -> None:
    value = Estimate(-0.0504, -0.1, 0.0001)

    assert claims.interval(MEASURES["phrase_start"], value) == "−5.0 (−10.0 to 0.0)"
    assert claims.interval(MEASURES["longest_pitch"], Estimate(5, 4.5, 5.5)) == ("5.0 (4.5 to 5.5)")


def test_infilling_models_predict_hidden_notes(infiller: str, split: list[Chorale]) -> None:
    piece, model = split[0].cropped(0, 12), load_model(infiller)
    notes = sources.note_numbers(piece)
    ids = model.encode(piece)[1:-1]
    rows = torch.from_numpy(model.condition_rows(piece, conditions_of(piece))[: len(ids)])[None]
    weights = []
    for cell in range(len(ids)):
        hidden = np.where(notes == notes[cell], MASK, ids)
        with torch.inference_mode():
            output = model.network(torch.from_numpy(hidden)[None], rows, record=True)
        weights.append(np.stack([layer[0, :, cell // 4].numpy() for layer in output.weights]))
    of_heads = np.stack(weights).reshape(len(ids), 4, 12).transpose(1, 0, 2)
    expected = ClaimShares.of(piece, STEPS).measure(of_heads, np.arange(len(ids)))

    found = measure_attention(model, piece)

    totals = np.nansum(expected["step_before"], axis=1)
    np.testing.assert_allclose(found.totals["step_before"][1:], totals, rtol=1e-4)
    assert found.counts["step_before"] == 44
