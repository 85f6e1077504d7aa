"""Faults that an infilling model can repair, and their repair."""

# ruff: noqa: N806  # shape suffixes: mask_L4V
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Voice
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.infill.infill_state import InfillState
from musicrel.generation.infill.repair import Fault, FaultFinder, Repair, apart, is_better
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.generation.request import GenerationRequest
from musicrel.model.tokens import codec
from musicrel.model.tokens.vocabulary import ARTICULATED

C_MAJOR = Key.parse("C major")
C, F, G, AM = (72, 67, 64, 48), (72, 69, 65, 53), (71, 67, 62, 55), (72, 69, 64, 57)
CONDITIONS = ("fermata", "ending", "key")
PHRASES = GenerationRequest(bars=4, phrases=(2, 2), key=C_MAJOR)
END = PhraseEnd(12, 16, "authentic")
FINDER = FaultFinder((END,), C_MAJOR)
MISSED, CLOSED = [C, C, F, C], [C, F, G, C]


def piece_of(*chords: Sequence[int]) -> Chorale:
    return Chorale.of(np.repeat(np.array(chords), 4, axis=0))


def found(kind: str, *chords: Sequence[int]) -> list[Fault]:
    piece = piece_of(*chords)
    end = PhraseEnd(piece.steps - 4, piece.steps, kind)
    return [fault for fault in FaultFinder((end,), C_MAJOR).faults(piece) if fault.is_repaired]


def tokens_of(chords: Sequence[Sequence[int]]) -> codec.Ids:
    piece = Chorale.of(np.repeat(np.array(chords), 4, axis=0))
    return codec.encode(piece, ARTICULATED)[1:-1].reshape(-1, 4)


def state_of(chords: Sequence[Sequence[int]], locks: Locks | None = None) -> InfillState:
    request = GenerationRequest(bars=1, key=C_MAJOR, locks=locks, rules=())
    constraints = Constraints.of(request, ARTICULATED)
    rows = np.zeros((64, 1), dtype=np.int64)
    state = InfillState(constraints, rows, np.random.default_rng(0))
    state.tokens[:] = tokens_of(chords)
    return state


def test_a_missed_cadence_is_a_fault_of_all_voices() -> None:
    end = PhraseEnd(12, 16, "authentic")
    assert found("authentic", C, F, G, C) == []
    assert found("authentic", C, C, F, C) == [Fault(4, 16, tuple(Voice), 3, end)]
    assert found("", C, C, F, C) == []


def test_the_last_authentic_cadence_is_on_the_tonic_to_its_end_and_major_in_major() -> None:
    in_f = FaultFinder((PhraseEnd(12, 16, "authentic"),), Key.parse("F major"))
    assert any(fault.end is not None for fault in in_f.faults(piece_of(C, F, G, C)))

    pitches = piece_of(C, F, G, C).pitches.copy()
    pitches[15, Voice.TENOR] = 62
    end = PhraseEnd(12, 16, "authentic")
    (fault,) = (f for f in FaultFinder((end,), C_MAJOR).faults(Chorale.of(pitches)) if f.end)
    assert fault.end == end

    c_minor, g_seven = (72, 67, 63, 48), (71, 67, 62, 55)
    assert any(fault.end is not None for fault in found("authentic", C, F, g_seven, c_minor))
    for last in (C, c_minor):
        finder = FaultFinder((PhraseEnd(12, 16, "authentic"),), Key.parse("C minor"))
        faults_ = finder.faults(piece_of(c_minor, (72, 68, 65, 53), g_seven, last))
        assert all(fault.end is None for fault in faults_)


def test_parallels_are_faults_of_two_voices() -> None:
    piece = piece_of(C, (76, 67, 60, 48), (77, 69, 57, 50), (76, 67, 60, 48))
    parallels = [fault for fault in FaultFinder((), C_MAJOR).faults(piece) if fault.is_repaired]
    assert parallels[0] == Fault(0, 12, (Voice.ALTO, Voice.BASS), 3)  # held from the first chord
    crossed = FaultFinder((), C_MAJOR).faults(piece_of((67, 72, 64, 48)))
    assert [(fault.voices, fault.is_repaired) for fault in crossed] == [
        ((Voice.SOPRANO, Voice.ALTO), False)
    ]
    assert FaultFinder((), C_MAJOR).faults(piece_of(C, F, G, C)) == []


@pytest.mark.parametrize(
    ("after", "step"), [(C, 4), ((72, 67, 64, 55), None), ((71, 67, 62, 55), None)]
)
def test_an_untreated_six_four_chord_is_a_fault(after: Sequence[int], step: int | None) -> None:
    """Reached and left by leap; over a bass that stays it is cadential."""
    piece = piece_of((74, 69, 65, 50), (76, 72, 67, 55), after)
    found = [fault for fault in FaultFinder((), C_MAJOR).faults(piece) if len(fault.voices) == 4]
    assert found == ([] if step is None else [Fault(step, step + 4, tuple(Voice), 2)])


def test_cadences_are_drawn_where_no_cell_is_locked() -> None:
    plan, locked = PHRASES.plan(), np.full((64, 4), -1)
    locked[20:32, Voice.SOPRANO] = 60
    for seed in range(20):
        finder = FaultFinder.of(plan, CONDITIONS, "", locked.reshape(-1), seed)
        first, last = finder.ends
        assert (first.kind, first.is_drawn) == ("", False)
        assert last == PhraseEnd(last.step, 64, "").drawn(seed, 64, None, 0.0)


@pytest.mark.parametrize("cadence", ["half", "half,half"])
def test_requested_cadences_are_not_drawn(cadence: str) -> None:
    locked = np.full(256, -1)
    finder = FaultFinder.of(PHRASES.plan(), CONDITIONS, cadence, locked, 0)
    assert [(end.kind, end.is_drawn) for end in finder.ends] == [("half", False)] * 2


def test_faults_near_each_other_are_not_repaired_side_by_side() -> None:
    one, near, far = (Fault(start, start + 4, tuple(Voice), 2) for start in (20, 28, 8))
    assert apart([one, near, far]) == [one, far]
    assert apart([]) == []


def test_a_draw_is_better_if_its_faults_near_the_place_weigh_less() -> None:
    place, far = Fault(8, 12, tuple(Voice), 2), Fault(0, 4, tuple(Voice), 3)
    missed, leap = place._replace(weight=3), Fault(12, 16, (Voice.BASS,), 1)
    for found, before, better in (
        ([], [place], True),
        ([far], [place], True),
        ([place], [missed], True),
        ([leap], [place], True),
        ([place], [place, far], False),
        ([leap, leap], [place], False),
        ([missed], [place, leap, leap, leap], False),
    ):
        assert is_better(found, before, place) == better


def test_a_draw_without_the_fault_is_kept() -> None:
    for chords, kept in ((CLOSED, CLOSED), ([C, F, C, F], MISSED)):
        state = state_of(MISSED)
        repair = Repair(state, FINDER)
        repair.begin(3, masked=False)
        state.tokens[4:] = tokens_of(chords)[4:]
        repair.end()
        np.testing.assert_array_equal(state.tokens, tokens_of(kept))


def test_a_draw_with_as_many_other_faults_is_taken_back() -> None:
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
