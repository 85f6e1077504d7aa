"""The learning curve of an arm as a screen reader speaks it."""

from __future__ import annotations

import numpy as np

from musicrel.presentation.study import study_curves
from musicrel.presentation.study.curves import Axis
from musicrel.presentation.study.study_curves import ArmCurve
from musicrel.presentation.words import names


def arm(curve: ArmCurve, axis: Axis, unit: str) -> str:
    """Describe a curve by its first, lowest and last loss, with the interval of the last."""
    xs, losses = curve.mean
    best = int(np.argmin(losses))
    low, high = curve.interval[:, -1]
    between = f", 95 % interval {low:.3f} to {high:.3f}" if len(curve.runs) > 1 else ""
    parts = (
        f"{curve.name}, {names.count(len(curve.runs), 'seed')}, {unit}",
        f"first {losses[0]:.3f} at {study_curves.x_text(xs[0], axis, unit)}",
        f"lowest {losses[best]:.3f} at {study_curves.x_text(xs[best], axis, unit)}",
        f"last {losses[-1]:.3f} at {study_curves.x_text(xs[-1], axis, unit)}{between}",
    )
    return "; ".join(parts)
