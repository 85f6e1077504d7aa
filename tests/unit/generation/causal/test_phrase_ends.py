"""Best-of-n decoding of phrase endings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel import jobs
from musicrel.generation.causal import decoder, phrase_ends
from musicrel.generation.causal.batch import CausalBatch, Progress
from musicrel.generation.causal.decode_sequence import DecodeSequence
from musicrel.generation.causal.decoder import Column, DecodingEvent
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.quality import QUALITIES
from musicrel.generation.request import GenerationRequest
from musicrel.tokens import codec
from tests.helpers.models import tiny_cross_attention_directory
from tests.helpers.music import random_chorale

PHRASES = GenerationRequest(length=48, bars=3, fermatas=((16, 20),))
"""Twelve quarters; a phrase ends after five, another with the piece."""
MAX_ENDING_TOKENS = 28 * codec.VOICES


def new_sequences(
    model: LoadedModel, request: GenerationRequest, seeds: range
) -> list[DecodeSequence]:
    """Return an unwritten sequence for each seed."""
    locked_tokens = request.constraints(model.vocabulary).locked_tokens
    each = [replace(request, seed=seed) for seed in seeds]
    return [DecodeSequence.of(model, one, locked_tokens) for one in each]


def written(
    model: LoadedModel, sequences: list[DecodeSequence], request: GenerationRequest
) -> tuple[list[list[int]], list[DecodingEvent]]:
    """Return the ids of every sequence, and all events."""
    events: list[DecodingEvent] = []
    constraints = request.constraints(model.vocabulary)
    length = request.steps * codec.VOICES
    job = phrase_ends.decode(
        model, constraints, request.sampler(), sequences, length, quality=request.quality
    )
    return [row.tolist() for row in jobs.run(job, events.append)], events


def plain(
    model: LoadedModel, sequences: DecodeSequence, stop: int, request: GenerationRequest
) -> tuple[list[int], float]:
    """Return a sequence decoded to ``stop`` without a search, and log p of its new tokens."""
    events: list[DecodingEvent] = []
    constraints = request.constraints(model.vocabulary)
    job = decoder.decode(model, [sequences], stop, constraints, request.sampler())
    (ids,) = jobs.run(job, events.append)
    columns = [event for event in events if isinstance(event, Column)]
    return ids.tolist(), sum(float(column.log_probability[0]) for column in columns)


def test_a_draft_is_decoded_without_a_search(model: LoadedModel) -> None:
    """Draft quality equals decoding without a search."""
    draft = replace(PHRASES, quality="draft")
    (sequence,) = sequences = new_sequences(model, draft, range(1))
    assert written(model, sequences, draft)[0] == [plain(model, sequence, 192, draft)[0]]


def test_the_most_probable_sample_of_each_ending_is_chosen(model: LoadedModel) -> None:
    """The search finds the sample that decoding all of them one by one finds."""
    (sequence,) = sequences = new_sequences(model, PHRASES, range(1))
    expected = sequence
    for first, stop in ((1, 20 * 4), (20 * 4 + 1, 48 * 4)):
        assert stop - first < MAX_ENDING_TOKENS
        samples = [
            plain(model, expected.with_stream(first, stream), stop, PHRASES)
            for stream in range(QUALITIES["normal"].phrase_end_samples)
        ]
        best = int(np.argmax([log_p for _, log_p in samples]))
        expected = replace(expected.with_stream(first, best), prompt=np.array(samples[best][0]))
    assert written(model, sequences, PHRASES)[0] == [expected.prompt.tolist()]


def test_tokens_before_an_ending_are_not_searched(model: LoadedModel) -> None:
    """Only the last seven quarters of a long phrase are searched."""
    long = replace(PHRASES, fermatas=())
    (sequence,) = sequences = new_sequences(model, long, range(1))
    (ids,), _ = written(model, sequences, long)
    draft, _ = plain(model, sequence, 192, long)
    before = 192 - MAX_ENDING_TOKENS + 1
    assert ids[:before] == draft[:before]
    assert ids != draft


def test_phrase_endings_do_not_depend_on_the_batch(model: LoadedModel) -> None:
    """Tokens do not depend on the batch."""
    sequences = new_sequences(model, PHRASES, range(3))
    alone = [written(model, [sequence], PHRASES)[0][0] for sequence in sequences]
    assert written(model, sequences, PHRASES)[0] == alone
    assert len({tuple(ids) for ids in alone}) == 3


def test_every_token_is_reported_once_and_in_order(model: LoadedModel) -> None:
    """Samples that are not chosen yield no columns."""
    ids, events = written(model, new_sequences(model, PHRASES, range(2)), PHRASES)
    columns = [event for event in events if isinstance(event, Column)]
    assert [column.index for column in columns] == list(range(1, 193))
    assert np.array_equal(np.stack([c.tokens for c in columns], 1), [row[1:] for row in ids])


def test_decoding_and_scoring_agree_with_cross_attention(tmp_path: Path) -> None:
    """A model with cross-attention gives the same log-probabilities in decoding and in scoring."""
    cross_attention = load_model(str(tiny_cross_attention_directory(tmp_path / "tiny")))
    piece, soprano = random_chorale(4, 48), np.zeros((48, 4), dtype=bool)
    soprano[:, 0] = True
    request = replace(PHRASES, locks=Locks.of(piece, soprano), rules=())
    constraints = request.constraints(cross_attention.vocabulary)
    batch = CausalBatch(cross_attention, request, constraints, [0])
    events: list[Progress] = []
    (ids,), (nats,) = jobs.run(batch.run(), events.append)

    written_ = constraints.piece(ids)
    assert written_ is not None
    np.testing.assert_allclose(nats, batch.nats(written_), atol=1e-4)
    assert len(events) > nats.size  # ways were tried


def test_greedy_decoding_has_no_search(model: LoadedModel) -> None:
    """At temperature 0 the search is skipped."""
    cold = replace(PHRASES, temperature=0.0)
    (sequence,) = sequences = new_sequences(model, cold, range(1))
    ids, events = written(model, sequences, cold)
    assert ids == [plain(model, sequence, 192, cold)[0]]
    assert all(isinstance(event, Column) for event in events)


def test_a_stream_switch_changes_the_random_numbers(model: LoadedModel) -> None:
    """Random numbers change from the switch on; stream 0 is the sequence's own."""
    (sequence,) = new_sequences(model, PHRASES, range(1))
    own = sequence.uniforms(40)
    other = sequence.with_stream(11, 3)
    assert np.array_equal(other.uniforms(40)[:10], own[:10])
    assert not (other.uniforms(40)[10:] == own[10:]).any()
    back = other.with_stream(31, 0)
    assert np.array_equal(back.uniforms(40)[30:], own[30:])
    assert np.array_equal(back.uniforms(40)[:30], other.uniforms(40)[:30])


@pytest.mark.parametrize(("quality", "most"), [("draft", 20), ("normal", 0)])
def test_a_sample_at_a_dead_end_is_not_chosen(model: LoadedModel, quality: str, most: int) -> None:
    """If the soprano stays below the tenor's next note, no note is left for the alto."""
    cells = (Cell(0, 0, 60), Cell(0, 1, 60), Cell(0, 2, 60), Cell(1, 2, 62, True))
    tight = GenerationRequest(
        bars=1,
        temperature=3.0,
        rules=("range", "crossing", "parallels", "rests"),
        locks=Locks(steps=16, cells=cells),
        quality=quality,
    )
    constraints = tight.constraints(model.vocabulary)
    sequences = new_sequences(model, tight, range(20))
    sampler = tight.sampler()
    jobs.run(phrase_ends.decode(model, constraints, sampler, sequences, 64, quality=quality))
    stuck = len(constraints.dead_ends)
    assert (0 < stuck < most) if most else not stuck
