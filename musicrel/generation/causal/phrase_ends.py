"""Best-of-n decoding of phrase endings.

A causal model does not see where a phrase has to arrive: sampled token by token, it often misses
its cadence although a continuation that closes is far more probable as a whole. The last steps
before each phrase end are therefore sampled several times, each with random numbers of its own, and
the sample with the highest log-probability (locked tokens included) is kept: best of n by
likelihood. The number of samples depends on the quality level.

Dimensions: B sequences, N tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Final

import numpy as np

from musicrel.chorale import Chorale
from musicrel.generation.causal import decoder
from musicrel.generation.causal.batch_forward import BatchForward, batch_forwards
from musicrel.generation.causal.decode_sequence import DecodeSequence
from musicrel.generation.causal.decoder import Column
from musicrel.generation.constraints.cell_constraints import Constraints
from musicrel.generation.events import PhraseEndTrial
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.quality import QUALITIES
from musicrel.jobs import Job
from musicrel.score.notes import spans
from musicrel.tokens import codec

_MAX_ENDING_TOKENS: Final = 28 * codec.VOICES
"""Longest ending in tokens: seven quarters, enough to prepare a cadence."""


class PhraseEndSearch:
    """A search for the most probable ending of each phrase; see ``decoder.StreamSwitch``.

    Args:
        model: a causal model.
        constraints: legal tokens, and the plan with the phrase ends.
        quality: a name in ``QUALITIES``.
        first_index: index of the first token that is not written yet.
    """

    def __init__(
        self, model: LoadedModel, constraints: Constraints, quality: str, first_index: int
    ) -> None:
        self._model, self._constraints = model, constraints
        self._samples = QUALITIES[quality].phrase_end_samples
        ends = _phrase_ends(model, constraints.plan) if self._samples > 1 else []
        self._endings = dict(_free_endings(ends, constraints.locked_tokens, first_index))

    def switched(
        self,
        index: int,
        forward: BatchForward,
        sequences: Sequence[DecodeSequence],
        ids_BN: codec.Ids,
    ) -> Job[PhraseEndTrial, Sequence[DecodeSequence] | None]:
        """Return the sequences with the best sample of the ending that begins at ``index``."""
        if index not in self._endings:
            return None
        switched: list[DecodeSequence] = []
        for row, sequence in enumerate(sequences):
            if sequence.sampling.is_greedy:  # all samples would be equal
                switched.append(sequence)
                continue
            written = replace(sequence, prompt=ids_BN[row])
            stream = yield from self._best_stream(forward, row, written, self._endings[index])
            switched.append(sequence.with_stream(index, stream))
        return switched

    def _best_stream(
        self, forward: BatchForward, row: int, sequence: DecodeSequence, end: int
    ) -> Job[PhraseEndTrial, int]:
        """Return the stream of the most probable sample up to index ``end``.

        A sample that reaches a dead end is chosen only where all do.
        """
        log_p = np.full(self._samples, -np.inf)
        index = len(sequence.prompt)
        samples = [sequence.with_stream(index, stream) for stream in range(self._samples)]
        for streams, branch in batch_forwards(self._model, samples, end, branch=(forward, row)):
            if branch is None:
                continue
            log_p[streams] = 0.0
            batch = samples[streams.start : streams.stop]
            job = decoder.decode_batch(branch, batch, streams, self._constraints)
            with closing(job) as events:
                for event in events:
                    if isinstance(event, Column):
                        log_p[streams] += event.log_probability
                        stuck = [streams[number] for number in self._constraints.dead_ends]
                        log_p[stuck] = -np.inf
                        self._constraints.dead_ends.clear()
                    yield PhraseEndTrial()
        return int(log_p.argmax())


def _phrase_ends(model: LoadedModel, plan: Chorale) -> list[int]:
    """Return the index of the last token of every phrase whose end conditions the model."""
    stops = {plan.steps} if "ending" in model.conditions else set()
    if "fermata" in model.conditions:
        stops |= {stop for _, stop in spans(plan.fermatas)}
    return [stop * codec.VOICES for stop in sorted(stops)]


def _free_endings(
    ends: Sequence[int], locked_tokens: codec.Ids, first_index: int
) -> Iterator[tuple[int, int]]:
    """Yield the first and the last index of each ending that has a free token."""
    first = first_index
    for end in ends:
        first = max(first, end - _MAX_ENDING_TOKENS + 1)
        if (locked_tokens[first - 1 : end] < 0).any():
            yield first, end
        first = max(first, end + 1)
