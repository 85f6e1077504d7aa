"""Every bundled model reaches the test loss on its card."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel import jobs, paths
from musicrel.errors import FileError
from musicrel.experiment.data import dataset
from musicrel.experiment.data.dataset import DataSet
from musicrel.experiment.objectives import objectives
from musicrel.experiment.recipe import recipe
from musicrel.model import checkpoint
from musicrel.model.card import CARD

FOLDERS = sorted(path.parent for path in (paths.assets() / "models").glob(f"*/{CARD}"))
STORED_IN_HALF = 5e-4
"""Nats that storing weights in half precision can cost; see ``training.publish``."""


def learned_from(source: str) -> DataSet:
    """Return the data set of a card; skip the test without the data that are not bundled."""
    try:
        return dataset.load(source)
    except FileError as reason:
        pytest.skip(f"no shared data: {reason}")


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_loss_on_the_card_is_reproduced(folder: Path) -> None:
    """The test loss from the stored weights equals that on the card, under the same conditions."""
    loaded = checkpoint.load(folder)
    plan = recipe.from_tables(loaded.card.recipe, folder.name)
    objective = objectives.for_recipe(plan, learned_from(plan.data.source))
    given = objective.condition_sets(loaded.card.config)[0]

    found = jobs.run(objective.evaluate(loaded.model, "test", given))

    assert found.nats_per_note == pytest.approx(loaded.card.test_nats_per_note, abs=STORED_IN_HALF)


def test_bundled_models_are_found() -> None:
    """The parametrised test above is not empty."""
    assert {"vanilla", "relative"} <= {folder.name for folder in FOLDERS}
