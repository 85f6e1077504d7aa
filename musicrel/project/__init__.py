"""Projects: the contents of a document, and the file that keeps them.

A project is one SQLite database with pieces, takes, locks, form, mixer and undo line. It is written
with every edit; this is the one kind of file that is not replaced as a whole.
"""

from __future__ import annotations

from typing import Final

SUFFIX: Final = ".musicrel"  # suffix of a project's file, in lower case
