"""The search for learning rates and the rule for an early end, in a study's report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from musicrel.experiment.study import learning_rates
from musicrel.experiment.study.learning_rates import Trial
from musicrel.experiment.study.results import StudyResults
from musicrel.presentation.study import progress
from musicrel.presentation.words.markdown import table

TITLE: Final = "Learning rates"
NONE: Final = "–"
_HEADS: Final = ("arm", "learning rate", "validation, {unit}", "time", "chosen")
_CHOSEN: Final = (
    "The learning rate of each arm is that of {tried} with the lowest loss on validation, each "
    "tried with seed {seed} and {share:g} % of the budget{rates}."
)
_EDGE: Final = "The {edge} rate tried is that of {arms}: a better one may lie beyond."
_DIVERGED: Final = "Diverged, and left out: {runs}."
_RULE: Final = (
    "A run ends before its budget after {after} in a row without an improvement of {gain} on "
    "validation: {ended} of {runs} runs did."
)
_ANY_GAIN: Final = "any size"


def section(found: StudyResults) -> list[str]:
    """Return the section of the search as Markdown; empty without a search."""
    if not found.trials:
        return []
    heads = [head.format(unit=found.measure.unit) for head in _HEADS]
    return [f"## {TITLE}", "", *table(heads, [cells(one) for one in in_order(found)]), ""]


def in_order(found: StudyResults) -> list[Trial]:
    """Return the trials by arm and rate."""
    arms = [arm.name for arm in found.study.arms]
    return sorted(found.trials, key=lambda trial: (arms.index(trial.planned.arm), trial.rate))


def cells(trial: Trial) -> tuple[str, ...]:
    """Return arm, rate, loss, time and whether the rate was chosen."""
    result = trial.result
    loss = NONE if result is None else outcome(trial)
    time = NONE if result is None else progress.duration(result.seconds)
    chosen = "yes" if trial.chosen else ""
    return trial.planned.arm, f"{trial.rate:g}", loss, time, chosen


def outcome(trial: Trial) -> str:
    """Return the loss of a finished trial, or that it diverged."""
    valid = None if trial.result is None else trial.result.valid
    return "diverged" if valid is None else f"{valid:.4f}"


def method(found: StudyResults) -> Iterator[str]:
    """Yield the sentences of the method, without the dash of a list."""
    search = found.study.search
    if search is not None:
        named = [f"{arm} {rate:g}" for arm, rate in learning_rates.rates(found.trials).items()]
        chosen = _CHOSEN.format(
            tried=_listed([f"{rate:g}" for rate in search.learning_rates]),
            seed=found.study.seeds[0],
            share=100 * search.share,
            rates=f": {', '.join(named)}" if named else "",
        )
        yield " ".join([chosen, *remarks(found)])
    yield from _rules(found)


def remarks(found: StudyResults) -> Iterator[str]:
    """Yield what limits the choice: rates at the edge of those tried, and rates that diverged."""
    edges = learning_rates.at_edge(found.trials)
    for edge in ("lowest", "highest"):
        if arms := [arm for arm in edges if edges[arm] == edge]:
            yield _EDGE.format(edge=edge, arms=_listed(arms))
    gone = [f"{one.planned.arm} with {one.rate:g}" for one in in_order(found) if one.diverged]
    if gone:
        yield _DIVERGED.format(runs=", ".join(gone))


def _rules(found: StudyResults) -> Iterator[str]:
    rules: dict[tuple[int, float], list[str]] = {}
    for arm in found.study.arms:
        training = arm.recipe.training
        rules.setdefault((training.stop_after, training.stop_gain), []).append(arm.name)
    for (after, gain), arms in rules.items():
        mine = [run for run in found.runs if run.planned.arm in arms and run.result is not None]
        if after:
            yield _RULE.format(
                after=f"{after} evaluation{'s' if after > 1 else ''}",
                gain=f"{gain:g} nats or more" if gain else _ANY_GAIN,
                ended=sum(bool(run.result and run.result.stopped) for run in mine),
                runs=f"{len(mine)} finished" + (f" {_listed(arms)}" if len(rules) > 1 else ""),
            )


def _listed(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
