"""Evaluation of models in nats per note, independent of the batch size.

Mean natural-log loss per pitch token, four per step, rests included; START is excluded and END is
reported apart. Context is the whole piece or a sliding window. The mean over a split is weighted by
tokens. For models that classify, loss and accuracy per sequence.

Dimensions: B batch or windows, T tokens, C conditions or classes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  # its usual name
from torch import Tensor

from musicrel.chorale import Chorale
from musicrel.errors import DataError
from musicrel.experiment.data import masking
from musicrel.experiment.data.dataset import Batch, Cut, collate
from musicrel.experiment.recipe.recipe import MaskingPart
from musicrel.experiment.runs.events import PieceLoss
from musicrel.jobs import Job
from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Transformer
from musicrel.model.tokens import codec, conditions
from musicrel.model.tokens.vocabulary import END, PAD, Vocabulary

_TOKENS_AT_ONCE = 8192
_ON_GPU = 4  # times as many

Sums: TypeAlias = tuple[float, int, float | None]
"""Nats of all notes of a sequence, their number, and nats of END; None where END was not a
target."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The loss of a split.

    Attributes:
        conditions: conditions that were given.
        pieces: one entry per piece, in the order of the split.
    """

    conditions: tuple[str, ...]
    pieces: tuple[PieceLoss, ...]

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


class Objective(ABC):
    """The batches that a family of models is trained on, and its evaluation."""

    uniform_nats: float  # loss per target of a uniform prediction
    vocabulary: Mapping[str, Any]  # ``name`` and ``symbols`` for the model card
    metric = "nats_per_note"  # attribute of an ``Evaluation`` that is reported for further splits
    extra_splits: Sequence[str] = ()  # evaluated besides validation at every evaluation
    final_splits: Sequence[str] = ()  # evaluated at the end besides validation and test

    @abstractmethod
    def at(self, step: int) -> Batch:
        """Return the batch of ``step``."""

    @abstractmethod
    def count(self, split: str) -> int:
        """Return the number of losses that ``evaluate`` yields."""

    @abstractmethod
    def evaluate(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Job[PieceLoss, Evaluation]: ...

    def condition_sets(self, config: ModelConfig) -> Sequence[tuple[str, ...]]:
        """Return the sets of conditions the final model is evaluated with; the first one counts."""
        del config
        return ((),)


def evaluate(
    model: Transformer,
    pieces: Sequence[Chorale],
    vocabulary: Vocabulary,
    given: Iterable[str] = conditions.POSITIONAL,
    masks: MaskingPart | None = None,
    *,
    window: int = 0,
    restart: bool = False,
    opening: int = 0,
) -> Job[PieceLoss, Evaluation]:
    """Evaluate ``model`` on pieces, short ones first; yields the loss of each piece.

    Args:
        window: context in tokens of a sliding window; 0: whole pieces.
        restart: whether positions start at 0 in each window.
        opening: number of first notes that are read, the first of them without a loss; 0: all.
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

    lengths = [piece.steps * codec.VOICES + 1 for piece in pieces]

    def losses() -> Iterator[PieceLoss]:
        for group in group_by_length(lengths, tokens_at_once(model), each=window > 0):
            some = {index: pieces[index] for index in group}
            if opening:
                scores = _score_openings(model, some, vocabulary, used, opening)
            else:
                scores = _score(
                    model, some, vocabulary, used, masks, window=window, restart=restart
                )
            for (index, piece), (nats, notes, end) in zip(some.items(), scores, strict=True):
                yield PieceLoss(
                    index=index, title=piece.title, nats=nats, notes=notes, end_nats=end
                )

    return evaluated(model, used, losses())


def evaluate_classes(
    model: Transformer, batches: Iterable[tuple[Sequence[int], Batch]], given: tuple[str, ...]
) -> Job[PieceLoss, Evaluation]:
    """Evaluate loss and accuracy of a classifier per sequence; yields each as it comes."""
    losses = (loss for group, some in batches for loss in _class_losses(model, group, some))
    return evaluated(model, given, losses)


def evaluated(
    model: Transformer, given: tuple[str, ...], losses: Iterable[PieceLoss]
) -> Job[PieceLoss, Evaluation]:
    """Pass on the losses, in any order, which are computed in evaluation mode."""
    found: list[PieceLoss] = []
    was_training = model.training
    model.eval()
    try:
        for loss in losses:
            found.append(loss)
            yield loss
    finally:
        model.train(was_training)
    return Evaluation(given, tuple(sorted(found, key=lambda loss: loss.index)))


def tokens_at_once(model: Transformer) -> int:
    """Return the size of batches: a GPU is idle between small ones."""
    on_cpu = model.embed_token.weight.device.type == "cpu"
    return _TOKENS_AT_ONCE * (1 if on_cpu else _ON_GPU)


def group_by_length(
    lengths: Sequence[int], tokens: int, *, each: bool = False
) -> Iterator[list[int]]:
    """Yield the indices of sequences of similar length, short ones first, one batch at a time."""
    group: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if group and (each or (len(group) + 1) * lengths[index] > tokens):
            yield group
            group = []
        group.append(index)
    yield group


