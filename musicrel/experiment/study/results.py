"""The results of a study, read from ``study.toml`` and the run folders in its folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from musicrel import legacy
from musicrel.errors import DataError
from musicrel.experiment.runs.events import PieceLoss
from musicrel.experiment.study import run_watch, statistics
from musicrel.experiment.study.measures import Measure
from musicrel.experiment.study.run_watch import Ending, RunStatus
from musicrel.experiment.study.statistics import Comparison
from musicrel.experiment.study.study import Arm, Study
from musicrel.language import tr
from musicrel.model.card import CARD, read_card

COMMIT: Final = "commit"
RESULTS: Final = run_watch.RESULTS

_OF_TRIALS: Final = ("valid", "step", "tokens", "seconds", "peak_bytes")
_OF_RUNS: Final = ("parameters", "valid", "test", *_OF_TRIALS[1:], "rollbacks")


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResults:
    study: Study  # the definition, with the learning rates that its search has chosen
    runs: tuple[RunStatus, ...]
    # one for each pair of arms with a seed that is finished in both
    comparisons: tuple[Comparison, ...]
    # machine and commit of the runs, see ``origin``
    origin: Mapping[str, Any] = field(default_factory=dict)
    trials: tuple[RunStatus, ...] = ()  # the runs of the search for learning rates, if it has one

    @property
    def finished(self) -> bool:
        return all(run.result is not None for run in self.runs)

    @property
    def sentence(self) -> str:
        """Return the verdict on the first pair in words."""
        if not self.comparisons:
            return "no seed is finished in both arms yet"
        return self.comparisons[0].sentence

    @property
    def rates(self) -> dict[str, float]:
        return choose_rates(self.trials)

    @property
    def measure(self) -> Measure:
        return self.study.measure

    def to_json(self) -> dict[str, Any]:
        return {
            "study": self.study.name,
            "finished": self.finished,
            "machine": {name: self.origin[name] for name in self.origin if name != COMMIT},
            "commit": self.origin.get(COMMIT, ""),
            "measure": f"{self.measure.unit} on {self.measure.basis}",
            "arms": [_arm(arm) for arm in self.study.arms],
            "runs": [_run(run, _OF_RUNS) for run in self.runs if run.result is not None],
            "verdict": _verdict(self.comparisons[0]) if self.comparisons else None,
            "verdicts": [_verdict(comparison) for comparison in self.comparisons],
            **({"search": _search(self)} if self.study.search else {}),
        }


def collect(study: Study, folder: Path) -> StudyResults:
    trials = run_watch.read_all(folder, study.trials)
    study = study.with_rates(choose_rates(trials))
    runs, recorded = run_watch.read_all(folder, study.runs), run_watch.recorded(folder)
    written = {**recorded.machine, **({COMMIT: recorded.commit} if recorded.commit else {})}
    return StudyResults(
        study=study,
        runs=runs,
        comparisons=compare_arms(study, runs),
        origin=origin(run.folder / "model" for run in runs) or written,
        trials=trials,
    )


def choose_rates(trials: Sequence[RunStatus]) -> dict[str, float]:
    """Return the learning rate of each arm whose trials are all finished.

    It is that with the lowest loss on validation, the lower one of two with the same loss. Rates
    that diverged are left out, and so is an arm that diverged with all of them. The choice follows
    from the results alone, so that it is the same in every process.
    """
    chosen: dict[str, float] = {}
    for arm in dict.fromkeys(run.arm for run in trials):
        mine = [run for run in trials if run.arm == arm]
        losses = [(run.result.valid, run.rate) for run in mine
                  if run.result is not None and run.result.valid is not None
                  and run.rate is not None]  # fmt: skip
        if losses and all(run.result is not None for run in mine):
            chosen[arm] = min(losses)[1]
    return chosen


def compare_arms(study: Study, runs: Sequence[RunStatus]) -> tuple[Comparison, ...]:
    readings = {
        "whole": tr("read whole"),
        "window": tr("read in each arm's own window"),
        "opening": tr("read from the second note to the end of the window"),
    }
    reading = readings[study.measured] if study.objective == "causal" else ""
    pairs = (_compare(study.measure, pair, runs, reading) for pair in study.pairs)
    found = [comparison for comparison in pairs if comparison is not None]
    for place, comparison in enumerate(found):
        if comparison.missing:  # proposed once, not for each pair
            found[place] = replace(comparison, next_step=_next_step(study, comparison))
            break
    return tuple(found)


def _next_step(study: Study, found: Comparison) -> str:
    """Return what would carry a verdict: runs to come, a larger bundled study, or more of this."""
    if found.seeds < len(study.seeds):
        return tr("the remaining runs of this study")
    seeds = len(study.seeds)
    recipes = [arm.recipe for arm in study.arms]
    is_preset = {one.model.scheme for one in recipes} == {"sinusoidal", "relative"} and all(
        (one.model.family, one.data.source, one.data.measured) == ("causal", "chorales", "whole")
        for one in recipes
    )
    if is_preset and seeds < 3:  # noqa: PLR2004  # the seeds of full
        first, then = "the study quick", "the study full"  # which ``in_sentence`` names
        return tr("{first}, then {then}", first=first, then=then) if seeds == 1 else then
    if seeds > 1:
        return tr("a study like this one with a larger budget")
    if found.undertrained:
        return tr("a study like this one with 3 seeds or more and a larger budget")
    return tr("a study like this one with 3 seeds or more")


def _compare(
    measure: Measure, pair: tuple[str, str], runs: Sequence[RunStatus], reading: str
) -> Comparison | None:
    first, second = (losses_by_seed(arm, runs) for arm in pair)
    seeds = [seed for seed in first if seed in second]
    if not seeds:
        return None
    of_runs = {
        tuple((piece.title, piece.notes) for piece in pieces)
        for pieces in (*first.values(), *second.values())
    }
    if len(of_runs) != 1:
        raise DataError(
            tr(
                "the runs of {first} and {second} were evaluated on different pieces: expected "
                "the same data in both arms",
                first=pair[0], second=pair[1],
            )
        )  # fmt: skip
    first_SP, second_SP = (
        np.array([[piece.nats for piece in arm[seed]] for seed in seeds], dtype=np.float64)
        for arm in (first, second)
    )
    notes_P = np.array([notes for _, notes in of_runs.pop()], dtype=np.float64)
    found = statistics.compare(*pair, first_SP, second_SP, notes_P)
    trends = [run.ending for run in runs if run.arm in pair and run.seed in seeds]
    return replace(
        found,
        unit=measure.unit,
        observations=measure.observations,
        reading=reading,
        caveat=caveat(trends),
        undertrained=undertrained(trends),
    )


def undertrained(trends: Sequence[Ending | None]) -> tuple[str, ...]:
    """Return clauses about runs whose loss may still fall at the end."""
    texts: Mapping[Ending | None, str] = {
        "falls": tr("the loss of {runs} is still falling at the end"),
        "unknown": tr("{runs} were evaluated fewer than three times, too few to see whether the "
                      "loss is still falling"),
    }  # fmt: skip
    return _clauses(texts, trends)


def caveat(trends: Sequence[Ending | None]) -> str:
    """Return a clause about other runs whose loss is not level at the end."""
    texts: Mapping[Ending | None, str] = {
        "rises": tr("the loss of {runs} rises at the end"),
        None: tr("whether the loss of {runs} is still falling at the end is not recorded"),
    }
    return "; ".join(_clauses(texts, trends))


def _clauses(
    texts: Mapping[Ending | None, str], trends: Sequence[Ending | None]
) -> tuple[str, ...]:
    return tuple(
        texts[trend].format(
            runs=tr("{number} of {all} runs", number=trends.count(trend), all=len(trends))
        )
        for trend in texts
        if trend in trends
    )


def losses_by_seed(arm: str, runs: Sequence[RunStatus]) -> dict[int, tuple[PieceLoss, ...]]:
    """Return the test losses of the finished runs of an arm, by seed."""
    return {
        run.seed: run.result.test_pieces
        for run in runs
        if run.arm == arm and run.result is not None
    }


def _arm(arm: Arm) -> dict[str, Any]:
    model = arm.recipe.model
    return {
        "name": arm.name,
        "scheme": model.scheme,
        "options": dict(model.options),
        "parameters": arm.parameters,
        "excess_parameters": arm.excess,
        "feedforward": model.feedforward,
        "data": arm.recipe.to_tables()["data"],
    }


def _run(run: RunStatus, keys: Sequence[str]) -> dict[str, Any]:
    further = {
        "further": dict(run.result.further) if run.result else {},
        "trend": run.ending if run.rate is None else None,
        "stopped": run.result.stopped if run.result else "",
    }
    return {
        "arm": run.arm,
        **({} if run.rate is None else {"learning_rate": run.rate}),
        "seed": run.seed,
        **{key: getattr(run.result, key) for key in keys},
        **{key: value for key, value in further.items() if value},
    }


def _search(found: StudyResults) -> dict[str, Any]:
    search, rates = found.study.search, found.rates
    return {
        **(asdict(search) if search else {}),
        "chosen": rates,
        "runs": [
            _run(trial, _OF_TRIALS) | {"chosen": rates.get(trial.arm) == trial.rate}
            for trial in found.trials
            if trial.result is not None
        ],
    }


def _verdict(comparison: Comparison) -> dict[str, Any]:
    return {
        **legacy.translate(asdict(comparison), legacy.inverse(legacy.RESULT_KEYS)),
        "better": comparison.better,
        "missing": list(comparison.missing),
        "sentence": comparison.sentence,
    }


def origin(models: Iterable[Path]) -> dict[str, Any]:
    """Return machine and commit of ``models``; a list of values where they differ."""
    found: dict[str, list[Any]] = {}
    for card in (read_card(path) for path in models if (path / CARD).is_file()):
        machine = card.training.get("machine")
        known = dict(machine) if isinstance(machine, dict) else {}
        for name, value in (known | ({COMMIT: card.commit} if card.commit else {})).items():
            if value not in found.setdefault(name, []):
                found[name].append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}
