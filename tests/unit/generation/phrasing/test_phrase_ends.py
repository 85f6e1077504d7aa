"""Planned phrase ends and their closes."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key
from musicrel.generation.phrasing import drawn_cadences
from musicrel.generation.phrasing.phrase_ends import PhraseEnd, planned_ends
from musicrel.generation.request import GenerationRequest

KNOWN = ("fermata", "ending")
C_MAJOR, D_MAJOR = Key("C", "major"), Key("D", "major")
C, F, G = (72, 67, 64, 48), (72, 69, 65, 53), (71, 67, 62, 55)
D7, AM = (72, 66, 62, 50), (72, 69, 64, 57)
WITHIN, LAST = PhraseEnd(8, 12, ""), PhraseEnd(8, 12, "authentic")


def piece(*chords: tuple[int, ...]) -> Chorale:
    """Return a piece of quarters whose last one has a fermata."""
    fermatas = np.arange(4 * len(chords)) >= 4 * len(chords) - 4
    return Chorale.of(np.repeat(np.array(chords), 4, axis=0), fermatas=fermatas)


@pytest.mark.parametrize(("phrases", "place"), [(1, None), (2, None), (3, 1), (6, 4)])
def test_a_piece_of_three_phrases_or_more_has_one_before_the_last(
    phrases: int, place: int | None
) -> None:
    """In a shorter one the phrase before the last is the first."""
    plan = GenerationRequest(bars=2 * phrases, phrases=(2,) * phrases).plan()
    marked = [end.is_before_last for end in planned_ends(plan, KNOWN, ("",))]
    assert marked == [number == place for number in range(phrases)]


def test_the_phrase_before_the_last_draws_a_degree_of_the_key() -> None:
    """Others draw the kind alone, and so does this one without a key."""
    before_last = WITHIN._replace(is_before_last=True)
    for seed in range(20):
        close = drawn_cadences.draw_before_the_last(seed, 8, "major")
        drawn = before_last.drawn(seed, 64, C_MAJOR, 1.0)
        assert (drawn.kind, drawn.degree, drawn.prepared, drawn.is_drawn) == (*close, True)
        degree = close.degree
        assert drawn.root(64, D_MAJOR) == (None if degree is None else (degree + 2) % 12)
        kind = drawn_cadences.draw_within(seed, 8, 1.0)
        for other in (WITHIN.drawn(seed, 64, C_MAJOR, 1.0), before_last.drawn(seed, 64, None, 1.0)):
            assert (other.kind, other.degree, other.prepared) == (kind, None, 0)
            assert other.root(64, C_MAJOR) is None


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


def test_an_end_that_is_left_to_the_model_may_have_a_degree() -> None:
    """With a cadence on it or without."""
    free = WITHIN._replace(is_drawn=True)
    assert free.is_free
    for chords, degree in (((C, F, AM), 9), ((C, D7, G), 7)):
        assert free.is_met_by(piece(*chords), 64, C_MAJOR)
        assert free._replace(degree=degree).is_met_by(piece(*chords), 64, C_MAJOR)
        assert not free._replace(degree=5).is_met_by(piece(*chords), 64, C_MAJOR)


def test_a_bass_that_rests_is_on_no_degree() -> None:
    """A rest is no pitch class."""
    silent = piece(C, F, (72, 69, 64, REST))
    assert not WITHIN._replace(is_drawn=True, degree=11).is_met_by(silent, 64, C_MAJOR)


def test_any_cadence_will_do_where_none_is_requested() -> None:
    """Nor drawn."""
    assert WITHIN.is_met_by(piece(C, D7, G), 64, C_MAJOR)
    assert not WITHIN.is_met_by(piece(C, F, AM), 64, C_MAJOR)


def test_the_last_cadence_is_on_the_tonic() -> None:
    """If the piece has a key."""
    assert LAST.is_met_by(piece(C, G, C), 12, C_MAJOR)
    assert not LAST.is_met_by(piece(C, D7, G), 12, C_MAJOR)
    assert LAST.is_met_by(piece(C, D7, G), 12, None)
    assert LAST.root(12, D_MAJOR) == 2
    assert LAST.root(64, C_MAJOR) is None
