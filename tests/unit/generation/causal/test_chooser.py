"""The choice of the next tokens, in compiled loops and in Python, against NumPy."""
# ruff: noqa: N803, N806  # shape suffixes: ids_BN

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numba import typeof

from musicrel.chorale import REST, Chorale, Flags, Key
from musicrel.errors import GenerationError
from musicrel.generation import kernel
from musicrel.generation.causal import compiled_choice
from musicrel.generation.causal.compiled_choice import Choosing
from musicrel.generation.causal.decoder import Chooser
from musicrel.generation.causal.written import Written
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.sampling import Choice, Floats, Logits, Sampler, log_softmax
from musicrel.model.tokens import codec
from musicrel.model.tokens.vocabulary import ARTICULATED, START, VOCABULARIES, Vocabulary
from tests.helpers.music import random_chorale

ROWS, STEPS = 4, 12
SAMPLERS = (
    Sampler(),
    Sampler(temperature=0.0),
    Sampler(temperature=1e-320),
    Sampler(temperature=1.7),
    Sampler(top_k=1),
    Sampler(top_k=4, temperature=0.7),
    Sampler(top_p=0.8),
    Sampler(top_p=0.9, top_k=12, temperature=1.2),
)
RULES: tuple[tuple[str, ...], ...] = (
    (),
    ("range",),
    ("range", "crossing"),
    ("parallels",),
    ("range", "crossing", "parallels", "scale", "rests"),
)


def constraints(vocabulary: Vocabulary, rules: tuple[str, ...], seed: int) -> Constraints:
    random = np.random.default_rng(seed)
    piece = random_chorale(seed, steps=STEPS)
    plan = Chorale.of(np.full((STEPS, 4), REST), key=Key.parse("G major"))
    locks = Locks.of(piece, random.random((STEPS, 4)) < 0.2) if seed % 3 else None
    return Constraints(vocabulary, plan, locks=locks, rules=rules)


class NumPyChooser:
    """The reference, without recurrence."""

    def __init__(self, constraints: Constraints, sampler: Sampler) -> None:
        vocabulary = constraints.vocabulary
        first_hold = vocabulary.first_hold if vocabulary.holds else 0
        self._constraints, self._sampler = constraints, sampler._replace(first_hold=first_hold)

    def choose(
        self, written: Written, index: int, logits_BV: Logits, wanted_BV: Flags | None = None
    ) -> None:
        ids_BN = written.ids_BN[:, :index]
        legal_BV = self._constraints.legal_next_tokens(ids_BN)
        if wanted_BV is not None:
            both_BV = legal_BV & wanted_BV
            legal_BV = np.where(both_BV.any(axis=1, keepdims=True), both_BV, legal_BV)
        exact_BV = logits_BV.astype(np.float64)
        tokens_B = self._sampler.choose(exact_BV, legal_BV, written.uniforms_BN[:, index - 1])
        log_p_BV = log_softmax(exact_BV)
        p_BV = np.exp(log_p_BV)
        chosen = Choice(
            tokens=tokens_B,
            log_probability=log_p_BV[np.arange(len(tokens_B)), tokens_B],
            entropy=-(p_BV * log_p_BV).sum(axis=1),
            legal_share=np.where(legal_BV, p_BV, 0.0).sum(axis=1),
        )
        for every_BN, own_B in zip(written.choices, chosen, strict=True):
            every_BN[:, index] = own_B
        written.is_dead_BN[:, index] = [self._is_dead(ids_1N) for ids_1N in ids_BN[:, None]]

    def _is_dead(self, ids_1N: codec.Ids) -> bool:
        """Return whether rules about two voices forbid all tokens that others allow."""
        rules, cell = self._constraints, ids_1N.shape[1] - 1
        if rules._is_locked[cell] or not rules.pair_rules:
            return False
        legal_1V = rules._single_mask(ids_1N) & rules._pair_mask(rules.pair_rules, ids_1N)
        return not legal_1V.any()


