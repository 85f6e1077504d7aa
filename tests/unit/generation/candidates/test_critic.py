"""How sure a critic is, and its say in the ranking."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from musicrel.analysis import grade_reference
from musicrel.chorale import Chorale
from musicrel.errors import ModelError, UsageError
from musicrel.generation.candidates import critic, judging, ranking
from musicrel.generation.candidates.critic import Critic
from musicrel.generation.candidates.measures import HEARD_AROUND, Judge
from musicrel.model import catalogue, checkpoint
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory
from tests.helpers.music import random_chorale


@pytest.fixture
def tiny() -> Critic:
    """With weights by chance."""
    config = tiny_config("relative", told=("beat",), family="critic", classes=2)
    return Critic(network=tiny_model(config), sha256="0")


def test_it_is_against_in_nats(tiny: Critic) -> None:
    """The log-odds that it is not Bach: the difference of the logits."""
    piece = random_chorale(1, 40)
    ids, rows = critic.as_heard(piece, ("beat",))
    with torch.inference_mode():
        other, bach = tiny.network(
            torch.from_numpy(ids)[None], torch.from_numpy(rows)[None]
        ).logits_BTV[0, 0]
    assert tiny.against([piece]) == [pytest.approx(float(other - bach))]


def test_pieces_side_by_side_are_judged_as_alone(tiny: Critic) -> None:
    """Whatever their lengths."""
    pieces = [random_chorale(seed, 30 + seed) for seed in range(3)]
    alone = [tiny.against([piece])[0] for piece in pieces]
    assert tiny.against(pieces) == pytest.approx(alone, abs=1e-5)


def test_a_critic_is_read_from_its_folder(tiny: Critic, tmp_path: Path) -> None:
    """Another model is none."""
    checkpoint.save(tmp_path / "critic", tiny.network, tiny_card(tiny.network))
    again = Critic.load(tmp_path / "critic")
    piece = random_chorale(2, 40)
    assert again.against([piece]) == pytest.approx(tiny.against([piece]))
    with pytest.raises(ModelError, match="of family causal: expected one of family critic"):
        Critic.load(tiny_model_directory(tmp_path / "causal"))


def test_a_region_is_heard_with_two_bars_around_it() -> None:
    """As far as there are any; without a critic nothing is said."""
    heard: list[Chorale] = []

    def opinion(piece: Chorale) -> float:
        heard.append(piece)
        return 1.5

    piece, free = random_chorale(1, 120), np.zeros((120, 4), dtype=bool)
    free[40:50, 1] = True
    reference = grade_reference.load().reference
    found = Judge(reference, [], opinion).measure(piece, np.zeros((120, 4)), free)

    assert found.critic == 1.5
    assert heard == [piece.cropped(40 - HEARD_AROUND, 50 + HEARD_AROUND)]
    assert ranking.terms(found, {"critic": 2.0})["critic"] == 3.0
    assert ranking.terms(found)["critic"] == 0.0  # shown only
    without = Judge(reference, []).measure(piece, np.zeros((120, 4)), free)
    assert without.critic is None
    assert ranking.terms(without, {"critic": 2.0})["critic"] == 0.0


def test_a_weight_without_a_critic_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one sentence; 0 and the usual weights are not."""
    monkeypatch.setattr(catalogue, "critic", lambda: None)
    for cached in (critic.at_hand, judging._judge):
        cached.cache_clear()
    try:
        assert judging.shipped().critic is None
        assert judging.shipped({"critic": 0.0, "nats": 1.0}).critic is None
        with pytest.raises(UsageError, match=r"the weight of 'critic' is 0\.5, but there is no"):
            judging.shipped({"critic": 0.5})
    finally:
        for cached in (critic.at_hand, judging._judge):
            cached.cache_clear()
