"""Generation of one chorale with a causal model, also with a table of lines or muted heads."""

from __future__ import annotations

import weakref
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.analysis import keys
from musicrel.chorale import RANGES, REST, Chorale, Key, Meter
from musicrel.errors import GenerationError, ModelError, UsageError
from musicrel.generation import edit_requests, request
from musicrel.generation.candidates import candidate_job
from musicrel.generation.causal import causal_generator
from musicrel.generation.causal.batch_forward import DecodeSequence
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.causal.decoder import Column, DecodingEvent
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.events import Generated, GenerationStep, PhraseEndTrial
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.heads.replacement import replaced_heads
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.scoring.teacher_forcing import score_cells
from musicrel.model.tokens import codec
from musicrel.model.tokens.conditions import CONDITIONS
from musicrel.model.tokens.vocabulary import ARTICULATED, END, PITCHES, START
from tests.helpers.models import tiny_card, tiny_config, tiny_model
from tests.helpers.music import random_chorale

FULL = GenerationRequest(
    bars=3, meter=Meter(3, 4), pickup=4, key=Key("Bb", "minor"), phrases=(1, 2), seed=7, tempo=66
)
SHORT = GenerationRequest(bars=1, seed=3, key=Key("D", "minor"))
OPEN = replace(SHORT, key=None)
PHRASES = GenerationRequest(length=48, bars=3, pickup=4, fermatas=((16, 20),), rules=())
"""Twelve quarters after a pickup; a phrase ends after five, another with the piece."""
_PLAIN = GenerationRequest(bars=2, phrases=(2,), seed=3, key=Key("D", "minor"))
_ONE = Mutes.parse("2.1", "zero")
_ALL = Mutes.parse("1,2", "zero")


def written(
    model: LoadedModel, request: GenerationRequest, **options: Any
) -> tuple[Generated, list[GenerationStep]]:
    events: list[GenerationStep | PhraseEndTrial] = []
    result = jobs.run(generate(model, request, **options), events.append)
    return result, [event for event in events if isinstance(event, GenerationStep)]


def ids_of(steps: list[GenerationStep]) -> list[int]:
    return [START, *(step.token for step in steps)]


@pytest.fixture(scope="module")
def lined() -> LoadedModel:
    names = tuple(CONDITIONS)
    config = tiny_config("relative", conditions=names, counterpoint=PITCHES, lines=PITCHES)
    network = tiny_model(config, dtype=torch.float64)
    return LoadedModel.unsaved(network, tiny_card(network), ARTICULATED)


def piece_of(model: LoadedModel, request: GenerationRequest) -> Chorale:
    return jobs.run(causal_generator.generate(model, request)).chorale


def test_every_note_of_the_piece_is_written_in_raster_order(any_model: LoadedModel) -> None:
    """Cells come in the order S A T B of each step; END is not written."""
    result, steps = written(any_model, FULL)
    piece = result.chorale

    cells = [(step, voice) for step in range(36) for voice in range(4)]
    assert [(event.step, event.voice) for event in steps] == cells
    assert [event.index for event in steps] == list(range(1, 4 * 36 + 1))
    assert [event.pitch for event in steps] == piece.pitches.ravel().tolist()
    assert [event.onset for event in steps] == piece.onsets.ravel().tolist()
    assert any_model.encode(piece).tolist() == [*ids_of(steps), END]
    assert result.tokens == 4 * 36
    assert result.seconds > 0


def test_the_piece_has_the_requested_form(any_model: LoadedModel) -> None:
    piece = written(any_model, FULL)[0].chorale
    plan = FULL.plan()

    assert (piece.steps, piece.meter, piece.pickup) == (36, Meter(3, 4), 4)
    assert (piece.key, piece.tempo, piece.title) == (Key("Bb", "minor"), 66, "Chorale 7")
    assert np.array_equal(piece.fermatas, plan.fermatas)


def test_a_piece_without_a_requested_key_has_the_sampled_key(any_model: LoadedModel) -> None:
    """The sampled key is given to models with a key condition; for others the key is estimated."""
    piece = written(any_model, OPEN)[0].chorale
    uses_keys = "key" in any_model.conditions
    expected = request.sample_key(OPEN.seed) if uses_keys else keys.estimate(piece.pitches)
    assert piece.key == expected
    assert piece.provenance is not None
    assert piece.provenance.settings["key"] == (str(expected) if uses_keys else None)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("temperature", [0.0, 1.0, 10.0])
