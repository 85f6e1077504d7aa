"""Generation with an infill model, a batch of candidates at a time.

All hidden notes are filled first: phrase endings, then from few places far apart to many between
them. Then the pitch of every free note is resampled given all others in several sweeps, at a lower
temperature (blocked Gibbs sampling, as in Hadjeres et al. 2017 and Huang et al. 2017, section 5; a
block is a note). Between some of them every beat of a voice is rewritten, rhythm and pitches. In
the end missed cadences, parallels and untreated 6-4 chords are repaired (``repair``). The number of
sweeps and repairs depends on the quality level. ``masked_reader`` reads; a candidate's notes do not
depend on the others on a CPU.

Dimensions: B candidates, T steps, 4 voices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Flags, Pitches, Voice, spans
from musicrel.generation import quality
from musicrel.generation.causal.batch import Nats, Progress
from musicrel.generation.cell_constraints import Constraints, DeadEnd
from musicrel.generation.heads.replacement import replaced_heads
from musicrel.generation.infill import gibbs_blocks, masked_reader
from musicrel.generation.infill.gibbs_blocks import Block
from musicrel.generation.infill.infill_state import InfillState
from musicrel.generation.infill.masked_reader import Logits, MaskedReader
from musicrel.generation.infill.repair import FaultFinder, Repair
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.phrasing import openings
from musicrel.generation.quality import QUALITIES
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Sampler
from musicrel.jobs import Job
from musicrel.model.tokens import codec
from musicrel.model.tokens.conditions import Rows

if TYPE_CHECKING:
    from musicrel.model.devices import Precision

_GIBBS_COOLING: Final = 0.45  # factor of the temperature of all sweeps after the first filling
_FINAL_STEPS: Final = STEPS_PER_QUARTER
"""Length of the piece's ending in steps; a longer final chord may begin within a phrase."""

_REPAIR_PASSES: Final = 3  # number of forward passes in which a block of a repair is filled


@dataclass(frozen=True, slots=True, kw_only=True)
class InfillProgress(Progress):
    """The state of each candidate after a forward pass, (T, 4)."""

    share: float  # share of the work on them that is done, 0 to 1
    pitches: tuple[Pitches, ...]  # UNKNOWN where nothing is written yet
    onsets: tuple[Flags, ...]


