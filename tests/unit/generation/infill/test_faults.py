"""Faults that an infilling model can repair."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Voice
from musicrel.generation.infill import faults
from musicrel.generation.infill.faults import Fault, FaultFinder
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.generation.request import GenerationRequest

C_MAJOR = Key.parse("C major")
C, F, G, AM = (72, 67, 64, 48), (72, 69, 65, 53), (71, 67, 62, 55), (72, 69, 64, 57)
PARALLEL = (74, 69, 65, 50)  # all voices a tone above (72, 67, 63, 48)
CONDITIONS = ("fermata", "ending", "key")
PHRASES = GenerationRequest(bars=4, phrases=(2, 2), key=C_MAJOR)


def piece_of(*chords: Sequence[int]) -> Chorale:
    """Return a piece of a quarter for each chord."""
    return Chorale.of(np.repeat(np.array(chords), 4, axis=0))


def found(kind: str, *chords: Sequence[int]) -> list[Fault]:
    """Return the faults of a piece that should end with a cadence on its last quarter."""
    piece = piece_of(*chords)
    end = PhraseEnd(piece.steps - 4, piece.steps, kind)
    return [fault for fault in FaultFinder((end,), C_MAJOR).faults(piece) if fault.is_repaired]


def test_a_missed_cadence_is_a_fault_of_all_voices() -> None:
    """From two quarters before the phrase end."""
    end = PhraseEnd(12, 16, "authentic")
    assert found("authentic", C, F, G, C) == []
    assert found("authentic", C, C, F, C) == [Fault(4, 16, tuple(Voice), 3, end)]
    assert found("", C, C, F, C) == []


def test_an_authentic_cadence_at_the_end_is_on_the_tonic() -> None:
    """On another degree it is missed."""
    in_f = FaultFinder((PhraseEnd(12, 16, "authentic"),), Key.parse("F major"))
    assert any(fault.end is not None for fault in in_f.faults(piece_of(C, F, G, C)))


def test_the_last_chord_is_the_tonic_to_its_end() -> None:
    """An inner voice that moves on leaves the cadence open."""
    pitches = piece_of(C, F, G, C).pitches.copy()
    pitches[15, Voice.TENOR] = 62
    end = PhraseEnd(12, 16, "authentic")
    (fault,) = (f for f in FaultFinder((end,), C_MAJOR).faults(Chorale.of(pitches)) if f.end)
    assert fault.end == end


def test_a_piece_in_major_ends_in_major() -> None:
    """In minor it may, too."""
    c_minor, g_seven = (72, 67, 63, 48), (71, 67, 62, 55)
    assert any(fault.end is not None for fault in found("authentic", C, F, g_seven, c_minor))
    for last in (C, c_minor):
        finder = FaultFinder((PhraseEnd(12, 16, "authentic"),), Key.parse("C minor"))
        faults_ = finder.faults(piece_of(c_minor, (72, 68, 65, 53), g_seven, last))
        assert all(fault.end is None for fault in faults_)


def test_parallels_are_faults_of_two_voices() -> None:
    """The notes that make them. Other violations count less and are not repaired."""
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
    """A locked melody closes as it can."""
    plan, locked = PHRASES.plan(), np.full((64, 4), -1)
    locked[20:32, Voice.SOPRANO] = 60
    for seed in range(20):
        finder = FaultFinder.of(plan, CONDITIONS, "", locked.reshape(-1), seed)
        first, last = finder.ends
        assert (first.kind, first.is_drawn) == ("", False)
        assert last == PhraseEnd(last.step, 64, "").drawn(seed, 64, None, 0.0)


@pytest.mark.parametrize("cadence", ["half", "half,half"])
def test_requested_cadences_are_not_drawn(cadence: str) -> None:
    """Nor is their end left to the model."""
    locked = np.full(256, -1)
    finder = FaultFinder.of(PHRASES.plan(), CONDITIONS, cadence, locked, 0)
    assert [(end.kind, end.is_drawn) for end in finder.ends] == [("half", False)] * 2


def test_faults_near_each_other_are_not_repaired_side_by_side() -> None:
    """The first one comes first."""
    one, near, far = (Fault(start, start + 4, tuple(Voice), 2) for start in (20, 28, 8))
    assert faults.apart([one, near, far]) == [one, far]
    assert faults.apart([]) == []


def test_a_draw_is_better_if_its_faults_near_the_place_weigh_less() -> None:
    """Others do not count. Those that are repaired have to weigh less by themselves, too."""
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
        assert faults.is_better(found, before, place) == better
