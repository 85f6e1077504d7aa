"""The results of a study, read from ``study.toml`` and the run folders in its folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from musicrel import legacy
from musicrel.errors import DataError
from musicrel.experiment.objectives.evaluation import PieceLoss
from musicrel.experiment.runs.run_folder import RunFolder, RunState
from musicrel.experiment.study import learning_curve, learning_rates, run_watch, statistics
from musicrel.experiment.study.learning_curve import CurvePoint, Ending
from musicrel.experiment.study.learning_rates import Trial
from musicrel.experiment.study.measures import Measure
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.study.statistics import Comparison
from musicrel.experiment.study.study import Arm, PlannedRun, Study
from musicrel.experiment.training.train_events import TrainResult
from musicrel.model.card import CARD, read_card

COMMIT: Final = "commit"
RESULTS: Final = "results.json"

_READINGS: Final = ("read whole", "read in each arm's own window")
_UNDERTRAINED: Final[Mapping[Ending | None, str]] = {
    "falls": "the loss of {runs} still falls at the end",
    "unknown": "{runs} were evaluated fewer than three times, too few to see whether the "
    "loss is still falling",
}
_CAVEATS: Final[Mapping[Ending | None, str]] = {
    "rises": "the loss of {runs} rises at the end",
    None: "whether the loss of {runs} still falls at the end is not recorded",
}
_PRESETS: Final = ("sinusoidal", "relative")
"""The schemes that the bundled studies quick and full compare."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    planned: PlannedRun
    state: RunState
    result: TrainResult | None  # None while it is not finished
    # trend of the validation loss at the end of a finished run; None if not recorded
    trend: Ending | None = None

    @property
    def ending(self) -> str:
        """Return its state, and whether it ended before its budget."""
        return f"{self.state} early" if self.result and self.result.stopped else self.state


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResults:
    """A study and its results so far."""

    study: Study  # the definition, with the learning rates that its search has chosen
    runs: tuple[RunOutcome, ...]
    # one for each pair of arms with a seed that is finished in both
    comparisons: tuple[Comparison, ...]
    # machine and commit of the runs, see ``origin``
    origin: Mapping[str, Any] = field(default_factory=dict)
    trials: tuple[Trial, ...] = ()  # the runs of the search for learning rates, none without one

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
    def measure(self) -> Measure:
        """Return unit and definition of the losses."""
        return self.study.measure

    def to_json(self) -> dict[str, Any]:
        finished = [(run.planned, run.result, run.trend) for run in self.runs
                    if run.result is not None]  # fmt: skip
        return {
            "study": self.study.name,
            "finished": self.finished,
            "machine": {name: self.origin[name] for name in self.origin if name != COMMIT},
            "commit": self.origin.get(COMMIT, ""),
            "measure": f"{self.measure.unit} on {self.measure.basis}",
            "arms": [_arm(arm) for arm in self.study.arms],
            "runs": [_run(*run) for run in finished],
            "verdict": _verdict(self.comparisons[0]) if self.comparisons else None,
            "verdicts": [_verdict(comparison) for comparison in self.comparisons],
            **({"search": _search(self)} if self.study.search else {}),
        }


def collect(study: Study, folder: Path) -> StudyResults:
    """Return the results of ``study`` in its folder so far."""
    tried = learning_rates.trials(study, folder)
    study = study.with_rates(learning_rates.rates(tried))
    runs = tuple(_outcome(folder, planned) for planned in study.runs)
    return StudyResults(
        study=study,
        runs=runs,
        comparisons=_comparisons(study, runs),
        origin=origin(RunFolder(folder / planned.folder).model for planned in study.runs),
        trials=tried,
    )


def compare_watched(study: Study, watched: Sequence[RunStatus]) -> tuple[Comparison, ...]:
    """Return the comparisons of runs whose folders an observer has read already."""
    runs = [
        RunOutcome(
            planned=planned,
            state=run.state,
            result=run.result,
            trend=None if run.result is None else _ending(run.valid),
        )
        for planned, run in zip(study.runs, watched, strict=True)
    ]
    return _comparisons(study, runs)


def _comparisons(study: Study, runs: Sequence[RunOutcome]) -> tuple[Comparison, ...]:
    """Compare each pair of arms that has a seed finished in both."""
    has_window = study.arms[0].recipe.data.measured == "window"
    reading = _READINGS[has_window] if study.objective == "causal" else ""
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
        return "the remaining runs of this study"
    seeds = len(study.seeds)
    recipes = [arm.recipe for arm in study.arms]
    is_preset = {one.model.scheme for one in recipes} == {*_PRESETS} and all(
        (one.model.family, one.data.source, one.data.measured) == ("causal", "chorales", "whole")
        for one in recipes
    )
    if is_preset and seeds < 3:  # noqa: PLR2004  # the seeds of full
        return "the study quick, then the study full" if seeds == 1 else "the study full"
    more = [*(("3 seeds or more",) if seeds == 1 else ()),
            *(("a larger budget",) if found.undertrained else ())]  # fmt: skip
    return f"a study like this one with {' and '.join(more)}"


