"""Non-blocking dialogs for the file to open, to save to or to export to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from musicrel import file_names
from musicrel.project import SUFFIX

_KINDS: Final[Mapping[str, str]] = {
    SUFFIX: "musicrel project",
    ".mid": "MIDI file",
    ".json": "musicrel piece",
    ".musicxml": "MusicXML score",
    ".mxl": "Compressed MusicXML",
    ".wav": "WAV audio",
    ".pdf": "PDF score",
    ".svg": "SVG image",
    ".png": "PNG image",
}
"""Suffix -> name of the format; others are named by their suffix."""
_OTHER_KIND: Final = "{format} file"
_ALIASES: Final = frozenset({".midi"})
_SAVE: Final = "Save the project"
_EXPORT: Final = "Export the piece"
_OPEN: Final = "Open a project or a piece"
_ALL_KINDS: Final = "Projects and pieces ({patterns})"


def name_filters(suffixes: tuple[str, ...]) -> dict[str, str]:
    """Return name filters for a dialog and their suffixes, ``{"MIDI file (*.mid)": ".mid"}``."""
    return {f"{_kind(suffix)} (*{suffix})": suffix for suffix in suffixes if suffix not in _ALIASES}


def _kind(suffix: str) -> str:
    return _KINDS.get(suffix) or _OTHER_KIND.format(format=suffix[1:].upper())


def file_name(title: str, suffix: str) -> str:
    """Return a file name for a title that is valid on every system."""
    return file_names.valid(title) + suffix


def ask_project_path(
    parent: QWidget, *, name: str, folder: str, answer: Callable[[Path], object]
) -> QFileDialog:
    """Open a dialog for the project to save to.

    Args:
        folder: folder of the last save; "": the user's music folder.
    """
    return ask_new_path(
        parent,
        _SAVE,
        name=name,
        suffixes=(SUFFIX,),
        answer=answer,
        folder=folder or music_folder(),
    )


def ask_export_path(
    parent: QWidget, *, title: str, folder: str, suffix: str, answer: Callable[[Path], object]
) -> QFileDialog:
    """Open a dialog for the file to export to.

    Args:
        folder: folder of the last export; "": the user's music folder.
    """
    return ask_new_path(
        parent,
        _EXPORT,
        name=title,
        suffixes=writable_suffixes(),
        answer=answer,
        folder=folder or music_folder(),
        suffix=suffix,
    )


def ask_new_path(
    parent: QWidget,
    caption: str,
    *,
    name: str,
    suffixes: tuple[str, ...],
    answer: Callable[[Path], object],
    folder: str = "",
    suffix: str = "",
) -> QFileDialog:
    """Open a dialog for a file to write.

    Args:
        name: of what is written; becomes the name of the file.
        folder: folder to show first; "": the working folder.
        suffix: the format selected first; by default the first one.
    """
    filters = name_filters(suffixes)
    selected = next(
        (text for text, known in filters.items() if known == suffix), next(iter(filters))
    )
    dialog = QFileDialog(parent, caption, folder)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(filters))
    dialog.selectNameFilter(selected)
    dialog.setDefaultSuffix(filters[selected])
    dialog.selectFile(file_name(name, filters[selected]))
    dialog.filterSelected.connect(lambda text: dialog.setDefaultSuffix(filters[text]))
    dialog.fileSelected.connect(lambda path: answer(Path(path)))
    dialog.open()
    return dialog


def ask_open_path(parent: QWidget, *, folder: str, answer: Callable[[Path], object]) -> QFileDialog:
    """Open a dialog for the file to open.

    Args:
        folder: folder to show first; "": the user's music folder.
    """
    suffixes = readable_suffixes()
    dialog = QFileDialog(parent, _OPEN, folder or music_folder())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    patterns = " ".join(f"*{suffix}" for suffix in suffixes)
    dialog.setNameFilters([_ALL_KINDS.format(patterns=patterns), *name_filters(suffixes)])
    dialog.fileSelected.connect(lambda path: answer(Path(path)))
    dialog.open()
    return dialog


def readable_suffixes() -> tuple[str, ...]:
    """Return the suffixes of the files that can be opened: projects and pieces."""
    from musicrel.score.files import READABLE

    return (SUFFIX, *READABLE)


def writable_suffixes() -> tuple[str, ...]:
    """Return the suffixes that a piece can be exported with; PDF, drawn by Qt, only in the app."""
    from musicrel.presentation.files.exports import WRITABLE
    from musicrel.presentation.score import engraver
    from musicrel.ui.score import score_pdf

    return WRITABLE if engraver.disabled_reason() else (*WRITABLE, score_pdf.SUFFIX)


def music_folder() -> str:
    """Return the user's music folder, or the home folder without one."""
    place = QStandardPaths.StandardLocation
    return QStandardPaths.writableLocation(place.MusicLocation) or str(Path.home())