def test_only_legal_notes_are_written(
    any_model: LoadedModel, seed: int, temperature: float
) -> None:
    result, steps = written(any_model, replace(SHORT, seed=seed, temperature=temperature))
    pitches, table = result.chorale.pitches, any_model.vocabulary

    for voice, (low, high) in RANGES.items():
        sounding = pitches[:, voice][pitches[:, voice] != REST]
        assert ((sounding >= low) & (sounding <= high)).all()
    for event in steps:
        assert event.token >= 4
        if table.holds and event.token >= table.first_hold:
            assert event.step > 0
            assert event.pitch == pitches[event.step - 1, event.voice]
            assert not event.onset


def test_the_same_seed_writes_the_same_notes(any_model: LoadedModel) -> None:
    """The global random state has no influence; another seed gives other notes."""
    first = written(any_model, SHORT)[0].chorale
    torch.manual_seed(99)
    torch.rand(5)

    assert written(any_model, SHORT)[0].chorale == first
    assert written(any_model, replace(SHORT, seed=4))[0].chorale != first


def test_at_temperature_0_the_seed_does_not_matter(model: LoadedModel) -> None:
    """The most probable token is chosen each time."""
    cold = [written(model, replace(SHORT, seed=s, temperature=0.0))[1] for s in (1, 2)]

    assert ids_of(cold[0]) == ids_of(cold[1])


def test_a_piece_has_provenance(model: LoadedModel) -> None:
    piece = written(model, FULL)[0].chorale

    assert piece.provenance is not None
    assert (piece.provenance.model, piece.provenance.sha256) == ("tiny", model.sha256)
    assert piece.provenance.seed == 7
    assert piece.provenance.machine["device"] == "cpu"
    assert piece.provenance.machine == model.provenance(0, {}).machine
    again = GenerationRequest.from_json(dict(piece.provenance.settings))
    assert again == FULL
    assert written(model, again)[0].chorale == piece


def full_pass(
    model: LoadedModel, request: GenerationRequest, steps: list[GenerationStep]
) -> np.ndarray:
    ids = ids_of(steps)
    rows = model.condition_rows(request.plan(), request.given_conditions())[: len(ids)]
    logits = model.logits(ids, rows).astype(np.float64)
    return np.asarray(logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True))


@pytest.mark.parametrize("request_", [FULL, replace(FULL, temperature=2.0, top_k=5, top_p=0.9)])
def test_probabilities_are_those_of_the_model_itself(
    any_model: LoadedModel, request_: GenerationRequest
) -> None:
    result, steps = written(any_model, request_)
    log_p = full_pass(any_model, request_, steps)

    expected = [log_p[event.index - 1, event.token] for event in steps]
    entropies = -(np.exp(log_p) * log_p).sum(-1)
    assert [event.log_probability for event in steps] == pytest.approx(expected, abs=1e-4)
    assert [event.entropy for event in steps] == pytest.approx(entropies[:-1], abs=1e-4)
    assert result.nats_per_note == pytest.approx(-np.mean(expected), abs=1e-4)


def test_key_and_phrases_condition_the_model(model: LoadedModel) -> None:
    fields: tuple[dict[str, Any], ...] = (
        {"key": Key("F", "major")},
        {"key": Key("D", "major")},
        {"key": Key("D", "minor")},
        {"phrases": (1,)},
    )
    pieces = [written(model, replace(SHORT, **fields))[0].chorale.pitches for fields in fields]

    assert len({pitches.tobytes() for pitches in pieces}) == len(pieces)


def test_attention_is_recorded_on_request(any_model: LoadedModel) -> None:
    """Each row equals that of one pass over all tokens; the notes stay the same."""
    plain, steps = written(any_model, SHORT)
    recorded, rows = written(any_model, SHORT, record=True)
    ids = ids_of(rows)[:-1]
    conditions = any_model.condition_rows(SHORT.plan(), SHORT.given_conditions())[: len(ids)]
    attention = any_model.attention(ids, conditions)

    assert all(event.attention is None for event in steps)
    assert recorded.chorale == plain.chorale
    for event in rows:
        assert event.attention is not None
        assert event.attention.shape == (2, 2, event.index)
        assert event.attention.dtype == np.float32
        last = attention[:, :, event.index - 1, : event.index]
        np.testing.assert_allclose(event.attention, last, atol=1e-4)


