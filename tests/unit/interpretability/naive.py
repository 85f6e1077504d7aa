"""Ablations by hooks in a network of double precision: the reference of all fast paths."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from musicrel.chorale import Chorale
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.scoring.teacher_forcing import conditions_of
from musicrel.model.tokens.vocabulary import MASK

Floats = npt.NDArray[np.float64]


class NaiveModel:
    """A model in double precision and a piece.

    Args:
        model: the model.
        piece: the piece.
    """

    def __init__(self, model: LoadedModel, piece: Chorale) -> None:
        self.config, self.is_infill = model.config, model.config.family == "infill"
        self.network: Any = copy.deepcopy(model.network).double()
        self.ids_N = model.encode(piece)[1:-1]
        self.start = model.encode(piece)[:1]
        self.rows_NC = model.condition_rows(piece, conditions_of(piece))[: len(self.ids_N)]
        self.piece = piece

    def inputs(self, cell: int | None = None, voice: int | None = None) -> npt.NDArray[np.int64]:
        """Return the tokens that are read; an infilling model has a note and a voice hidden."""
        if not self.is_infill:
            return np.concatenate([self.start, self.ids_N[:-1]])
        ids_N = self.ids_N.copy()
        if cell is not None:
            ids_N[self.note(cell)] = MASK
        if voice is not None:
            ids_N[voice::4] = MASK
        return ids_N

    def note(self, cell: int) -> list[int]:
        pitches, onsets = self.piece.pitches.reshape(-1), self.piece.onsets.reshape(-1)
        first = cell
        while first >= 4 and not onsets[first] and pitches[first - 4] == pitches[cell]:
            first -= 4
        last = cell
        while (
            last + 4 < len(pitches) and not onsets[last + 4] and pitches[last + 4] == pitches[cell]
        ):
            last += 4
        return list(range(first, last + 1, 4))

    def read(self, ids_N: npt.NDArray[np.int64]) -> Floats:
        with torch.inference_mode():
            rows_1NC = torch.from_numpy(self.rows_NC)[None]
            output = self.network(torch.from_numpy(ids_N)[None], rows_1NC)
            log_p: Floats = output.logits_BTV[0].log_softmax(-1).numpy()
        return log_p

    def nats(self, cell: int) -> float:
        return -float(self.read(self.inputs(cell))[cell, self.ids_N[cell]])

    def query(self, cell: int) -> int:
        return cell // 4 if self.is_infill else cell

    @contextlib.contextmanager
    def replaced(
        self, layer: int, head: int, values: Mapping[int, npt.NDArray[np.float32]]
    ) -> Iterator[None]:
        width = self.config.head_width

        def change(_module: object, inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor]:
            x_BTD = inputs[0].clone()
            for place, value in values.items():
                x_BTD[:, place, head * width : (head + 1) * width] = torch.as_tensor(value)
            return (x_BTD,)

        projection = self.network.blocks[layer].attention.project_out
        handle = projection.register_forward_pre_hook(change)
        try:
            yield
        finally:
            handle.remove()

    @contextlib.contextmanager
    def removed(self, query: int, keys: Collection[int]) -> Iterator[None]:
        saved = [(block.attention.positional, "scores") for block in self.network.blocks]
        before = [scheme.scores for scheme, _ in saved]

        def without(scores: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
            def changed(*arguments: Any, **options: Any) -> torch.Tensor:
                found = scores(*arguments, **options).clone()
                found[:, :, query, list(keys)] = -torch.inf
                return found

            return changed

        for (scheme, _), scores in zip(saved, before, strict=True):
            scheme.scores = without(scores)
            scheme.fused = self._explicit(scheme)
        try:
            yield
        finally:
            for scheme, _ in saved:
                del scheme.scores, scheme.fused

    @staticmethod
    def _explicit(scheme: Any) -> Callable[..., torch.Tensor]:
        def fused(q: Any, k: Any, v: Any, *, causal: bool, mask: Any) -> torch.Tensor:
            del mask
            scores = scheme.scores(q, k, causal=causal)
            if causal:
                past = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
                scores = scores.masked_fill(~past, -torch.inf)
            mixed: torch.Tensor = scores.softmax(-1) @ v
            return mixed

        return fused

    @contextlib.contextmanager
    def hidden(self, cell: int, voice: int) -> Iterator[None]:
        rows_1NC = torch.from_numpy(self.rows_NC)[None]

        def change(_module: object, inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor]:
            ids_1N = torch.from_numpy(self.inputs(cell, voice))[None]
            x_BTD = self.network.embed(ids_1N, rows_1NC)
            x_BTD[:, cell // 4] = inputs[0][:, cell // 4]
            return (x_BTD,)

        handle = self.network.blocks[0].register_forward_pre_hook(change)
        try:
            yield
        finally:
            handle.remove()
