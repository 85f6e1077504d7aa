"""What a study found, read out of its folder alone: ``study.toml`` and the folders of its runs.

This file knows results and their form; it knows nothing of how they are shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from musicrel import paths
from musicrel.errors import DataError, UsageError
from musicrel.experiment.objectives.evaluation import PieceLoss
from musicrel.experiment.runs.run_folder import RunFolder, RunState, check_version, read_table
from musicrel.experiment.study import statistics, study
from musicrel.experiment.study.measures import Measure
from musicrel.experiment.study.origin import COMMIT, origin
from musicrel.experiment.study.statistics import Comparison
from musicrel.experiment.study.study import PlannedRun, Study
from musicrel.experiment.training.train_events import TrainResult

FORMAT: Final = "musicrel-study"
VERSION: Final = 1
RESULTS: Final = "results.json"
ABOUT: Final = "study.json"
STUDY: Final = "study.toml"

_LARGEST_TEXT: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """A run of a study and what came of it; None while it is not finished."""

    planned: PlannedRun
    state: RunState
    result: TrainResult | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResults:
    """A study and what came of it.

    Attributes:
        study: what was asked.
        runs: in the order they are made.
        comparisons: one for each pair of arms that have a seed finished in both.
        origin: machine and commit of the runs, see ``origin``.
    """

    study: Study
    runs: tuple[RunOutcome, ...]
    comparisons: tuple[Comparison, ...]
    origin: Mapping[str, Any] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Whether every run is."""
        return all(run.result is not None for run in self.runs)

    @property
    def sentence(self) -> str:
        """The verdict in words: that of the first pair."""
        if not self.comparisons:
            return "no seed is finished in both arms yet"
        return self.comparisons[0].sentence

    @property
    def measure(self) -> Measure:
        """How the losses are spoken of."""
        return self.study.measure

    def to_json(self) -> dict[str, Any]:
        """The content of ``results.json``."""
        finished = [(run.planned, run.result) for run in self.runs if run.result is not None]
        return {
            "study": self.study.name,
            "finished": self.finished,
            "machine": {name: self.origin[name] for name in self.origin if name != COMMIT},
            "commit": self.origin.get(COMMIT, ""),
            "measure": f"{self.measure.unit} on {self.measure.on}",
            "arms": [_arm(arm) for arm in self.study.arms],
            "runs": [_run(planned, result) for planned, result in finished],
            "verdict": _verdict(self.comparisons[0]) if self.comparisons else None,
            "verdicts": [_verdict(comparison) for comparison in self.comparisons],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """The loss after so many steps, tokens and seconds of learning."""

    step: int
    tokens: int
    seconds: float
    nats: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """How a run's loss fell.

    Attributes:
        arm: of the run.
        seed: of the run.
        valid: nats/note on valid at each evaluation.
        train: nats of each step's targets.
    """

    arm: str
    seed: int
    valid: tuple[CurvePoint, ...]
    train: tuple[CurvePoint, ...]


def begin(folder: Path, study_: Study) -> None:
    """Make the folder of a study, every run waiting in it.

    Raises:
        UsageError: it holds a study already.
        FileError: it cannot be written.
    """
    claim(folder, study_.text, FORMAT, VERSION)
    queue(folder, study_)


def claim(folder: Path, text: str, name: str, version: int) -> None:
    """Make ``folder`` that of the study ``text``, in the format of that name and version.

    Raises:
        UsageError: it holds a study or a run already.
        FileError: it cannot be written.
    """
    for file, thing in ((STUDY, "study"), ("recipe.toml", "run")):
        if (folder / file).exists():
            raise UsageError(
                f"{folder} holds a {thing} already: go on with --resume, or choose another --out"
            )
    paths.write_text(folder / ABOUT, f'{{"format": "{name}", "version": {version}}}\n')
    paths.write_text(folder / STUDY, text)


def queue(folder: Path, study_: Study) -> None:
    """Make the folders of all runs that have none yet."""
    for planned in study_.runs:
        run = RunFolder(folder / planned.folder)
        if not (run.path / "recipe.toml").exists():
            run.begin(planned.recipe.to_toml())


def study_in(folder: Path) -> Study:
    """The study in ``folder``.

    Raises:
        UsageError: there is none, or one of another version.
    """
    if not (folder / STUDY).is_file():
        raise UsageError(f"{folder} holds no study: start one there without --resume")
    check_version(folder / ABOUT, FORMAT, VERSION)
    content = paths.read_bytes(folder / STUDY, limit=_LARGEST_TEXT)
    return study.parse(content.decode("utf-8", errors="replace"), STUDY)


def collect(folder: Path, *, bootstrap_seed: int = 0) -> StudyResults:
    """What has come of the study in ``folder`` so far.

    Raises:
        UsageError: there is none.
        FileError, ModelError: a result or a model is damaged.
        DataError: runs were measured on different pieces.
    """
    study_ = study_in(folder)
    runs = tuple(_outcome(folder, planned) for planned in study_.runs)
    comparisons = [_compared(study_, pair, runs, bootstrap_seed) for pair in study_.pairs]
    return StudyResults(
        study=study_,
        runs=runs,
        comparisons=tuple(found for found in comparisons if found is not None),
        origin=origin(RunFolder(folder / planned.folder).model for planned in study_.runs),
    )


def curves(folder: Path) -> list[Curve]:
    """The curves of all runs that have begun."""
    return [
        curve_of(folder / planned.folder, planned.arm, planned.seed)
        for planned in study_in(folder).runs
    ]


def curve_of(run: Path, arm: str, seed: int) -> Curve:
    """The curve of the run in the folder ``run``."""
    events = RunFolder(run).events()
    return Curve(
        arm=arm,
        seed=seed,
        valid=_points(events, "TrainEvaluated", "valid"),
        train=_points(events, "TrainStep", "nats"),
    )


def _points(events: Sequence[Mapping[str, Any]], name: str, value: str) -> tuple[CurvePoint, ...]:
    return tuple(
        CurvePoint(
            step=event["step"],
            tokens=event["tokens"],
            seconds=event.get("seconds", 0.0),
            nats=event[value],
        )
        for event in events
        if event.get("event") == name
    )


def _outcome(folder: Path, planned: PlannedRun) -> RunOutcome:
    run = RunFolder(folder / planned.folder)
    values = read_table(run.path / "result.json")
    return RunOutcome(
        planned=planned,
        state=run.state(),
        result=None if values is None else TrainResult.from_json(values),
    )


def _compared(
    study_: Study, pair: tuple[str, str], runs: Sequence[RunOutcome], bootstrap_seed: int
) -> Comparison | None:
    """The two arms on the seeds that both have finished; None without any."""
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
        bootstrap_seed=bootstrap_seed,
    )
    measure = study_.measure
    return replace(found, unit=measure.unit, things=measure.things)


