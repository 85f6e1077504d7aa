"""Every positional scheme on the devices of this machine, beside the CPU.

The CPU itself is tested beside naive formulas elsewhere.
"""

from __future__ import annotations

import copy

import pytest
import torch
from torch import Tensor

from musicrel.model.config import ModelConfig
from musicrel.model.decoding.step import IncrementalDecoder
from musicrel.model.families.transformer import Transformer
from musicrel.model.positions.table import SCHEMES
from tests.devices import accelerators_here
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows

LENGTH = 24

every_scheme = pytest.mark.parametrize("scheme", SCHEMES)


def inputs(config: ModelConfig) -> tuple[Tensor, Tensor]:
    """Return ids and condition rows of two sequences."""
    return tiny_ids(config, 2, LENGTH), tiny_rows(config, 2, LENGTH)


def on_both(scheme: str, device: str) -> tuple[Transformer, Transformer]:
    """Return the same model on the CPU and on the device."""
    model = tiny_model(tiny_config(scheme, conditions=("voice", "beat")))
    return model, copy.deepcopy(model).to(device)


def assert_same(found: Tensor, expected: Tensor) -> None:
    """Compare with the precision that ``musicrel check`` demands."""
    torch.testing.assert_close(found.cpu(), expected, rtol=1e-5, atol=1e-4)


@accelerators_here
@every_scheme
def test_logits_and_attention_are_those_of_the_cpu(scheme: str, device: str) -> None:
    """With attention recorded and without."""
    model, other = on_both(scheme, device)
    ids_BT, rows_BTC = inputs(model.config)

    for record in (False, True):
        expected = model(ids_BT, rows_BTC, record=record)
        found = other(ids_BT.to(device), rows_BTC.to(device), record=record)

        assert_same(found.logits_BTV, expected.logits_BTV)
        for found_BHTS, expected_BHTS in zip(found.weights, expected.weights, strict=True):
            assert_same(found_BHTS, expected_BHTS)


@accelerators_here
@every_scheme
def test_gradients_are_those_of_the_cpu(scheme: str, device: str) -> None:
    """Of every parameter that has one."""
    model, other = on_both(scheme, device)
    ids_BT, rows_BTC = inputs(model.config)

    model(ids_BT, rows_BTC).logits_BTV.square().mean().backward()
    other(ids_BT.to(device), rows_BTC.to(device)).logits_BTV.square().mean().backward()

    for own, others in zip(model.parameters(), other.parameters(), strict=True):
        assert (own.grad is None) == (others.grad is None)
        if own.grad is not None and others.grad is not None:
            assert_same(others.grad, own.grad)


@accelerators_here
@every_scheme
def test_steps_are_those_of_the_cpu(scheme: str, device: str) -> None:
    """Token by token with a cache."""
    model, other = on_both(scheme, device)
    ids_BT, rows_BTC = inputs(model.config)
    decoders = IncrementalDecoder(model, rows_BTC), IncrementalDecoder(other, rows_BTC.to(device))

    for place in range(LENGTH):
        expected = decoders[0].step(ids_BT[:, place])
        found = decoders[1].step(ids_BT[:, place].to(device))

        assert_same(found.logits_BV, expected.logits_BV)
