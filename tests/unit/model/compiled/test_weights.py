"""The models that have a compiled form."""

from __future__ import annotations

from typing import Any

import pytest

from musicrel.model.compiled.weights import SCHEMES, unsupported
from musicrel.model.positions.table import SCHEMES as ALL_SCHEMES
from tests.helpers.models import tiny_config


@pytest.mark.parametrize("scheme", ALL_SCHEMES)
def test_the_schemes_of_the_shipped_models_are_compiled(scheme: str) -> None:
    """Others name themselves as the reason."""
    reason = unsupported(tiny_config(scheme))

    assert reason == ("" if scheme in SCHEMES else f"positional scheme {scheme}")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"norm": "post"}, "post-norm blocks"),
        ({"family": "masked"}, "family masked"),
    ],
)
def test_models_without_compiled_form_say_why(fields: dict[str, Any], reason: str) -> None:
    """The reason is for the log."""
    assert unsupported(tiny_config("relative", **fields)) == reason
