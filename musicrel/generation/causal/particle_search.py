"""Search with particles: sequential Monte Carlo over phrases and towards locked notes.

A causal model does not see what lies ahead: sampled token by token, it misses cadences, moves in
parallels and runs into locked notes that do not fit. In each window (``search_windows``) several
particles are therefore written side by side. Potentials weigh them: the probability that a token is
legal, which is that of the locked token in a locked cell; parallels; 6-4 chords; sevenths; cross
relations; the evidence for the key; in windows without locked notes the log-odds of Bach; the
cadence and the chord at a phrase end. Particles are resampled on a beat if few of them have most of
the weight. At the end one is drawn by its weight, not the best one taken: the likeliest phrases are
the dullest. Its tokens, keys and values are taken over. A window that misses a requested cadence
or has parallels is searched again.

Source: Del Moral, Doucet and Jasra 2006, "Sequential Monte Carlo samplers"; for language models
Lew et al. 2023, "Sequential Monte Carlo Steering of Large Language Models using Probabilistic
Programs".

Dimensions: B sequences, K particles, N tokens, V vocabulary.
"""

from __future__ import annotations

from collections.abc import KeysView, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import Key
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
"""Number of searches of a window that misses a requested cadence or has parallels. The best one is
kept; if it was not the last, it is repeated."""
_ENOUGH: Final = 0.5  # effective share of the particles below which they are resampled
_STREAM: Final = 4  # separates these random numbers from those of the notes
_STREAMS_OF_AN_ATTEMPT: Final = 100_000
"""More streams of random numbers than the particles of a window ever take."""


