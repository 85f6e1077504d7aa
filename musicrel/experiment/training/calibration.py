"""The tables of counterpoint, weighed by what a model writes when it is left to itself.

A model that has learned to say the next note of Bach's is then heard after its own, where it goes
astray in its own ways: it comes home too rarely, holds its notes too long. So it writes pieces
planned after real ones, what each entry of its tables speaks for is counted in these and in those,
and where it happens too rarely it is made likelier by the logarithm of the ratio, round by round in
smaller steps (Robbins and Monro 1951; for a whole table at once this is the iterative scaling of
Darroch and Ratcliff 1972). In the end the model's own music has, table by table, the shares that
Bach's has; the layers stay as they are.

Dimensions: R rows, C columns of a table, N tokens of a piece.

This file knows pieces and tables; what the tables say stands in ``model.counterpoint``.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
import torch
from torch import Tensor

from musicrel import jobs
from musicrel.chorale import Chorale, Meter
from musicrel.errors import DataError, UsageError
from musicrel.generation.causal.causal_generator import line_of
from musicrel.generation.causal.decode_sequence import Line
from musicrel.generation.causal.decoder import decode
from musicrel.generation.infill.infill_generator import Filling
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import FREELY, GenerationRequest
from musicrel.generation.sampled_key import settled
from musicrel.jobs import Job
from musicrel.model.config import Family
from musicrel.model.features.logit_biases import Counterpoint
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows

PIECES: Final[Mapping[Family, int]] = {"causal": 128, "infill": 64}
"""Written in a round; a model that settles takes several times as long for each."""
LONGEST: Final = 512
"""Sixteenths of a piece that is taken for a plan: 32 bars of 4/4."""
_TOGETHER: Final = 16
_RATE: Final = 0.8
_RATES: Final[Mapping[str, float]] = {"led_MS": 0.4}
"""Of what is missing, how much is added in the first round; three voices lead at once."""
_FARTHEST: Final = 1.0
"""Nats that an entry is moved in a round at most, before the rate."""
_FEWEST: Final = 50
"""A row that speaks more rarely in the real pieces is left alone."""
_SURE: Final = 5.0
"""Tokens added to those expected of an entry and to its own, so that few tell little."""
_BLURRED: Final = 4.0
"""About so many tokens of every row of the real pieces are as if of the average row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """A round has come so far.

    Attributes:
        round: counted from 1.
        done: pieces written.
        pieces: of the round.
    """

    round: int
    done: int
    pieces: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A round is done.

    Attributes:
        round: counted from 1.
        astray: by table, how far what was written lay from the real pieces, in nats an entry that
            spoke, before the table was moved.
    """

    round: int
    astray: Mapping[str, float]


def weigh(
    model: LoadedModel, pieces: Sequence[Chorale], rounds: int, seed: int, done: int = 0
) -> Job[Writing | Weighed, None]:
    """Move the tables of ``model`` until it writes as often as ``pieces`` have it.

    Args:
        model: causal or one that settles (infill), with tables of counterpoint; they are changed in
            place.
        pieces: real ones; asked for are their lengths and keys, of half of them their meters, of
            a quarter their fermatas.
        rounds: how often it writes.
        seed: of all chance.
        done: rounds that are behind already; the tables are as the last of them left them.

    Raises:
        UsageError: the model has no such tables.
        DataError: no piece is short enough.
    """
    tables = model.network.counterpoint
    if tables is None:
        raise UsageError(f"model {model.name!r} has no tables of counterpoint to be weighed")
    plans = [piece for piece in pieces if piece.steps <= LONGEST]
    if not plans:
        raise DataError(f"none of {len(pieces)} pieces has at most {LONGEST} sixteenths")
    counter = copy.deepcopy(tables).cpu()  # what speaks for what does not depend on the entries
    real = _counted(counter, [_real(model, piece) for piece in plans])
    for number in range(done + 1, rounds + 1):
        rng = np.random.default_rng([seed, number])
        requests = list(_requests(plans, PIECES[model.network.config.family], rng))
        own = yield from _written(model, requests, number)
        astray = {}
        for name, counts_RC in _counted(counter, own).items():
            missing_RC = _missing(real[name], counts_RC)
            astray[name] = _astray(real[name], missing_RC)
            rate = _RATES.get(name, _RATE) * 2 / (1 + number)
            tables.lean(name, rate * missing_RC.clamp(-_FARTHEST, _FARTHEST))
        yield Weighed(round=number, astray=astray)


def _requests(
    plans: Sequence[Chorale], pieces: int, rng: np.random.Generator
) -> Iterator[GenerationRequest]:
    """So many requests of the plans of real pieces, in an order by chance.

    Every other one asks for the key and as many whole bars, and for nothing else, as users do; of
    the rest, every other one asks for the fermatas.
    """
    order = [int(place) for place in rng.permutation(len(plans))]
    for number, place in enumerate((order * -(-pieces // len(order)))[:pieces]):
        plan, seed = plans[place], int(rng.integers(2**31))
        request = GenerationRequest.like(plan, top_p=FREELY, seed=seed)
        if number % 2:
            bars = -(-plan.steps // Meter().steps)
            request = GenerationRequest(bars=bars, key=plan.key, top_p=FREELY, seed=seed)
        elif number % 4:
            request = replace(request, fermatas=())
        yield request


def _written(
    model: LoadedModel, requests: Sequence[GenerationRequest], number: int
) -> Generator[Writing, None, list[tuple[codec.Ids, Rows]]]:
    """What the model makes of the requests, and what it was told."""
    if model.network.config.is_causal:
        return (yield from _side_by_side(model, requests, number))
    written: list[tuple[codec.Ids, Rows]] = []
    for asked in requests:
        request = settled(asked, model)
        before = Writing(round=number, done=len(written), pieces=len(requests))
        job = Filling(model, request, [request.seed]).run()
        (ids,), _ = yield from jobs.mapped(job, partial(_at_work, before))
        written.append((ids, model.condition_rows(request.plan(), request.told())))
    return written


def _side_by_side(
    model: LoadedModel, requests: Sequence[GenerationRequest], number: int
) -> Generator[Writing, None, list[tuple[codec.Ids, Rows]]]:
    """The same of a causal model, which writes pieces of one length together."""
    by_length: dict[int, list[GenerationRequest]] = defaultdict(list)
    for request in requests:
        by_length[request.steps].append(request)
    written: list[tuple[codec.Ids, Rows]] = []
    for alike in by_length.values():
        for first in range(0, len(alike), _TOGETHER):
            constraints = alike[first].constraints(model.vocabulary)
            lines: list[Line] = [
                line_of(model, request, request.plan(), constraints.fixed)
                for request in alike[first : first + _TOGETHER]
            ]
            before = Writing(round=number, done=len(written), pieces=len(requests))
            job = decode(model, lines, len(constraints.fixed), constraints)
            ids = yield from jobs.mapped(job, partial(_at_work, before))
            written += zip(ids, (line.told_NC for line in lines), strict=True)
    return written


def _at_work(before: Writing, _: object) -> Writing:
    """What is told on the way: nothing new, but whoever listens may stop the work."""
    return before


def _real(model: LoadedModel, piece: Chorale) -> tuple[codec.Ids, Rows]:
    """A real piece as a model would read it that is told all but fermatas: no table hears these."""
    told = GenerationRequest.like(piece, fermatas=()).told()
    return model.encode(piece), model.condition_rows(piece, told)


def _counted(tables: Counterpoint, read: Iterable[tuple[codec.Ids, Rows]]) -> dict[str, Tensor]:
    """How often each entry of each table has spoken for what came next."""
    counts: dict[str, Tensor] = {}
    for ids_N, told_NC in read:
        found = tables.counted(torch.from_numpy(ids_N[None]), torch.from_numpy(told_NC[None]))
        for name, counted_RC in found.items():
            counts[name] = counts.get(name, torch.zeros(())) + counted_RC.double()
    return counts


def _shares(real_RC: Tensor) -> Tensor:
    """What share each entry has of its row in the real pieces, a little blurred."""
    usual_C = (real_RC.sum(0) + 1) / (real_RC + 1).sum()
    blurred_RC = real_RC + _BLURRED * usual_C
    return blurred_RC / blurred_RC.sum(-1, keepdim=True)


def _missing(real_RC: Tensor, own_RC: Tensor) -> Tensor:
    """By how many nats each entry speaks too rarely, below 0 where too often."""
    expected_RC = _shares(real_RC) * own_RC.sum(-1, keepdim=True)
    missing_RC = ((expected_RC + _SURE) / (own_RC + _SURE)).log()
    is_known_R1 = real_RC.sum(-1, keepdim=True) >= _FEWEST
    return missing_RC * is_known_R1


def _astray(real_RC: Tensor, missing_RC: Tensor) -> float:
    """What is missing on the average of what speaks in the real pieces.

    About the relative entropy of the real shares and the own ones; where these are alike chance may
    bring it a little below 0.
    """
    by_row_R = (_shares(real_RC) * missing_RC).sum(-1)
    return float((by_row_R * real_RC.sum(-1)).sum() / real_RC.sum().clamp(min=1))
