"""Every bundled model reaches the test loss on its card."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import musicrel
from musicrel import jobs, paths
from musicrel.analysis.corpus import melodies
from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Voice
from musicrel.errors import FileError
from musicrel.experiment.data import dataset
from musicrel.experiment.data.dataset import DataSet
from musicrel.experiment.objectives import objectives
from musicrel.experiment.recipe import recipe
from musicrel.experiment.training import teaching
from musicrel.model import checkpoint
from musicrel.model.card import CARD, Card, read_card
from musicrel.model.tokens.conditions import CONDITIONS
from musicrel.presentation.compose import model_card
from musicrel.score import files

FOLDERS = sorted(path.parent for path in (paths.assets() / "models").glob(f"*/{CARD}"))
STORED_IN_HALF = 5e-4
"""Nats that storing weights in half precision can cost; see ``training.publish``."""


def learned_from(source: str) -> DataSet:
    """Return the data set of a card; skip the test without the data that are not bundled."""
    try:
        return dataset.load(source)
    except FileError as reason:
        pytest.skip(f"no shared data: {reason}")


def of_conditions(card: Card) -> list[tuple[tuple[str, ...], float]]:
    entries = [(names.split("+"), entry) for names, entry in card.figures.items()]
    return [
        (tuple(names), entry["test"])
        for names, entry in entries
        if all(name in CONDITIONS for name in names)
    ]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_losses_on_the_card_are_reproduced(folder: Path) -> None:
    loaded = checkpoint.load(folder)
    plan = recipe.from_tables(loaded.card.recipe, folder.name)
    objective = objectives.for_recipe(plan, learned_from(plan.data.source))
    found = {
        given: jobs.run(objective.evaluate(loaded.network, "test", given)).nats_per_note
        for given in objective.condition_sets(loaded.card.config)
    }

    assert found == pytest.approx(dict(of_conditions(loaded.card)), abs=STORED_IN_HALF)
    assert loaded.card.test_nats_per_note == next(iter(dict(of_conditions(loaded.card)).values()))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_recipe_on_the_card_is_the_bundled_one(folder: Path) -> None:
    """A model that was taught has the recipe of its lesson."""
    card, origin = read_card(folder), f"--recipe {folder.name}"
    expected = recipe.load(folder.name) if not card.taught else None
    if expected is None:
        origin = "--from relative --data hymns:hymns.json"
        expected = teaching.lesson("relative", "hymns:hymns.json", folder.name)
    assert recipe.from_tables(card.recipe, folder.name) == expected
    assert f"musicrel train {origin} --out" in model_card.to_markdown(card, folder.name)


def test_bundled_models_are_found() -> None:
    assert {"vanilla", "relative"} <= {folder.name for folder in FOLDERS}


def longest_return(piece: Chorale) -> int:
    """Return the quarters for which a lower voice comes back under mostly another melody."""
    found, tokens = 0, 2 * piece.pitches + piece.onsets
    for lag in range(piece.meter.steps, piece.steps, piece.meter.steps):
        same = tokens[lag:] == tokens[:-lag]
        for voice in (Voice.ALTO, Voice.TENOR, Voice.BASS):
            ends = np.flatnonzero(np.diff(same[:, voice], prepend=False, append=False))
            for start, stop in ends.reshape(-1, 2).tolist():
                if same[start:stop, Voice.SOPRANO].mean() < 1 / 2:
                    found = max(found, stop - start)
    return found // STEPS_PER_QUARTER


@pytest.mark.parametrize(
    ("tune", "seed", "quality"),
    [("au-clair-de-la-lune", 3, "draft"), ("nun-danket", 1, "draft"), ("ode-to-joy", 0, "normal")],
)
def test_lower_voices_do_not_come_back_under_another_part_of_a_tune(
    tune: str, seed: int, quality: Literal["draft", "normal"], tmp_path: Path
) -> None:
    piece = files.read(melodies.path(tune))
    files.write(replace(piece, fermatas=np.zeros_like(piece.fermatas)), tmp_path / "tune.musicxml")
    written = musicrel.harmonise(tmp_path / "tune.musicxml", seed=seed, quality=quality)
    assert longest_return(written) <= 6
