"""Sampling of a span, compared with an enumeration of all spans."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import Flags
from musicrel.generation.infill import gibbs_blocks
from musicrel.generation.infill.gibbs_blocks import Block
from musicrel.generation.infill.span_sampler import CellSpanSampler
from musicrel.generation.sampling import Sampler
from musicrel.model.tokens.vocabulary import ARTICULATED, MASK, REST_TOKEN

ONSET, HOLD = ARTICULATED.first_onset, ARTICULATED.first_hold
KEPT = (REST_TOKEN, ONSET + 3, ONSET + 5, HOLD + 3, HOLD + 5)
"""Two pitches and the rest."""


def logits(cells: int, seed: int = 0) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.random.default_rng(seed).normal(size=(cells, ARTICULATED.size))


def legal(cells: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    mask = np.zeros((cells, ARTICULATED.size), dtype=np.bool_)
    mask[:, KEPT] = True
    return mask


def new_sampler(cells: int, before: int, after: int, **how: Any) -> CellSpanSampler:
    return CellSpanSampler(
        logits(cells), legal(cells), before=before, after=after, vocabulary=ARTICULATED,
        sampler=Sampler(**how),
    )  # fmt: skip


def follows(before: int, token: int) -> bool:
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
    rng = np.random.default_rng(0)
    for _ in range(100):
        span = CellSpanSampler(
            logits(2), legal(2), before=before, after=MASK, new_note=True, vocabulary=ARTICULATED,
            sampler=Sampler(),
        ).draw(rng.random(2), finish=True)[0]  # fmt: skip
        assert span[0] < HOLD
        assert span[0] != before or before != REST_TOKEN


def test_the_pitch_before_a_locked_hold_is_written() -> None:
    span = CellSpanSampler(
        logits(2), legal(2), before=REST_TOKEN, after=HOLD + 20, vocabulary=ARTICULATED,
        sampler=Sampler(),
    ).draw(np.array([0.5, 0.5]), finish=True)[0]  # fmt: skip
    assert span[-1] in {ONSET + 20, HOLD + 20}


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


def covered(
    groups: list[list[Block]], steps: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    times = np.zeros((steps, 4), dtype=np.int64)
    for group in groups:
        for block in group:
            times[block.start : block.stop, block.voice] += 1
    return times


def free(steps: int, voices: tuple[int, ...]) -> Flags:
    cells = np.zeros((steps, 4), dtype=np.bool_)
    cells[:, voices] = True
    cells[3, voices[0]] = cells[10:13, voices[-1]] = False
    return cells


@pytest.mark.parametrize("steps", [1, 7, 16, 100, 256])
@pytest.mark.parametrize("voices", [(1, 2, 3), (0, 1, 2, 3), (2,)])
def test_the_first_filling_has_every_free_cell_once(steps: int, voices: tuple[int, ...]) -> None:
    cells = free(max(steps, 13), voices)
    ends = [(0, 1), (9, 13), (10, len(cells))]
    groups = gibbs_blocks.filling_places(cells, ends, passes=4)
    places = [place for group in groups for place in group]
    assert np.array_equal(covered(places, len(cells)), cells.astype(np.int64))
    assert {block.passes for place in places for block in place} == {4}


def test_the_first_filling_begins_where_phrases_end() -> None:
    everywhere = np.ones((64, 4), dtype=np.bool_)
    first = next(iter(gibbs_blocks.filling_places(everywhere, [(26, 30), (60, 64)], passes=1)))
    assert [[block.voice for block in place] for place in first] == [[0, 3, 1, 2]] * 2
    assert [{(block.start, block.stop) for block in place} for place in first] == [
        {(26, 30)},
        {(60, 64)},
    ]


def test_every_free_note_is_a_block_of_its_own() -> None:
    """Each note comes once, to its end; the blocks of a group are apart."""
    rng = np.random.default_rng(0)
    onsets = rng.random((60, 4)) < 0.3
    onsets[0] = True
    sounding = np.ones((60, 4), dtype=np.bool_)
    sounding[20:25, 2] = onsets[20:25, 2] = False
    onsets[25, 2] = True
    cells = np.ones((60, 4), dtype=np.bool_)
    cells[:, 0] = False
    groups = gibbs_blocks.note_blocks(cells, onsets, sounding, rng)
    assert np.array_equal(covered(groups, 60) == 1, cells & sounding)
    assert sum(map(len, groups)) == onsets[:, 1:].sum()
    for group in groups:
        ordered = sorted(group, key=lambda block: block.start)
        assert all(b.start - a.stop >= 2 for a, b in itertools.pairwise(ordered))


@pytest.mark.parametrize("steps", [13, 14, 100])
def test_spans_hold_every_free_cell_once(steps: int) -> None:
    """None is longer than a beat; the order is random."""
    cells, rng = free(steps, (1, 2, 3)), np.random.default_rng(0)
    blocks = gibbs_blocks.span_blocks(cells, 3, rng)
    assert np.array_equal(covered([blocks], steps), cells.astype(np.int64))
    assert max(block.stop - block.start for block in blocks) <= 4
    assert {block.passes for block in blocks} == {3}
    assert blocks != gibbs_blocks.span_blocks(cells, 3, rng)


def test_blocks_taken_together_are_apart_in_time() -> None:
    everywhere = np.ones((60, 4), dtype=np.bool_)
    waiting = gibbs_blocks.span_blocks(everywhere, 1, np.random.default_rng(0))
    every, begun = list(waiting), [Block(2, 20, 24)]
    first = gibbs_blocks.take_apart(waiting, begun)
    assert {*first, *waiting} == {*every}
    assert not {*first} & {*waiting}
    assert all(_gap(*two) >= 2 for two in itertools.combinations([*first, *begun], 2))
    for block in waiting:
        assert any(_gap(block, one) < 2 for one in [*first, *begun])


def _gap(one: Block, other: Block) -> int:
    """Return the steps between two blocks, below 0 where they overlap."""
    return max(one.start - other.stop, other.start - one.stop)
