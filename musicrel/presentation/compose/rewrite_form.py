"""The request for a rewritten passage, and texts about it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from musicrel.chorale import REST, Chorale, Flags
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.request import GenerationRequest
from musicrel.presentation.compose.form import MAX_SEED, Form
from musicrel.presentation.roll import lock_cells
from musicrel.presentation.roll.selection import Selection
from musicrel.presentation.words import names
from musicrel.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH

MAX_CANDIDATES: Final = 32
DEFAULT_CANDIDATES: Final = 8
"""Maximum and default number of candidates."""

MORE_BARS: Final = (2, 4, 8, 16)
DEFAULT_BARS: Final = 4
"""Lengths of a continuation in bars, and the default."""

AMOUNTS: Final = (
    (1.0, "Rewrite everything", "all notes that are not locked"),
    (0.6, "Different", "about six notes in ten, chosen at random"),
    (0.3, "Similar", "about three notes in ten, chosen at random"),
    (0.1, "Very similar", "about one note in ten, chosen at random"),
)
"""Amounts of variation: the share, its title and its tooltip."""

CAUSAL: Final = (
    "This model generates from left to right and cannot look ahead to the notes kept after the "
    "passage. Several candidates are therefore made and ranked, above all by the likelihood of the "
    "passage together with the notes that follow it."
)
BOTH_SIDES: Final = (
    "This model sees the notes before and after the passage and fits its notes to them; candidates "
    "are ranked."
)
"""Explanation for a model that sees both sides."""
NO_LOOKAHEAD: Final = (
    "This model cannot see the notes kept after the passage. Compare candidates by rank."
)
"""Short note beside the candidates of a causal model."""
ALL_LOCKED: Final = "everything selected is locked: select other notes, or unlock some (Ctrl+K)"
TOO_WIDE: Final = (
    "the piece ranges from {low} to {high}: expected pitches from "
    f"{names.pitch(LOWEST_PITCH)} to {names.pitch(HIGHEST_PITCH)}; move its highest or lowest "
    "notes by an octave"
)
NOTHING_FREE: Final = "every note is locked: unlock at least one voice or bar to rewrite"


def lookahead_text(*, sees_both_sides: bool) -> str:
    """Return the explanation for a causal model or one that sees both sides."""
    return BOTH_SIDES if sees_both_sides else CAUSAL


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rewrite:
    """A request for candidates of a rewritten passage.

    Attributes:
        piece: the whole piece.
        free: cells to rewrite, bool (T, 4); all others are kept.
        form: model, key if the piece has none, temperature, seed and rules.
        count: number of candidates.
        done: participle for the title of an accepted candidate.
    """

    piece: Chorale
    free: Flags
    form: Form
    count: int
    done: str = "rewritten"

    def request(self) -> GenerationRequest:
        """Return the request for the model; this takes a while for a long piece.

        Raises:
            UsageError: the kept notes break an active rule, or have pitches unknown to models.
        """
        return GenerationRequest.like(
            self.piece,
            key=self.piece.key or self.form.key,
            temperature=self.form.temperature,
            seed=self._first_seed(),
            rules=self.form.rules,
            quality=self.form.quality,
            cadence=self.form.cadence,
            locks=Locks.of(self.piece, ~self.free),
        )

    def _first_seed(self) -> int:
        """Return the form's seed, or one past the piece's own, which would repeat its notes."""
        seed = min(self.form.seed, MAX_SEED - 2 * MAX_CANDIDATES)
        own = self.piece.provenance.seed if self.piece.provenance is not None else None
        return own + 1 if own is not None and own in range(seed, seed + self.count) else seed

    @property
    def original(self) -> Chorale | None:
        """Return the piece to compare candidates with; None if they replace silence."""
        return None if (self.piece.pitches[self.free] == REST).all() else self.piece

    @property
    def before(self) -> str:
        """Return the name of what is shown without a candidate."""
        return "the original" if self.original is not None else "the piece as it was"

    def plan(self) -> Chorale:
        """Return a piece of the candidates' form."""
        return self.piece

    @property
    def needs_lookahead(self) -> bool:
        """Return whether kept notes follow written ones."""
        free = self.free.reshape(-1)
        return not free[int(free.argmax()) :].all()

    def accepted(self, candidate: Chorale, seed: int) -> tuple[Chorale, None]:
        """Return an accepted candidate under its new title; no form generates it again."""
        del seed
        return replace(candidate, title=title(self.piece.title, self.done)), None

    def same(self, other: object) -> bool:
        """Return whether ``other`` gives the same notes."""
        if not isinstance(other, Rewrite) or other.piece is not self.piece:
            return False
        if other.form != self.form:
            return False
        return bool((other.free == self.free).all())


def build(
    piece: Chorale,
    selection: Selection | None,
    kept: Flags,
    form: Form,
    count: int,
    *,
    change: float = 1.0,
) -> Rewrite:
    """Build the request to rewrite a selection, or a random share of the piece.

    Args:
        piece: the current piece.
        selection: the passage; None: the whole piece.
        kept: locked cells, bool (T, 4).
        form: the current form.
        count: number of candidates.
        change: share of the piece to rewrite without a selection.

    Raises:
        UsageError: all of the passage is locked.
    """
    wanted = (
        lock_cells.cells(piece, selection) if selection is not None else ~lock_cells.nothing(piece)
    )
    if selection is None and change < 1:
        wanted = _some_notes(piece, change, form.seed)
    free = wanted & ~kept
    if not free.any():
        raise UsageError(NOTHING_FREE if selection is None else ALL_LOCKED)
    return Rewrite(piece=piece, free=free, form=form, count=count)


def title(before: str, done: str = "rewritten") -> str:
    """Return the title after a change: 'Air', 'Air, rewritten', 'Air, rewritten 2' ..."""
    again = re.fullmatch(rf"(.*), {done}(?: (\d{{1,6}}))?", before)
    if again is None:
        return f"{before}, {done}" if before else done.capitalize()
    return f"{again[1]}, {done} {int(again[2] or 1) + 1}"


def fit_to_vocabulary(piece: Chorale) -> tuple[Chorale, int]:
    """Transpose a piece into the models' pitch range; also return the semitones.

    Raises:
        UsageError: the piece is wider than that range.
    """
    moved, semitones = edit_requests.fit_to_vocabulary(piece)
    sounding = moved.pitches[moved.pitches != REST]
    if sounding.size:
        low, high = int(sounding.min()), int(sounding.max())
        if low < LOWEST_PITCH or high > HIGHEST_PITCH:
            raise UsageError(TOO_WIDE.format(low=names.pitch(low), high=names.pitch(high)))
    return moved, semitones


def _some_notes(piece: Chorale, change: float, seed: int) -> Flags:
    """Choose cells of whole notes at random, ``change`` of the piece in all."""
    piece, _ = fit_to_vocabulary(piece)
    locks = edit_requests.variation_request(piece, change, seed=seed, rules=()).locks
    return ~lock_cells.nothing(piece) if locks is None else ~locks.mask
