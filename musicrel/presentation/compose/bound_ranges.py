"""The voice ranges that bind on screen: those of the form, as the roll draws them.

A generated piece is checked against the ranges in its provenance. A piece that was written or
edited by hand has none: it is checked against the ranges that its user sees.
"""

from __future__ import annotations

from collections.abc import Mapping

from musicrel.analysis import rules
from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.voice_ranges import Ranges
from musicrel.presentation.compose.form import Form


def of_form(form: Form) -> Ranges | None:
    return voice_ranges.parse(form.ranges) if "range" in form.rules else None


def of_piece(piece: Chorale, form: Form) -> Mapping[Voice, tuple[int, int]]:
    """Return the ranges that ``piece`` is checked against while ``form`` is on screen."""
    return rules.requested_ranges(to_check(piece, form))


def to_check(piece: Chorale, form: Form) -> Chorale:
    """Return ``piece`` as rules check it: without provenance, with the ranges of ``form``."""
    try:
        return rules.with_requested_ranges(piece, of_form(form))
    except UsageError:
        return piece
