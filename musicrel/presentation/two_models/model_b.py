"""The model B for a task, from the one that the user compares with."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from musicrel.presentation.compose.models import ModelChoice

SAME: Final = "A and B are both {model}: choose another model under A/B"
NO_PARTNER: Final = "{model} cannot do the same as {other}, and no model like it is installed"
_INFILL: Final = "-infill"


def model_b(model: str, other: str, choices: Collection[ModelChoice]) -> str:
    """Return the name of the model that works beside ``model``, or "" if there is none.

    It is ``other`` if both are of the same kind, causal or infilling. Else it is the model of the
    right kind that belongs to ``other`` by its name, such as vanilla-infill to vanilla, or else the
    first one that is not ``model``.

    Args:
        other: name of the model that the user compares with; "": none.
    """
    kinds = {choice.name: choice.is_infill for choice in choices}
    if not other or other not in kinds or model not in kinds:
        return ""
    if kinds[other] == kinds[model]:
        return other if other != model else ""
    alike = other.removesuffix(_INFILL) if kinds[other] else f"{other}{_INFILL}"
    fitting = [
        choice.name
        for choice in choices
        if choice.is_infill == kinds[model] and choice.name != model and not choice.is_test_run
    ]
    return alike if alike in fitting else next(iter(fitting), "")


def reason(model: str, other: str) -> str:
    return (
        SAME.format(model=model) if model == other else NO_PARTNER.format(model=other, other=model)
    )