@pytest.fixture(params=["compiled", "python"])
def by(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "compiled":
        yield "compiled"
        return
    with kernel.switched_off():
        yield "python"


def begun(numbers_BN: Floats) -> Written:
    """Return sequences that are empty, with the random numbers of their tokens."""
    rows, length = numbers_BN.shape
    return Written.of(np.full((rows, 1), START), length, numbers_BN)


def written(chooser: NumPyChooser | Chooser, vocabulary: Vocabulary, seed: int) -> Written:
    """Return pieces that random logits write, each second one with ties.

    In each third cell some tokens are wanted, but none of them need be legal.
    """
    random = np.random.default_rng(seed)
    found = begun(random.random((ROWS, STEPS * 4)))
    for index in range(1, STEPS * 4 + 1):
        logits_BV = 3 * random.standard_normal((ROWS, vocabulary.size), dtype=np.float32)
        logits_BV = np.round(logits_BV) if index % 2 else logits_BV
        wanted_BV = random.random(logits_BV.shape) < 0.1 if index % 3 == 0 else None
        chooser.choose(found, index, logits_BV, wanted_BV)
    return found


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("vocabulary", VOCABULARIES.values(), ids=list(VOCABULARIES))
@pytest.mark.parametrize("seed", range(6))
def test_loops_choose_the_tokens_of_numpy(
    vocabulary: Vocabulary, rules: tuple[str, ...], seed: int
) -> None:
    """With all rules, locks and samplers; probabilities and dead ends are the same, too."""
    for sampler in SAMPLERS[seed % 2 :: 2]:
        rules_here = constraints(vocabulary, rules, seed)
        expected = written(NumPyChooser(rules_here, sampler), vocabulary, seed)
        found = written(Chooser(rules_here, sampler, "any"), vocabulary, seed)

        assert found.ids_BN.tolist() == expected.ids_BN.tolist()
        np.testing.assert_allclose(found.choices[1:], expected.choices[1:], atol=1e-12)
        assert found.is_dead_BN.tolist() == expected.is_dead_BN.tolist()


def test_rules_about_two_voices_lead_to_dead_ends_here() -> None:
    dense = constraints(VOCABULARIES["articulated"], RULES[-1], 1)
    assert written(Chooser(dense, Sampler(), "any"), dense.vocabulary, 1).is_dead_BN.any()


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("vocabulary", VOCABULARIES.values(), ids=list(VOCABULARIES))
@pytest.mark.parametrize("seed", range(3))
def test_the_code_that_a_trial_compiles_chooses_all_tokens(
    vocabulary: Vocabulary, rules: tuple[str, ...], seed: int
) -> None:
    """For arguments of other types it would be compiled again while a piece is written."""
    _, tried = compiled_choice.trial(VOCABULARIES["articulated"])
    found = Choosing.of(constraints(vocabulary, rules, seed), SAMPLERS[seed])

    assert typeof(found) == typeof(tried)


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize("extreme", [0.0, 1.0 - 2**-53])
@pytest.mark.parametrize("sampler", SAMPLERS, ids=str)
def test_extreme_random_numbers_choose_a_legal_token(sampler: Sampler, extreme: float) -> None:
    vocabulary = VOCABULARIES["articulated"]
    rules = constraints(vocabulary, ("range",), 1)
    shape = ROWS, vocabulary.size
    logits_BV = np.random.default_rng(0).standard_normal(shape, dtype=np.float32)
    plain, looped = (begun(np.full((ROWS, 1), extreme)) for _ in range(2))

    NumPyChooser(rules, sampler).choose(plain, 1, logits_BV)
    Chooser(rules, sampler, "any").choose(looped, 1, logits_BV)

    assert plain.ids_BN.tolist() == looped.ids_BN.tolist()
    assert rules.legal_next_tokens(looped.ids_BN[:, :1])[np.arange(ROWS), looped.ids_BN[:, 1]].all()


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize("broken", [np.nan, np.inf, -np.inf])
def test_a_logit_that_is_not_finite_is_an_error(broken: float) -> None:
    vocabulary = VOCABULARIES["articulated"]
    logits_BV = np.full((1, vocabulary.size), broken, dtype=np.float32)
    chooser = Chooser(constraints(vocabulary, (), 0), Sampler(), "bad")

    with pytest.raises(GenerationError, match="model 'bad' gives no distribution at step 2: its"):
        chooser.choose(begun(np.zeros((1, 9))), 9, logits_BV)


def test_a_cell_that_must_hold_another_pitch_is_a_dead_end() -> None:
    for functions in (compiled_choice, compiled_choice.in_python()):
        written, by = compiled_choice.trial(ARTICULATED)
        by.rules.per_cell_NV[0] = np.arange(ARTICULATED.size) >= ARTICULATED.first_hold
        logits_1V = np.zeros((1, ARTICULATED.size), np.float32)
        assert functions.choose(1, logits_1V, np.zeros((0, 0), np.bool_), 0, written, by)
        assert written.is_dead_BN[0, 1]
        assert by.rules.per_cell_NV[0, written.ids_BN[0, 1]]
