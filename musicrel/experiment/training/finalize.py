"""The end of a run: final evaluation of the best weights, model card and result."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Generator
from typing import Any, Final, TypeAlias

from musicrel.corpus.splits import Split
from musicrel.errors import ModelError
from musicrel.experiment.objectives.evaluation import Evaluation
from musicrel.experiment.runs import memory
from musicrel.experiment.training import train_events
from musicrel.experiment.training.tile_kernel import use_tile_kernel
from musicrel.experiment.training.train_events import TrainEvaluated, TrainEvent, TrainResult
from musicrel.experiment.training.trainer import Trainer
from musicrel.model import checkpoint
from musicrel.model.card import WEIGHTS, Card
from musicrel.model.families.transformer import Transformer
from musicrel.model.positions.learned import BeyondTableError

Evaluate: TypeAlias = Callable[
    [Transformer, str, tuple[str, ...]], Generator[TrainEvent, None, Evaluation | None]
]
"""Evaluates a model on a split with some conditions; None if interrupted."""

Calibrate: TypeAlias = Callable[[Transformer], Generator[TrainEvent, None, bool]]
"""Calibrates a model if the recipe asks for it; False if interrupted."""

_MEASURED: Final[tuple[Split, ...]] = ("valid", "test")
_LATE: Final = 0.75

REFUSED: Final = "refused"
"""Value in place of the figure of a length that the model does not accept."""


def finish(
    trainer: Trainer, evaluate: Evaluate, calibrate: Calibrate
) -> Generator[TrainEvent, None, TrainResult | None]:
    """Calibrate and evaluate the best weights, write model and result.

    Test is used here and nowhere else, and not for a trial.
    """
    best = _best(trainer)
    if not (yield from calibrate(best)):
        return None
    condition_sets = trainer.objective.condition_sets(best.config)
    figures: dict[tuple[str, ...], dict[str, Evaluation]] = {}
    for given in condition_sets:
        for split in _MEASURED[:1] if trainer.recipe.training.trial else _MEASURED:
            evaluation = yield from evaluate(best, split, given)
            if evaluation is None:
                return None
            figures.setdefault(given, {})[split] = evaluation
    further = yield from _further(trainer, best, evaluate)
    if further is None:
        return None
    primary = figures[condition_sets[0]]
    _write_model(trainer, best, figures, further)
    test = primary.get("test")
    ended = dataclasses.replace(
        result(trainer, finished=True),
        valid=primary["valid"].nats_per_note,
        test=None if test is None else test.nats_per_note,
        test_pieces=() if test is None else test.pieces,
        further=further,
        stopped=trainer.stopped,
    )
    trainer.folder.write_result(ended.to_json())
    return ended


def _further(
    trainer: Trainer, best: Transformer, evaluate: Evaluate
) -> Generator[TrainEvent, None, dict[str, float | str] | None]:
    """Evaluate the objective's final splits; lengths the model does not accept are ``REFUSED``.

    A trial has none.
    """
    found: dict[str, float | str] = {}
    for split in () if trainer.recipe.training.trial else trainer.objective.final_splits:
        try:
            evaluation = yield from evaluate(
                best, split, trainer.objective.condition_sets(best.config)[0]
            )
        except BeyondTableError:
            found[split] = REFUSED
            continue
        if evaluation is None:
            return None
        found[split] = getattr(evaluation, trainer.objective.metric)
    return found


def result(trainer: Trainer, *, finished: bool) -> TrainResult:
    """Return the current state of the run as a result."""
    counters = trainer.counters
    return TrainResult(
        finished=finished,
        step=counters.step,
        tokens=counters.tokens,
        seconds=counters.seconds,
        valid=counters.best,
        test=None,
        parameters=trainer.learner.model.parameter_count,
        peak_bytes=memory.peak_bytes(trainer.device),
        rollbacks=counters.rollbacks,
    )


def keep_best(trainer: Trainer) -> str:
    """Store the averaged weights as the best so far; return the sha256 of the file."""
    folder = trainer.folder
    weights, known = trainer.learner.averaged, card(trainer)
    folder.guarded_write(lambda: checkpoint.save(folder.best, weights, known))
    return hashlib.sha256((folder.best / WEIGHTS).read_bytes()).hexdigest()


def card(trainer: Trainer, **more: Any) -> Card:
    """Return the model card of the current weights; ``more`` fields override."""
    counters, recipe = trainer.counters, trainer.recipe
    pieces = trainer.data.sizes
    training = {
        "step": counters.step,
        "tokens": counters.tokens,
        "seconds": round(counters.seconds, 1),
        "machine": trainer.machine,
    }
    if trainer.learner.init_sha256:
        training["begun_with_sha256"] = trainer.learner.init_sha256
    if trainer.soft_targets.sha256:
        training["teachers_sha256"] = list(trainer.soft_targets.sha256)
    fields: dict[str, Any] = {
        "name": recipe.name,
        "config": trainer.learner.model.config,
        "vocabulary": trainer.objective.vocabulary,
        "parameters": trainer.learner.model.parameter_count,
        "data": {"name": trainer.data.name, "sha256": trainer.data.sha256, "pieces": pieces},
        "recipe": recipe.to_tables(),
        "training": training,
        "valid_nats_per_note": counters.best,
        "commit": trainer.commit,
    }
    return Card(**fields | more)


def _best(trainer: Trainer) -> Transformer:
    """Load the best weights and check that they are those that were kept."""
    loaded = checkpoint.load(trainer.folder.best, str(trainer.device))
    if loaded.sha256 != trainer.counters.best_sha256:
        raise ModelError(
            f"{trainer.folder.best} does not hold the weights that were stored there: "
            "start the run again in another folder"
        )
    use_tile_kernel(loaded.model)  # the arithmetic of the evaluations before
    return loaded.model


def _write_model(
    trainer: Trainer,
    best: Transformer,
    figures: dict[tuple[str, ...], dict[str, Evaluation]],
    further: dict[str, float | str],
) -> None:
    known, trial = card(trainer), trainer.recipe.training.trial
    further_figures = {trainer.objective.metric: further} if further else {}
    losses: dict[str, Any] = {
        "+".join(given): {split: found.nats_per_note for split, found in of_splits.items()}
        for given, of_splits in figures.items()
    }
    full = dataclasses.replace(
        known,
        figures={} if trial else losses | further_figures,
        valid_nats_per_note=next(iter(losses.values()))["valid"],
        test_nats_per_note=next(iter(losses.values())).get("test"),
        training={
            **known.training,
            "best_step": trainer.counters.best_step,
            **_final_slope(trainer),
        },
    )
    trainer.folder.guarded_write(lambda: checkpoint.save(trainer.folder.model, best, full))


def _final_slope(trainer: Trainer) -> dict[str, float]:
    """Return the slope of the validation loss over the last quarter.

    Its unit is nats/note per million tokens; the dictionary is empty for a single point.
    """
    points = [
        (event.tokens / 1e6, event.valid)
        for event in map(train_events.from_json, trainer.folder.events())
        if isinstance(event, TrainEvaluated)
    ]
    late = [point for point in points if point[0] >= _LATE * points[-1][0]] if points else []
    if len(late) < 2 or late[-1][0] == late[0][0]:  # noqa: PLR2004  # a slope has two ends
        return {}
    slope = (late[-1][1] - late[0][1]) / (late[-1][0] - late[0][0])
    return {"final_slope_nats_per_million_tokens": round(slope, 5)}
