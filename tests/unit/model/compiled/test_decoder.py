"""The compiled step against the full pass in double precision; the models that have one."""

# shape suffixes
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from musicrel.errors import ModelError
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.compiled.arithmetic import Floats
from musicrel.model.compiled.decoder import CompiledDecoder, CompiledModel
from musicrel.model.compiled.layers import SCHEMES as COMPILED
from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Transformer
from musicrel.model.positions.table import SCHEMES as ALL_SCHEMES
from musicrel.model.tokens.conditions import CONDITIONS
from musicrel.model.tokens.vocabulary import ARTICULATED, PITCH, PITCHES, Vocabulary
from tests.helpers.models import tiny_card, tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.unit.model.features.single_tokens import melodies

ALL = tuple(CONDITIONS)
FEW = ("voice", "beat")
LENGTH = 60
SCHEMES: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("sinusoidal", {}),
    ("relative", {"max_distance": 64}),
    ("relative", {"max_distance": 7}),
    ("relative", {"max_distance": 7, "shared": True}),
)
every_scheme = pytest.mark.parametrize(("scheme", "options"), SCHEMES)
FEATURES = (
    ((), ARTICULATED, 0, 0),
    (FEW, ARTICULATED, 0, PITCHES),
    (FEW, PITCH, PITCHES, 0),
    (FEW, PITCH, 0, PITCHES),
    (ALL, ARTICULATED, PITCHES, 0),
    (ALL, ARTICULATED, PITCHES, PITCHES),
)
every_feature = pytest.mark.parametrize(
    ("conditions", "vocabulary", "pitches", "counterpoint"), FEATURES
)


def compiled_model(model: Transformer) -> CompiledModel:
    tensors = {name: value.float().numpy() for name, value in model.state_dict().items()}
    return CompiledModel.of(model.config, tensors)


