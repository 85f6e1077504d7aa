"""Messages for users can be shown whatever they quote."""

from __future__ import annotations

import pytest

from musicrel.errors import (
    NO_TORCH,
    DataError,
    MissingTorchError,
    UsageError,
    readable,
    torch_may_be_missing,
)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("bars is 9", "bars is 9"),
        ("a name of B♭, é and 日本", "a name of B♭, é and 日本"),
        ("bars is " + "9" * 5000 + ": expected 8", "bars is 999999999999... (5,000 digits): exp"),
        ("a\nb\x00c\x1b[31m\u2028", "a\\nb\\x00c\\x1b[31m\\u2028"),
    ],
)
def test_long_numbers_and_control_characters_are_replaced(message: str, shown: str) -> None:
    """Other text stays as it is."""
    assert readable(message).startswith(shown)
    assert str(UsageError(message)) == readable(message)


def test_the_middle_of_a_long_message_is_left_out() -> None:
    """The file stands at its beginning, and what to do at its end."""
    shown = str(DataError("cannot read " + "x" * 100_000 + ": copy it again"))

    assert len(shown) < 1_100
    assert shown.startswith("cannot read x")
    assert shown.endswith("x: copy it again")


@pytest.mark.parametrize("name", ["torch", "torch.nn.functional"])
def test_a_missing_torch_is_an_error_for_users(name: str) -> None:
    """The sentence names the package that has it."""
    with pytest.raises(MissingTorchError) as reason, torch_may_be_missing():
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    assert str(reason.value) == NO_TORCH


def test_another_missing_module_is_a_fault_of_ours() -> None:
    """It keeps its traceback."""
    with pytest.raises(ModuleNotFoundError, match="torchvision"), torch_may_be_missing():
        raise ModuleNotFoundError("No module named 'torchvision'", name="torchvision")
