"""The entries of the dialog of a piece's properties, and the edit they mean."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Meter
from musicrel.errors import UsageError
from musicrel.presentation.compose import properties_form
from musicrel.presentation.compose.properties_form import PropertiesForm

C_MAJOR, G_MAJOR = Key("C", "major"), Key("G", "major")
PIECE = Chorale.of(
    np.repeat([[72, 67, 64, 48]], 32, axis=0), title="A hymn", key=C_MAJOR, tempo=72.34567
)


def test_unchanged_entries_change_nothing() -> None:
    form = PropertiesForm.of(PIECE)

    assert form.tempo == 72.35
    assert form.edit(PIECE).piece is PIECE
    assert properties_form.problem(form, PIECE) == ""


def test_entries_become_the_properties() -> None:
    """The notes stay; a pickup is given in beats."""
    form = PropertiesForm(
        title=" New  title", composer="J. Crüger", key=None, meter="6/8", pickup=1.5, tempo=96.0
    )
    edited = form.edit(PIECE).piece

    assert (edited.title, edited.composer) == ("New title", "J. Crüger")
    assert (edited.key, edited.meter, edited.pickup, edited.tempo) == (None, Meter(6, 8), 3, 96.0)
    assert np.array_equal(edited.pitches, PIECE.pitches)


@pytest.mark.parametrize(("transposes", "soprano"), [(False, 72), (True, 67)])
def test_notes_stay_or_follow_another_key(transposes: bool, soprano: int) -> None:
    form = replace(PropertiesForm.of(PIECE), key=G_MAJOR, transposes=transposes)
    edited = form.edit(PIECE).piece

    assert edited.key == G_MAJOR
    assert edited.pitches[0, 0] == soprano


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ({"meter": "4-4"}, "Unknown meter '4-4': expected one as in 4/4 or 3/4."),
        ({"pickup": 4.0}, "The pickup is 4 beats: expected less than a bar of 4/4."),
        (
            {"pickup": 0.3},
            "The pickup is 0.3 beats: expected a whole number of sixteenths, 0.25 beats each.",
        ),
        ({"tempo": 700.0}, "The tempo is 700: expected 5 to 600 quarter notes a minute."),
    ],
)
def test_invalid_entries_are_refused_with_a_sentence(
    entries: dict[str, Any], sentence: str
) -> None:
    form = replace(PropertiesForm.of(PIECE), **entries)

    assert properties_form.problem(form, PIECE) == sentence
    with pytest.raises(UsageError, match=sentence[1:12]):
        form.edit(PIECE)


def test_an_unusual_key_can_be_kept() -> None:
    unusual = Key("Cb", "major")

    assert properties_form.keys(unusual)[0] == ("C♭ major", unusual)
    assert len(properties_form.keys(unusual)) == len(properties_form.keys(C_MAJOR)) + 1


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        (C_MAJOR, "Choose another key first."),
        (None, "Notes cannot be transposed to an unknown key."),
        (Key("C", "minor"), "A piece in C major cannot be transposed to C minor"),
        (G_MAJOR, ""),
    ],
)
def test_what_cannot_be_transposed_has_a_reason(key: Key | None, reason: str) -> None:
    found = properties_form.transpose_disabled_reason(key, PIECE)

    assert found.startswith(reason)
    assert bool(found) == bool(reason)
