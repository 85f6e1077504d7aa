"""A model with its optimiser and its averaged weights: what one training step changes.

Dropout is drawn anew from the seed and the step's number, so a run that is taken up again goes on
exactly as it would have, on the same machine and number of threads.

This file knows one step, and what it begins with; it knows nothing of data order or evaluation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from musicrel.errors import ModelError
from musicrel.experiment.data.dataset import Batch
from musicrel.experiment.objectives.losses import first_target, read, token_nats
from musicrel.experiment.recipe.recipe import Recipe, TrainingPart
from musicrel.experiment.training.init_from import check_fits
from musicrel.model import checkpoint, devices
from musicrel.model.families.model_families import build
from musicrel.model.families.transformer import Transformer
from musicrel.tokens.vocabulary import PAD

_SEED_STRIDE = 1_000_003
_MOMENTS = ("exp_avg", "exp_avg_sq", "step")


@dataclass(frozen=True, slots=True)
class StepLoss:
    """What a step found: mean nats a target, and the gradient's norm before clipping."""

    nats: float
    gradient_norm: float


class DivergedError(ModelError):
    """The loss is no number, or far beyond what it was: this way leads nowhere."""


class Learner:
    """Model, AdamW and exponential moving average.

    Args:
        recipe: shape of the model and how it learns.
        device: where it learns.
        begins: folder of the model to begin with; None: from chance.

    Attributes:
        model: what learns.
        averaged: what is measured and kept.
        notes: what the user should know of how it learns here.
        begun_with: sha256 of the weights it began with; "" where it began from chance.

    Raises:
        ModelError: the model to begin with is missing, is another one, or leaves nothing to learn.
    """

    def __init__(self, recipe: Recipe, device: torch.device, begins: Path | None = None) -> None:
        self._training = recipe.training
        torch.manual_seed(recipe.training.seed)
        self.model = build(recipe.config()).to(device)
        self.begun_with = ""
        if begins is not None:
            self.begun_with = _begin_with(self.model, begins)
        self.averaged = build(recipe.config()).to(device).requires_grad_(False).eval()
        self.averaged.load_state_dict(self.model.state_dict())
        self._optimizer = _adamw(self.model, recipe.training)
        self._device = device
        lacking = devices.without_bfloat16(device) if self._training.precision == "mixed" else ""
        self._mixed = self._training.precision == "mixed" and not lacking
        self.notes = (f"{lacking}: the run is in single precision",) if lacking else ()

    def step(self, batch: Batch, number: int, rate: float, parts: int = 1) -> StepLoss:
        """Learn from ``batch``.

        Args:
            batch: the sequences.
            number: of the step, counted from 0.
            rate: learning rate.
            parts: how many parts the batch is read in, one after the other; the gradient is that of
                all of it.

        Raises:
            DivergedError: the loss is no number any more; the weights are as before.
        """
        torch.manual_seed(self._training.seed * _SEED_STRIDE + number)
        self.model.train()
        self._optimizer.zero_grad(set_to_none=True)  # an earlier try may have broken off
        nats = self._gradients(batch.to(self._device), parts)
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self._training.clip)
        if not torch.isfinite(norm) or not math.isfinite(nats):
            raise DivergedError(
                f"the loss of step {number} is {nats} with a gradient of norm {float(norm)}"
            )
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        self._average(number)
        return StepLoss(nats=nats, gradient_norm=float(norm))

    def _gradients(self, batch: Batch, parts: int) -> float:
        """Add the gradient of all of ``batch`` up; its mean loss."""
        nats, tokens = 0.0, batch.tokens
        pieces = list(batch.parts(parts))
        for part in pieces:
            if self._training.averaged == "batches":
                tokens = part.tokens * len(pieces)
            with torch.autocast(self._device.type, torch.bfloat16, enabled=self._mixed):
                logits_BTV = read(self.model, part)
            shown, loss = self._losses(logits_BTV.float(), part.targets_BT)
            alike = len(batch.ids_BT) if self._training.averaged == "sequences" else tokens
            (loss / alike).backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
            nats += float(shown.detach()) / tokens
        return nats

    def _losses(self, logits_BTV: Tensor, targets_BT: Tensor) -> tuple[Tensor, Tensor]:
        """Nats of all targets as they are shown, and as they are learned."""
        smoothing, first = self._training.label_smoothing, first_target(self.model)
        nats_BT = learned_BT = token_nats(logits_BTV, targets_BT, first=first)
        if smoothing:
            learned_BT = token_nats(logits_BTV, targets_BT, smoothing=smoothing, first=first)
        if self._training.averaged == "sequences":
            learned_BT = learned_BT / (targets_BT != PAD).sum(-1, keepdim=True).clamp(min=1)
        return nats_BT.sum(), learned_BT.sum()

    def state(self) -> dict[str, Tensor]:
        """All tensors that decide how learning goes on, by name."""
        tensors = {f"model.{name}": value for name, value in self.model.state_dict().items()}
        tensors |= {f"ema.{name}": value for name, value in self.averaged.state_dict().items()}
        for name, parameter in self.model.named_parameters():
            moments = self._optimizer.state.get(parameter, {})
            tensors |= {f"adamw.{name}.{key}": moments[key] for key in _MOMENTS if key in moments}
        return tensors

    def load_state(self, tensors: Mapping[str, Tensor]) -> None:
        """Go back to where ``state`` was taken.

        Raises:
            ModelError: the tensors are not those of this model.
        """
        try:
            self.model.load_state_dict(_under("model.", tensors))
            self.averaged.load_state_dict(_under("ema.", tensors))
        except RuntimeError as reason:
            raise ModelError(f"the checkpoint is of another model: {reason}") from reason
        self._optimizer.state.clear()  # a state before the first step has no moments
        for name, parameter in self.model.named_parameters():
            moments = _under(f"adamw.{name}.", tensors)
            if moments:
                self._optimizer.state[parameter] = {
                    key: value.to(parameter.device).clone() for key, value in moments.items()
                }

    @torch.no_grad()
    def _average(self, number: int) -> None:
        """Move the averaged weights; early on faster, so that the start is soon forgotten."""
        decay = min(self._training.ema, (1 + number) / (10 + number))
        pairs = zip(self.averaged.parameters(), self.model.parameters(), strict=True)
        for averaged, current in pairs:
            averaged.lerp_(current, 1.0 - decay)


def _begin_with(model: Transformer, folder: Path) -> str:
    """Take over all that the model in ``folder`` knows, for good; the sha256 of its weights."""
    loaded = checkpoint.load(folder)
    check_fits(loaded.card.config, model.config, str(folder))
    known, own = loaded.model.state_dict(), model.state_dict()
    model.load_state_dict(own | known)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(name not in known)
    return checkpoint.weights_sha256(folder)


def _adamw(model: Transformer, training: TrainingPart) -> torch.optim.AdamW:
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    matrices = {id(matrix) for matrix in _matrices(model)}
    is_all = training.decayed == "all"
    decayed = [parameter for parameter in learned if is_all or id(parameter) in matrices]
    ids = {id(parameter) for parameter in decayed}
    rest = [parameter for parameter in learned if id(parameter) not in ids]
    groups = [
        {"params": decayed, "weight_decay": training.weight_decay},
        {"params": rest, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(
        groups, lr=training.learning_rate, betas=(training.beta1, training.beta2), fused=True
    )


def _matrices(model: Transformer) -> list[Tensor]:
    """Those of the blocks."""
    return [
        module.weight
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear) and name not in ("head", "intervals.say")
    ]


def _under(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {
        name.removeprefix(prefix): value
        for name, value in tensors.items()
        if name.startswith(prefix)
    }