@pytest.fixture
def caches(monkeypatch: pytest.MonkeyPatch) -> weakref.WeakSet[Any]:
    alive: weakref.WeakSet[Any] = weakref.WeakSet()

    open_reader = LoadedModel.reader

    def noted(*arguments: Any, **options: Any) -> Any:
        reader = open_reader(*arguments, **options)
        alive.add(reader)
        return reader

    monkeypatch.setattr(LoadedModel, "reader", noted)
    return alive


@pytest.mark.parametrize(("quality", "held"), [("draft", 1), ("normal", 2)])
def test_a_cancelled_job_frees_its_caches(
    model: LoadedModel, caches: weakref.WeakSet[Any], quality: str, held: int
) -> None:
    """Its caches are freed, those of a search, too; the next piece is not affected."""
    expected = written(model, SHORT)[0].chorale
    assert len(caches) == 0
    job = generate(model, replace(SHORT, quality=quality))
    for _ in range(10):
        next(job)
    assert len(caches) == held
    assert not torch.is_inference_mode_enabled()

    job.close()

    assert len(caches) == 0
    assert torch.is_grad_enabled()
    with pytest.raises(StopIteration):
        next(job)
    assert written(model, SHORT)[0].chorale == expected


def test_non_finite_weights_are_reported(model: LoadedModel) -> None:
    bias = model.network.head.bias
    before = bias.detach().clone()
    with torch.inference_mode():  # a test before may have loaded it in this mode
        bias.fill_(float("nan"))
    try:
        with pytest.raises(
            GenerationError, match="'tiny' gives no distribution at step 0: its weights are broken"
        ):
            written(LoadedModel.unsaved(model.network, model.card, model.vocabulary), SHORT)
    finally:
        with torch.inference_mode():
            bias.copy_(before)


@pytest.mark.parametrize("compiles", [True, False])
@pytest.mark.parametrize("has_melody", [False, True])
def test_searched_notes_have_the_probability_of_one_pass(
    lined: LoadedModel, *, has_melody: bool, compiles: bool
) -> None:
    model, request = replace(lined, may_compile=compiles), PHRASES
    if has_melody:
        soprano = np.zeros((request.steps, 4), dtype=bool)
        soprano[:, 0] = True
        request = replace(request, locks=Locks.of(random_chorale(4, request.steps), soprano))
    constraints = Constraints.of(request, model.vocabulary)
    sequences = [
        DecodeSequence.of(model, replace(request, seed=seed), constraints.locked_tokens)
        for seed in range(2)
    ]
    events: list[DecodingEvent] = []
    length = request.steps * codec.VOICES
    job = causal_generator.decode(model, request, constraints, sequences, length)

    written = jobs.run(job, events.append)

    ids = torch.from_numpy(np.stack(written))
    rows = torch.from_numpy(np.stack([sequence.conditions_NC for sequence in sequences]))
    with torch.inference_mode():
        logits = model.network(ids, rows[:, : ids.shape[1]]).logits_BTV
    log_p = logits[:, :-1].log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]
    columns = [event for event in events if isinstance(event, Column)]
    found = np.stack([column.choice.log_probability for column in columns], axis=1)
    np.testing.assert_allclose(found, log_p[:, columns[0].index - 1 :], atol=1e-3)


@pytest.mark.parametrize("quality", ["draft", "normal"])
def test_a_muted_head_gives_other_notes_of_the_same_seed(model: LoadedModel, quality: str) -> None:
    plain = replace(_PLAIN, quality=quality)

    muted = piece_of(model, replace(plain, mutes=_ONE))

    assert (muted.pitches != piece_of(model, plain).pitches).any()


@pytest.mark.parametrize("quality", ["draft", "normal"])
def test_torch_writes_the_notes_of_the_compiled_step(any_model: LoadedModel, quality: str) -> None:
    """The same heads are muted at the same positions, also after particles were resampled."""
    request = replace(_PLAIN, mutes=_ONE, quality=quality)
    by_torch = replace(any_model, may_compile=False)

    one, other = piece_of(any_model, request), piece_of(by_torch, request)

    np.testing.assert_array_equal(one.pitches, other.pitches)
    np.testing.assert_array_equal(one.onsets, other.onsets)


def test_a_piece_without_any_head_keeps_the_rules_and_the_locks(model: LoadedModel) -> None:
    locks = Locks(steps=32, cells=(Cell(8, 0, 67), Cell(20, 3, 50)))

    piece = piece_of(model, replace(_PLAIN, mutes=_ALL, locks=locks))

    assert (piece.pitches[8, 0], piece.pitches[20, 3]) == (67, 50)
    for pitches, (low, high) in zip(piece.pitches.T, RANGES.values(), strict=True):
        assert ((pitches == REST) | ((low <= pitches) & (pitches <= high))).all()


