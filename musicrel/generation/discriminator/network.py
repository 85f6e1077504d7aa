"""Small networks that judge the newest beat: log-odds of Bach against a model, from the raw notes.

They see what counts of features (``features``) cannot: how all four voices go on together over four
beats. Each beat is embedded by a layer of its own; a second layer reads it with the three beats
before. Several networks that were trained with other seeds are averaged, since a search finds the
mistakes of a single one. ``training.guidance`` trains them, in torch.

Dimensions: K pieces, B beats, C cells of a beat, I input, H hidden units, M the hidden units of all
beats that are read. Of tables: D degrees or intervals, B beats of a bar, 2 no or yes, E embedding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import safetensors.numpy

from musicrel import gate
from musicrel.errors import DataError
from musicrel.generation.discriminator import stored
from musicrel.generation.discriminator.beat_notes import BEATS, CELLS, DEGREES, INTERVALS, BeatNotes
from musicrel.generation.discriminator.discriminator import LARGEST
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Floats
from musicrel.model import tensor_file
from musicrel.model.companions import NETWORKS, WEIGHTS_HASH

CONTEXT_BEATS: Final = 4
"""Number of beats that are read: the newest and those before."""

_GREATEST: Final = 65504.0
"""Greatest size of a weight: that of a number in half precision, which files have."""

_Array = npt.NDArray[np.float32]
_Stored = npt.NDArray[Any]


class Network(NamedTuple):
    """The weights of a network, float32."""

    degrees_DE: _Array
    intervals_DE: _Array
    onsets_2E: _Array
    numbers_BE: _Array
    fermatas_2E: _Array
    modes_2E: _Array
    inner_HI: _Array
    inner_bias_H: _Array
    outer_HM: _Array
    outer_bias_H: _Array
    odds_1H: _Array
    odds_bias_1: _Array

    @classmethod
    def of(cls, tensors: Mapping[str, _Stored]) -> Self:
        """Return the network with these weights.

        Raises:
            ValueError: a tensor is missing, not finite, or of another shape.
        """
        missing = set(cls._fields) - set(tensors)
        if missing:
            raise ValueError(f"no tensor {min(missing)}")
        kept = [tensors[name] for name in cls._fields]
        if not all((np.abs(tensor) <= _GREATEST).all() for tensor in kept):
            raise ValueError("weights that are not finite or too large")
        if any(tensor.ndim != _rank(name) for name, tensor in zip(cls._fields, kept, strict=True)):
            raise ValueError("tensors of other shapes")
        made = cls(*(tensor.astype(np.float32) for tensor in kept))
        made._check_shapes()
        return made

    def _check_shapes(self) -> None:
        hidden = len(self.inner_bias_H)
        of_cell = sum(t.shape[1] for t in (self.degrees_DE, self.intervals_DE, self.onsets_2E))
        of_beat = sum(t.shape[1] for t in (self.numbers_BE, self.fermatas_2E, self.modes_2E))
        expected = (
            *(DEGREES, INTERVALS, 2, BEATS, 2, 2),
            *((hidden, CELLS * (of_cell + 1) + of_beat), (hidden,)),
            *((hidden, hidden * CONTEXT_BEATS), (hidden,), (1, hidden), (1,)),
        )
        found = (*map(len, self[:6]), *(tensor.shape for tensor in self[6:]))
        if found != expected:
            raise ValueError("tensors of other shapes")

    def multiplied(self, factor: float) -> Self:
        """Return a network whose log-odds are ``factor`` times these."""
        return self._replace(
            odds_1H=self.odds_1H * np.float32(factor),
            odds_bias_1=self.odds_bias_1 * np.float32(factor),
        )

    def log_odds(self, notes: BeatNotes) -> Floats:
        """Return the log-odds of the newest beat of each piece in nats, float64 (K,)."""
        hidden_KBH = _rectified(self._inputs(notes), self.inner_HI, self.inner_bias_H)
        pieces, beats, hidden = hidden_KBH.shape
        read_KM = np.zeros((pieces, CONTEXT_BEATS, hidden), dtype=np.float32)
        newest_first_KBH = hidden_KBH[:, ::-1][:, :CONTEXT_BEATS]
        read_KM[:, : min(beats, CONTEXT_BEATS)] = newest_first_KBH
        outer_KH = _rectified(read_KM.reshape(pieces, -1), self.outer_HM, self.outer_bias_H)
        odds_K = outer_KH @ self.odds_1H[0] + self.odds_bias_1[0]
        return np.asarray(odds_K, dtype=np.float64)

    def _inputs(self, notes: BeatNotes) -> _Array:
        """Return the embedded beats, float32 (K, B, I)."""
        cells_KBCE = np.concatenate(
            [
                self.degrees_DE[notes.degrees_KBC],
                self.intervals_DE[notes.intervals_KBC],
                self.onsets_2E[notes.onsets_KBC],
                notes.heights_KBC[..., None],
            ],
            axis=-1,
        )
        pieces, beats = cells_KBCE.shape[:2]
        places_BE = np.concatenate(
            [
                self.numbers_BE[notes.numbers_B],
                self.fermatas_2E[notes.fermatas_B],
                self.modes_2E[notes.modes_B],
            ],
            axis=-1,
        )
        places_KBE = np.broadcast_to(places_BE, (pieces, *places_BE.shape))
        return np.concatenate([cells_KBCE.reshape(pieces, beats, -1), places_KBE], axis=-1)


def _rank(name: str) -> int:
    """Return the number of dimensions of a tensor: that of the letters of its suffix."""
    return len(name.rsplit("_", 1)[1])


def _rectified(inputs: _Array, weight: _Array, bias: _Array) -> _Array:
    """Return a layer with rectified linear units."""
    return np.asarray(np.maximum(inputs @ weight.T + bias, 0.0))


def log_odds(networks: Sequence[Network], notes: BeatNotes) -> Floats:
    """Return the mean log-odds of the newest beat of each piece in nats, float64 (K,)."""
    odds_K = np.mean([network.log_odds(notes) for network in networks], axis=0)
    return np.asarray(np.clip(odds_K, -LARGEST, LARGEST))


def known(model: LoadedModel) -> tuple[Network, ...]:
    """Return the networks beside the weights of a model; none if there are none of these."""
    return stored.known(model, NETWORKS, read) or ()


def read(path: Path) -> tuple[Network, ...]:
    """Return the networks in a file, at least one.

    Raises:
        FileError: the file cannot be read.
        DataError: it does not hold networks.
    """
    try:
        tensors = tensor_file.read(gate.read(path, "networks"))
        count = max(len({name.split(".")[0] for name in tensors}), 1)
        return tuple(Network.of(_of_number(tensors, number)) for number in range(count))
    except (DataError, ValueError) as reason:
        raise DataError(f"{path.name} does not hold networks: {reason}") from reason


def _of_number(tensors: Mapping[str, _Stored], number: int) -> dict[str, _Stored]:
    """Return the tensors of a network, by the names of its fields."""
    first = f"{number}."
    return {name.removeprefix(first): t for name, t in tensors.items() if name.startswith(first)}


def content(networks: Sequence[Network], sha256: str) -> bytes:
    """Return the content of a file with networks, in half precision."""
    tensors = {
        f"{number}.{name}": np.ascontiguousarray(tensor.astype(np.float16))
        for number, network in enumerate(networks)
        for name, tensor in network._asdict().items()
    }
    return bytes(safetensors.numpy.save(tensors, {WEIGHTS_HASH: sha256}))
