"""Pieces without a project as new documents: from other formats, and from a crash of version 1."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from musicrel.chorale import Chorale
from musicrel.generation.request import max_bars
from musicrel.presentation.compose.form import DRAWN, KEYS, METERS, Form, pickups
from musicrel.project.project_piece import contents_of
from musicrel.score.importing.import_report import itemised
from musicrel.ui.files.file_jobs import OpenedPiece
from musicrel.ui.files.session import Opened, Session
from musicrel.ui.files.window_record import WindowRecord

_CHANGED: Final = "changed on opening {name}:{report}"


def document_of(piece: Chorale, form: Form, *, saved: bool = True) -> Opened:
    """Return an untitled document with one take.

    Args:
        saved: False if closing the document would lose it.
    """
    return Opened(session=Session(), contents=contents_of(piece, _beside(piece, form)), saved=saved)


def _beside(piece: Chorale, form: Form) -> Form:
    meter = piece.meter if piece.meter in METERS else METERS[0]
    return replace(
        form.for_new_document(),
        bars=min(-(-piece.steps // piece.meter.steps), max_bars(meter)),
        meter=meter,
        pickup=piece.pickup if piece.pickup in dict(pickups(meter)) else DRAWN,
        key=next((key for key in KEYS if key == piece.key), None),
    )


def describe_changes(read: OpenedPiece) -> str:
    """Describe what differs from the file; "" if nothing does."""
    if not read.report:
        return ""
    return _CHANGED.format(name=read.path.name, report=itemised(read.report))


def recover(identity: str, form: Form) -> Opened | None:
    """Restore a piece of version 1; None if there is none, or a window has it."""
    from musicrel.score import json_file

    record = WindowRecord(identity)
    if not record.piece.exists() or not record.acquire():
        return None
    try:
        return document_of(json_file.read(record.piece), form, saved=False)
    finally:
        record.archive()
