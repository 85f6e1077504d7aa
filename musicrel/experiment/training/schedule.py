"""Learning rate schedules: linear warm-up, then decay over the budget."""

from __future__ import annotations

import math

from musicrel.experiment.recipe.recipe import TrainingPart


def learning_rate(training: TrainingPart, step: int, progress: float) -> float:
    """Return the learning rate of ``step``.

    Args:
        progress: share of the budget used before this step, 0 to 1; ignored if the recipe sets
            ``schedule_steps``.
    """
    if training.decay == "warmup_linear":
        return training.learning_rate * _published(training, step)
    if training.schedule_steps:
        progress = step / training.schedule_steps
    warmup = min(1.0, (step + 1) / max(training.warmup_steps, 1))
    return training.learning_rate * warmup * _decay(training, step, min(progress, 1.0))


def _decay(training: TrainingPart, step: int, progress: float) -> float:
    if training.decay == "inverse_sqrt":  # Vaswani et al. 2017, eq. 3
        warmup = max(training.warmup_steps, 1)
        return math.sqrt(warmup / max(step + 1, warmup))
    left = 1.0 - progress
    if training.decay == "cosine":
        left = 0.5 * (1.0 + math.cos(math.pi * progress))
    return training.final_rate + (1.0 - training.final_rate) * left


def _published(training: TrainingPart, step: int) -> float:
    """Return ``get_linear_schedule_with_warmup`` of transformers: 0 at both ends."""
    if step < training.warmup_steps:
        return step / training.warmup_steps
    left = training.schedule_steps - step
    return max(left / (training.schedule_steps - training.warmup_steps), 0.0)
