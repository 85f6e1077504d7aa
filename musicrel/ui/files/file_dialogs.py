"""Asks for files to save to and to open, without holding up the window.

This file knows dialogs and suffixes; it knows nothing of what stands in the files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

_KINDS: Final[Mapping[str, str]] = {
    ".mid": "MIDI file",
    ".json": "musicrel piece",
    ".musicxml": "MusicXML score",
    ".wav": "Sound",
    ".pdf": "Engraved score",
    ".svg": "Picture, sharp at any size",
    ".png": "Picture",
}
"""Kinds that have a name; the others are called by their suffix."""
_ALIASES: Final = frozenset({".midi"})


def filters(suffixes: tuple[str, ...]) -> dict[str, str]:
    """What the dialog offers, as in ``{"MIDI file (*.mid)": ".mid"}``."""
    return {
        f"{_KINDS.get(suffix, suffix[1:].upper() + ' file')} (*{suffix})": suffix
        for suffix in suffixes
        if suffix not in _ALIASES
    }


def file_name(title: str, suffix: str) -> str:
    """A name for a file that every system takes."""
    plain = re.sub(r"[^\w .,()#-]+", "", title).strip(" .") or "Chorale"
    return plain + suffix


def ask(
    parent: QWidget, *, title: str, folder: str, suffix: str, answer: Callable[[Path], object]
) -> QFileDialog:
    """Open the dialog.

    Args:
        parent: the window it belongs to.
        title: of the piece.
        folder: where it was saved last, "" for the user's documents.
        suffix: the kind it was saved as last.
        answer: called with the file, once the user has chosen one.
    """
    offered = filters(suffixes())
    kind = next((text for text, known in offered.items() if known == suffix), next(iter(offered)))
    dialog = QFileDialog(parent, "Save the piece", folder or _documents())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(offered))
    dialog.selectNameFilter(kind)
    dialog.setDefaultSuffix(offered[kind])
    dialog.selectFile(file_name(title, offered[kind]))
    dialog.filterSelected.connect(lambda text: dialog.setDefaultSuffix(offered[text]))
    dialog.fileSelected.connect(lambda path: answer(Path(path)))
    dialog.open()
    return dialog


def ask_for_one(parent: QWidget, *, folder: str, answer: Callable[[Path], object]) -> QFileDialog:
    """Open the dialog for a file to open.

    Args:
        parent: the window it belongs to.
        folder: where to look first, "" for the user's documents.
        answer: called with the file, once the user has chosen one.
    """
    from musicrel.score.files import READABLE

    dialog = QFileDialog(parent, "Open a piece", folder or _documents())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    every = " ".join(f"*{suffix}" for suffix in READABLE)
    dialog.setNameFilters([f"Pieces ({every})", *filters(READABLE)])
    dialog.fileSelected.connect(lambda path: answer(Path(path)))
    dialog.open()
    return dialog


def suffixes() -> tuple[str, ...]:
    """All kinds a piece can be saved as; a PDF, which Qt draws, is known in the app alone."""
    from musicrel.presentation.files.exports import WRITABLE
    from musicrel.presentation.score import engraver
    from musicrel.ui.score.score_pdf import SUFFIX

    return WRITABLE if engraver.obstacle() else (*WRITABLE, SUFFIX)


def _documents() -> str:
    """The folder for the user's own music."""
    place = QStandardPaths.StandardLocation
    return QStandardPaths.writableLocation(place.MusicLocation) or str(Path.home())
