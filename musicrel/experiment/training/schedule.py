"""The learning rate over a run: a linear rise, then a fall over the budget.

This file knows numbers only.
"""

from __future__ import annotations

import math

from musicrel.experiment.recipe.recipe import TrainingPart


def rate(training: TrainingPart, step: int, progress: float) -> float:
    """The rate of ``step``.

    Args:
        training: highest rate, warm-up, shape of the fall and what is left at its end.
        step: counted from 0.
        progress: share of the budget used before this step, 0 to 1; where the recipe has a
            schedule of its own, that counts instead.
    """
    if training.decay == "warmup_linear":
        return training.learning_rate * _published(training, step)
    if training.schedule_steps:
        progress = step / training.schedule_steps
    rise = min(1.0, (step + 1) / max(training.warmup_steps, 1))
    return training.learning_rate * rise * _fall(training, step, min(progress, 1.0))


def _fall(training: TrainingPart, step: int, progress: float) -> float:
    if training.decay == "inverse_sqrt":  # Vaswani et al. 2017, eq. 3
        warmup = max(training.warmup_steps, 1)
        return math.sqrt(warmup / max(step + 1, warmup))
    left = 1.0 - progress
    if training.decay == "cosine":
        left = 0.5 * (1.0 + math.cos(math.pi * progress))
    return training.final_rate + (1.0 - training.final_rate) * left


def _published(training: TrainingPart, step: int) -> float:
    """``get_linear_schedule_with_warmup`` of transformers: 0 at the first step and at the last."""
    if step < training.warmup_steps:
        return step / training.warmup_steps
    left = training.schedule_steps - step
    return max(left / (training.schedule_steps - training.warmup_steps), 0.0)
