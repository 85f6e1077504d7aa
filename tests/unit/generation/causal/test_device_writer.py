"""Writing on a device, tried on the CPU, against the choice of the host for the same logits."""
# ruff: noqa: N803, N806  # shape suffixes: ids_BN

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from musicrel import jobs
from musicrel.chorale import Chorale, Meter
from musicrel.errors import ModelError
from musicrel.generation.causal import (
    batch_forward,
    causal_generator,
    compiled_choice,
    device_writer,
)
from musicrel.generation.causal.compiled_choice import Choosing
from musicrel.generation.causal.decoder import Chooser
from musicrel.generation.causal.written import Written
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Sampler
from musicrel.model.blocks.kv_cache import ID_CONTEXT
from musicrel.model.families.transformer import Output
from musicrel.model.tokens.vocabulary import ARTICULATED, PITCHES, START, VOCABULARIES, Vocabulary
from musicrel.model.torch_reader import Capture, Step, TorchReader
from tests.helpers.models import itself, tiny_config, tiny_model
from tests.helpers.music import random_chorale
from tests.unit.generation.causal.test_chooser import RULES, SAMPLERS

STEPS = 26
LENGTH = 4 * STEPS


class Given(TorchReader):
    """A reader that returns given logits, float32 (B, N, V)."""

    def __init__(self, logits_BNV: np.ndarray[Any, Any], capture: Capture | None = itself) -> None:
        batch, length, tokens = logits_BNV.shape
        self.logits_BNV = torch.from_numpy(logits_BNV)
        vocabulary = next(one for one in VOCABULARIES.values() if one.size == tokens)
        network = tiny_model(tiny_config("none", vocabulary=vocabulary))
        super().__init__(network, np.zeros((batch, length, 0), dtype=np.int64), capture=capture)

    def _read(self, number: int, cache: Any, ids_BT: Tensor, *_: Any, **__: Any) -> Output:
        cache.append_ids(ids_BT)
        place_1 = torch.as_tensor(cache.start).reshape(1)
        cache.length += 1
        return Output(self.logits_BNV[number : number + 1].index_select(1, place_1), ())


def constraints(
    vocabulary: Vocabulary, rules: tuple[str, ...] = (), seed: int = 0, given: float = 0.2
) -> Constraints:
    """Return those of a piece in bars of a quarter with three phrases, locked in every third."""
    random = np.random.default_rng(seed)
    piece = random_chorale(seed, steps=STEPS)
    fermatas = np.isin(np.arange(STEPS), [7, 17])
    plan = Chorale.of(np.full((STEPS, 4), -1), meter=Meter(1, 4), fermatas=fermatas)
    locks = Locks.of(piece, random.random((STEPS, 4)) < given) if seed % 3 else None
    return Constraints(vocabulary, plan, locks=locks, rules=rules)


def begun(batch: int, seed: int = 0) -> Written:
    uniforms_BN = np.random.default_rng(seed).random((batch, LENGTH))
    return Written.of(np.full((batch, 1), START), LENGTH, uniforms_BN)


def logits(vocabulary: Vocabulary, batch: int, seed: int = 0) -> np.ndarray[Any, Any]:
    """Return random logits of a few likely tokens, so that voices come back; some have ties."""
    random = np.random.default_rng(seed)
    logits_BNV = random.standard_normal((batch, LENGTH, vocabulary.size), dtype=np.float32)
    logits_BNV[:, ::2] = logits_BNV[:, ::2].round()
    held = vocabulary.first_hold - vocabulary.first_onset
    for pitch in (10, 12, 14, 19, 24, 26, 31):
        logits_BNV[..., vocabulary.first_onset + pitch] += 4
        logits_BNV[..., vocabulary.first_onset + pitch + held] += 4
    return logits_BNV


def chosen(rules: Constraints, sampler: Sampler, logits_BNV: np.ndarray[Any, Any]) -> Written:
    written, chooser = begun(len(logits_BNV)), Chooser(rules, sampler, "any")
    for index in range(1, LENGTH + 1):
        chooser.choose(written, index, logits_BNV[:, index - 1])
    return written


def looped(rules: Constraints, sampler: Sampler, reader: TorchReader) -> Written:
    """Return what is written in stretches of one and of 16 tokens."""
    written, by = begun(len(reader.ids_B1)), Choosing.of(rules, sampler)
    write, first = device_writer.loops(reader), 1
    while first <= LENGTH:
        for size in (1, 16):
            stop = min(first + size, LENGTH + 1)
            assert write(written, first, stop, by) == 0
            first = stop
    return written


def check(rules: Constraints, sampler: Sampler, batch: int, seed: int = 0) -> Written:
    logits_BNV = logits(rules.vocabulary, batch, seed)
    expected, found = chosen(rules, sampler, logits_BNV), looped(rules, sampler, Given(logits_BNV))

    assert found.ids_BN.tolist() == expected.ids_BN.tolist()
    assert found.is_dead_BN.tolist() == expected.is_dead_BN.tolist()
    for own_BN, its_BN in zip(found.choices[1:], expected.choices[1:], strict=True):
        np.testing.assert_allclose(own_BN, its_BN, rtol=0, atol=1e-9)
    return found