def _ending(valid: Sequence[CurvePoint]) -> Ending | None:
    """Return the trend of a finished run from its evaluations, None if they were not kept."""
    return learning_curve.trend(valid) or ("unknown" if valid else None)


def _outcome(folder: Path, planned: PlannedRun) -> RunOutcome:
    run = RunFolder(folder / planned.folder)
    result = TrainResult.of(run)
    watched = None if result is None else run_watch.read(run.path, planned.arm, planned.seed)
    return RunOutcome(
        planned=planned,
        state=run.state(),
        result=result,
        trend=None if watched is None else _ending(watched.valid),
    )


def _compare(
    measure: Measure, pair: tuple[str, str], runs: Sequence[RunOutcome], reading: str
) -> Comparison | None:
    """Compare two arms on the seeds finished in both; None without any."""
    first, second = ({**_finished(arm, runs)} for arm in pair)
    seeds = [seed for seed in first if seed in second]
    if not seeds:
        return None
    notes = _notes([*first.values(), *second.values()], pair)
    found = statistics.compare(
        *pair,
        _losses(first, seeds),
        _losses(second, seeds),
        np.array(notes, dtype=np.float64),
    )
    trends = [run.trend for run in runs if run.planned.arm in pair and run.planned.seed in seeds]
    return replace(
        found,
        unit=measure.unit,
        observations=measure.observations,
        reading=reading,
        caveat=caveat(trends),
        undertrained=undertrained(trends),
    )


def undertrained(trends: Sequence[Ending | None]) -> tuple[str, ...]:
    """Return clauses about runs whose loss may still fall at the end; none without any."""
    return _clauses(_UNDERTRAINED, trends)


def caveat(trends: Sequence[Ending | None]) -> str:
    """Return a clause about other runs whose loss is not level at the end; "" without any."""
    return "; ".join(_clauses(_CAVEATS, trends))


def _clauses(
    texts: Mapping[Ending | None, str], trends: Sequence[Ending | None]
) -> tuple[str, ...]:
    return tuple(
        texts[trend].format(runs=f"{trends.count(trend)} of {len(trends)} runs")
        for trend in texts
        if trend in trends
    )


def _finished(arm: str, runs: Sequence[RunOutcome]) -> dict[int, tuple[PieceLoss, ...]]:
    """Return the test losses by piece of the arm's finished runs, by seed."""
    return {
        run.planned.seed: run.result.test_pieces
        for run in runs
        if run.planned.arm == arm and run.result is not None
    }


def _losses(pieces: Mapping[int, Sequence[PieceLoss]], seeds: Sequence[int]) -> statistics.Array:
    return np.array([[piece.nats for piece in pieces[seed]] for seed in seeds], dtype=np.float64)


def _notes(runs: Sequence[Sequence[PieceLoss]], pair: tuple[str, str]) -> list[int]:
    """Return the number of notes of each piece, which must agree in all runs."""
    of_runs = {tuple((piece.title, piece.notes) for piece in pieces) for pieces in runs}
    if len(of_runs) != 1:
        raise DataError(
            f"the runs of {pair[0]} and {pair[1]} were evaluated on different pieces: "
            "expected the same data in both arms"
        )
    return [notes for _, notes in of_runs.pop()]


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


def _run(planned: PlannedRun, result: TrainResult, trend: Ending | None) -> dict[str, Any]:
    keys = ("parameters", "valid", "test", "step", "tokens", "seconds", "peak_bytes", "rollbacks")
    values = {key: getattr(result, key) for key in keys}
    if result.further:
        values["further"] = dict(result.further)
    if trend is not None:
        values["trend"] = trend
    if result.stopped:
        values["stopped"] = result.stopped
    return {"arm": planned.arm, "seed": planned.seed, **values}


def _search(found: StudyResults) -> dict[str, Any]:
    search = found.study.search
    return {
        **(asdict(search) if search else {}),
        "chosen": learning_rates.rates(found.trials),
        "runs": [trial.to_json() for trial in found.trials if trial.result is not None],
    }


def _verdict(comparison: Comparison) -> dict[str, Any]:
    return {
        **legacy.translate(asdict(comparison), legacy.inverse(legacy.RESULT_KEYS)),
        "better": comparison.better,
        "missing": list(comparison.missing),
        "sentence": comparison.sentence,
    }


def origin(models: Iterable[Path]) -> dict[str, Any]:
    """Return machine and commit of ``models``; a list of values where they differ.

    Args:
        models: directories of models; those without a card are skipped.
    """
    origins = [_origin_of(path) for path in models if (path / CARD).is_file()]
    names = dict.fromkeys(name for one in origins for name in one)
    return {name: _merge([one[name] for one in origins if name in one]) for name in names}


def _origin_of(model: Path) -> Mapping[str, Any]:
    card = read_card(model)
    machine = card.training.get("machine")
    known = dict(machine) if isinstance(machine, dict) else {}
    return known | ({COMMIT: card.commit} if card.commit else {})


def _merge(values: list[Any]) -> Any:
    distinct = [value for place, value in enumerate(values) if value not in values[:place]]
    return distinct[0] if len(distinct) == 1 else distinct
