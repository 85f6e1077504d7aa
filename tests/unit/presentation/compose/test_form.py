"""The Compose form."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import Key, Meter
from musicrel.errors import UsageError
from musicrel.generation import phrase_plan
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.drawn_phrases import phrase_fields
from musicrel.generation.phrase_plan import PhrasePlan
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase
from musicrel.generation.request import DEFAULT_TOP_P, GenerationRequest
from musicrel.presentation.compose import form
from musicrel.presentation.compose.form import Form


def test_form_becomes_the_request() -> None:
    """Every entry reaches the model, and the usual top-p with them."""
    filled = Form(
        model="any",
        bars=8,
        meter=Meter(3, 4),
        pickup=4,
        key=Key("G", "major"),
        phrases="4, 4",
        temperature=0.8,
        seed=7,
        cadence="half,authentic",
        ranges="60-72,57-69,50-62,43-55",
        top_p=0.95,
    )

    assert filled.request() == GenerationRequest(
        bars=8,
        meter=Meter(3, 4),
        pickup=4,
        key=Key("G", "major"),
        phrases=(4, 4),
        temperature=0.8,
        top_p=0.95,
        seed=7,
        cadence="half,authentic",
        ranges=((60, 72), (57, 69), (50, 62), (43, 55)),
    )


def test_a_new_form_has_drawn_phrases_and_the_ranges_of_a_choir() -> None:
    """And the usual top-p."""
    request = Form(bars=8, seed=1).request()

    phrases, pickup = phrase_plan.resolved(None, None, bars=8, meter=Meter(4, 4), seed=1)
    fields = phrase_fields(phrases, Meter(4, 4), pickup)
    assert request == replace(request, pickup=pickup, **fields)
    assert request.phrases or request.fermatas
    assert (request.cadence, request.top_p) == ("", DEFAULT_TOP_P)
    assert request.ranges == voice_ranges.parse("choir")


def test_phrases_and_pickup_are_drawn_with_the_seed() -> None:
    """Either may be given; without phrases there is no pickup to draw."""
    assert len({Form(seed=seed).plan() for seed in range(20)}) > 5
    assert Form(phrases="8,8").plan().phrases == (PlannedPhrase(8), PlannedPhrase(8))
    assert Form(pickup=8, seed=2).plan().pickup == 8
    assert Form(phrases="").plan() == PhrasePlan()


def test_a_resolved_form_gives_the_same_piece() -> None:
    """Whatever is drawn has become numbers."""
    auto = [Form(seed=seed) for seed in range(8)]
    for drawn in (*auto, Form(seed=3, cadence="auto"), Form(phrases="", cadence="half")):
        resolved = drawn.resolved()
        assert resolved.request() == drawn.request()
        assert resolved.resolved() == resolved
        assert "auto" not in (resolved.phrases, resolved.cadence)
        assert resolved.pickup >= 0


def test_a_new_document_has_no_entries_of_another_piece() -> None:
    """Model, seed and settings of generation stay."""
    piece = Form(bars=8, meter=Meter(3, 4), pickup=4, key=Key("G", "major"), phrases="4,4")
    own = replace(piece, cadence="half,", model="m", seed=3, temperature=0.8, candidates=4)

    new = own.for_new_document()

    assert new == Form(model="m", seed=3, temperature=0.8)
    assert new.candidates == 4


def test_cadences_may_be_drawn() -> None:
    """One for each phrase; without phrases there are none."""
    plan = Form(seed=3, cadence="auto").plan()
    assert plan.cadences == phrase_plan.draw_cadences(len(plan.phrases), 3)
    assert Form(phrases="", cadence="auto").request().cadence == ""


def test_the_number_of_candidates_makes_no_other_form() -> None:
    """The piece is the same."""
    assert Form(candidates=8) == Form()


def test_invalid_ranges_and_cadences_are_refused() -> None:
    """The sentences show how they are written."""
    with pytest.raises(UsageError, match=r"voice ranges are 'opera': expected one of choir"):
        Form(ranges="opera").request()
    with pytest.raises(UsageError, match="2 cadences for 3 phrases"):
        Form(bars=8, phrases="2,2,4", cadence="half,half").request()


def test_pickups_are_less_than_a_bar() -> None:
    """In quarters, none first."""
    assert form.pickups(Meter(3, 4)) == ((0, "None"), (4, "1 quarter"), (8, "2 quarters"))


def test_there_are_24_keys() -> None:
    """Twelve major, twelve minor, no key twice."""
    assert len({(key.pitch_class, key.mode) for key in form.KEYS}) == 24


def test_temperature_is_described_relative_to_1() -> None:
    """Below 1 notes are more predictable, above 1 more varied."""
    assert [form.describe_temperature(t) for t in (0.95, 1.0, 1.05)] == [
        "more predictable",
        "the model’s own distribution",
        "more varied",
    ]
