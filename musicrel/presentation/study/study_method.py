"""The last section of a study's report: on which data, how and where it was measured.

This file knows sentences; the figures are ``musicrel.experiment.study.results``'.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from musicrel.experiment.study import study_folder
from musicrel.experiment.study.origin import COMMIT
from musicrel.experiment.study.results import StudyResults

_METHOD: Final = """\
- Runs of one seed read the same {read} in the same order. The {weights} that were best on
  valid are measured on test, once, at the end.
- Losses are {unit} on {on}.
- A difference is the loss of the first arm less that of the second: above 0 the second is better.
  It is paired by {things} and seed and weighted by {each}s; its interval is a bootstrap over
  {things} and, with more than one, seeds (10,000 draws, widened for few seeds by Student's
  quantile).
"""
_TIMES: Final = "Times are those of this machine with whatever else it did"
_ASKED: Final = ("device", "threads")
"""What of a machine is chosen by arguments of the command."""
_SHORT: Final = 12
"""Letters of a commit that tell it from all others."""


def lines(found: StudyResults) -> list[str]:
    """The section as Markdown, without its title."""
    arms = [arm.recipe for arm in found.study.arms]
    measure = found.measure
    method = _METHOD.format(
        **asdict(measure),
        each=measure.each,
        read="sequences" if found.study.objective == "classifier" else "windows",
        weights="averaged weights" if any(arm.training.ema for arm in arms) else "weights",
    )
    return [_data(found), *method.splitlines(), *_machine(found), _command(found)]


def _data(found: StudyResults) -> str:
    recipe = found.study.arms[0].recipe
    training = recipe.training
    budgets = {"tokens": training.tokens, "steps": training.steps, "minutes": training.minutes}
    unit, amount = next((unit, amount) for unit, amount in budgets.items() if amount)
    widths = "chosen so that parameters agree" if found.study.matched else "as given"
    windows = sorted({arm.recipe.data.window for arm in found.study.arms})
    read = "sequences of up to" if found.study.objective == "classifier" else "windows of"
    return (
        f"- Data {recipe.data.source}, vocabulary {_words(found)}, {read} "
        f"{', '.join(f'{window:,}' for window in windows)} tokens; budget {amount:,} {unit} a run; "
        f"feed-forward widths {widths}."
    )


def _words(found: StudyResults) -> str:
    """What the tokens are: some families have a vocabulary of their own."""
    own = {"classifier": "bytes", "published": "published"}
    return own.get(found.study.objective, found.study.arms[0].recipe.data.vocabulary)


def _machine(found: StudyResults) -> list[str]:
    told = ", ".join(
        f"{name} {_either(value, _SHORT if name == COMMIT else None)}"
        for name, value in found.origin.items()
        if value
    )
    return [f"- Machine: {told}. {_TIMES}."] if told else []


def _command(found: StudyResults) -> str:
    """What was typed, as far as the study tells; a study that is not shipped stands in its file."""
    name = found.study.name
    study = name if name in study_folder.shipped() else "study.toml"
    asked = {key: found.origin.get(key) for key in _ASKED}
    options = "".join(
        f" --{key} {value}" for key, value in asked.items() if isinstance(value, str | int)
    )
    return f"- Command: `musicrel compare --study {study} --out FOLDER{options}`."


def _either(value: Any, letters: int | None) -> str:
    """The value, or those that runs differ in."""
    values = value if isinstance(value, list) else [value]
    return " or ".join(str(one)[:letters] for one in values)
