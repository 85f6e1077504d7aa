"""The voice ranges that a piece was requested with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from musicrel.chorale import RANGES, Chorale, Provenance, Voice


def of_piece(piece: Chorale) -> Mapping[Voice, tuple[int, int]]:
    """Return the ranges in the settings that ``piece`` was generated with, else ``RANGES``.

    The settings may come from a file: what is not four pairs of numbers counts as none.
    """
    pairs = piece.provenance.settings.get("ranges") if piece.provenance else None
    if pairs is None:
        return RANGES
    try:
        return {
            voice: (int(low), int(high)) for voice, (low, high) in zip(Voice, pairs, strict=True)
        }
    except (TypeError, ValueError):
        return RANGES


def bound(piece: Chorale, ranges: Sequence[tuple[int, int]] | None) -> Chorale:
    """Return ``piece`` as its rules are checked: without provenance, with ``ranges`` if any."""
    if piece.provenance is not None or ranges is None:
        return piece
    settings = {"ranges": ranges}
    return replace(piece, provenance=Provenance(model="", sha256="", seed=0, settings=settings))