@pytest.mark.parametrize("vocabulary", VOCABULARIES.values(), ids=list(VOCABULARIES))
@pytest.mark.parametrize("sampler", SAMPLERS, ids=str)
def test_tokens_are_those_that_the_host_chooses(vocabulary: Vocabulary, sampler: Sampler) -> None:
    seed = SAMPLERS.index(sampler)
    for rules in (RULES[seed % len(RULES)], RULES[-1]):
        check(constraints(vocabulary, rules, seed), sampler, 4, seed)


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("seed", [1, 3])
def test_locks_are_kept_by_all_rules(rules: tuple[str, ...], seed: int) -> None:
    check(constraints(ARTICULATED, rules, seed, given=0.4), Sampler(), 2, seed)


@pytest.mark.parametrize("batch", [1, 10, 256])
def test_batches_of_any_size_are_written(batch: int) -> None:
    check(constraints(ARTICULATED, RULES[-1], 1), Sampler(top_p=0.95), batch)


def test_rules_about_two_voices_lead_to_dead_ends_here() -> None:
    found = check(constraints(ARTICULATED, RULES[-1], 1, given=0.5), Sampler(), 10)
    assert found.is_dead_BN.any()


@pytest.mark.parametrize("seed", range(4))
def test_all_voices_recur_on_the_device_also_under_given_ones(seed: int) -> None:
    """Without recurrence the tokens of each voice would be others."""
    rules = constraints(ARTICULATED, (), seed, given=0.1)
    found = check(rules, Sampler(), 10, seed)
    by = Choosing.of(rules, Sampler())
    never = tuple(past._replace(free_T=np.zeros_like(past.free_T)) for past in by.pasts)
    alone = begun(10)
    device_writer.loops(Given(logits(ARTICULATED, 10, seed)))(
        alone, 1, LENGTH + 1, by._replace(pasts=never)
    )
    for voice in range(4):
        assert (alone.ids_BN[:, 1 + voice :: 4] != found.ids_BN[:, 1 + voice :: 4]).any()


@pytest.mark.parametrize("given", [0.0, 0.1])
def test_matches_are_those_of_the_compiled_search(given: float) -> None:
    """Phrases of few tokens come back, one for longer than is compared; later ids are old."""
    steps, random = 200, np.random.default_rng(0)
    tokens_BT4 = ARTICULATED.first_onset + random.integers(0, 2, (3, steps, 4))
    tokens_BT4 += PITCHES * random.integers(0, 2, tokens_BT4.shape)
    tokens_BT4[:, 100:] = tokens_BT4[:, :100]
    tokens_BT4[1, 120:180] = tokens_BT4[1, 20]
    fermatas = np.isin(np.arange(steps), [19, 99, 119, 131])
    plan = Chorale.of(np.full((steps, 4), -1), meter=Meter(1, 4), fermatas=fermatas)
    by = Choosing.of(Constraints(ARTICULATED, plan, rules=()), Sampler())
    given_TV = np.where(random.random((steps, 4)) < given, tokens_BT4[0], -1)
    by = by._replace(pasts=tuple(past._replace(given_TV=given_TV) for past in by.pasts))
    reader = Given(np.zeros((3, 4 * steps, ARTICULATED.size), np.float32))
    writer, seen = device_writer.DeviceWriter(reader), set[float]()
    nothing = Written.of(np.full((3, 1), START), 4 * steps, np.zeros((3, 1)))
    writer.write(reader, nothing, 1, 1, by)
    ids_BN = np.concatenate([np.full((3, 1), START), tokens_BT4.reshape(3, -1)], axis=1)
    with torch.inference_mode():
        reader.cache.ids_BL[:, ID_CONTEXT:] = torch.from_numpy(ids_BN[:, :-1])

    for index in range(1, 4 * steps + 1):
        zeros_BV = torch.zeros(3, ARTICULATED.size, dtype=torch.float64)
        found_BV = writer._raised(zeros_BV, torch.tensor([index - 1]))
        for ids_N, found_V in zip(ids_BN, found_BV.numpy(), strict=True):
            expected_V = np.zeros(ARTICULATED.size)
            for past in by.pasts:
                compiled_choice.raise_logits(expected_V, ids_N, index, past)
            assert np.array_equal(found_V, expected_V)
            seen |= {*expected_V.tolist()}

    assert len(seen) > 30