class InfillBatch:
    """The candidates for one request, filled side by side; the counterpart of ``CausalBatch``.

    Args:
        precision: precision of the products; None: the machine decides.

    Attributes:
        stuck: dead ends by seed; always empty for this family.
        done: cells written so far in all candidates; every sweep counts each free cell again.
    """

    def __init__(
        self,
        model: LoadedModel,
        request: GenerationRequest,
        constraints: Constraints,
        seeds: Sequence[int],
        precision: Precision | None = None,
    ) -> None:
        self._model, self._request, plan = model, request, constraints.plan
        self._precision = precision
        self._ends = [*spans(plan.fermatas), (max(plan.steps - _FINAL_STEPS, 0), plan.steps)]
        self.stuck: dict[int, DeadEnd] = {}
        self.done = 0
        each = [replace(request, seed=seed).with_sampled_key(model.conditions) for seed in seeds]
        sampler = self._sampler = Sampler.of(request)
        self._cool_sampler = sampler._replace(temperature=sampler.temperature * _GIBBS_COOLING)
        self._states = [
            InfillState(
                constraints,
                _conditions(model, one.plan(), one),
                np.random.default_rng(one.seed if sampler.temperature else 0),  # 0: deterministic
            )
            for one in each
        ]
        self._finders = [
            FaultFinder.of(
                one.plan(), model.conditions, one.cadence, constraints.locked_tokens, one.seed
            )
            for one in each
        ]
        self._repeats = [one.stollen() for one in each]
        self._quality = QUALITIES[request.quality]
        self._sweeps = 1 + self._quality.gibbs_sweeps + len(self._quality.span_sweeps)
        copied = sum(again[1] * len(Voice) for again in self._repeats if again)
        self._cells = int(self._states[0].free.sum()) * len(seeds) - copied
        if quality.searches(request.quality, request.temperature):
            for state, one in zip(self._states, each, strict=True):
                state.narrow_opening(one.begins_on or openings.ANY, one.key)

    def run(self) -> Job[Progress, tuple[list[codec.Ids], Nats]]:
        """Fill and resample all candidates; in bar form the Stollen first, then what follows.

        Returns:
            The tokens of every candidate, START first, and -log p of its cells in nats, (B, T, 4),
            each given all cells except its neighbours in the same voice.
        """
        steps = len(self._states[0].tokens)
        if self._repeats[0] is not None:
            yield from self._write(self._repeats[0][0])
            for state, again in zip(self._states, self._repeats, strict=True):
                state.repeat(*again or (steps, 0))
        yield from self._write(steps)
        nats = [self._nats(state.tokens, state.conditions_NC) for state in self._states]
        return [state.ids() for state in self._states], np.stack(nats)

    def _write(self, stop: int) -> Job[Progress, None]:
        """Write all hidden cells before a step."""
        for state in self._states:
            state.free_within(stop)
        free_BT4 = np.stack([state.free for state in self._states])
        self._region, self._free_cells = (
            _region(np.asarray(free_BT4.any(axis=0))),
            int(free_BT4.sum()),
        )
        passes = self._quality.fill_passes
        each = [gibbs_blocks.filling_places(one.free, self._ends, passes) for one in self._states]
        for places in zip_longest(*each, fillvalue=[]):
            yield from self._fill(places)
        for sweep in range(self._quality.gibbs_sweeps):
            if sweep in self._quality.span_sweeps:
                yield from self._span_sweep()
            yield from self._gibbs_sweep()
        if self._quality.repairs and self._cool_sampler.temperature:
            yield from self._repair()

    def nats(self, piece: Chorale) -> Nats:
        """Return -log p of each cell of ``piece``, given all but its neighbours, (T, 4)."""
        ids = codec.encode(piece, self._model.vocabulary)[1:-1].reshape(-1, len(Voice))
        return self._nats(ids, _conditions(self._model, piece, self._request))

    def _nats(self, tokens: codec.Ids, conditions_NC: Rows) -> Nats:
        return masked_reader.cell_nats(self._reader, tokens, conditions_NC)

    @cached_property
    def _reader(self) -> MaskedReader:
        replaced = replaced_heads(self._model, self._request.mutes)
        return masked_reader.open_masked_reader(self._model, self._precision, replaced)

    def _fill(self, places: Sequence[Sequence[Sequence[Block]]]) -> Job[Progress, None]:
        """Fill places of each candidate; a forward pass draws a note or more at each of them."""
        left = [[list(blocks) for blocks in each] for each in places]
        while any(left):
            parts = self._draw([[blocks[0] for blocks in each] for each in left], self._sampler)
            for row, each in enumerate(left):
                for blocks, part in zip(each, parts[row], strict=True):
                    blocks[:1] = [part] if part else []
                left[row] = [blocks for blocks in each if blocks]
            yield self._progress()

    def _repair(self) -> Job[Progress, None]:
        repairs = [
            Repair(state, finder) for state, finder in zip(self._states, self._finders, strict=True)
        ]
        for attempt in range(self._quality.repairs):
            places = [repair.begin(_REPAIR_PASSES, masked=attempt > 0) for repair in repairs]
            if not any(places):
                return
            yield from self._fill(places)
            for repair in repairs:
                repair.end()
            yield self._progress()

    def _span_sweep(self) -> Job[Progress, None]:
        passes = self._quality.fill_passes
        waiting = [gibbs_blocks.span_blocks(one.free, passes, one.rng) for one in self._states]
        begun: list[list[Block]] = [[] for _ in self._states]
        while any(waiting) or any(begun):
            for state, ahead, blocks in zip(self._states, waiting, begun, strict=True):
                new = gibbs_blocks.take_apart(ahead, blocks)
                state.hide(new)
                blocks.extend(new)
            parts = self._draw(begun, self._cool_sampler)
            begun = [[part for part in each if part] for each in parts]
            yield self._progress()

    def _draw(
        self, blocks: Sequence[Sequence[Block]], sampler: Sampler
    ) -> list[list[Block | None]]:
        """Sample blocks of each candidate in one forward pass; return what is left of each."""
        left: list[list[Block | None]] = [[] for _ in blocks]
        for row, logits in self._read(blocks):
            left[row] = self._states[row].draw(blocks[row], logits, sampler)
            self.done += _cells(blocks[row]) - _cells([part for part in left[row] if part])
        return left

    def _gibbs_sweep(self) -> Job[Progress, None]:
        schedules = [
            gibbs_blocks.note_blocks(state.free, state.onsets, state.pitches > 0, state.rng)
            for state in self._states
        ]
        resampled = sum(_cells(group) for schedule in schedules for group in schedule)
        self.done += self._free_cells - resampled  # rests, and notes that are not free to their end
        groups = list(zip_longest(*schedules, fillvalue=[]))
        for blocks in groups or [()]:  # one event also where all cells rest
            for state, hidden in zip(self._states, blocks, strict=False):
                state.hide(hidden)
            for row, logits in self._read(blocks, inside=False):
                self._states[row].resample_pitches(blocks[row], logits, self._cool_sampler)
                self.done += _cells(blocks[row])
            yield self._progress()

    def _progress(self) -> InfillProgress:
        total = self._cells * self._sweeps
        done = min(self.done, total)  # repairs do not count
        return InfillProgress(
            done=done,
            total=total,
            share=done / max(total, 1),
            pitches=tuple(state.pitches for state in self._states),
            onsets=tuple(state.onsets for state in self._states),
        )

    def _read(
        self, blocks: Sequence[Sequence[Block]], *, inside: bool = True
    ) -> Iterator[tuple[int, Logits]]:
        """Yield the number of each candidate with blocks, and the logits of their cells.

        Without ``inside`` these are the first and the last cell of each block alone.
        """
        rows = [row for row, some in enumerate(blocks) if some]
        if not rows:
            return
        states = [self._states[row] for row in rows]
        wanted_BT4 = np.zeros((len(rows), *self._states[0].tokens.shape), dtype=np.bool_)
        for wanted_T4, row in zip(wanted_BT4, rows, strict=True):
            for block in blocks[row]:
                between = 1 if inside else max(block.stop - block.start - 1, 1)
                wanted_T4[block.start : block.stop : between, block.voice] = True
        logits = masked_reader.read_cells(
            self._reader,
            [state.tokens for state in states],
            [state.conditions_NC for state in states],
            wanted_BT4,
            self._region,
        )
        yield from zip(rows, logits, strict=True)


def _cells(blocks: Sequence[Block]) -> int:
    return sum(block.stop - block.start for block in blocks)


def _region(free: Flags) -> slice:
    steps = np.flatnonzero(free.any(axis=1))
    first, last = (int(steps[0]), int(steps[-1])) if steps.size else (0, len(free) - 1)
    return slice(first * len(Voice), (last + 1) * len(Voice))


def _conditions(model: LoadedModel, plan: Chorale, request: GenerationRequest) -> Rows:
    return model.condition_rows(plan, request.given_conditions())[:-2]
