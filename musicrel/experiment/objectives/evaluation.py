"""nats/note of a model over pieces: exact, the same for any batch size.

Mean natural-log loss per pitch token, four a step, rests counted, START not, END reported apart;
whole piece in context, or as much of it as a sliding window holds; token-weighted over the split.

Dimensions: B batch, T tokens.

This file knows losses; it knows nothing of training.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import torch

from musicrel.chorale import Chorale
from musicrel.errors import DataError
from musicrel.experiment.data import masking
from musicrel.experiment.data.dataset import Batch, Cut, collate
from musicrel.experiment.objectives import sliding_windows
from musicrel.experiment.objectives.losses import read, token_nats
from musicrel.experiment.recipe.recipe_parts import MaskingPart
from musicrel.jobs import Job
from musicrel.model.families.transformer import Transformer
from musicrel.tokens import codec, conditions
from musicrel.tokens.vocabulary import END, PAD, Vocabulary

_TOKENS_AT_ONCE = 8192

Sums: TypeAlias = tuple[float, int, float | None]
"""Nats of the notes of a sequence, their number, and nats of END; None where it was no target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceLoss:
    """The loss of one piece.

    Attributes:
        index: its place in the split.
        title: its title.
        nats: sum over its notes.
        notes: number of its notes, four a step; where some were hidden, of those.
        end_nats: loss of END; None where it was not to be found.
        right: whether the likeliest class was the true one; None where there are no classes.
    """

    index: int
    title: str
    nats: float
    notes: int
    end_nats: float | None = None
    right: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The loss of a split.

    Attributes:
        conditions: what the model was told.
        pieces: one entry a piece, in the order of the split.
    """

    conditions: tuple[str, ...]
    pieces: tuple[PieceLoss, ...]

    @property
    def notes(self) -> int:
        """Notes of all pieces."""
        return sum(piece.notes for piece in self.pieces)

    @property
    def nats_per_note(self) -> float:
        """Mean loss of a note, over all notes of all pieces."""
        return sum(piece.nats for piece in self.pieces) / self.notes

    @property
    def end_nats(self) -> float | None:
        """Mean loss of END; None where no piece has one."""
        ends = [piece.end_nats for piece in self.pieces if piece.end_nats is not None]
        return sum(ends) / len(ends) if ends else None

    @property
    def accuracy(self) -> float:
        """Share of the pieces whose class was found."""
        return sum(bool(piece.right) for piece in self.pieces) / len(self.pieces)


def evaluate(
    model: Transformer,
    pieces: Sequence[Chorale],
    vocabulary: Vocabulary,
    given: Iterable[str] = conditions.FROM_PLACE_ALONE,
    masks: MaskingPart | None = None,
    *,
    window: int = 0,
) -> Job[PieceLoss, Evaluation]:
    """Evaluate ``model`` on pieces; yields each piece's loss as it comes, short ones first.

    Args:
        model: in any mode; it is in evaluation mode while this runs, and as before afterwards.
        pieces: the split.
        vocabulary: the one the model was made for.
        given: conditions it is told, those it does not have left out.
        masks: what is hidden from a model of family ``masked``, ``infill`` or ``encoder_decoder``;
            None: as a recipe's default.
        window: how many tokens a causal model sees at once, in a window that slides by half; 0: all
            that stands before in the piece.

    Raises:
        DataError: there are no pieces, or the vocabulary is not the model's.
    """
    if not pieces:
        raise DataError("there is no piece to evaluate on")
    if vocabulary.size != model.config.tokens:
        raise DataError(
            f"the model has {model.config.tokens} tokens, vocabulary {vocabulary.name} has "
            f"{vocabulary.size}: they do not fit"
        )
    if model.config.classes:
        raise DataError("the model tells classes apart: it gives notes no probability")
    given = frozenset(given)
    told = tuple(name for name in model.config.conditions if name in given)
    reading = _Reading(model, vocabulary, told, masks or MaskingPart(), window)
    losses: list[PieceLoss] = []
    was_training = model.training
    model.eval()
    try:
        for group in _groups(pieces, each=window > 0):
            sums = reading.sums({index: pieces[index] for index in group})
            for index, (nats, notes, end_nats) in zip(group, sums, strict=True):
                title = pieces[index].title
                losses.append(
                    PieceLoss(index=index, title=title, nats=nats, notes=notes, end_nats=end_nats)
                )
                yield losses[-1]
    finally:
        model.train(was_training)
    return Evaluation(conditions=told, pieces=tuple(sorted(losses, key=lambda loss: loss.index)))


@dataclass(frozen=True, slots=True)
class _Reading:
    """How a model reads pieces; the attributes are ``evaluate``'s."""

    model: Transformer
    vocabulary: Vocabulary
    told: tuple[str, ...]
    masks: MaskingPart
    window: int

    def sums(self, pieces: Mapping[int, Chorale]) -> list[Sums]:
        """What each piece costs; ``pieces`` by their index in the split."""
        if self.window:
            return [self._slid(piece) for piece in pieces.values()]
        names = tuple(self.model.config.conditions)
        family = self.model.config.family
        if family in ("masked", "infill", "encoder_decoder"):
            batch = masking.measured(
                pieces, self.vocabulary, self.masks, names, self.told, family=family
            )
        else:
            batch = collate([self._whole(piece) for piece in pieces.values()])
        return _losses(self.model, batch)

    def _slid(self, piece: Chorale) -> Sums:
        rows = max(_TOKENS_AT_ONCE // self.window, 1)
        each = [
            sums
            for batch in sliding_windows.batches(self._whole(piece), self.window, rows)
            for sums in _losses(self.model, batch)
        ]
        nats, notes, ends = zip(*each, strict=True)
        return sum(nats), sum(notes), next((end for end in ends if end is not None), None)

    def _whole(self, piece: Chorale) -> Cut:
        told = conditions.rows(piece, tuple(self.model.config.conditions), self.told)
        return codec.encode(piece, self.vocabulary), told, 0


@torch.inference_mode()
def _losses(model: Transformer, batch: Batch) -> list[Sums]:
    """For each sequence, nats of its notes, their number, and nats of END."""
    batch = batch.to(model.head.weight.device)
    nats_BT = token_nats(read(model, batch), batch.targets_BT).double()
    is_end_BT = batch.targets_BT == END
    ends_B = (nats_BT * is_end_BT).sum(-1)
    notes_B = ((batch.targets_BT != PAD) & ~is_end_BT).sum(-1)
    columns = (nats_BT.sum(-1), notes_B, ends_B, is_end_BT.any(-1))
    return [
        (nats - end, notes, end if has_end else None)
        for nats, notes, end, has_end in zip(*(row_B.tolist() for row_B in columns), strict=True)
    ]


def _groups(pieces: Sequence[Chorale], *, each: bool = False) -> Iterable[list[int]]:
    """Pieces of about one length together, as many as fit, or each by itself."""
    group: list[int] = []
    for index in sorted(range(len(pieces)), key=lambda index: pieces[index].steps):
        length = pieces[index].steps * codec.VOICES + 1
        if group and (each or (len(group) + 1) * length > _TOKENS_AT_ONCE):
            yield group
            group = []
        group.append(index)
    yield group
