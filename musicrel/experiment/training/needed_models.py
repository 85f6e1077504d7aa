"""The models that a run needs: the one it is initialised from, and teachers with their readings.

Each is the folder of a model or of a finished run, or a recipe whose run is made first in a folder
within that of the run.

Dimensions: N targets of all training pieces, one piece after the other, B batch, T tokens of a
sequence or targets of a piece, M any number of them, K teachers, V vocabulary.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from musicrel import paths
from musicrel.chorale import Chorale
from musicrel.errors import ModelError, UsageError
from musicrel.experiment.data.dataset import Batch, Batches, Cut, DataSet, shifts_of
from musicrel.experiment.objectives.evaluation import batch_logits, window_batches
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.model import checkpoint
from musicrel.model.card import CARD, read_card
from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Transformer
from musicrel.model.tokens import codec, conditions
from musicrel.model.tokens.vocabulary import PAD, PITCHES, Vocabulary, vocabulary

BASE: Final = "base"
_TABLES: Final = ("counterpoint", "lines")
_MAY_DIFFER: Final = (*_TABLES, "dropout", "attention_dropout", "position_dropout")
"""Config values in which a model may differ from the one it is initialised from."""
TEACHER: Final = "teacher-{}"
"""Folder of a teacher's run, within that of a run; teachers are counted from 1."""
DATA_BEFORE: Final = "data_before"
"""Entry of a card with the data of the models that a run needed."""


def finished(source: str) -> Path | None:
    """Return the folder of the model that ``source`` names, or the run in it; None: a recipe.

    The folder of a bundled model may be given as in ``models/relative``.
    """
    folders = (Path(source), Path(source) / "model", paths.assets() / source)
    return next((each for each in folders if (each / CARD).is_file()), None)


def sources(recipe_: Recipe) -> dict[str, str]:
    """Return the models that a run needs, or their recipes, by the folder of a run in its own."""
    training = recipe_.training
    base = {BASE: training.init_from} if training.init_from else {}
    return base | {TEACHER.format(n): each for n, each in enumerate(training.teachers, 1)}


def model_folder(recipe_: Recipe, run: Path, name: str) -> Path:
    return finished(sources(recipe_)[name]) or run / name / "model"


def data_before(recipe_: Recipe, run: Path) -> list[str]:
    """Return the names of the data of the models that a run needs, and of those before them."""
    cards = [read_card(model_folder(recipe_, run, name)) for name in sources(recipe_)]
    of_cards = ((card.data.get("name"), *card.training.get(DATA_BEFORE, ())) for card in cards)
    return sorted({str(name) for names in of_cards for name in names if name})


def check_needed(recipe_: Recipe, above: tuple[str, ...] = ()) -> None:
    for source in sources(recipe_).values():
        if finished(source):
            continue
        if source in above:
            raise UsageError(
                f"recipe {source!r} needs its own model, by way of "
                f"{', '.join(map(repr, above[above.index(source) + 1 :])) or 'no other recipe'}: "
                "expected recipes of which one can be trained first"
            )
        if recipe.find(source) is None:
            raise ModelError(
                f"recipe {recipe_.name!r} needs {source!r}, which is neither the folder of a model "
                f"nor a recipe (searched from {Path.cwd()}): expected one of {recipe.names()}, a "
                f"TOML file, or a folder with {CARD}"
            )
        check_needed(recipe.load(source), (*above, source))


def recipes(recipe_: Recipe) -> dict[str, Recipe]:
    """Return the recipes of the runs that are made first, by the name of their folder."""
    check_needed(recipe_)
    config = recipe_.config()
    found = {
        name: recipe.load(source)
        for name, source in sources(recipe_).items()
        if not finished(source)
    }
    for name, needed in found.items():
        where = f"recipe {needed.name!r}"
        if name == BASE:
            check_compatible(needed.config(), config, where)
        else:
            _check_teacher(needed.config(), config, where)
    return found


def check_compatible(before: ModelConfig, now: ModelConfig, where: str) -> None:
    """Check that a model can be initialised from another one, with more tables or conditions."""
    known, own = before.to_json(), now.to_json()
    known["conditions"] = [*before.conditions.items()]
    own["conditions"] = [*now.conditions.items()][: len(before.conditions)]
    differing = [name for name in own if name not in _MAY_DIFFER and known[name] != own[name]]
    reason = ""
    if differing:
        reason = f"its {differing[0]} is {known[differing[0]]!r} and not {own[differing[0]]!r}"
    elif before.counterpoint and any(known.get(name) != own.get(name) for name in _TABLES):
        reason = "it has other counterpoint tables"
    if reason:
        raise ModelError(
            f"a run cannot be initialised from the model of {where}: {reason}; expected a "
            "model of the same recipe, with the same counterpoint tables or none"
        )


