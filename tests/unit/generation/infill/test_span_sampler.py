"""Sampling of a span, compared with an enumeration of all spans."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from musicrel.generation.infill.span_sampler import CellSpanSampler
from musicrel.generation.sampling import Sampler
from musicrel.tokens.vocabulary import ARTICULATED, MASK, REST_TOKEN

ONSET, HOLD = ARTICULATED.first_onset, ARTICULATED.first_hold
KEPT = (REST_TOKEN, ONSET + 3, ONSET + 5, HOLD + 3, HOLD + 5)
"""Two pitches and the rest."""


def logits(cells: int, seed: int = 0) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return random logits of some cells."""
    return np.random.default_rng(seed).normal(size=(cells, ARTICULATED.size))


def legal(cells: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Return a mask that allows only ``KEPT``."""
    mask = np.zeros((cells, ARTICULATED.size), dtype=np.bool_)
    mask[:, KEPT] = True
    return mask


def new_sampler(cells: int, before: int, after: int, **how: Any) -> CellSpanSampler:
    """Return a sampler of a span of ``cells``."""
    return CellSpanSampler(
        logits(cells), legal(cells), before=before, after=after, vocabulary=ARTICULATED,
        sampler=Sampler(**how),
    )  # fmt: skip


def follows(before: int, token: int) -> bool:
    """Return True where a token can follow another."""
    return token < HOLD or before == MASK or before in {token, token - (HOLD - ONSET)}


def every_span(cells: int, before: int, after: int) -> dict[tuple[int, ...], float]:
    """Return the probability of every legal span: onsets by pitch, holds pooled."""
    probabilities = np.where(legal(cells), np.exp(logits(cells)), 0.0)
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    found: dict[tuple[int, ...], float] = {}
    for span in itertools.product(KEPT, repeat=cells):
        tokens = (before, *span, after)
        last = len(tokens) if after >= HOLD else len(tokens) - 1
        if not all(follows(tokens[place - 1], tokens[place]) for place in range(1, last)):
            continue
        probability = 1.0
        for cell, token in enumerate(span):
            pooled = cell > 0 and token >= HOLD
            probability *= float(
                probabilities[cell, HOLD:].sum() if pooled else probabilities[cell, token]
            )
        found[span] = probability
    total = sum(found.values())
    return {span: probability / total for span, probability in found.items()}


@pytest.mark.parametrize("before", [MASK, REST_TOKEN, ONSET + 3])
@pytest.mark.parametrize("after", [MASK, ONSET + 5, HOLD + 5])
def test_spans_are_sampled_by_their_product_of_probabilities(before: int, after: int) -> None:
    """Frequencies equal the normalised products of all legal spans between the cells around."""
    expected, rng = every_span(3, before, after), np.random.default_rng(1)
    drawn = Counter(
        tuple(new_sampler(3, before, after).draw(rng.random(3), finish=True)[0])
        for _ in range(4000)
    )
    assert set(drawn) <= set(expected)
    for span, probability in expected.items():
        assert drawn[span] / 4000 == pytest.approx(probability, abs=0.035)


def test_a_new_note_is_sampled_alone_and_a_held_one_to_its_end() -> None:
    """The second result is True where the rest must begin with another note."""
    rng = np.random.default_rng(0)
    lengths: dict[bool, set[int]] = {True: set(), False: set()}
    for _ in range(300):
        written, new_note = new_sampler(6, ONSET + 3, MASK).draw(rng.random(6), finish=False)
        if written[0] < HOLD:
            assert (len(written), new_note) == (1, False)
        else:
            assert set(written) == {HOLD + 3}
            assert new_note == (len(written) < 6)
        lengths[new_note].add(len(written))
    assert len(lengths[True]) > 1
    assert 1 in lengths[False]


@pytest.mark.parametrize("before", [ONSET + 3, REST_TOKEN])
def test_a_required_new_note_is_sampled(before: int) -> None:
    """The first token is no hold, and after a rest no rest."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        span = CellSpanSampler(
            logits(2), legal(2), before=before, after=MASK, new_note=True, vocabulary=ARTICULATED,
            sampler=Sampler(),
        ).draw(rng.random(2), finish=True)[0]  # fmt: skip
        assert span[0] < HOLD
        assert span[0] != before or before != REST_TOKEN


def test_the_pitch_before_a_locked_hold_is_written() -> None:
    """A pitch that no rule allows is written before a locked hold of it."""
    span = CellSpanSampler(
        logits(2), legal(2), before=REST_TOKEN, after=HOLD + 20, vocabulary=ARTICULATED,
        sampler=Sampler(),
    ).draw(np.array([0.5, 0.5]), finish=True)[0]  # fmt: skip
    assert span[-1] in {ONSET + 20, HOLD + 20}


def test_greedy_spans_are_deterministic() -> None:
    """At temperature 0 random numbers have no influence."""
    spans = {
        tuple(
            new_sampler(5, REST_TOKEN, MASK, temperature=0.0).draw(np.full(5, place), finish=True)[
                0
            ]
        )
        for place in (0.0, 0.3, 0.99)
    }
    assert len(spans) == 1


def test_top_p_keeps_the_probability_of_an_onset() -> None:
    """Thirty pitches of 0.01 each beside a hold of 0.7: top-p 0.8 filters pitches only."""
    logits = np.full(ARTICULATED.size, -np.inf)
    pitches = range(ONSET, ONSET + 30)
    logits[list(pitches)] = np.log(0.01)
    logits[HOLD + 3] = np.log(0.7)
    logits[ONSET] = np.log(0.02)
    may_stand = np.isfinite(logits)
    narrow = CellSpanSampler(
        logits[None], may_stand[None], before=ONSET + 3, after=MASK, vocabulary=ARTICULATED,
        sampler=Sampler(top_p=0.8),
    )  # fmt: skip
    drawn = Counter(
        narrow.draw(np.array([probability]), finish=True)[0][0]
        for probability in np.linspace(0, 0.9999, 2000)
    )
    begun = sum(count for token, count in drawn.items() if token < HOLD) / drawn.total()
    assert begun == pytest.approx(0.31 / 1.01, abs=0.01)
    assert 20 <= len([token for token in drawn if token < HOLD]) < 30
