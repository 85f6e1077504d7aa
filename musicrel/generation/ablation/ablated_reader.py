"""Readers of a piece that predict one of its cells again, with ablations.

The kernel reads on a CPU, for models that have a compiled form; torch reads everywhere else.

Dimensions: R ablations, L layers, H heads, S keys, V vocabulary, N cells, C conditions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from musicrel.generation.infill import masked_reader
from musicrel.generation.loaded_model import LoadedModel
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows
from musicrel.tokens.vocabulary import START

if TYPE_CHECKING:
    from musicrel.generation.ablation.ablations import Ablations

Floats = npt.NDArray[np.float32]


class AblatedReader(Protocol):
    """A piece that has been read; a cell is four times its step plus its voice.

    A reader is used by one thread at a time.
    """

    @property
    def keys(self) -> int:
        """Return the number of keys S: tokens without END, or steps of an infilling model."""
        ...

    def plain(self, cell: int) -> Floats:
        """Return the logits of a cell, (V,)."""
        ...

    def ablated(self, cell: int, ablations: Ablations) -> Floats:
        """Return the logits of a cell with each of some ablations at its query, (R, V)."""
        ...

    def weights(self, cell: int) -> Floats:
        """Return the attention weights of its query, (L, H, S); tokens after it are left out."""
        ...

    def lens(self, cell: int) -> Floats:
        """Return its logits with the first layers alone, none to all, (L + 1, V)."""
        ...


def open_reader(
    model: LoadedModel, ids_N: codec.Ids, rows_NC: Rows, notes_N: codec.Ids
) -> AblatedReader:
    """Return the fastest reader of a piece.

    Args:
        model: a model that predicts notes.
        ids_N: int64, the tokens of all cells, without START and END.
        rows_NC: int64, their condition rows.
        notes_N: int64, number of the note of each cell; an infilling model predicts the cell of a
            note that is hidden as a whole.
    """
    if model.config.family == "infill":
        return _open_infill(model, ids_N, rows_NC, notes_N)
    return _open_causal(model, ids_N, rows_NC)


def _open_causal(model: LoadedModel, ids_N: codec.Ids, rows_NC: Rows) -> AblatedReader:
    ids_L = np.concatenate([[START], ids_N[:-1]])
    compiled = model.compiled
    if compiled is not None and model.compiled_decoder(rows_NC[None, :1], record=False):
        from musicrel.generation.ablation import ablated_decoder  # noqa: PLC0415  # numba

        return ablated_decoder.AblatedDecoder(compiled, rows_NC, ids_L)
    from musicrel.generation.ablation import torch_causal_reader  # noqa: PLC0415  # torch

    return torch_causal_reader.TorchCausalReader(model, ids_L, rows_NC)


def _open_infill(
    model: LoadedModel, ids_N: codec.Ids, rows_NC: Rows, notes_N: codec.Ids
) -> AblatedReader:
    compiled = masked_reader.compiled_infiller(model)
    if compiled is not None:
        from musicrel.generation.ablation import compiled_infill_reader  # noqa: PLC0415  # numba

        return compiled_infill_reader.CompiledInfillReader(model, compiled, ids_N, rows_NC, notes_N)
    from musicrel.generation.ablation import torch_infill_reader  # noqa: PLC0415  # torch

    return torch_infill_reader.TorchInfillReader(model, ids_N, rows_NC, notes_N)