def inputs(
    config: ModelConfig, batch: int, length: int = LENGTH
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    return tiny_ids(config, batch, length).numpy(), tiny_rows(config, batch, length).numpy()


def stepped(
    model: CompiledModel,
    ids_BT: npt.NDArray[np.int64],
    rows_BTC: npt.NDArray[np.int64],
    prompt: int = 0,
) -> Floats:
    decoder = CompiledDecoder(model, rows_BTC)
    if prompt:
        decoder.prefill(ids_BT[:, :prompt])
    return np.stack([decoder.step(ids_B)[0] for ids_B in ids_BT.T[prompt:]], axis=1)


def full(model: Transformer, ids_BT: Any, rows_BTC: Any, *, record: bool = False) -> Any:
    with torch.inference_mode():
        return model(torch.from_numpy(ids_BT), torch.from_numpy(rows_BTC), record=record)


def has_compiled_form(scheme: str = "relative", **fields: Any) -> bool:
    network = tiny_model(tiny_config(scheme, **fields))
    model = LoadedModel.unsaved(network, tiny_card(network), ARTICULATED)
    return (model.compiled or model.compiled_infiller) is not None


@every_scheme
@every_feature
def test_a_compiled_step_has_the_logits_of_the_full_pass(
    *,
    scheme: str,
    options: Mapping[str, Any],
    conditions: Sequence[str],
    vocabulary: Vocabulary,
    pitches: int,
    counterpoint: int,
) -> None:
    """Within 1e-5 of the largest logit, for every scheme, condition and table."""
    config = tiny_config(
        scheme,
        options=options,
        conditions=conditions,
        vocabulary=vocabulary,
        pitches=pitches,
        counterpoint=counterpoint,
    )
    model = tiny_model(config, dtype=torch.float64)
    ids_BT, rows_BTC = inputs(config, 3)
    expected = full(model, ids_BT, rows_BTC).logits_BTV.numpy()

    logits = stepped(compiled_model(model), ids_BT, rows_BTC)

    np.testing.assert_allclose(logits, expected, atol=1e-5 * np.abs(expected).max(), rtol=0)


def line_config(**fields: Any) -> ModelConfig:
    """Return the config of a model with a table of lines; ``fields`` override."""
    shape: dict[str, Any] = {"conditions": FEW, "counterpoint": PITCHES, "lines": PITCHES}
    return tiny_config("relative", **shape | fields)


def melodic_inputs(
    config: ModelConfig, batch: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return 80 steps with held notes, longer ones than the look back among them, and rows."""
    ids_BT = melodies(batch, 80)
    return ids_BT.numpy(), tiny_rows(config, batch, ids_BT.shape[1]).numpy()


@pytest.mark.parametrize("pitches", [0, PITCHES])
def test_a_compiled_step_knows_the_line_of_every_voice(pitches: int) -> None:
    config = line_config(conditions=ALL, pitches=pitches)
    model = tiny_model(config, dtype=torch.float64)
    ids_BT, rows_BTC = melodic_inputs(config, 3)
    expected = full(model, ids_BT, rows_BTC).logits_BTV.numpy()
    tolerance = 1e-5 * np.abs(expected).max()

    for prompt in (0, 150):
        logits = stepped(compiled_model(model), ids_BT, rows_BTC, prompt)
        np.testing.assert_allclose(logits, expected[:, prompt:], atol=tolerance, rtol=0)


def test_a_piece_is_read_together_with_its_lines() -> None:
    """Teacher forcing reads 64 tokens at a time."""
    config = line_config()
    model = tiny_model(config, dtype=torch.float64)
    ids_BT, rows_BTC = melodic_inputs(config, 1)
    expected = full(model, ids_BT, rows_BTC).logits_BTV.numpy()

    decoder = CompiledDecoder(compiled_model(model), rows_BTC)
    parts = [decoder.read(ids_BT[0, first : first + 64])[0] for first in range(0, 320, 64)]

    tolerance = 1e-5 * np.abs(expected).max()
    np.testing.assert_allclose(np.concatenate(parts), expected[0], atol=tolerance, rtol=0)


def test_particles_keep_the_lines_of_what_they_continue() -> None:
    config = line_config()
    model = compiled_model(tiny_model(config))
    ids_BT, rows_BTC = melodic_inputs(config, 3)
    expected = stepped(model, ids_BT, rows_BTC)
    trunk = CompiledDecoder(model, rows_BTC)
    trunk.prefill(ids_BT[:, :250])
    particles = CompiledDecoder(model, np.repeat(rows_BTC[1:2], 4, axis=0))

    for first, shared in ((200, 0), (240, 200)):
        particles.branch_from(trunk, np.full(4, 1), first, shared)
        for place in range(first, first + 10):
            logits_BV, _ = particles.step(np.repeat(ids_BT[1, place], 4))
            assert all(np.array_equal(logits_V, expected[1, place]) for logits_V in logits_BV)
        particles.select(np.array([3, 3, 0, 1]), shared=first)
    trunk.take(1, particles, 2, 250, shared=240)

    logits_BV, _ = trunk.step(ids_BT[:, 250])
    assert np.array_equal(logits_BV, expected[:, 250])


@pytest.mark.parametrize("activation", ["gelu", "relu"])
def test_both_activations_are_compiled(activation: str) -> None:
    config = tiny_config("relative", activation=activation)
    model = tiny_model(config, dtype=torch.float64)
    ids_BT, rows_BTC = inputs(config, 2)

    logits = stepped(compiled_model(model), ids_BT, rows_BTC)

    np.testing.assert_allclose(logits, full(model, ids_BT, rows_BTC).logits_BTV, atol=1e-4)


@every_scheme
def test_logits_are_the_same_in_every_batch_and_after_every_prompt(
    scheme: str, options: Mapping[str, Any]
) -> None:
    config = tiny_config(
        scheme, options=options, conditions=ALL, pitches=PITCHES, counterpoint=PITCHES
    )
    model = compiled_model(tiny_model(config))
    ids_BT, rows_BTC = inputs(config, 9)
    expected = stepped(model, ids_BT, rows_BTC)

    for row in range(9):
        one = slice(row, row + 1)
        assert np.array_equal(stepped(model, ids_BT[one], rows_BTC[one]), expected[one])
    for prompt in (1, 31, LENGTH - 1):
        found = stepped(model, ids_BT[:4], rows_BTC[:4], prompt)
        assert np.array_equal(found, expected[:4, prompt:])


def test_a_long_prompt_is_read_in_parts() -> None:
    config = tiny_config("relative", conditions=FEW)
    model = compiled_model(tiny_model(config))
    ids_BT, rows_BTC = inputs(config, 2, 302)

    together = stepped(model, ids_BT, rows_BTC, 300)

    assert np.array_equal(together, stepped(model, ids_BT, rows_BTC)[:, 300:])


def test_equal_prompts_are_read_once_with_the_same_result() -> None:
    config = tiny_config("relative", conditions=FEW)
    model = compiled_model(tiny_model(config))
    ids_BT, rows_BTC = inputs(config, 3)
    ids_BT[1], rows_BTC[1] = ids_BT[0], rows_BTC[0]
    ids_BT[2] = ids_BT[0]

    logits = stepped(model, ids_BT, rows_BTC, 40)

    assert np.array_equal(logits[0], logits[1])
    assert not np.array_equal(logits[0], logits[2])
    assert np.array_equal(logits[2:], stepped(model, ids_BT[2:], rows_BTC[2:], 40))


def test_recording_changes_no_logit_and_returns_the_weights_of_the_full_pass() -> None:
    config = tiny_config("relative", conditions=FEW)
    double = tiny_model(config, dtype=torch.float64)
    ids_BT, rows_BTC = inputs(config, 2)
    weights = full(double, ids_BT, rows_BTC, record=True).weights
    expected = torch.stack(weights, dim=1).numpy()
    plain = stepped(compiled_model(double), ids_BT, rows_BTC)

    decoder = CompiledDecoder(compiled_model(double), rows_BTC, record=True)
    for place, ids_B in enumerate(ids_BT.T):
        logits_BV, weights_BNHS = decoder.step(ids_B)
        assert np.array_equal(logits_BV, plain[:, place])
        assert weights_BNHS is not None
        wanted = expected[:, :, :, place, : place + 1]
        np.testing.assert_allclose(weights_BNHS, wanted, atol=1e-5)


@pytest.mark.parametrize("tokens", [30, 50])
def test_a_branch_continues_a_sequence_to_the_bit(tokens: int) -> None:
    """Every sequence of the branch continues the same one; keys in whole panels are read once."""
    config = tiny_config("relative", conditions=FEW, counterpoint=PITCHES)
    model = compiled_model(tiny_model(config))
    ids_BT, rows_BTC = inputs(config, 3)
    trunk = CompiledDecoder(model, rows_BTC)
    trunk.prefill(ids_BT[:, :55])
    branch = CompiledDecoder(model, np.repeat(rows_BTC[1:2], 4, axis=0))

    branch.branch_from(trunk, np.full(4, 1), tokens)
    logits_BV, _ = branch.step(np.repeat(ids_BT[1:2, tokens], 4))

    expected = stepped(model, ids_BT[1:2], rows_BTC[1:2])[0, tokens]
    assert all(np.array_equal(logits_V, expected) for logits_V in logits_BV)


def test_a_branch_continues_several_sequences_to_the_bit() -> None:
    config, rows_B = tiny_config("relative", conditions=FEW), np.array([2, 0, 2])
    model = compiled_model(tiny_model(config))
    ids_BT, rows_BTC = inputs(config, 3)
    trunk = CompiledDecoder(model, rows_BTC)
    trunk.prefill(ids_BT[:, :55])
    branch = CompiledDecoder(model, rows_BTC[rows_B])
    expected = stepped(model, ids_BT, rows_BTC)[rows_B]

    for tokens, shared in ((30, 0), (50, 30)):
        branch.branch_from(trunk, rows_B, tokens, shared)
        logits_BV, _ = branch.step(ids_BT[rows_B, tokens])
        assert np.array_equal(logits_BV, expected[:, tokens])


def test_what_a_branch_has_read_is_taken_over_to_the_bit() -> None:
    config = tiny_config("relative", conditions=FEW, counterpoint=PITCHES)
    model = compiled_model(tiny_model(config))
    ids_BT, rows_BTC = inputs(config, 2)
    trunk = CompiledDecoder(model, rows_BTC)
    trunk.prefill(ids_BT[:, :40])
    branch = CompiledDecoder(model, np.repeat(rows_BTC[1:2], 3, axis=0))
    branch.branch_from(trunk, np.full(3, 1), 40)
    for ids_B in np.repeat(ids_BT[1:2, 40:50], 3, axis=0).T:
        branch.step(ids_B)
    trunk.prefill(np.repeat(ids_BT[:1, 40:50], 2, axis=0))

    trunk.take(1, branch, 2, 50, shared=40)
    logits_BV, _ = trunk.step(ids_BT[:, 50])

    assert np.array_equal(logits_BV, stepped(model, ids_BT, rows_BTC)[:, 50])


def test_a_selected_sequence_is_continued_to_the_bit() -> None:
    config = tiny_config("relative", conditions=FEW, counterpoint=PITCHES)
    model = compiled_model(tiny_model(config))
    ids_BT, rows_BTC = inputs(config, 4)
    ids_BT[:, :20], rows_BTC[:] = ids_BT[:1, :20], rows_BTC[:1]
    decoder = CompiledDecoder(model, rows_BTC)
    for ids_B in ids_BT.T[:40]:
        decoder.step(ids_B)

    rows_B = np.array([2, 1, 1, 0])
    decoder.select(rows_B, shared=20)
    logits_BV, _ = decoder.step(ids_BT[rows_B, 40])

    assert np.array_equal(logits_BV, stepped(model, ids_BT, rows_BTC)[rows_B, 40])


def test_more_tokens_than_the_capacity_are_refused() -> None:
    config = tiny_config("sinusoidal")
    ids_BT, rows_BTC = inputs(config, 1, 3)
    decoder = CompiledDecoder(compiled_model(tiny_model(config)), rows_BTC)
    decoder.prefill(ids_BT)

    with pytest.raises(ModelError, match="holds 3 of 3 tokens, 1 more do not fit"):
        decoder.step(ids_BT[:, 0])


@pytest.mark.parametrize("family", ["causal", "infill"])
@pytest.mark.parametrize("scheme", ALL_SCHEMES)
def test_the_schemes_of_the_shipped_models_are_compiled(scheme: str, family: str) -> None:
    conditions = ("beat",) if family == "infill" else ("voice", "beat")
    found = has_compiled_form(scheme, family=family, conditions=conditions)
    assert found == (scheme in COMPILED)


@pytest.mark.parametrize("fields", [{"norm": "post"}, {"family": "masked"}])
def test_others_have_no_compiled_form(fields: dict[str, Any]) -> None:
    assert not has_compiled_form(**fields)
