"""The bidirectional models that have a compiled form."""

from __future__ import annotations

from typing import Any

import pytest

from musicrel.model.compiled import critic, infiller
from musicrel.model.compiled.weights import SCHEMES
from musicrel.model.positions.table import SCHEMES as ALL_SCHEMES
from tests.helpers.models import tiny_config


@pytest.mark.parametrize("scheme", ALL_SCHEMES)
def test_the_schemes_of_the_shipped_models_are_compiled(scheme: str) -> None:
    """Others name themselves as the reason."""
    reason = "" if scheme in SCHEMES else f"positional scheme {scheme}"

    assert infiller.unsupported(tiny_config(scheme, family="infill")) == reason
    assert critic.unsupported(tiny_config(scheme, family="critic", classes=2)) == reason


@pytest.mark.parametrize(
    ("fields", "reason"),
    [({"norm": "post", "family": "infill"}, "post-norm blocks"), ({}, "family causal")],
)
def test_models_without_compiled_form_say_why(fields: dict[str, Any], reason: str) -> None:
    """The reason is for the log."""
    assert infiller.unsupported(tiny_config("relative", **fields)) == reason


def test_a_critic_is_no_infilling_model() -> None:
    """Each family has its own output layers."""
    config = tiny_config("relative", family="infill")

    assert critic.unsupported(config) == "family infill"
