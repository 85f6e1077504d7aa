"""Measures of beginnings, form and length, on pieces whose answer is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key
from tests.helpers.music import random_chorale
from training import beginnings
from training.examination import material

C_MAJOR = Key("C", "major")
C, G7, AM, C64 = (72, 67, 64, 48), (71, 65, 62, 55), (72, 69, 64, 57), (72, 67, 64, 55)


def piece(*chords: tuple[int, ...], fermatas: tuple[int, ...] = ()) -> Chorale:
    """Return quarters, some with a fermata."""
    marked = np.isin(np.arange(4 * len(chords)) // 4, fermatas)
    return replace(Chorale.of(np.repeat(chords, 4, axis=0), fermatas=marked), key=C_MAJOR)


@pytest.mark.parametrize(
    ("first", "tonic", "dominant"), [(C, True, False), (G7, False, True), (AM, False, False)]
)
def test_the_first_chord_is_the_tonic_the_dominant_or_another(
    first: tuple[int, ...], tonic: bool, dominant: bool
) -> None:
    found = piece(first, C)
    assert beginnings.opens_on_tonic(found) == tonic
    assert beginnings.opens_on_dominant(found) == dominant


def test_a_repeated_beginning_is_found_with_another_ending_and_counted_once() -> None:
    notes = random_chorale(3, 64).pitches
    pitches = np.concatenate([notes, notes, random_chorale(4, 32).pitches])
    fermatas = np.isin(np.arange(160), (28, 60, 92, 124, 156))
    twice = replace(Chorale.of(pitches, fermatas=fermatas), key=C_MAJOR)
    assert (material.stollen(twice), beginnings.is_exact(twice)) == (64, True)
    assert beginnings.phrases(twice) == 3

    pitches[124:128] = 60
    ending = replace(Chorale.of(pitches, fermatas=fermatas), key=C_MAJOR)
    assert (material.stollen(ending), beginnings.is_exact(ending)) == (64, False)
    assert material.stollen(random_chorale(5, 160)) == 0


def test_the_first_phrase_is_in_the_key_or_not() -> None:
    assert beginnings.begins_in_key(piece(C, G7, C, AM, fermatas=(2, 3)))
    in_a_minor = ((71, 68, 64, 52), AM) * 2
    assert not beginnings.begins_in_key(piece(*in_a_minor, C, fermatas=(3, 4)))


def test_figures_have_an_interval_around_their_mean() -> None:
    found = beginnings.figures([piece(C, C64, G7, C, fermatas=(3,)), piece(AM, C, fermatas=(1,))])
    assert found["tonic"]["value"] == 50
    assert found["tonic"]["low"] <= 50 <= found["tonic"]["high"]
    assert found["six_fours"]["value"] == pytest.approx((25 + 0) / 2)
    assert "home" not in beginnings.figures([piece(C, G7)])
