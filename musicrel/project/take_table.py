"""The strip of takes as plain data: filter, order and description of each take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from musicrel.chorale import Chorale
from musicrel.language import count, tr
from musicrel.presentation import changes
from musicrel.presentation.words import muted_heads
from musicrel.project.contents import MAX_RATING, Take

# Actions that change the piece before; others make a new one.
DERIVED: Final = frozenset({"rewritten", "varied", "continued", "harmonised", "edited"})
# Stored action -> its word.
ACTIONS: Final[Mapping[str, str]] = {
    "generated": tr("generated"), "rewritten": tr("rewritten"), "varied": tr("varied"),
    "continued": tr("continued"), "harmonised": tr("harmonised"), "edited": tr("edited"),
    "recorded": tr("recorded"), "opened": tr("opened"),
}  # fmt: skip
_HARMONISED: Final = tr("{title}, harmonised")
_UNTITLED: Final = tr("Take {number}")
_ADDED: Final = tr("Added {bars}")
_UNCHANGED: Final = tr("Unchanged")
_Test = Callable[[Take], bool]


def _made_by(action: str) -> _Test:
    return lambda take: take.action == action


_FILTERS: Final[Mapping[str, tuple[str, _Test]]] = {
    "all": (tr("All takes"), lambda _: True),
    "accepted": (tr("Accepted"), lambda take: take.accepted),
    "rated": (tr("Rated"), lambda take: take.rating > 0),
    **{action: (word.capitalize(), _made_by(action)) for action, word in ACTIONS.items()},
}
_ORDERS: Final[Mapping[str, tuple[str, Callable[[Take], tuple[object, ...]]]]] = {
    "newest": (tr("Newest"), lambda take: (-take.number,)),
    "oldest": (tr("Oldest"), lambda take: (take.number,)),
    "rating": (tr("Best rated"), lambda take: (-take.rating, -take.number)),
    "name": (tr("By name"), lambda take: (take.name.casefold(), take.number)),
}
# Name -> title.
FILTERS: Final[Mapping[str, str]] = {name: title for name, (title, _) in _FILTERS.items()}
# Name -> title.
ORDERS: Final[Mapping[str, str]] = {name: title for name, (title, _) in _ORDERS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeRow:
    number: int
    name: str
    rating: int
    current: bool  # True if the current piece is or was edited from this take
    origin: str  # what made it, as 'rewritten from “Air”'
    # model, muted heads and seed, as 'Relative, 2.3 muted · seed 7'; "" if no model made it
    source: str
    piece: Chorale
    before: Chorale | None  # the piece that the notes are compared with; None for a new piece

    @property
    def action(self) -> str:
        return self.origin.partition(" ")[0]

    @property
    def changes(self) -> str:
        return "" if self.before is None else changes.compare(self.piece, self.before).describe()

    @property
    def details(self) -> str:
        return "  ·  ".join(part for part in (self.changes, self.origin, self.source) if part)

    @property
    def spoken(self) -> str:
        rating = (
            tr("rated {rating} of {most}", rating=self.rating, most=MAX_RATING)
            if self.rating
            else tr("not rated")
        )
        current = tr("current take") if self.current else ""
        parts = (self.name, current, self.origin, self.changes, self.source, rating)
        return ", ".join(part.replace(" · ", ", ") for part in parts if part)


def name_of(piece: Chorale, before: Chorale | None, action: str, number: int) -> str:
    """Name a new take: by what changed, as 'Bass, bars 9–10'; a new piece by its title.

    Args:
        before: the piece that it was made from, if there is one.
        number: of the take, for a piece without a title.
    """
    title = piece.title or _UNTITLED.format(number=number)
    if before is None or action not in DERIVED:
        name = title
    elif action == "harmonised":
        name = _HARMONISED.format(title=title)
    elif added := changes.compare(piece, before).added_bars:
        name = _ADDED.format(bars=count(added, "bar"))
    else:
        name = changes.passage(piece, before) or _UNCHANGED
    return ", ".join(filter(None, (name, muted_heads.in_piece(piece.provenance))))


def rows(
    takes: Sequence[Take], visible: Iterable[Take], *, current: int | None, show: str, order: str
) -> tuple[TakeRow, ...]:
    known = {take.number: take for take in takes}
    chosen = sorted(filter(_FILTERS[show][1], visible), key=_ORDERS[order][1])
    return tuple(_row(take, known, current=take.number == current) for take in chosen)


def _row(take: Take, known: Mapping[int, Take], *, current: bool) -> TakeRow:
    before = known.get(take.parent or 0) if take.action in DERIVED else None
    provenance, source = take.piece.provenance, ""
    if provenance is not None:
        writer = muted_heads.writer(provenance)
        source = tr("{writer} · seed {seed}", writer=writer, seed=provenance.seed)
    origin = ACTIONS.get(take.action, take.action)
    if before is not None:
        origin = tr("{action} from “{name}”", action=origin, name=before.name)
    return TakeRow(
        number=take.number,
        name=take.name,
        rating=take.rating,
        current=current,
        origin=origin,
        source=source,
        piece=take.piece,
        before=before.piece if before is not None else None,
    )
