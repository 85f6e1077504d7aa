"""The choice of the next tokens: compiled loops against NumPy."""
# ruff: noqa: N803, N806  # shape suffixes: ids_BN

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key
from musicrel.errors import GenerationError
from musicrel.generation import kernel
from musicrel.generation.causal.chooser import (
    Choice,
    Chooser,
    CompiledChooser,
    NumPyChooser,
    open_chooser,
)
from musicrel.generation.constraints.cell_constraints import Constraints
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.sampling import Sampler
from musicrel.tokens.vocabulary import START, VOCABULARIES, Vocabulary
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
    """Return constraints of a piece in which a fifth of the cells is locked."""
    random = np.random.default_rng(seed)
    piece = random_chorale(seed, steps=STEPS)
    plan = Chorale.of(np.full((STEPS, 4), REST), key=Key.parse("G major"))
    locks = Locks.of(piece, random.random((STEPS, 4)) < 0.2) if seed % 3 else None
    return Constraints(vocabulary, plan, locks=locks, rules=rules)


def written(chooser: Chooser, vocabulary: Vocabulary, seed: int) -> list[Choice]:
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


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("vocabulary", VOCABULARIES.values(), ids=list(VOCABULARIES))
@pytest.mark.parametrize("seed", range(6))
def test_compiled_loops_choose_the_same_tokens(
    vocabulary: Vocabulary, rules: tuple[str, ...], seed: int
) -> None:
    """With all rules, locks and samplers; probabilities and dead ends are the same, too."""
    for sampler in SAMPLERS:
        plain, looped = (constraints(vocabulary, rules, seed) for _ in range(2))
        expected = written(NumPyChooser(plain, sampler, "any"), vocabulary, seed)
        found = written(CompiledChooser(looped, sampler, "any"), vocabulary, seed)

        for one, other in zip(expected, found, strict=True):
            assert one.tokens.tolist() == other.tokens.tolist()
            np.testing.assert_allclose(one.log_probability, other.log_probability, atol=1e-12)
            np.testing.assert_allclose(one.entropy, other.entropy, atol=1e-12)
            np.testing.assert_allclose(one.legal_share, other.legal_share, atol=1e-12)
        assert plain.dead_ends == looped.dead_ends


def test_rules_about_two_voices_lead_to_dead_ends_here() -> None:
    """The comparison above covers them."""
    dense = constraints(VOCABULARIES["articulated"], RULES[-1], 1)
    written(CompiledChooser(dense, Sampler(), "any"), VOCABULARIES["articulated"], 1)

    assert dense.dead_ends


@pytest.mark.parametrize("extreme", [0.0, 1.0 - 2**-53])
@pytest.mark.parametrize("sampler", SAMPLERS, ids=str)
def test_extreme_random_numbers_choose_a_legal_token(sampler: Sampler, extreme: float) -> None:
    """The first and the last of the tokens that are left."""
    vocabulary = VOCABULARIES["articulated"]
    rules = constraints(vocabulary, ("range",), 1)
    logits_BV = np.random.default_rng(0).standard_normal((ROWS, vocabulary.size))
    ids_BN, numbers_B = np.full((ROWS, 1), START), np.full(ROWS, extreme)

    plain, looped = (
        kind(rules, sampler, "any").choose(ids_BN, 1, logits_BV, numbers_B)
        for kind in (NumPyChooser, CompiledChooser)
    )

    assert plain.tokens.tolist() == looped.tokens.tolist()
    assert rules.legal_next_tokens(ids_BN)[np.arange(ROWS), looped.tokens].all()


@pytest.mark.parametrize("kind", [NumPyChooser, CompiledChooser])
@pytest.mark.parametrize("broken", [np.nan, np.inf, -np.inf])
def test_a_logit_that_is_not_finite_is_an_error(kind: Callable[..., Any], broken: float) -> None:
    """The message names the model and the step."""
    vocabulary = VOCABULARIES["articulated"]
    logits_BV = np.full((1, vocabulary.size), broken)
    chooser = kind(constraints(vocabulary, (), 0), Sampler(), "bad")

    with pytest.raises(GenerationError, match="model 'bad' gives no distribution at step 2: its"):
        chooser.choose(np.full((1, 9), START), 9, logits_BV, np.zeros(1))


class Anything:
    """A mask without tables."""

    def legal_next_tokens(self, ids_BN: np.ndarray) -> np.ndarray:
        """Allow all."""
        return np.ones((len(ids_BN), 97), dtype=np.bool_)


def test_loops_choose_where_there_are_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy chooses without tables, and where the kernel is switched off."""
    tabled = constraints(VOCABULARIES["articulated"], (), 0)

    assert isinstance(open_chooser(tabled, Sampler(), "any"), CompiledChooser)
    assert isinstance(open_chooser(Anything(), Sampler(), "any"), NumPyChooser)
    monkeypatch.setenv(kernel.SWITCH, "off")
    assert isinstance(open_chooser(tabled, Sampler(), "any"), NumPyChooser)
