"""The results of a study, read from ``study.toml`` and the run folders in its folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from musicrel import legacy, paths
from musicrel.errors import DataError, UsageError
from musicrel.experiment.objectives.evaluation import PieceLoss
from musicrel.experiment.runs.run_folder import RunFolder, RunState, check_version, read_json_object
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

_MAX_TEXT_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """A run of a study and its result; None while it is not finished."""

    planned: PlannedRun
    state: RunState
    result: TrainResult | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResults:
    """A study and its results so far.

    Attributes:
        study: the definition.
        runs: in the order in which they run.
        comparisons: one for each pair of arms with a seed that is finished in both.
        origin: machine and commit of the runs, see ``origin``.
    """

    study: Study
    runs: tuple[RunOutcome, ...]
    comparisons: tuple[Comparison, ...]
    origin: Mapping[str, Any] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Return whether all runs are finished."""
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
        """Return the content of ``results.json``."""
        finished = [(run.planned, run.result) for run in self.runs if run.result is not None]
        return {
            "study": self.study.name,
            "finished": self.finished,
            "machine": {name: self.origin[name] for name in self.origin if name != COMMIT},
            "commit": self.origin.get(COMMIT, ""),
            "measure": f"{self.measure.unit} on {self.measure.basis}",
            "arms": [_arm(arm) for arm in self.study.arms],
            "runs": [_run(planned, result) for planned, result in finished],
            "verdict": _verdict(self.comparisons[0]) if self.comparisons else None,
            "verdicts": [_verdict(comparison) for comparison in self.comparisons],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """The loss in nats after a number of steps, tokens and seconds of training."""

    step: int
    tokens: int
    seconds: float
    nats: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """The loss curves of a run.

    Attributes:
        arm: name of the arm of the run.
        seed: seed of the run.
        valid: validation loss at each evaluation, nats/note.
        train: mean loss of each step's targets, nats.
    """

    arm: str
    seed: int
    valid: tuple[CurvePoint, ...]
    train: tuple[CurvePoint, ...]


def create(folder: Path, study_: Study) -> None:
    """Create the folder of a study with all runs queued.

    Raises:
        UsageError: the folder already holds a study or a run.
        FileError: the folder cannot be written.
    """
    write_study_files(folder, study_.text, FORMAT, VERSION)
    create_runs(folder, study_)


def write_study_files(folder: Path, text: str, name: str, version: int) -> None:
    """Write the files that make ``folder`` the folder of a study.

    Args:
        folder: folder of the new study.
        text: its TOML.
        name: name of the folder's format.
        version: version of the folder's format.

    Raises:
        UsageError: the folder already holds a study or a run.
        FileError: the folder cannot be written.
    """
    for file, content in ((STUDY, "study"), ("recipe.toml", "run")):
        if (folder / file).exists():
            raise UsageError(
                f"{folder} already holds a {content}: resume it with --resume, or choose another "
                "--out"
            )
    paths.write_text(folder / ABOUT, f'{{"format": "{name}", "version": {version}}}\n')
    paths.write_text(folder / STUDY, text)


def create_runs(folder: Path, study_: Study) -> None:
    """Create the folders of all runs that have none yet."""
    for planned in study_.runs:
        run = RunFolder(folder / planned.folder)
        if not (run.path / "recipe.toml").exists():
            run.create(planned.recipe.to_toml())


def study_in(folder: Path) -> Study:
    """Return the study in ``folder``.

    Raises:
        UsageError: the folder holds none, or one of another version.
    """
    if not (folder / STUDY).is_file():
        raise UsageError(f"{folder} holds no study: start one there without --resume")
    check_version(folder / ABOUT, FORMAT, VERSION)
    content = paths.read_bytes(folder / STUDY, limit=_MAX_TEXT_BYTES)
    return study.parse(content.decode("utf-8", errors="replace"), STUDY)


def collect(folder: Path, *, bootstrap_seed: int = 0) -> StudyResults:
    """Return the results of the study in ``folder`` so far.

    Raises:
        UsageError: the folder holds no study.
        FileError: a result is damaged.
        ModelError: a model is damaged.
        DataError: runs were evaluated on different pieces.
    """
    study_ = study_in(folder)
    runs = tuple(_outcome(folder, planned) for planned in study_.runs)
    comparisons = [_compare(study_, pair, runs, bootstrap_seed) for pair in study_.pairs]
    return StudyResults(
        study=study_,
        runs=runs,
        comparisons=tuple(found for found in comparisons if found is not None),
        origin=origin(RunFolder(folder / planned.folder).model for planned in study_.runs),
    )


def curves(folder: Path) -> list[Curve]:
    """Return the curves of all runs."""
    return [
        curve_of(folder / planned.folder, planned.arm, planned.seed)
        for planned in study_in(folder).runs
    ]


def curve_of(run: Path, arm: str, seed: int) -> Curve:
    """Return the curves of the run in the folder ``run``."""
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
    values = read_json_object(run.path / "result.json")
    return RunOutcome(
        planned=planned,
        state=run.state(),
        result=None if values is None else TrainResult.from_json(values),
    )


def _compare(
    study_: Study, pair: tuple[str, str], runs: Sequence[RunOutcome], bootstrap_seed: int
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
        bootstrap_seed=bootstrap_seed,
    )
    measure = study_.measure
    return replace(found, unit=measure.unit, observations=measure.observations)


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


def _arm(arm: study.Arm) -> dict[str, Any]:
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


def _run(planned: PlannedRun, result: TrainResult) -> dict[str, Any]:
    keys = ("parameters", "valid", "test", "step", "tokens", "seconds", "peak_bytes", "rollbacks")
    values = {key: getattr(result, key) for key in keys}
    if result.further:
        values["further"] = dict(result.further)
    return {"arm": planned.arm, "seed": planned.seed, **values}


def _verdict(comparison: Comparison) -> dict[str, Any]:
    return {
        **legacy.translate(asdict(comparison), legacy.inverse(legacy.RESULT_KEYS)),
        "better": comparison.better,
        "sentence": comparison.sentence,
    }
