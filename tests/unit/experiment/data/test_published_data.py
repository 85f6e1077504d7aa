"""The published pipeline: its counts to the digit, its masks against a naive reading of it."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis.corpus.splits import SPLITS
from musicrel.chorale import Chorale
from musicrel.errors import DataError
from musicrel.experiment.objectives import published_objective
from musicrel.experiment.objectives.published_objective import BATCH, SPECIALS
from musicrel.model.tokens.vocabulary import PUBLISHED_TOKENS
from tests.helpers.published import jsb16, needs_jsb16

PIECE = Chorale.of([[67, 64, -1, 48], [65, 62, 55, 47]])


def test_a_piece_is_written_without_its_rests() -> None:
    """START is 0, END is 1, and what follows a rest has moved up."""
    assert published_objective.serialise(PIECE).tolist() == [0, 67, 64, 48, 65, 62, 55, 47, 1]


def test_windows_begin_at_every_token_and_are_padded() -> None:
    known = published_objective.vocabulary_values([PIECE])
    other = Chorale.of([[67, 64, 90, 48]])

    found = published_objective.windows([PIECE, other], known, 4)

    assert known == (0, 1, 47, 48, 55, 62, 64, 65, 67)
    assert found.ids_NL.shape == (9 + 6, 4)
    assert found.ids_NL[0].tolist() == [5, 13, 11, 8]
    assert found.ids_NL[7].tolist() == [7, 6, 0, 0]
    assert found.ids_NL[9].tolist() == [5, 13, 11, SPECIALS.index("UNK")]
    assert found.piece_N.tolist() == [0] * 9 + [1] * 6
    assert len(found) == 15


@needs_jsb16
def test_the_published_counts_are_met_to_the_digit() -> None:
    known = published_objective.vocabulary_values(jsb16("train"))
    found = {split: published_objective.windows(jsb16(split), known) for split in SPLITS}

    counted = [(len(windows), -(-len(windows) // BATCH)) for windows in found.values()]
    assert counted == [(220_959, 27_620), (73_195, 9_150), (75_470, 9_434)]
    assert len(known) + len(SPECIALS) == PUBLISHED_TOKENS == 53
    assert known[:2] == (0, 1)


@needs_jsb16
def test_a_group_is_hidden_in_every_window() -> None:
    """25 % of a whole one; of ten hidden tokens eight are MASK, one another, one itself."""
    known = published_objective.vocabulary_values(jsb16("train"))
    ids = published_objective.windows(jsb16("valid"), known).ids_NL

    shown, target = published_objective.mask_windows(ids, np.random.default_rng(0))

    hidden = target != 0
    whole = (ids != 0).all(1)
    assert (hidden[whole].sum(1) == 4).all()
    assert hidden.any(1).all()
    groups = hidden.reshape(len(ids), 4, 4) == (ids != 0).reshape(len(ids), 4, 4)
    assert (groups.all(2).sum(1) >= 1).all()
    assert (shown[~hidden] == ids[~hidden]).all()
    assert (target[hidden] == ids[hidden]).all()
    assert (shown[hidden] != 0).all()
    assert (shown[hidden] == 1).mean() == pytest.approx(0.8 + 0.1 * 2 / 53, abs=0.005)
    same = (shown[hidden] == ids[hidden]).mean()
    assert same == pytest.approx(0.1 + 0.1 / 53, abs=0.005)


def test_long_windows_have_more_groups_hidden() -> None:
    """max(1, round(15 % of those that are there)), the tokens of no whole group never."""
    ids = np.full((3, 42), 9)
    ids[1, 20:] = 0
    ids[2, 1:] = 0

    _, target = published_objective.mask_windows(ids, np.random.default_rng(0))

    assert (target != 0).sum(1).tolist() == [8, 4, 1]
    assert not target[:, 40:].any()


def test_music_with_more_pitches_than_the_published_is_refused() -> None:
    wide = Chorale.of([[pitch] * 4 for pitch in range(30, 90)])

    with pytest.raises(DataError, match="has 62 different values, the published vocabulary 48"):
        published_objective.vocabulary_values([wide])
