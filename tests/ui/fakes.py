"""Tiny stand-ins for jobs, so that windows are tested without a model.

This file knows what jobs tell; it knows nothing of windows.
"""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from musicrel.analysis import voice_leading
from musicrel.chorale import Chorale, Provenance, Voice
from musicrel.generation.candidates import ranking
from musicrel.generation.candidates.candidate_job import Candidate, Proposals, Stuck
from musicrel.generation.candidates.candidate_job import Event as ProposalEvent
from musicrel.generation.candidates.measures import Distance, Measures
from musicrel.generation.causal.batch import Progress
from musicrel.generation.constraints.locks import UNKNOWN
from musicrel.generation.events import Generated, GenerationStep, Trying
from musicrel.generation.infill.infill_generator import Settling
from musicrel.generation.request import GenerationRequest
from musicrel.jobs import Job
from musicrel.presentation.attention.piece_analysis import Reading
from musicrel.presentation.compose.request_builder import Wish
from musicrel.presentation.compose.rewrite_form import Rewriting
from musicrel.ui.jobs.generation_service import CellsRead, ComposeEvent, Loaded, Loading, ReadEvent

PATIENCE = 10.0
"""Seconds until a gate that nobody opens lets through, so that no test hangs."""
BETWEEN_TELLINGS = 0.001
"""Seconds of work between two tellings; without, the mailbox fills faster than anybody reads."""


def one_back(tokens: int) -> npt.NDArray[np.float32]:
    """The row of a cell that looks at the one before it, in two layers of two heads."""
    row = np.zeros((2, 2, tokens), dtype=np.float32)
    row[..., -1] = 1
    return row


def steps_of(chorale: Chorale) -> list[GenerationStep]:
    """What a job tells while it writes ``chorale``."""
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


def written(request: GenerationRequest) -> Chorale:
    """The piece that the fake writes: two chords in turn."""
    plan = request.plan()
    pitches = np.resize([[72, 67, 64, 48], [74, 67, 62, 50]], (plan.steps, 4)).astype(np.int16)
    provenance = Provenance(model="fake", sha256="0", seed=request.seed)
    piece = Chorale.of(pitches, meter=plan.meter, pickup=plan.pickup, key=plan.key)
    return replace(
        piece, fermatas=plan.fermatas, title=f"Chorale {request.seed}", provenance=provenance
    )


def kept_of(request: GenerationRequest) -> Chorale:
    """What the fake writes around what is given."""
    piece = written(request)
    return piece if request.locks is None else request.locks.applied(piece)


def candidate(wish: Wish, number: int) -> Candidate:
    """A version: its free cells ``number`` semitones higher; the higher, the likelier."""
    seed = wish.form.seed + number - 1 if number else None
    before = wish.original or kept_of(wish.request())
    free = wish.free if isinstance(wish, Rewriting) else np.ones(before.pitches.shape)
    pitches = before.pitches + number * free.astype(np.int16)
    measures = Measures(
        nats=0.5,
        region_nats=0.5,
        onward_nats=1.0 - 0.1 * number,
        grade=float(number),
        rates=voice_leading.rates(before),
        distance=Distance(changed=0.5, interval=1.0) if number and wish.original else None,
        memorised=0.25,
        longest=4,
    )
    provenance = Provenance(model="fake", sha256="0", seed=seed or 0, settings={})
    title = f"proposal {number}" if wish.original else f"Chorale {seed}"
    again = Chorale.of(pitches, meter=before.meter, title=title)
    return Candidate(
        number=number,
        chorale=replace(again, provenance=provenance) if number else before,
        seed=seed,
        measures=measures,
        score=ranking.score(measures),
        terms=ranking.terms(measures),
    )


def settling(wish: Wish, number: int = 1) -> Settling:
    """The version that is being written, after those before it: its soprano, and nothing else."""
    piece = candidate(wish, 0).chorale
    pitches, onsets = piece.pitches.copy(), piece.onsets.copy()
    pitches[:, 1:], onsets[:, 1:] = UNKNOWN, False
    done, total = 4 * (number - 1) + 1, 4 * wish.count
    return Settling(done=done, total=total, pitches=(pitches,), onsets=(onsets,))


