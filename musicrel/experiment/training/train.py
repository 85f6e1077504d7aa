"""A training run as a job: yields events, writes its folder and returns its result."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Generator, Mapping
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import Any, Final

import torch

from musicrel import jobs, legacy, paths
from musicrel.analysis.corpus.splits import Split
from musicrel.errors import GenerationError, ModelError, UsageError
from musicrel.experiment.data import dataset
from musicrel.experiment.data.dataset import BACH
from musicrel.experiment.objectives.evaluation import Evaluation
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs import environment, events, run_control
from musicrel.experiment.runs.events import (
    READ_BY_TEACHERS,
    PieceLoss,
    TrainCalibrated,
    TrainEvaluated,
    TrainEvaluating,
    TrainEvent,
    TrainFinished,
    TrainPaused,
    TrainResult,
    TrainResumed,
    TrainSampled,
    TrainStarted,
    TrainStopped,
)
from musicrel.experiment.runs.run_control import FolderCommand, RunControl
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training import needed_models, teaching
from musicrel.experiment.training.calibration import calibrate
from musicrel.experiment.training.trainer import Trainer, TrialDivergedError
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.jobs import Control, Job, keep_running
from musicrel.model import checkpoint, devices
from musicrel.model.card import WEIGHTS, Card
from musicrel.model.families.transformer import Transformer
from musicrel.model.networks import build
from musicrel.model.positions.learned import BeyondTableError
from musicrel.model.tokens.vocabulary import vocabulary
from musicrel.score import files

SAMPLE: Final = GenerationRequest(bars=8, seed=0, quality="draft")
_MEASURED: Final[tuple[Split, ...]] = ("valid", "test")
_LATE: Final = 0.75

REFUSED: Final = "refused"
"""Value in place of the figure of a length that the model does not accept."""
_MAX_LINES: Final = 10


class StopRequestedError(Exception):
    """The user stops the run."""


def train(
    recipe_: Recipe,
    folder: Path,
    *,
    resume: bool = False,
    device: torch.device | str = "cpu",
    threads: int = 1,
    control: Control = keep_running,
    since: int | None = None,
) -> Job[TrainEvent, TrainResult]:
    """Train in ``folder`` and record every event there.

    If the recipe is initialised or distilled from other recipes whose runs do not exist yet, the
    events of those runs come first, recorded in ``folder/base`` and ``folder/teacher-1`` ..., each
    after a ``TrainStarted`` of this run.
    """
    devices.use_threads(threads)
    run_folder, folder_control = RunFolder(folder), RunControl(folder, since)
    with ExitStack() as locked:
        if resume:
            stored = recipe.parse(run_folder.recipe_toml(), "recipe.toml")
            _check_same(recipe_, stored, str(folder))
            locked.enter_context(run_folder.lock())
        earlier = needed_models.recipes(recipe_)
        if earlier:
            if not resume:
                for each in (recipe_, *earlier.values()):  # before a folder is made
                    dataset.check_splits(dataset.load(each.data.source))
                run_folder.create(recipe_.to_toml())
                locked.enter_context(run_folder.lock())
            controls = run_control.combined(folder_control.command, control)
            options = {"device": device, "threads": threads, "control": controls}
            for name, each in earlier.items():
                stopped = yield from _run_earlier(recipe_, each, run_folder, name, **options)
                if stopped is not None:
                    return stopped
        trainer = Trainer(recipe_, run_folder, torch.device(device), threads)
        notes = trainer.restore() if resume else ()
        if not resume and not earlier:  # an invalid recipe leaves no folder
            run_folder.create(recipe_.to_toml())
            locked.enter_context(run_folder.lock())
        notes += (*_save_report(trainer), *trainer.learner.notes)
        job = Run(trainer, control, folder_control).events(notes)
        return (yield from jobs.map_events(job, lambda event: _record(event, run_folder)))


def _run_earlier(
    recipe_: Recipe,
    earlier: Recipe,
    run_folder: RunFolder,
    name: str,
    **options: Any,
) -> Job[TrainEvent, TrainResult | None]:
    """Make or resume a run that ``recipe_`` needs, in the folder ``name``.

    The run's own folder records that it started with this one and that it stopped there.
    """
    folder = run_folder.path / name
    before, exists = RunFolder(folder), (folder / "recipe.toml").exists()
    if exists:
        stored = recipe.parse(before.recipe_toml(), "recipe.toml")
        _check_same(earlier, stored, f"{folder}, made before {recipe_.name!r},")
    if before.result() is not None:
        return None
    how = "initialised" if name == needed_models.BASE else "distilled"
    note = f"{how} from {earlier.name}, which is trained first in {folder}"
    parameters = build(recipe_.config()).parameter_count
    yield _record(TrainStarted(step=0, parameters=parameters, tokens=0, notes=(note,)), run_folder)
    result = yield from train(earlier, folder, resume=exists, **options)
    if result.finished:
        return None
    yield _record(TrainStopped(step=0, saved=True), run_folder)
    return result


def _record(event: TrainEvent, folder: RunFolder) -> TrainEvent:
    folder.append_event(event)
    return event


class Run:
    """The order of a run: steps, evaluations, checkpoints, requests of the user, and its end."""

    def __init__(self, trainer: Trainer, control: Control, folder_control: RunControl) -> None:
        self._trainer, self._control, self._folder_control = trainer, control, folder_control
        self._vocabulary = vocabulary(trainer.recipe.data.vocabulary)

    def events(self, notes: tuple[str, ...]) -> Job[TrainEvent, TrainResult]:
        trainer = self._trainer
        yield TrainStarted(
            step=trainer.counters.step,
            parameters=trainer.learner.model.parameter_count,
            tokens=trainer.counters.tokens,
            notes=notes,
        )
        try:
            return (yield from self._train())
        except TrialDivergedError as reason:
            return (yield from self._write_result(valid=None, stopped=str(reason)))
        except StopRequestedError:
            return (yield from self._end())

    def _train(self) -> Job[TrainEvent, TrainResult]:
        trainer = self._trainer
        yield from self._read_by_teachers()
        while True:
            if trainer.is_due:
                yield from trainer.read()
            step, training = trainer.counters.step, trainer.recipe.training
            due = step % training.evaluate_every == 0 or trainer.ended
            if due and trainer.counters.evaluated != step:
                yield from self.evaluate_validation()
            step = trainer.counters.step  # an evaluation may roll back
            due = (step > 0 and step % training.checkpoint_every == 0) or trainer.ended
            if due and not trainer.is_saved:
                yield trainer.save()
            if trainer.ended:
                return (yield from self._finish())
            yield from self._wait()
            yield from trainer.step()

    def _read_by_teachers(self) -> Generator[TrainEvent]:
        """Let the teachers read where it was not done before."""
        trainer = self._trainer
        with closing(trainer.soft_targets.read_missing(trainer.device)) as job:
            for done, pieces in job:
                yield TrainEvaluating(
                    step=trainer.counters.step,
                    split=READ_BY_TEACHERS,
                    given=trainer.recipe.data.conditions,
                    done=done,
                    pieces=pieces,
                )
                yield from self._wait()

    def _write_result(self, **values: Any) -> Generator[TrainEvent, None, TrainResult]:
        result = dataclasses.replace(_result(self._trainer, finished=True), **values)
        self._trainer.folder.write_result(result)
        yield TrainFinished(
            step=result.step,
            tokens=result.tokens,
            seconds=result.seconds,
            valid=result.valid,
            test=result.test,
            stopped=result.stopped,
        )
        return result

    def _end(self) -> Generator[TrainEvent, None, TrainResult]:
        """Save, unless the run was cancelled, and report the stop."""
        trainer, cancelled = self._trainer, self._requested_command() == "cancel"
        if not cancelled and not trainer.is_saved:
            yield trainer.save()
        yield TrainStopped(step=trainer.counters.step, saved=not cancelled)
        return _result(trainer, finished=False)

    def _requested_command(self) -> FolderCommand:
        answers = (self._folder_control.requested(), self._control())
        return max(answers, key=("run", "pause", "stop", "cancel").index)

    def _check(self) -> None:
        if self._requested_command() not in ("run", "pause"):
            raise StopRequestedError

    def _wait(self) -> Generator[TrainEvent]:
        requested = self._requested_command()
        if requested != "run":
            yield from self._trainer.read()
        step = self._trainer.counters.step
        if requested == "pause":
            yield TrainPaused(step=step)
            requested = run_control.wait_while_paused(self._requested_command)
            if requested == "run":
                yield TrainResumed(step=step)
        if requested != "run":
            raise StopRequestedError

    def evaluate_validation(self) -> Generator[TrainEvent]:
        trainer = self._trainer
        counters = trainer.counters
        given = trainer.objective.condition_sets(trainer.learner.averaged.config)[0]
        evaluation = yield from self.evaluate_split(trainer.learner.averaged, "valid", given)
        valid = evaluation.nats_per_note
        objective, beside = trainer.objective, {}
        for split in objective.extra_splits:
            found = yield from self.evaluate_split(trainer.learner.averaged, split, given)
            beside[split] = float(getattr(found, objective.metric))
        if not math.isfinite(valid):
            yield trainer.roll_back(f"the loss on validation is {valid}")
            return
        trainer.note_validation(valid)
        if counters.best is None or valid < counters.best:
            counters.best, counters.best_step = valid, counters.step
            counters.best_sha256 = _keep_best(trainer)
        yield TrainEvaluated(
            step=counters.step,
            tokens=counters.tokens,
            valid=valid,
            best=counters.best,
            seconds=counters.seconds,
            beside=beside,
        )
        if trainer.recipe.training.samples:
            yield from self._write_sample()

    def _calibrate(self, model: Transformer) -> Generator[TrainEvent]:
        """Calibrate the tables of ``model`` on its own samples, if the recipe asks for it."""
        trainer = self._trainer
        training = trainer.recipe.training
        if not training.calibration_rounds:
            return
        loaded = LoadedModel.unsaved(model, _card(trainer), self._vocabulary)
        done, last = self._restore_tables(model), None
        pieces, step = trainer.data.pieces["train"], trainer.counters.step
        with closing(calibrate(loaded, pieces, training, done, step)) as job:
            for event in job:
                if isinstance(event, TrainCalibrated) and model.counterpoint is not None:
                    trainer.folder.save_calibration(  # before it is reported
                        event.round, model.counterpoint.state_dict(), trainer.counters.best_sha256
                    )
                if event != last:
                    yield event
                last = event
                yield from self._wait()

    def _restore_tables(self, model: Transformer) -> int:
        """Load the tables of the last stored round; return its number, 0 for none."""
        trainer, tables = self._trainer, model.counterpoint
        kept, number = trainer.folder.latest_calibration(trainer.counters.best_sha256)
        if tables is not None and number:
            try:
                tables.load_state_dict({legacy.tensor_name(name): t for name, t in kept.items()})
            except RuntimeError as reason:
                raise ModelError(
                    f"the tables of round {number} are of another model: {reason}"
                ) from reason
        return number

    def evaluate_split(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Generator[TrainEvent, None, Evaluation]:
        objective, step, done = self._trainer.objective, self._trainer.counters.step, count(1)

        def reported(_loss: PieceLoss) -> TrainEvaluating:
            self._check()
            pieces = objective.count(split)
            return TrainEvaluating(
                step=step, split=split, given=given, done=next(done), pieces=pieces
            )

        try:
            self._check()
            return (yield from jobs.map_events(objective.evaluate(model, split, given), reported))
        except (RuntimeError, MemoryError) as reason:
            if not environment.is_out_of_memory(reason):
                raise
            raise ModelError(
                f"memory does not suffice to evaluate on {split}: free some and resume"
            ) from reason

    def _write_sample(self) -> Generator[TrainEvent]:
        trainer = self._trainer
        loaded = LoadedModel.unsaved(trainer.learner.averaged, _card(trainer), self._vocabulary)
        try:
            piece = jobs.run(generate(loaded, SAMPLE), lambda _: self._check())
        except GenerationError:
            return
        path = trainer.folder.path / "samples" / f"step-{trainer.counters.step}.json"
        trainer.folder.guarded_write(lambda: files.write(piece.chorale, path))
        yield TrainSampled(
            step=trainer.counters.step,
            file=f"{path.parent.name}/{path.name}",
            nats_per_note=piece.nats_per_note,
        )

    def _finish(self) -> Generator[TrainEvent, None, TrainResult]:
        """Calibrate and evaluate the best weights, write model and result.

        Test is used here and nowhere else, and not for a trial.
        """
        trainer = self._trainer
        written = trainer.folder.result()
        if written is not None:
            return written
        best = _best(trainer)
        yield from self._calibrate(best)
        condition_sets = trainer.objective.condition_sets(best.config)
        figures: dict[tuple[str, ...], dict[str, Evaluation]] = {}
        for given in condition_sets:
            for split in _MEASURED[:1] if trainer.recipe.training.trial else _MEASURED:
                evaluation = yield from self.evaluate_split(best, split, given)
                figures.setdefault(given, {})[split] = evaluation
        further = yield from self._further(best)
        primary = figures[condition_sets[0]]
        taught = yield from self._taught(best, primary, further)
        _write_model(trainer, best, figures, further, taught)
        test = primary.get("test")
        return (
            yield from self._write_result(
                valid=primary["valid"].nats_per_note,
                test=None if test is None else test.nats_per_note,
                test_pieces=() if test is None else test.pieces,
                further=further,
                taught=teaching.sentence(taught) if taught else "",
                stopped=trainer.stopped,
            )
        )

    def _taught(
        self,
        best: Transformer,
        after: Mapping[str, Evaluation],
        further: Mapping[str, float | str],
    ) -> Generator[TrainEvent, None, dict[str, Any]]:
        """Compare a model that was taught pieces with the one before; empty for other runs."""
        trainer, folder = self._trainer, self._trainer.init_folder
        if not trainer.data.replayed or folder is None or "test" not in after:
            return {}
        base = checkpoint.load(folder, str(trainer.device)).network
        given = after["test"].conditions
        before = yield from self.evaluate_split(base, "test", given)
        bach = yield from self.evaluate_split(base, BACH, given)
        loaded = LoadedModel.unsaved(best, _card(trainer), self._vocabulary)
        pieces, step = trainer.data.pieces, trainer.counters.step
        forms = [*pieces["valid"], *pieces["test"]]
        written = yield from jobs.map_events(
            teaching.write_pieces(loaded, forms, teaching.WRITTEN),
            lambda done: self._writing(step, done),
        )
        return {
            "pieces": sum(trainer.data.sizes.values()),
            "before": before.nats_per_note,
            "after": after["test"].nats_per_note,
            "gain": teaching.gain(before, after["test"])._asdict(),
            "bach_before": bach.nats_per_note,
            "bach_after": further[BACH],
            "copied": teaching.copied(written, pieces["train"]),
            "written": len(written),
        }

    def _writing(self, step: int, done: int) -> TrainEvaluating:
        self._check()
        return TrainEvaluating(
            step=step, split=teaching.NEW_PIECES, given=(), done=done, pieces=teaching.WRITTEN
        )

    def _further(self, best: Transformer) -> Generator[TrainEvent, None, dict[str, float | str]]:
        """Evaluate the objective's final splits; lengths the model does not accept are ``REFUSED``.

        A trial has none.
        """
        objective, found = self._trainer.objective, dict[str, float | str]()
        given = objective.condition_sets(best.config)[0]
        for split in () if self._trainer.recipe.training.trial else objective.final_splits:
            try:
                evaluation = yield from self.evaluate_split(best, split, given)
                found[split] = getattr(evaluation, objective.metric)
            except BeyondTableError:
                found[split] = REFUSED
        return found


def _result(trainer: Trainer, *, finished: bool) -> TrainResult:
    counters = trainer.counters
    return TrainResult(
        finished=finished,
        step=counters.step,
        tokens=counters.tokens,
        seconds=counters.seconds,
        valid=counters.best,
        test=None,
        parameters=trainer.learner.model.parameter_count,
        peak_bytes=environment.peak_bytes(trainer.device),
        rollbacks=counters.rollbacks,
    )


def _keep_best(trainer: Trainer) -> str:
    """Store the averaged weights as the best so far; return the sha256 of the file."""
    folder = trainer.folder
    weights, known = trainer.learner.averaged, _card(trainer)
    folder.guarded_write(lambda: checkpoint.save(folder.best, weights, known))
    return hashlib.sha256((folder.best / WEIGHTS).read_bytes()).hexdigest()


def _card(trainer: Trainer) -> Card:
    counters, recipe, data = trainer.counters, trainer.recipe, trainer.data
    training = {
        "step": counters.step,
        "tokens": counters.tokens,
        "seconds": round(counters.seconds, 1),
        "machine": trainer.machine,
    }
    if trainer.learner.init_sha256:
        training["begun_with_sha256"] = trainer.learner.init_sha256
        weights = trainer.learner.model.parameters()
        training["trained_further"] = all(weight.requires_grad for weight in weights)
    if trainer.soft_targets.sha256:
        training["teachers_sha256"] = list(trainer.soft_targets.sha256)
    if trainer.soft_targets.data_before:
        training[needed_models.DATA_BEFORE] = trainer.soft_targets.data_before
    return Card(
        name=recipe.name,
        config=trainer.learner.model.config,
        vocabulary=trainer.objective.vocabulary,
        parameters=trainer.learner.model.parameter_count,
        data={"name": data.name, "sha256": data.sha256, "pieces": data.sizes},
        recipe=recipe.to_tables(),
        training=training,
        valid_nats_per_note=counters.best,
        commit=trainer.commit,
    )


def _best(trainer: Trainer) -> Transformer:
    """Load the best weights and check that they are those that were kept."""
    loaded = checkpoint.load(trainer.folder.best, str(trainer.device))
    if loaded.sha256 != trainer.counters.best_sha256:
        raise ModelError(
            f"{trainer.folder.best} does not hold the weights that were stored there: "
            "start the run again in another folder"
        )
    return loaded.network


def _write_model(
    trainer: Trainer,
    best: Transformer,
    figures: dict[tuple[str, ...], dict[str, Evaluation]],
    further: dict[str, float | str],
    taught: dict[str, Any],
) -> None:
    known, trial = _card(trainer), trainer.recipe.training.trial
    further_figures = {trainer.objective.metric: further} if further else {}
    losses: dict[str, Any] = {
        "+".join(given): {split: found.nats_per_note for split, found in of_splits.items()}
        for given, of_splits in figures.items()
    }
    full = dataclasses.replace(
        known,
        figures={} if trial else losses | further_figures,
        valid_nats_per_note=next(iter(losses.values()))["valid"],
        test_nats_per_note=next(iter(losses.values())).get("test"),
        taught=taught,
        training={
            **known.training,
            "best_step": trainer.counters.best_step,
            **_final_slope(trainer),
        },
    )
    trainer.folder.guarded_write(lambda: checkpoint.save(trainer.folder.model, best, full))


def _final_slope(trainer: Trainer) -> dict[str, float]:
    """Return the slope of the validation loss over the last quarter.

    Its unit is nats/note per million tokens; the dictionary is empty for a single point.
    """
    points = [
        (event.tokens / 1e6, event.valid)
        for event in map(events.read, trainer.folder.events())
        if isinstance(event, TrainEvaluated)
    ]
    late = [point for point in points if point[0] >= _LATE * points[-1][0]] if points else []
    if len(late) < 2 or late[-1][0] == late[0][0]:  # noqa: PLR2004  # a slope has two ends
        return {}
    slope = (late[-1][1] - late[0][1]) / (late[-1][0] - late[0][0])
    return {"final_slope_nats_per_million_tokens": round(slope, 5)}


def _save_report(trainer: Trainer) -> tuple[str, ...]:
    """Write the report on the data to the run's folder; return notes with its first lines."""
    report, path = trainer.data.report, trainer.folder.path / "data.txt"
    if not report:
        return ()
    trainer.folder.guarded_write(lambda: paths.write_text(path, report + "\n"))
    head, *lines = report.splitlines()
    more = len(lines) - _MAX_LINES
    left = (f"{more} more lines are in {path}",) if more > 0 else ()
    return (f"{head}; see {path}", *lines[:_MAX_LINES], *left)


def _check_same(now: Recipe, stored: Recipe, folder: str) -> None:
    if now.fingerprint != stored.fingerprint:
        raise UsageError(
            f"{folder} holds a run of recipe {stored.name!r} with other values than {now.name!r} "
            "has now: resume with its own recipe.toml, or choose another --out"
        )
