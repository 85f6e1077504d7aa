"""Learning curves as a screen reader speaks them."""

from __future__ import annotations

import numpy as np

from musicrel.presentation.spoken import curve_texts
from musicrel.presentation.study.study_curves import ArmCurve


def curve(*losses: list[float]) -> ArmCurve:
    """Return the curve of an arm, a seed for each list, evaluated every 500 steps."""
    runs = tuple(np.array([500.0 * np.arange(1, len(run) + 1), run]) for run in losses)
    return ArmCurve(name="Relative", number=0, split="valid", runs=runs)


def test_curve_of_one_seed_is_its_first_lowest_and_last_loss() -> None:
    assert curve_texts.arm(curve([2.0, 1.25, 1.5]), "step", "nats/note") == (
        "Relative, 1 seed, nats/note; first 2.000 at 500 steps; lowest 1.250 at 1,000 steps; "
        "last 1.500 at 1,500 steps"
    )


def test_curve_of_several_seeds_has_an_interval() -> None:
    """The mean of 1.0 and 1.2 with the t distribution of one degree of freedom: ± 1.271."""
    text = curve_texts.arm(curve([2.0, 1.0], [2.0, 1.2]), "step", "nats/note")

    assert text.startswith("Relative, 2 seeds, nats/note; first 2.000 at 500 steps")
    assert text.endswith("last 1.100 at 1,000 steps, 95 % interval 0.000 to 2.371")
