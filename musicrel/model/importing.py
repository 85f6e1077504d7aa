"""Import of a model from a folder or a zip archive into the user's models.

Nothing is loaded: the card, the hash of the weights, and the names, shapes and types in the header
of the weights are checked in a temporary folder, which becomes the model in one step. Companions of
the weights are copied as well if they belong to them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from typing import Final

from musicrel import file_names, folder_moves, paths, untrusted
from musicrel.errors import FileError, ModelError
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.model import catalogue, checkpoint, companions, model_files
from musicrel.model.card import CARD, WEIGHTS, Card, check_notes
from musicrel.model.catalogue import RemovedModel
from musicrel.model.companions import COMPANIONS
from musicrel.model.model_files import ModelFiles

_TEMPORARY: Final = "import-"
_OLD_SECONDS: Final = 24 * 60 * 60
"""Age beyond which a temporary folder is one of a program that was killed."""
_NAMELESS: Final = "model"
_NO_NAME: Final = tr("{name!r} cannot be the name of a model: expected letters, such as {valid!r}")
_TOO_LONG: Final = tr(
    "{file} of {path} has more than {limit:,} bytes: a model of musicrel is smaller"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSource:
    """A model that can be imported."""

    path: Path  # the folder or zip archive
    name: str  # the name in its card, fit for a folder
    card: Card
    text: str
    files: ModelFiles


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportProgress:
    """Share of the weights that is copied, 0 to 1."""

    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedModel:
    """A model that was imported."""

    name: str
    # the model that had the name before; None if there was none
    replaced: RemovedModel | None = None


def inspect(path: Path) -> ModelSource:
    """Read the card of the model in a folder or a zip archive.

    Raises:
        ModelError: there is no model, its card is invalid, or a file is too large.
        FileError: the folder or the archive cannot be read.
    """
    files = model_files.find(path)
    content = b"".join(_limited(files.chunks(CARD), untrusted.LIMITS["card"], path, CARD))
    if files.size(WEIGHTS) > untrusted.LIMITS["weights"]:
        raise _too_long(path, WEIGHTS, untrusted.LIMITS["weights"])
    try:
        text = content.decode("utf-8")
        card = Card.from_json(text)
        check_notes(card.name, card)
    except (UnicodeDecodeError, ModelError) as reason:
        raise ModelError(
            tr("{path} is not imported: {reason}", path=path, reason=reason)
        ) from reason
    name = _plain(card.name) or _plain(files.name) or _NAMELESS
    return ModelSource(path=path, name=name, card=card, text=text, files=files)


def taken(name: str) -> Path | None:
    """Return the model directory that has a name, None if the name is free."""
    return next((path for path in catalogue.model_directories() if path.name == name), None)


def free_name(name: str) -> str:
    """Return ``name``, with a number appended if a model or another folder has it."""

    def is_taken(free: str) -> bool:
        return taken(free) is not None or (catalogue.user_models() / free).exists()

    return file_names.numbered(name, is_taken, "{}-{}")


def import_model(
    source: ModelSource, name: str, *, replaces: bool
) -> Job[ImportProgress, ImportedModel]:
    """Check a model and copy it to the user's models.

    Args:
        replaces: whether a model that has the name moves to the trash; otherwise a number is
            appended to the name of the new one.

    Raises:
        ModelError: the weights do not match the card, the name is not fit for a folder, or it is to
            replace a shipped model.
        FileError: a file cannot be read or written.
    """
    if PureWindowsPath(name).name != name or not file_names.valid(name, nameless=""):
        raise ModelError(_NO_NAME.format(name=name, valid=_plain(name) or _NAMELESS))
    there = taken(name) if replaces else None
    if there is not None and catalogue.is_shipped(there):
        raise ModelError(
            tr("{name} is the name of a shipped model: import it under another name", name=name)
        )
    paths.require_writable(catalogue.user_models())
    paths.require_writable(paths.data())
    _remove_old()
    folder = Path(tempfile.mkdtemp(prefix=_TEMPORARY, dir=paths.data()))
    try:
        digest = yield from _copy_weights(source, folder / WEIGHTS)
        _write_card(source, folder, digest)
        for companion in COMPANIONS:
            _copy_companion(source, folder / companion, digest)
        checkpoint.check(folder, source.path)
        return _install(folder, name, replaces=replaces)
    except OSError as reason:
        raise FileError(
            tr(
                "cannot write into {folder}: {reason}; make room there",
                folder=folder.parent, reason=paths.describe_os_error(reason),
            )
        ) from reason  # fmt: skip
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_old() -> None:
    """Remove the temporary folders of imports that were killed."""
    for folder in paths.data().glob(f"{_TEMPORARY}*"):
        with contextlib.suppress(OSError):
            if time.time() - folder.stat().st_mtime > _OLD_SECONDS:
                shutil.rmtree(folder)


def _copy_weights(source: ModelSource, target: Path) -> Job[ImportProgress, str]:
    """Copy the weights; return their SHA-256 after comparing it with that of the card."""
    digest, done = hashlib.sha256(), 0
    size = max(source.files.size(WEIGHTS), 1)
    chunks = source.files.chunks(WEIGHTS)
    with contextlib.closing(chunks), target.open("wb") as copy:
        for chunk in _limited(chunks, untrusted.LIMITS["weights"], source.path, WEIGHTS):
            digest.update(chunk)
            copy.write(chunk)
            done += len(chunk)
            yield ImportProgress(share=min(done / size, 1.0))
    checkpoint.check_sha256(source.card, digest.hexdigest(), source.path)
    return digest.hexdigest()


def _write_card(source: ModelSource, folder: Path, digest: str) -> None:
    values = json.loads(source.text) | {"weights_sha256": digest}
    paths.write_text(folder / CARD, json.dumps(values, indent=2) + "\n")


def _copy_companion(source: ModelSource, target: Path, digest: str) -> None:
    file, limit = target.name, untrusted.LIMITS[COMPANIONS[target.name]]
    if not source.files.has(file) or source.files.size(file) > limit:
        return
    with contextlib.closing(source.files.chunks(file)) as chunks:
        target.write_bytes(b"".join(_limited(chunks, limit, source.path, file)))
    if companions.hash_in(target) != digest:
        target.unlink()


def _install(folder: Path, name: str, *, replaces: bool) -> ImportedModel:
    """Make ``folder`` a model; put the one that it replaces back if that fails."""
    there = taken(name) if replaces else None
    replaced = catalogue.remove(there) if there is not None else None
    name = name if replaces else free_name(name)
    try:
        folder_moves.move(folder, catalogue.user_models() / name, CARD)
    except OSError as reason:
        if replaced is not None:
            catalogue.restore(replaced)
        raise FileError(
            tr(
                "the model cannot be stored in {folder}: {reason}; nothing was changed",
                folder=catalogue.user_models(), reason=paths.describe_os_error(reason),
            )
        ) from reason  # fmt: skip
    return ImportedModel(name=name, replaced=replaced)


def _limited(chunks: Iterable[bytes], limit: int, path: Path, file: str) -> Iterator[bytes]:
    """Yield the content of a file, whose real length is checked: that in a zip may be wrong."""
    length = 0
    for chunk in chunks:
        length += len(chunk)
        if length > limit:
            raise _too_long(path, file, limit)
        yield chunk


def _too_long(path: Path, file: str, limit: int) -> ModelError:
    return ModelError(_TOO_LONG.format(file=file, path=path, limit=limit))


def _plain(name: str) -> str:
    """Return a name that is a folder's name on every system, "" if nothing is left."""
    return file_names.valid(re.sub(r"[^\w.-]+", "-", name).strip("-."), nameless="")