def adds_nothing(before: ModelConfig, now: ModelConfig) -> bool:
    """Return whether a model has no part that the model it is initialised from lacks."""
    return bool(before.counterpoint) or not now.counterpoint


def teacher_sha256(folder: Path, config: ModelConfig) -> str:
    _check_teacher(read_card(folder).config, config, str(folder))
    return checkpoint.weights_sha256(folder)


def _check_teacher(teacher: ModelConfig, student: ModelConfig, where: str) -> None:
    """Check that both read and predict the same tokens, with conditions in the same columns."""
    for what, found, expected in (
        ("its family", teacher.family, student.family),
        ("its number of tokens", teacher.tokens, student.tokens),
        ("the list of its conditions", [*teacher.conditions.items()],
         [*student.conditions.items()]),
    ):  # fmt: skip
        if found != expected:
            raise ModelError(
                f"the model of {where} cannot be a teacher: {what} is {_words(found)}, expected "
                f"{_words(expected)} as in the model that learns"
            )


def _words(value: object) -> str:
    return ", ".join(name for name, _ in value) if isinstance(value, list) else repr(value)


FOLDER: Final = "soft-targets"

_log = logging.getLogger(__name__)
_DIGEST_BYTES: Final = hashlib.sha256().digest_size
_WINDOWS_AT_ONCE: Final = 4
_TINY: Final = 1e-30
"""Least sum of a row: what is no target may have left the vocabulary."""

Probabilities: TypeAlias = npt.NDArray[np.float32]
Stored: TypeAlias = npt.NDArray[np.float16]


