"""The kinds of cadence, by hand and as Bach uses them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from musicrel.analysis import cadences
from musicrel.analysis.cadences import Close
from musicrel.chorale import REST, Chorale, Key
from musicrel.corpus import bundled

C, F, G, AM, D7, DM = (
    (72, 67, 64, 48),
    (72, 69, 65, 53),
    (71, 67, 62, 55),
    (72, 69, 64, 57),
    (72, 66, 62, 50),
    (74, 69, 65, 50),
)
G7, B_DIMINISHED, C_SIXTH = (71, 65, 62, 55), (71, 65, 62, 62), (72, 67, 60, 52)


def piece(*chords: tuple[int, ...], held: int = 4, key: str = "C major") -> Chorale:
    """Each chord for a quarter, a fermata on the last ``held`` steps."""
    pitches = np.repeat(np.array(chords), 4, axis=0)
    fermatas = np.arange(len(pitches)) >= len(pitches) - held
    return Chorale.of(pitches, fermatas=fermatas, key=Key.parse(key))


@pytest.mark.parametrize(
    ("chords", "kind"),
    [
        ((C, G, C), "authentic"),
        ((C, G7, C), "authentic"),
        ((C, B_DIMINISHED, C), "authentic"),
        ((C, D7, G), "authentic"),  # in the key of the dominant
        ((C, G7, C_SIXTH), ""),  # the root is not in the bass
        ((C, F, G), "half"),
        ((C, G, G), "half"),
        ((G, F, C), "plagal"),
        ((C, G, AM), "deceptive"),
        ((C, F, DM), ""),
        ((C, G, (72, 71, 65, 48)), ""),  # no triad at all
    ],
)
def test_a_close_is_named_for_its_last_two_harmonies(
    chords: tuple[tuple[int, ...], ...], kind: str
) -> None:
    """Step and stop are those of the fermata; in every key alike."""
    music = piece(*chords)
    ((step, stop, found),) = cadences.closes(music)
    ((_, _, moved),) = cadences.closes(music.transposed(-3))
    assert (step, stop, found, moved) == (8, 12, kind, kind)


def test_a_deceptive_close_in_minor_is_half_a_step_up() -> None:
    """V to VI."""
    music = piece((69, 64, 60, 57), (68, 64, 59, 52), (69, 65, 60, 53), key="A minor")
    assert cadences.closes(music)[0].kind == "deceptive"


def test_passing_notes_do_not_hide_a_close() -> None:
    """A suspension before it, one resolved within it."""
    quarter = [(74, 67, 62, 55), (74, 67, 62, 55), (72, 67, 62, 55), (71, 65, 62, 55)]
    held = [(72, 67, 65, 48)] * 2 + [(72, 67, 64, 48)] * 2
    fermatas = np.arange(8) >= 4
    music = Chorale.of(quarter + held, fermatas=fermatas, key=Key("C", "major"))
    assert cadences.closes(music) == (Close(4, 8, "authentic"),)


def test_every_fermata_closes_a_phrase_and_so_does_the_end() -> None:
    """Where the last note has no fermata, silence after it not counted; the key may be unknown."""
    pitches = np.repeat(np.array([C, G, C, F, G, C, [REST] * 4]), 4, axis=0)
    fermatas = np.zeros(28, dtype=np.bool_)
    fermatas[16:20] = True
    music = Chorale.of(pitches, fermatas=fermatas)
    assert cadences.closes(music) == (Close(16, 20, "half"), Close(20, 24, "authentic"))


def test_silence_does_not_close() -> None:
    """Nor has it a key."""
    assert cadences.closes(Chorale.of(np.full((8, 4), REST))) == ()


def test_bach_closes_mostly_with_dominant_and_tonic() -> None:
    """Two of three phrases within a piece, four of five at the end; all kinds occur."""
    pieces = [cadences.closes(one) for one in bundled.load("test")]
    inner = Counter(close.kind for closes in pieces for close in closes[:-1])
    last = Counter(closes[-1].kind for closes in pieces)

    assert 0.55 < inner["authentic"] / inner.total() < 0.75
    assert last["authentic"] / last.total() > 0.75
    assert set(cadences.KINDS) <= set(inner)
    assert inner[""] / inner.total() < 0.25
