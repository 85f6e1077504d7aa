"""The empty piece that notes are written in by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from musicrel.chorale import Chorale
from musicrel.presentation.compose.form import AUTO, Form

TITLE: Final = "Melody"
_NO_PHRASES: Final = ""


def blank_piece(form: Form) -> Chorale:
    """Return an empty piece with bars, meter and key of ``form``.

    It has the phrases and the pickup that the user entered, but none that the seed would draw:
    the melody to be written has its own.
    """
    if form.phrases.strip() == AUTO:
        form = replace(form, phrases=_NO_PHRASES)
    return replace(form.request().plan(), title=TITLE, provenance=None)
