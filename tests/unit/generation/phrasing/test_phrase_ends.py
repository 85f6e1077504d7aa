"""Planned phrase ends and their closes."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key
from musicrel.generation.phrasing import drawn_cadences
from musicrel.generation.phrasing.phrase_ends import PhraseEnd, planned_ends
from musicrel.generation.request import GenerationRequest

KNOWN = ("fermata", "ending")
C_MAJOR = Key("C", "major")
C, F, G = (72, 67, 64, 48), (72, 69, 65, 53), (71, 67, 62, 55)
D7, AM = (72, 66, 62, 50), (72, 69, 64, 57)
WITHIN, LAST = PhraseEnd(8, 12, ""), PhraseEnd(8, 12, "authentic")


def piece(*chords: tuple[int, ...]) -> Chorale:
    """Return a piece of quarters whose last one has a fermata."""
    fermatas = np.arange(4 * len(chords)) >= 4 * len(chords) - 4
    return Chorale.of(np.repeat(np.array(chords), 4, axis=0), fermatas=fermatas)


@pytest.mark.parametrize(
    ("phrases", "places"),
    [
        (1, ["opening"]),
        (2, ["opening"] * 2),
        (3, ["opening", "penultimate", "inner"]),
        (6, ["opening"] * 2 + ["inner"] * 2 + ["penultimate", "inner"]),
    ],
)
def test_a_phrase_has_a_place_in_the_piece(phrases: int, places: list[str]) -> None:
    """The place of the last one does not matter."""
    plan = GenerationRequest(bars=2 * phrases, phrases=(2,) * phrases).plan()
    assert [end.place for end in planned_ends(plan, KNOWN, ("",))] == places


def test_a_drawn_close_has_a_degree_of_the_key() -> None:
    """It is that of ``drawn_cadences``; without a key any will do."""
    end = WITHIN._replace(place="penultimate")
    for seed in range(20):
        close = drawn_cadences.draw_within(seed, 8, "penultimate", "major")
        drawn = end.drawn(seed, 64, C_MAJOR)
        assert (drawn.kind, drawn.degree, drawn.is_drawn) == (*close, True)
        assert drawn.prepared == drawn_cadences.draw_prepared(seed, 8, close.kind)
        assert drawn.root(64, C_MAJOR) == close.degree
        keyless = end.drawn(seed, 64, None)
        assert (keyless.degree, keyless.prepared, keyless.root(64, None)) == (None, 0, None)


@pytest.mark.parametrize(
    ("chords", "degree", "is_met"),
    [((C, D7, G), 7, True), ((C, G, C), 7, False), ((C, G, C), 0, True), ((C, C, G), 7, False)],
)
def test_an_authentic_close_is_on_its_degree(
    chords: tuple[tuple[int, ...], ...], degree: int, *, is_met: bool
) -> None:
    """A half cadence on the same degree is another close."""
    end = WITHIN._replace(kind="authentic", is_drawn=True, degree=degree)
    assert end.is_met_by(piece(*chords), 64, C_MAJOR) == is_met


def test_an_open_end_has_no_cadence() -> None:
    """Its bass is on the degree that was drawn."""
    end = WITHIN._replace(is_drawn=True, degree=9)
    assert end.is_open
    assert end.is_met_by(piece(C, F, AM), 64, C_MAJOR)
    assert not end.is_met_by(piece(C, G, C), 64, C_MAJOR)
    assert not end._replace(degree=5).is_met_by(piece(C, F, AM), 64, C_MAJOR)


def test_a_bass_that_rests_is_on_no_degree() -> None:
    """A rest is no pitch class."""
    silent = piece(C, F, (72, 69, 64, REST))
    assert not WITHIN._replace(is_drawn=True, degree=11).is_met_by(silent, 64, C_MAJOR)


def test_any_cadence_will_do_where_none_is_requested() -> None:
    """Nor drawn."""
    assert not WITHIN.has_close
    assert WITHIN.is_met_by(piece(C, D7, G), 64, C_MAJOR)
    assert not WITHIN.is_met_by(piece(C, F, AM), 64, C_MAJOR)


def test_the_last_cadence_is_on_the_tonic() -> None:
    """If the piece has a key."""
    assert LAST.is_met_by(piece(C, G, C), 12, C_MAJOR)
    assert not LAST.is_met_by(piece(C, D7, G), 12, C_MAJOR)
    assert LAST.is_met_by(piece(C, D7, G), 12, None)
    assert LAST.root(12, C_MAJOR) == 0
    assert LAST.root(64, C_MAJOR) is None
