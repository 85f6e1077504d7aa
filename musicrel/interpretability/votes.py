"""Votes of the parts of a model for notes: direct logit attribution in words and tables.

The numbers of a part are differences: how much more it adds to the logit of a note than to those
shown beside it on average.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from musicrel.chorale import Chorale
from musicrel.generation.heads.mutes import Head, all_heads
from musicrel.generation.sampling import log_softmax
from musicrel.interpretability.effects import Choice, full_effect, likeliest, number, token_name
from musicrel.interpretability.piece_analysis import cell_name
from musicrel.interpretability.view import Heading, View
from musicrel.language import tr

if TYPE_CHECKING:
    from musicrel.interpretability.ablation import NoteReader
    from musicrel.interpretability.results import Attributions, Floats

NOTES: Final = 5  # notes that are shown beside each other
_WORDS: Final = (
    tr("Direct logit attribution: how far each part raises (+) or lowers (−) the logit of a note,"),
    tr("against the mean of the notes shown, in nats. Bold: the note of the piece."),
)
_INPUT, _TABLES = tr("Input"), tr("Voice leading")
_NETWORK: Final = tr("Layer {layer}, network")
_MEANINGS: Final = {
    _INPUT: tr("The last note and the given conditions, before layer 1"),
    _TABLES: tr("Biases and learnt tables of voice leading, beside the layers"),
}


class Vote(NamedTuple):
    name: str
    head: Head | None  # None for other parts
    raised: tuple[float, ...]  # of each note shown, against their mean, in nats

    @property
    def size(self) -> float:
        return max(self.raised) - min(self.raised)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteVotes:
    model: str
    chorale: Chorale
    cell: int  # 4 step + voice
    notes: tuple[Choice, ...]  # the most probable first
    votes: tuple[Vote, ...]  # the largest first

    @property
    def note(self) -> str:
        return cell_name(self.chorale, self.cell)

    @property
    def full(self) -> float:
        return full_effect(max(abs(nats) for vote in self.votes for nats in vote.raised))

    @property
    def words(self) -> str:
        own = next(place for place, note in enumerate(self.notes) if note.is_note)
        heads = [vote for vote in self.votes if vote.head is not None]
        most = max(heads, key=lambda vote: abs(vote.raised[own]))
        raised, noun = most.raised[own], most.head.noun if most.head else ""
        text = tr("Of the heads, {head} raised {note} most: {size:.2f}")
        if raised <= 0:
            text = tr("Of the heads, {head} lowered {note} most: {size:.2f}")
        return text.format(head=noun, note=self.notes[own].name, size=abs(raised))

    def describe(self, vote: Vote) -> str:
        parts = [f"{note.name} {number(nats)}" for note, nats in zip(self.notes, vote.raised,
                                                                     strict=True)]  # fmt: skip
        meaning = f" ({_MEANINGS[vote.name]})" if vote.name in _MEANINGS else ""
        return f"{vote.name}{meaning}: {', '.join(parts)}"

    def table(self) -> Iterator[tuple[object, ...]]:
        yield ("part", *(note.name for note in self.notes))
        for vote in self.votes:
            yield (vote.name, *(f"{nats:.6f}" for nats in vote.raised))


def measure(reader: NoteReader, cell: int) -> NoteVotes:
    found, model = reader.attributions([cell]), reader.model
    token = int(model.encode(reader.chorale)[1 + cell])
    (log_p,) = log_softmax(found.logits_CV)
    tokens = likeliest(log_p, token, NOTES)
    notes = tuple(
        Choice(
            token_name(one, model.vocabulary, reader.chorale.key),
            float(np.exp(log_p[one])), None, one == token,
        )
        for one in tokens
    )  # fmt: skip
    votes = (_vote(name, head, row_V, tokens) for name, head, row_V in _parts(found))
    return NoteVotes(
        model=model.name, chorale=reader.chorale, cell=cell, notes=notes,
        votes=tuple(sorted(votes, key=lambda vote: -vote.size)),
    )  # fmt: skip


def _parts(found: Attributions) -> Iterator[tuple[str, Head | None, Floats]]:
    layers, heads = found.heads_CLHV.shape[1:3]
    yield _INPUT, None, found.embedding_CV[0]
    for head in all_heads(layers, heads):
        yield str(head), head, found.heads_CLHV[0, head.layer, head.head]
    for layer in range(layers):
        yield _NETWORK.format(layer=layer + 1), None, found.feedforward_CLV[0, layer]
    yield _TABLES, None, found.biases_CV[0]


def _vote(name: str, head: Head | None, row_V: Floats, tokens: Sequence[int]) -> Vote:
    nats = row_V[list(tokens)]
    return Vote(name, head, tuple((nats - nats.mean()).tolist()))


def of_votes(found: NoteVotes) -> View:
    heading = tr("What raised which note: {note}", note=found.note)
    lines = ", ".join(filter(None, (found.chorale.title, found.model))), *_WORDS, f"{found.words}."
    title = ", ".join(filter(None, (found.chorale.title, heading)))
    return View(title, Heading(heading, lines), ("effect_charts", "votes", found), found.table)
