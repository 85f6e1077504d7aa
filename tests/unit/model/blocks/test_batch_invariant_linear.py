"""Linear layers whose rows are independent of the batch."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by

from musicrel.model.blocks import batch_invariant_linear as module
from musicrel.model.blocks.batch_invariant_linear import Activation, batch_invariant_linear

ACTIVATIONS: dict[Activation, Any] = {"none": lambda x: x, "gelu": F.gelu, "relu": F.relu}
sizes = pytest.mark.parametrize(
    ("inputs", "outputs"), [(16, 97), (37, 64), (256, 768), (1024, 256)], ids=str
)
biases = pytest.mark.parametrize("biased", [True, False])


@sizes
@biases
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_a_linear_layer_is_the_plain_formula(
    inputs: int, outputs: int, biased: bool, activation: Activation
) -> None:
    """The float32 result is compared with the formula in float64."""
    torch.manual_seed(0)
    weight, x = torch.randn(outputs, inputs), torch.randn(5, 1, inputs)
    bias = torch.randn(outputs) if biased else None

    found = batch_invariant_linear(weight, bias, batch=5, activation=activation)(x)
    plain = x.double() @ weight.double().T + (0 if bias is None else bias.double())
    expected = ACTIVATIONS[activation](plain)

    torch.testing.assert_close(found.double(), expected, atol=1e-3, rtol=1e-5)


@sizes
@biases
def test_a_row_is_the_same_in_any_batch(inputs: int, outputs: int, biased: bool) -> None:
    """Results are equal to the bit at every position of the batch."""
    torch.manual_seed(0)
    weight, x = torch.randn(outputs, inputs), torch.randn(33, 1, inputs)
    bias = torch.randn(outputs) if biased else None
    alone = torch.cat(
        [batch_invariant_linear(weight, bias, batch=1)(x[n : n + 1]) for n in range(33)]
    )

    for batch in (2, 3, 4, 5, 8, 16, 33):
        assert torch.equal(
            batch_invariant_linear(weight, bias, batch=batch)(x[:batch]), alone[:batch]
        )


def test_double_precision_is_kept() -> None:
    """Inputs in float64 give results in float64, which tests of models need."""
    weight, x = torch.randn(300, 300).double(), torch.randn(2, 1, 300).double()

    torch.testing.assert_close(
        batch_invariant_linear(weight, None, batch=2)(x), x @ weight.T, atol=1e-12, rtol=1e-12
    )


def test_a_packed_kernel_that_depends_on_the_batch_is_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each row is then multiplied separately."""
    weight = torch.randn(256, 768)
    monkeypatch.setattr(module, "_is_batch_invariant", lambda *_: False)
    one_by_one = batch_invariant_linear(weight, None, batch=3)
    x = torch.randn(3, 1, 768)

    expected = torch.bmm(x, weight.t().contiguous().expand(3, -1, -1))
    assert torch.equal(one_by_one(x), expected)


def test_the_check_finds_a_kernel_that_depends_on_the_batch() -> None:
    """The kernel of this test adds the number of its rows."""
    weight = torch.ones(4, 4)

    assert module._is_batch_invariant(lambda x: x @ weight, weight)
    assert not module._is_batch_invariant(lambda x: x @ weight + len(x), weight)