def _finished(arm: str, runs: Sequence[RunOutcome]) -> dict[int, tuple[PieceLoss, ...]]:
    """The pieces of test of the arm's finished runs, by seed."""
    return {
        run.planned.seed: run.result.test_pieces
        for run in runs
        if run.planned.arm == arm and run.result is not None
    }


def _losses(pieces: Mapping[int, Sequence[PieceLoss]], seeds: Sequence[int]) -> statistics.Array:
    return np.array([[piece.nats for piece in pieces[seed]] for seed in seeds], dtype=np.float64)


def _notes(runs: Sequence[Sequence[PieceLoss]], pair: tuple[str, str]) -> list[int]:
    """Notes of each piece, the same in all runs."""
    of_runs = {tuple((piece.title, piece.notes) for piece in pieces) for pieces in runs}
    if len(of_runs) != 1:
        raise DataError(
            f"the runs of {pair[0]} and {pair[1]} were measured on different pieces: "
            "arms can be compared on the same data only"
        )
    return [notes for _, notes in of_runs.pop()]


def _arm(arm: study.Arm) -> dict[str, Any]:
    model = arm.recipe.model
    return {
        "name": arm.name,
        "scheme": model.scheme,
        "options": dict(model.options),
        "parameters": arm.parameters,
        "excess_parameters": arm.excess,
        "feedforward": model.feedforward,
        "data": asdict(arm.recipe.data),
    }


def _run(planned: PlannedRun, result: TrainResult) -> dict[str, Any]:
    keys = ("parameters", "valid", "test", "step", "tokens", "seconds", "peak_bytes", "rollbacks")
    values = {key: getattr(result, key) for key in keys}
    if result.further:
        values["further"] = dict(result.further)
    return {"arm": planned.arm, "seed": planned.seed, **values}


def _verdict(comparison: Comparison) -> dict[str, Any]:
    return {
        **asdict(comparison),
        "better": comparison.better,
        "sentence": comparison.sentence,
    }