class SoftTargets:
    """Predictions of the teachers of a run for its training pieces; without teachers none.

    Teachers of a causal model read first, and what they predict is kept in the folder of the run.
    Each reads every piece once in each key that training transposes it to, in the context in which
    the run is evaluated, with all its conditions. Its probabilities are moved back to the written
    key, averaged and stored, a file for each teacher. In training they are averaged over the
    teachers and moved to the key of the cut, so that no teacher is read again. A cut learns from
    teachers that know what precedes it.

    An infilling model has other notes to predict in each batch: its teachers read every batch as it
    does, in its key and with its conditions, and nothing is kept.

    The average over keys lies nearer to the notes of unread pieces than any one reading. The
    average over teachers is that of Hinton et al. 2015, section 3, at temperature 1.

    ``data_before`` are the data of all models that the run needs, which may be gone at its end.
    """

    def __init__(self, recipe: Recipe, data: DataSet, folder: Path) -> None:
        self._data, training = recipe.data, recipe.training
        self._teachers = [
            model_folder(recipe, folder, name) for name in sources(recipe) if name != BASE
        ]
        self.sha256 = tuple(teacher_sha256(each, recipe.config()) for each in self._teachers)
        self.data_before = data_before(recipe, folder)
        self._files: list[Path] = []
        self._opened: list[Stored] = []
        self._reading: list[Transformer] = []
        self._reads_batches = bool(self._teachers) and recipe.model.family == "infill"
        if self._reads_batches or not self._teachers:
            return
        self._pieces, self._vocabulary = data.lessons, vocabulary(recipe.data.vocabulary)
        targets = sum(piece.steps * codec.VOICES + 1 for piece in self._pieces)
        self._shape = (targets, self._vocabulary.size)
        sequences = training.batch * training.accumulate
        self._batches = Batches(self._pieces, recipe.data, sequences, training.seed)
        self._files = [
            folder / FOLDER / f"{self._key(data, each)[:16]}.bin" for each in self.sha256
        ]

    def read_missing(self, device: torch.device) -> Generator[tuple[int, int]]:
        """Let the teachers without an intact file read; then open all files.

        A file is written when its teacher is done, so that an interruption costs no more than one
        teacher's work.
        """
        if self._reads_batches:
            self._reading = [self._loaded(each, device) for each in self._teachers]
        missing = [place for place, file in enumerate(self._files) if self._open(file) is None]
        for number, place in enumerate(missing):
            content: list[Stored] = []
            for read_TV in self._read(self._teachers[place], device):
                content.append(read_TV)
                done = number * len(self._pieces) + len(content)
                yield done, len(missing) * len(self._pieces)
            self._write(self._files[place], np.concatenate(content))
        self._opened = [found for file in self._files if (found := self._open(file)) is not None]

    def at(self, step: int, batch: Batch) -> Tensor | None:
        """Return the soft targets of ``step`` and its batch, float32 (B, T, V); None without any.

        They mean nothing where the target is PAD.
        """
        if not self._teachers:
            return None
        if self._reads_batches:
            return self._read_now(batch)
        rows_BT, shifts_BT = self._batches.places(step)
        each_KMV = [opened_NV[rows_BT.ravel()] for opened_NV in self._opened]
        mean_MV: Probabilities = np.stack(each_KMV).mean(0, dtype=np.float32)
        for semitones in np.unique(shifts_BT):
            here_M = shifts_BT.ravel() == semitones
            mean_MV[here_M] = moved(mean_MV[here_M], int(semitones), self._vocabulary)
        mean_MV /= np.maximum(mean_MV.sum(-1, keepdims=True), _TINY)
        return torch.from_numpy(mean_MV.reshape(*rows_BT.shape, -1))

    @torch.no_grad()
    def _read_now(self, batch: Batch) -> Tensor:
        """Return the mean prediction of the teachers for a batch, float32 (B, T, V)."""
        here = batch.to(self._reading[0].head.weight.device)
        each = [batch_logits(model, here).float().softmax(-1) for model in self._reading]
        return torch.stack(each).mean(0).cpu()

    @staticmethod
    def _loaded(folder: Path, device: torch.device) -> Transformer:
        return checkpoint.load(folder, str(device)).network.eval()

    def _read(self, folder: Path, device: torch.device) -> Iterator[Stored]:
        """Yield what a teacher predicts of each piece, averaged over its keys, (T, V)."""
        model = self._loaded(folder, device)
        for piece in self._pieces:
            shifts = shifts_of(piece, self._data)
            sum_TV = np.zeros((piece.steps * codec.VOICES + 1, self._vocabulary.size), np.float32)
            for semitones in shifts:
                read_TV = probabilities(model, self._cut(piece.transposed(semitones)), self._window)
                sum_TV += moved(read_TV, -semitones, self._vocabulary)
            yield (sum_TV / sum_TV.sum(-1, keepdims=True)).astype(np.float16)

    def _cut(self, piece: Chorale) -> Cut:
        names = self._data.conditions
        return codec.encode(piece, self._vocabulary), conditions.rows(piece, names, names), 0

    @property
    def _window(self) -> int:
        """Return the context of a teacher in tokens; 0: the whole piece."""
        return self._data.window if self._data.measured == "window" else 0

    def _key(self, data: DataSet, teacher: str) -> str:
        of_data = (data.sha256, self._vocabulary.name, self._data.conditions, self._data.transpose)
        farthest = [self._data.farthest_shift] if self._data.farthest_shift else []
        key = (teacher, *of_data, self._window, *farthest)
        return hashlib.sha256(repr(key).encode()).hexdigest()

    def _write(self, file: Path, content_NV: Stored) -> None:
        with paths.replacing(file) as opened:
            opened.write(_digest(file, content_NV))
            opened.write(content_NV.tobytes())

    def _open(self, file: Path) -> Stored | None:
        """Map a file into memory; None if there is none, or if it is damaged."""
        try:
            bytes_ = np.memmap(file, np.uint8, "r")
            content_NV = bytes_[_DIGEST_BYTES:].view(np.float16).reshape(self._shape)
        except FileNotFoundError:
            return None
        except ValueError as reason:
            _warn(file, str(reason))
            return None
        if _digest(file, content_NV) != bytes_[:_DIGEST_BYTES].tobytes():
            _warn(file, "its checksum does not match")
            return None
        return content_NV


def _digest(file: Path, content_NV: Stored) -> bytes:
    found = hashlib.sha256(file.name.encode())
    found.update(content_NV.data)
    return found.digest()


def _warn(file: Path, reason: str) -> None:
    _log.warning("soft targets %s are damaged (%s); the teacher reads again", file, reason)


@torch.inference_mode()
def probabilities(model: Transformer, cut: Cut, window: int) -> Probabilities:
    """Return what ``model`` predicts of each target of a piece, (T, V)."""
    found = []
    for batch in window_batches(cut, window or len(cut[0]), _WINDOWS_AT_ONCE):
        logits_BTV = batch_logits(model, batch.to(model.head.weight.device)).float().cpu()
        found.append(logits_BTV.softmax(-1)[batch.targets_BT != PAD])
    rows_TV: Probabilities = torch.cat(found).numpy()
    return rows_TV


def moved(rows_MV: Probabilities, semitones: int, symbols: Vocabulary) -> Probabilities:
    """Return distributions over tokens, each pitch ``semitones`` higher.

    Pitches that leave the vocabulary are dropped and those that enter it are 0, so that a
    distribution may sum to less than 1.
    """
    found_MV = rows_MV.copy()
    kept = max(PITCHES - abs(semitones), 0)
    for first in {symbols.first_onset, symbols.first_hold}:
        low, high = first + max(semitones, 0), first + max(-semitones, 0)
        found_MV[:, first : first + PITCHES] = 0
        found_MV[:, low : low + kept] = rows_MV[:, high : high + kept]
    return found_MV
