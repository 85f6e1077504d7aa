"""Masked batches: hidden tokens as targets, in training and in evaluation.

Targets are the original tokens at the chosen positions. Conditions of a position describe the token
at it, not the next one. In evaluation all chosen tokens are replaced by MASK, and the choice
follows from a fixed seed and the index of the piece, so that it is always the same. Family
``masked`` reads START, notes and END; ``infill`` reads the notes of whole steps.

Dimensions: B batch, T tokens, C conditions.
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
_EVALUATION: Final = (0, 5)
"""Random streams: [seed, 4, sample] in training, [0, 5, piece] in evaluation."""

Groups = list[npt.NDArray[np.int64]]
"""Positions that are masked together."""


class MaskedBatches(Batches):
    """An endless sequence of training batches with masked tokens."""

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
        window, samples = sample_order.window_at(self._data, step), self.order(step)
        rngs = [np.random.default_rng([self._seed, _TRAINING, sample]) for sample in samples]
        return self._masked([self._window(sample, window) for sample in samples], rngs)

    def _masked(self, cuts: Sequence[Cut], rngs: Sequence[np.random.Generator]) -> Batch:
        return masked_batch(cuts, rngs, self._masking, self._vocabulary, mixed=self._masking.mixed)

    def _window(self, sample: int, window: int) -> Cut:
        draw = self._draw(sample, window)
        ids, rows = self._whole(draw)
        part = slice(draw.start, draw.start + window)
        return ids[part], align_to_tokens(rows)[part], draw.start


class GridBatches(MaskedBatches):
    """Masked batches of whole time steps, for the family ``infill``."""

    def _window(self, sample: int, window: int) -> Cut:
        draw = self._draw(sample, window)
        ids, rows = notes_only(*self._whole(draw))
        part = slice(draw.start, draw.start + window)
        return ids[part], rows[part], draw.start


class GivenBatches(MaskedBatches):
    """Batches in which unmasked tokens are conditions, for the family ``encoder_decoder``."""

    def _window(self, sample: int, window: int) -> Cut:
        return self._sequence(sample, window)

    def _masked(self, cuts: Sequence[Cut], rngs: Sequence[np.random.Generator]) -> Batch:
        return given_batch(cuts, rngs, self._masking, self._data.conditions)


def given_batch(
    cuts: Sequence[Cut],
    rngs: Sequence[np.random.Generator],
    masking: MaskingPart,
    names: Sequence[str],
) -> Batch:
    """Build a batch in which given tokens are conditions and the others are targets."""
    batch = collate(cuts)
    for row, ((ids, _, _), rng) in enumerate(zip(cuts, rngs, strict=True)):
        cells = (len(ids) - 1) // VOICES * VOICES
        known = np.ones(cells, dtype=np.bool_)
        known[choose_positions(ids[1 : cells + 1], 0, masking, rng)] = False
        tokens = torch.from_numpy(np.where(known, ids[1 : cells + 1], conditions.UNKNOWN))
        batch.conditions_BTC[row, :cells, names.index(conditions.GIVEN.name)] = tokens
        batch.targets_BT[row, :cells].masked_fill_(torch.from_numpy(known), PAD)
    return batch


def evaluation_batch(
    pieces: Mapping[int, Chorale],
    vocabulary: Vocabulary,
    masking: MaskingPart,
    names: Sequence[str],
    given: Sequence[str],
    *,
    family: str = "masked",
) -> Batch:
    """Build the batch that a model is evaluated on.

    Args:
        given: the names of the conditions to fill in; others stay unknown.
        family: family of the model; ``infill`` reads the notes without START and END.
    """
    rngs = [np.random.default_rng([*_EVALUATION, index]) for index in pieces]
    each = [
        (codec.encode(piece, vocabulary), conditions.rows(piece, names, given))
        for piece in pieces.values()
    ]
    if family == "encoder_decoder":
        return given_batch([(ids, rows, 0) for ids, rows in each], rngs, masking, names)
    cuts: list[Cut] = [
        (*notes_only(ids, rows), 0) if family == "infill" else (ids, align_to_tokens(rows), 0)
        for ids, rows in each
    ]
    return masked_batch(cuts, rngs, masking, vocabulary, mixed=False)


def align_to_tokens(rows: conditions.Rows) -> conditions.Rows:
    """Shift condition rows so that each describes its own token; START's are unknown."""
    return np.concatenate([np.full_like(rows[:1], conditions.UNKNOWN), rows[:-1]])


