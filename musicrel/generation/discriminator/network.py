"""Small networks that judge the newest beat: log-odds of Bach against a model, from the raw notes.

They see what counts of features (``features``) cannot: how all four voices go on together over four
beats. Each beat is embedded by a layer of its own; a second layer reads it with the three beats
before. Several networks that were trained with other seeds are averaged, since a search finds the
mistakes of a single one. ``training.guidance`` trains them, in torch.

Dimensions: K pieces, T steps, B beats, C cells of a beat (four steps of four voices, step by step),
I input, H hidden units, M the hidden units of all beats that are read. Of tables: D degrees or
intervals, B beats of a bar, 2 no or yes, E embedding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import safetensors.numpy

from musicrel import untrusted
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Flags, Key
from musicrel.errors import DataError
from musicrel.generation.discriminator import discriminator
from musicrel.generation.discriminator.discriminator import LARGEST
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Floats, Tokens
from musicrel.model import tensor_file
from musicrel.model.companions import NETWORKS, WEIGHTS_HASH

CELLS: Final = STEPS_PER_QUARTER * 4  # number of cells of a beat
DEGREES: Final = 13  # number of degrees: twelve semitones above the tonic, and a rest
INTERVALS: Final = 17
"""Number of intervals from the step before: at most eight semitones down or up."""
BEATS: Final = 4  # number of beats of a bar
_RESTS: Final = DEGREES - 1
_LARGEST: Final = INTERVALS // 2
_MIDDLE_C: Final = 60


class BeatNotes(NamedTuple):
    """The notes of beats."""

    degrees_KBC: Tokens  # semitones above the tonic; the last number is a rest
    intervals_KBC: Tokens
    """Semitones from the pitch of the voice a step before, plus eight; larger ones count as eight.
    No motion to and from rests, and at the first step."""
    onsets_KBC: Tokens  # 1 where a note begins
    heights_KBC: npt.NDArray[np.float32]  # octaves above middle C; 0 for rests
    numbers_B: Tokens  # number of the beat in its bar, from 0
    fermatas_B: Tokens  # 1 where a fermata begins or sounds on the beat
    modes_B: Tokens  # 1 in minor

    def part(self, beats: slice) -> Self:
        parts: Any = [each[:, beats] if each.ndim > 1 else each[beats] for each in self]
        return type(self)(*parts)


def beat_notes(
    pitches_KT4: Tokens, onsets_KT4: Flags, fermatas_T: Flags, first_number: int, key: Key | None
) -> BeatNotes:
    """Return the beats of some pieces that have the same plan.

    Args:
        pitches_KT4: of whole beats. Steps before them, fewer than a beat, give the first interval.
        onsets_KT4: True where a note begins.
        fermatas_T: True where a fermata sounds.
        first_number: number of the first whole beat in its bar, from 0.
        key: key of the pieces; None: degrees are pitch classes, the mode is major.
    """
    before = pitches_KT4.shape[1] % STEPS_PER_QUARTER
    tonic = key.pitch_class if key else 0
    is_rest_KT4 = pitches_KT4 == REST
    moves_KT4 = np.diff(pitches_KT4, axis=1, prepend=pitches_KT4[:, :1])
    from_rest_KT4 = np.concatenate([is_rest_KT4[:, :1], is_rest_KT4[:, :-1]], axis=1)
    moves_KT4 = np.where(is_rest_KT4 | from_rest_KT4, 0, moves_KT4)
    beats = (pitches_KT4.shape[1] - before) // STEPS_PER_QUARTER
    is_minor = key is not None and key.mode == "minor"

    def cells(values_KT4: Tokens) -> Tokens:
        return np.asarray(values_KT4[:, before:].reshape(len(values_KT4), beats, CELLS))

    heights_KT4 = np.where(is_rest_KT4, 0, pitches_KT4 - _MIDDLE_C)
    return BeatNotes(
        degrees_KBC=cells(np.where(is_rest_KT4, _RESTS, (pitches_KT4 - tonic) % 12)),
        intervals_KBC=cells(np.asarray(moves_KT4.clip(-_LARGEST, _LARGEST) + _LARGEST)),
        onsets_KBC=cells(onsets_KT4.astype(np.int64)),
        heights_KBC=(cells(heights_KT4) / 12).astype(np.float32),
        numbers_B=(first_number + np.arange(beats)) % BEATS,
        fermatas_B=fermatas_T[before::STEPS_PER_QUARTER].astype(np.int64),
        modes_B=np.full(beats, int(is_minor)),
    )


def of_piece(piece: Chorale) -> BeatNotes:
    """Return the whole beats of a piece in four quarters, K = 1; there may be none."""
    first = min(-int(piece.bar_positions()[0]) % STEPS_PER_QUARTER, piece.steps)
    stop = first + (piece.steps - first) // STEPS_PER_QUARTER * STEPS_PER_QUARTER
    known = slice(max(first - 1, 0), stop)
    return beat_notes(
        piece.pitches[None, known].astype(np.int64),
        piece.onsets[None, known],
        piece.fermatas[known],
        int(piece.bar_positions()[0] + first) // STEPS_PER_QUARTER,
        piece.key,
    )


CONTEXT_BEATS: Final = 4  # number of beats that are read: the newest and those before

# Greatest size of a weight: that of a number in half precision, which files have.
_GREATEST: Final = 65504.0

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
        """Return the network with these weights; a tensor of another form is a ``ValueError``."""
        missing = set(cls._fields) - set(tensors)
        if missing:
            raise ValueError(f"no tensor {min(missing)}")
        kept = [tensors[name] for name in cls._fields]
        if not all((np.abs(tensor) <= _GREATEST).all() for tensor in kept):
            raise ValueError("weights that are not finite or too large")
        ranks = [len(name.rsplit("_", 1)[1]) for name in cls._fields]  # letters of the suffixes
        if [tensor.ndim for tensor in kept] != ranks:
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
        return self._replace(
            odds_1H=self.odds_1H * np.float32(factor),
            odds_bias_1=self.odds_bias_1 * np.float32(factor),
        )

    def log_odds(self, notes: BeatNotes) -> Floats:
        hidden_KBH = _rectified(self._inputs(notes), self.inner_HI, self.inner_bias_H)
        pieces, beats, hidden = hidden_KBH.shape
        read_KM = np.zeros((pieces, CONTEXT_BEATS, hidden), dtype=np.float32)
        newest_first_KBH = hidden_KBH[:, ::-1][:, :CONTEXT_BEATS]
        read_KM[:, : min(beats, CONTEXT_BEATS)] = newest_first_KBH
        outer_KH = _rectified(read_KM.reshape(pieces, -1), self.outer_HM, self.outer_bias_H)
        odds_K = outer_KH @ self.odds_1H[0] + self.odds_bias_1[0]
        return np.asarray(odds_K, dtype=np.float64)

    def _inputs(self, notes: BeatNotes) -> _Array:
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


def _rectified(inputs: _Array, weight: _Array, bias: _Array) -> _Array:
    return np.asarray(np.maximum(inputs @ weight.T + bias, 0.0))


def log_odds(networks: Sequence[Network], notes: BeatNotes) -> Floats:
    """Return the mean log-odds of the newest beat of each piece in nats, float64 (K,)."""
    odds_K = np.mean([network.log_odds(notes) for network in networks], axis=0)
    return np.asarray(np.clip(odds_K, -LARGEST, LARGEST))


def known(model: LoadedModel) -> tuple[Network, ...]:
    """Return the networks beside the weights of a model; none if there are none of these."""
    return discriminator.stored_part(model, NETWORKS, read) or ()


def read(path: Path) -> tuple[Network, ...]:
    """Return the networks in a file, at least one."""
    try:
        tensors = tensor_file.read(untrusted.read(path, "networks"))
        count = max(len({name.split(".")[0] for name in tensors}), 1)
        return tuple(Network.of(_of_number(tensors, number)) for number in range(count))
    except (DataError, ValueError) as reason:
        raise DataError(f"{path.name} does not hold networks: {reason}") from reason


def _of_number(tensors: Mapping[str, _Stored], number: int) -> dict[str, _Stored]:
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
