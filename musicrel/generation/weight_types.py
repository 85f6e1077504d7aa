"""Types of weights: float32, and int8 for large models whose speed is that of memory.

A step of one sequence reads all weights; int8 is a quarter of the bytes (``docs/results.md``).
Off by default: the notes of a seed are others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args

from musicrel.errors import UsageError
from musicrel.generation import kernel
from musicrel.model.devices import WeightType

if TYPE_CHECKING:
    from musicrel.model.card import Card
    from musicrel.model.devices import Device

WEIGHT_TYPES: Final = get_args(WeightType)
DEFAULT: Final[WeightType] = "float32"
SMALLEST: Final = 3_000_000
"""Parameters of the smallest model that is read with int8 weights; smaller ones gain little."""


def check(weight_type: object) -> None:
    """Check that there is such a type.

    Raises:
        UsageError: there is not.
    """
    if not isinstance(weight_type, str) or weight_type not in WEIGHT_TYPES:
        raise UsageError(
            f"unknown weight type {weight_type!r}: expected {' or '.join(WEIGHT_TYPES)}"
        )


def check_model(name: str, card: Card, device: Device) -> None:
    """Check that a model can be read with int8 weights.

    Raises:
        UsageError: it is too small, or it is not read by the compiled step on a CPU here.
    """
    if card.parameters < SMALLEST:
        raise UsageError(
            f"{name} has {card.parameters:,} parameters: int8 weights are for models of at least "
            f"{SMALLEST:,}, use float32"
        )
    if device.type != "cpu":
        raise UsageError(f"int8 weights are read on cpu, not on {device}: use cpu or float32")
    reason = kernel.reason() or _unsupported(card)
    if reason:
        raise UsageError(f"{name} cannot be read with int8 weights ({reason}): use float32")


def _unsupported(card: Card) -> str:
    from musicrel.model.compiled import weights  # noqa: PLC0415  # it imports numba

    reason = weights.unsupported(card.config)
    return f"its {reason} has no compiled step" if reason else ""