def test_the_provenance_names_the_muted_heads(model: LoadedModel) -> None:
    piece = piece_of(model, replace(_PLAIN, mutes=_ONE))

    assert piece.provenance is not None
    stored = piece.provenance.settings
    assert (stored["mute"], stored["mute_by"]) == ("2.1", "zero")
    assert piece_of(model, GenerationRequest.from_json(dict(stored))) == piece


def test_candidates_are_measured_by_the_muted_model(model: LoadedModel) -> None:
    locks = Locks(steps=32, cells=(Cell(0, 0, 67), Cell(31, 0, 67)))
    request = replace(_PLAIN, mutes=_ONE, locks=locks, quality="draft")

    made = jobs.run(candidate_job.generate_candidates(model, request, 2))

    given, replaced = request.given_conditions(), replaced_heads(model, _ONE)
    for one in made.ranked:
        rows = score_cells(model, one.chorale, given, record=False, replaced=replaced)
        nats = np.concatenate([part.nats for part in rows])
        assert one.measures.nats == pytest.approx(float(nats.mean()), abs=1e-4)


def test_unknown_heads_and_means_are_refused(model: LoadedModel) -> None:
    with pytest.raises(UsageError, match=r"no head 3.1: expected layers 1 to 2 and heads 1 to 2"):
        piece_of(model, replace(_PLAIN, mutes=Mutes.parse("3.1", "zero")))

    with pytest.raises(ModelError, match="compute them with musicrel ablate means"):
        piece_of(model, replace(_PLAIN, mutes=Mutes.parse("2.1")))


@pytest.mark.parametrize(("meter", "places"), [(Meter(6, 8), {0, 4}), (Meter(6, 4), {0, 8})])
@pytest.mark.parametrize("quality", ["draft", "normal"])
def test_lower_voices_keep_to_the_beats_of_a_compound_meter(
    model: LoadedModel, meter: Meter, places: set[int], quality: str
) -> None:
    """Their notes begin on a beat or on the written unit before it, those of the soprano freely."""
    request = GenerationRequest(bars=2, meter=meter, quality=quality, seed=2, temperature=2.0)
    piece = piece_of(model, request)
    with_rhythm = piece_of(model, replace(request, rhythm=(0, *range(8, request.steps, 4))))
    beat = 3 * max(places) // 2
    on_beats = with_rhythm.onsets[::beat]
    assert on_beats[on_beats[:, 0]].all()  # where the soprano is sure to begin a note, all do
    places_of = [
        {int(step) % beat for step in np.flatnonzero(piece.onsets[:, voice])} for voice in range(4)
    ]
    assert set.union(*places_of[1:]) <= places
    assert places_of[0] > places


def test_the_end_of_a_melody_in_six_eight_may_stand_off_the_beat(model: LoadedModel) -> None:
    """The bass comes to the dominant and to the tonic where the melody needs them."""
    line = [62] * 14 + [60] * 10
    onsets = np.zeros((24, 4), dtype=np.bool_)
    onsets[[0, 14], 0] = True
    melody = replace(
        Chorale.of([(pitch, REST, REST, REST) for pitch in line]),
        onsets=onsets, meter=Meter(6, 8), key=Key("C", "major"),
    )  # fmt: skip
    request = edit_requests.harmony_request(melody, quality="draft")
    piece = piece_of(model, request)
    bass = piece.pitches[:, 3] % 12
    assert {*bass[12:14].tolist()} <= {7, 11}
    assert {*bass[14:].tolist()} == {0}


def test_in_six_eight_voices_that_must_not_cross_make_way_for_a_melody(model: LoadedModel) -> None:
    """The alto cannot hold a note through the beat below which the soprano falls."""
    line = np.repeat([74, 62, 67, 76, 60, 67], 2)
    onsets = np.zeros((12, 4), dtype=np.bool_)
    onsets[::2, 0] = True
    melody = replace(
        Chorale.of([(pitch, REST, REST, REST) for pitch in line]), onsets=onsets, meter=Meter(6, 8)
    )
    for seed in range(5):
        rules = ("range", "crossing", "rests")
        request = edit_requests.harmony_request(melody, quality="draft", rules=rules, seed=seed)
        pitches = piece_of(model, replace(request, temperature=2.0)).pitches
        assert (pitches[:, 0] >= pitches[:, 1]).all()
