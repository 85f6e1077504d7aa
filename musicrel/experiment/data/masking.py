"""What is hidden from a model that finds hidden notes, in training and when it is measured.

Targets are the tokens as they were, at the chosen places alone. Conditions of a place describe the
token at it, not the next one. When a model is measured every chosen token is hidden, and the same
ones in every measurement: its masks follow from a fixed seed and the piece's index. Family
``masked`` reads START, notes and END; ``infill`` reads the notes of whole steps alone.

Dimensions: B batch, T tokens, C conditions.

This file knows sequences of tokens; it knows nothing of models.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from musicrel.chorale import Chorale
from musicrel.experiment.data import sample_order
from musicrel.experiment.data.dataset import Batch, Batches, Cut, collate, padded
from musicrel.experiment.data.mask_patterns import PATTERNS
from musicrel.experiment.recipe.recipe_parts import DataPart, MaskingPart
from musicrel.tokens import codec, conditions
from musicrel.tokens.codec import VOICES, Ids
from musicrel.tokens.vocabulary import MASK, PAD, REST_TOKEN, Vocabulary

_HIDDEN, _REPLACED = 0.8, 0.9
_TRAINING: Final = 4
_MEASURING: Final = (0, 5)
"""Streams of chance: [seed, 4, sample] in training, [0, 5, piece] when a model is measured."""

Groups = list[npt.NDArray[np.int64]]
"""Places that are masked together or not at all."""


class MaskedBatches(Batches):
    """The endless order of training batches, each sequence with some of its tokens hidden.

    Args:
        pieces: the training split.
        data: how they are cut, moved and described.
        masking: what is hidden.
        batch: sequences B a step.
        seed: of the order and of the masks.
    """

    def __init__(
        self,
        pieces: Sequence[Chorale],
        data: DataPart,
        masking: MaskingPart,
        batch: int,
        seed: int,
    ) -> None:
        super().__init__(pieces, data, batch, seed)
        self._masking = masking

    def at(self, step: int) -> Batch:
        """The batch of ``step``, counted from 0."""
        window, samples = sample_order.window_at(self._data, step), self.order(step)
        chance = [np.random.default_rng([self._seed, _TRAINING, sample]) for sample in samples]
        cuts = [self._window(sample, window) for sample in samples]
        return hidden(cuts, chance, self._masking, self._vocabulary, mixed=self._masking.mixed)

    def _window(self, sample: int, window: int) -> Cut:
        draw = self._draw(sample, window)
        ids, rows = self._whole(draw)
        part = slice(draw.start, draw.start + window)
        return ids[part], of_the_place(rows)[part], draw.start


class GridBatches(MaskedBatches):
    """The same for the family ``infill``: windows are whole steps."""

    def _window(self, sample: int, window: int) -> Cut:
        draw = self._draw(sample, window)
        ids, rows = of_the_grid(*self._whole(draw))
        part = slice(draw.start, draw.start + window)
        return ids[part], rows[part], draw.start


class GivenBatches(MaskedBatches):
    """The same for the family ``encoder_decoder``: what is not hidden is given beforehand."""

    def at(self, step: int) -> Batch:
        """The batch of ``step``, counted from 0."""
        window, samples = sample_order.window_at(self._data, step), self.order(step)
        chance = [np.random.default_rng([self._seed, _TRAINING, sample]) for sample in samples]
        cuts = [self._sequence(sample, window) for sample in samples]
        return given(cuts, chance, self._masking, self._data.conditions)


def given(
    cuts: Sequence[Cut],
    chance: Sequence[np.random.Generator],
    masking: MaskingPart,
    names: Sequence[str],
) -> Batch:
    """A batch of sequences to be written but for what is given, which is told and no target.

    Args:
        cuts: ids, conditions and place of each, from a step on.
        chance: for each sequence.
        masking: what is hidden, by a pattern.
        names: the conditions, in the order of their columns.
    """
    batch = collate(cuts)
    for row, ((ids, _, _), rng) in enumerate(zip(cuts, chance, strict=True)):
        cells = (len(ids) - 1) // VOICES * VOICES
        known = np.ones(cells, dtype=np.bool_)
        known[choose(ids[1 : cells + 1], 0, masking, rng)] = False
        tokens = torch.from_numpy(np.where(known, ids[1 : cells + 1], conditions.UNKNOWN))
        batch.conditions_BTC[row, :cells, names.index(conditions.GIVEN.name)] = tokens
        batch.targets_BT[row, :cells].masked_fill_(torch.from_numpy(known), PAD)
    return batch


def measured(
    pieces: Mapping[int, Chorale],
    vocabulary: Vocabulary,
    masking: MaskingPart,
    names: Sequence[str],
    told: Sequence[str],
    *,
    family: str = "masked",
) -> Batch:
    """Whole pieces with the masks they always have when a model is measured.

    Args:
        pieces: by their index in the split.
        vocabulary: the model's.
        masking: what is hidden; none of it is replaced or left.
        names: the conditions of the model, in its order.
        told: those that are told.
        family: of the model; ``infill`` reads the notes alone, without START and END.
    """
    chance = [np.random.default_rng([*_MEASURING, index]) for index in pieces]
    each = [
        (codec.encode(piece, vocabulary), conditions.rows(piece, names, told))
        for piece in pieces.values()
    ]
    if family == "encoder_decoder":
        return given([(ids, rows, 0) for ids, rows in each], chance, masking, names)
    cuts: list[Cut] = [
        (*of_the_grid(ids, rows), 0) if family == "infill" else (ids, of_the_place(rows), 0)
        for ids, rows in each
    ]
    return hidden(cuts, chance, masking, vocabulary, mixed=False)


def of_the_place(rows: conditions.Rows) -> conditions.Rows:
    """Conditions of the token at a place instead of the one after it; START's are unknown."""
    return np.concatenate([np.full_like(rows[:1], conditions.UNKNOWN), rows[:-1]])


