"""What ``import musicrel`` offers to scripts: writing with something given."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import musicrel
from musicrel.errors import UsageError
from musicrel.generation.candidates.candidate_job import Proposals
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.loaded_model import LoadedModel
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import random_chorale


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """Weights by chance."""
    return musicrel.load_model(str(tiny_model_directory(tmp_path_factory.mktemp("m") / "tiny")))


def test_a_part_of_a_piece_may_be_written_anew(model: LoadedModel) -> None:
    """One piece, all else as it was."""
    piece = random_chorale(2, 24)
    new = musicrel.generate(model, original=piece, rewrite="alto", seed=3)
    others = [0, 2, 3]
    assert np.array_equal(new.pitches[:, others], piece.pitches[:, others])
    assert not np.array_equal(new.pitches, piece.pitches)


def test_candidates_come_ranked_and_measured(model: LoadedModel) -> None:
    """The best first; the original beside them."""
    piece = random_chorale(2, 24)
    made = musicrel.generate(
        model, candidates=2, original=piece, keep=["soprano", "bass"], weights={"nats": 2.0}
    )
    assert isinstance(made, Proposals)
    assert made.original is not None
    assert made.original.chorale == piece
    assert made.ranked[0].score <= made.ranked[1].score


def test_locks_and_rules_may_be_given(model: LoadedModel, tmp_path: Path) -> None:
    """As a value or as a file; one rule or several."""
    values = {"steps": 16, "cells": [[0, 0, 72]]}
    (tmp_path / "locks.json").write_text(json.dumps(values), encoding="utf-8")
    by_file = musicrel.generate(model, bars=1, locks=tmp_path / "locks.json", rules="range")
    by_value = musicrel.generate(model, bars=1, locks=Locks.from_json(values), rules=("range",))
    assert by_file == by_value
    assert by_file.pitches[0, 0] == 72


def test_wishes_that_do_not_go_together_are_refused(model: LoadedModel) -> None:
    """In a sentence."""
    with pytest.raises(UsageError, match="keep and rewrite name parts of a piece: give it as orig"):
        musicrel.generate(model, keep="soprano")
    with pytest.raises(UsageError, match="count is 0: expected at least 1"):
        musicrel.generate(model, count=0)
    with pytest.raises(UsageError, match="nothing says what of the piece to write anew"):
        musicrel.generate(model, original=random_chorale(2, 24))
