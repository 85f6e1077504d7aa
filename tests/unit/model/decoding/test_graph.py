"""Captured decoding steps, with a capture of a few lines instead of a GPU."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from musicrel.model.decoding.graph import GraphDecoder
from musicrel.model.decoding.step import IncrementalDecoder, StepOutput
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows

LENGTH = 600
every_scheme = pytest.mark.parametrize("scheme", ["sinusoidal", "relative"])


class Capture:
    """A capture that repeats the step; it counts its calls and fails after ``most``."""

    def __init__(self, most: int = 99) -> None:
        self.made = 0
        self._most = most

    def __call__(self, step: Callable[[], StepOutput]) -> Callable[[], StepOutput]:
        """Return the step itself."""
        if self.made == self._most:
            raise RuntimeError("operation not permitted when stream is capturing\nand so on")
        self.made += 1
        return step


def decoders(
    scheme: str, recorder: Capture, batch: int = 2
) -> tuple[IncrementalDecoder, GraphDecoder]:
    """Return two decoders of one model, a plain one and a captured one."""
    config = tiny_config(scheme, conditions=("voice",))
    model = tiny_model(config, dtype=torch.float64)
    rows = tiny_rows(config, batch, LENGTH)
    return IncrementalDecoder(model, rows), GraphDecoder(IncrementalDecoder(model, rows), recorder)


def check_equal_logits(plain: IncrementalDecoder, recorded: GraphDecoder) -> None:
    """Compare every logit of a long piece."""
    for ids_B in tiny_ids(tiny_config("relative"), plain.batch, LENGTH).unbind(1):
        expected = plain.step(ids_B).logits_BV
        found = recorded.step(ids_B).logits_BV
        torch.testing.assert_close(found, expected, atol=1e-10, rtol=0)


@every_scheme
def test_captured_steps_are_the_plain_ones(scheme: str) -> None:
    """One capture for each size: 256, 512 and the whole capacity of 600."""
    recorder = Capture()
    plain, recorded = decoders(scheme, recorder)

    check_equal_logits(plain, recorded)

    assert recorder.made == 3
    assert recorded.failure is None


@pytest.mark.parametrize("most", [0, 1])
def test_decoding_continues_if_capturing_fails(most: int) -> None:
    """At the first capture or later; the reason is kept in one line."""
    recorder = Capture(most)
    plain, recorded = decoders("relative", recorder)

    check_equal_logits(plain, recorded)

    assert recorder.made == most
    assert recorded.failure == "operation not permitted when stream is capturing"
