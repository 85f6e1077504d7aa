"""All that is shown of one note: effects, most probable notes, logit lens and sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from musicrel import jobs
from musicrel.chorale import Chorale, Voice
from musicrel.generation.events import SourcesProgress
from musicrel.generation.heads.mutes import Mutes
from musicrel.jobs import Job
from musicrel.presentation.ablation.head_effects import Effects, HeadEffects
from musicrel.presentation.ablation.lens_table import LensTable
from musicrel.presentation.ablation.note_choices import NoteChoices
from musicrel.presentation.ablation.source_list import (
    SourceList,
    SourceRow,
    short_name,
    source_name,
)
from musicrel.presentation.attention.piece_analysis import cell_name

if TYPE_CHECKING:
    from musicrel.generation.ablation.note_reader import NoteReader
    from musicrel.generation.ablation.results import Lens, LocalEffects, NoteOutput
    from musicrel.generation.loaded_model import LoadedModel


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteStudy:
    """All that is known of one note without its sources."""

    model: str
    cell: int  # 4 step + voice
    effects: HeadEffects
    choices: NoteChoices  # the most probable notes, without and with muted heads
    lens: LensTable  # what each layer would choose


def open_reader(model: LoadedModel, chorale: Chorale) -> NoteReader:
    """Read a piece with a model; cross-attention reads the locked notes, or the soprano."""
    from musicrel.generation.ablation.note_reader import NoteReader  # noqa: PLC0415  # numba, torch
    from musicrel.presentation.attention.analysis_job import given_cells  # noqa: PLC0415

    locked_tokens = None
    if model.config.cross:
        locked_tokens = np.where(given_cells(chorale).ravel(), model.encode(chorale)[1:-1], -1)
    return NoteReader(model, chorale, locked_tokens=locked_tokens)


def study(reader: NoteReader, cell: int, mutes: Mutes) -> NoteStudy:
    """Return all that is known of one note without its sources.

    Args:
        mutes: the muted heads; ``mutes.by`` replaces the heads of the effects, too.
    """
    local = reader.local(cell, mutes.by)
    muted = reader.muted(cell, mutes) if mutes else None
    return NoteStudy(
        model=reader.model.name,
        cell=cell,
        effects=head_effects(reader, local),
        choices=choices(reader, local, muted, mutes),
        lens=lens_table(reader, reader.lens(cell)),
    )


def head_effects(reader: NoteReader, local: LocalEffects) -> HeadEffects:
    """Return the effects of all heads and voices, with the voices that each head looks at."""
    is_causal = reader.model.config.is_causal
    return HeadEffects(
        of=cell_name(reader.chorale, local.cell),
        model=reader.model.name,
        by=local.by,
        by_head=local.effects_LH,
        by_voice=local.voices_4,
        looks=_looks(reader.attention(local.cell)) if is_causal else None,
    )


def choices(
    reader: NoteReader, local: LocalEffects, muted: NoteOutput | None, mutes: Mutes
) -> NoteChoices:
    """Return the distribution of a note, without and with muted heads."""
    return NoteChoices(
        chorale=reader.chorale,
        cell=local.cell,
        token=_token(reader, local.cell),
        vocabulary=reader.model.vocabulary,
        before=local.output.log_p_V,
        after=None if muted is None else muted.log_p_V,
        mutes=mutes,
    )


def lens_table(reader: NoteReader, lens: Lens) -> LensTable:
    """Return what each layer would choose."""
    return LensTable(
        chorale=reader.chorale,
        cell=lens.cell,
        token=_token(reader, lens.cell),
        vocabulary=reader.model.vocabulary,
        log_p_by_layer=lens.log_p_NV,
    )


def sources(reader: NoteReader, cell: int) -> SourceList:
    """Return what ``find_sources`` finds, at once."""
    return jobs.run(find_sources(reader, cell))


def find_sources(reader: NoteReader, cell: int) -> Job[SourcesProgress, SourceList]:
    """Find the sources of a note: the strongest by weight, then random others."""
    found, chorale = (yield from reader.find_sources(cell)), reader.chorale
    numbers = zip(found.sources, found.weights_S.tolist(), found.effects_S.tolist(), strict=True)
    rows = tuple(
        SourceRow(
            name=source_name(chorale, source.voice, source.start),
            short=short_name(chorale, source.voice, source.start),
            voice=source.voice,
            start=source.start,
            stop=source.stop,
            weight=weight,
            effect=effect,
            is_random=place >= found.strongest,
        )
        for place, (source, weight, effect) in enumerate(numbers)
    )
    return SourceList(chorale=chorale, cell=cell, rows=rows)


def _token(reader: NoteReader, cell: int) -> int:
    return int(reader.model.encode(reader.chorale)[1 + cell])


def _looks(weights: Effects) -> Effects:
    """Return the shares of attention by voice, and of START, (layers, heads, 5).

    Args:
        weights: over START and the cells before, (layers, heads, keys).
    """
    shares = [weights[..., 1 + voice :: len(Voice)].sum(axis=-1) for voice in Voice]
    return np.stack([*shares, weights[..., 0]], axis=-1)
