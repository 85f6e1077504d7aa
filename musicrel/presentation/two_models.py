"""Two models, A and B: which B does the task of A, and how far their pieces agree.

A note agrees if the other piece has one of the same voice, beginning, length and pitch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.language import count, tr
from musicrel.presentation import marks
from musicrel.presentation.compose import phrases
from musicrel.presentation.compose.models import ModelChoice
from musicrel.presentation.compose.phrases import PhraseLane
from musicrel.presentation.words import display_names, names
from musicrel.score.editing.notes import Note, notes

Side: TypeAlias = Literal["A", "B"]  # one of two models, and of their pieces
SIDES: Final[tuple[Side, ...]] = get_args(Side)
# nats per note of the pieces of A and B, each under A and under B
Means: TypeAlias = tuple[tuple[float, float], tuple[float, float]]

_INFILL: Final = "-infill"
_LINE: Final = tr("{piece}: {own:.2f} nats per note under itself, {other:.2f} under {model}")
# columns of ``table``
HEADER: Final = (
    "piece", "model", "voice", "position", "step", "length", "note", "midi"
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Agreement:
    pieces: tuple[Chorale, Chorale]  # of A and B, cut to the compared steps
    notes: int  # number of notes of both pieces together
    only: tuple[frozenset[Note], frozenset[Note]]
    first: int | None  # first step at which they differ; None: they are equal

    @property
    def share(self) -> float:
        differing = sum(len(notes) for notes in self.only)
        return 1 - differing / self.notes if self.notes else 1.0

    def describe(self) -> str:
        """Describe it, as '61 % of notes agree; first difference bar 3, beat 2'."""
        if not self.notes:
            return tr("No notes to compare yet")
        if self.first is None:
            return tr("All notes agree")
        piece = self.pieces[0]
        return tr(
            "{percent} of notes agree; first difference {place}",
            percent=percent(self.share),
            place=names.position(self.first, piece.meter, piece.pickup),
        )


def compare(first: Chorale, second: Chorale, written: int | None = None) -> Agreement | None:
    """Compare the pieces of A and B step by step, from the beginning of both.

    Args:
        written: steps that both have written; None: all.
    """
    steps = min(first.steps, second.steps, first.steps if written is None else written)
    if not steps or (first.meter, first.pickup) != (second.meter, second.pickup):
        return None
    one, other = first.cropped(0, steps), second.cropped(0, steps)
    ours, theirs = frozenset(notes(one)), frozenset(notes(other))
    return Agreement(
        pieces=(one, other),
        notes=len(ours) + len(theirs),
        only=(ours - theirs, theirs - ours),
        first=_first_difference(one, other),
    )


def percent(share: float) -> str:
    """Return a share as '61 %'; '100 %' and '0 %' only where it is exactly that."""
    rounded = round(100 * share)
    return f"{min(max(rounded, int(share > 0)), 100 - int(share < 1))} %"


def _first_difference(one: Chorale, other: Chorale) -> int | None:
    differs = ((one.pitches != other.pitches) | (one.onsets != other.onsets)).any(axis=1)
    return int(np.argmax(differs)) if differs.any() else None


def table(agreement: Agreement, models: tuple[str, str]) -> Iterator[tuple[object, ...]]:
    """Yield the header, then each note that only one piece has, by step, voice and piece.

    Steps and lengths are sixteenths, steps counted from 0.
    """
    yield HEADER
    found = [(note, side) for side, notes in enumerate(agreement.only) for note in notes]
    for note, side in sorted(found, key=lambda one: (one[0].start, one[0].voice, one[1])):
        yield _row(agreement, note, side, models[side])


def _row(agreement: Agreement, note: Note, side: int, model: str) -> tuple[object, ...]:
    piece = agreement.pieces[side]
    return (
        SIDES[side],
        model,
        Voice(note.voice).part,
        names.position(note.start, piece.meter, piece.pickup),
        note.start,
        note.stop - note.start,
        names.pitch(note.pitch, piece.key_at(note.start)),
        note.pitch,
    )


def in_words(piece: Chorale, writer: str) -> str:
    """Describe a piece, as 'Relative: 1 rule violation; cadences at 2 of 3 phrase ends (V–I)'.

    Args:
        piece: with the ranges it is checked against.
    """
    found = phrases.of_piece(piece)
    lane = PhraseLane(phrases=found, planned=False)
    labels = Counter(lane.labels(at)[0] for at, one in enumerate(found) if one.cadence)
    parts = [count(len(marks.marks(piece)), "rule violation")]
    if found:
        kinds = ", ".join(f"{many} × {name}" if many > 1 else name for name, many in labels.items())
        parts.append(
            tr(
                "cadences at {closed} of {ends}{kinds}",
                closed=labels.total(),
                ends=count(len(found), "phrase end"),
                kinds=f" ({kinds})" if kinds else "",
            )
        )
    return f"{writer[:1].upper()}{writer[1:]}: {'; '.join(parts)}"


def surprisal_lines(means: Means) -> tuple[str, str]:
    (aa, ab), (ba, bb) = means
    return (
        _LINE.format(piece="A", own=aa, other=ab, model="B"),
        _LINE.format(piece="B", own=bb, other=ba, model="A"),
    )


def model_b(model: str, other: str, choices: Collection[ModelChoice]) -> str:
    """Return the name of the model that works beside ``model``, or "" if there is none.

    It is ``other`` if both are of the same kind, causal or infilling. Else it is the model of the
    right kind that belongs to ``other`` by its name, such as vanilla-infill to vanilla, or else the
    first one that is not ``model``.

    Args:
        other: name of the model that the user compares with; "": none.
    """
    kinds = {choice.name: choice.is_infill for choice in choices}
    if not other or other not in kinds or model not in kinds:
        return ""
    if kinds[other] == kinds[model]:
        return other if other != model else ""
    alike = other.removesuffix(_INFILL) if kinds[other] else f"{other}{_INFILL}"
    fitting = [
        choice.name
        for choice in choices
        if choice.is_infill == kinds[model] and choice.name != model and not choice.is_test_run
    ]
    return alike if alike in fitting else next(iter(fitting), "")


def reason(model: str, other: str) -> str:
    first, second = map(display_names.model, (model, other))
    return (
        tr("A and B are both {first}: choose another model under A/B", first=first)
        if model == other
        else tr(
            "{second} cannot do the same as {first}, and no model like it is installed",
            second=second,
            first=first,
        )
    )
