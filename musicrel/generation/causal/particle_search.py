"""Search with particles: sequential Monte Carlo over phrases and towards locked notes.

A causal model does not see what lies ahead: sampled token by token, it misses cadences, moves in
parallels and runs into locked notes that do not fit. In each window (``search_windows``) several
particles are therefore written side by side. Potentials weigh them: the probability that a token is
legal, which is that of the locked token in a locked cell; parallels; 6-4 chords; sevenths; cross
relations; the evidence for the key; in windows without locked notes the log-odds of Bach; the
cadence and the chord at a phrase end. Particles are resampled on a beat if few of them have most of
the weight. At the end one is drawn by its weight, not the best one taken: the likeliest phrases are
the dullest. Its tokens, keys and values are taken over. A window that misses a requested cadence
or has parallels is searched again, and the best search is kept.

On a GPU the particles of all sequences are written side by side; a sequence whose window is done
waits for the others. On a CPU one sequence is searched after the other.

Source: Del Moral, Doucet and Jasra 2006, "Sequential Monte Carlo samplers"; for language models
Lew et al. 2023, "Sequential Monte Carlo Steering of Large Language Models using Probabilistic
Programs".

Dimensions: B particles of all sequences, K of one, N tokens, V vocabulary.
"""

from __future__ import annotations

from collections.abc import KeysView, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from musicrel import cores
from musicrel.chorale import Flags, Key
from musicrel.generation.causal import potentials, search_windows
from musicrel.generation.causal.batch_forward import BatchForward, DecodeSequence, batch_forwards
from musicrel.generation.causal.decoder import Chooser
from musicrel.generation.causal.last_chords import LastChords
from musicrel.generation.causal.search_windows import Window
from musicrel.generation.causal.written import Written
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.discriminator import discriminator
from musicrel.generation.events import PhraseEndTrial, SearchState
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.phrasing import openings
from musicrel.generation.sampling import Floats, Sampler, Tokens, uniforms
from musicrel.jobs import Job
from musicrel.model.tokens import codec
from musicrel.model.tokens.conditions import Rows
from musicrel.model.tokens.vocabulary import REST_TOKEN, START

_ATTEMPTS: Final = 3
"""Number of searches of a window that misses a requested cadence or has parallels."""
_ENOUGH: Final = 0.5  # effective share of the particles below which they are resampled
_STREAM: Final = 4  # separates these random numbers from those of the notes
_STREAMS_OF_AN_ATTEMPT: Final = 100_000
"""More streams of random numbers than the particles of a window ever take."""


