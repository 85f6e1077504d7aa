"""The model that works beside another one."""

from __future__ import annotations

import pytest

from musicrel.presentation.compose.models import ModelChoice
from musicrel.presentation.twin.partner import partner, reason


def choice(name: str, family: str = "causal", *, is_test_run: bool = False) -> ModelChoice:
    return ModelChoice(
        name=name, title=name, detail="", conditions=frozenset(), family=family,
        is_test_run=is_test_run,
    )  # fmt: skip


CHOICES = (
    choice("relative"),
    choice("vanilla"),
    choice("cross", "encoder_decoder"),
    choice("smoke-infill", "infill", is_test_run=True),
    choice("relative-infill", "infill"),
    choice("vanilla-infill", "infill"),
)


@pytest.mark.parametrize(
    ("model", "other", "expected"),
    [
        ("relative", "vanilla", "vanilla"),
        ("relative", "cross", "cross"),
        ("relative-infill", "vanilla-infill", "vanilla-infill"),
        ("relative-infill", "vanilla", "vanilla-infill"),
        ("relative", "vanilla-infill", "vanilla"),
        ("relative-infill", "cross", "vanilla-infill"),
        ("relative-infill", "relative", "vanilla-infill"),
        ("relative", "smoke-infill", "vanilla"),
    ],
)
def test_the_partner_is_of_the_same_kind(model: str, other: str, expected: str) -> None:
    """The chosen model, the one that belongs to it by name, or the first other one."""
    assert partner(model, other, CHOICES) == expected


@pytest.mark.parametrize(
    ("model", "other"),
    [("relative", ""), ("relative", "relative"), ("relative", "gone"), ("gone", "vanilla")],
)
def test_there_is_none_without_two_models(model: str, other: str) -> None:
    """Nothing chosen, the same model, or one that is not installed."""
    assert partner(model, other, CHOICES) == ""


def test_there_is_none_without_another_model_of_the_kind() -> None:
    """The sentence names both."""
    assert partner("relative-infill", "vanilla", CHOICES[:2] + CHOICES[4:5]) == ""
    assert "vanilla cannot do the same as relative-infill" in reason("relative-infill", "vanilla")
    assert reason("relative", "relative").startswith("A and B are both relative")
