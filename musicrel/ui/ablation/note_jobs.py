"""Jobs that study a note of a piece with a model, which reads the piece once.

They run in a worker thread, one at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from musicrel.chorale import Chorale
from musicrel.generation.heads.mutes import Mutes
from musicrel.jobs import Job
from musicrel.presentation.ablation.head_effects import HeadEffects
from musicrel.presentation.ablation.note_study import NoteStudy
from musicrel.presentation.ablation.source_list import SourceList
from musicrel.ui.jobs.generation_service import LoadEvent

if TYPE_CHECKING:
    from musicrel.generation.ablation.note_reader import NoteReader
    from musicrel.generation.loaded_model import LoadedModel

LoadModel = Callable[[str, str], Job[LoadEvent, "LoadedModel"]]
"""Factory of jobs that load a model, from its name and the device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteQuery:
    model: str
    device: str
    piece: Chorale
    cell: int  # 4 step + voice
    mutes: Mutes  # the muted heads; ``mutes.by`` replaces heads in all effects
    with_sources: bool = False  # whether its sources are wanted, too

    def is_of(self, other: NoteQuery | None) -> bool:
        """Return whether both are about the same note under the same model."""
        if other is None or self.piece is not other.piece:
            return False
        return (self.model, self.device, self.cell) == (other.model, other.device, other.cell)


class NoteJobs:
    """Factories of jobs that share one reading of the piece."""

    def __init__(self, load: LoadModel) -> None:
        self._load = load
        self._kept: tuple[LoadedModel, NoteReader] | None = None

    def study(self, query: NoteQuery) -> Job[Any, None]:
        """Study a note; yields a ``NoteStudy``, then a ``SourceList`` if it is wanted.

        Progress is that of the means and of the sources.
        """
        from musicrel.generation.ablation import means
        from musicrel.presentation.ablation import note_study

        model = yield from self._load(query.model, query.device)
        if query.mutes.by == "mean":
            yield from means.prepare(model)
        reader = self._reader(model, query.piece)
        found: NoteStudy = note_study.study(reader, query.cell, query.mutes)
        yield found
        if query.with_sources:
            listed: SourceList = yield from note_study.find_sources(reader, query.cell)
            yield listed

    def measure(self, query: NoteQuery) -> Job[Any, HeadEffects]:
        """Measure the effects of all heads on a whole piece; yields a ``Measured`` for each."""
        from musicrel.generation.ablation import means
        from musicrel.presentation.ablation import piece_effects

        model = yield from self._load(query.model, query.device)
        if query.mutes.by == "mean":
            yield from means.prepare(model)
        return (yield from piece_effects.measure(model, query.piece, query.mutes.by))

    def _reader(self, model: LoadedModel, piece: Chorale) -> NoteReader:
        """Return a reader of the piece, the one before if it is the same piece and model."""
        from musicrel.presentation.ablation import note_study

        if self._kept is None or self._kept[0] is not model or self._kept[1].chorale is not piece:
            self._kept = None  # its memory is needed
            self._kept = model, note_study.open_reader(model, piece)
        return self._kept[1]
