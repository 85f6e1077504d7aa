"""Pieces read through a window that slides by half."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.experiment.objectives import sliding_windows
from musicrel.experiment.objectives.evaluation import evaluate
from musicrel.model.families.transformer import Transformer
from musicrel.tokens import codec, conditions
from musicrel.tokens.vocabulary import ARTICULATED, END, PAD
from tests.helpers.models import tiny_config, tiny_model
from tests.helpers.music import random_chorale

TOLD = ("voice", "beat")
PIECES = [random_chorale(seed, steps) for seed, steps in enumerate([9, 3, 20, 1])]


def cut(piece: int) -> tuple[codec.Ids, conditions.Rows, int]:
    """A whole piece as ids and conditions."""
    chorale = PIECES[piece]
    return codec.encode(chorale, ARTICULATED), conditions.rows(chorale, TOLD, TOLD), 0


@pytest.mark.parametrize("window", [4, 6, 8, 16, 30, 1000])
@pytest.mark.parametrize("piece", range(len(PIECES)))
def test_every_token_is_predicted_once_in_order(piece: int, window: int) -> None:
    """With half a window before it, less half a step, as far as the piece has as much."""
    ids, told, _ = cut(piece)
    predicted: list[int] = []

    for batch in sliding_windows.batches(cut(piece), window, 3):
        assert len(batch.ids_BT) <= 3
        assert batch.ids_BT.shape[1] <= window
        for row, start in enumerate(batch.starts_B.tolist()):
            places = np.flatnonzero(batch.targets_BT[row].numpy() != PAD)
            seen = batch.ids_BT[row].numpy()
            np.testing.assert_array_equal(seen[: places[-1] + 1], ids[start:][: places[-1] + 1])
            assert batch.conditions_BTC[row, 0].tolist() == told[start].tolist()
            assert start % 4 == 0
            assert all(place + 1 >= min(window // 2 - 2, start + place) for place in places)
            predicted += [start + 1 + int(place) for place in places]

    assert predicted == list(range(1, len(ids)))


def naive(model: Transformer, piece: int, window: int) -> list[float]:
    """-log p of every token after START, each read with its own window alone."""
    ids, told, _ = cut(piece)
    step, found = window // 2 // 4 * 4, []
    for target in range(1, len(ids)):
        start = max(-(-(target - window) // step), 0) * step
        part = slice(start, target)
        with torch.inference_mode():
            logits = model(
                torch.from_numpy(ids[part])[None],
                torch.from_numpy(told[part])[None],
                starts_B=torch.tensor([start]),
            ).logits_BTV[0, -1]
        found.append(-float(logits.double().log_softmax(-1)[int(ids[target])]))
    return found


@pytest.mark.parametrize("scheme", ["sinusoidal", "relative"])
@pytest.mark.parametrize("window", [8, 24])
def test_the_loss_is_that_of_each_token_in_its_window(scheme: str, window: int) -> None:
    """Written out token by token; positions are those in the piece."""
    model = tiny_model(tiny_config(scheme, told=TOLD))

    found = jobs.run(evaluate(model, PIECES, ARTICULATED, window=window))

    for piece, loss in enumerate(found.pieces):
        nats = naive(model, piece, window)
        assert loss.notes == 4 * PIECES[piece].steps
        assert loss.nats == pytest.approx(sum(nats[:-1]), rel=1e-5)
        assert loss.end_nats == pytest.approx(nats[-1], rel=1e-5)
        assert cut(piece)[0][-1] == END


def test_a_window_that_holds_all_changes_nothing() -> None:
    """It is the whole piece in context."""
    model = tiny_model(tiny_config("relative", told=TOLD))

    whole = jobs.run(evaluate(model, PIECES, ARTICULATED))
    wide = jobs.run(evaluate(model, PIECES, ARTICULATED, window=4096))

    assert wide.nats_per_note == pytest.approx(whole.nats_per_note, rel=1e-6)
