"""Results of ablations, as arrays with named axes.

Effects are in nats: -log p after the ablation minus before, so that a part that helped the model to
predict the note has a positive effect.

Dimensions: L layers, H heads, V vocabulary, N layers and before the first, S sources, C cells,
T steps, 4 voices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from musicrel.generation.heads.mutes import Replacement

Floats = npt.NDArray[np.float64]
_AXES: Final = {
    "L": "layer", "N": "layer", "H": "head", "V": "token", "S": "source", "T": "step",
    "4": "voice", "C": "cell", "K": "key",
}  # fmt: skip
"""Letters at the end of the name of an array, and the axes that they stand for."""
_OWN: Final = 1.5  # place of the first cell


class Arrays:
    """Arrays whose names end with a letter for each axis; ``axes`` has the names of their axes."""

    axes: ClassVar[Mapping[str, tuple[str, ...]]]

    def __init_subclass__(cls) -> None:
        named = ((name, name.rpartition("_")[2]) for name in cls.__annotations__)
        cls.axes = MappingProxyType(
            {
                name: tuple(_AXES[letter] for letter in letters)
                for name, letters in named
                if name != letters and set(letters) <= _AXES.keys()
            }
        )


@dataclass(frozen=True, eq=False, slots=True)
class NoteOutput(Arrays):
    """The prediction of a cell.

    Attributes:
        nats: -log p of the cell.
        log_p_V: log p of every token.
    """

    nats: float
    log_p_V: Floats


@dataclass(frozen=True, eq=False, slots=True)
class LocalEffects(Arrays):
    """The effects of all heads and of the four voices on a cell.

    Attributes:
        cell: four times the step plus the voice.
        output: the prediction without ablation.
        by: what replaced the heads.
        effects_LH: effect of each head.
        voices_4: effect of each voice as a source.
    """

    cell: int
    output: NoteOutput
    by: Replacement
    effects_LH: Floats
    voices_4: Floats


@dataclass(frozen=True, slots=True)
class Source:
    """A part of the piece that a prediction attends to: a note, or a step in an infilling model.

    Attributes:
        voice: 0 soprano ... 3 bass; None for all voices of a step.
        start: first step.
        stop: step after the last.
    """

    voice: int | None
    start: int
    stop: int


@dataclass(frozen=True, eq=False, slots=True)
class SourceEffects(Arrays):
    """The effects of single sources on a cell.

    Attributes:
        cell: four times the step plus the voice.
        output: the prediction with all sources.
        sources: those removed, one at a time: the strongest by weight, then the random ones.
        strongest: number of the strongest.
        weights_S: attention on each source, mean over all heads.
        weights_SLH: attention of each head on it.
        effects_S: effect of each.
    """

    cell: int
    output: NoteOutput
    sources: tuple[Source, ...]
    strongest: int
    weights_S: Floats
    weights_SLH: Floats
    effects_S: Floats


@dataclass(frozen=True, eq=False, slots=True)
class Lens(Arrays):
    """The logit lens: the prediction of a cell from the state after each layer.

    Attributes:
        cell: four times the step plus the voice.
        log_p_NV: log p of every token from the state after each layer; row 0 is before the first.
    """

    cell: int
    log_p_NV: Floats


@dataclass(frozen=True, eq=False, slots=True)
class Attributions(Arrays):
    """Direct logit attribution: what each part of a model adds to the logits of some cells.

    All arrays together add up to the logits. Only differences between tokens count: what a part
    adds to all tokens alike changes no probability.

    Attributes:
        cells_C: the cells, four times the step plus the voice, in order.
        embedding_CV: contribution of the embedded tokens and conditions.
        heads_CLHV: contribution of every head.
        feedforward_CLV: contribution of every feed-forward network, with the layer's
            cross-attention in a decoder that has it.
        biases_CV: what depends on no layer: biases and learnt tables of voice leading.
    """

    cells_C: npt.NDArray[np.int64]
    embedding_CV: Floats
    heads_CLHV: Floats
    feedforward_CLV: Floats
    biases_CV: Floats

    @property
    def logits_CV(self) -> Floats:  # noqa: N802  # named like the other arrays
        """Return the logits, the sum of all contributions."""
        layers_CV = self.heads_CLHV.sum(axis=(1, 2)) + self.feedforward_CLV.sum(axis=1)
        logits_CV: Floats = self.embedding_CV + layers_CV + self.biases_CV
        return logits_CV


@dataclass(frozen=True, eq=False, slots=True)
class Places(Arrays):
    """The places that the heads of a DaRoPE model give to the notes of a piece.

    Attributes:
        window: the trained window in tokens, four a step.
        places_LHT4: place of every cell for each head, in tokens, between 0 and the window. A
            head that does not move a cell (w = 0 and alpha = 1, up to the window) puts it at its
            number, four times the step plus the voice, plus one for START and a half for the
            middle of a token.
    """

    window: int
    places_LHT4: Floats

    @property
    def steps_LHT4(self) -> Floats:  # noqa: N802  # named like the other arrays
        """Return the places in steps from the beginning."""
        steps_LHT4: Floats = (self.places_LHT4 - _OWN) / self.places_LHT4.shape[-1]
        return steps_LHT4


@dataclass(frozen=True, eq=False, slots=True)
class GlobalEffects(Arrays):
    """The effects of heads on a whole piece.

    Attributes:
        by: what replaced the heads.
        nats_T4: -log p of every cell without ablation.
        effects_LH: mean effect on all cells of each head; nan for heads that were not asked for.
        cells_LHT4: effect of each head on every cell.
    """

    by: Replacement
    nats_T4: Floats
    effects_LH: Floats
    cells_LHT4: Floats
