"""Applying an edit to the document, as one step of Undo."""

from __future__ import annotations

from dataclasses import replace

from musicrel.editing.edit import Edit
from musicrel.ui.document.document import Document


def apply(document: Document, edit: Edit) -> None:
    """Make the edited piece the current one; its locks move with their cells.

    An edited piece is no longer what its model generated, so it loses the provenance.
    """
    locks = document.locks
    document.show_piece(
        replace(edit.piece, provenance=None),
        locks=edit.moved(locks) if locks is not None else None,
    )
    document.select(edit.selection)
