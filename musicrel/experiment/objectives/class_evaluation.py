"""How well a model that says one thing of a whole sequence says it.

Dimensions: B batch, C classes.

This file knows classes; it knows nothing of what the sequences are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import torch

from musicrel.experiment.data.dataset import Batch
from musicrel.experiment.objectives.evaluation import Evaluation, PieceLoss
from musicrel.experiment.objectives.losses import FIRST_CLASS, read, token_nats
from musicrel.jobs import Job
from musicrel.model.families.transformer import Transformer


def evaluate(
    model: Transformer,
    batches: Iterable[tuple[Mapping[int, str], Batch]],
    given: tuple[str, ...] = (),
) -> Job[PieceLoss, Evaluation]:
    """Nats a sequence, and whether the likeliest class is the true one; yields each as it comes.

    Args:
        model: in any mode; it is in evaluation mode while this runs, and as before afterwards.
        batches: sequences, each with its place in the split and its title.
        given: what the model is told.
    """
    losses: list[PieceLoss] = []
    was_training = model.training
    model.eval()
    try:
        for titles, batch in batches:
            found = _losses(model, titles, batch)
            losses += found
            yield from found
    finally:
        model.train(was_training)
    ordered = tuple(sorted(losses, key=lambda loss: loss.index))
    return Evaluation(conditions=given, pieces=ordered)


@torch.inference_mode()
def _losses(model: Transformer, titles: Mapping[int, str], batch: Batch) -> list[PieceLoss]:
    batch = batch.to(model.head.weight.device)
    logits_B1C = read(model, batch)
    nats_B = token_nats(logits_B1C, batch.targets_BT, first=FIRST_CLASS)[:, 0].double()
    right_B = logits_B1C[:, 0].argmax(-1) + FIRST_CLASS == batch.targets_BT[:, 0]
    return [
        PieceLoss(index=index, title=title, nats=nats, notes=1, right=right)
        for (index, title), nats, right in zip(
            titles.items(), nats_B.tolist(), right_B.tolist(), strict=True
        )
    ]
