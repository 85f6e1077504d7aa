"""Diagnosis of a model: all probes, on validation pieces or on bytes as in training."""

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
from musicrel.experiment.probes.probes import PROBES, Probe, Subject
from musicrel.experiment.recipe.recipe import masking_from_card
from musicrel.jobs import Job
from musicrel.model import catalogue, checkpoint
from musicrel.model.card import Card
from musicrel.model.checkpoint import LoadedWeights
from musicrel.tokens import codec, conditions
from musicrel.tokens.vocabulary import vocabulary

_SEQUENCES, _LONG_SEQUENCES = 4, 4
_MAX_SHORT_TOKENS: Final = 256
"""Tokens of the short sequences; longer ones would not show more."""
_SHORTER: Final = 4
"""Tokens by which each sequence is shorter than the one before, so that some are padded."""
_MIN_TOKENS: Final = 4
_MASKED_FAMILIES: Final = ("masked", "infill")
"""Families that predict masked notes."""


def diagnose(name_or_directory: str, device: torch.device | str = "cpu") -> Job[Probe, list[Probe]]:
    """Diagnose a model of any family; yields the result of each probe."""
    loaded = checkpoint.load(catalogue.find(name_or_directory), str(device))
    examined = subject(loaded, bundled.load_all()["valid"])
    found = []
    for probe in PROBES.values():
        found.append(probe(examined))
        yield found[-1]
    return found


def subject(loaded: LoadedWeights, pieces: Sequence[Chorale]) -> Subject:
    """Return a model with input of the kind it reads, cut from the longest of ``pieces``."""
    network = loaded.model.eval()
    trained, device = network.config.trained_length, network.embed_token.weight.device
    longest = sorted(pieces, key=lambda piece: -piece.steps)
    short = min(trained, _MAX_SHORT_TOKENS)
    lengths = [max(short - _SHORTER * row, _MIN_TOKENS) for row in range(_SEQUENCES)]
    batch = _cut(loaded.card, longest, lengths)
    long = _cut(loaded.card, longest, [2 * trained] * _LONG_SEQUENCES)
    return Subject(network=network, batch=batch.to(device), long=long.to(device))


def _cut(card: Card, pieces: Sequence[Chorale], lengths: Sequence[int]) -> Batch:
    """Cut openings of pieces to ``lengths`` in tokens, in the form the family reads."""
    if card.config.family == "critic":
        raise ModelError(
            f"{card.name} is of family critic, which classifies whole windows: the probes need a "
            "model that predicts tokens"
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
        rows = conditions.rows(piece, names, conditions.POSITIONAL)
        cuts.append(_opening(codec.encode(piece, words), rows, length, family))
    if family not in _MASKED_FAMILIES:
        return collate(cuts)
    rngs = [np.random.default_rng(row) for row in range(len(cuts))]
    return masking.masked_batch(cuts, rngs, masking_from_card(card.recipe), words, mixed=False)


def _opening(ids: codec.Ids, rows: conditions.Rows, length: int, family: str) -> Cut:
    """Return the first ``length`` tokens of a piece with their condition rows."""
    if family == "infill":
        ids, rows = masking.notes_only(ids, rows)
    elif family == "masked":
        rows = masking.align_to_tokens(rows)
    stop = length if family in _MASKED_FAMILIES else length + 1  # the last one is only a target
    return ids[:stop], rows[:stop], 0


def _windows(card: Card, pieces: Sequence[Chorale], lengths: Sequence[int]) -> Batch:
    """Return published windows: whole ones, or the first and last ones of the first piece."""
    known, long = published_data.values_from_symbols(card.vocabulary["symbols"]), max(lengths)
    if min(lengths) == long:
        found = [published_data.windows([piece], known, long).ids_NL[0] for piece in pieces]
        ids_NL = np.stack(found)
    else:
        of_first = published_data.windows(pieces[:1], known, long).ids_NL
        ids_NL = of_first[[0, *(-length for length in lengths[1:])]]
    return as_batch(*published_data.mask_windows(ids_NL, np.random.default_rng(0)))
