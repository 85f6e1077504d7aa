"""The ranges that a piece is checked against."""

from __future__ import annotations

from dataclasses import replace

from musicrel.chorale import RANGES, Chorale, Provenance, Voice
from musicrel.presentation.compose import bound_ranges
from musicrel.presentation.compose.form import Form

PIECE = Chorale.of([(72, 67, 60, 48)] * 16)
FORM = Form(rules=("range",), ranges="choir")


def test_piece_without_provenance_has_the_ranges_of_the_form() -> None:
    """No narrower ranges bind with the rule off, or if its ranges cannot be read."""
    assert bound_ranges.of_piece(PIECE, FORM)[Voice.SOPRANO] == (60, 79)
    assert bound_ranges.of_piece(PIECE, replace(FORM, rules=())) == RANGES
    assert bound_ranges.of_piece(PIECE, replace(FORM, ranges="none")) == RANGES


def test_generated_piece_keeps_its_own_ranges() -> None:
    """The form may have changed since."""
    asked = Provenance(model="m", sha256="0", seed=1, settings={"ranges": [[50, 60]] * 4})
    piece = replace(PIECE, provenance=asked)
    assert bound_ranges.to_check(piece, FORM) is piece
    assert bound_ranges.of_piece(piece, FORM)[Voice.BASS] == (50, 60)
