"""nats/note of a model over whole pieces: exact, the same for any batch size.

Mean natural-log loss per pitch token, four a step, rests counted, START not, END reported apart;
whole piece in context; token-weighted over the split.

Dimensions: B batch, T tokens.

This file knows losses; it knows nothing of training.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor

from musicrel.chorale import Chorale
from musicrel.errors import DataError
from musicrel.experiment.data import collate
from musicrel.jobs import Job
from musicrel.model.transformer import Transformer
from musicrel.tokens import codec, conditions
from musicrel.tokens.vocabulary import END, PAD, Vocabulary

_TOKENS_AT_ONCE = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceLoss:
    """The loss of one piece.

    Attributes:
        index: its place in the split.
        title: its title.
        nats: sum over its notes.
        notes: number of its notes, four a step.
        end_nats: loss of END.
    """

    index: int
    title: str
    nats: float
    notes: int
    end_nats: float


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
    def end_nats(self) -> float:
        """Mean loss of END."""
        return sum(piece.end_nats for piece in self.pieces) / len(self.pieces)


def evaluate(
    model: Transformer,
    pieces: Sequence[Chorale],
    vocabulary: Vocabulary,
    given: Iterable[str] = conditions.FROM_PLACE_ALONE,
) -> Job[PieceLoss, Evaluation]:
    """Evaluate ``model`` on whole pieces; yields each piece's loss as it comes, short ones first.

    Args:
        model: in any mode; it is in evaluation mode while this runs, and as before afterwards.
        pieces: the split.
        vocabulary: the one the model was made for.
        given: conditions it is told, those it does not have left out.

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
    names = tuple(model.config.conditions)
    told = tuple(name for name in names if name in frozenset(given))
    losses: list[PieceLoss] = []
    was_training = model.training
    model.eval()
    try:
        for group in _groups(pieces):
            cuts = [
                (
                    codec.encode(pieces[index], vocabulary),
                    conditions.rows(pieces[index], names, told),
                    0,
                )
                for index in group
            ]
            for index, (nats, end_nats) in zip(group, _losses(model, cuts), strict=True):
                losses.append(_piece_loss(index, pieces[index], nats, end_nats))
                yield losses[-1]
    finally:
        model.train(was_training)
    return Evaluation(conditions=told, pieces=tuple(sorted(losses, key=lambda loss: loss.index)))


@torch.inference_mode()
def _losses(
    model: Transformer, cuts: Sequence[tuple[codec.Ids, conditions.Rows, int]]
) -> list[tuple[float, float]]:
    """For each sequence, nats of its notes and of END."""
    batch = collate(cuts).to(model.head.weight.device)
    logits_BTV = model(batch.ids_BT, batch.conditions_BTC).logits_BTV
    nats_BT = token_nats(logits_BTV, batch.targets_BT).double()
    ends_B = (nats_BT * (batch.targets_BT == END)).sum(-1)
    return [
        (float(nats - end), float(end))
        for nats, end in zip(nats_BT.sum(-1).cpu(), ends_B.cpu(), strict=True)
    ]


def token_nats(logits_BTV: Tensor, targets_BT: Tensor) -> Tensor:
    """-log p of every target, (B, T); 0 where the target is PAD."""
    return F.cross_entropy(
        logits_BTV.transpose(1, 2), targets_BT, ignore_index=PAD, reduction="none"
    )


def _groups(pieces: Sequence[Chorale]) -> Iterable[list[int]]:
    """Pieces of about one length together, as many as fit."""
    group: list[int] = []
    for index in sorted(range(len(pieces)), key=lambda index: pieces[index].steps):
        length = pieces[index].steps * codec.VOICES + 1
        if group and (len(group) + 1) * length > _TOKENS_AT_ONCE:
            yield group
            group = []
        group.append(index)
    yield group


def _piece_loss(index: int, piece: Chorale, nats: float, end_nats: float) -> PieceLoss:
    return PieceLoss(
        index=index,
        title=piece.title,
        nats=nats,
        notes=piece.steps * codec.VOICES,
        end_nats=end_nats,
    )
