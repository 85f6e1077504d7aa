"""Every shipped model says of the test pieces what its card says it does."""

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
"""Nats that storing weights in half precision may cost; see ``training.publish``."""


def learned_from(source: str) -> DataSet:
    """The data of a card; a test that needs what is not shipped is skipped without them."""
    try:
        return dataset.load(source)
    except FileError as reason:
        pytest.skip(f"no shared data: {reason}")


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_figure_on_the_card_is_found_again(folder: Path) -> None:
    """On the test split, told what counts on the card, from the weights as they are shipped."""
    loaded = checkpoint.load(folder)
    plan = recipe.from_tables(loaded.card.recipe, folder.name)
    objective = objectives.of(plan, learned_from(plan.data.source))
    told = objective.told(loaded.card.config)[0]

    found = jobs.run(objective.evaluate(loaded.model, "test", told))

    assert found.nats_per_note == pytest.approx(loaded.card.test_nats_per_note, abs=STORED_IN_HALF)


def test_there_are_models_to_look_at() -> None:
    """A folder that moved would leave the test above empty."""
    assert {"vanilla", "relative"} <= {folder.name for folder in FOLDERS}
