"""The reader of a piece, by the family of the model and what computes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from musicrel.chorale import Chorale
from musicrel.errors import ModelError
from musicrel.generation.loaded_model import LoadedModel
from musicrel.interpretability.ablation import CausalNoteReader, NoteReader
from musicrel.language import tr
from musicrel.model.tokens import codec

MAX_STEPS: Final = 1024  # steps of a piece that an infilling model reads as a whole, 64 bars of 4/4


def open_reader(
    model: LoadedModel,
    chorale: Chorale,
    given: Iterable[str] | None = None,
    locked_tokens: codec.Ids | None = None,
) -> NoteReader:
    """Read a piece with a model, in the fastest way.

    Args:
        given: names of the conditions that the model knows; None: those under which the piece was
            generated.
        locked_tokens: tokens of the locked cells; see ``LoadedModel.condition_rows``.
    """
    family = model.config.family
    if family not in ("causal", "encoder_decoder", "infill"):
        raise ModelError(
            f"the model {model.name} predicts no notes: choose one of family causal, "
            "encoder_decoder or infill"
        )
    if family != "infill":
        return CausalNoteReader(model, chorale, given, locked_tokens)
    if chorale.steps > MAX_STEPS:
        raise ModelError(
            tr(
                "the piece has {steps} steps: an infilling model reads up to {max_steps}; "
                "choose a passage of it",
                steps=chorale.steps,
                max_steps=MAX_STEPS,
            )
        )
    if model.compiled_infiller is not None:
        from musicrel.interpretability import compiled_reader  # numba

        return compiled_reader.CompiledInfillReader(model, chorale, given, locked_tokens)
    from musicrel.interpretability import torch_reader

    return torch_reader.TorchInfillReader(model, chorale, given, locked_tokens)
