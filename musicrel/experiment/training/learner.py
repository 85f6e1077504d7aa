"""A training step: model, optimiser and averaged weights.

Dropout is seeded by the seed and the number of the step, so that a resumed run continues exactly as
it would have, on the same machine and number of threads.

On CUDA the whole step, from the forward pass to the averaged weights, is one graph for each shape
of its batch, captured once and replayed (``CapturedStep``): otherwise most of its time is spent on
launching kernels. Values that change from step to step have places on the device, batches are
padded to a few lengths, and losses are read while the next steps are computed. Seeding the
generator before a replay is enough: torch passes its seed and offset to the graph with each replay.

Dimensions: B batch, T tokens, V vocabulary, P parts of a batch, N numbers.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel import legacy
from musicrel.errors import ModelError
from musicrel.experiment.data import dataset, masking
from musicrel.experiment.data.dataset import Batch
from musicrel.experiment.objectives.evaluation import (
    batch_logits,
    first_target,
    soft_nats,
    token_nats,
)
from musicrel.experiment.recipe.recipe import Recipe, TrainingPart
from musicrel.experiment.runs import environment
from musicrel.experiment.training.needed_models import adds_nothing, check_compatible
from musicrel.model import checkpoint, devices, torch_reader
from musicrel.model.families.transformer import Transformer
from musicrel.model.networks import build
from musicrel.model.tokens.codec import VOICES
from musicrel.model.tokens.vocabulary import PAD

Results: TypeAlias = Callable[[], Tensor]
_SEED_STRIDE = 1_000_003
_MASKS = 1 << 60
"""Distance of the seeds of masked tokens from those of dropout."""
_MOMENTS = ("exp_avg", "exp_avg_sq", "step")
_NUMBERS = 2
"""Numbers of a step before those of its parts: the learning rate and the share of the weights in
their average. Those of the parts are the counts that losses are divided by."""
_CONDITIONS = "embed_condition."
_LENGTHS = 4
"""Lengths that batches are padded to where steps are captured."""


@dataclass(frozen=True, slots=True)
class StepLoss:
    """The result of a step: mean nats per target, and the norm of the gradient before clipping."""

    nats: float
    gradient_norm: float


class DivergedError(ModelError):
    """The loss is not finite, or far above its previous values."""


@dataclass(frozen=True, slots=True)
class StepInputs:
    """The inputs of a step; those of a captured step are their places on the device."""

    batch: Batch  # the tokens as the model reads them
    wanted_BTV: Tensor | None  # soft targets of the teachers; None: there are none

    def tensors(self) -> list[Tensor]:
        wanted = [] if self.wanted_BTV is None else [self.wanted_BTV]
        return [*self.batch.tensors(), *wanted]

    def each(self, change: Callable[[Tensor], Tensor]) -> StepInputs:
        wanted = None if self.wanted_BTV is None else change(self.wanted_BTV)
        return StepInputs(Batch(*map(change, self.batch.tensors())), wanted)

    def parts(self, number: int) -> Iterator[tuple[Batch, Tensor | None]]:
        batches = list(self.batch.parts(number))
        soft: Sequence[Tensor | None] = [None] * len(batches)
        if self.wanted_BTV is not None:
            soft = torch.split(self.wanted_BTV, len(batches[0].ids_BT))
        yield from zip(batches, soft, strict=True)


@dataclass(frozen=True, slots=True)
class CapturedStep:
    """A step that is captured, with the places of what it reads."""

    inputs: StepInputs
    numbers_N: Tensor
    repeat: Results

    def run(self, inputs: StepInputs, numbers: Sequence[float]) -> Callable[[], list[float]]:
        """Run the step on other values; the result waits for what it returns."""
        own, new = (*self.inputs.tensors(), self.numbers_N), (*inputs.tensors(), _numbers(numbers))
        for place, tensor in zip(own, new, strict=True):
            place.copy_(_pinned(tensor, place.device), non_blocking=True)
        return _fetched(self.repeat())


class Learner:
    """Model, AdamW and exponential moving average.

    Attributes:
        init_sha256: that of the weights in ``init_folder``, "" for random ones.
        notes: sentences for the user on deviations from the recipe.
        failure: the reason why steps cannot be captured on CUDA; "" if they can.
    """

    def __init__(
        self,
        recipe: Recipe,
        device: torch.device,
        init_folder: Path | None = None,
        *,
        capture: bool = True,
    ) -> None:
        self._training, self._window = recipe.training, recipe.data.window
        self._positions = dataset.max_tokens(recipe)
        torch.manual_seed(recipe.training.seed)
        self.model = build(recipe.config()).to(device)
        self.init_sha256 = ""
        if init_folder is not None:
            self.init_sha256 = _initialise(self.model, init_folder)
        self.averaged = build(recipe.config()).to(device).requires_grad_(False).eval()
        self.averaged.load_state_dict(self.model.state_dict())
        self._ones = [torch.ones_like(parameter) for parameter in self.averaged.parameters()]
        self._optimizer = _adamw(self.model, recipe.training)
        self._device = device
        is_mixed = self._training.precision == "mixed"
        lacking = devices.without_bfloat16(str(device)) if is_mixed else ""
        self._mixed = is_mixed and not lacking
        self.notes = (f"{lacking}: the run is in single precision",) if lacking else ()
        self._capture, self.failure = capture_for(device) if capture else None, ""
        self._captured: dict[object, CapturedStep] = {}

    @property
    def is_captured(self) -> bool:
        """Return whether steps are captured, and losses read later."""
        return self._capture is not None

    def step(
        self,
        batch: Batch,
        number: int,
        rate: float,
        parts: int = 1,
        wanted_BTV: Tensor | None = None,
    ) -> StepLoss:
        return self.start(self.prepare(batch, number, wanted_BTV), number, rate, parts)()

    def prepare(self, batch: Batch, number: int, wanted_BTV: Tensor | None = None) -> StepInputs:
        """Return what the step ``number`` reads, on the host; any thread may do so."""
        if share := self._training.token_masking:
            generator = torch.Generator().manual_seed(self._seed(number) + _MASKS)
            batch = masking.mask_inputs(batch, share, generator)
        inputs = StepInputs(batch, wanted_BTV)
        if self._capture is None:
            return inputs
        missing = self._padded(batch) - batch.ids_BT.shape[1]
        return inputs.each(
            lambda tensor: _pinned(_longer(tensor, batch.ids_BT, missing), self._device)
        )

    def start(
        self, inputs: StepInputs, number: int, rate: float, parts: int = 1
    ) -> Callable[[], StepLoss]:
        """Begin a step; the result waits for its loss, and raises ``DivergedError``."""
        batches = list(inputs.batch.parts(parts))
        tokens = [inputs.batch.tokens] * len(batches)
        if self._training.averaged == "batches":
            tokens = [batch.tokens * len(batches) for batch in batches]
        alike = tokens
        if self._training.averaged == "sequences":
            alike = [len(inputs.batch.ids_BT)] * len(batches)
        decay = min(self._training.ema, (1 + number) / (10 + number))  # initial weights fade sooner
        numbers = [rate, 1.0 - decay, *map(float, alike)]
        self._reserve(inputs.batch.reach)
        captured = self._captured_step(inputs, numbers)
        torch.manual_seed(self._seed(number))
        if captured is not None:
            read = captured.run(inputs, numbers)
            return lambda: _checked(read(), tokens, number)
        here = inputs.each(lambda tensor: tensor.to(self._device))
        numbers_N = _numbers(numbers).to(self._device)
        loss = _checked(self._gradients(here, numbers_N).tolist(), tokens, number)
        self._update(rate, numbers_N)
        return lambda: loss

    def forget_captured(self) -> None:
        """Let go of the captured steps and their memory; they are captured again when needed."""
        self._captured.clear()

    def _seed(self, number: int) -> int:
        return self._training.seed * _SEED_STRIDE + number

    def _padded(self, batch: Batch) -> int:
        """Return the length that a batch is padded to: a quarter of the window, two, three, four.

        It is no longer than the window and the table of positions.
        """
        tokens, grid = batch.ids_BT.shape[1], -(-self._window // (_LENGTHS * VOICES)) * VOICES
        most = max(self._window, tokens)
        if self._positions is not None:
            most = min(most, max(self._positions - batch.reach + tokens, tokens))
        return min(-(-tokens // grid) * grid, most)

    def _reserve(self, reach: int) -> None:
        """Prepare the positions of a batch; a captured step reads the buffers it was made with."""
        before = list(self.model.positions.buffers())
        self.model.reserve(reach)
        if any(map(operator.is_not, before, self.model.positions.buffers())):
            self._captured.clear()

    def _captured_step(self, inputs: StepInputs, numbers: Sequence[float]) -> CapturedStep | None:
        """Return the captured step for batches of this shape; None if it cannot be captured.

        It is run a few times before. Neither that nor a failure changes weights or moments.
        """
        if self._capture is None:
            return None
        shape = (len(numbers), *(tensor.shape for tensor in inputs.tensors()))
        if shape in self._captured:
            return self._captured[shape]
        before = {name: tensor.clone() for name, tensor in self.state().items()}
        try:
            places = inputs.each(lambda tensor: tensor.to(self._device, copy=True))
            numbers_N = _numbers(numbers).to(self._device)
            repeat = self._capture(lambda: self._whole_step(places, numbers_N))
            self._captured[shape] = CapturedStep(places, numbers_N, repeat)
        except RuntimeError as reason:
            if environment.is_out_of_memory(reason):
                raise
            self._capture, self.failure = None, str(reason).partition("\n")[0]
            self._captured.clear()
        finally:
            self._restore(before)
        return self._captured.get(shape)

    @torch.no_grad()
    def _restore(self, before: Mapping[str, Tensor]) -> None:
        for name, tensor in self.state().items():
            if name in before:
                tensor.copy_(before[name])
            else:  # moments before the first step
                tensor.zero_()

    def _whole_step(self, inputs: StepInputs, numbers_N: Tensor) -> Tensor:
        found = self._gradients(inputs, numbers_N)
        self._update(numbers_N[0], numbers_N)
        return found

    def _gradients(self, inputs: StepInputs, numbers_N: Tensor) -> Tensor:
        """Accumulate the clipped gradient of all parts of a batch.

        Returns:
            The sum of the nats of each part, and the norm of the gradient before clipping.
        """
        self.model.train()
        self._optimizer.zero_grad(set_to_none=True)  # left over if an earlier attempt failed
        nats, alike_P = list[Tensor](), numbers_N[_NUMBERS:]
        pieces = inputs.parts(len(alike_P))
        for (part, wanted_BTV), alike in zip(pieces, alike_P, strict=True):
            with torch.autocast(self._device.type, torch.bfloat16, enabled=self._mixed):
                logits_BTV = batch_logits(self.model, part)
            shown, loss = self._losses(logits_BTV.float(), part, wanted_BTV)
            torch.autograd.backward(loss / alike)
            nats.append(shown.detach())
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self._training.clip)
        return torch.stack([*nats, norm])

    def _update(self, rate: float | Tensor, numbers_N: Tensor) -> None:
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        with torch.no_grad():
            averaged, current = (
                list[Tensor](model.parameters()) for model in (self.averaged, self.model)
            )
            shares = list(torch._foreach_mul(self._ones, numbers_N[1]))  # noqa: SLF001  # as above
            torch._foreach_lerp_(averaged, current, shares)  # there is no public name

    def _losses(
        self, logits_BTV: Tensor, batch: Batch, wanted_BTV: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        targets_BT = batch.targets_BT
        smoothing, first = self._training.label_smoothing, first_target(self.model)
        nats_BT = learned_BT = token_nats(logits_BTV, targets_BT, first=first)
        if smoothing:
            learned_BT = token_nats(logits_BTV, targets_BT, smoothing=smoothing, first=first)
        if wanted_BTV is not None:
            wanted_BT = soft_nats(logits_BTV, wanted_BTV, targets_BT)
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
        self._captured.clear()  # captured steps have the moments' present places
        self._optimizer.state.clear()  # a state before the first step has no moments
        for name, parameter in self.model.named_parameters():
            moments = _under(f"adamw.{name}.", tensors)
            if not moments:
                continue
            _check_moments(name, parameter, moments)
            self._optimizer.state[parameter] = {
                key: value.to(parameter.device).clone() for key, value in moments.items()
            }


def _initialise(model: Transformer, folder: Path) -> str:
    """Copy all weights of the model in ``folder``, freeze them if there are others; return sha256.

    A model without parts of its own trains all of them.
    """
    loaded = checkpoint.load(folder)
    before = loaded.card.config
    check_compatible(before, model.config, str(folder))
    known, own = loaded.network.state_dict(), model.state_dict()
    # conditions that are new have no effect at first
    added = [name for name in own if name.startswith(_CONDITIONS) and name not in known]
    own |= {name: torch.zeros_like(own[name]) for name in added}
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
        groups,
        lr=training.learning_rate,
        betas=(training.beta1, training.beta2),
        fused=True,
        capturable=model.embed_token.weight.device.type == "cuda",
    )


def capture_for(
    device: torch.device,
) -> Callable[[Callable[[], Tensor]], Callable[[], Tensor]] | None:
    """Return what captures steps on a device; None: they are run one operation at a time."""
    return torch_reader.cuda_capture() if device.type == "cuda" else None


def _numbers(numbers: Sequence[float]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float32)


def _longer(tensor: Tensor, like_BT: Tensor, missing: int) -> Tensor:
    """Pad what has a row for each token with PAD, which is also the unknown condition."""
    if not missing or tensor.shape[:2] != like_BT.shape:
        return tensor
    return F.pad(tensor, (0, 0) * (tensor.ndim - 2) + (0, missing), value=PAD)


def _pinned(tensor: Tensor, device: torch.device) -> Tensor:
    """Return a tensor that is copied to a GPU while the host goes on."""
    return tensor.pin_memory() if device.type == "cuda" else tensor


def _fetched(found: Tensor) -> Callable[[], list[float]]:
    """Copy results to the host as soon as they are there; the result waits for them."""
    if found.device.type != "cuda":
        kept = found.tolist()
        return lambda: kept
    host = torch.empty(found.shape, dtype=found.dtype, pin_memory=True)
    host.copy_(found, non_blocking=True)
    event = torch.cuda.Event()  # type: ignore[no-untyped-call]  # torch leaves it untyped
    event.record()

    def read() -> list[float]:
        event.synchronize()
        return host.tolist()

    return read


def _checked(found: Sequence[float], tokens: Sequence[int], number: int) -> StepLoss:
    *sums, norm = found
    nats = 0.0
    for total, count in zip(sums, tokens, strict=True):
        nats += total / count
    if not math.isfinite(norm) or not math.isfinite(nats):
        raise DivergedError(f"the loss of step {number} is {nats} with a gradient of norm {norm}")
    return StepLoss(nats=nats, gradient_norm=norm)


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