class ParticleSearch:
    """A search with ``count`` particles, fewer where memory is too small.

    Equal to the bit for any number of threads, among which the particles are divided.
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
    ) -> None:
        self._model, self._constraints, self._count = model, constraints, count
        self._begins_on = begins_on
        self._windows = {window.first: window for window in windows}
        self._chooser = Chooser(constraints, sampler, model.name)
        self._discriminator = discriminator.known(model)
        locked = constraints.locked_tokens
        self._locked_1N = np.concatenate([[START], np.where(locked < 0, REST_TOKEN, locked)])[None]
        self._last: _Branch | None = None

    @property
    def starts(self) -> KeysView[int]:
        """Return the indices of the first tokens of windows."""
        return self._windows.keys()

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
        window = self._windows[index]
        for row, sequence in enumerate(sequences):
            known = replace(sequence, prompt=written.ids_BN[row, :index])
            particles, drawn = yield from self._searched(forward, row, known, window)
            written.take(row, slice(index, window.last + 1), particles.written, drawn)
        return window.last + 1

    def _searched(
        self, forward: BatchForward, row: int, sequence: DecodeSequence, window: Window
    ) -> Job[PhraseEndTrial, tuple[Particles, int]]:
        """Write ``window`` with particles; return them and the one that ``forward`` continues."""
        key = sequence.key
        window = window.with_drawn_closes(sequence.seed, self._constraints.plan.steps, key)
        losses, attempt = list[float](), 0
        while True:
            branch = self._branch(forward, row, sequence, window)
            particles = Particles(sequence, window, branch.batch, attempt)
            yield from self._search(branch, particles, window, key)
            drawn = particles.drawn()
            losses.append(self._loss(particles.written.ids_BN[[drawn]], window, key))
            following = _next_attempt(losses)
            if following is None:
                break
            attempt = following
        if not forward.records:
            forward.take(row, branch, drawn, window.last, shared=window.first - 1)
        return particles, drawn

    def _search(
        self, forward: BatchForward, particles: Particles, window: Window, key: Key | None
    ) -> Job[PhraseEndTrial, None]:
        last_chords = LastChords(self._constraints, window.ends, key, self._begins_on)
        first = window.first
        while first <= window.read:
            if first > window.first and window.is_checkpoint(first):
                size = effective_size(particles.log_weight_K)
                yield SearchState(effective_size=size, particles=len(particles))
                if size < _ENOUGH * len(particles):
                    forward.select(particles.resample(), shared=window.first)
            stop = first + 1
            if not last_chords.narrows(first):
                while not (window.is_judged(stop - 1) or last_chords.narrows(stop)):
                    stop += 1
            self._write(forward, last_chords, particles, first, stop)
            self._weigh(particles.written.ids_BN[:, :stop], particles, window, key)
            yield PhraseEndTrial()
            first = stop

    def _loss(self, ids_1N: codec.Ids, window: Window, key: Key | None) -> float:
        """Return the log-weight of a piece in ``window``; 0: it has all that is asked for.

        Requested cadences count, and parallels but those of locked voices.
        """
        closes = (
            potentials.cadence(ids_1N[:, : end.last + 1], end, self._constraints, key)[0]
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
        self, forward: BatchForward, row: int, sequence: DecodeSequence, window: Window
    ) -> BatchForward:
        """Return the forward pass of the particles: that of the last window if it fits."""
        last, self._last = self._last, None
        if last is not None and last.conditions_NC is sequence.conditions_NC:
            last.forward.branch_from(forward, row, sequence.prompt, shared=last.first)
            self._last = last._replace(first=window.first)
            return last.forward
        del last  # its memory is needed
        copies = [sequence] * self._count
        parts = batch_forwards(self._model, copies, window.read, branch=(forward, row))
        opened = next(part for _, part in parts if part is not None)
        self._last = _Branch(opened, sequence.conditions_NC, window.first)
        return opened

    def _write(
        self,
        forward: BatchForward,
        last_chords: LastChords,
        particles: Particles,
        first: int,
        stop: int,
    ) -> None:
        written = particles.written
        wanted_KV = last_chords.next_tokens(written.ids_BN[:, :first])
        if wanted_KV is None:
            self._chooser.write(forward, written, first, stop)
        else:
            logits_KV, _ = forward.next(written.ids_BN[:, first - 1])
            self._chooser.choose(written, first, logits_KV, wanted_KV)
        is_locked_N = self._constraints.locked_tokens[first - 1 : stop - 1] >= 0
        particles.log_weight_K += potentials.of_choices(written, slice(first, stop), is_locked_N)

    def _weigh(
        self, ids_KN: codec.Ids, particles: Particles, window: Window, key: Key | None
    ) -> None:
        """Weigh the particles by the beat and the phrase that end with the newest token."""
        index, constraints = ids_KN.shape[1] - 1, self._constraints
        found: list[Floats] = []
        if search_windows.ends_beat(index):
            found.append(potentials.parallels(ids_KN, constraints))
            found.append(potentials.untreated_six_fours(ids_KN, constraints))
            found.append(potentials.unresolved_sevenths(ids_KN, constraints))
            if key is not None:
                is_open = window.is_open and not window.leaves_key
                found.append(potentials.key_evidence(ids_KN, constraints, key, is_open=is_open))
                found.append(potentials.simultaneous_cross_relations(ids_KN, constraints, key))
            if window.is_open and self._discriminator is not None:
                found.append(
                    potentials.discriminator_logit(ids_KN, constraints, key, self._discriminator)
                )
        for end in window.ends:
            if index == end.last:
                found.append(potentials.cadence(ids_KN, end, constraints, key))
                found.append(potentials.unstable_chords(ids_KN, constraints))
            elif end.kind and index == end.approach.start:
                found.append(potentials.before_cadence(ids_KN, end, constraints, key))
        for log_weight_K in found:
            particles.log_weight_K += log_weight_K


def _next_attempt(losses: Sequence[float]) -> int | None:
    """Return the number of the search of a window that comes next; None: the last one is kept.

    The log-weights of what each search has written, in their order, are 0 at best.
    """
    if losses[-1] == 0 or len(losses) > _ATTEMPTS:
        return None
    if len(losses) < _ATTEMPTS:
        return len(losses)
    best = max(losses)
    return None if losses[-1] == best else losses.index(best)


class _Branch(NamedTuple):
    forward: BatchForward
    conditions_NC: Rows  # condition rows of the sequence
    first: int  # number of first tokens that all particles have in common with the sequence


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
    """The particles of one window.

    Args:
        sequence: what is written before the window, as its prompt.
        attempt: number of the search of this window, from 0; each has its own random numbers.

    Attributes:
        written: what each has written.
        log_weight_K: float64 (K,), log-weights since the last resampling.
    """

    def __init__(
        self, sequence: DecodeSequence, window: Window, count: int, attempt: int = 0
    ) -> None:
        self._seed, self._length = sequence.seed, window.read
        entropy = [sequence.seed, _STREAM, window.first]
        self._random = np.random.default_rng([*entropy, attempt] if attempt else entropy)
        self._streams = attempt * _STREAMS_OF_AN_ATTEMPT
        self.log_weight_K = np.zeros(count)
        prompts_KN = np.tile(sequence.prompt, (count, 1))
        self.written = Written.of(prompts_KN, window.read, self._uniforms())

    def __len__(self) -> int:
        return len(self.log_weight_K)

    def resample(self) -> Tokens:
        """Replace particles of little weight by copies of others; all get new random numbers.

        Returns:
            int64 (K,), the particle that each one continues.
        """
        rows_K = systematic(self.log_weight_K, self._random.random())
        choices, is_dead_KN = self.written.choices.at(rows_K), self.written.is_dead_BN[rows_K]
        self.written = Written(choices, self._uniforms(), is_dead_KN)
        self.log_weight_K = np.zeros(len(self))
        return rows_K

    def drawn(self) -> int:
        return draw(self.log_weight_K, self._random.random())

    def _uniforms(self) -> Floats:
        streams = range(self._streams, self._streams + len(self))
        self._streams += len(self)
        return np.stack([uniforms(self._seed, self._length, stream) for stream in streams])
