"""The forms of a model's weights that the compiled kernel reads, prepared when first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from musicrel.generation import kernel

if TYPE_CHECKING:
    from musicrel.model.checkpoint import LoadedWeights
    from musicrel.model.compiled.critic import CompiledCritic
    from musicrel.model.compiled.decoder import CompiledDecoder, CompiledModel
    from musicrel.model.compiled.infiller import CompiledInfiller
    from musicrel.model.replaced_heads import ReplacedHeads
    from musicrel.tokens.conditions import Rows


@dataclass(frozen=True, eq=False)
class CompiledForms:
    """The compiled forms of a model; each is None where it has none or the kernel is not used.

    Attributes:
        weights: card and tensors.
    """

    weights: LoadedWeights

    @property
    def step(self) -> CompiledModel | None:
        """Return the form for the decoding step of a causal model."""
        return self._step if self._are_used else None

    @property
    def infiller(self) -> CompiledInfiller | None:
        return self._infiller if self._are_used else None

    @property
    def critic(self) -> CompiledCritic | None:
        """Return the form of a critic, which is compiled or loaded from the cache."""
        compiled = self._critic if self._are_used else None
        if compiled is None:
            return None
        from musicrel.model.compiled import critic  # noqa: PLC0415  # it imports numba

        works = kernel.works("the critic", partial(critic.run_once, compiled))
        return compiled if works else None

    def decoder(
        self, conditions_BNC: Rows, *, record: bool, replaced: ReplacedHeads | None = None
    ) -> CompiledDecoder | None:
        """Return a decoder by the compiled step, which is compiled or loaded from the cache.

        Args:
            conditions_BNC: int64, the condition rows of every position of every sequence.
            record: record attention weights.
            replaced: heads that are replaced at all positions; None: none.
        """
        compiled = self.step
        if compiled is None:
            return None
        from musicrel.model.compiled import decoder  # noqa: PLC0415  # it imports numba

        if not kernel.works("the decoding step", partial(decoder.run_once, compiled)):
            return None
        return decoder.CompiledDecoder(compiled, conditions_BNC, record=record, replaced=replaced)

    @property
    def _are_used(self) -> bool:
        return self.weights.device.type == "cpu" and kernel.available()

    @cached_property
    def _step(self) -> CompiledModel | None:
        from musicrel.model.compiled import decoder, weights  # noqa: PLC0415  # it imports numba

        config, tensors = self.weights.card.config, self.weights.tensors
        if weights.unsupported(config):
            return None
        return decoder.CompiledModel.of(config, tensors)

    @cached_property
    def _infiller(self) -> CompiledInfiller | None:
        from musicrel.model.compiled import infiller  # noqa: PLC0415  # it imports numba

        if infiller.unsupported(self.weights.card.config):
            return None
        return infiller.CompiledInfiller.of(self.weights.card.config, self.weights.tensors)

    @cached_property
    def _critic(self) -> CompiledCritic | None:
        from musicrel.model.compiled import critic  # noqa: PLC0415  # it imports numba

        if critic.unsupported(self.weights.card.config):
            return None
        return critic.CompiledCritic.of(self.weights.card.config, self.weights.tensors)
