"""Tables weighed by what a model writes itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.chorale import Chorale, Key, Meter
from musicrel.errors import DataError, UsageError
from musicrel.experiment.training import calibration
from musicrel.experiment.training.calibration import Weighed, Writing, weigh
from musicrel.generation.infill import infill_generator
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
    monkeypatch.setattr(calibration, "PIECES", {"causal": 32})
    monkeypatch.setattr(calibration, "_FEWEST", 10)


def _model(seed: int = 0, *, tables: bool = True, family: str = "causal") -> LoadedModel:
    told = TOLD if family == "causal" else TOLD[1:]
    counterpoint = PITCHES if tables else 0
    config = tiny_config("relative", told=told, counterpoint=counterpoint, family=family)
    network = tiny_model(config, seed).eval()
    if network.counterpoint is not None:
        for parameter in network.counterpoint.parameters():
            torch.nn.init.zeros_(parameter)
    return LoadedModel.unsaved(network, tiny_card(network), ARTICULATED)


def _weighed(
    model: LoadedModel, rounds: int, seed: int = 0, pieces: Sequence[Chorale] = PIECES
) -> list[Weighed]:
    events: list[Writing | Weighed] = []
    jobs.run(weigh(model, pieces, rounds, seed), events.append)
    return [event for event in events if isinstance(event, Weighed)]


@pytest.mark.usefixtures("_few")
def test_round_by_round_a_model_writes_more_as_the_real_pieces_are() -> None:
    """One that knows nothing strays less in every table from the pieces it is weighed by."""
    rounds = _weighed(_model(), 5)

    assert [told.round for told in rounds] == [1, 2, 3, 4, 5]
    for name in ("led_MS", "home_HD", "pace_WG"):
        first, *_, last = (told.astray[name] for told in rounds)
        assert 0 <= last < 0.8 * first


def test_a_model_that_settles_is_weighed_by_what_it_settles_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its notes, too, become as long as the real ones; its layers, which know nothing, stay."""
    monkeypatch.setattr(calibration, "PIECES", {"infill": 8})
    monkeypatch.setattr(calibration, "_FEWEST", 4)
    monkeypatch.setattr(infill_generator, "READINGS", {"normal": 3})
    monkeypatch.setattr(infill_generator, "RESUNG", {"normal": 0})
    model = _model(family="infill")
    for parameter in model.network.head.parameters():
        torch.nn.init.zeros_(parameter)
    before = {name: value.clone() for name, value in model.network.state_dict().items()}

    first, _, last = _weighed(model, 3, pieces=[_real(_CHORDS, 6), _real(_CHORDS[::-1], 6)])

    assert 0 <= last.astray["pace_WG"] < 0.6 * first.astray["pace_WG"]
    after = model.network.state_dict()
    moved = {name for name, value in before.items() if not torch.equal(value, after[name])}
    assert moved == {f"counterpoint.{name}" for name in ("led_MS", "home_HD", "pace_WG")}


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


def test_what_is_rare_is_hardly_made_likelier_for_not_having_happened() -> None:
    """Of a thousand tokens one would be expected: none is hardly news, twenty are."""
    real = torch.tensor([[99_900.0, 100.0]])
    none, many = (
        calibration._missing(real, torch.tensor([[1000.0 - own, own]]))[0, 1] for own in (0.0, 20.0)
    )
    assert 0 < none < 0.25
    assert many < -1


def test_of_a_quarter_of_the_pieces_the_fermatas_are_asked_for() -> None:
    """Of half of them the meter and the pickup, of the others whole bars of 4/4; of all the key."""
    holds = np.zeros(52, dtype=np.bool_)
    holds[-4:] = True
    plan = replace(_real(_CHORDS, 13), fermatas=holds, meter=Meter(3, 4), pickup=4)

    asked = list(calibration._requests([plan, plan], 8, np.random.default_rng(0)))

    told = [request.told() for request in asked]
    assert [("fermata" in one, "phrase" in one) for one in told] == [
        *[(True, True), (False, False), (False, False), (False, False)] * 2
    ]
    assert all("key" in one for one in told)
    assert [(request.meter, request.pickup, request.steps) for request in asked] == [
        *[(Meter(3, 4), 4, 52), (Meter(4, 4), 0, 64)] * 4
    ]


def test_what_cannot_be_weighed_is_refused() -> None:
    with pytest.raises(UsageError, match="has no tables of counterpoint to be weighed"):
        jobs.run(weigh(_model(tables=False), PIECES, 1, 0))
    long = _real(_CHORDS, quarters=calibration.LONGEST // 4 + 1)
    with pytest.raises(DataError, match="none of 1 pieces has at most 512 sixteenths"):
        jobs.run(weigh(_model(), [replace(long, title="long")], 1, 0))
