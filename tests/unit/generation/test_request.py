"""Requests: bounds, plan and conditions, and those that start from a piece."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis.corpus import bundled
from musicrel.chorale import REST, Chorale, Key, Lyric, Meter, Voice
from musicrel.errors import UsageError
from musicrel.generation import edit_requests, request
from musicrel.generation.candidates.candidate_job import generate_candidates
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import MAX_BARS, GenerationRequest
from musicrel.score import files
from tests.helpers.music import random_chorale


def fermatas(**fields: Any) -> list[tuple[int, int]]:
    held = np.concatenate([[False], GenerationRequest(**fields).plan().fermatas, [False]])
    edges = np.flatnonzero(held[1:] != held[:-1])
    return [(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]


def tune() -> Chorale:
    pitches = np.full((32, 4), REST)
    pitches[:, 0] = np.repeat([60, 62, 64, 65, 67, 65, 62, 60], 4)
    return Chorale.of(pitches)


def test_the_plan_is_the_empty_piece() -> None:
    key = Key("G", "minor")
    plan = GenerationRequest(bars=3, meter=Meter(3, 4), pickup=4, key=key, tempo=60).plan()

    assert plan.steps == 36
    assert (plan.pitches == REST).all()
    assert (str(plan.meter), plan.pickup, plan.key, plan.tempo) == ("3/4", 4, key, 60)
    assert not plan.fermatas.any()


def test_a_fermata_begins_with_the_note_of_the_rhythm_that_it_holds() -> None:
    """Unless it is the note of the fermata before."""
    form: dict[str, Any] = {"bars": 2, "phrases": (1, 1)}
    assert fermatas(**form) == [(8, 16), (24, 32)]
    assert fermatas(**form, rhythm=(0, 4, 16)) == [(4, 32)]
    assert fermatas(**form, rhythm=(0, 4, 17, 20)) == [(4, 16), (20, 32)]
    assert fermatas(**form, rhythm=(0, 4)) == [(4, 16), (24, 32)]
    assert fermatas(bars=2, fermatas=((12, 16),), rhythm=(0, 8, 16)) == [(8, 16)]


def test_a_piece_is_called_by_the_first_line_of_its_words() -> None:
    words = zip((0, 4, 16), ("glo", "ry,", "be"), (True, False, False), strict=True)
    lyrics = tuple(Lyric(Voice.SOPRANO, 1, *word) for word in words)
    asked = GenerationRequest(bars=2, phrases=(1, 1), rhythm=(0, 4, 16), lyrics=lyrics, seed=3)
    assert (asked.title, replace(asked, phrases=()).title) == ("glory", "glory, be")
    assert replace(asked, lyrics=()).title == "Chorale 3"


def test_with_a_pickup_the_last_bar_is_shorter() -> None:
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
    always = ("voice", "beat", "bar", "ending")
    assert GenerationRequest(**fields).given_conditions() == (*always, *more)


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
        ({"bars": 4, "phrases": (2, 3)}, "the phrases have 5 bars: expected 4, the length"),
        ({"bars": 4, "phrases": (5, -1)}, "expected lengths above 0"),
        ({"bars": 4, "phrases": (4, 0)}, "expected lengths above 0"),
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
    with pytest.raises(UsageError, match=sentence):
        GenerationRequest(**fields)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"bars": True}, "bars is True: expected a whole number or auto"),
        ({"bars": "4"}, "bars is '4': expected a whole number or auto"),
        ({"pickup": 1.5}, "pickup is 1.5: expected a whole number or auto"),
        ({"meter": None}, "meter is None: expected Meter"),
        ({"key": 5}, "key is 5: expected Key or None"),
        ({"bars": 4, "phrases": (2.0, 2.0)}, "expected whole numbers of bars"),
    ],
)
def test_a_field_of_another_type_is_refused(fields: dict[str, Any], sentence: str) -> None:
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
    for name in ("meter", "pickup", "key", "tempo"):
        assert getattr(plan, name) == getattr(piece, name)
    assert np.array_equal(plan.fermatas, piece.fermatas)
    assert request.given_conditions()[-3:] == ("fermata", "key", "phrase")


def test_locks_and_rules_survive_json() -> None:
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
        ({"moves": ((0, 4),)}, "moves are .*: expected steps"),
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
    with pytest.raises(UsageError, match=sentence):
        GenerationRequest(bars=1, **fields)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"cadence": "open"}, "cadence is 'open': expected authentic, half, plagal, deceptive"),
        ({"cadence": "half,"}, "there are 2 cadences for 0 phrases: expected one for all"),
        ({"cadence": "half,half", "phrases": (4, 4, 8)}, "2 cadences for 3 phrases"),
        ({"cadence": "half,,,half", "phrases": (4, 4, 8)}, "4 cadences for 3 phrases"),
    ],
)
def test_cadences_without_their_phrases_are_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        GenerationRequest(**fields)


def test_each_phrase_may_have_its_cadence() -> None:
    """The text is kept as it is; the end after the last fermata counts as one more."""
    request = GenerationRequest(phrases=(8, 8), cadence="half,authentic")
    assert GenerationRequest.from_json(request.to_json()).cadence == "half,authentic"
    GenerationRequest(fermatas=((24, 32),), cadence="half")
    GenerationRequest(fermatas=((24, 32),), cadence="half,authentic")


def test_muted_heads_are_stored_in_the_settings_and_refused_where_damaged() -> None:
    request = GenerationRequest(mutes=Mutes.parse("4,2.3", "zero"))
    plain = request.to_json()

    assert (plain["mute"], plain["mute_by"]) == ("2.3,4", "zero")
    assert GenerationRequest.from_json(json.loads(json.dumps(plain))) == request
    assert not {"mute", "mute_by", "mutes"} & GenerationRequest().to_json().keys()

    plain = GenerationRequest().to_json() | {"mute": "two"}

    with pytest.raises(UsageError, match="cannot read the head 'two'"):
        GenerationRequest.from_json(plain)


OPEN = GenerationRequest(bars=1, seed=3)


def test_the_table_is_that_of_the_training_chorales() -> None:
    assert Counter(str(piece.key) for piece in bundled.load("train")) == request.OCCURRENCES


def test_keys_are_sampled_by_their_frequency() -> None:
    found = Counter(str(request.sample_key(seed)) for seed in range(2000))
    total = sum(request.OCCURRENCES.values())
    assert set(found) <= set(request.OCCURRENCES)
    for key in ("G major", "A minor", "G minor"):
        share = request.OCCURRENCES[key] / total
        assert abs(found[key] / 2000 - share) < share / 5


def test_a_requested_key_or_locks_prevent_sampling(model: LoadedModel) -> None:
    named = replace(OPEN, key=Key("E", "minor"))
    assert named.with_sampled_key(model.conditions) is named
    given = replace(OPEN, locks=Locks(steps=16, cells=(Cell(step=0, voice=0, pitch=67),)))
    assert given.with_sampled_key(model.conditions) is given
    assert OPEN.with_sampled_key(model.conditions).key == request.sample_key(3)
    assert OPEN.with_sampled_key(()) is OPEN


def test_a_candidate_has_the_key_and_the_notes_of_its_seed(model: LoadedModel) -> None:
    made = jobs.run(generate_candidates(model, OPEN, 3))
    for one in made.ranked:
        assert one.seed is not None
        alone = jobs.run(generate(model, replace(OPEN, seed=one.seed))).chorale
        assert one.chorale.key == alone.key == request.sample_key(one.seed)
        assert np.array_equal(one.chorale.pitches, alone.pitches)


def test_harmonising_gives_one_voice_and_frees_three() -> None:
    request = edit_requests.harmony_request(tune(), seed=4)
    assert request.locks is not None
    assert request.locks.mask.all(axis=0).tolist() == [True, False, False, False]
    assert (request.seed, request.steps) == (4, 32)


def test_the_key_of_a_melody_is_estimated_unless_it_is_silent() -> None:
    assert str(edit_requests.harmony_request(tune()).key) == "C major"
    named = replace(tune(), key=Key("A", "minor"))
    assert edit_requests.harmony_request(named).key == Key("A", "minor")
    assert edit_requests.harmony_request(named, key=Key("F", "major")).key == Key("F", "major")

    with pytest.raises(UsageError, match="the Tenor has no notes: expected a melody"):
        edit_requests.harmony_request(tune(), Voice.TENOR)


def test_filling_in_frees_the_named_cells_alone() -> None:
    request = edit_requests.infill_request(random_chorale(0, 32), (Voice.ALTO, Voice.TENOR), 8, 12)
    assert request.locks is not None
    free = np.argwhere(~request.locks.mask)
    assert sorted(set(free[:, 0].tolist())) == [8, 9, 10, 11]
    assert sorted(set(free[:, 1].tolist())) == [1, 2]


@pytest.mark.parametrize(("start", "stop"), [(-1, 4), (4, 4), (8, 33)])
def test_steps_outside_the_piece_are_refused(start: int, stop: int) -> None:
    with pytest.raises(UsageError, match=f"steps {start}:{stop} are not in the piece: expected 0 "):
        edit_requests.infill_request(random_chorale(0, 32), (Voice.ALTO,), start, stop)


def test_a_continuation_keeps_all_and_adds_bars() -> None:
    request = edit_requests.continuation_request(tune(), 3)
    assert request.steps == 32 + 3 * 16
    assert request.locks is not None
    assert request.locks.mask[:32].all()
    assert not request.locks.mask[32:].any()
    with pytest.raises(UsageError, match="bars is 0: expected 1 to 256"):
        edit_requests.continuation_request(tune(), 0)


@pytest.mark.parametrize("change", [0.0, 0.2, 0.5, 1.0])
def test_a_variation_frees_the_requested_share(change: float) -> None:
    """Whole notes of the named voices are free; at 0 one note, at 1 all."""
    piece = random_chorale(3, 200, margin=2)
    request = edit_requests.variation_request(piece, change, (Voice.ALTO, Voice.BASS), seed=1)
    assert request.locks is not None
    free = ~request.locks.mask
    assert not free[:, [0, 2]].any()
    assert free.any()
    assert abs(free[:, [1, 3]].mean() - change) < 0.05
    starts = free[1:] & ~free[:-1]
    assert (piece.onsets[1:] | (piece.pitches[1:] == REST))[starts].all()


def test_a_variation_depends_on_its_seed() -> None:
    """Another seed frees other notes; a share above 1 is refused."""
    piece = random_chorale(3, 60, margin=2)
    masks = [
        request.locks.mask
        for seed in (1, 1, 2)
        if (request := edit_requests.variation_request(piece, 0.3, seed=seed)).locks
    ]
    assert np.array_equal(masks[0], masks[1])
    assert not np.array_equal(masks[0], masks[2])
    with pytest.raises(UsageError, match=r"change is 1.5: expected 0 to 1: 0 is similar"):
        edit_requests.variation_request(piece, 1.5)


def test_named_parts_are_rewritten() -> None:
    piece = random_chorale(3, 32, margin=2)
    locks = Locks.of(piece, np.arange(32)[:, None] < [0, 4, 0, 0])
    request = edit_requests.part_request(piece, ["soprano"], ["s,a"], locks=locks, seed=2)
    assert request.locks is not None
    free = np.argwhere(~request.locks.mask)
    assert sorted(set(free[:, 0].tolist())) == list(range(4, 32))
    assert (set(free[:, 1].tolist()), request.seed) == ({1}, 2)


def test_a_very_long_piece_is_truncated() -> None:
    long = Chorale.of(np.full((5000, 4), 60))
    assert edit_requests.truncated(long).steps == 255 * 16
    assert edit_requests.truncated(tune()) == tune()


def test_phrases_replace_the_fermatas_of_a_melody() -> None:
    """A fermata ends each; with a pickup the last bar is shorter by it."""
    pitches = np.full((32, 4), 60)
    plain = edit_requests.with_phrases(Chorale.of(pitches), (1, 1))
    assert np.flatnonzero(plain.fermatas).tolist() == [*range(8, 16), *range(24, 32)]
    hymn = edit_requests.with_phrases(Chorale.of(pitches, meter=Meter(3, 4), pickup=4), (1, 2))
    assert np.flatnonzero(hymn.fermatas).tolist() == [*range(4, 12), *range(28, 32)]
    assert edit_requests.with_phrases(plain, ()) is plain
    with pytest.raises(UsageError, match="the phrases have 3 bars: expected 2"):
        edit_requests.with_phrases(plain, (1, 2))


def test_too_many_bars_are_refused() -> None:
    long = Chorale.of(np.full((255 * 16, 4), 60))
    assert edit_requests.continuation_request(long, 1).bars == 256
    with pytest.raises(UsageError, match="would have 257 bars: expected at most 256 of 4/4"):
        edit_requests.continuation_request(long, 2)
    with pytest.raises(UsageError, match="the piece has 313 bars: expected at most 256 of 4/4"):
        edit_requests.infill_request(Chorale.of(np.full((5000, 4), 60)), [Voice.ALTO], 0, 4)


def test_voices_and_steps_are_read() -> None:
    """Voices are letters or names; steps are half-open."""
    assert edit_requests.parse_voices("T, a") == (Voice.ALTO, Voice.TENOR)
    assert edit_requests.parse_voices("Soprano") == (Voice.SOPRANO,)
    assert edit_requests.parse_steps("16:32") == (16, 32)
    with pytest.raises(UsageError, match="'X' names no voices"):
        edit_requests.parse_voices("X")
    with pytest.raises(UsageError, match="'16-32' is not a range of steps"):
        edit_requests.parse_steps("16-32")


@pytest.mark.parametrize("suffix", [".json", ".musicxml", ".mid"])
@pytest.mark.parametrize(("meter", "pickup"), [("3/4", 4), ("6/8", 2), ("4/4", 12), ("2/4", 0)])
def test_bar_lines_and_pickup_of_a_file_are_in_the_request(
    meter: str, pickup: int, suffix: str, tmp_path: Path
) -> None:
    given = Meter.parse(meter)
    steps = pickup + 4 * given.steps
    pitches = np.full((steps, 4), REST)
    pitches[:, 0] = np.resize(np.repeat([60, 62, 64, 65, 67, 65], 2), steps)
    held = np.arange(steps) >= steps - 2
    key = Key("F", "major")
    piece = Chorale.of(pitches, meter=given, pickup=pickup, key=key, fermatas=held)
    files.write(piece, tmp_path / f"tune{suffix}")

    melody = files.import_melody(tmp_path / f"tune{suffix}").chorale
    request = edit_requests.harmony_request(melody)

    assert (request.meter, request.pickup, request.steps) == (given, pickup, steps)
    assert (request.key, request.fermatas) == (key, ((steps - 2, steps),))
