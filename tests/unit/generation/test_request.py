"""Requests: bounds, plan and the conditions they give."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import REST, Key, Meter
from musicrel.errors import UsageError
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.request import MAX_BARS, GenerationRequest
from tests.helpers.music import random_chorale


def fermatas(**fields: Any) -> list[tuple[int, int]]:
    """Return the spans of the fermatas in a plan."""
    held = np.concatenate([[False], GenerationRequest(**fields).plan().fermatas, [False]])
    edges = np.flatnonzero(held[1:] != held[:-1])
    return [(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]


def test_the_plan_is_the_empty_piece() -> None:
    """It is silent, with meter, pickup, key and tempo."""
    key = Key("G", "minor")
    plan = GenerationRequest(bars=3, meter=Meter(3, 4), pickup=4, key=key, tempo=60).plan()

    assert plan.steps == 36
    assert (plan.pitches == REST).all()
    assert (str(plan.meter), plan.pickup, plan.key, plan.tempo) == ("3/4", 4, key, 60)
    assert not plan.fermatas.any()


def test_with_a_pickup_the_last_bar_is_shorter() -> None:
    """The length stays the same, with one more bar line."""
    plain, with_pickup = (GenerationRequest(bars=4, pickup=p).plan() for p in (0, 4))

    assert plain.steps == with_pickup.steps == 64
    assert (plain.bars, with_pickup.bars) == (4, 5)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"bars": 4, "phrases": (2, 2)}, [(24, 32), (56, 64)]),
        ({"bars": 3, "phrases": (1, 2)}, [(8, 16), (40, 48)]),
        ({"bars": 4, "phrases": (2, 2), "pickup": 4}, [(28, 32), (60, 64)]),
        ({"bars": 2, "phrases": (2,), "meter": Meter(3, 4), "pickup": 4}, [(16, 24)]),
        ({"bars": 2, "phrases": (2,), "meter": Meter(3, 4)}, [(12, 24)]),
        ({"bars": 2, "phrases": (1, 1), "meter": Meter(1, 8)}, [(0, 4)]),
    ],
)
def test_every_phrase_ends_with_a_fermata(
    fields: dict[str, Any], expected: list[tuple[int, int]]
) -> None:
    """It begins on the last strong beat at least a quarter before the end."""
    assert fermatas(**fields) == expected


@pytest.mark.parametrize(
    ("fields", "more"),
    [
        ({}, ()),
        ({"key": Key("C", "major")}, ("key",)),
        ({"phrases": (8, 8)}, ("fermata", "phrase")),
        ({"phrases": (16,), "key": Key("C", "major")}, ("fermata", "key", "phrase")),
    ],
)
def test_conditions_follow_from_the_request(fields: dict[str, Any], more: tuple[str, ...]) -> None:
    """The form is always given; key and phrases only on request."""
    assert GenerationRequest(**fields).given_conditions() == (
        "voice",
        "beat",
        "bar",
        "ending",
        *more,
    )


@pytest.mark.parametrize(
    "request_",
    [
        GenerationRequest(),
        GenerationRequest(
            bars=6, meter=Meter(3, 4), pickup=4, key=Key("Bb", "minor"), phrases=(2, 4),
            temperature=0.5, top_k=3, top_p=0.9, seed=2**62, tempo=100.5,
        ),
    ],
    ids=["default", "everything"],
)  # fmt: skip
def test_a_request_survives_json(request_: GenerationRequest) -> None:
    """It is equal after a round trip."""
    stored = json.loads(json.dumps(request_.to_json()))

    assert GenerationRequest.from_json(stored) == request_


def test_stored_settings_may_have_more_or_fewer_entries() -> None:
    """Missing entries get defaults and unknown ones are ignored; the meter is required."""
    request = GenerationRequest.from_json({"meter": "3/4", "bars": 2, "locks": []})

    assert request == GenerationRequest(bars=2, meter=Meter(3, 4))


@pytest.mark.parametrize(
    ("stored", "quality"),
    [
        ({"patience": "careful"}, "high"),
        ({"patience": "draft"}, "draft"),
        ({"quality": "high"}, "high"),
        ({}, "normal"),
    ],
)
def test_settings_of_version_1_are_read(stored: dict[str, str], quality: str) -> None:
    """Old names of the quality and its highest level are translated; new ones are stored."""
    request = GenerationRequest.from_json({"meter": "4/4"} | stored)

    assert request.quality == quality
    assert request.to_json()["quality"] == quality
    assert "patience" not in request.to_json()


@pytest.mark.parametrize(
    "values",
    [{}, {"meter": 3}, {"meter": "4/4", "phrases": 7}, {"meter": "4/4", "bars": "many"},
     {"meter": "4/4", "key": ["C"]}, [], None],
)  # fmt: skip
def test_settings_of_another_kind_are_refused(values: Any) -> None:
    """One sentence is raised, whatever they hold."""
    with pytest.raises(UsageError, match="the stored settings are not a request of musicrel"):
        GenerationRequest.from_json(values)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"bars": 0}, f"bars is 0: expected 1 to {MAX_BARS} of 4/4"),
        ({"bars": 257}, f"bars is 257: expected 1 to {MAX_BARS} of 4/4"),
        ({"bars": 256, "meter": Meter(32, 4)}, "bars is 256: expected 1 to 128 of 32/4"),
        ({"pickup": -1}, "pickup is -1 sixteenths: expected 0 to 15, less than a bar of 4/4"),
        ({"pickup": 16}, "pickup is 16 sixteenths: expected 0 to 15"),
        ({"pickup": 12, "meter": Meter(3, 4)}, "expected 0 to 11, less than a bar of 3/4"),
        ({"bars": 4, "phrases": (2, 3)}, "phrases 2,3 sum to 5 bars: .* sum to bars, 4"),
        ({"bars": 4, "phrases": (5, -1)}, "phrases 5,-1 sum to 4 bars: .* above 0"),
        ({"bars": 4, "phrases": (4, 0)}, "expected whole numbers above 0"),
        ({"tempo": 4}, "tempo is 4: expected 5 to 600 quarter notes a minute"),
        ({"tempo": float("nan")}, "tempo is nan"),
        ({"temperature": -0.1}, "temperature is -0.1: expected 0 to 10"),
        ({"temperature": 11}, "temperature is 11: expected 0 to 10"),
        ({"temperature": float("nan")}, "temperature is nan: expected 0 to 10"),
        ({"top_k": -1}, r"top-k is -1: expected 0 \(off\) to 1,000,000,000"),
        ({"top_p": 0}, "top-p is 0: expected more than 0, at most 1 \\(off\\)"),
        ({"top_p": 1.1}, "top-p is 1.1: expected more than 0"),
        ({"seed": -1}, "seed is -1: expected a whole number 0 to 9223372036854775807"),
        ({"seed": 2**63}, "seed is 9223372036854775808: expected a whole number 0 to"),
    ],
)
def test_a_field_out_of_bounds_is_refused(fields: dict[str, Any], sentence: str) -> None:
    """The message gives the bounds."""
    with pytest.raises(UsageError, match=sentence):
        GenerationRequest(**fields)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"bars": True}, "bars is True: expected int"),
        ({"bars": "4"}, "bars is '4': expected int"),
        ({"pickup": 1.5}, "pickup is 1.5: expected int"),
        ({"meter": None}, "meter is None: expected Meter"),
        ({"key": 5}, "key is 5: expected Key or NoneType"),
        ({"bars": 4, "phrases": (2.0, 2.0)}, "expected whole numbers of bars"),
    ],
)
def test_a_field_of_another_type_is_refused(fields: dict[str, Any], sentence: str) -> None:
    """The message names the expected type."""
    with pytest.raises(UsageError, match=re.escape(sentence)):
        GenerationRequest(**fields)


def test_a_fermata_in_an_odd_meter_does_not_fill_the_bar() -> None:
    """In a bar of 5/4 only the last beat has a fermata."""
    plan = GenerationRequest(bars=1, meter=Meter(5, 4), phrases=(1,)).plan()

    assert np.flatnonzero(plan.fermatas).tolist() == [16, 17, 18, 19]


def test_a_request_can_take_the_form_of_a_piece() -> None:
    """Length, meter, pickup, key, fermatas and tempo are taken, also with a partial last bar."""
    piece = random_chorale(2, 27)
    request = GenerationRequest.like(piece, seed=5)
    plan = request.plan()

    assert (request.steps, request.seed) == (27, 5)
    assert (plan.meter, plan.pickup, plan.key, plan.tempo) == (
        piece.meter,
        piece.pickup,
        piece.key,
        piece.tempo,
    )
    assert np.array_equal(plan.fermatas, piece.fermatas)
    assert request.given_conditions() == (
        "voice",
        "beat",
        "bar",
        "ending",
        "fermata",
        "key",
        "phrase",
    )


def test_locks_and_rules_survive_json() -> None:
    """Locks, rules and the form of a piece are equal after a round trip."""
    piece = random_chorale(2, 27)
    mask = np.random.default_rng(1).random((27, 4)) < 0.5
    rules = ("range", "scale")
    request = GenerationRequest.like(piece, locks=Locks.of(piece, mask), rules=())
    scaled = GenerationRequest(key=Key("C", "major"), rules=rules)

    for one in (request, scaled):
        assert GenerationRequest.from_json(json.loads(json.dumps(one.to_json()))) == one


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"length": 17}, "length is 17 sixteenths: expected 0 \\(whole bars\\) to 16, 1 bars"),
        ({"fermatas": ((4, 20),)}, "a fermata holds from step 4 to 20: expected steps within 0 to"),
        ({"fermatas": ((4, "x"),)}, "fermatas are .*: expected pairs of steps"),
        ({"locks": Locks(steps=8)}, "the locks are for 8 steps, but the requested piece has 16"),
        ({"rules": ("fun",)}, "there is no hard rule 'fun'"),
        ({"rules": ("scale",)}, "the rule 'scale' needs to know the key"),
        (
            {"rules": ("rests",), "locks": Locks(steps=16, cells=(Cell(0, 1, REST),))},
            "the locked notes break the rule 'rests' in bar 1, Alto",
        ),
        (
            {"locks": Locks.of(random_chorale(1, 16), np.ones((16, 4)))},
            "every note is locked: free at least one note",
        ),
    ],
)
def test_locks_and_rules_must_fit(fields: dict[str, Any], sentence: str) -> None:
    """Lengths, rules and locks are checked together."""
    with pytest.raises(UsageError, match=sentence):
        GenerationRequest(bars=1, **fields)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"cadence": "open"}, "cadence is 'open': expected authentic, half, plagal, deceptive"),
        ({"cadence": "half,"}, "there are 2 cadences for 0 phrases: expected one for all"),
        ({"cadence": "half,half", "phrases": (4, 4, 8)}, "2 cadences for 3 phrases"),
    ],
)
def test_cadences_without_their_phrases_are_refused(fields: dict[str, Any], sentence: str) -> None:
    """The sentence has both numbers."""
    with pytest.raises(UsageError, match=sentence):
        GenerationRequest(**fields)


def test_each_phrase_may_have_its_cadence() -> None:
    """The text is kept as it is; the end after the last fermata counts as one more."""
    request = GenerationRequest(phrases=(8, 8), cadence="half,authentic")
    assert GenerationRequest.from_json(request.to_json()).cadence == "half,authentic"
    GenerationRequest(fermatas=((24, 32),), cadence="half")
    GenerationRequest(fermatas=((24, 32),), cadence="half,authentic")


def test_muted_heads_are_stored_in_the_settings() -> None:
    """A request without any has the settings of older versions."""
    request = GenerationRequest(mutes=Mutes.parse("4,2.3", "zero"))
    plain = request.to_json()

    assert (plain["mute"], plain["mute_by"]) == ("2.3,4", "zero")
    assert GenerationRequest.from_json(json.loads(json.dumps(plain))) == request
    assert not {"mute", "mute_by", "mutes"} & GenerationRequest().to_json().keys()


def test_damaged_muted_heads_in_stored_settings_are_refused() -> None:
    """The sentence names it."""
    plain = GenerationRequest().to_json() | {"mute": "two"}

    with pytest.raises(UsageError, match="cannot read the head 'two'"):
        GenerationRequest.from_json(plain)
