"""Steps that are recorded and repeated, with recorders of a few lines instead of a GPU."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from musicrel.model.decoding.graph import RecordedStepper
from musicrel.model.decoding.step import Read, Stepper
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows

LENGTH = 600
every_scheme = pytest.mark.parametrize("scheme", ["sinusoidal", "relative"])


class Recorder:
    """Repeats a step by doing it again; counts the recordings, refuses those after ``most``."""

    def __init__(self, most: int = 99) -> None:
        self.made = 0
        self._most = most

    def __call__(self, step: Callable[[], Read]) -> Callable[[], Read]:
        """The step itself."""
        if self.made == self._most:
            raise RuntimeError("operation not permitted when stream is capturing\nand so on")
        self.made += 1
        return step


def steppers(scheme: str, recorder: Recorder, batch: int = 2) -> tuple[Stepper, RecordedStepper]:
    """The same model, read plainly and by recordings."""
    config = tiny_config(scheme, told=("voice",))
    model = tiny_model(config, dtype=torch.float64)
    rows = tiny_rows(config, batch, LENGTH)
    return Stepper(model, rows), RecordedStepper(Stepper(model, rows), recorder)


def check_reads_alike(plain: Stepper, recorded: RecordedStepper) -> None:
    """Every logit of a long piece."""
    for ids_B in tiny_ids(tiny_config("relative"), plain.batch, LENGTH).unbind(1):
        expected = plain.read(ids_B).logits_BV
        found = recorded.read(ids_B).logits_BV
        torch.testing.assert_close(found, expected, atol=1e-10, rtol=0)


@every_scheme
def test_recorded_steps_are_the_plain_ones(scheme: str) -> None:
    """Through all sizes, one recording for each: 256, 512 and the whole room of 600."""
    recorder = Recorder()
    plain, recorded = steppers(scheme, recorder)

    check_reads_alike(plain, recorded)

    assert recorder.made == 3
    assert recorded.refused is None


@pytest.mark.parametrize("most", [0, 1])
def test_where_recording_fails_the_piece_goes_on(most: int) -> None:
    """At once or in the middle; it says why, in one line."""
    recorder = Recorder(most)
    plain, recorded = steppers("relative", recorder)

    check_reads_alike(plain, recorded)

    assert recorder.made == most
    assert recorded.refused == "operation not permitted when stream is capturing"
