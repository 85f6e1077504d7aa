"""The learning rate over a run."""

from __future__ import annotations

import math

import pytest

from musicrel.experiment.recipe.recipe import Decay, TrainingPart
from musicrel.experiment.training.trainer import learning_rate


def part(decay: Decay, warmup: int = 10, final: float = 0.1) -> TrainingPart:
    """Return a schedule of 100 steps with a highest rate of 2."""
    return TrainingPart(
        steps=100, learning_rate=2.0, warmup_steps=warmup, decay=decay, final_rate=final
    )


def rates(training: TrainingPart) -> list[float]:
    return [learning_rate(training, step, step / 100) for step in range(100)]


def test_the_rate_rises_in_equal_steps() -> None:
    """The first step is not 0, the last of the warm-up has it all."""
    training = part("linear", warmup=4)

    assert [learning_rate(training, step, 0.0) for step in range(5)] == [0.5, 1.0, 1.5, 2.0, 2.0]


def test_without_a_rise_it_begins_at_the_top() -> None:
    """Warm-up of 0 and of 1 are the same."""
    assert learning_rate(part("cosine", warmup=0), 0, 0.0) == 2.0
    assert learning_rate(part("cosine", warmup=1), 0, 0.0) == 2.0


@pytest.mark.parametrize(
    ("decay", "progress", "expected"),
    [
        ("linear", 0.5, 2 * (0.1 + 0.9 * 0.5)),
        ("linear", 1.0, 0.2),
        ("cosine", 0.25, 2 * (0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi / 4)))),
        ("cosine", 0.5, 2 * (0.1 + 0.9 * 0.5)),
        ("cosine", 1.0, 0.2),
        ("cosine", 1.7, 0.2),
    ],
)
def test_the_rate_falls_to_what_is_left(decay: Decay, progress: float, expected: float) -> None:
    assert learning_rate(part(decay), 50, progress) == pytest.approx(expected)


def test_the_published_schedule_falls_with_the_root_of_the_step() -> None:
    """Vaswani et al. 2017, eq. 3, scaled to its highest value: min(s^-1/2, s w^-3/2) w^1/2."""
    expected = [2.0 * min(s**-0.5, s * 10**-1.5) * 10**0.5 for s in range(1, 101)]

    assert rates(part("inverse_sqrt")) == pytest.approx(expected)


@pytest.mark.parametrize("decay", ["cosine", "linear", "inverse_sqrt"])
def test_a_rate_is_never_above_the_highest_and_only_falls_after_the_rise(decay: Decay) -> None:
    found = rates(part(decay))

    assert max(found) <= 2.0
    assert found[:10] == sorted(found[:10])
    assert found[10:] == sorted(found[10:], reverse=True)
