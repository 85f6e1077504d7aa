"""Put the model of a finished run into ``assets/models``.

    python -m training.publish RUN [--name NAME]

The figures on its card are recomputed first; if one differs nothing is published. Weights are
stored in half precision if that changes no figure by 0.0005 nats/note.
"""

from __future__ import annotations

import dataclasses
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from musicrel import jobs, paths
from musicrel.chorale import Voice
from musicrel.errors import ModelError
from musicrel.experiment.data import dataset
from musicrel.experiment.objectives import objectives
from musicrel.experiment.recipe import recipe
from musicrel.generation.loaded_model import load_model
from musicrel.model import checkpoint, devices
from musicrel.model.card import CARD, WEIGHTS, Card, read_card
from musicrel.model.families.transformer import Transformer
from musicrel.model.tokens.conditions import CONDITIONS
from training import reports
from training.averages import log_p

_SAME = 1e-4
_HALF_MAY_COST = 5e-4
_FLAT = 2e-3
"""nats/note per million tokens; training stopped early if the loss fell faster at the end."""

Figures = Mapping[str, Mapping[str, float]]


def publish(run: Path, name: str | None = None) -> Path:
    loaded = checkpoint.load(run / "model")
    _compare(loaded.card.figures, _figures(loaded.network, loaded.card), _SAME, run)
    training = {**loaded.card.training, "stopped_early": _stopped_early(loaded.card)}
    card = dataclasses.replace(loaded.card, name=name or loaded.card.name, training=training)
    target = paths.assets() / "models" / card.name
    checkpoint.save(target, _stored_precision(loaded.network, loaded.card), card)
    add_voice_losses(target)
    return target


def _stopped_early(card: Card) -> bool:
    """Return True if the loss was still falling at the end of the budget."""
    slope: float = card.training.get("final_slope_nats_per_million_tokens", 0.0)
    return slope < -_FLAT


def add_voice_losses(directory: Path) -> None:
    """Add the test loss of each voice to the card of a causal model."""
    model = load_model(str(directory))
    card = read_card(directory)
    if not card.config.is_causal:
        return
    source = recipe.from_tables(card.recipe, "the recipe of the card").data.source
    pieces = dataset.load(source).pieces["test"]
    nats = np.concatenate([-log_p(model, piece)[:-1].reshape(-1, len(Voice)) for piece in pieces])
    voices = {voice.name.lower(): float(nats[:, voice].mean()) for voice in Voice}
    paths.write_text(directory / CARD, dataclasses.replace(card, voices=voices).to_json())


def _stored_precision(model: Transformer, card: Card) -> Transformer:
    with tempfile.TemporaryDirectory() as folder:
        checkpoint.save(Path(folder), model.half(), card)
        again = checkpoint.load(Path(folder)).network
    try:
        _compare(card.figures, _figures(again, card), _HALF_MAY_COST, Path(WEIGHTS))
    except ModelError as reason:
        print(f"kept in single precision: {reason}")
        return model.float()
    return model.half()


def _figures(model: Transformer, card: Card) -> Figures:
    plan = recipe.from_tables(card.recipe, "the recipe of the card")
    objective = objectives.for_recipe(plan, dataset.load(plan.data.source))
    first = objective.condition_sets(card.config)[0]
    return {
        heading: {
            split: getattr(
                jobs.run(objective.evaluate(model, split, _conditions_of(heading, first))),
                heading if heading == objective.metric else "nats_per_note",
            )
            for split in of_splits
        }
        for heading, of_splits in card.figures.items()
    }


def _conditions_of(heading: str, first: tuple[str, ...]) -> tuple[str, ...]:
    names = tuple(heading.split("+"))
    return names if set(names) <= set(CONDITIONS) else first


def _compare(stated: Mapping[str, Any], found: Figures, tolerance: float, where: Path) -> None:
    for heading, of_splits in found.items():
        for split, figure in of_splits.items():
            if abs(stated[heading][split] - figure) > tolerance:
                raise ModelError(
                    f"{where}: the card states {stated[heading][split]:.5f} nats/note on {split} "
                    f"given {heading}, but the model has {figure:.5f}"
                )


@reports.script
def main(words: Sequence[str]) -> None:
    parser = reports.parser("publish", __doc__)
    parser.add_argument("run", type=Path, help="the folder of a finished run")
    parser.add_argument("--name", help="the model's name (default: that of its recipe)")
    args = parser.parse_args(words)
    devices.use_threads(1)
    print(publish(args.run, args.name))


if __name__ == "__main__":
    sys.exit(main())
