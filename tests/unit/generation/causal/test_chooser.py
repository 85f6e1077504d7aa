"""The choice of the next tokens, in compiled loops and in Python, against NumPy."""
# ruff: noqa: N803, N806  # shape suffixes: ids_BN

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key
from musicrel.errors import GenerationError
from musicrel.generation import kernel
from musicrel.generation.causal.decoder import Chooser
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.sampling import Choice, Floats, Sampler, log_softmax
from musicrel.model.tokens import codec
from musicrel.model.tokens.vocabulary import START, VOCABULARIES, Vocabulary
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

    def __init__(self, legality: Constraints, sampler: Sampler) -> None:
        self._legality, self._sampler = legality, sampler

    def choose(
        self, ids_BN: codec.Ids, index: int, logits_BV: Floats, uniforms_B: Floats
    ) -> Choice:
        legal_BV = self._legality.legal_next_tokens(ids_BN[:, :index])
        tokens_B = self._sampler.choose(logits_BV, legal_BV, uniforms_B)
        log_p_BV = log_softmax(logits_BV)
        p_BV = np.exp(log_p_BV)
        return Choice(
            tokens=tokens_B,
            log_probability=log_p_BV[np.arange(len(tokens_B)), tokens_B],
            entropy=-(p_BV * log_p_BV).sum(axis=1),
            legal_share=np.where(legal_BV, p_BV, 0.0).sum(axis=1),
        )


@pytest.fixture(params=["compiled", "python"])
def by(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "compiled":
        yield "compiled"
        return
    with kernel.switched_off():
        yield "python"


def written(chooser: NumPyChooser | Chooser, vocabulary: Vocabulary, seed: int) -> list[Choice]:
    """Return the choices of pieces that random logits write; each second one has ties."""
    random = np.random.default_rng(seed)
    ids_BN = np.full((ROWS, STEPS * 4 + 1), START)
    choices = []
    for index in range(1, ids_BN.shape[1]):
        logits_BV = 3 * random.standard_normal((ROWS, vocabulary.size))
        logits_BV = np.round(logits_BV) if index % 2 else logits_BV
        choices.append(chooser.choose(ids_BN, index, logits_BV, random.random(ROWS)))
        ids_BN[:, index] = choices[-1].tokens
    return choices


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("vocabulary", VOCABULARIES.values(), ids=list(VOCABULARIES))
@pytest.mark.parametrize("seed", range(6))
def test_loops_choose_the_tokens_of_numpy(
    vocabulary: Vocabulary, rules: tuple[str, ...], seed: int
) -> None:
    """With all rules, locks and samplers; probabilities and dead ends are the same, too."""
    for sampler in SAMPLERS[seed % 2 :: 2]:
        plain, looped = (constraints(vocabulary, rules, seed) for _ in range(2))
        expected = written(NumPyChooser(plain, sampler), vocabulary, seed)
        found = written(Chooser(looped, sampler, "any"), vocabulary, seed)

        for one, other in zip(expected, found, strict=True):
            assert one.tokens.tolist() == other.tokens.tolist()
            np.testing.assert_allclose(one[1:], other[1:], atol=1e-12)
        assert plain.dead_ends == looped.dead_ends


def test_rules_about_two_voices_lead_to_dead_ends_here() -> None:
    dense = constraints(VOCABULARIES["articulated"], RULES[-1], 1)
    written(Chooser(dense, Sampler(), "any"), VOCABULARIES["articulated"], 1)

    assert dense.dead_ends


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize("extreme", [0.0, 1.0 - 2**-53])
@pytest.mark.parametrize("sampler", SAMPLERS, ids=str)
def test_extreme_random_numbers_choose_a_legal_token(sampler: Sampler, extreme: float) -> None:
    vocabulary = VOCABULARIES["articulated"]
    rules = constraints(vocabulary, ("range",), 1)
    logits_BV = np.random.default_rng(0).standard_normal((ROWS, vocabulary.size))
    ids_BN, numbers_B = np.full((ROWS, 1), START), np.full(ROWS, extreme)

    plain, looped = (
        chooser.choose(ids_BN, 1, logits_BV, numbers_B)
        for chooser in (NumPyChooser(rules, sampler), Chooser(rules, sampler, "any"))
    )

    assert plain.tokens.tolist() == looped.tokens.tolist()
    assert rules.legal_next_tokens(ids_BN)[np.arange(ROWS), looped.tokens].all()


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize("broken", [np.nan, np.inf, -np.inf])
def test_a_logit_that_is_not_finite_is_an_error(broken: float) -> None:
    vocabulary = VOCABULARIES["articulated"]
    logits_BV = np.full((1, vocabulary.size), broken)
    chooser = Chooser(constraints(vocabulary, (), 0), Sampler(), "bad")

    with pytest.raises(GenerationError, match="model 'bad' gives no distribution at step 2: its"):
        chooser.choose(np.full((1, 9), START), 9, logits_BV, np.zeros(1))


class OneToken:
    def legal_next_tokens(self, ids_BN: codec.Ids) -> np.ndarray:
        return np.tile(np.arange(97) == 50, (len(ids_BN), 1))


@pytest.mark.usefixtures("by")
def test_a_mask_without_tables_is_asked_for_every_token() -> None:
    chooser = Chooser(OneToken(), Sampler(), "any")
    choice = chooser.choose(np.full((ROWS, 1), START), 1, np.zeros((ROWS, 97)), np.zeros(ROWS))
    assert choice.tokens.tolist() == [50] * ROWS
