"""Compilation of the loops of all shipped models into the user's cache folder."""

from __future__ import annotations

import numpy as np

from musicrel import gate, paths
from musicrel.legacy import tensor_name
from musicrel.model import tensor_file
from musicrel.model.card import WEIGHTS, read_card
from musicrel.model.compiled import critic, decoder, infiller, tile_softmax
from musicrel.model.compiled.critic import CompiledCritic
from musicrel.model.compiled.decoder import CompiledModel
from musicrel.model.compiled.infiller import CompiledInfiller
from musicrel.model.compiled.weights import Tensors
from musicrel.model.config import ModelConfig


def read_once() -> None:
    """Read a few tokens with a model of each family, whose loops are shared, and train a tile."""
    decoder.run_once(CompiledModel.of(*_model("relative")))
    infiller.run_once(CompiledInfiller.of(*_model("relative-infill")))
    critic.run_once(CompiledCritic.of(*_model("critic")))
    tile_softmax.run_once()


def _model(name: str) -> tuple[ModelConfig, Tensors]:
    """Return hyperparameters and tensors of a shipped model."""
    folder = paths.assets() / "models" / name
    stored = tensor_file.read(gate.read(folder / WEIGHTS, "weights"))
    tensors = {tensor_name(key): np.array(value, np.float32) for key, value in stored.items()}
    return read_card(folder).config, tensors
