"""Copied notes on the clipboard of the system, for other windows and as text for programs."""

from __future__ import annotations

from typing import Final, cast

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from musicrel.chorale import Key, Voice
from musicrel.editing.clipboard import NOT_A_CLIP, Clip
from musicrel.errors import UsageError
from musicrel.presentation.words import names

MIME_TYPE: Final = "application/x-musicrel-notes"


def write(clip: Clip, key: Key | None) -> None:
    """Put notes on the clipboard; as text they are spelled in ``key``."""
    data = QMimeData()
    data.setData(MIME_TYPE, clip.to_json().encode())
    data.setText(as_text(clip, key))
    QGuiApplication.clipboard().setMimeData(data)


def read() -> Clip:
    """Return the notes on the clipboard."""
    data = cast("QMimeData | None", QGuiApplication.clipboard().mimeData())  # None on some systems
    if data is None or not data.hasFormat(MIME_TYPE):
        raise UsageError(NOT_A_CLIP)
    return Clip.from_json(bytes(data.data(MIME_TYPE).data()).decode(errors="replace"))


def unready_reason() -> str:
    """Return the reason why nothing can be pasted, or ""."""
    data = cast("QMimeData | None", QGuiApplication.clipboard().mimeData())
    has_notes = data is not None and data.hasFormat(MIME_TYPE)
    return "" if has_notes else f"{NOT_A_CLIP[:1].upper()}{NOT_A_CLIP[1:]}"


def as_text(clip: Clip, key: Key | None) -> str:
    """Return a line for each voice, as 'Alto: G4 A4 B4'."""
    lines = []
    for voice in clip.voices:
        pitches = [names.pitch(note.pitch, key) for note in clip.notes if note.voice == voice]
        lines.append(f"{Voice(voice).title}: {' '.join(pitches)}")
    return "\n".join(lines)
