"""Repair of faults."""
# ruff: noqa: N806  # shape suffixes: mask_L4V

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Voice
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.infill.faults import FaultFinder
from musicrel.generation.infill.infill_state import InfillState
from musicrel.generation.infill.repair import Repair
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Sampler
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import ARTICULATED, MASK

C_MAJOR = Key.parse("C major")
C, F, G = (72, 67, 64, 48), (72, 69, 65, 53), (71, 67, 62, 55)
END = PhraseEnd(12, 16, "authentic")
FINDER = FaultFinder((END,), C_MAJOR)
MISSED, CLOSED = [C, C, F, C], [C, F, G, C]


def tokens_of(chords: Sequence[Sequence[int]]) -> codec.Ids:
    """Return the tokens of a quarter for each chord, (T, 4)."""
    piece = Chorale.of(np.repeat(np.array(chords), 4, axis=0))
    return codec.encode(piece, ARTICULATED)[1:-1].reshape(-1, 4)


def state_of(chords: Sequence[Sequence[int]], locks: Locks | None = None) -> InfillState:
    """Return a state with these chords."""
    request = GenerationRequest(bars=1, key=C_MAJOR, locks=locks, rules=())
    constraints = request.constraints(ARTICULATED)
    rows = np.zeros((64, 1), dtype=np.int64)
    state = InfillState(constraints, Sampler(), rows, np.random.default_rng(0))
    state.tokens[:] = tokens_of(chords)
    return state


def test_the_cells_of_a_fault_are_hidden_and_given_as_places() -> None:
    """Voice by voice, the outer ones first."""
    state = state_of(MISSED)
    (place,) = Repair(state, FINDER).begin(3, masked=False)
    assert [block.voice for block in place] == [Voice.SOPRANO, Voice.BASS, Voice.ALTO, Voice.TENOR]
    assert {(block.start, block.stop, block.passes) for block in place} == {(4, 16, 3)}
    assert (state.tokens[4:] == MASK).all()
    assert not (state.tokens[:4] == MASK).any()


def test_a_draw_without_the_fault_is_kept() -> None:
    """With it all is as it was."""
    for chords, kept in ((CLOSED, CLOSED), ([C, F, C, F], MISSED)):
        state = state_of(MISSED)
        repair = Repair(state, FINDER)
        repair.begin(3, masked=False)
        state.tokens[4:] = tokens_of(chords)[4:]
        repair.end()
        np.testing.assert_array_equal(state.tokens, tokens_of(kept))


def test_a_draw_with_as_many_other_faults_is_taken_back() -> None:
    """Parallels in place of the missed cadence."""
    state = state_of(MISSED)
    repair = Repair(state, FINDER)
    repair.begin(3, masked=False)
    octaves = [C, (77, 69, 65, 53), (79, 71, 67, 55), C]
    state.tokens[4:] = tokens_of(octaves)[4:]
    before = FINDER.faults(state_of(MISSED).piece())
    assert sum(f.weight for f in FINDER.faults(state.piece())) >= sum(f.weight for f in before)
    repair.end()
    np.testing.assert_array_equal(state.tokens, tokens_of(MISSED))


@pytest.mark.parametrize("masked", [False, True])
def test_a_mask_holds_for_one_attempt(*, masked: bool) -> None:
    """Only tokens of the cadence are legal then."""
    state = state_of(MISSED)
    before_T4V = state.legal_T4V.copy()
    repair = Repair(state, FINDER)
    repair.begin(3, masked=masked)
    is_narrow = not np.array_equal(state.legal_T4V, before_T4V)
    state.tokens[4:] = tokens_of(MISSED)[4:]
    repair.end()
    assert is_narrow == masked
    np.testing.assert_array_equal(state.legal_T4V, before_T4V)


def test_locked_cells_are_left_alone() -> None:
    """A fault without free cells is not tried; of others the free cells are."""
    piece = Chorale.of(np.repeat(np.array(MISSED), 4, axis=0))
    given = np.ones((16, 4), dtype=np.bool_)
    given[0] = False
    assert Repair(state_of(MISSED, Locks.of(piece, given)), FINDER).begin(3, masked=True) == []
    given[:, Voice.BASS] = False
    state = state_of(MISSED, Locks.of(piece, given))
    (place,) = Repair(state, FINDER).begin(3, masked=True)
    assert [block.voice for block in place] == [Voice.BASS]


def test_a_piece_without_faults_is_left_alone() -> None:
    """Nothing is hidden."""
    state = state_of(CLOSED)
    repair = Repair(state, FINDER)
    assert repair.begin(3, masked=True) == []
    repair.end()
    np.testing.assert_array_equal(state.tokens, tokens_of(CLOSED))
