"""Fake jobs, so that windows are tested without a model."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from musicrel.analysis import voice_leading
from musicrel.chorale import Chorale, Key, Meter, Provenance, Voice
from musicrel.generation.candidates import ranking
from musicrel.generation.candidates.candidate_job import (
    Candidate,
    CandidateEvent,
    CandidateSet,
    Stuck,
)
from musicrel.generation.candidates.ranking import Distance, Measures
from musicrel.generation.causal.batch import Progress
from musicrel.generation.constraints.locks import UNKNOWN
from musicrel.generation.events import Generated, GenerationStep, PhraseEndTrial, SearchState
from musicrel.generation.infill.infill_generator import InfillProgress
from musicrel.generation.request import GenerationRequest
from musicrel.interpretability.piece_analysis import AnalysisProgress, PieceAnalysis
from musicrel.jobs import Job
from musicrel.presentation.compose.form import Task
from musicrel.presentation.two_models import Means
from musicrel.ui.jobs.generation_service import (
    AnalysisEvent,
    Loaded,
    LoadEvent,
    Loading,
    ModelCache,
    WriteEvent,
)

TIMEOUT = 10.0
"""Seconds until a closed gate opens by itself, so that no test hangs."""
EVENT_INTERVAL = 0.001
"""Seconds between two events; without, the mailbox fills faster than it is read."""
FIRST_QUARTER = 16
"""Cells of a quarter."""
EARLIER = GenerationRequest(
    bars=3, meter=Meter(3, 4), pickup=4, key=Key("G", "major"), phrases=(1, 2), temperature=0.8,
    seed=99,
)  # fmt: skip


def one_back(tokens: int) -> npt.NDArray[np.float32]:
    """Return the attention of a cell to the one before it, (2 layers, 2 heads, ``tokens``)."""
    row = np.zeros((2, 2, tokens), dtype=np.float32)
    row[..., -1] = 1
    return row


def steps_of(chorale: Chorale) -> list[GenerationStep]:
    return [
        GenerationStep(
            index=4 * step + voice + 1,
            token=0,
            step=step,
            voice=int(voice),
            pitch=int(chorale.pitches[step, voice]),
            onset=bool(chorale.onsets[step, voice]),
            log_probability=-0.5,
            entropy=0.5,
            attention=one_back(4 * step + voice + 1),
        )
        for step in range(chorale.steps)
        for voice in Voice
    ]


def generated(request: GenerationRequest, model: str = "full") -> Chorale:
    """Return the piece that the fake model generates: two alternating chords."""
    plan = request.plan()
    pitches = np.resize([[72, 67, 64, 48], [74, 67, 62, 50]], (plan.steps, 4)).astype(np.int16)
    provenance = Provenance(model=model, sha256="0", seed=request.seed)
    piece = Chorale.of(pitches, meter=plan.meter, pickup=plan.pickup, key=plan.key)
    return replace(piece, fermatas=plan.fermatas, title=request.title, provenance=provenance)


def earlier_piece(asked: GenerationRequest = EARLIER) -> Chorale:
    plan = asked.plan()
    return Chorale.of(
        np.full((plan.steps, 4), [72, 67, 64, 48]),
        meter=plan.meter,
        pickup=plan.pickup,
        key=plan.key,
        fermatas=plan.fermatas,
        title="Some other day",
        provenance=Provenance(model="plain", sha256="0", seed=asked.seed, settings=asked.to_json()),
    )


def kept_of(request: GenerationRequest) -> Chorale:
    piece = generated(request)
    return piece if request.locks is None else request.locks.applied(piece)


def candidate(task: Task, number: int) -> Candidate:
    """Return candidate ``number``: the free cells are ``number`` semitones higher, and likelier."""
    seed = task.form.seed + number - 1 if number else None
    before = task.original or kept_of(task.request)
    pitches = before.pitches + number * task.free.astype(np.int16)
    provenance = Provenance(model=task.form.model, sha256="0", seed=seed or 0, settings={})
    title = f"proposal {number}" if task.original else f"Chorale {seed}"
    again = Chorale.of(pitches, meter=before.meter, title=title)
    chorale = replace(again, provenance=provenance) if number else before
    measures = Measures(
        nats=0.5,
        region_nats=0.5,
        region_to_end_nats=1.0 - 0.1 * number,
        grade=float(number),
        rates=voice_leading.rates(chorale),
        distance=Distance(changed=0.5, interval=1.0) if number and task.original else None,
        memorised=0.25,
        longest=4,
    )
    return Candidate(
        number=number,
        chorale=chorale,
        seed=seed,
        measures=measures,
        score=ranking.score(measures),
        terms=ranking.terms(measures),
    )


def infill_progress(task: Task, number: int = 1) -> InfillProgress:
    """Return the progress of candidate ``number``: only its soprano is known."""
    piece = candidate(task, 0).chorale
    pitches, onsets = piece.pitches.copy(), piece.onsets.copy()
    pitches[:, 1:], onsets[:, 1:] = UNKNOWN, False
    done, total = 4 * (number - 1) + 1, 4 * task.count
    return InfillProgress(done=done, total=total, share=1 / 4, pitches=(pitches,), onsets=(onsets,))


class FakeJobs(ModelCache):
    """Factories of fake jobs, which tests make slow or fail, and a record of the requests."""

    def __init__(
        self,
        *,
        hold_at: int | None = None,
        fail_at: int | None = None,
        error: Exception | None = None,
    ) -> None:
        super().__init__()
        # numbers of cells after which a generation waits for ``gate``, or fails with ``error``
        self.hold_at, self.fail_at, self.error = hold_at, fail_at, error
        # the one model that waits for ``gate``, "" for all; whether a phrase ending is searched for
        self.held, self.searches_endings = "", False
        self.search: float | None = None  # the effective number of particles of the search
        self.raised: dict[str, int] = {}  # model -> semitones that its pieces are above the others
        self.failing: dict[str, Exception] = {}  # model -> error after its first quarter
        # the machine and the warning of a loaded model, and the error of loading one
        self.machine: dict[str, str] = {}
        self.warning = ""
        self.load_error: Exception | None = None
        self.preparation: LoadEvent | None = None  # repeated until the gate opens
        self.analysis_error: Exception | None = None
        self.hold_analysis = self.endless_analysis = False  # endless: never beyond 25 %
        # the second candidate waits for ``second_gate``
        self.hold_candidates = self.hold_second_candidate = False
        self.candidates_error: Exception | None = None
        self.notice = ""  # in the progress of candidates
        self.emits_progress = False  # whether candidates report their notes
        self.stuck: tuple[Stuck, ...] = ()
        self.different = 256  # number of different candidates; the others repeat them
        self.gate, self.second_gate, self.waiting = (threading.Event() for _ in range(3))
        # model, device and what was asked for
        self.requests: list[tuple[str, str, GenerationRequest]] = []
        self.candidate_requests: list[tuple[str, str, Task]] = []
        self.analysis_requests: list[tuple[str, str, Chorale]] = []
        self.load_requests: list[tuple[str, str]] = []
        self.read_requests: list[tuple[tuple[str, str], tuple[Chorale, Chorale]]] = []
        # ids of the threads in which generations ended, and devices that had written the pieces
        self.closed_in, self.made_on = list[int](), list[str]()

    def write(self, task: Task, device: str) -> Job[WriteEvent, Generated | CandidateSet]:
        name = task.form.model
        self.made_on.append(task.made_on)
        if task.is_live:
            self.requests.append((name, device, task.request))
            return self._compose(name, self.requests[-1][2])
        self.candidate_requests.append((name, device, task))
        return self._generate_candidates(name, task)

    def warm_up(self, name: str, device: str, made_on: str = "") -> Job[LoadEvent, None]:
        self.load_requests.append((name, device))
        self.made_on.append(made_on)
        if self.load_error is not None:
            yield Loading(model=name)
            raise self.load_error
        yield from self._load(name)

    def analyse(
        self, name: str, device: str, chorale: Chorale
    ) -> Job[AnalysisEvent, PieceAnalysis]:
        """Return a job that analyses a piece: all four heads attend to the previous cell."""
        self.analysis_requests.append((name, device, chorale))
        return self._analyse(name, chorale)

    def cross_surprisal(
        self, names: tuple[str, str], device: str, pieces: tuple[Chorale, Chorale]
    ) -> Job[LoadEvent | float, Means]:
        """Return a job that reads two pieces: 0.25 nats a note under itself, else 0.75."""
        del device
        self.read_requests.append((names, pieces))
        yield 1.0
        return (0.25, 0.75), (0.75, 0.25)

    def _generate_candidates(self, name: str, task: Task) -> Job[WriteEvent, CandidateSet]:
        yield Loaded(model=name, sha256="0", device="CPU")
        yield Progress(done=1, total=4, notice=self.notice)
        original = candidate(task, 0) if task.original else None
        if original is not None:
            yield original
        made: list[Candidate] = []
        for number in range(1, task.count + 1):
            if self.held in ("", name):
                yield from self._pass(task, number)
            if self.candidates_error is not None:
                yield from self.stuck
                raise self.candidates_error
            same = candidate(task, 1 + (number - 1) % self.different)
            made.append(replace(candidate(task, number), chorale=same.chorale))
            yield made[-1]
        yield from self.stuck
        return CandidateSet(
            original=original, ranked=tuple(made), stuck=self.stuck, tokens=8, seconds=1.0
        )

    def _pass(self, task: Task, number: int) -> Job[CandidateEvent, None]:
        if self.emits_progress:
            yield infill_progress(task, number)
        if self.hold_candidates and number == 1:
            self.waiting.set()
            self.gate.wait(TIMEOUT)
            yield Progress(done=2, total=4)
        if self.hold_second_candidate and number == 2:
            self.second_gate.wait(TIMEOUT)

    def _analyse(self, name: str, chorale: Chorale) -> Job[AnalysisEvent, PieceAnalysis]:
        yield Loaded(model=name, sha256="0", device="CPU")
        if self.hold_analysis:
            self.waiting.set()
            self.gate.wait(TIMEOUT)
            yield Loaded(model=name, sha256="0", device="CPU")
        while self.endless_analysis:
            yield AnalysisProgress(share=0.25)
            self.gate.wait(EVENT_INTERVAL)
        if self.analysis_error is not None:
            raise self.analysis_error
        reading = PieceAnalysis(chorale, name, 2, 2, wrote=False)
        for cell in range(chorale.steps * len(Voice)):
            reading.add(one_back(cell + 1), nats=1.0 + cell % 4)
        return reading

    def _load(self, name: str) -> Job[LoadEvent, None]:
        yield Loading(model=name)
        while self.preparation is not None and not self.gate.is_set():
            yield self.preparation
            self.gate.wait(EVENT_INTERVAL)
        yield Loaded(
            model=name, sha256="0", device="CPU", machine=self.machine, warning=self.warning
        )

    def _searched(self) -> Job[PhraseEndTrial, None]:
        if self.search is not None:
            yield SearchState(effective_size=self.search, particles=16)
        yield PhraseEndTrial()

    def _compose(self, name: str, request: GenerationRequest) -> Job[WriteEvent, Generated]:
        piece = generated(request, name).transposed(self.raised.get(name, 0))
        try:
            yield from self._load(name)
            for count, step in enumerate(steps_of(piece)):
                if count == self.hold_at and self.held in ("", name):
                    if self.searches_endings:
                        yield from self._searched()
                    self.waiting.set()
                    self.gate.wait(TIMEOUT)
                if count == self.fail_at and self.error is not None:
                    raise self.error
                if count == FIRST_QUARTER and name in self.failing:
                    raise self.failing[name]
                yield step
        finally:
            self.closed_in.append(threading.get_ident())
        return Generated(chorale=piece, tokens=4 * piece.steps, seconds=1.0, nats_per_note=0.5)
