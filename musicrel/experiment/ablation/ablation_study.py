"""The study of ablations: attention weights of models against effects on notes; a job.

The notes are drawn from all pieces and are the same for every model. For each note all heads are
replaced one at a time, and sources are removed, one at a time and together. Then heads are chosen
for each pattern (``carriers``) and replaced together at the notes of the second half of the pieces.

Dimensions: D sets of heads, H heads of all layers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import torch

from musicrel import jobs, paths
from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.experiment.ablation import carriers, note_measures, note_sample, study_summary
from musicrel.experiment.ablation.carriers import ChosenSet
from musicrel.experiment.ablation.measures import Measures, Places, SetEffects
from musicrel.experiment.ablation.note_measures import Draws
from musicrel.experiment.ablation.study_parts import StudyDefinition, StudyFolder
from musicrel.experiment.ablation.study_results import StudyResults
from musicrel.experiment.ablation.study_summary import Observed
from musicrel.experiment.runs import environment
from musicrel.experiment.runs.folder_lock import writer_lock
from musicrel.generation.ablation import means
from musicrel.generation.ablation.note_reader import NoteReader
from musicrel.generation.heads.head_means import weights_hash
from musicrel.generation.heads.mutes import Replacement
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.jobs import Job

Task: TypeAlias = Literal["means of heads", "heads and sources", "sets of heads"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyProgress:
    model: str
    task: Task
    done: int  # work done: training pieces for the means of heads, otherwise notes of both tasks
    total: int  # amount of work


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan:
    """The models and notes to measure."""

    models: tuple[str, ...]  # names or folders of models that predict notes, each once
    notes: int = 5000  # number of notes of each model
    seed: int = 0  # of all random choices
    by: Replacement = "mean"  # what replaces the output of a head
    device: str = "cpu"
    threads: int = 1  # number of threads of torch


def run_study(
    plan: StudyPlan, pieces: Sequence[Chorale], folder: Path, *, resume: bool = False
) -> Job[StudyProgress, StudyResults]:
    """Run the study; yields an event after each note.

    Args:
        folder: keeps the measures of every finished piece; new, unless ``resume``.
    """
    if len(set(plan.models)) < len(plan.models):
        raise UsageError(f"the models are {', '.join(plan.models)}: expected each only once")
    cells = note_sample.draw(pieces, plan.notes, plan.seed)
    models = [load_model(name, plan.device, plan.threads) for name in plan.models]
    kept = StudyFolder(folder)
    paths.require_writable(folder)
    observed = []
    with writer_lock(folder):
        kept.begin(_definition(plan, models, pieces), resume=resume)
        for number, model in enumerate(models):
            found = yield from _ModelStudy(plan, number, model, pieces, cells, kept).run()
            observed.append(found)
    return study_summary.results(
        observed,
        pieces,
        seed=plan.seed,
        by=plan.by,
        machine=_machine(models[0], plan.threads),
    )


def _machine(model: LoadedModel, threads: int) -> dict[str, Any]:
    """Return the versions and hardware of the study."""
    machine = environment.machine(torch.device(model.device), threads)
    return machine | {"commit": environment.commit()}


def _definition(
    plan: StudyPlan, models: Sequence[LoadedModel], pieces: Sequence[Chorale]
) -> StudyDefinition:
    return StudyDefinition(
        models=plan.models,
        sha256=tuple(map(weights_hash, models)),
        notes=plan.notes,
        seed=plan.seed,
        by=plan.by,
        pieces=tuple(f"{piece.title}, {piece.steps} steps" for piece in pieces),
    )


@dataclass(frozen=True, slots=True)
class _ModelStudy:
    plan: StudyPlan
    number: int
    model: LoadedModel
    pieces: Sequence[Chorale]
    cells: Sequence[Places]  # the cells of the drawn notes by piece
    kept: StudyFolder

    def run(self) -> Job[StudyProgress, Observed]:
        """Measure all notes, then the sets of heads."""
        yield from self._prepare_means()
        parts = []
        for piece in range(len(self.pieces)):
            part = yield from self._measures(piece)
            parts.append(part)
        first, second = carriers.halves(len(self.pieces), self.plan.seed)
        chosen = carriers.choose(Measures.joined([parts[piece] for piece in first]))
        sets = []
        if chosen:
            sets_DH = self._sets(chosen)
            for piece in second.tolist():
                found = yield from self._set_effects(piece, sets_DH, second)
                sets.append(found)
        return Observed(self.model, tuple(parts), chosen, tuple(second.tolist()), tuple(sets))

    def _prepare_means(self) -> Job[StudyProgress, None]:
        if self.plan.by == "mean":
            yield from jobs.map_events(
                means.prepare(self.model),
                lambda event: self._progress("means of heads", event.done, event.total),
            )

    def _measures(self, piece: int) -> Job[StudyProgress, Measures]:
        done = self._notes(range(piece))
        part = self.kept.read(Measures, "notes", self.number, piece)
        if part is None:
            draws = Draws(self.plan.seed, piece)
            job = note_measures.measure(self._reader(piece), self.cells[piece], draws, self.plan.by)
            part = yield from jobs.map_events(job, self._counted("heads and sources", done))
            self.kept.write(part, "notes", self.number, piece)
        return part

    def _sets(self, chosen: tuple[ChosenSet, ...]) -> carriers.Sets:
        """Return the sets of heads; the random ones are the same for all models."""
        config = self.model.config
        rng = np.random.default_rng(self.plan.seed)
        return carriers.with_random(chosen, config.layers * config.heads, rng)

    def _set_effects(
        self, piece: int, sets_DH: carriers.Sets, second: Places
    ) -> Job[StudyProgress, SetEffects]:
        done = self._notes(range(len(self.pieces))) + self._notes(second[second < piece].tolist())
        part = self.kept.read(SetEffects, "sets", self.number, piece)
        if part is None or not np.array_equal(part.sets_DH, sets_DH):
            job = note_measures.measure_sets(
                self._reader(piece), self.cells[piece], sets_DH, self.plan.by
            )
            part = yield from jobs.map_events(job, self._counted("sets of heads", done))
            self.kept.write(part, "sets", self.number, piece)
        return part

    def _reader(self, piece: int) -> NoteReader:
        return NoteReader(self.model, self.pieces[piece])

    def _counted(self, task: Task, before: int) -> Callable[[int], StudyProgress]:
        """Return a function from the notes done of a piece to the progress."""
        _first, second = carriers.halves(len(self.pieces), self.plan.seed)
        total = self._notes(range(len(self.pieces))) + self._notes(second.tolist())
        return lambda done: self._progress(task, before + done, total)

    def _notes(self, pieces: Sequence[int]) -> int:
        return sum(len(self.cells[piece]) for piece in pieces)

    def _progress(self, task: Task, done: int, total: int) -> StudyProgress:
        return StudyProgress(model=self.model.name, task=task, done=done, total=total)
