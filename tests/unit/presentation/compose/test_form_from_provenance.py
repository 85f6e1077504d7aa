"""The form read from a piece that was written."""

from __future__ import annotations

import pytest

from musicrel.chorale import Key, Meter, Provenance
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.request import GenerationRequest
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.form_from_provenance import RestoredForm, form_from_provenance
from musicrel.presentation.words.muted_heads import MutedHeads


def of(request: GenerationRequest, seed: int | None = None) -> Provenance:
    """Return the provenance of a piece generated from ``request``."""
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
        phrases="3,4", temperature=0.9, seed=12, rules=("crossing", "scale"), quality="draft",
        cadence="half,", ranges="61-80,55-74,48-69,41-60", top_p=0.95,
    )  # fmt: skip

    assert form_from_provenance(of(form.request())) == RestoredForm(form=form)


def test_settings_without_an_entry_are_named() -> None:
    """So that nobody wonders why the notes differ."""
    asked = GenerationRequest(
        meter=Meter(6, 8), temperature=0, top_k=5, top_p=0.5, tempo=60, seed=2**40
    )

    recalled = form_from_provenance(of(asked))

    assert recalled.form is not None
    assert recalled.form.temperature == 0.5
    assert recalled.form.top_p == 0.5
    assert recalled.left_out == (
        "meter 6/8", "temperature 0", "top-k 5", f"seed {2**40}",
    )  # fmt: skip


def test_muted_heads_are_named_but_not_muted_again() -> None:
    """They belong to the document in which they were muted."""
    asked = GenerationRequest(bars=2, mutes=Mutes.parse("2.3,4", "zero"))
    restored = form_from_provenance(of(asked))

    assert restored.form is not None
    assert restored.form.muted == MutedHeads()
    assert restored.left_out == ("the muted heads 2.3, 4",)


def test_what_was_given_is_not_named() -> None:
    """Nobody expects locks and the form of another piece of a seed; a tempo changes no notes."""
    locks = Locks(steps=20, cells=(Cell(0, 0, 67),))
    asked = GenerationRequest(bars=2, length=20, locks=locks, tempo=76)

    assert form_from_provenance(of(asked)).left_out == ()


@pytest.mark.parametrize("settings", [{}, {"meter": "odd"}, {"bars": 0, "meter": "4/4"}])
def test_foreign_settings_give_no_form(settings: dict[str, object]) -> None:
    """A piece is still a piece without it."""
    foreign = Provenance(model="m", sha256="0", seed=1, settings=settings)

    assert form_from_provenance(foreign) == form_from_provenance(None) == RestoredForm()


def test_drawn_phrases_come_back_as_numbers() -> None:
    """The form gives the same piece, whatever its seed becomes."""
    for seed in range(6):
        form = Form(model="full", bars=8, seed=seed)

        assert form_from_provenance(of(form.request())) == RestoredForm(form=form.resolved())


def test_fermatas_that_no_phrases_end_with_give_no_phrases() -> None:
    """A form holds phrases that fill the piece."""
    asked = GenerationRequest(bars=4, fermatas=((20, 22), (40, 48)))
    restored = form_from_provenance(of(asked))

    assert restored.form is not None
    assert restored.form.phrases == ""


def test_a_piece_without_ranges_has_the_full_ones() -> None:
    """Pieces of older versions were not bound to a preset."""
    settings = GenerationRequest(bars=2).to_json()
    restored = form_from_provenance(
        Provenance(model="m", sha256="0", seed=0, settings=settings)
    ).form

    assert "ranges" not in settings
    assert restored is not None
    assert restored.ranges == "full"
    assert restored.phrases == ""
    assert restored.pickup == 0
