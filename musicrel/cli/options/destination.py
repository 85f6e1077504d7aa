"""The files that pieces are written to: one, several formats side by side, or a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from musicrel import paths
from musicrel.errors import FileError, UsageError
from musicrel.presentation.files import exports


@dataclass(frozen=True, slots=True)
class Destination:
    """Names for the files of every piece."""

    folder: Path
    stem: str | None  # name of the one piece; None: each is named for its seed
    formats: tuple[str, ...]  # suffixes without the dot

    def of(self, seed: int) -> list[Path]:
        """Return the files of the piece generated with ``seed``."""
        stem = self.stem if self.stem is not None else f"chorale-{seed}"
        return [self.folder / f"{stem}.{suffix}" for suffix in self.formats]


def destination(out: str, formats: str | None, pieces: int) -> Destination:
    """Interpret --out and --format.

    Args:
        out: FILE, FILE without suffix, or DIR (one that exists, ends in a slash, or is meant
            because there are several pieces).
        formats: ``mid,json``; None: by the suffix of ``out``, or mid.
    """
    if not out:
        raise UsageError("--out is empty: name a file or a folder")
    path = Path(out)
    suffixes = parse_formats(formats) if formats is not None else ()
    has_suffix = path.suffix.lower() in exports.WRITABLE or (bool(path.suffix) and not suffixes)
    if _is_folder(out) or (pieces > 1 and not has_suffix):
        chosen = Destination(path, None, suffixes or ("mid",))
    elif has_suffix:
        chosen = _one_file(path, suffixes, pieces)
    else:
        chosen = Destination(path.parent, path.name, suffixes or ("mid",))
    paths.require_writable(chosen.folder)
    return chosen


def parse_formats(formats: str) -> tuple[str, ...]:
    """Parse a list of formats, each once."""
    names = tuple(dict.fromkeys(name.strip().lower() for name in formats.split(",")))
    for name in names:
        if f".{name}" not in exports.WRITABLE:
            known = exports.one_of([suffix[1:] for suffix in exports.WRITABLE])
            raise UsageError(f"format {name!r}: expected {known}{exports.hint(f'.{name}')}")
    return names


def _is_folder(out: str) -> bool:
    try:
        return out.endswith(("/", "\\")) or Path(out).is_dir()
    except OSError as reason:
        raise FileError(f"cannot write {out[:40]}...: {reason.strerror}") from reason


def _one_file(path: Path, suffixes: tuple[str, ...], pieces: int) -> Destination:
    own = path.suffix[1:].lower()
    if pieces > 1:
        raise UsageError(f"{pieces} pieces do not fit into one file, {path}: name a folder")
    if suffixes not in ((), (own,)):
        raise UsageError(
            f"--format {','.join(suffixes)} does not fit the file {path}: leave out its suffix "
            "or name a folder"
        )
    exports.writer(path)
    return Destination(path.parent, path.stem, (path.suffix[1:],))
