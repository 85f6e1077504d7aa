"""The method section of a study's report: data, training, measurement, machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from musicrel.experiment.study import study_folder
from musicrel.experiment.study.results import COMMIT, StudyResults
from musicrel.experiment.study.run_watch import RunStatus

NONE: Final = "–"
_CHOSEN: Final = (
    "The learning rate of each arm is that of {tried} with the lowest loss on validation, each "
    "tried with seed {seed} and {share:g} % of the budget{rates}."
)
_DIVERGED: Final = "Diverged, and left out: {runs}."
_RULE: Final = (
    "A run ends before its budget after {after} in a row without an improvement of {gain} on "
    "validation: {ended} of {runs} runs did."
)
_GONE: Final = "diverged"
_METHOD: Final = """\
Runs of one seed train on the same {read} in the same order. The {weights} with the best validation
loss are measured on test once, at the end.

Losses are {unit} on {basis}.

A difference is the loss of the first arm minus that of the second: above 0 the second has the lower
loss. It is paired by {things} and seed and weighted by {each}s; its interval is a bootstrap over
{things} and, with more than one, seeds (10,000 draws, widened for few seeds by Student's quantile).

An arm is called better only with two seeds or more, and if no loss still falls at the end.
"""
_TIMES: Final = "Times depend on the machine and its load"
_SHORT: Final = 12


def lines(found: StudyResults) -> list[str]:
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
    items = (" ".join(item.split()) for item in method.split("\n\n"))
    return [_data(found), *items, *_search(found), *_machine(found), _command(found)]


def _data(found: StudyResults) -> str:
    recipe = found.study.arms[0].recipe
    training = recipe.training
    budgets = {"tokens": training.tokens, "steps": training.steps, "minutes": training.minutes}
    unit, amount = next((unit, amount) for unit, amount in budgets.items() if amount)
    widths = "matched for equal parameters" if found.study.matched else "as given"
    windows = sorted({arm.recipe.data.window for arm in found.study.arms})
    read = "sequences of up to" if found.study.objective == "classifier" else "windows of"
    return (
        f"Data {recipe.data.source}, vocabulary {_words(found)}, {read} "
        f"{', '.join(f'{window:,}' for window in windows)} tokens; budget {amount:,} {unit} per "
        f"run; feed-forward widths {widths}."
    )


def _words(found: StudyResults) -> str:
    """Return the vocabulary; some families have their own."""
    own = {"classifier": "bytes", "published": "published"}
    return own.get(found.study.objective, found.study.arms[0].recipe.data.vocabulary)


def _machine(found: StudyResults) -> list[str]:
    facts = []
    for name, value in found.origin.items():
        values = [str(one) for one in (value if isinstance(value, list) else [value])]
        shown = [one[:_SHORT] if name == COMMIT else one for one in values]
        facts += [f"{name} {' or '.join(shown)}"] if value else []
    return [f"Machine: {', '.join(facts)}. {_TIMES}."] if facts else []


def _command(found: StudyResults) -> str:
    """Return the command that runs the study; a study that is not shipped is read from its file."""
    name = found.study.name
    study = name if name in study_folder.bundled() else "study.toml"
    chosen = {key: found.origin.get(key) for key in ("device", "threads")}
    options = "".join(
        f" --{key} {value}" for key, value in chosen.items() if isinstance(value, str | int)
    )
    return f"Command: `musicrel compare --study {study} --out FOLDER{options}`."


def trials_in_order(found: StudyResults) -> list[RunStatus]:
    arms = [arm.name for arm in found.study.arms]
    return sorted(found.trials, key=lambda trial: (arms.index(trial.arm), trial.rate or 0.0))


def trial_outcome(trial: RunStatus) -> str:
    """Return the loss of a trial, that it diverged, or that it is not finished."""
    if trial.result is None:
        return NONE
    valid = trial.result.valid
    return _GONE if valid is None else f"{valid:.4f}"


def _search(found: StudyResults) -> Iterator[str]:
    """Yield the sentences of the method, without the dash of a list."""
    search = found.study.search
    if search is not None:
        named = [f"{arm} {rate:g}" for arm, rate in found.rates.items()]
        chosen = _CHOSEN.format(
            tried=_listed([f"{rate:g}" for rate in search.learning_rates]),
            seed=found.study.seeds[0],
            share=100 * search.share,
            rates=f": {', '.join(named)}" if named else "",
        )
        yield " ".join([chosen, *search_remarks(found)])
    yield from _rules(found)


def search_remarks(found: StudyResults) -> Iterator[str]:
    """Yield what limits the choice: rates at the edge of those tried, and rates that diverged."""
    tried = [trial.rate for trial in found.trials if trial.rate is not None]
    for edge, rate in (("lowest", min(tried)), ("highest", max(tried))):
        if arms := [arm for arm, chosen in found.rates.items() if chosen == rate]:
            yield f"The {edge} rate tried is that of {_listed(arms)}: a better one may lie beyond."
    gone = [
        f"{one.arm} with {one.rate:g}"
        for one in trials_in_order(found)
        if trial_outcome(one) == _GONE
    ]
    if gone:
        yield _DIVERGED.format(runs=", ".join(gone))


def _rules(found: StudyResults) -> Iterator[str]:
    rules: dict[tuple[int, float], list[str]] = {}
    for arm in found.study.arms:
        training = arm.recipe.training
        rules.setdefault((training.stop_after, training.stop_gain), []).append(arm.name)
    for (after, gain), arms in rules.items():
        mine = [run for run in found.runs if run.arm in arms and run.result is not None]
        if after:
            yield _RULE.format(
                after=f"{after} evaluation{'s' if after > 1 else ''}",
                gain=f"{gain:g} nats or more" if gain else "any size",
                ended=sum(bool(run.result and run.result.stopped) for run in mine),
                runs=f"{len(mine)} finished" + (f" {_listed(arms)}" if len(rules) > 1 else ""),
            )


def _listed(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
