"""A piece between two passes, as it is shown."""

from __future__ import annotations

import numpy as np

from musicrel.chorale import REST, Chorale
from musicrel.generation.constraints.locks import UNKNOWN
from musicrel.presentation.roll import infill_snapshot

PLAN = Chorale.of([(72, REST, REST, REST)] * 4, title="Air")


def test_what_is_not_written_yet_is_silent() -> None:
    """And begins nothing."""
    pitches = np.array(PLAN.pitches)
    pitches[:, 1] = UNKNOWN
    now = infill_snapshot.padded_piece(PLAN, pitches, np.ones_like(PLAN.onsets))

    assert (now.pitches == PLAN.pitches).all()
    assert now.onsets[:, 0].all()
    assert not now.onsets[:, 1:].any()
    assert now.title == "Air"


def test_a_held_note_without_an_onset_begins_at_its_first_cell() -> None:
    """Else nothing of it would be drawn."""
    pitches = np.array(PLAN.pitches)
    pitches[:, 2] = (UNKNOWN, 55, 55, 57)
    now = infill_snapshot.padded_piece(PLAN, pitches, np.zeros_like(PLAN.onsets))

    assert now.onsets[:, 2].tolist() == [False, True, False, True]
