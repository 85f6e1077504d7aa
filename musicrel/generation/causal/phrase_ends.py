"""Best-of-n decoding of phrase endings.

A causal model does not see where a phrase has to arrive: sampled token by token, it often misses
its cadence although a continuation that closes is far more probable as a whole. The last steps
before each phrase end are therefore sampled several times, each with random numbers of its own, and
the sample with the highest log-probability (locked tokens included) is kept: best of n by
likelihood. The number of samples depends on the quality level.

Dimensions: B sequences, N tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Final

import numpy as np

from musicrel.chorale import Chorale, spans
from musicrel.generation.causal import decoder
from musicrel.generation.causal.batch_forward import BatchForward, batch_forwards
from musicrel.generation.causal.decode_sequence import DecodeSequence
from musicrel.generation.causal.decoder import Column, DecodingEvent
from musicrel.generation.constraints.cell_constraints import Constraints
from musicrel.generation.events import PhraseEndTrial
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.quality import QUALITIES
from musicrel.generation.sampling import Sampler
from musicrel.jobs import Job
from musicrel.tokens import codec

_MAX_ENDING_TOKENS: Final = 28 * codec.VOICES
"""Longest ending in tokens: seven quarters, enough to prepare a cadence."""


def decode(
    model: LoadedModel,
    constraints: Constraints,
    sampler: Sampler,
    sequences: Sequence[DecodeSequence],
    length: int,
    *,
    quality: str,
    record: bool = False,
) -> Job[DecodingEvent, list[codec.Ids]]:
    """Decode ``sequences`` up to index ``length`` with a search for phrase endings.

    Args:
        model: a causal model.
        constraints: legal tokens, and the plan with the phrase ends.
        sampler: the sampler of the tokens.
        sequences: at least one; all prompts have the same length.
        length: index of the last token.
        quality: a name in ``QUALITIES``.
        record: record attention weights.
    """
    samples = 1 if sampler.is_greedy else QUALITIES[quality].phrase_end_samples
    ends = _phrase_ends(model, constraints.plan) if samples > 1 else []
    spans_of_ends = _free_endings(ends, constraints.locked_tokens, len(sequences[0].prompt))
    search = PhraseEndSearch(model, constraints, sampler, dict(spans_of_ends), samples)
    return decoder.decode(
        model, sequences, length, constraints, sampler, record=record, stream_switch=search
    )


class PhraseEndSearch:
    """A search for the most probable ending of each phrase; see ``decoder.StreamSwitch``.

    Args:
        model: a causal model.
        constraints: legal tokens.
        sampler: the sampler of the tokens.
        last_index: index of the last token of each ending, by that of its first.
        samples: number of samples of each ending.
    """

    def __init__(
        self,
        model: LoadedModel,
        constraints: Constraints,
        sampler: Sampler,
        last_index: Mapping[int, int],
        samples: int,
    ) -> None:
        self._model, self._constraints, self._sampler = model, constraints, sampler
        self._last_index, self._samples = last_index, samples

    def switched(
        self,
        index: int,
        forward: BatchForward,
        sequences: Sequence[DecodeSequence],
        ids_BN: codec.Ids,
    ) -> Job[PhraseEndTrial, Sequence[DecodeSequence] | None]:
        """Return the sequences with the best sample of the ending that begins at ``index``."""
        if index not in self._last_index:
            return None
        switched: list[DecodeSequence] = []
        for row, sequence in enumerate(sequences):
            written = replace(sequence, prompt=ids_BN[row])
            stream = yield from self._best_stream(forward, row, written, self._last_index[index])
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
            job = decoder.decode_batch(
                branch, batch, streams, self._constraints, sampler=self._sampler
            )
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
