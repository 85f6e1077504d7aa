"""Requests with drawn phrases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.errors import UsageError
from musicrel.generation import drawn_phrases, phrase_plan
from musicrel.generation.drawn_phrases import DrawnPhrases
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase
from musicrel.generation.request import GenerationRequest

CONDITIONS = ("voice", "beat", "bar", "fermata", "key")
BOTH = DrawnPhrases(phrases=True, pickup=True)
REQUEST = GenerationRequest(bars=8, seed=4)


def test_phrases_and_pickup_are_those_of_the_seed() -> None:
    """Everything else stays."""
    for seed in range(4):
        request = replace(REQUEST, seed=seed)
        pickup = phrase_plan.draw_pickup(request.meter, seed)
        phrases = phrase_plan.draw_phrases(8, request.meter, pickup, seed)
        fields = drawn_phrases.phrase_fields(phrases, request.meter, pickup)
        assert BOTH.applied(request, CONDITIONS) == replace(request, pickup=pickup, **fields)


def test_whole_bars_are_phrases_and_others_fermatas() -> None:
    """Requests of older versions have only the first."""
    fields = drawn_phrases.phrase_fields
    whole = (PlannedPhrase(2.0), PlannedPhrase(6))
    assert fields(whole, REQUEST.meter, 4) == {"phrases": (2, 6)}
    parts = (PlannedPhrase(2.5), PlannedPhrase(5.5, 3))
    spans = ((36, 40), (116, 128))
    assert fields(parts, REQUEST.meter, 4) == {"phrases": (), "fermatas": spans}
    assert fields((), REQUEST.meter, 4) == {"phrases": ()}


def test_nothing_is_drawn_unless_asked_for() -> None:
    """Given phrases and pickups stay."""
    given = replace(REQUEST, phrases=(4, 4), pickup=8)
    assert DrawnPhrases().applied(given, CONDITIONS) == given
    assert DrawnPhrases(pickup=True).applied(given, CONDITIONS).phrases == (4, 4)
    assert DrawnPhrases(phrases=True).applied(replace(REQUEST, pickup=8), CONDITIONS).pickup == 8


def test_a_model_gets_only_what_it_reads() -> None:
    """Neither phrases without fermatas nor a pickup without bars."""
    assert BOTH.applied(REQUEST, ("voice", "beat", "bar")) == REQUEST
    without_bars = BOTH.applied(REQUEST, ("voice", "beat", "fermata"))
    assert without_bars.phrases or without_bars.fermatas
    assert without_bars.pickup == 0


def test_given_fermatas_stay() -> None:
    """They are phrase ends already."""
    given = replace(REQUEST, fermatas=((24, 32),))
    assert BOTH.applied(given, CONDITIONS) == given


def test_cadences_one_by_one_need_known_phrases() -> None:
    """One for all does not."""
    BOTH.check("half")
    DrawnPhrases().check("half,authentic")
    with pytest.raises(UsageError, match="2 cadences, but the phrases are drawn: give the phrases"):
        BOTH.check("half,authentic")
