"""Evaluation of models in nats per note, independent of the batch size.

Mean natural-log loss per pitch token, four per step, rests included; START is excluded and END is
reported apart. Context is the whole piece or a sliding window. The mean over a split is weighted by
tokens. For models that classify, loss and accuracy per sequence.

Dimensions: B batch or windows, T tokens, C conditions or classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import torch

from musicrel.chorale import Chorale
from musicrel.errors import DataError
from musicrel.experiment.data import masking
from musicrel.experiment.data.dataset import Batch, Cut, collate
from musicrel.experiment.objectives.losses import (
    FIRST_CLASS,
    batch_logits,
    evaluation_mode,
    token_nats,
)
from musicrel.experiment.recipe.recipe_parts import MaskingPart
from musicrel.jobs import Job
from musicrel.model.families.transformer import Transformer
from musicrel.tokens import codec, conditions
from musicrel.tokens.vocabulary import END, PAD, Vocabulary

_TOKENS_AT_ONCE = 8192

Sums: TypeAlias = tuple[float, int, float | None]
"""Nats of all notes of a sequence, their number, and nats of END; None where END was not a
target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceLoss:
    """The loss of one piece.

    Attributes:
        index: index of the piece in the split.
        title: title of the piece.
        nats: sum over its notes.
        notes: number of notes, four per step; for masked models, of masked notes.
        end_nats: loss of END; None where it was not a target.
        right: whether the most likely class is the true one; None for models without classes.
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
        conditions: conditions that were given.
        pieces: one entry per piece, in the order of the split.
    """

    conditions: tuple[str, ...]
    pieces: tuple[PieceLoss, ...]

    @classmethod
    def of(cls, given: tuple[str, ...], losses: Iterable[PieceLoss]) -> Evaluation:
        """Return the loss of a split from those of its pieces, in any order."""
        ordered = sorted(losses, key=lambda loss: loss.index)
        return cls(conditions=given, pieces=tuple(ordered))

    @property
    def notes(self) -> int:
        """Return the number of notes of all pieces."""
        return sum(piece.notes for piece in self.pieces)

    @property
    def nats_per_note(self) -> float:
        """Return the mean loss per note over all pieces."""
        return sum(piece.nats for piece in self.pieces) / self.notes

    @property
    def end_nats(self) -> float | None:
        """Return the mean loss of END; None where no piece has one."""
        ends = [piece.end_nats for piece in self.pieces if piece.end_nats is not None]
        return sum(ends) / len(ends) if ends else None

    @property
    def accuracy(self) -> float:
        """Return the share of correctly classified pieces."""
        return sum(bool(piece.right) for piece in self.pieces) / len(self.pieces)


def evaluate(
    model: Transformer,
    pieces: Sequence[Chorale],
    vocabulary: Vocabulary,
    given: Iterable[str] = conditions.POSITIONAL,
    masks: MaskingPart | None = None,
    *,
    window: int = 0,
    restart: bool = False,
) -> Job[PieceLoss, Evaluation]:
    """Evaluate ``model`` on pieces, short ones first; yields the loss of each piece.

    Args:
        model: in any mode; in evaluation mode while this runs, then restored.
        masks: masking for a model of family ``masked``, ``infill`` or ``encoder_decoder``; None:
            the default of a recipe.
        window: tokens of context of a causal model, in a window that slides by half; 0: the whole
            piece.
    """
    if not pieces:
        raise DataError("there is no piece to evaluate on")
    if vocabulary.size != model.config.tokens:
        raise DataError(
            f"the model has {model.config.tokens} tokens, vocabulary {vocabulary.name} has "
            f"{vocabulary.size}: expected the same number"
        )
    if model.config.classes:
        raise DataError("the model is a classifier: expected one that predicts notes")
    requested = frozenset(given)
    used = tuple(name for name in model.config.conditions if name in requested)
    scorer = _Scorer(model, vocabulary, used, masks or MaskingPart(), window, restart)
    lengths = [piece.steps * codec.VOICES + 1 for piece in pieces]
    losses: list[PieceLoss] = []
    with evaluation_mode(model):
        for group in group_by_length(lengths, each=window > 0):
            scores = scorer.score({index: pieces[index] for index in group})
            for index, (nats, notes, end_nats) in zip(group, scores, strict=True):
                title = pieces[index].title
                losses.append(
                    PieceLoss(index=index, title=title, nats=nats, notes=notes, end_nats=end_nats)
                )
                yield losses[-1]
    return Evaluation.of(used, losses)


def evaluate_classes(
    model: Transformer,
    batches: Iterable[tuple[Mapping[int, str], Batch]],
    given: tuple[str, ...] = (),
) -> Job[PieceLoss, Evaluation]:
    """Evaluate loss and accuracy of a classifier per sequence; yields each as it comes.

    Args:
        model: in any mode; in evaluation mode while this runs, then restored.
    """
    losses: list[PieceLoss] = []
    with evaluation_mode(model):
        for titles, batch in batches:
            found = _class_losses(model, titles, batch)
            losses += found
            yield from found
    return Evaluation.of(given, losses)


