"""Evaluation in nats per note."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.errors import DataError
from musicrel.experiment.objectives import evaluation
from musicrel.experiment.objectives.evaluation import Evaluation, evaluate
from musicrel.experiment.runs.events import PieceLoss
from musicrel.model.families.transformer import Transformer
from musicrel.model.tokens import codec, conditions
from musicrel.model.tokens.vocabulary import ARTICULATED, END, PAD, PITCH
from tests.helpers.models import tiny_config, tiny_model
from tests.helpers.music import random_chorale

EVERYTHING = tuple(conditions.CONDITIONS)
POSITIONAL = ("voice", "beat")
PIECES = [random_chorale(seed, steps) for seed, steps in enumerate([9, 3, 20, 3, 1])]


@pytest.fixture
def model() -> Transformer:
    return tiny_model(tiny_config("relative", conditions=EVERYTHING))


def run(model: Transformer, pieces: list[Chorale] = PIECES, **given: Any) -> Evaluation:
    return jobs.run(evaluate(model, pieces, ARTICULATED, **given))


def naive(model: Transformer, piece: Chorale, given: tuple[str, ...]) -> list[float]:
    """Return -log p of every token after START, one by one, in float64."""
    ids = codec.encode(piece, ARTICULATED)
    rows = conditions.rows(piece, EVERYTHING, given)
    with torch.inference_mode():
        logits = model(torch.from_numpy(ids)[None], torch.from_numpy(rows)[None]).logits_BTV[0]
    found = []
    for place, target in enumerate(ids[1:]):
        row = logits[place].double().numpy()
        found.append(float(np.log(np.exp(row - row.max()).sum()) + row.max() - row[target]))
    return found


@pytest.mark.parametrize("given", [(), ("voice", "beat"), EVERYTHING])
def test_it_is_the_sum_over_all_notes_written_out(
    model: Transformer, given: tuple[str, ...]
) -> None:
    expected = [naive(model, piece, given) for piece in PIECES]
    notes = [4 * piece.steps for piece in PIECES]

    result = run(model, given=given)

    assert result.conditions == given
    assert [piece.notes for piece in result.pieces] == notes
    for piece, nats in zip(result.pieces, expected, strict=True):
        assert piece.nats == pytest.approx(sum(nats[:-1]), rel=1e-5)
        assert piece.end_nats == pytest.approx(nats[-1], rel=1e-5)
    total = sum(sum(nats[:-1]) for nats in expected)
    assert result.nats_per_note == pytest.approx(total / sum(notes), rel=1e-5)
    assert result.end_nats == pytest.approx(sum(nats[-1] for nats in expected) / 5, rel=1e-5)
    assert result.notes == sum(notes)


@pytest.mark.parametrize("tokens", [1, 40, 100, 10**9])
def test_the_grouping_changes_nothing(
    model: Transformer, monkeypatch: pytest.MonkeyPatch, tokens: int
) -> None:
    expected = run(model)

    monkeypatch.setattr(evaluation, "_TOKENS_AT_ONCE", tokens)
    found = run(model)

    assert found.nats_per_note == pytest.approx(expected.nats_per_note, rel=1e-6)
    for one, other in zip(found.pieces, expected.pieces, strict=True):
        assert one.nats == pytest.approx(other.nats, rel=1e-5)


def test_even_odds_cost_the_logarithm_of_the_vocabulary(model: Transformer) -> None:
    for parameter in model.head.parameters():
        parameter.data.zero_()

    result = run(model)

    assert result.nats_per_note == pytest.approx(math.log(ARTICULATED.size))
    assert result.end_nats == pytest.approx(math.log(ARTICULATED.size))


def test_conditions_the_model_lacks_are_not_given() -> None:
    model = tiny_model(tiny_config("sinusoidal", conditions=("voice",)))

    assert run(model, given=EVERYTHING).conditions == ("voice",)


def test_short_pieces_come_first_and_the_result_is_in_order(model: Transformer) -> None:
    seen: list[PieceLoss] = []

    result = jobs.run(evaluate(model, PIECES, ARTICULATED), seen.append)

    assert [loss.notes for loss in seen] == [4, 12, 12, 36, 80]
    assert [loss.index for loss in result.pieces] == [0, 1, 2, 3, 4]
    assert [loss.title for loss in result.pieces] == [piece.title for piece in PIECES]


def test_the_model_is_left_in_its_mode(model: Transformer) -> None:
    model.train()
    job = evaluate(model, PIECES, ARTICULATED)
    next(job)
    assert not model.training

    job.close()

    assert model.training


def test_no_pieces_are_refused(model: Transformer) -> None:
    with pytest.raises(DataError, match="there is no piece to evaluate on"):
        run(model, [])


def test_another_vocabulary_is_refused(model: Transformer) -> None:
    with pytest.raises(DataError, match="has 97 tokens, vocabulary pitch has 51: expected the"):
        jobs.run(evaluate(model, PIECES, PITCH))


def cut(piece: int) -> tuple[codec.Ids, conditions.Rows, int]:
    chorale = PIECES[piece]
    return codec.encode(chorale, ARTICULATED), conditions.rows(chorale, POSITIONAL, POSITIONAL), 0


@pytest.mark.parametrize("notes", [8, 40, 1000])
def test_an_opening_is_as_many_notes_and_its_first_is_given(model: Transformer, notes: int) -> None:
    """Shorter pieces are read to their end, which is no note."""
    expected = [naive(model, piece, ("voice", "beat"))[:-1] for piece in PIECES]

    result = run(model, opening=notes)

    for piece, nats in zip(result.pieces, expected, strict=True):
        assert piece.notes == min(notes, len(nats)) - 1
        assert piece.nats == pytest.approx(sum(nats[1:notes]), rel=1e-5)
        assert (piece.end_nats is None) == (len(nats) >= notes)


@pytest.mark.parametrize("window", [4, 6, 8, 16, 30, 1000])
@pytest.mark.parametrize("piece", range(len(PIECES)))
def test_every_token_is_predicted_once_in_order(piece: int, window: int) -> None:
    ids, given, _ = cut(piece)
    predicted: list[int] = []

    for batch in evaluation.window_batches(cut(piece), window, 3):
        assert len(batch.ids_BT) <= 3
        assert batch.ids_BT.shape[1] <= window
        for row, start in enumerate(batch.starts_B.tolist()):
            places = np.flatnonzero(batch.targets_BT[row].numpy() != PAD)
            seen = batch.ids_BT[row].numpy()
            np.testing.assert_array_equal(seen[: places[-1] + 1], ids[start:][: places[-1] + 1])
            assert batch.conditions_BTC[row, 0].tolist() == given[start].tolist()
            assert start % 4 == 0
            assert all(place + 1 >= min(window // 2 - 2, start + place) for place in places)
            predicted += [start + 1 + int(place) for place in places]

    assert predicted == list(range(1, len(ids)))


def windowed(model: Transformer, piece: int, window: int, *, restart: bool = False) -> list[float]:
    ids, given, _ = cut(piece)
    step, found = window // 2 // 4 * 4, []
    for target in range(1, len(ids)):
        start = max(-(-(target - window) // step), 0) * step
        part = slice(start, target)
        with torch.inference_mode():
            logits = model(
                torch.from_numpy(ids[part])[None],
                torch.from_numpy(given[part])[None],
                starts_B=torch.tensor([0 if restart else start]),
            ).logits_BTV[0, -1]
        found.append(-float(logits.double().log_softmax(-1)[int(ids[target])]))
    return found


@pytest.mark.parametrize("scheme", ["sinusoidal", "relative"])
@pytest.mark.parametrize("window", [8, 24])
def test_the_loss_is_that_of_each_token_in_its_window(scheme: str, window: int) -> None:
    """Written out token by token; positions are those in the piece."""
    model = tiny_model(tiny_config(scheme, conditions=POSITIONAL))

    found = jobs.run(evaluate(model, PIECES, ARTICULATED, window=window))

    for piece, loss in enumerate(found.pieces):
        nats = windowed(model, piece, window)
        assert loss.notes == 4 * PIECES[piece].steps
        assert loss.nats == pytest.approx(sum(nats[:-1]), rel=1e-5)
        assert loss.end_nats == pytest.approx(nats[-1], rel=1e-5)
        assert cut(piece)[0][-1] == END


def test_positions_may_start_again_in_each_window() -> None:
    """Written out token by token; it matters to a scheme with positions in the piece."""
    model = tiny_model(tiny_config("sinusoidal", conditions=POSITIONAL))

    plain, again = (
        jobs.run(evaluate(model, PIECES, ARTICULATED, window=24, restart=restart))
        for restart in (False, True)
    )

    expected = [sum(windowed(model, n, 24, restart=True)[:-1]) for n in range(len(PIECES))]
    assert [loss.nats for loss in again.pieces] == pytest.approx(expected, rel=1e-5)
    assert again.nats_per_note != pytest.approx(plain.nats_per_note, rel=1e-4)


def test_a_window_that_holds_all_changes_nothing() -> None:
    model = tiny_model(tiny_config("relative", conditions=POSITIONAL))

    whole = jobs.run(evaluate(model, PIECES, ARTICULATED))
    wide = jobs.run(evaluate(model, PIECES, ARTICULATED, window=4096))

    assert wide.nats_per_note == pytest.approx(whole.nats_per_note, rel=1e-6)
