"""The method section of a study's report: data, training, measurement, machine."""

from __future__ import annotations

from typing import Any, Final

from musicrel.experiment.study import study_folder
from musicrel.experiment.study.results import COMMIT, StudyResults
from musicrel.presentation.study import search_text

_METHOD: Final = """\
- Runs of one seed train on the same {read} in the same order. The {weights} with the best
  validation loss are measured on test once, at the end.
- Losses are {unit} on {basis}.
- A difference is the loss of the first arm minus that of the second: above 0 the second has the
  lower loss. It is paired by {things} and seed and weighted by {each}s; its interval is a bootstrap
  over {things} and, with more than one, seeds (10,000 draws, widened for few seeds by Student's
  quantile).
- An arm is called better only with two seeds or more, and if no loss still falls at the end.
"""
_TIMES: Final = "Times depend on the machine and its load"
_OPTIONS: Final = ("device", "threads")
"""Facts of a machine that are options of the command."""
_SHORT: Final = 12
"""Length of an abbreviated commit hash."""


def lines(found: StudyResults) -> list[str]:
    """Return the section as Markdown, without its title."""
    arms = [arm.recipe for arm in found.study.arms]
    measure = found.measure
    method = _METHOD.format(
        unit=measure.unit,
        basis=measure.basis,
        things=measure.observations,
        each=measure.per,
        read="sequences" if found.study.objective == "classifier" else "windows",
        weights="averaged weights" if any(arm.training.ema for arm in arms) else "weights",
    )
    rules = [f"- {sentence}" for sentence in search_text.method(found)]
    return [_data(found), *method.splitlines(), *rules, *_machine(found), _command(found)]


def _data(found: StudyResults) -> str:
    recipe = found.study.arms[0].recipe
    training = recipe.training
    budgets = {"tokens": training.tokens, "steps": training.steps, "minutes": training.minutes}
    unit, amount = next((unit, amount) for unit, amount in budgets.items() if amount)
    widths = "matched for equal parameters" if found.study.matched else "as given"
    windows = sorted({arm.recipe.data.window for arm in found.study.arms})
    read = "sequences of up to" if found.study.objective == "classifier" else "windows of"
    return (
        f"- Data {recipe.data.source}, vocabulary {_words(found)}, {read} "
        f"{', '.join(f'{window:,}' for window in windows)} tokens; budget {amount:,} {unit} per "
        f"run; feed-forward widths {widths}."
    )


def _words(found: StudyResults) -> str:
    """Return the vocabulary; some families have their own."""
    own = {"classifier": "bytes", "published": "published"}
    return own.get(found.study.objective, found.study.arms[0].recipe.data.vocabulary)


def _machine(found: StudyResults) -> list[str]:
    facts = ", ".join(
        f"{name} {_either(value, _SHORT if name == COMMIT else None)}"
        for name, value in found.origin.items()
        if value
    )
    return [f"- Machine: {facts}. {_TIMES}."] if facts else []


def _command(found: StudyResults) -> str:
    """Return the command that runs the study; a study that is not shipped is read from its file."""
    name = found.study.name
    study = name if name in study_folder.bundled() else "study.toml"
    chosen = {key: found.origin.get(key) for key in _OPTIONS}
    options = "".join(
        f" --{key} {value}" for key, value in chosen.items() if isinstance(value, str | int)
    )
    return f"- Command: `musicrel compare --study {study} --out FOLDER{options}`."


def _either(value: Any, letters: int | None) -> str:
    """Join the values of all runs, cut to a number of letters."""
    values = value if isinstance(value, list) else [value]
    return " or ".join(str(one)[:letters] for one in values)