def notes_only(ids: Ids, rows: conditions.Rows) -> tuple[Ids, conditions.Rows]:
    """Drop START and END and align the condition rows with the notes."""
    return ids[1:-1], rows[:-2]


def masked_batch(
    cuts: Sequence[Cut],
    rngs: Sequence[np.random.Generator],
    masking: MaskingPart,
    vocabulary: Vocabulary,
    *,
    mixed: bool,
) -> Batch:
    """Build a batch with masked tokens.

    Args:
        cuts: ids (T,), condition rows (T, C) and position of each sequence; padded here.
        mixed: replace 80 % of the chosen tokens by MASK and 10 % by others; False: all by MASK.
    """
    length = max(len(ids) for ids, _, _ in cuts)
    read, targets = [], []
    for (ids, _, start), rng in zip(cuts, rngs, strict=True):
        chosen = choose_positions(ids, start, masking, rng)
        read.append(
            padded(_replace_chosen(ids, chosen, masking, vocabulary, rng, mixed=mixed), length)
        )
        target = np.full_like(ids, PAD)
        target[chosen] = ids[chosen]
        targets.append(padded(target, length))
    return Batch(
        ids_BT=torch.from_numpy(np.stack(read)),
        targets_BT=torch.from_numpy(np.stack(targets)),
        conditions_BTC=torch.from_numpy(np.stack([padded(rows, length) for _, rows, _ in cuts])),
        starts_B=torch.tensor([start for _, _, start in cuts]),
    )


def choose_positions(ids: Ids, start: int, masking: MaskingPart, rng: np.random.Generator) -> Ids:
    """Choose max(1, round(rate x groups)) groups and return their positions, sorted.

    Args:
        ids: int64 (T,).
    """
    if masking.mode in PATTERNS:
        return np.flatnonzero(PATTERNS[masking.mode](len(ids) // VOICES, rng))
    groups = GROUPS[masking.mode](ids, start)
    rate = masking.rate if masking.rates == "fixed" else rng.uniform(0, masking.rate)
    number = max(1, round(rate * len(groups)))
    taken = rng.choice(len(groups), size=number, replace=False)
    return np.sort(np.concatenate([groups[group] for group in taken]))


def _single_notes(ids: Ids, _start: int) -> Groups:
    """Return each note as a separate group, without START and END."""
    return list(np.flatnonzero(ids >= REST_TOKEN)[:, None])


def _time_steps(ids: Ids, start: int) -> Groups:
    """Return the notes of each time step as a group, also where the window cuts the step."""
    places = np.flatnonzero(ids >= REST_TOKEN)
    steps = (start + places - 1) // VOICES
    return [places[steps == step] for step in np.unique(steps)]


def _window_groups(ids: Ids, _start: int) -> Groups:
    """Return groups of four tokens counted from the start of the window."""
    return np.split(np.arange(len(ids)), range(VOICES, len(ids), VOICES))


GROUPS: Final[Mapping[str, Callable[[Ids, int], Groups]]] = {
    "token": _single_notes, "time": _time_steps, "published": _window_groups,
}  # fmt: skip
"""The groups of each mode."""


def _replace_chosen(
    ids: Ids,
    chosen: Ids,
    masking: MaskingPart,
    vocabulary: Vocabulary,
    rng: np.random.Generator,
    *,
    mixed: bool,
) -> Ids:
    """Replace the chosen tokens by MASK or, if ``mixed``, by the 80/10/10 rule."""
    masked = ids.copy()
    if not mixed:
        masked[chosen] = MASK
        return masked
    u = rng.random(len(chosen))
    lowest = MASK if masking.mode == "published" else REST_TOKEN
    others = rng.integers(lowest, vocabulary.size, size=len(chosen))
    replaced = np.where(u < _REPLACED, others, ids[chosen])
    masked[chosen] = np.where(u < _HIDDEN, MASK, replaced)
    return masked