@pytest.mark.parametrize("sampler", SAMPLERS, ids=str)
@pytest.mark.parametrize("extreme", [0.0, 1.0 - 2**-53])
def test_extreme_random_numbers_choose_the_token_of_the_host(
    sampler: Sampler, extreme: float
) -> None:
    rules, logits_BNV = constraints(ARTICULATED, RULES[-1], 1), logits(ARTICULATED, 3)
    plain, found = (begun(3) for _ in range(2))
    for one in (plain, found):
        one.uniforms_BN[:] = extreme
    Chooser(rules, sampler, "any").choose(plain, 1, logits_BNV[:, 0])

    device_writer.loops(Given(logits_BNV))(found, 1, 2, Choosing.of(rules, sampler))

    assert found.ids_BN[:, :2].tolist() == plain.ids_BN[:, :2].tolist()


@pytest.mark.parametrize("broken", [np.nan, np.inf, -np.inf])
def test_the_first_logit_that_is_not_finite_is_found(broken: float) -> None:
    """In an illegal token it does not matter."""
    logits_BNV = logits(ARTICULATED, 3)
    logits_BNV[:, 3, 0] = broken
    logits_BNV[2, 21] = logits_BNV[1, 30] = broken
    write = device_writer.loops(Given(logits_BNV))
    by, written = Choosing.of(constraints(ARTICULATED), Sampler()), begun(3)

    assert write(written, 1, 17, by) == 0
    assert write(written, 17, 33, by) == 22


class Watched(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch leaves it untyped
    """Notes the operations, with the shapes of their results."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.seen: list[tuple[str, str]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **kwargs or {})
        self.seen.append((str(func), str(getattr(result, "shape", ""))))
        return result


HOST = ("local_scalar", "nonzero", "masked_select", "item", "lift_fresh")


def test_a_step_is_the_same_operations_everywhere_and_asks_the_host_nothing() -> None:
    """At the first places, in the middle and at the end: so it can be captured."""
    config = tiny_config("relative", conditions=("voice", "beat"))
    rows_BNC = np.zeros((2, LENGTH, 2), dtype=np.int64)
    reader = TorchReader(tiny_model(config), rows_BNC, capture=itself)
    written, by = begun(2), Choosing.of(constraints(ARTICULATED, RULES[-1], 1), Sampler(top_k=9))
    device_writer.loops(reader)(written, 1, 2, by)
    steps = list[list[tuple[str, str]]]()
    for reader.cache.length in (0, 1, 2, 3, 4, 50, LENGTH - 1):
        with Watched() as watched, torch.inference_mode():
            reader.advance()
        steps.append(watched.seen)

    assert len(steps[0]) > 100
    assert all(step == steps[0] for step in steps)
    assert not [name for name, _ in steps[0] if any(word in name for word in HOST)]


def test_all_sizes_are_captured_before_a_token_is_written_the_largest_first() -> None:
    reader = Given(np.zeros((1, 600, ARTICULATED.size), np.float32))
    device_writer.loops(reader)

    assert list(reader._graphs) == [600, 512, 256]


@pytest.mark.parametrize("most", [0, 1])
def test_a_refused_capture_changes_no_token(most: int) -> None:
    captured = list[Step]()

    def capture(step: Step) -> Step:
        if len(captured) == most:
            raise RuntimeError("operation not permitted when stream is capturing\nand so on")
        captured.append(step)
        return step

    rules, logits_BNV = constraints(ARTICULATED, RULES[-1], 1), logits(ARTICULATED, 2)
    reader = Given(np.pad(logits_BNV, [(0, 0), (0, 300), (0, 0)]), capture)
    found, expected = looped(rules, Sampler(), reader), chosen(rules, Sampler(), logits_BNV)

    assert reader.failure == "operation not permitted when stream is capturing"
    assert found.ids_BN.tolist() == expected.ids_BN.tolist()


def test_no_more_is_written_than_the_cache_holds() -> None:
    reader = Given(logits(ARTICULATED, 1))
    write, by = device_writer.loops(reader), Choosing.of(constraints(ARTICULATED), Sampler())
    write(begun(1), 1, LENGTH + 1, by)

    with pytest.raises(ModelError, match="the cache holds 104 of 104 tokens, 1 more do not fit"):
        write(begun(1), 1, 2, by)


def test_memory_is_freed_with_the_last_reference() -> None:
    reader = Given(logits(ARTICULATED, 1), capture=None)
    write, there = device_writer.loops(reader), weakref.ref(reader.ids_B1)
    assert write(begun(1), 1, 5, Choosing.of(constraints(ARTICULATED), Sampler())) == 0
    gc.disable()
    try:
        del reader, write
        assert there() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("quality", ["draft", "normal"])
def test_pieces_written_as_on_a_gpu_are_those_whose_tokens_the_host_chooses(
    on_device: LoadedModel, monkeypatch: pytest.MonkeyPatch, quality: str
) -> None:
    """Particles are selected, branched off and taken over."""
    request = GenerationRequest(bars=1, quality=quality)
    found = jobs.run(causal_generator.generate(on_device, request)).chorale
    monkeypatch.setattr(batch_forward, "_loops", lambda *_: None)
    expected = jobs.run(causal_generator.generate(on_device, request)).chorale

    assert np.array_equal(found.pitches, expected.pitches)
    assert np.array_equal(found.onsets, expected.onsets)
