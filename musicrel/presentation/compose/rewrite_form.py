"""What is asked of a model that shall write a part of a piece anew, and the words around it.

This file knows pieces, cells and the form; it knows nothing of models or of how they write.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from musicrel.chorale import RANGES, REST, Chorale, Flags, Pitches
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.request import GenerationRequest
from musicrel.presentation.compose.form import LARGEST_SEED, Form
from musicrel.presentation.roll import lock_cells
from musicrel.presentation.roll.selection import Selection
from musicrel.presentation.words import names
from musicrel.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH

MOST: Final = 32
USUAL: Final = 8
"""Candidates that are asked for at once: at most, and unless another number is."""

MORE_BARS: Final = (2, 4, 8, 16)
USUAL_BARS: Final = 4
"""By how many bars a piece can be continued, and by how many it usually is."""

AMOUNTS: Final = (
    (1.0, "All anew", "all of it but for what is locked"),
    (0.6, "Different", "about six notes of ten, chosen by chance"),
    (0.3, "Similar", "about three notes of ten, chosen by chance"),
    (0.1, "Very similar", "about one note of ten, chosen by chance"),
)
"""How much of a piece is varied: the share, its name, and what it means."""

CAUSAL: Final = (
    "The model reads from left to right and cannot look ahead: it writes towards the notes that "
    "are kept later without knowing them. That is why several versions are made and ranked, first "
    "of all by how likely the model finds the whole passage together with all that follows it."
)
BOTH_SIDES: Final = (
    "The model sees what stands before and after: it fits its notes to all that is kept, and its "
    "versions are ranked."
)
"""The same of a model of another kind."""
BLIND: Final = (
    "The model cannot look ahead: it did not know the notes kept after these. Trust the ranking."
)
"""The same in short, beside the versions."""
ALL_LOCKED: Final = (
    "all that is selected is locked: select something else, or unlock some of it (Ctrl+K)"
)
TOO_WIDE: Final = (
    "the piece goes from {low} to {high}, and models know four voices from "
    f"{names.pitch(LOWEST_PITCH)} to {names.pitch(HIGHEST_PITCH)}: move its highest or lowest "
    "notes by an octave first"
)
NOTHING_FREE: Final = "every note is locked: unlock at least one voice or bar to be written anew"


def way(*, sees_both_sides: bool) -> str:
    """How a model goes about it, and what that means for what it writes."""
    return BOTH_SIDES if sees_both_sides else CAUSAL


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rewriting:
    """A part of a piece that is to be written anew, several times.

    Attributes:
        piece: the whole of it.
        free: the cells to be written, bool (T, 4); all others are kept.
        form: model, key where the piece has none, surprise, seed and rules.
        count: how many versions.
        done: what is said of an accepted version.
    """

    piece: Chorale
    free: Flags
    form: Form
    count: int
    done: str = "rewritten"

    def request(self) -> GenerationRequest:
        """What is asked of the model; of a long piece this takes a while.

        Raises:
            UsageError: what is kept breaks a rule that is on, or has pitches no model knows.
        """
        return GenerationRequest.like(
            self.piece,
            key=self.piece.key or self.form.key,
            temperature=self.form.temperature,
            seed=self._first_seed(),
            rules=self.form.rules,
            patience=self.form.patience,
            cadence=self.form.cadence,
            locks=Locks.of(self.piece, ~self.free),
        )

    def _first_seed(self) -> int:
        """The form's, or the one past the piece's own: that would write its notes once more."""
        seed = min(self.form.seed, LARGEST_SEED - 2 * MOST)
        own = self.piece.provenance.seed if self.piece.provenance is not None else None
        return own + 1 if own is not None and own in range(seed, seed + self.count) else seed

    @property
    def original(self) -> Chorale | None:
        """The piece that the versions are measured against; None where they replace silence."""
        return None if (self.piece.pitches[self.free] == REST).all() else self.piece

    @property
    def before(self) -> str:
        """What is seen without a version, in words."""
        return "the original" if self.original is not None else "the piece as it was"

    def plan(self) -> Chorale:
        """A piece of the form of the versions."""
        return self.piece

    @property
    def blind(self) -> bool:
        """Whether notes are kept that lie ahead of those that are written."""
        free = self.free.reshape(-1)
        return not free[int(free.argmax()) :].all()

    def accepted(self, version: Chorale, seed: int) -> tuple[Chorale, None]:
        """``version`` as it is called from now on; the form does not say what was rewritten."""
        del seed
        return replace(version, title=title(self.piece.title, self.done)), None

    def same(self, other: object) -> bool:
        """Whether ``other`` would come to the same notes."""
        if not isinstance(other, Rewriting) or other.piece is not self.piece:
            return False
        if other.form != self.form:
            return False
        return bool((other.free == self.free).all())


def of(
    piece: Chorale,
    selection: Selection | None,
    kept: Flags,
    form: Form,
    count: int,
    *,
    change: float = 1.0,
) -> Rewriting:
    """What is written when the user asks for it.

    Args:
        piece: on the sheet.
        selection: what shall be written, None: all.
        kept: what is locked, bool (T, 4).
        form: the entries as they stand.
        count: how many versions.
        change: share of the piece that is written anew where nothing is selected.

    Raises:
        UsageError: all of it is locked.
    """
    wanted = (
        lock_cells.cells(piece, selection) if selection is not None else ~lock_cells.nothing(piece)
    )
    if selection is None and change < 1:
        wanted = _some_notes(piece, change, form.seed)
    free = wanted & ~kept
    if not free.any():
        raise UsageError(NOTHING_FREE if selection is None else ALL_LOCKED)
    return Rewriting(piece=piece, free=free, form=form, count=count)


def title(before: str, done: str = "rewritten") -> str:
    """The name of what became of a piece: 'Air', 'Air, rewritten', 'Air, rewritten 2' ..."""
    again = re.fullmatch(rf"(.*), {done}(?: (\d{{1,6}}))?", before)
    if again is None:
        return f"{before}, {done}" if before else done.capitalize()
    return f"{again[1]}, {done} {int(again[2] or 1) + 1}"


def in_span(piece: Chorale) -> tuple[Chorale, int]:
    """``piece`` where models know all its pitches, and by how many semitones it was moved for that.

    Where it goes beyond them, it is moved by as little as brings every voice into its range; where
    nothing does, by as little as brings all into the span of the models.

    Raises:
        UsageError: it is wider than that span.
    """
    sung = piece.pitches[piece.pitches != REST]
    if not sung.size or _is_known(sung):
        return piece, 0
    semitones = _into_ranges(piece) or edit_requests.within_span(piece)[1]
    if not _is_known(sung + semitones):
        low, high = names.pitch(int(sung.min())), names.pitch(int(sung.max()))
        raise UsageError(TOO_WIDE.format(low=low, high=high))
    return piece.transposed(semitones), semitones


def _is_known(sung: Pitches) -> bool:
    return int(sung.min()) >= LOWEST_PITCH and int(sung.max()) <= HIGHEST_PITCH


def _into_ranges(piece: Chorale) -> int:
    """The fewest semitones after which every voice is in its range; 0 where there are none such."""
    lines = {voice: line[line != REST] for voice, line in zip(RANGES, piece.pitches.T, strict=True)}
    ranges = [(RANGES[voice], line) for voice, line in lines.items() if line.size]
    rise = max(low - int(line.min()) for (low, _), line in ranges)
    fall = min(high - int(line.max()) for (_, high), line in ranges)
    return (max(rise, 0) or min(fall, 0)) if rise <= fall else 0


def _some_notes(piece: Chorale, change: float, seed: int) -> Flags:
    """Cells of whole notes, chosen by chance, whose share of the piece is ``change``."""
    piece, _ = in_span(piece)
    locks = edit_requests.variation(piece, change, seed=seed, rules=()).locks
    return ~lock_cells.nothing(piece) if locks is None else ~locks.mask


def named(piece: Chorale, name: str) -> Chorale:
    """``piece`` under another name."""
    return replace(piece, title=name)
