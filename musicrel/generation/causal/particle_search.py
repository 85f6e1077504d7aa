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

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import Key
from musicrel.generation.causal import potentials, search_windows
from musicrel.generation.causal.batch_forward import BatchForward, DecodeSequence, batch_forwards
from musicrel.generation.causal.decoder import Chooser
from musicrel.generation.causal.last_chords import LastChords
from musicrel.generation.causal.search_windows import Window
from musicrel.generation.cell_constraints import Constraints, DeadEnd
from musicrel.generation.discriminator import discriminator, network
from musicrel.generation.events import PhraseEndTrial, SearchState
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Choice, Floats, Sampler, Tokens, uniforms
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

    ``passage`` is its ``decoder.Search``.
    """

    def __init__(
        self,
        model: LoadedModel,
        constraints: Constraints,
        sampler: Sampler,
        *,
        windows: Sequence[Window],
        count: int,
    ) -> None:
        self._model, self._constraints, self._count = model, constraints, count
        self._windows = {window.first: window for window in windows}
        self._chooser = Chooser(constraints, sampler, model.name)
        known, networks = discriminator.known(model), network.known(model)
        self._judges: list[Callable[[codec.Ids, Constraints, Key | None], Floats]] = []
        if known is not None:
            self._judges.append(partial(potentials.discriminator_logit, discriminator=known))
        if networks:
            self._judges.append(partial(potentials.network_logit, networks=networks))
        locked = constraints.locked_tokens
        self._locked_1N = np.concatenate([[START], np.where(locked < 0, REST_TOKEN, locked)])[None]
        self._last: _Branch | None = None

    def passage(
        self,
        index: int,
        forward: BatchForward,
        sequences: Sequence[DecodeSequence],
        ids_BN: codec.Ids,
    ) -> Job[PhraseEndTrial, Iterator[Choice] | None]:
        window = self._windows.get(index)
        if window is None:
            return None
        found = []
        for row, sequence in enumerate(sequences):
            written = replace(sequence, prompt=ids_BN[row])
            found.append((yield from self._written(forward, row, written, window)))
        return self._choices(found)

    def _choices(self, passages: Sequence[Passage]) -> Iterator[Choice]:
        """Yield each token of all sequences; note the dead ends of that token first."""
        fields = zip(*(passage.choices_N for passage in passages), strict=True)
        choices_BN = Choice(*map(np.stack, fields))
        for place in range(choices_BN.tokens.shape[1]):
            for row, passage in enumerate(passages):
                if place in passage.dead_ends:
                    self._constraints.dead_ends.setdefault(row, passage.dead_ends[place])
            yield choices_BN.at((slice(None), place))

    def _written(
        self, forward: BatchForward, row: int, sequence: DecodeSequence, window: Window
    ) -> Job[PhraseEndTrial, Passage]:
        """Write ``window`` with particles; return one, which ``forward`` has then read."""
        key = sequence.key
        window = window.with_drawn_closes(sequence.seed, self._constraints.plan.steps, key)
        losses, attempt = list[float](), 0
        while True:
            branch = self._branch(forward, row, sequence, window)
            particles = Particles(sequence, window, branch.batch, attempt)
            yield from self._search(branch, particles, window, key)
            drawn = particles.drawn()
            losses.append(self._loss(particles.ids_KN[[drawn]], window, key))
            following = _next_attempt(losses)
            if following is None:
                break
            attempt = following
        if not forward.records:
            forward.take(row, branch, drawn, window.last, shared=window.first - 1)
        return particles.passage(drawn)

    def _search(
        self, forward: BatchForward, particles: Particles, window: Window, key: Key | None
    ) -> Job[PhraseEndTrial, None]:
        last_chords = LastChords(self._constraints, window.ends, key)
        for index in range(window.first, window.read + 1):
            if index > window.first and window.is_checkpoint(index):
                size = effective_size(particles.log_weight_K)
                yield SearchState(effective_size=size, particles=len(particles))
                if size < _ENOUGH * len(particles):
                    forward.select(particles.resample(), shared=window.first)
            self._write(forward, last_chords, particles, index)
            self._weigh(particles, window, index, key)
            yield PhraseEndTrial()

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
        self, forward: BatchForward, last_chords: LastChords, particles: Particles, index: int
    ) -> None:
        ids_KN = particles.ids_KN
        logits_KV, _ = forward.next(ids_KN[:, index - 1])
        narrowed_KV = last_chords.legal_next_tokens(ids_KN[:, :index])
        choice = self._chooser.choose(
            ids_KN, index, logits_KV, particles.uniforms(index), narrowed_KV
        )
        dead_ends = self._constraints.dead_ends
        particles.write(index, choice, dead_ends)
        is_locked = bool(self._constraints.locked_tokens[index - 1] >= 0)
        log_weight_K = potentials.of_choice(choice, is_locked=is_locked)
        log_weight_K[list(dead_ends)] = potentials.DEAD_END
        dead_ends.clear()
        particles.log_weight_K += log_weight_K

    def _weigh(self, particles: Particles, window: Window, index: int, key: Key | None) -> None:
        """Weigh the particles by the beat and the phrase that end with the token ``index``."""
        ids_KN, constraints = particles.ids_KN[:, : index + 1], self._constraints
        found: list[Floats] = []
        if search_windows.ends_beat(index):
            found.append(potentials.parallels(ids_KN, constraints))
            found.append(potentials.untreated_six_fours(ids_KN, constraints))
            found.append(potentials.unresolved_sevenths(ids_KN, constraints))
            if key is not None:
                is_open = window.is_open
                found.append(potentials.key_evidence(ids_KN, constraints, key, is_open=is_open))
                found.append(potentials.simultaneous_cross_relations(ids_KN, constraints, key))
            judges = self._judges if window.is_open else []
            found += [judge(ids_KN, constraints, key) for judge in judges]
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


class Passage(NamedTuple):
    """The tokens of a window that one particle has chosen, to the last that is kept."""

    choices_N: Choice
    dead_ends: Mapping[int, DeadEnd]  # cells without a legal token, by their place in the choices


class Particles:
    """The particles of one window.

    Args:
        sequence: what is written before the window, as its prompt.
        attempt: number of the search of this window, from 0; each has its own random numbers.

    Attributes:
        log_weight_K: float64 (K,), log-weights since the last resampling.
    """

    def __init__(
        self, sequence: DecodeSequence, window: Window, count: int, attempt: int = 0
    ) -> None:
        self._seed, self._window = sequence.seed, window
        entropy = [sequence.seed, _STREAM, window.first]
        self._random = np.random.default_rng([*entropy, attempt] if attempt else entropy)
        shape = count, window.read + 1
        ids_KN = np.zeros(shape, dtype=np.int64)
        ids_KN[:, : window.first] = sequence.prompt
        self._choices_KN = Choice(ids_KN, np.zeros(shape), np.zeros(shape), np.zeros(shape))
        self.log_weight_K = np.zeros(count)
        self._dead_ends_K: list[dict[int, DeadEnd]] = [{} for _ in range(count)]
        self._streams = attempt * _STREAMS_OF_AN_ATTEMPT
        self._draw_uniforms()

    def __len__(self) -> int:
        return len(self.log_weight_K)

    @property
    def ids_KN(self) -> codec.Ids:  # noqa: N802  # shape suffix
        """Return the tokens, START first, int64 (K, read + 1)."""
        return self._choices_KN.tokens

    def uniforms(self, index: int) -> Floats:
        return np.asarray(self._uniforms_KN[:, index - 1])

    def write(self, index: int, choice: Choice, dead_ends: Mapping[int, DeadEnd]) -> None:
        """Write the token ``index`` of each; dead ends are by the number of the particle."""
        for all_KN, new_K in zip(self._choices_KN, choice, strict=True):
            all_KN[:, index] = new_K
        for row, end in dead_ends.items():
            self._dead_ends_K[row][index - self._window.first] = end

    def resample(self) -> Tokens:
        """Replace particles of little weight by copies of others; all get new random numbers.

        Returns:
            int64 (K,), the particle that each one continues.
        """
        rows_K = systematic(self.log_weight_K, self._random.random())
        self._choices_KN = self._choices_KN.at(rows_K)
        self.log_weight_K = np.zeros(len(self))
        self._dead_ends_K = [{**self._dead_ends_K[row]} for row in rows_K]
        self._draw_uniforms()
        return rows_K

    def drawn(self) -> int:
        return draw(self.log_weight_K, self._random.random())

    def passage(self, row: int) -> Passage:
        kept = slice(self._window.first, self._window.last + 1)
        return Passage(self._choices_KN.at((row, kept)), self._dead_ends_K[row])

    def _draw_uniforms(self) -> None:
        streams = range(self._streams, self._streams + len(self))
        self._streams += len(self)
        length = self._window.read
        self._uniforms_KN = np.stack([uniforms(self._seed, length, stream) for stream in streams])
