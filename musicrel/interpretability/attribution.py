"""Direct logit attribution, the share of each part of a model in the logits of a note.

The states after the last layer are a sum of what the embeddings, every head and every feed-forward
network wrote into them. The rest is linear once two things are held as they were: the spread by
which the last norm divides, and the gates Phi(x) by which the output layer of an infilling model
multiplies (its GELU is x Phi(x)). So the contributions add up to the logits
(Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"). They are computed in
double precision by a copy of the network, whose parts can be watched without a trace in the model.

Dimensions: P parts, S places, D width, V vocabulary, L layers, H heads, d head width, 4 voices.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from musicrel.errors import ModelError
from musicrel.generation.loaded_model import LoadedModel
from musicrel.interpretability.results import Attributions, Floats
from musicrel.language import tr
from musicrel.model.families.infiller import HIDDEN, Infiller, summed
from musicrel.model.families.transformer import Predictor
from musicrel.model.features.interval_tables import VOICES
from musicrel.model.tokens.codec import Ids
from musicrel.model.tokens.conditions import Rows

Readout = Callable[[Tensor], Tensor]
"""From normalised states (1, S, D) to logits (1, S, V), linear but for a constant."""
_EMBEDDED: Final = "embedded"
_HEADS, _CROSS, _FEEDFORWARD = "heads", "cross", "feedforward"  # with the number of the layer


def attribute(model: LoadedModel, rows_NC: Rows, read: Mapping[int, Ids]) -> Attributions:
    """Return the contributions to the logits of some cells.

    Args:
        rows_NC: condition rows of the piece.
        read: the tokens that the model reads to predict each cell.
    """
    watched = WatchedNetwork(model)
    alike: dict[bytes, list[int]] = {}
    for cell, ids in read.items():
        alike.setdefault(ids.tobytes(), []).append(cell)
    found = [watched.contributions(read[cells[0]], rows_NC, cells) for cells in alike.values()]
    order = np.argsort([cell for cells in alike.values() for cell in cells])
    parts_CPV, biases_CV = (np.concatenate(kind)[order] for kind in zip(*found, strict=True))
    layers, heads = model.config.layers, model.config.heads
    heads_CPV, feedforward_CLV = np.split(parts_CPV[:, 1:], [layers * heads], axis=1)
    return Attributions(
        cells_C=np.sort(list(read)),
        embedding_CV=parts_CPV[:, 0],
        heads_CLHV=heads_CPV.reshape(len(parts_CPV), layers, heads, -1),
        feedforward_CLV=feedforward_CLV,
        biases_CV=biases_CV,
    )


class WatchedNetwork:
    """A copy of a network, in double precision on the CPU, that keeps what its parts write."""

    def __init__(self, model: LoadedModel) -> None:
        if model.config.norm != "pre":
            raise ModelError(
                tr(
                    "the model {name} normalises its states after every layer, so they are no sum "
                    "of what its heads wrote: choose a model that normalises before the layers",
                    name=model.name,
                )
            )
        self._network: Any = copy.deepcopy(model.network).to("cpu", torch.float64)
        self._written: dict[object, Tensor] = {}
        self._watch_blocks(self._network.blocks)

    def _watch_blocks(self, blocks: Any) -> None:
        self._watch(blocks[0], _EMBEDDED, before=True)
        for layer, block in enumerate(blocks):
            self._watch(block.attention.project_out, (_HEADS, layer), before=True)
            self._watch(block.feedforward, (_FEEDFORWARD, layer))
            if block.cross_attention is not None:
                self._watch(block.cross_attention, (_CROSS, layer))

    @torch.inference_mode()
    def contributions(self, ids: Ids, rows_NC: Rows, cells: Sequence[int]) -> tuple[Floats, Floats]:
        """Return what each part adds to the logits of some cells, and what all notes start from.

        Returns:
            The embeddings, all heads and all feed-forward networks, float64 (S, P, V); the biases,
            float64 (S, V).
        """
        network, norm, places_S = self._network, self._network.norm, torch.tensor(cells)
        piece = torch.from_numpy(ids)[None], torch.from_numpy(rows_NC)[None]
        network(*piece)
        parts_PSD = self._parts(places_S // network.tokens_per_position)
        spread_S1 = (parts_PSD.sum(0).var(-1, keepdim=True, correction=0) + norm.eps).sqrt()
        centred_PSD = parts_PSD - parts_PSD.mean(-1, keepdim=True)
        normal_PSD = centred_PSD / spread_S1 * norm.weight
        bias_1SD = norm.bias.expand_as(normal_PSD[:1])
        of_family = _of_infiller if isinstance(network, Infiller) else _of_predictor
        states_1SD = normal_PSD.sum(0, keepdim=True) + bias_1SD
        read, biases_SV = of_family(network, *piece, places_S, states_1SD)
        nothing_1SV = read(torch.zeros_like(bias_1SD))
        parts_PSV = torch.cat([read(part_1SD) - nothing_1SV for part_1SD in normal_PSD.split(1)])
        return parts_PSV.transpose(0, 1).numpy(), (read(bias_1SD)[0] + biases_SV).numpy()

    def _parts(self, places_S: Tensor) -> Tensor:
        """Return what each part wrote into the states of some places, (P, S, D)."""
        written = {name: states_1TD[0, places_S] for name, states_1TD in self._written.items()}
        heads, feedforward = [], []
        for layer, block in enumerate(self._network.blocks):
            out_DHd = block.attention.project_out.weight.unflatten(-1, (block.attention.heads, -1))
            mixed_SHd = written[_HEADS, layer].reshape(len(places_S), *out_DHd.shape[1:])
            heads.append(torch.einsum("shd,ohd->hso", mixed_SHd, out_DHd))
            feedforward.append(written[_FEEDFORWARD, layer] + written.get((_CROSS, layer), 0))
        return torch.cat([written[_EMBEDDED][None], *heads, torch.stack(feedforward)])

    def _watch(self, part: nn.Module, name: object, *, before: bool = False) -> None:
        if before:
            part.register_forward_pre_hook(lambda _, given: self._keep(name, given[0]))
        else:
            part.register_forward_hook(lambda _, _given, output: self._keep(name, output))

    def _keep(self, name: object, states_1TD: Tensor) -> None:
        self._written[name] = states_1TD


def _of_predictor(
    network: Predictor, ids_1N: Tensor, rows_1NC: Tensor, places_S: Tensor, _states_1SD: Tensor
) -> tuple[Readout, Tensor]:
    """Return the output layer of a causal model, and its logits that depend on no state."""
    rows_1NC = network.with_lookahead(rows_1NC)
    intervals, counterpoint = network.intervals, network.counterpoint

    def read(states_1SD: Tensor) -> Tensor:
        logits_1SV: Tensor = network.head(states_1SD)
        if intervals is None:
            return logits_1SV
        near_1SN = intervals.neighbours(ids_1N)[:, places_S]
        return logits_1SV + intervals.logits(states_1SD, near_1SN, rows_1NC[:, places_S])

    if counterpoint is None:
        return read, torch.zeros(network.config.tokens)
    near_1NN, lines = counterpoint.neighbours(ids_1N), counterpoint.lines_of(ids_1N, None)
    return read, counterpoint(near_1NN, rows_1NC, lines)[0, places_S]


def _of_infiller(
    network: Infiller, ids_1N: Tensor, rows_1NC: Tensor, places_S: Tensor, states_1SD: Tensor
) -> tuple[Readout, Tensor]:
    """Return the output layers of an infilling model with the gates of some states."""
    steps_S, voices_S = places_S // VOICES, places_S % VOICES
    own_S = torch.arange(len(places_S))
    ids_1T4, rows_1TC = ids_1N.view(1, -1, VOICES), rows_1NC[:, ::VOICES]
    context = network.context_features(ids_1T4, rows_1TC, steps_S)
    around_1S4H = summed(context.context, network.embed_context.weight)

    def hidden(states_1SD: Tensor) -> Tensor:
        of_states_1S4H: Tensor = network.inner(states_1SD).unflatten(-1, (VOICES, HIDDEN))
        return of_states_1S4H + around_1S4H

    gates_1S4H = torch.special.ndtr(hidden(states_1SD))

    def read(states_1SD: Tensor) -> Tensor:
        outputs_1S4O = network.head(hidden(states_1SD) * gates_1S4H)
        return network.logits(outputs_1S4O, context)[:, own_S, voices_S]

    if network.counterpoint is None:
        return read, torch.zeros(network.config.tokens)
    cells = network.counterpoint.neighbourhood(ids_1T4, rows_1TC, steps_S)
    return read, network.counterpoint(*cells)[0, own_S, voices_S]
