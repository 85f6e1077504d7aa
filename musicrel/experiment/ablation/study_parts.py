"""The folder of a study of ablations: its definition, and the measures of every finished piece.

``ablation.json`` holds the definition, which never changes, and ``parts`` a file for each model and
piece, so that an interrupted study goes on with the next piece.
"""

from __future__ import annotations

import io
import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar

import numpy as np

from musicrel import gate, paths
from musicrel.errors import DataError, FileError, UsageError
from musicrel.experiment.ablation.measures import Measures, SetEffects
from musicrel.experiment.runs.run_folder import read_json_object
from musicrel.generation.heads.mutes import Replacement

DEFINITION: Final = "ablation.json"
PARTS: Final = "parts"
FORMAT: Final = 1

Stage: TypeAlias = Literal["notes", "sets"]
Part = TypeVar("Part", Measures, SetEffects)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyDefinition:
    """Everything that the measures follow from."""

    models: tuple[str, ...]
    sha256: tuple[str, ...]  # hash of the weights of each
    notes: int  # number of notes of each model
    seed: int  # of all random choices
    by: Replacement  # what replaces the output of a head
    pieces: tuple[str, ...]  # titles and lengths of the pieces

    def to_json(self) -> dict[str, Any]:
        values: dict[str, Any] = json.loads(json.dumps({"format": FORMAT} | asdict(self)))
        return values


class StudyFolder:
    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, definition: StudyDefinition, *, resume: bool) -> None:
        """Create the folder, or check that it holds this very study."""
        file = self.path / DEFINITION
        known, wanted = read_json_object(file), definition.to_json()
        if known is None and resume:
            raise UsageError(f"{self.path} holds no study of ablations: leave --resume out")
        if known is None:
            paths.write_text(file, json.dumps(wanted, indent=1, ensure_ascii=False) + "\n")
        elif not resume:
            raise UsageError(
                f"{self.path} already holds a study of ablations: resume it with --resume, or "
                "choose another --out"
            )
        elif known != wanted:
            names = ", ".join(name for name in wanted if known.get(name) != wanted[name])
            raise UsageError(
                f"{self.path} holds a study with other {names}: give those of the study, or choose "
                "another --out"
            )

    def read(self, kind: type[Part], stage: Stage, model: int, piece: int) -> Part | None:
        """Return the measures of a piece; None if they are not there yet."""
        file = self._file(stage, model, piece)
        if not file.exists():
            return None
        content = gate.read(file, "measures")
        try:
            arrays = gate.unpack_arrays(content, "measures")
            return kind(**{field.name: arrays[field.name] for field in fields(kind)})
        except (DataError, LookupError) as reason:
            raise FileError(
                f"{file} is damaged: delete it and resume the study, which measures the piece again"
            ) from reason

    def write(self, part: Measures | SetEffects, stage: Stage, model: int, piece: int) -> None:
        content = io.BytesIO()
        np.savez_compressed(
            content, **{field.name: getattr(part, field.name) for field in fields(part)}
        )
        paths.write_bytes(self._file(stage, model, piece), content.getvalue())

    def _file(self, stage: Stage, model: int, piece: int) -> Path:
        return self.path / PARTS / f"{stage}-{model + 1}-{piece + 1:03}.npz"
