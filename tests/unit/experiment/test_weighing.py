"""Tables weighed by what a model writes itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.chorale import Chorale, Key
from musicrel.errors import DataError, UsageError
from musicrel.experiment import weighing
from musicrel.experiment.weighing import Weighed, Writing, weigh
from musicrel.generation.loaded_model import LoadedModel
from musicrel.tokens.vocabulary import ARTICULATED, PITCHES
from tests.helpers.models import tiny_card, tiny_config, tiny_model

TOLD = ("voice", "beat", "key", "ending")
_CHORDS = ((72, 67, 64, 48), (71, 67, 62, 43), (72, 69, 65, 53), (71, 67, 62, 55))


def _real(chords: tuple[tuple[int, ...], ...], quarters: int = 12) -> Chorale:
    """Chords in quarters, C major; the last is the first, two quarters long."""
    order = [chords[n % len(chords)] for n in range(quarters - 2)] + [chords[0]] * 2
    return Chorale.of(np.repeat(order, 4, axis=0), key=Key("C", "major"))


PIECES = [_real(_CHORDS), _real(_CHORDS[::-1])]


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "PIECES", 32)
    monkeypatch.setattr(weighing, "_FEWEST", 10)


def _model(seed: int = 0, *, tables: bool = True) -> LoadedModel:
    config = tiny_config("relative", told=TOLD, counterpoint=PITCHES if tables else 0)
    network = tiny_model(config, seed).eval()
    if network.counterpoint is not None:
        for parameter in network.counterpoint.parameters():
            torch.nn.init.zeros_(parameter)
    return LoadedModel.unsaved(network, tiny_card(network), ARTICULATED)


def _weighed(model: LoadedModel, rounds: int, seed: int = 0) -> list[Weighed]:
    events: list[Writing | Weighed] = []
    jobs.run(weigh(model, PIECES, rounds, seed), events.append)
    return [event for event in events if isinstance(event, Weighed)]


@pytest.mark.usefixtures("_few")
def test_round_by_round_a_model_writes_more_as_the_real_pieces_are() -> None:
    """One that knows nothing strays less in every table from the pieces it is weighed by."""
    rounds = _weighed(_model(), 5)

    assert [told.round for told in rounds] == [1, 2, 3, 4, 5]
    for name in ("led_MS", "home_HD", "pace_WG"):
        first, *_, last = (told.astray[name] for told in rounds)
        assert 0 <= last < 0.8 * first


@pytest.mark.usefixtures("_few")
def test_the_layers_stay_and_the_same_seed_gives_the_same_tables() -> None:
    models = [_model(), _model(), _model()]
    before = {name: value.clone() for name, value in models[0].network.state_dict().items()}
    for model, seed in zip(models, (1, 1, 2), strict=True):
        _weighed(model, 1, seed)

    states = [model.network.state_dict() for model in models]
    moved = {name for name, value in before.items() if not torch.equal(value, states[0][name])}
    assert moved == {f"counterpoint.{name}" for name in ("led_MS", "home_HD", "pace_WG")}
    assert all(torch.equal(states[0][name], states[1][name]) for name in before)
    assert not torch.equal(states[0]["counterpoint.pace_WG"], states[2]["counterpoint.pace_WG"])


@pytest.mark.usefixtures("_few")
def test_it_tells_how_far_it_is_while_it_writes() -> None:
    events: list[Writing | Weighed] = []
    jobs.run(weigh(_model(), PIECES, 1, 0), events.append)

    done = [event.done for event in events if isinstance(event, Writing)]
    assert done == sorted(done)
    assert set(done) == {0, 16}
    assert len(done) > 32  # often enough to be stopped soon


def test_what_cannot_be_weighed_is_refused() -> None:
    with pytest.raises(UsageError, match="has no tables of counterpoint to be weighed"):
        jobs.run(weigh(_model(tables=False), PIECES, 1, 0))
    long = _real(_CHORDS, quarters=weighing.LONGEST // 4 + 1)
    with pytest.raises(DataError, match="none of 1 pieces has at most 512 sixteenths"):
        jobs.run(weigh(_model(), [replace(long, title="long")], 1, 0))
