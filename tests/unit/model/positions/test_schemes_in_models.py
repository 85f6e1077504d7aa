"""Models with every positional scheme: shifts, causality, length limits and parameters."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch

from musicrel.errors import ModelError
from musicrel.model import checkpoint
from musicrel.model.positions.table import SCHEMES
from tests.helpers.models import tiny_card, tiny_ids
from tests.helpers.naive_schemes import NAIVE
from tests.unit.model.positions.scheme_cases import (
    assert_close,
    bare_model,
    every_scheme,
    no_conditions,
)

pytestmark = pytest.mark.usefixtures("float64")


@every_scheme
def test_a_shifted_piece_has_other_logits_in_absolute_schemes_only(
    scheme: str, options: Mapping[str, Any]
) -> None:
    """Without conditions only the scheme can depend on the start."""
    model = bare_model(scheme, options)
    ids_BT = tiny_ids(model.config, 2, 20)

    at_zero = model(ids_BT, no_conditions(ids_BT)).logits_BTV
    later = model(ids_BT, no_conditions(ids_BT), starts_B=torch.tensor([0, 17])).logits_BTV

    assert_close(later[0], at_zero[0])
    difference = float((later[1] - at_zero[1]).abs().max().detach())
    assert (difference > 1e-3) if NAIVE[scheme].moves else (difference < 1e-10)


@every_scheme
def test_the_future_changes_no_earlier_logit(scheme: str, options: Mapping[str, Any]) -> None:
    """The difference is that of rounding, wherever the change begins."""
    model = bare_model(scheme, options)
    ids_BT = tiny_ids(model.config, 1, 33)
    before = model(ids_BT, no_conditions(ids_BT)).logits_BTV

    for place in (1, 16, 32):
        changed_BT = ids_BT.clone()
        changed_BT[:, place:] = (ids_BT[:, place:] + 1) % model.config.tokens
        after = model(changed_BT, no_conditions(changed_BT)).logits_BTV

        assert_close(after[:, :place], before[:, :place])
        assert (after[:, place] - before[:, place]).abs().max() > 1e-3


def check_extends(scheme: str, options: Mapping[str, Any]) -> None:
    """Check that the trained length of a model has no effect."""
    short = bare_model(scheme, options, trained_length=16)
    long = bare_model(scheme, options, trained_length=256)
    long.load_state_dict(short.state_dict())
    ids_BT = tiny_ids(short.config, 1, 100)

    assert_close(
        short(ids_BT, no_conditions(ids_BT)).logits_BTV,
        long(ids_BT, no_conditions(ids_BT)).logits_BTV,
    )


def check_clips(scheme: str, options: Mapping[str, Any]) -> None:
    """Check as ``check_extends``; the formula covers larger distances than the table."""
    assert min(options["max_distance"] for options in NAIVE[scheme].options) < 32
    check_extends(scheme, options)


def check_refuses(scheme: str, options: Mapping[str, Any]) -> None:
    """Check the error, which names the length and the limit, also during decoding."""
    model = bare_model(scheme, {**options, "max_length": 20})
    ids_BT = tiny_ids(model.config, 2, 21)
    sentence = "the sequence has 21 tokens, but the model learned positions for 20 only: shorten it"

    model(ids_BT[:, :20], no_conditions(ids_BT[:, :20]))
    with pytest.raises(ModelError, match=sentence):
        model(ids_BT, no_conditions(ids_BT))
    with pytest.raises(ModelError, match=r"has 24 tokens, but .* for 20 only"):
        model(ids_BT[:, :4], no_conditions(ids_BT[:, :4]), starts_B=torch.tensor([0, 20]))
    cache = model.new_cache(2, 30)
    model(ids_BT[:, :20], no_conditions(ids_BT[:, :20]), cache=cache)
    with pytest.raises(ModelError, match=sentence):
        model(ids_BT[:, 20:], no_conditions(ids_BT[:, 20:]), cache=cache)


BEYOND = {"extends": check_extends, "clips": check_clips, "refuses": check_refuses}


@every_scheme
def test_beyond_the_trained_length_a_scheme_does_as_the_table_says(
    scheme: str, options: Mapping[str, Any]
) -> None:
    """It extends, clips or refuses."""
    BEYOND[SCHEMES[scheme].extrapolation](scheme, options)


@every_scheme
def test_parameters_are_learned_and_survive(
    scheme: str, options: Mapping[str, Any], tmp_path: Path
) -> None:
    """They are in parameters() and state_dict(), get gradients, and are saved and loaded."""
    with torch.random.fork_rng():
        torch.set_default_dtype(torch.float32)
        model = bare_model(scheme, options)
    ids_BT = tiny_ids(model.config, 2, 33)
    model(ids_BT, no_conditions(ids_BT)).logits_BTV.square().sum().backward()
    checkpoint.save(tmp_path, model, tiny_card(model))
    loaded = checkpoint.load(tmp_path).model

    assert {name for name, _ in model.named_parameters()} <= set(model.state_dict())
    assert all(
        parameter.grad is not None and parameter.grad.abs().max() > 0
        for parameter in model.parameters()
    )
    for name, value in model.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], value)
    assert torch.equal(
        loaded(ids_BT, no_conditions(ids_BT)).logits_BTV,
        model(ids_BT, no_conditions(ids_BT)).logits_BTV,
    )
