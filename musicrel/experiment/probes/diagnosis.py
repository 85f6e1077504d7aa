"""A model examined: all probes, on music of the validation split or on bytes as it was trained.

This file knows where a subject comes from; what is found stands in ``probes``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import torch

from musicrel.chorale import Chorale
from musicrel.corpus import bundled
from musicrel.errors import ModelError
from musicrel.experiment.data import bytes_data, masking, published_data
from musicrel.experiment.data.dataset import Batch, Cut, collate
from musicrel.experiment.objectives import objectives
from musicrel.experiment.objectives.published_objective import as_batch
from musicrel.experiment.probes.examined import Probe, Subject
from musicrel.experiment.probes.probes import PROBES
from musicrel.experiment.recipe.recipe import masking_of
from musicrel.jobs import Job
from musicrel.model import catalogue, checkpoint
from musicrel.model.card import Card
from musicrel.model.checkpoint import Loaded
from musicrel.tokens import codec, conditions
from musicrel.tokens.vocabulary import vocabulary

_SEQUENCES, _LONG_SEQUENCES = 4, 4
_LONGEST: Final = 256
"""Tokens of the short sequences: what a probe finds there it would find in longer ones."""
_SHORTER: Final = 4
"""Tokens by which each sequence is shorter than the one before, so that there is padding."""
_FEWEST: Final = 4
_FINDING: Final = ("masked", "infill")
"""Families that find hidden notes."""


def diagnose(name_or_directory: str, device: torch.device | str = "cpu") -> Job[Probe, list[Probe]]:
    """Examine a model of any family; yields what each probe found.

    Args:
        name_or_directory: of the model.
        device: where it computes.

    Raises:
        ModelError: there is no such model, or it is damaged.
        UsageError: its vocabulary or conditions are unknown.
    """
    loaded = checkpoint.load(catalogue.find(name_or_directory), device)
    examined = subject(loaded, bundled.load_all()["valid"])
    found = []
    for probe in PROBES.values():
        found.append(probe(examined))
        yield found[-1]
    return found


def subject(loaded: Loaded, pieces: Sequence[Chorale]) -> Subject:
    """A model with sequences of its own kind; music is cut from the longest of ``pieces``."""
    network = loaded.model.eval()
    trained, device = network.config.trained_length, network.embed_token.weight.device
    longest = sorted(pieces, key=lambda piece: -piece.steps)
    short = min(trained, _LONGEST)
    lengths = [max(short - _SHORTER * row, _FEWEST) for row in range(_SEQUENCES)]
    batch = _cut(loaded.card, longest, lengths)
    long = _cut(loaded.card, longest, [2 * trained] * _LONG_SEQUENCES)
    return Subject(network=network, batch=batch.to(device), long=long.to(device))


def _cut(card: Card, pieces: Sequence[Chorale], lengths: Sequence[int]) -> Batch:
    """The beginnings of pieces in so many tokens each, as the model's family reads them."""
    if card.config.family == "critic":
        raise ModelError(
            f"{card.name} is of family critic, which says one thing of a whole window: the probes "
            "are for models that say something of every token"
        )
    if card.config.family == "published":
        return _windows(card, pieces, lengths)
    if card.config.family == "classifier":
        pairs = [bytes_data.of_length("honest", length, 2) for length in lengths]
        return objectives.batch_of([pair[row % 2] for row, pair in enumerate(pairs)])
    words, names = vocabulary(card.vocabulary["name"]), tuple(card.config.conditions)
    family = card.config.family
    cuts: list[Cut] = []
    for piece, length in zip(pieces, lengths, strict=False):
        rows = conditions.rows(piece, names, conditions.FROM_PLACE_ALONE)
        cuts.append(_beginning(codec.encode(piece, words), rows, length, family))
    if family not in _FINDING:
        return collate(cuts)
    chance = [np.random.default_rng(row) for row in range(len(cuts))]
    return masking.hidden(cuts, chance, masking_of(card.recipe), words, mixed=False)


def _beginning(ids: codec.Ids, rows: conditions.Rows, length: int, family: str) -> Cut:
    """The first ``length`` tokens of a piece with what is told of each."""
    if family == "infill":
        ids, rows = masking.of_the_grid(ids, rows)
    elif family == "masked":
        rows = masking.of_the_place(rows)
    stop = length if family in _FINDING else length + 1  # the last one is only a target
    return ids[:stop], rows[:stop], 0


def _windows(card: Card, pieces: Sequence[Chorale], lengths: Sequence[int]) -> Batch:
    """Windows of the published kind: of one length a whole one and ends, else the first of many."""
    known, long = published_data.known_to(card.vocabulary["symbols"]), max(lengths)
    if min(lengths) == long:
        found = [published_data.windows([piece], known, long).ids_NL[0] for piece in pieces]
        ids_NL = np.stack(found)
    else:
        of_first = published_data.windows(pieces[:1], known, long).ids_NL
        ids_NL = of_first[[0, *(-length for length in lengths[1:])]]
    return as_batch(*published_data.masked(ids_NL, np.random.default_rng(0)))
