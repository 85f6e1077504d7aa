"""Drawing a run, compared with going through every run there is."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from musicrel.generation.infill.run_sampler import Chain, chosen, weights
from musicrel.tokens.vocabulary import ARTICULATED, MASK, REST_TOKEN

ONSET, HOLD = ARTICULATED.first_onset, ARTICULATED.first_hold
KEPT = (REST_TOKEN, ONSET + 3, ONSET + 5, HOLD + 3, HOLD + 5)
"""Two pitches and the rest."""


def said(cells: int, seed: int = 0) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """What a model might say of some cells."""
    return np.random.default_rng(seed).normal(size=(cells, ARTICULATED.size))


def legal(cells: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Only ``KEPT``."""
    mask = np.zeros((cells, ARTICULATED.size), dtype=np.bool_)
    mask[:, KEPT] = True
    return mask


def chain(cells: int, before: int, after: int, **how: float) -> Chain:
    """A run of so many cells."""
    return Chain(
        said(cells), legal(cells), before=before, after=after, vocabulary=ARTICULATED,
        temperature=how.get("temperature", 1.0),
    )  # fmt: skip


def follows(before: int, token: int) -> bool:
    """Whether a token may stand after another."""
    return token < HOLD or before == MASK or before in {token, token - (HOLD - ONSET)}


def every_run(cells: int, before: int, after: int) -> dict[tuple[int, ...], float]:
    """The chance of every legal run: of its beginnings, and of holds whichever they are."""
    shares = np.where(legal(cells), np.exp(said(cells)), 0.0)
    shares /= shares.sum(axis=1, keepdims=True)
    found: dict[tuple[int, ...], float] = {}
    for run in itertools.product(KEPT, repeat=cells):
        line = (before, *run, after)
        last = len(line) if after >= HOLD else len(line) - 1
        if not all(follows(line[place - 1], line[place]) for place in range(1, last)):
            continue
        chance = 1.0
        for cell, token in enumerate(run):
            pooled = cell > 0 and token >= HOLD
            chance *= float(shares[cell, HOLD:].sum() if pooled else shares[cell, token])
        found[run] = chance
    total = sum(found.values())
    return {run: chance / total for run, chance in found.items()}


@pytest.mark.parametrize("before", [MASK, REST_TOKEN, ONSET + 3])
@pytest.mark.parametrize("after", [MASK, ONSET + 5, HOLD + 5])
def test_a_run_is_drawn_as_often_as_its_product_says(before: int, after: int) -> None:
    """Among all that are legal between what stands before and after."""
    expected, rng = every_run(3, before, after), np.random.default_rng(1)
    drawn = Counter(
        tuple(chain(3, before, after).draw(rng.random(3), finish=True)[0]) for _ in range(4000)
    )
    assert set(drawn) <= set(expected)
    for run, chance in expected.items():
        assert drawn[run] / 4000 == pytest.approx(chance, abs=0.035)


def test_a_new_note_is_drawn_alone_and_one_that_goes_on_to_its_end() -> None:
    """What is left is told apart: it begins with another note, or may go on with this one."""
    rng = np.random.default_rng(0)
    lengths: dict[bool, set[int]] = {True: set(), False: set()}
    for _ in range(300):
        written, begins = chain(6, ONSET + 3, MASK).draw(rng.random(6), finish=False)
        if written[0] < HOLD:
            assert (len(written), begins) == (1, False)
        else:
            assert set(written) == {HOLD + 3}
            assert begins == (len(written) < 6)
        lengths[begins].add(len(written))
    assert len(lengths[True]) > 1
    assert 1 in lengths[False]


@pytest.mark.parametrize("before", [ONSET + 3, REST_TOKEN])
def test_what_has_to_begin_begins(before: int) -> None:
    """No hold, and after a rest no other rest."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        run = Chain(
            said(2), legal(2), before=before, after=MASK, begins=True, vocabulary=ARTICULATED,
            temperature=1.0,
        ).draw(rng.random(2), finish=True)[0]  # fmt: skip
        assert run[0] < HOLD
        assert run[0] != before or before != REST_TOKEN


def test_what_a_hold_needs_stands_before_it_whatever_else_forbids_it() -> None:
    """A pitch that no rule allows, where it is already there."""
    run = Chain(
        said(2), legal(2), before=REST_TOKEN, after=HOLD + 20, vocabulary=ARTICULATED,
        temperature=1.0,
    ).draw(np.array([0.5, 0.5]), finish=True)[0]  # fmt: skip
    assert run[-1] in {ONSET + 20, HOLD + 20}


def test_the_coldest_run_is_always_the_same() -> None:
    """Whatever chance says."""
    runs = {
        tuple(chain(5, REST_TOKEN, MASK, temperature=0.0).draw(np.full(5, place), finish=True)[0])
        for place in (0.0, 0.3, 0.99)
    }
    assert len(runs) == 1


def test_one_of_several_is_chosen_by_its_weight() -> None:
    """From the first to the last, and never one without weight."""
    weight = np.array([0.0, 1.0, 0.0, 3.0])
    assert [chosen(weight, place) for place in (0.0, 0.24, 0.26, 0.999)] == [1, 1, 3, 3]
    assert weights(np.array([1.0, 2.0]), 0.0).tolist() == [0.0, 1.0]


def test_narrowing_leaves_a_note_as_likely_to_begin_as_it_is() -> None:
    """Thirty pitches of a hundredth each beside a hold of 0.7: top-p 0.8 takes pitches alone."""
    logits = np.full(ARTICULATED.size, -np.inf)
    pitches = range(ONSET, ONSET + 30)
    logits[list(pitches)] = np.log(0.01)
    logits[HOLD + 3] = np.log(0.7)
    logits[ONSET] = np.log(0.02)
    may_stand = np.isfinite(logits)
    narrow = Chain(
        logits[None], may_stand[None], before=ONSET + 3, after=MASK, vocabulary=ARTICULATED,
        temperature=1.0, top_p=0.8,
    )  # fmt: skip
    drawn = Counter(
        narrow.draw(np.array([chance]), finish=True)[0][0]
        for chance in np.linspace(0, 0.9999, 2000)
    )
    begun = sum(count for token, count in drawn.items() if token < HOLD) / drawn.total()
    assert begun == pytest.approx(0.31 / 1.01, abs=0.01)
    assert 20 <= len([token for token in drawn if token < HOLD]) < 30