def of_the_grid(ids: Ids, rows: conditions.Rows) -> tuple[Ids, conditions.Rows]:
    """The notes without START and END, and the conditions of each."""
    return ids[1:-1], rows[:-2]


def hidden(
    cuts: Sequence[Cut],
    chance: Sequence[np.random.Generator],
    masking: MaskingPart,
    vocabulary: Vocabulary,
    *,
    mixed: bool,
) -> Batch:
    """A batch of sequences with some of their tokens hidden.

    Args:
        cuts: ids (T,), conditions (T, C) and place of each; padded here.
        chance: for each sequence.
        masking: what is hidden.
        vocabulary: of the ids.
        mixed: whether some of the chosen tokens are replaced or left instead.
    """
    length = max(len(ids) for ids, _, _ in cuts)
    read, targets = [], []
    for (ids, _, start), rng in zip(cuts, chance, strict=True):
        chosen = choose(ids, start, masking, rng)
        read.append(padded(_covered(ids, chosen, masking, vocabulary, rng, mixed=mixed), length))
        target = np.full_like(ids, PAD)
        target[chosen] = ids[chosen]
        targets.append(padded(target, length))
    return Batch(
        ids_BT=torch.from_numpy(np.stack(read)),
        targets_BT=torch.from_numpy(np.stack(targets)),
        conditions_BTC=torch.from_numpy(np.stack([padded(rows, length) for _, rows, _ in cuts])),
        starts_B=torch.tensor([start for _, _, start in cuts]),
    )


def choose(ids: Ids, start: int, masking: MaskingPart, rng: np.random.Generator) -> Ids:
    """The places that are chosen, in order: max(1, round(rate x groups)) groups.

    Args:
        ids: int64 (T,).
        start: place of the first in its piece.
        masking: which groups, and how many.
        rng: of the choice.
    """
    if masking.mode in PATTERNS:
        return np.flatnonzero(PATTERNS[masking.mode](len(ids) // VOICES, rng))
    groups = GROUPS[masking.mode](ids, start)
    rate = masking.rate if masking.rates == "fixed" else rng.uniform(0, masking.rate)
    number = max(1, round(rate * len(groups)))
    taken = rng.choice(len(groups), size=number, replace=False)
    return np.sort(np.concatenate([groups[group] for group in taken]))


def _tokens(ids: Ids, start: int) -> Groups:
    """Every note for itself; START and END are no notes."""
    del start
    return list(np.flatnonzero(ids >= REST_TOKEN)[:, None])


def _time_steps(ids: Ids, start: int) -> Groups:
    """The notes of every time step that is there, whole or cut through by the window."""
    places = np.flatnonzero(ids >= REST_TOKEN)
    steps = (start + places - 1) // VOICES
    return [places[steps == step] for step in np.unique(steps)]


def _from_the_window(ids: Ids, start: int) -> Groups:
    """Four tokens each, counted from the window's start, fewer at its end."""
    del start
    return np.split(np.arange(len(ids)), range(VOICES, len(ids), VOICES))


GROUPS: Final[Mapping[str, Callable[[Ids, int], Groups]]] = {
    "token": _tokens, "time": _time_steps, "published": _from_the_window,
}  # fmt: skip
"""What is masked together in each mode."""


def _covered(
    ids: Ids,
    chosen: Ids,
    masking: MaskingPart,
    vocabulary: Vocabulary,
    rng: np.random.Generator,
    *,
    mixed: bool,
) -> Ids:
    """``ids`` with the chosen ones hidden; of 10, where mixed, one replaced and one left."""
    covered = ids.copy()
    if not mixed:
        covered[chosen] = MASK
        return covered
    lot = rng.random(len(chosen))
    lowest = MASK if masking.mode == "published" else REST_TOKEN
    others = rng.integers(lowest, vocabulary.size, size=len(chosen))
    replaced = np.where(lot < _REPLACED, others, ids[chosen])
    covered[chosen] = np.where(lot < _HIDDEN, MASK, replaced)
    return covered
