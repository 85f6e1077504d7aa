"""New pieces in bar form, A A B, written by both families, and their first chord."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from musicrel import cores, jobs
from musicrel.chorale import Chorale, Key, Meter, Voice
from musicrel.errors import UsageError
from musicrel.generation.candidates.candidate_job import generate_candidates
from musicrel.generation.causal import causal_generator
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.events import GenerationStep, PhraseEndTrial
from musicrel.generation.infill.infill_generator import InfillProgress
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.phrasing import phrase_plan
from musicrel.generation.request import GenerationRequest
from musicrel.model.tokens import codec
from musicrel.model.tokens.vocabulary import START

D_MINOR = Key("D", "minor")
FORM = GenerationRequest(
    bars=5, phrases=(1, 1, 1, 1, 1), key=D_MINOR, form="aab", begins_on="tonic", seed=3
)
STEPS = 32  # of the Stollen: two phrases of a bar
SAME, OTHER = (
    next(seed for seed in range(100) if phrase_plan.draw_other_ending(seed) == is_other)
    for is_other in (False, True)
)
SEEDS = tuple(range(OTHER - 1, OTHER + 2))


@pytest.fixture(autouse=True)
def _cores_as_before(model: LoadedModel) -> Iterator[None]:  # noqa: ARG001  # loading sets them
    yield
    cores.use(None)


def by_seed(model: LoadedModel, request: GenerationRequest, count: int) -> dict[int, Chorale]:
    found = jobs.run(generate_candidates(model, request, count)).ranked
    return {one.seed or 0: one.chorale for one in found}


def compared(piece: Chorale) -> list[int]:
    """Return the steps at which the repeat differs from the first passage, from its beginning."""
    first, again = (
        np.concatenate([part[start : start + STEPS] for part in (piece.pitches, piece.onsets)], 1)
        for start in (0, STEPS)
    )
    return np.flatnonzero((first != again).any(axis=1)).tolist()


@pytest.mark.parametrize("quality", ["draft", "normal"])
def test_the_first_phrases_come_twice_note_by_note(any_model: LoadedModel, quality: str) -> None:
    request = replace(FORM, seed=SAME, quality=quality)
    piece = jobs.run(causal_generator.generate(any_model, request)).chorale
    holds = any_model.vocabulary.holds  # without them the note before a repeated one is held
    assert compared(piece) in ([[]] if holds else [[], [0]])
    assert np.array_equal(piece.pitches[:STEPS], piece.pitches[STEPS : 2 * STEPS])
    assert piece.steps == 80
    assert not np.array_equal(piece.pitches[64:], piece.pitches[:16])


def test_a_stollen_may_end_within_a_chord_as_long_as_its_phrases(model: LoadedModel) -> None:
    asked = replace(FORM, bars=3, phrases=(1, 1, 1), meter=Meter(3, 4), seed=SAME)
    piece = jobs.run(causal_generator.generate(model, asked)).chorale
    assert piece.steps == 36
    assert np.array_equal(piece.pitches[:12], piece.pitches[12:24])


@pytest.mark.parametrize("quality", ["draft", "normal"])
def test_an_infilling_model_repeats_them_too(infill_model: LoadedModel, quality: str) -> None:
    events: list[object] = []
    request = replace(FORM, seed=SAME, quality=quality)
    job = generate_candidates(infill_model, request, 1)
    (only,) = jobs.run(job, events.append).ranked
    assert compared(only.chorale) == []
    shares = [event.share for event in events if isinstance(event, InfillProgress)]
    assert shares == sorted(shares)
    assert shares[-1] == 1


@pytest.mark.parametrize("family", ["model", "infill_model"])
def test_another_ending_begins_two_quarters_before_the_last_chord(
    family: str, request: pytest.FixtureRequest
) -> None:
    """The fermata of a bar begins with its third quarter."""
    model, asked = request.getfixturevalue(family), replace(FORM, seed=OTHER)
    assert asked.stollen() == (STEPS, 16)
    differing = compared(by_seed(model, asked, 1)[OTHER])
    assert differing
    assert min(differing) >= 16


@pytest.mark.parametrize("family", ["model", "infill_model"])
def test_each_candidate_has_its_own_form_and_is_the_same_alone_on_any_number_of_cores(
    family: str, request: pytest.FixtureRequest
) -> None:
    model, asked = request.getfixturevalue(family), replace(FORM, seed=SEEDS[0])
    cores.use(1)
    together = by_seed(model, asked, len(SEEDS))
    cores.use(2)
    assert together.keys() == {*SEEDS}
    for seed, piece in together.items():
        alone = by_seed(model, replace(asked, seed=seed), 1)[seed]
        assert np.array_equal(alone.pitches, piece.pitches)
        assert np.array_equal(alone.onsets, piece.onsets)


def test_every_note_is_reported_with_its_attention_while_it_is_written(model: LoadedModel) -> None:
    request = replace(FORM, seed=OTHER)
    events: list[GenerationStep | PhraseEndTrial] = []
    result = jobs.run(causal_generator.generate(model, request, record=True), events.append)
    steps = [event for event in events if isinstance(event, GenerationStep)]
    assert [step.index for step in steps] == list(range(1, 80 * 4 + 1))
    assert [step.pitch for step in steps] == result.chorale.pitches.ravel().tolist()
    for step in steps:
        assert step.attention is not None
        assert step.attention.shape[-1] == step.index

    plain = jobs.run(causal_generator.generate(model, request)).chorale
    assert np.array_equal(plain.pitches, result.chorale.pitches)


def test_what_comes_before_the_repeat_is_as_without_one(model: LoadedModel) -> None:
    """The tokens of the first passage depend on nothing that follows."""
    both = [
        jobs.run(causal_generator.generate(model, replace(FORM, form=form))).chorale
        for form in ("aab", "")
    ]
    first, plain = (codec.encode(one, model.vocabulary)[: 1 + STEPS * 4] for one in both)
    assert first[0] == START
    assert np.array_equal(first, plain)
    assert not np.array_equal(both[0].pitches, both[1].pitches)


@pytest.mark.parametrize("family", ["model", "infill_model"])
@pytest.mark.parametrize(
    ("begins_on", "tones", "bass"), [("tonic", {2, 5, 9}, {2}), ("dominant", {9, 1, 4, 7}, {9, 1})]
)
def test_a_piece_begins_on_the_chord_that_is_asked_for(
    family: str, begins_on: str, tones: set[int], bass: set[int], request: pytest.FixtureRequest
) -> None:
    """In D minor: D F A over D; A C sharp E G over A or C sharp."""
    model = request.getfixturevalue(family)
    asked = replace(FORM, form="", begins_on=begins_on, seed=0)
    for piece in by_seed(model, asked, 4).values():
        first = piece.pitches[0] % 12
        assert {*first.tolist()} <= tones
        assert int(first[Voice.BASS]) in bass


def test_the_form_of_a_request_is_stored_with_it_and_older_ones_have_none() -> None:
    assert GenerationRequest.from_json(FORM.to_json()) == FORM
    plain = GenerationRequest().to_json()
    assert not {"form", "begins_on"} & plain.keys()
    assert GenerationRequest.from_json(plain) == GenerationRequest(form="", begins_on="")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"form": "rondo"}, "form is 'rondo': expected auto, aab or through-composed"),
        ({"begins_on": "sixth"}, "begins_on is 'sixth': expected auto, tonic, dominant or any"),
        ({"phrases": (1, 2, 2)}, "the phrases 1,2,2 do not have the form A A B: expected some"),
        ({"phrases": ()}, "the form A A B repeats phrases, and the piece has none: expected"),
        (
            {"bars": 2, "phrases": None},
            "a piece of 2 bars cannot have the form A A B: expected at least 3 bars",
        ),
        ({"locks": Locks(steps=80)}, "the form A A B is for new pieces, but some notes are given"),
    ],
)
def test_what_cannot_be_repeated_is_refused(fields: dict[str, object], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        replace(FORM, **fields)  # type: ignore[arg-type]  # wrong values


def test_length_form_and_beginning_are_drawn_with_the_seed_where_they_are_open() -> None:
    """A form is not drawn for a given length; given phrases have one."""
    open_ = GenerationRequest(bars=None, phrases=None, pickup=None, form=None, begins_on=None)
    drawn = [replace(open_, seed=seed).resolved() for seed in range(40)]
    assert drawn == [replace(open_, seed=seed).resolved() for seed in range(40)]
    assert {one.form for one in drawn} == {"aab", ""}
    assert {one.begins_on for one in drawn} >= {"tonic", ""}
    assert len({one.bars for one in drawn}) > 5
    for one in drawn:
        assert bool(one.stollen()) == (one.form == "aab")

    given = [replace(open_, bars=16, seed=seed).resolved() for seed in range(40)]
    assert {(one.bars, one.form) for one in given} == {(16, "")}
    asked = [replace(open_, bars=16, form="aab", seed=seed).resolved() for seed in range(40)]
    assert all(one.stollen() for one in asked)
    assert {one.bars for one in asked} == {16}
    assert GenerationRequest(bars=None, phrases=(2, 2, 4)).bars == 8
    assert replace(open_, seed=1).resolved(()).form == ""
