"""The critic and its term in the ranking."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from musicrel.analysis import grade_reference
from musicrel.chorale import Chorale
from musicrel.errors import ModelError, UsageError
from musicrel.generation import kernel
from musicrel.generation.candidates import candidate_job, critic, ranking
from musicrel.generation.candidates.critic import Critic
from musicrel.generation.candidates.measures import CRITIC_CONTEXT, CandidateEvaluator
from musicrel.model import catalogue, checkpoint
from musicrel.model.checkpoint import LoadedWeights
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory
from tests.helpers.music import random_chorale


@pytest.fixture
def tiny() -> Critic:
    """Return a critic with random weights."""
    config = tiny_config("relative", conditions=("beat",), family="critic", classes=2)
    network = tiny_model(config)
    return Critic(weights=LoadedWeights.of(network, tiny_card(network)))


def test_log_odds_are_the_difference_of_logits(tiny: Critic) -> None:
    """The log-odds are the difference of the two logits."""
    piece = random_chorale(1, 40)
    ids, rows = critic.critic_input(piece, ("beat",))
    with torch.inference_mode():
        other, bach = tiny.weights.model(
            torch.from_numpy(ids)[None], torch.from_numpy(rows)[None]
        ).logits_BTV[0, 0]
    assert tiny.log_odds([piece]) == [pytest.approx(float(other - bach))]


def test_log_odds_do_not_depend_on_the_batch(tiny: Critic) -> None:
    """To the bit: the lengths of the other pieces in the batch do not matter."""
    pieces = [random_chorale(seed, 30 + seed) for seed in range(3)]
    assert tiny.log_odds(pieces) == [tiny.log_odds([piece])[0] for piece in pieces]


def test_log_odds_by_torch_are_the_same(tiny: Critic, monkeypatch: pytest.MonkeyPatch) -> None:
    """Torch reads a padded batch where the compiled kernel is switched off."""
    pieces = [random_chorale(seed, 30 + seed) for seed in range(3)]
    expected = tiny.log_odds(pieces)

    monkeypatch.setenv(kernel.SWITCH, "off")

    assert tiny.log_odds(pieces) == pytest.approx(expected, abs=1e-5)


def test_a_critic_is_read_from_its_folder(tiny: Critic, tmp_path: Path) -> None:
    """A model of another family is refused."""
    checkpoint.save(tmp_path / "critic", tiny.weights.model, tiny.weights.card)
    again = Critic.load(tmp_path / "critic")
    piece = random_chorale(2, 40)
    assert again.log_odds([piece]) == pytest.approx(tiny.log_odds([piece]))
    with pytest.raises(ModelError, match="of family causal: expected one of family critic"):
        Critic.load(tiny_model_directory(tmp_path / "causal"))


def test_the_critic_reads_the_region_with_two_bars_around_it() -> None:
    """The context ends with the piece; without a critic the measure is None."""
    inputs: list[Chorale] = []

    def critic_function(piece: Chorale) -> float:
        inputs.append(piece)
        return 1.5

    piece, free = random_chorale(1, 120), np.zeros((120, 4), dtype=bool)
    free[40:50, 1] = True
    reference = grade_reference.load().reference
    found = CandidateEvaluator(reference, [], critic_function).measure(
        piece, np.zeros((120, 4)), free
    )

    assert found.critic == 1.5
    assert inputs == [piece.cropped(40 - CRITIC_CONTEXT, 50 + CRITIC_CONTEXT)]
    assert ranking.terms(found, {"critic": 2.0})["critic"] == 3.0
    assert ranking.terms(found)["critic"] == 0.0  # shown only
    without = CandidateEvaluator(reference, []).measure(piece, np.zeros((120, 4)), free)
    assert without.critic is None
    assert ranking.terms(without, {"critic": 2.0})["critic"] == 0.0


def test_a_weight_without_a_critic_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A weight of 0 and the default weights are accepted."""
    monkeypatch.setattr(catalogue, "critic", lambda: None)
    for cached in (critic.bundled_critic, candidate_job._bundled_evaluator):
        cached.cache_clear()
    try:
        assert candidate_job.bundled_evaluator().critic is None
        assert candidate_job.bundled_evaluator({"critic": 0.0, "nats": 1.0}).critic is None
        with pytest.raises(UsageError, match=r"the weight of 'critic' is 0\.5, but there is no"):
            candidate_job.bundled_evaluator({"critic": 0.5})
    finally:
        for cached in (critic.bundled_critic, candidate_job._bundled_evaluator):
            cached.cache_clear()