class FakeJobs:
    """Compose and warm-up jobs, and a record of what was asked of them.

    Attributes:
        hold_at: number of cells after which composing waits at the gate, None: it never does.
        fail_at: number of cells after which composing fails with ``error``.
        warm_error: what warming up fails with.
        read_error: what reading fails with.
        hold_reading: whether reading waits at the gate.
        read_for_ever: whether reading never gets beyond the first quarter.
        asked_to_read: name, device and piece of every reading.
        propose_error: what rewriting fails with.
        notice: what is told while versions are written.
        stuck: versions that come to no end.
        passes: whether versions are told of while they settle.
        hold_proposing: whether rewriting waits at the gate.
        hold_second: whether the second version waits for ``second``, its pass being told.
        asked_to_rewrite: name, device and wish of every job that writes versions.
        gate: lets a waiting job go on.
        second: lets a second version go on.
        waiting: set when a job has come to the gate.
        asked: name, device and request of every compose job.
        warmed: name and device of every warm-up.
        closed_in: the threads in which compose jobs ended.
    """

    def __init__(
        self,
        *,
        hold_at: int | None = None,
        fail_at: int | None = None,
        error: Exception | None = None,
    ) -> None:
        self.hold_at, self.fail_at, self.error = hold_at, fail_at, error
        self.tries = False
        self.warm_error: Exception | None = None
        self.read_error: Exception | None = None
        self.hold_reading = self.read_for_ever = self.hold_proposing = False
        self.hold_second = False
        self.propose_error: Exception | None = None
        self.notice = ""
        self.passes = False
        self.stuck: tuple[Stuck, ...] = ()
        self.asked_to_rewrite: list[tuple[str, str, Wish]] = []
        self.asked_to_read: list[tuple[str, str, Chorale]] = []
        self.gate, self.waiting = threading.Event(), threading.Event()
        self.second = threading.Event()
        self.asked: list[tuple[str, str, GenerationRequest]] = []
        self.warmed: list[tuple[str, str]] = []
        self.closed_in: list[int] = []

    def compose(
        self, name: str, device: str, request: GenerationRequest
    ) -> Job[ComposeEvent, Generated]:
        """Write two chords in turn."""
        self.asked.append((name, device, request))
        return self._compose(name, request)

    def warm_up(self, name: str, device: str) -> Job[Loading | Loaded, None]:
        """Pretend to load."""
        self.warmed.append((name, device))
        yield Loading(model=name)
        if self.warm_error is not None:
            raise self.warm_error
        yield Loaded(model=name, sha256="0", device="CPU")

    def read(self, name: str, device: str, chorale: Chorale) -> Job[ReadEvent, Reading]:
        """Pretend to read: two layers of two heads look one cell back."""
        self.asked_to_read.append((name, device, chorale))
        return self._read(name, chorale)

    def propose(
        self, name: str, device: str, wish: Wish
    ) -> Job[Loading | Loaded | ProposalEvent, Proposals]:
        """Pretend to rewrite: version n sings the free cells n semitones higher."""
        self.asked_to_rewrite.append((name, device, wish))
        return self._propose(name, wish)

    def _propose(self, name: str, wish: Wish) -> Job[Loading | Loaded | ProposalEvent, Proposals]:
        yield Loaded(model=name, sha256="0", device="CPU")
        yield Progress(done=1, total=4, notice=self.notice)
        original = candidate(wish, 0) if wish.original else None
        if original is not None:
            yield original
        made: list[Candidate] = []
        for number in range(1, wish.count + 1):
            yield from self._pass(wish, number)
            if self.propose_error is not None:
                yield from self.stuck
                raise self.propose_error
            made.append(candidate(wish, number))
            yield made[-1]
        yield from self.stuck
        return Proposals(
            original=original, ranked=tuple(made), stuck=self.stuck, tokens=8, seconds=1.0
        )

    def _pass(self, wish: Wish, number: int) -> Job[ProposalEvent, None]:
        if self.passes:
            yield settling(wish, number)
        if self.hold_proposing and number == 1:
            self.waiting.set()
            self.gate.wait(PATIENCE)
            yield Progress(done=2, total=4)
        if self.hold_second and number == 2:
            self.second.wait(PATIENCE)

    def _read(self, name: str, chorale: Chorale) -> Job[ReadEvent, Reading]:
        yield Loaded(model=name, sha256="0", device="CPU")
        if self.hold_reading:
            self.waiting.set()
            self.gate.wait(PATIENCE)
            yield Loaded(model=name, sha256="0", device="CPU")
        while self.read_for_ever:
            yield CellsRead(share=0.25)
            self.gate.wait(BETWEEN_TELLINGS)
        if self.read_error is not None:
            raise self.read_error
        reading = Reading(chorale, name, 2, 2, wrote=False)
        for cell in range(chorale.steps * len(Voice)):
            reading.add(one_back(cell + 1), nats=1.0 + cell % 4)
        return reading

    def _compose(self, name: str, request: GenerationRequest) -> Job[ComposeEvent, Generated]:
        piece = written(request)
        try:
            yield Loading(model=name)
            yield Loaded(model=name, sha256="0", device="CPU")
            for count, step in enumerate(steps_of(piece)):
                if count == self.hold_at:
                    if self.tries:
                        yield Trying()
                    self.waiting.set()
                    self.gate.wait(PATIENCE)
                if count == self.fail_at and self.error is not None:
                    raise self.error
                yield step
        finally:
            self.closed_in.append(threading.get_ident())
        return Generated(chorale=piece, tokens=4 * piece.steps, seconds=1.0, nats_per_note=0.5)