def group_by_length(lengths: Sequence[int], *, each: bool = False) -> Iterator[list[int]]:
    """Yield the indices of sequences of similar length, short ones first, one batch at a time."""
    group: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if group and (each or (len(group) + 1) * lengths[index] > _TOKENS_AT_ONCE):
            yield group
            group = []
        group.append(index)
    yield group


def window_batches(cut: Cut, window: int, rows: int, *, restart: bool = False) -> Iterator[Batch]:
    """Yield a piece as batches of sliding windows; targets of an earlier window are PAD.

    Every token is predicted once, in the first window that contains it: tokens of the first window
    in the context of what precedes them there, all others in a context of at least half a window.

    Args:
        window: tokens per window; the stride is half of it in whole steps, at least one step.
    """
    ids, conditions_TC, start = cut
    step = max(window // 2 // codec.VOICES * codec.VOICES, codec.VOICES)
    firsts = [0, *range(step, max(len(ids) - 1 - window + step, 0), step)]
    for place in range(0, len(firsts), rows):
        part = firsts[place : place + rows]
        cuts = [(slice(at, at + window + 1), 0 if restart else start + at) for at in part]
        batch = collate([(ids[seen], conditions_TC[seen], begin) for seen, begin in cuts])
        yield _new_targets(batch, part, window - step)


@dataclass(frozen=True, slots=True)
class _Scorer:
    """A model with the way it reads pieces; attributes as in ``evaluate``."""

    model: Transformer
    vocabulary: Vocabulary
    given: tuple[str, ...]
    masks: MaskingPart
    window: int
    restart: bool

    def score(self, pieces: Mapping[int, Chorale]) -> list[Sums]:
        if self.window:
            return [self._score_sliding(piece) for piece in pieces.values()]
        names = tuple(self.model.config.conditions)
        family = self.model.config.family
        if family in ("masked", "infill", "encoder_decoder"):
            batch = masking.evaluation_batch(
                pieces, self.vocabulary, self.masks, names, self.given, family=family
            )
        else:
            batch = collate([self._encode(piece) for piece in pieces.values()])
        return _losses(self.model, batch)

    def _score_sliding(self, piece: Chorale) -> Sums:
        rows = max(_TOKENS_AT_ONCE // self.window, 1)
        each = [
            score
            for batch in window_batches(
                self._encode(piece), self.window, rows, restart=self.restart
            )
            for score in _losses(self.model, batch)
        ]
        nats, notes, ends = zip(*each, strict=True)
        return sum(nats), sum(notes), next((end for end in ends if end is not None), None)

    def _encode(self, piece: Chorale) -> Cut:
        rows = conditions.rows(piece, tuple(self.model.config.conditions), self.given)
        return codec.encode(piece, self.vocabulary), rows, 0


@torch.inference_mode()
def _losses(model: Transformer, batch: Batch) -> list[Sums]:
    batch = batch.to(model.head.weight.device)
    nats_BT = token_nats(batch_logits(model, batch), batch.targets_BT).cpu().double()
    targets_BT = batch.targets_BT.cpu()  # MPS has no float64
    is_end_BT = targets_BT == END
    ends_B = (nats_BT * is_end_BT).sum(-1)
    notes_B = ((targets_BT != PAD) & ~is_end_BT).sum(-1)
    columns = (nats_BT.sum(-1), notes_B, ends_B, is_end_BT.any(-1))
    return [
        (nats - end, notes, end if has_end else None)
        for nats, notes, end, has_end in zip(*(row_B.tolist() for row_B in columns), strict=True)
    ]


@torch.inference_mode()
def _class_losses(model: Transformer, titles: Mapping[int, str], batch: Batch) -> list[PieceLoss]:
    batch = batch.to(model.head.weight.device)
    logits_B1C = batch_logits(model, batch)
    nats_B = token_nats(logits_B1C, batch.targets_BT, first=FIRST_CLASS)[:, 0].cpu().double()
    right_B = logits_B1C[:, 0].argmax(-1) + FIRST_CLASS == batch.targets_BT[:, 0]
    return [
        PieceLoss(index=index, title=title, nats=nats, notes=1, right=right)
        for (index, title), nats, right in zip(
            titles.items(), nats_B.tolist(), right_B.tolist(), strict=True
        )
    ]


def _new_targets(batch: Batch, firsts: Sequence[int], known: int) -> Batch:
    """Remove the targets that the previous window has: the first ``known`` of all but the first."""
    targets_BT = batch.targets_BT.clone()
    targets_BT[np.array(firsts) > 0, :known] = PAD
    return Batch(batch.ids_BT, targets_BT, batch.conditions_BTC, batch.starts_B)
