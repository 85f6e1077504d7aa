"""The form read from a piece that was written."""

from __future__ import annotations

import pytest

from musicrel.chorale import Key, Meter, Provenance
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.request import GenerationRequest
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.form_from_provenance import Recalled, recall


def of(request: GenerationRequest, seed: int | None = None) -> Provenance:
    """What a piece says that was written as ``request`` asks."""
    return Provenance(
        model="full",
        sha256="0",
        seed=request.seed if seed is None else seed,
        settings=request.to_json() | {"written_steps": 3},
    )


def test_form_comes_back_as_it_was() -> None:
    """Every entry; asking again is asking the same."""
    form = Form(
        model="full", bars=7, meter=Meter(3, 4), pickup=4, key=Key("F#", "minor"),
        phrases="3,4", temperature=0.9, seed=12, rules=("crossing", "scale"), patience="draft",
        cadence="half",
    )  # fmt: skip

    assert recall(of(form.request())) == Recalled(form=form)


def test_what_the_form_cannot_say_is_named() -> None:
    """So that nobody wonders why the notes differ."""
    asked = GenerationRequest(
        meter=Meter(6, 8), temperature=0, top_k=5, top_p=0.5, tempo=60, seed=2**40
    )

    recalled = recall(of(asked))

    assert recalled.form is not None
    assert recalled.form.temperature == 0.5
    assert recalled.left_out == (
        "meter 6/8", "temperature 0", "top-k 5", "top-p 0.5", "tempo 60", f"seed {2**40}",
    )  # fmt: skip


def test_what_was_given_is_named_too() -> None:
    """Locks, and the form of another piece."""
    locks = Locks(steps=20, cells=(Cell(0, 0, 67),))
    asked = GenerationRequest(bars=2, length=20, locks=locks)

    assert recall(of(asked)).left_out == (
        "the length and fermatas of another piece", "the notes that were locked",
    )  # fmt: skip


@pytest.mark.parametrize("settings", [{}, {"meter": "odd"}, {"bars": 0, "meter": "4/4"}])
def test_foreign_settings_give_no_form(settings: dict[str, object]) -> None:
    """A piece is still a piece without it."""
    foreign = Provenance(model="m", sha256="0", seed=1, settings=settings)

    assert recall(foreign) == recall(None) == Recalled()
