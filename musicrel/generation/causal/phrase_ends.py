"""Writing to the ends of phrases: of several ways there, the likeliest.

A model that writes in order does not see where it will have to arrive. Drawn note by note, chance
leads it past its cadence, though a way that closes is far likelier as a whole. So the last steps
before an end are written several times beside each other, and the way that the model finds
likeliest from its first note to its last is taken (in spirit the best of n by likelihood); what is
given on the way counts too. How many ways there are is a matter of patience.

Dimensions: N tokens.

This file knows sequences of tokens and how likely they are; it knows nothing of cadences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import numpy as np

from musicrel.chorale import Chorale
from musicrel.generation.causal import decoder
from musicrel.generation.causal.decode_sequence import Line
from musicrel.generation.causal.decoder import Column
from musicrel.generation.causal.reader import Reader, readers
from musicrel.generation.constraints.cell_constraints import Constraints
from musicrel.generation.events import Trying
from musicrel.generation.loaded_model import LoadedModel
from musicrel.jobs import Job
from musicrel.score.notes import spans
from musicrel.tokens import codec

WAYS: Final[Mapping[str, int]] = MappingProxyType({"draft": 1, "normal": 8, "careful": 24})
"""By patience, how many ways to an end there are to choose from."""

_LONGEST: Final = 28 * codec.VOICES
"""Tokens of a way: seven quarters, in which a cadence is prepared."""


class Endings:
    """Decides on the way where the lines of a request turn; see ``decoder.Turning``.

    Args:
        model: what writes.
        constraints: what may be written, and where phrases are to end.
        patience: a name in ``WAYS``.
        begun: tokens that are there already, START among them.
    """

    def __init__(
        self, model: LoadedModel, constraints: Constraints, patience: str, begun: int
    ) -> None:
        self._model, self._constraints = model, constraints
        self._number = WAYS[patience]
        ends = _ends(model, constraints.plan) if self._number > 1 else []
        self._ends = dict(_ways(ends, constraints.fixed, begun))

    def turned(
        self, index: int, reader: Reader, lines: Sequence[Line], ids_BN: codec.Ids
    ) -> Job[Trying, Sequence[Line] | None]:
        """See ``decoder.Turning``."""
        if index not in self._ends:
            return None
        turned: list[Line] = []
        for row, line in enumerate(lines):
            if line.sampling.temperature == 0 or line.sampling.top_k == 1:  # all ways are one
                turned += [line]
                continue
            begun = replace(line, prompt=ids_BN[row])
            way = yield from self._likeliest(reader, row, begun, self._ends[index])
            turned += [line.turned(index, way)]
        return turned

    def _likeliest(self, reader: Reader, row: int, line: Line, end: int) -> Job[Trying, int]:
        """The likeliest way to ``end``; one that is stuck is the last choice."""
        log_p = np.full(self._number, -np.inf)
        each = [line.turned(len(line.prompt), way) for way in range(self._number)]
        for ways, own in readers(self._model, each, end, before=(reader, row)):
            if own is None:
                continue
            log_p[ways] = 0.0
            own_lines = each[ways.start : ways.stop]
            with closing(decoder.write(own, own_lines, ways, self._constraints)) as events:
                for event in events:
                    if isinstance(event, Column):
                        log_p[ways] += event.log_probability
                        stuck = [ways[number] for number in self._constraints.dead_ends]
                        log_p[stuck] = -np.inf
                        self._constraints.dead_ends.clear()
                    yield Trying()
        return int(log_p.argmax())


def _ends(model: LoadedModel, plan: Chorale) -> list[int]:
    """The index of the last token of every phrase that the model is told the end of."""
    stops = {plan.steps} if "ending" in model.conditions else set()
    if "fermata" in model.conditions:
        stops |= {stop for _, stop in spans(plan.fermatas)}
    return [stop * codec.VOICES for stop in sorted(stops)]


def _ways(ends: Sequence[int], fixed: codec.Ids, begun: int) -> Iterator[tuple[int, int]]:
    """The first and the last index of every way on which something is to be chosen."""
    first = begun
    for end in ends:
        first = max(first, end - _LONGEST + 1)
        if (fixed[first - 1 : end] < 0).any():
            yield first, end
        first = max(first, end + 1)
