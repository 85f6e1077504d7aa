"""A training step: model, optimiser and averaged weights.

Dropout is seeded by the seed and the number of the step, so that a resumed run continues exactly as
it would have, on the same machine and number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from musicrel import legacy
from musicrel.errors import ModelError
from musicrel.experiment.data import masking
from musicrel.experiment.data.dataset import Batch
from musicrel.experiment.objectives.evaluation import (
    batch_logits,
    first_target,
    soft_nats,
    token_nats,
)
from musicrel.experiment.recipe.recipe import Recipe, TrainingPart
from musicrel.experiment.training.needed_models import adds_nothing, check_compatible
from musicrel.model import checkpoint, devices
from musicrel.model.families.transformer import Transformer
from musicrel.model.networks import build
from musicrel.model.tokens.vocabulary import PAD

_SEED_STRIDE = 1_000_003
_MASKS = 1 << 60
"""Distance of the seeds of masked tokens from those of dropout."""
_MOMENTS = ("exp_avg", "exp_avg_sq", "step")


@dataclass(frozen=True, slots=True)
class StepLoss:
    """The result of a step: mean nats per target, and the norm of the gradient before clipping."""

    nats: float
    gradient_norm: float


class DivergedError(ModelError):
    """The loss is not finite, or far above its previous values."""


class Learner:
    """Model, AdamW and exponential moving average.

    ``notes`` are sentences for the user on deviations from the recipe, ``init_sha256`` is that of
    the weights in ``init_folder``, "" for random ones.
    """

    def __init__(
        self, recipe: Recipe, device: torch.device, init_folder: Path | None = None
    ) -> None:
        self._training = recipe.training
        torch.manual_seed(recipe.training.seed)
        self.model = build(recipe.config()).to(device)
        self.init_sha256 = ""
        if init_folder is not None:
            self.init_sha256 = _initialise(self.model, init_folder, recipe.training)
        self.averaged = build(recipe.config()).to(device).requires_grad_(False).eval()
        self.averaged.load_state_dict(self.model.state_dict())
        self._optimizer = _adamw(self.model, recipe.training)
        self._device = device
        is_mixed = self._training.precision == "mixed"
        lacking = devices.without_bfloat16(str(device)) if is_mixed else ""
        self._mixed = is_mixed and not lacking
        self.notes = (f"{lacking}: the run is in single precision",) if lacking else ()

    def step(
        self,
        batch: Batch,
        number: int,
        rate: float,
        parts: int = 1,
        wanted_BTV: Tensor | None = None,
    ) -> StepLoss:
        seed = self._training.seed * _SEED_STRIDE + number
        torch.manual_seed(seed)
        self.model.train()
        self._optimizer.zero_grad(set_to_none=True)  # left over if an earlier attempt failed
        nats = self._gradients(batch, self._inputs(batch, seed), parts, wanted_BTV)
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self._training.clip)
        if not torch.isfinite(norm) or not math.isfinite(nats):
            raise DivergedError(
                f"the loss of step {number} is {nats} with a gradient of norm {float(norm)}"
            )
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        decay = min(self._training.ema, (1 + number) / (10 + number))  # initial weights fade sooner
        with torch.no_grad():
            pairs = zip(self.averaged.parameters(), self.model.parameters(), strict=True)
            for averaged, current in pairs:
                averaged.lerp_(current, 1.0 - decay)
        return StepLoss(nats=nats, gradient_norm=float(norm))

    def _inputs(self, batch: Batch, seed: int) -> Batch:
        share = self._training.token_masking
        generator = torch.Generator().manual_seed(seed + _MASKS)
        return masking.mask_inputs(batch, share, generator) if share else batch

    def _gradients(
        self, batch: Batch, inputs: Batch, parts: int, wanted_BTV: Tensor | None
    ) -> float:
        """Accumulate the gradient of ``batch``, read as ``inputs``; return its mean loss."""
        nats, tokens = 0.0, batch.tokens
        pieces = [
            (whole.to(self._device), part.to(self._device))
            for whole, part in zip(batch.parts(parts), inputs.parts(parts), strict=True)
        ]
        first = len(pieces[0][0].ids_BT)
        soft = [None] * parts if wanted_BTV is None else torch.split(wanted_BTV, first)
        for (whole, part), wanted in zip(pieces, soft, strict=False):
            if self._training.averaged == "batches":
                tokens = part.tokens * len(pieces)
            with torch.autocast(self._device.type, torch.bfloat16, enabled=self._mixed):
                logits_BTV = batch_logits(self.model, part)
            shown, loss = self._losses(logits_BTV.float(), whole, wanted)
            alike = len(batch.ids_BT) if self._training.averaged == "sequences" else tokens
            (loss / alike).backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
            nats += float(shown.detach()) / tokens
        return nats

    def _losses(
        self, logits_BTV: Tensor, batch: Batch, wanted_BTV: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        targets_BT = batch.targets_BT
        smoothing, first = self._training.label_smoothing, first_target(self.model)
        nats_BT = learned_BT = token_nats(logits_BTV, targets_BT, first=first)
        if smoothing:
            learned_BT = token_nats(logits_BTV, targets_BT, smoothing=smoothing, first=first)
        if wanted_BTV is not None:
            wanted_BT = soft_nats(logits_BTV, wanted_BTV.to(self._device), targets_BT)
            learned_BT = learned_BT.lerp(wanted_BT, self._training.distil)
        if self._training.averaged == "sequences":
            learned_BT = learned_BT / (targets_BT != PAD).sum(-1, keepdim=True).clamp(min=1)
        return nats_BT.sum(), learned_BT.sum()

    def state(self) -> dict[str, Tensor]:
        tensors = {f"model.{name}": value for name, value in self.model.state_dict().items()}
        tensors |= {f"ema.{name}": value for name, value in self.averaged.state_dict().items()}
        for name, parameter in self.model.named_parameters():
            moments = self._optimizer.state.get(parameter, {})
            tensors |= {f"adamw.{name}.{key}": moments[key] for key in _MOMENTS if key in moments}
        return tensors

    def load_state(self, tensors: Mapping[str, Tensor]) -> None:
        tensors = {legacy.tensor_name(name): value for name, value in tensors.items()}
        try:
            self.model.load_state_dict(_under("model.", tensors))
            self.averaged.load_state_dict(_under("ema.", tensors))
        except RuntimeError as reason:
            raise ModelError(f"the checkpoint is of another model: {reason}") from reason
        self._optimizer.state.clear()  # a state before the first step has no moments
        for name, parameter in self.model.named_parameters():
            moments = _under(f"adamw.{name}.", tensors)
            if not moments:
                continue
            _check_moments(name, parameter, moments)
            self._optimizer.state[parameter] = {
                key: value.to(parameter.device).clone() for key, value in moments.items()
            }


def _initialise(model: Transformer, folder: Path, training: TrainingPart) -> str:
    """Copy all weights of the model in ``folder``, freeze them if there are others; return sha256.

    A distilled model without parts of its own trains all of them.
    """
    loaded = checkpoint.load(folder)
    before = loaded.card.config
    check_compatible(before, model.config, str(folder), distilled=bool(training.teachers))
    known, own = loaded.network.state_dict(), model.state_dict()
    model.load_state_dict(own | known)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(name not in known or adds_nothing(before, model.config))
    return checkpoint.weights_sha256(folder)


def _adamw(model: Transformer, training: TrainingPart) -> torch.optim.AdamW:
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    decayed = {
        id(module.weight)  # the weight matrices of the blocks
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear) and name not in ("head", "intervals.project")
    }
    if training.decayed == "all":
        decayed = {id(parameter) for parameter in learned}
    groups = [
        {
            "params": [parameter for parameter in learned if id(parameter) in decayed],
            "weight_decay": training.weight_decay,
        },
        {
            "params": [parameter for parameter in learned if id(parameter) not in decayed],
            "weight_decay": 0.0,
        },
    ]
    return torch.optim.AdamW(
        groups, lr=training.learning_rate, betas=(training.beta1, training.beta2), fused=True
    )


def _check_moments(name: str, parameter: Tensor, moments: Mapping[str, Tensor]) -> None:
    shapes = {key: torch.Size() if key == "step" else parameter.shape for key in _MOMENTS}
    found = {key: value.shape for key, value in moments.items()}
    if found != shapes or {value.dtype for value in moments.values()} != {torch.float32}:
        raise ModelError(f"the checkpoint is of another model: the moments of {name!r} do not fit")


def _under(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {
        name.removeprefix(prefix): value
        for name, value in tensors.items()
        if name.startswith(prefix)
    }