class ParticleSearch:
    """A search with ``count`` particles for each sequence, fewer where memory is too small.

    Equal to the bit for any number of threads, among which the particles are divided.

    Args:
        is_joint: whether sequences are searched side by side; None: on a GPU.
    """

    def __init__(
        self,
        model: LoadedModel,
        constraints: Constraints,
        sampler: Sampler,
        *,
        windows: Sequence[Window],
        count: int,
        begins_on: str = openings.ANY,
        is_joint: bool | None = None,
    ) -> None:
        self._model, self._constraints, self._count = model, constraints, count
        self._begins_on = begins_on
        self._is_joint = model.device.type != "cpu" if is_joint is None else is_joint
        self._windows = {window.first: window for window in windows}
        self._chooser = Chooser(constraints, sampler, model.name)
        self._discriminator = discriminator.known(model)
        locked = constraints.locked_tokens
        self._locked_1N = np.concatenate([[START], np.where(locked < 0, REST_TOKEN, locked)])[None]
        self._last: _Branch | None = None
        self._fitting: int | None = None  # sequences whose particles fit in memory; None: all

    @property
    def starts(self) -> KeysView[int]:
        """Return the indices of the first tokens of windows."""
        return self._windows.keys()

    def forget(self) -> None:
        """Free the memory of the particles."""
        self._last = None

    def passage(
        self,
        index: int,
        forward: BatchForward,
        sequences: Sequence[DecodeSequence],
        written: Written,
    ) -> Job[PhraseEndTrial, int]:
        """Write the window that begins at ``index``; return the index after its last token.

        ``forward`` has read all tokens before it, except perhaps the last. Unless it records
        attention, it will have read all tokens of the window except the last.
        """
        window, waiting = self._windows[index], range(len(sequences))
        known = [
            replace(sequence, prompt=written.ids_BN[row, :index])
            for row, sequence in enumerate(sequences)
        ]
        while waiting:
            rows = yield from self._searched(forward, waiting, known, written, window)
            waiting = waiting[len(rows) :]
        return window.last + 1

    def _searched(
        self,
        forward: BatchForward,
        rows: range,
        sequences: Sequence[DecodeSequence],
        written: Written,
        window: Window,
    ) -> Job[PhraseEndTrial, range]:
        """Write ``window`` of the first sequences of ``rows``; return which these are."""
        best = dict.fromkeys(rows, -np.inf)
        for attempt in range(_ATTEMPTS):
            rows, branch = self._branch(forward, rows, sequences, window)
            copies = [sequences[row] for row in rows for _ in range(branch.batch // len(rows))]
            batch = Written.of(np.stack([one.prompt for one in copies]), window.read)
            searches = [
                self._search_of(
                    sequences[row], batch, slice(part.start, part.stop), window, attempt
                )
                for row, part in zip(rows, cores.parts(branch.batch, len(rows)), strict=True)
                if best[row] < 0
            ]
            yield from self._search(branch, batch, searches, window)
            for row, search in zip([row for row in rows if best[row] < 0], searches, strict=True):
                drawn = search.particles.drawn()
                loss = self._loss(search.particles.written.ids_BN[[drawn]], search)
                is_last_choice = attempt == _ATTEMPTS - 1 and loss == best[row]
                if loss > best[row] or is_last_choice:
                    best[row] = loss
                    kept = slice(window.first, window.last + 1)
                    written.take(row, kept, search.particles.written, drawn)
                    if not forward.records:
                        source = search.rows.start + drawn
                        forward.take(row, branch, source, window.last, shared=window.first - 1)
            if all(best[row] == 0 for row in rows):
                break
        return rows

    def _search_of(
        self,
        sequence: DecodeSequence,
        batch: Written,
        rows: slice,
        window: Window,
        attempt: int,
    ) -> _Search:
        key = sequence.key
        window = window.with_drawn_closes(sequence.seed, self._constraints.plan.steps, key)
        last_chords = LastChords(self._constraints, window.ends, key, self._begins_on)
        particles = Particles(sequence, window, batch.part(rows), attempt)
        return _Search(particles, rows, window, key, last_chords)

    def _search(
        self, forward: BatchForward, batch: Written, searches: Sequence[_Search], window: Window
    ) -> Job[PhraseEndTrial, None]:
        first = window.first
        while first <= window.read:
            if first > window.first:
                yield from self._resample(forward, searches, first, window)
            stop = first + 1
            if not any(search.last_chords.narrows(first) for search in searches):
                while not any(search.stops(stop) for search in searches):
                    stop += 1
            self._write(forward, batch, searches, first, stop)
            if search_windows.ends_beat(stop - 1):
                self._weigh_beat(searches, stop)
            for search in searches:
                self._weigh_ends(search, stop)
            yield PhraseEndTrial()
            first = stop

    def _resample(
        self, forward: BatchForward, searches: Sequence[_Search], first: int, window: Window
    ) -> Job[PhraseEndTrial, None]:
        """Resample where few particles have most of the weight, before the token ``first``."""
        rows_B = np.arange(forward.batch)
        for search in searches:
            if search.window.is_checkpoint(first):
                particles = search.particles
                size = effective_size(particles.log_weight_K)
                yield SearchState(effective_size=size, particles=len(particles))
                if size < _ENOUGH * len(particles):
                    rows_B[search.rows] = search.rows.start + particles.resample()
        if (rows_B != np.arange(forward.batch)).any():
            forward.select(rows_B, shared=window.first)

    def _loss(self, ids_1N: codec.Ids, search: _Search) -> float:
        """Return the log-weight of a piece in its window; 0: it has all that is asked for.

        Requested cadences count, and parallels but those of locked voices.
        """
        window = search.window
        closes = (
            potentials.cadence(ids_1N[:, : end.last + 1], end, self._constraints, search.key)[0]
            for end in window.ends
            if end.kind and not end.is_drawn
        )
        free = self._parallels(ids_1N, window) - self._parallels(self._locked_1N, window)
        return float(sum(closes) + free)

    def _parallels(self, ids_1N: codec.Ids, window: Window) -> float:
        beats = filter(search_windows.ends_beat, range(window.first, window.last + 1))
        parts = (ids_1N[:, : index + 1] for index in beats)
        return sum(float(potentials.parallels(part, self._constraints)[0]) for part in parts)

    def _branch(
        self,
        forward: BatchForward,
        rows: range,
        sequences: Sequence[DecodeSequence],
        window: Window,
    ) -> tuple[range, BatchForward]:
        """Return the forward pass of the particles of the first of ``rows``, and which these are.

        It is that of the last window if it has the same sequences.
        """
        last, self._last = self._last, None
        rows = rows[: self._fitting if self._is_joint else 1]
        if last is not None and last.is_of(rows, sequences):
            rows, opened = last.rows, last.forward
            rows_B = np.repeat(rows, opened.batch // len(rows))
            prompts_BT = np.stack([sequences[row].prompt for row in rows_B])
            opened.branch_from(forward, rows_B, prompts_BT, shared=last.first)
        else:
            del last  # its memory is needed
            rows_B = np.repeat(rows, self._count)
            copies = [sequences[row] for row in rows_B]
            parts = batch_forwards(self._model, copies, window.read, branch=(forward, rows_B))
            opened = next(part for _, part in parts if part is not None)
            if opened.batch < len(copies) and len(rows) > 1:
                self._fitting = max(1, opened.batch // self._count)
                rows = rows[: self._fitting]
                if opened.batch != len(rows) * self._count:
                    del opened, parts
                    return self._branch(forward, rows, sequences, window)
        conditions = [sequences[row].conditions_NC for row in rows]
        self._last = _Branch(opened, rows, conditions, window.first)
        return rows, opened

    def _write(
        self,
        forward: BatchForward,
        batch: Written,
        searches: Sequence[_Search],
        first: int,
        stop: int,
    ) -> None:
        wanted_BV = self._wanted(batch.ids_BN[:, :first], searches)
        if wanted_BV is None:
            self._chooser.write(forward, batch, first, stop)
        else:
            logits_BV, _ = forward.next(batch.ids_BN[:, first - 1])
            self._chooser.choose(batch, first, logits_BV, wanted_BV)
        is_locked_N = self._constraints.locked_tokens[first - 1 : stop - 1] >= 0
        log_weight_B = potentials.of_choices(batch, slice(first, stop), is_locked_N)
        for search in searches:
            search.particles.log_weight_K += log_weight_B[search.rows]

    def _wanted(self, ids_BN: codec.Ids, searches: Sequence[_Search]) -> Flags | None:
        """Return the tokens wanted in the next cell, bool (B, V); None where all are."""
        wanted_BV: Flags | None = None
        for search in searches:
            wanted_KV = search.last_chords.next_tokens(ids_BN[search.rows])
            if wanted_KV is not None:
                if wanted_BV is None:
                    wanted_BV = np.ones((len(ids_BN), wanted_KV.shape[1]), dtype=np.bool_)
                wanted_BV[search.rows] = wanted_KV
        return wanted_BV

    def _weigh_beat(self, searches: Sequence[_Search], stop: int) -> None:
        """Weigh the particles by the beat that ends with the newest token."""
        ids_BN, own = _ids(searches, stop), self._constraints
        _add(searches, potentials.parallels(ids_BN, own))
        _add(searches, potentials.unresolved_sevenths(ids_BN, own))
        for (key, is_open, stays), some in _by_key(searches).items():
            ids_BN = _ids(some, stop)
            _add(some, potentials.six_fours(ids_BN, own, is_open=is_open))
            if key is not None:
                _add(some, potentials.key_evidence(ids_BN, own, key, is_open=stays))
                _add(some, potentials.simultaneous_cross_relations(ids_BN, own, key))
            if is_open and self._discriminator is not None:
                known = self._discriminator
                _add(some, potentials.discriminator_logit(ids_BN, own, key, known))

    def _weigh_ends(self, search: _Search, stop: int) -> None:
        """Weigh the particles by the phrase that ends with the newest token, or will soon."""
        index, own = stop - 1, self._constraints
        ids_KN = search.particles.written.ids_BN[:, :stop]
        for end in search.window.ends:
            if index == end.last:
                _add([search], potentials.cadence(ids_KN, end, own, search.key))
                _add([search], potentials.unstable_chords(ids_KN, own))
            elif end.kind and index == end.approach.start:
                _add([search], potentials.before_cadence(ids_KN, end, own, search.key))


def _ids(searches: Sequence[_Search], stop: int) -> codec.Ids:
    """Return the tokens before ``stop`` of all particles of some searches."""
    return np.concatenate([search.particles.written.ids_BN[:, :stop] for search in searches])


def _add(searches: Sequence[_Search], log_weight_B: Floats) -> None:
    parts = np.split(log_weight_B, len(searches))
    for search, log_weight_K in zip(searches, parts, strict=True):
        search.particles.log_weight_K += log_weight_K


def _by_key(searches: Sequence[_Search]) -> dict[tuple[Key | None, bool, bool], list[_Search]]:
    """Return searches by their key, whether they are open, and whether they stay in their key."""
    found: dict[tuple[Key | None, bool, bool], list[_Search]] = {}
    for search in searches:
        window = search.window
        stays = window.is_open and not window.leaves_key
        found.setdefault((search.key, window.is_open, stays), []).append(search)
    return found


class _Search(NamedTuple):
    """The search of one sequence in a window."""

    particles: Particles
    rows: slice  # of its particles in the batch
    window: Window  # with its closes
    key: Key | None
    last_chords: LastChords

    def stops(self, stop: int) -> bool:
        """Return True where particles get weights, or fewer tokens are wanted from ``stop`` on."""
        return self.window.is_judged(stop - 1) or self.last_chords.narrows(stop)


class _Branch(NamedTuple):
    forward: BatchForward
    rows: range  # numbers of the sequences
    conditions: list[Rows]  # of each sequence
    first: int  # number of first tokens that all particles have in common with their sequence

    def is_of(self, rows: range, sequences: Sequence[DecodeSequence]) -> bool:
        own = rows[: len(self.rows)]
        return own == self.rows and all(
            sequences[row].conditions_NC is known
            for row, known in zip(own, self.conditions, strict=True)
        )


def effective_size(log_weight_K: Floats) -> float:
    """Return the effective sample size, 1 (one particle has all the weight) to K (all are equal).

    1 / sum of the squared normalised weights (Kong, Liu and Wong 1994).
    """
    return float(1 / (_normalised(log_weight_K) ** 2).sum())


def systematic(log_weight_K: Floats, uniform: float) -> Tokens:
    """Draw the particle, int64 (K,), that each one continues (systematic, Kitagawa 1996).

    Particles that are drawn stay in their place; the others become copies of those drawn again.
    """
    count = len(log_weight_K)
    places_K = (np.arange(count) + uniform) / count
    times_K = np.bincount(_indices(log_weight_K, places_K), minlength=count)
    rows_K = np.arange(count)
    rows_K[times_K == 0] = np.repeat(rows_K, np.maximum(times_K - 1, 0))
    return rows_K


def draw(log_weight_K: Floats, uniform: float) -> int:
    """Draw a particle with a probability in proportion to its weight."""
    return int(_indices(log_weight_K, np.array([uniform]))[0])


def _normalised(log_weight_K: Floats) -> Floats:
    weight_K = np.exp(log_weight_K - log_weight_K.max())
    return np.asarray(weight_K / weight_K.sum())


def _indices(log_weight_K: Floats, places: Floats) -> Tokens:
    """Return the particle at each of ``places``, 0 to 1, of the cumulative weights."""
    cumulative_K = _normalised(log_weight_K).cumsum()
    found = np.searchsorted(cumulative_K / cumulative_K[-1], places, side="right")
    return np.asarray(np.minimum(found, len(log_weight_K) - 1))


class Particles:
    """The particles of one sequence in one window.

    Args:
        sequence: what is written before the window, as its prompt.
        written: what each has written; it gets random numbers for the window.
        attempt: number of the search of this window, from 0; each has its own random numbers.

    Attributes:
        log_weight_K: float64 (K,), log-weights since the last resampling.
    """

    def __init__(
        self, sequence: DecodeSequence, window: Window, written: Written, attempt: int = 0
    ) -> None:
        self._seed, self._length = sequence.seed, window.read
        entropy = [sequence.seed, _STREAM, window.first]
        self._random = np.random.default_rng([*entropy, attempt] if attempt else entropy)
        self._streams = attempt * _STREAMS_OF_AN_ATTEMPT
        self.written, self.log_weight_K = written, np.zeros(len(written.ids_BN))
        self._draw_uniforms()

    def __len__(self) -> int:
        return len(self.log_weight_K)

    def resample(self) -> Tokens:
        """Replace particles of little weight by copies of others; all get new random numbers.

        Returns:
            int64 (K,), the particle that each one continues.
        """
        rows_K = systematic(self.log_weight_K, self._random.random())
        for own_KN in (*self.written.choices, self.written.is_dead_BN):
            own_KN[:] = own_KN[rows_K]
        self._draw_uniforms()
        self.log_weight_K[:] = 0.0
        return rows_K

    def drawn(self) -> int:
        return draw(self.log_weight_K, self._random.random())

    def _draw_uniforms(self) -> None:
        for number, uniforms_N in enumerate(self.written.uniforms_BN, self._streams):
            uniforms_N[:] = uniforms(self._seed, self._length, number)
        self._streams += len(self)
