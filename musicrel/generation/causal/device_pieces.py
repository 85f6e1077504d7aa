"""Pieces with forms of their own, written side by side on a GPU in steps that they share.

Each piece is written by ``causal_generator`` in a thread of its own; its forward passes are some of
the sequences of one reader. A thread that needs steps waits until all others do, too. Those that
are farthest behind then take them together, and of the others nothing changes. So all stay near the
same place: a piece that searches a window again catches up with the others.

Dimensions: B sequences, N positions, C conditions, T steps, V vocabulary.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Final, Self, TypeAlias, cast

import numpy as np
import torch
from torch import Tensor

from musicrel import cores, jobs
from musicrel.generation.causal import causal_generator, device_writer
from musicrel.generation.causal.batch import Progress
from musicrel.generation.causal.batch_forward import TRAILING_ROWS, DecodeSequence, halves
from musicrel.generation.causal.compiled_choice import Choosing
from musicrel.generation.causal.written import Written
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.events import (
    Generated,
    GenerationStep,
    MeansProgress,
    NoLegalNoteError,
    PhraseEndTrial,
)
from musicrel.generation.heads import means
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.quality import QUALITIES
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Floats
from musicrel.jobs import Job
from musicrel.model.reading import Floats as Logits
from musicrel.model.reading import Ids
from musicrel.model.replaced_heads import Ablations
from musicrel.model.tokens import codec
from musicrel.model.tokens.conditions import Rows
from musicrel.model.torch_reader import TorchReader

_Outcome: TypeAlias = Generated | NoLegalNoteError
_Event: TypeAlias = GenerationStep | PhraseEndTrial

_AT_ONCE: Final = 32
"""Pieces written side by side. With more, the host would still need as long for their weights."""


def generate(
    model: LoadedModel, requests: Sequence[GenerationRequest]
) -> Iterator[Job[MeansProgress | Progress, Generated]]:
    """Yield a job for each piece, to be run in order; some of them write several pieces.

    Args:
        model: a causal model on a GPU.
        requests: requests that differ in form, locks, key and seed.

    Raises:
        GenerationError: a logit is not finite, or memory is too small for a single piece.
        NoLegalNoteError: locks and rules leave no legal note in this piece.
    """
    for first in range(0, len(requests), _AT_ONCE):
        some, found = requests[first : first + _AT_ONCE], list[_Outcome]()
        for number in range(len(some)):
            yield _one(model, some, found, number)


def _one(
    model: LoadedModel, some: Sequence[GenerationRequest], found: list[_Outcome], number: int
) -> Job[MeansProgress | Progress, Generated]:
    if not found:
        found += yield from _written(model, some)
    piece = found[number]
    if isinstance(piece, NoLegalNoteError):
        raise piece
    return piece


def _written(
    model: LoadedModel, some: Sequence[GenerationRequest]
) -> Job[MeansProgress | Progress, list[_Outcome]]:
    """Write as many pieces side by side as fit in memory; they share the time that it took."""
    yield from means.prepare_for(model, some[0].mutes)
    waiting, found = [range(len(some))], list[_Outcome]()
    progress = Progress(done=0, total=codec.VOICES * sum(request.steps for request in some))
    while waiting:
        rows = waiting.pop(0)
        asked, began = some[rows.start : rows.stop], time.perf_counter()
        try:
            shared = _SharedSteps(model, asked)
        except (RuntimeError, MemoryError) as reason:
            length = codec.VOICES * max(request.steps for request in asked)
            waiting = [*halves(rows, reason, length), *waiting]
            continue
        pieces = [shared.piece(number, request) for number, request in enumerate(asked)]

        def step(numbered: tuple[int, _Event]) -> Progress:
            nonlocal progress
            progress = replace(
                progress, done=progress.done + isinstance(numbered[1], GenerationStep)
            )
            return progress

        own = yield from jobs.map_events(cores.side_by_side(pieces, len(pieces)), step)
        share = (time.perf_counter() - began) / len(own)
        found += [replace(one, seconds=share) if isinstance(one, Generated) else one for one in own]
        del shared, pieces  # the next ones need its memory
    return found


@dataclass(frozen=True, kw_only=True, eq=False)
class _OneOfMany(LoadedModel):
    """A model that reads with sequences of a reader that it shares."""

    part: Callable[[Rows], _Part]

    @classmethod
    def sharing(cls, model: LoadedModel, part: Callable[[Rows], _Part]) -> Self:
        return cls(**{one.name: getattr(model, one.name) for one in fields(model)}, part=part)

    def reader(self, conditions_BNC: Rows, **_: object) -> _Part:
        return self.part(conditions_BNC)


class _Part(TorchReader):
    """Some sequences of a reader, which steps with all others."""

    def __init__(self, shared: _SharedSteps, piece: int, rows: slice, conditions_BNC: Rows) -> None:
        self._shared, self.piece, self.rows = shared, piece, rows
        self._conditions_BNC, whole = conditions_BNC, shared.reader
        self._device, self.failure = whole.ids_B1.device, whole.failure
        self.cache = whole.cache.rows(rows)
        self.cache.length = 0

    def prefill(self, ids_BT: Ids) -> None:
        alone = self._shared.opened(self._conditions_BNC)
        alone.prefill(ids_BT)
        self.branch_from(alone, np.arange(len(ids_BT)), ids_BT.shape[1])

    def step(self, ids_B: Ids, _: Ablations | None = None) -> tuple[Logits, None]:
        first = self.cache.length + 1
        stretch = _Stretch(self, first, first + 1, ids_B)
        self._shared.take(stretch)
        return stretch.logits_BV, None

    def write(self, written: Written, first: int, stop: int, by: Choosing) -> int:
        """Read and choose tokens; see ``DeviceWriter.write``."""
        stretch = _Stretch(self, first, stop, written.ids_BN[:, first - 1], written, by)
        self._shared.take(stretch)
        return stretch.broken


@dataclass(slots=True)
class _Stretch:
    """Steps that a part needs; without ``written`` it needs their logits alone."""

    part: _Part
    first: int  # index of the next token to be chosen
    stop: int
    ids_B: Ids  # the tokens before it
    written: Written | None = None
    by: Choosing | None = None
    logits_BV: Logits = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    broken: int = 0  # index of a token with a logit that is not finite

    @property
    def is_done(self) -> bool:
        return self.first == self.stop or bool(self.broken)

    def take_over(self, first: int, stop: int, logits_BV: Tensor, found_KBT: Floats) -> None:
        """Take over what the steps from ``first`` up to ``stop`` found."""
        rows = self.part.rows
        self.part.cache.length, self.first = stop - 1, stop
        if self.written is None:
            self.logits_BV = logits_BV[rows].float().cpu().numpy()
        else:
            self.broken = device_writer.note(self.written, found_KBT[:, rows], first)
            self.ids_B = self.written.ids_BN[:, stop - 1]


class _SharedSteps:
    """The steps of a reader with the sequences of some pieces, as many of each.

    The first sequence of a piece is what is written, the others are its particles.
    """

    def __init__(self, model: LoadedModel, requests: Sequence[GenerationRequest]) -> None:
        sequences = [_sequence(model, request) for request in requests]
        conditions = [one.conditions_NC[:-TRAILING_ROWS] for one in sequences]
        longest, particles = max(map(len, conditions)), QUALITIES[requests[0].quality].particles
        rows_BNC = np.stack([np.pad(one, ((0, longest - len(one)), (0, 0))) for one in conditions])
        self._each = 1 + particles * (particles > 1)
        self._model, self._replaced = model, sequences[0].replaced
        self.reader = self.opened(rows_BNC.repeat(self._each, axis=0), replay=True)
        self.reader.known_B1 = self._known_B1 = torch.zeros_like(self.reader.ids_B1)
        self._writer = device_writer.DeviceWriter(self.reader, len(requests))
        self._parts, self._stretches = dict[int, _Part](), dict[int, _Stretch]()
        self._writing = set(range(len(requests)))
        self._turn, self._is_closed = threading.Condition(), False

    def opened(self, conditions_BNC: Rows, *, replay: bool = False) -> TorchReader:
        found = self._model.reader(
            conditions_BNC, record=False, replay=replay, replaced=self._replaced
        )
        return cast("TorchReader", found)

    def piece(self, number: int, request: GenerationRequest) -> Job[_Event, _Outcome]:
        """Write one of the pieces, in a thread of its own."""
        is_closing = True
        try:
            model = _OneOfMany.sharing(self._model, partial(self._part, number))
            outcome: _Outcome = yield from causal_generator.generate(model, request)
            is_closing = False
        except NoLegalNoteError as stuck:
            outcome, is_closing = stuck, False
        finally:
            with self._turn:
                self._writing.discard(number)
                self._is_closed |= is_closing
                self._go_on()
                if not self._writing:  # models refer to this for longer than they are needed
                    self._parts.clear()
                    del self.reader, self._writer
        return outcome

    def take(self, stretch: _Stretch) -> None:
        """Take the steps of a stretch as soon as all pieces wait for some.

        Raises:
            ClosedError: another piece has failed.
        """
        with self._turn:
            self._stretches[stretch.part.piece] = stretch
            self._go_on()
            self._turn.wait_for(lambda: self._is_closed or stretch.is_done)
            if not stretch.is_done:
                raise cores.ClosedError

    def _part(self, piece: int, conditions_BNC: Rows) -> _Part:
        first = piece * self._each + (len(conditions_BNC) > 1)
        rows = slice(first, first + len(conditions_BNC))
        part = _Part(self, piece, rows, conditions_BNC)
        with self._turn:
            self._parts[first] = part
        return part

    def _go_on(self) -> None:
        try:
            while not self._is_closed and 0 < len(self._writing) == len(self._stretches):
                self._take_steps()
        except BaseException:
            self._is_closed = True
            raise
        finally:
            self._turn.notify_all()

    @torch.inference_mode()
    def _take_steps(self) -> None:
        """Take steps from the first place on, until a stretch is done or another one begins."""
        reader, stretches = self.reader, self._stretches.values()
        first = min(one.first for one in stretches)
        here = [one for one in stretches if one.first == first]
        ahead = [one.first for one in stretches if one.first > first]
        stop = min([one.stop for one in here] + ahead)
        known_B, ids_B = np.zeros((2, len(reader.ids_B1)), dtype=np.int64)
        uniforms_BT = np.zeros((len(ids_B), stop - first))
        for part in self._parts.values():
            known_B[part.rows] = part.cache.length
        for one in here:
            ids_B[one.part.rows] = one.ids_B
            if one.written is not None and one.by is not None:
                uniforms_BT[one.part.rows] = one.written.uniforms_BN[:, first - 1 : stop - 1]
                self._writer.follow(one.part.piece, one.by)
        self._known_B1.copy_(torch.from_numpy(known_B[:, None]))
        reader.cache.length = first - 1
        self._writer.begin(first, ids_B, uniforms_BT)
        logits_BV = [reader.advance().logits_BTV[:, 0] for _ in range(first, stop)][-1]
        found_KBT = self._writer.found(first, stop)
        for one in here:
            one.take_over(first, stop, logits_BV, found_KBT)
            if one.is_done:
                del self._stretches[one.part.piece]


def _sequence(model: LoadedModel, request: GenerationRequest) -> DecodeSequence:
    asked = request.with_sampled_key(model.conditions)
    locked_tokens = Constraints.of(asked, model.vocabulary).locked_tokens
    return DecodeSequence.of(model, asked, locked_tokens)
