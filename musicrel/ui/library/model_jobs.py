"""Jobs that read, check and copy models; they import torch in the thread of a worker only."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from musicrel.jobs import Job

if TYPE_CHECKING:
    from musicrel.model.importing import ImportedModel, ImportProgress, ModelSource


def inspect(path: Path) -> Job[None, ModelSource]:
    """Read the card of a model to import; see ``model.importing``."""
    yield
    from musicrel.model import importing

    return importing.inspect(path)


def import_model(source: ModelSource, *, replaces: bool) -> Job[ImportProgress, ImportedModel]:
    """Check and copy a model under its own name; see ``model.importing``."""
    from musicrel.model import importing

    return (yield from importing.import_model(source, source.name, replaces=replaces))
