"""The Python interface: what ``import musicrel`` offers.

This file ties the layers together for scripts; it does nothing the app does otherwise.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final, overload

from musicrel import jobs
from musicrel.analysis import assessment, yardstick
from musicrel.analysis.assessment import Assessment
from musicrel.chorale import Chorale, Key, Meter
from musicrel.corpus import bundled
from musicrel.corpus.splits import Split
from musicrel.errors import UsageError
from musicrel.experiment import data
from musicrel.experiment import evaluation as losses
from musicrel.experiment.evaluation import Evaluation
from musicrel.generation import causal
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest
from musicrel.tokens import conditions

__all__ = ["Chorale", "LoadedModel", "evaluate", "generate", "grade", "load_model"]

_DEFAULT_MODEL: Final = "relative"


@overload
def generate(
    model: str | Path | LoadedModel = ..., *, count: None = ..., **wishes: Any
) -> Chorale: ...
@overload
def generate(
    model: str | Path | LoadedModel = ..., *, count: int, **wishes: Any
) -> list[Chorale]: ...


def generate(
    model: str | Path | LoadedModel = _DEFAULT_MODEL, *, count: int | None = None, **wishes: Any
) -> Chorale | list[Chorale]:
    """Write one piece, or with ``count`` a list of pieces with seeds from ``seed`` on.

    Args:
        model: a loaded model, or the name or directory of one.
        count: how many; None: one, not in a list.
        **wishes: fields of ``GenerationRequest``; meter and key may be text, as in "3/4" and
            "F# minor".
    """
    if isinstance(wishes.get("meter"), str):
        wishes["meter"] = Meter.parse(wishes["meter"])
    if isinstance(wishes.get("key"), str):
        wishes["key"] = Key.parse(wishes["key"])
    if count is not None and count < 1:
        raise UsageError(f"count is {count}: expected at least 1")
    request = GenerationRequest(**wishes)
    loaded = _loaded(model)
    seeds = range(request.seed, request.seed + (1 if count is None else count))
    pieces = [
        jobs.run(causal.generate(loaded, replace(request, seed=seed))).chorale for seed in seeds
    ]
    return pieces[0] if count is None else pieces


def evaluate(
    model: str | Path | LoadedModel = _DEFAULT_MODEL,
    source: str = "chorales",
    split: Split = "test",
    given: tuple[str, ...] = conditions.FROM_PLACE_ALONE,
) -> Evaluation:
    """nats/note of a model over whole pieces.

    Args:
        model: a loaded model, or the name or directory of one.
        source: ``chorales`` or ``jsb:FILE``.
        split: train, valid or test.
        given: conditions the model is told.
    """
    loaded = _loaded(model)
    pieces = data.load(source).pieces[split]
    return jobs.run(losses.evaluate(loaded.network, pieces, loaded.vocabulary, given))


def grade(chorale: Chorale, reference: str = yardstick.SHIPPED) -> Assessment:
    """How near to Bach a piece is, which rules it breaks, how much of it the models had heard.

    Args:
        chorale: the piece.
        reference: what it is compared with, see ``musicrel.analysis.yardstick.load``.
    """
    measure = yardstick.load(reference).reference
    return assessment.assess(chorale, measure, assessment.heard(bundled.load("train")))


def _loaded(model: str | Path | LoadedModel) -> LoadedModel:
    return model if isinstance(model, LoadedModel) else load_model(str(model))