def window_batches(cut: Cut, window: int, rows: int, *, restart: bool = False) -> Iterator[Batch]:
    """Yield a piece as batches of sliding windows; targets of an earlier window are PAD.

    Every token is predicted once, in the first window that contains it: tokens of the first window
    in the context of what precedes them there, all others in a context of at least half a window.
    """
    ids, conditions_TC, start = cut
    step = max(window // 2 // codec.VOICES * codec.VOICES, codec.VOICES)
    firsts = [0, *range(step, max(len(ids) - 1 - window + step, 0), step)]
    for place in range(0, len(firsts), rows):
        part = firsts[place : place + rows]
        cuts = [(slice(at, at + window + 1), 0 if restart else start + at) for at in part]
        batch = collate([(ids[seen], conditions_TC[seen], begin) for seen, begin in cuts])
        batch.targets_BT[np.array(part) > 0, : window - step] = PAD  # the previous window has them
        yield batch


def _score(
    model: Transformer,
    pieces: Mapping[int, Chorale],
    vocabulary: Vocabulary,
    given: tuple[str, ...],
    masks: MaskingPart | None,
    *,
    window: int,
    restart: bool,
) -> list[Sums]:
    names, family = tuple(model.config.conditions), model.config.family
    if not window and family in ("masked", "infill", "encoder_decoder"):
        part = masks or MaskingPart()
        batch = masking.evaluation_batch(pieces, vocabulary, part, names, given, family=family)
        return _losses(model, batch)
    cuts: list[Cut] = [
        (codec.encode(piece, vocabulary), conditions.rows(piece, names, given), 0)
        for piece in pieces.values()
    ]
    if not window:
        return _losses(model, collate(cuts))
    return [_score_sliding(model, cut, window, restart=restart) for cut in cuts]


def _score_openings(
    model: Transformer,
    pieces: Mapping[int, Chorale],
    vocabulary: Vocabulary,
    given: tuple[str, ...],
    notes: int,
) -> list[Sums]:
    names = tuple(model.config.conditions)
    batch = collate([
        (codec.encode(piece, vocabulary)[: notes + 1],
         conditions.rows(piece, names, given)[: notes + 1], 0)
        for piece in pieces.values()
    ])  # fmt: skip
    batch.targets_BT[:, 0] = PAD
    return _losses(model, batch)


def _score_sliding(model: Transformer, cut: Cut, window: int, *, restart: bool) -> Sums:
    rows = max(tokens_at_once(model) // window, 1)
    batches = window_batches(cut, window, rows, restart=restart)
    each = [score for batch in batches for score in _losses(model, batch)]
    nats, notes, ends = zip(*each, strict=True)
    return sum(nats), sum(notes), next((end for end in ends if end is not None), None)


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
def _class_losses(model: Transformer, group: Sequence[int], batch: Batch) -> list[PieceLoss]:
    batch = batch.to(model.head.weight.device)
    logits_B1C = batch_logits(model, batch)
    nats_B = token_nats(logits_B1C, batch.targets_BT, first=FIRST_CLASS)[:, 0].cpu().double()
    right_B = logits_B1C[:, 0].argmax(-1) + FIRST_CLASS == batch.targets_BT[:, 0]
    return [
        PieceLoss(index=index, title="", nats=nats, notes=1, right=right)
        for index, nats, right in zip(group, nats_B.tolist(), right_B.tolist(), strict=True)
    ]


FIRST_CLASS = 1
"""Target of the first class; 0 is PAD."""


def batch_logits(model: Transformer, batch: Batch) -> Tensor:
    """Return the logits of ``batch``; non-causal models get a mask if there is padding.

    On a GPU they always get one, because nothing can be asked of it while a step is captured.
    """
    takes_mask = model.config.family != "causal" and (
        batch.ids_BT.device.type != "cpu" or bool((batch.ids_BT == PAD).any())
    )
    mask = batch.mask if takes_mask else None  # without one, faster attention kernels apply
    logits_BTV: Tensor = model(
        batch.ids_BT, batch.conditions_BTC, starts_B=batch.starts_B, mask=mask
    ).logits_BTV
    return logits_BTV


def first_target(model: Transformer) -> int:
    return FIRST_CLASS if model.config.classes else 0


def token_nats(
    logits_BTV: Tensor, targets_BT: Tensor, *, smoothing: float = 0.0, first: int = 0
) -> Tensor:
    """Return -log p of every target, (B, T); 0 where the target is PAD."""
    return F.cross_entropy(
        logits_BTV.transpose(1, 2),
        targets_BT - first,
        ignore_index=PAD - first,
        reduction="none",
        label_smoothing=smoothing,
    )


def soft_nats(logits_BTV: Tensor, wanted_BTV: Tensor, targets_BT: Tensor) -> Tensor:
    """Return the cross-entropy -sum q log p with a wanted distribution q, (B, T); 0 at PAD.

    Hinton et al. 2015, section 2, at temperature 1.
    """
    nats_BT = -(wanted_BTV * logits_BTV.log_softmax(-1)).sum(-1)
    return nats_BT * (targets_BT != PAD)


def mean_nats(nats_BT: Tensor, targets_BT: Tensor, part: slice) -> float | None:
    count = int((targets_BT[:, part] != PAD).sum())
    return float(nats_BT[:, part].sum()) / count if count else None
