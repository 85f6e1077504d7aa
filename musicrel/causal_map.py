"""The Python interface to attention and what it does: ``musicrel.attention``, ``ablate``, ``lens``.

Results are frozen dataclasses of NumPy arrays; ``axes`` names the axes of each. A note is named by
voice, bar and beat, as in "alto:5.2" (``musicrel.generation.ablation.cell_names``).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, overload

import numpy as np
import numpy.typing as npt

from musicrel import jobs
from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.generation.ablation import cell_names, global_effects, means
from musicrel.generation.ablation.readers import open_reader
from musicrel.generation.ablation.results import (
    Arrays,
    GlobalEffects,
    Lens,
    LocalEffects,
    SourceEffects,
)
from musicrel.generation.heads.mutes import Mutes, Replacement
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.scoring.teacher_forcing import conditions_of

__all__ = ["ablate", "attention", "lens", "sources"]

_MODEL: Final = "relative"


@dataclass(frozen=True, eq=False, slots=True)
class Attention(Arrays):
    """Attention weights of a model in a piece.

    Attributes:
        cells_C: the cells whose queries these are, four times the step plus the voice.
        weights_CLHK: the weights of each over START and all cells in a causal model, over all steps
            in an infilling one.
    """

    cells_C: npt.NDArray[np.int64]
    weights_CLHK: npt.NDArray[np.float32]


def attention(
    piece: str | Path | Chorale, model: str | Path | LoadedModel = _MODEL, *, note: str = ""
) -> Attention:
    """Return the attention weights of a model in a piece.

    Args:
        piece: a piece or a file.
        model: a loaded model, or the name or directory of one.
        note: one note; "": all cells.

    Raises:
        UsageError: the piece has no such note.
    """
    chorale, loaded = _piece(piece), _loaded(model)
    cells = len(Voice) * chorale.steps
    if loaded.config.is_causal and not note:
        rows_NC = loaded.condition_rows(chorale, conditions_of(chorale))
        weights_LHNN = loaded.attention(loaded.encode(chorale), rows_NC)[:, :, :cells, :cells]
        return Attention(np.arange(cells), weights_LHNN.transpose(2, 0, 1, 3))
    reader = open_reader(loaded, chorale)
    cells_C = np.array([cell_names.parse(note, chorale)]) if note else np.arange(cells)
    weights = [reader.attention(cell).astype(np.float32) for cell in cells_C.tolist()]
    return Attention(cells_C, np.stack(weights))


@overload
def ablate(
    piece: str | Path | Chorale,
    model: str | Path | LoadedModel = ...,
    *,
    note: str,
    heads: str = ...,
    by: Replacement = ...,
) -> LocalEffects: ...
@overload
def ablate(
    piece: str | Path | Chorale,
    model: str | Path | LoadedModel = ...,
    *,
    note: None = ...,
    heads: str = ...,
    by: Replacement = ...,
) -> GlobalEffects: ...


def ablate(
    piece: str | Path | Chorale,
    model: str | Path | LoadedModel = _MODEL,
    *,
    note: str | None = None,
    heads: str = "",
    by: Replacement = "mean",
) -> LocalEffects | GlobalEffects:
    """Return the effects of heads on a note, or on a whole piece.

    On a note, all heads and the four voices are ablated one at a time, at its query alone. On a
    piece, heads are replaced at all positions.

    Args:
        piece: a piece or a file.
        model: a loaded model, or the name or directory of one.
        note: the note; None: the whole piece.
        heads: the heads that are replaced in a whole piece, as in "2.3,4"; "": all.
        by: what replaces their output: "mean" over the training pieces, which is computed once for
            a model, or "zero".

    Raises:
        UsageError: the piece has no such note, or the model no such head, or both are given.
    """
    if note is not None and heads:
        raise UsageError(
            f"heads is {heads!r} for the note {note!r}: expected no heads, as all are ablated one "
            "at a time on a note; leave note out for the whole piece"
        )
    chorale, loaded = _piece(piece), _loaded(model)
    chosen = Mutes.parse(heads, by)
    if chosen.by == "mean":
        jobs.run(means.prepare(loaded))
    if note is not None:
        return open_reader(loaded, chorale).local(cell_names.parse(note, chorale), chosen.by)
    return jobs.run(global_effects.global_effects(loaded, chorale, chosen or None, chosen.by))


def sources(
    piece: str | Path | Chorale,
    model: str | Path | LoadedModel = _MODEL,
    *,
    note: str,
    strongest: int = 64,
    random: int = 64,
    seed: int = 0,
) -> SourceEffects:
    """Return the effects of earlier notes on a note: the strongest by weight, and random others.

    Args:
        piece: a piece or a file.
        model: a loaded model, or the name or directory of one.
        note: the note.
        strongest: number of the strongest, at most.
        random: number of random ones of the rest, at most.
        seed: draws them.

    Raises:
        UsageError: the piece has no such note.
    """
    chorale = _piece(piece)
    reader = open_reader(_loaded(model), chorale)
    return reader.sources(cell_names.parse(note, chorale), strongest, random, seed)


def lens(
    piece: str | Path | Chorale, model: str | Path | LoadedModel = _MODEL, *, note: str
) -> Lens:
    """Return what each layer of a model would have chosen for a note: the logit lens.

    Args:
        piece: a piece or a file.
        model: a loaded model, or the name or directory of one.
        note: the note.

    Raises:
        UsageError: the piece has no such note.
    """
    chorale = _piece(piece)
    return open_reader(_loaded(model), chorale).lens(cell_names.parse(note, chorale))


def _piece(piece: str | Path | Chorale) -> Chorale:
    return piece if isinstance(piece, Chorale) else Chorale.read(piece)


def _loaded(model: str | Path | LoadedModel) -> LoadedModel:
    return model if isinstance(model, LoadedModel) else load_model(str(model))
