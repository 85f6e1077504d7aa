"""Evaluation of the critic on windows of the test split, for its card.

    python -m training.critic

Accuracy for each kind of window at two, four and eight bars, the area under the ROC curve, and the
calibration, stored on the card of the model ``critic`` with its limits. Its use in the
ranking of candidates was measured once (``training/LOG.md``): its weight there is 0.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from musicrel import paths
from musicrel.analysis.corpus import bundled
from musicrel.errors import ModelError
from musicrel.experiment.data import dataset
from musicrel.experiment.data.critic_data import BACH, WindowSampler
from musicrel.experiment.recipe import recipe
from musicrel.generation.candidates import critic
from musicrel.generation.candidates.critic import Critic
from musicrel.model import catalogue, devices
from musicrel.model.card import CARD, read_card
from training import reports

_SEED: Final = 500_000
_LENGTHS: Final = (32, 64, 128)
_A_KIND: Final = 200
_BINS: Final = 5
_PIECE: Final = 256
"""Length of the timed pieces, in steps."""
_LIMITS: Final = (
    "Trained on 230 chorales; of the opponents three in ten are JS Fakes (CC BY 4.0) or pieces of "
    "the models vanilla and relative, the others Bach made worse. Good to compare versions of one "
    "piece; no judge of whether a piece is good, and none of music that is no four-part chorale."
)


def evaluate_critic(judge: Critic, windows: WindowSampler) -> dict[str, Any]:
    """Measure accuracy by length and kind, area, calibration at eight bars, and time."""
    found: dict[str, Any] = {"right": {}, "area": {}}
    for steps in _LENGTHS:
        bach = _against(judge, windows, BACH, steps)
        others = {kind: _against(judge, windows, kind, steps) for kind in windows.kinds}
        right = {BACH: bach < 0} | {kind: values > 0 for kind, values in others.items()}
        found["right"][str(steps)] = {kind: float(one.mean()) for kind, one in right.items()}
        all_others = np.concatenate([*others.values()])
        found["area"][str(steps)] = float((all_others[:, None] > bach).mean())
        found["calibration"] = calibration(bach, all_others)
    return found | {"seconds": _seconds(judge)}


def _against(judge: Critic, windows: WindowSampler, kind: str, steps: int) -> Any:
    """Return the critic's log-odds of windows of one kind, float (200,)."""
    drawn = [
        windows.draw(kind, steps, np.random.default_rng([_SEED, steps, n])).piece
        for n in range(_A_KIND)
    ]
    return np.concatenate([judge.log_odds(drawn[n : n + 20]) for n in range(0, _A_KIND, 20)])


def calibration(bach: Any, others: Any) -> list[dict[str, float]]:
    """Bin windows, half of them Bach's, by predicted probability; return the actual shares."""
    predicted = 1 / (1 + np.exp(np.concatenate([bach, others])))
    is_bach = np.arange(len(predicted)) < len(bach)
    worth = np.where(is_bach, 1 / len(bach), 1 / len(others))
    rows = []
    for low in np.arange(_BINS) / _BINS:
        inside = (predicted >= low) & (predicted < low + 1 / _BINS)
        if inside.any():
            share = (worth * is_bach)[inside].sum() / worth[inside].sum()
            rows.append({"from": low, "to": low + 1 / _BINS, "windows": int(inside.sum()),
                         "bach": float(share)})  # fmt: skip
    return rows


def _seconds(judge: Critic) -> float:
    piece = next(one for one in bundled.load("test") if one.steps >= _PIECE).cropped(0, _PIECE)
    began = time.perf_counter()
    for _ in range(8):
        judge.log_odds([piece])
    return time.perf_counter() - began


@reports.script
def main(words: Sequence[str]) -> None:
    reports.parser("critic", __doc__).parse_args(words)
    devices.use_threads(1)
    judge = critic.bundled_critic()
    if judge is None:
        raise ModelError("there is no model 'critic': train and publish it first")
    found = dataset.load(recipe.load("critic").data.source)
    windows = WindowSampler(found.pieces["test"], found.others["test"], transpose=False)
    figures = evaluate_critic(judge, windows)
    print(json.dumps(figures, indent=1))
    folder = catalogue.find(catalogue.CRITIC)
    known = read_card(folder)
    card = replace(known, training={**known.training, "heard": figures, "limits": _LIMITS})
    paths.write_text(folder / CARD, card.to_json())


if __name__ == "__main__":
    sys.exit(main())
