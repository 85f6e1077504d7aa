"""Votes of the parts of a model, the strongest bars of a head, and the sentence about a note."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis import numeral_search
from musicrel.chorale import Chorale, Key, Meter, Voice
from musicrel.errors import ModelError
from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.generation.loaded_model import LoadedModel
from musicrel.interpretability import bars, effects, votes, why
from musicrel.interpretability.effects import NoteEffects
from musicrel.interpretability.readers import open_reader
from tests.helpers.music import random_chorale

CELL = 37


def test_a_vote_is_the_contribution_against_the_mean_of_the_notes_shown(
    every_model: LoadedModel, piece: Chorale
) -> None:
    reader = open_reader(every_model, piece)
    found, raw = votes.measure(reader, CELL), reader.attributions([CELL])
    tokens = np.argsort(-raw.logits_CV[0], kind="stable")[: votes.NOTES].tolist()
    token = int(every_model.encode(piece)[1 + CELL])
    tokens = tokens if token in tokens else [*tokens[:-1], token]
    heads = {vote.head: vote for vote in found.votes if vote.head is not None}
    assert len(heads) == every_model.config.layers * every_model.config.heads
    for head, vote in heads.items():
        added = raw.heads_CLHV[0, head.layer, head.head, tokens]
        np.testing.assert_allclose(vote.raised, added - added.mean(), atol=1e-12)


def test_the_votes_add_up_to_the_differences_of_log_probabilities(
    model: LoadedModel, piece: Chorale
) -> None:
    found = votes.measure(open_reader(model, piece), CELL)
    sums = np.sum([vote.raised for vote in found.votes], axis=0)
    log_p = np.log([note.p for note in found.notes])
    np.testing.assert_allclose(sums, log_p - log_p.mean(), atol=1e-9)
    sizes = [vote.size for vote in found.votes]
    assert sizes == sorted(sizes, reverse=True)


def test_votes_are_a_table_and_words(model: LoadedModel, piece: Chorale) -> None:
    found = votes.measure(open_reader(model, piece), CELL)
    header, *rows = found.table()
    assert header == ("part", *(note.name for note in found.notes))
    assert [row[0] for row in rows] == [vote.name for vote in found.votes]
    assert "Layer 1, network" in {vote.name for vote in found.votes}
    assert found.describe(found.votes[0]).startswith(found.votes[0].name)
    assert votes.of_votes(found).title.startswith("random 3, What raised which note: Alto")


# ---------------------------------------------------------------------- strongest bars


def test_a_bar_has_the_sum_of_what_a_head_adds_to_its_notes(model: LoadedModel) -> None:
    piece = replace(random_chorale(5, steps=40), pickup=4, meter=Meter())
    found = jobs.run(bars.find(model, [piece]))
    assert [(bar.start, bar.stop) for bar in found.bars] == [(0, 4), (4, 20), (20, 36), (36, 40)]

    raw = open_reader(model, piece).attributions(range(160))
    p_CV = np.exp(raw.logits_CV) / np.exp(raw.logits_CV).sum(axis=1, keepdims=True)
    expected = 0.0
    for cell in range(80, 144):  # the second whole bar
        if piece.onsets.ravel()[cell]:
            row_V = raw.heads_CLHV[cell, 1, 0]
            expected += row_V[model.encode(piece)[1 + cell]] - p_CV[cell] @ row_V
    assert found.raised_BLH[2, 1, 0] == pytest.approx(expected)


def test_the_strongest_bars_come_first(model: LoadedModel) -> None:
    pieces = [random_chorale(seed, steps=32) for seed in (1, 2)]
    events: list[bars.HeadBars] = []
    found = jobs.run(bars.find(model, pieces), events.append)
    assert [event.share for event in events] == [0.5, 1.0]
    head = Head(0, 1)
    strongest = found.strongest(head, 3)
    assert [bar.raised for bar in strongest] == sorted(found.raised_BLH[:, 0, 1])[:-4:-1]
    header, *rows = map(tuple, bars.of_bars(found, head).table())
    assert header[0] == "chorale"
    assert len(rows) == min(bars.STRONGEST, len(found.bars))


def test_a_model_that_rewrites_has_no_strongest_bars(infill_model: LoadedModel) -> None:
    with pytest.raises(ModelError, match="reads a chorale once for every note"):
        jobs.run(bars.find(infill_model, []))


# ---------------------------------------------------------------------- why this note

_CHORDS = [[72, 67, 64, 48], [71, 67, 62, 43], [72, 67, 64, 48], [72, 67, 64, 48]]
HYMN = Chorale.of(np.repeat(_CHORDS, 4, axis=0), title="Hymn", key=Key("C", "major"))


@pytest.fixture(scope="module")
def note(model: LoadedModel) -> NoteEffects:
    """Study the soprano's B4 of the dominant."""
    return effects.measure(open_reader(model, HYMN), 16, Mutes(by="zero"))


def sentence_of(
    note: NoteEffects, p: dict[str, float], voices: tuple[float, float, float, float]
) -> str:
    """Return the sentence for probabilities of notes, and effects of voices in nats."""
    log_p = np.full(note.vocabulary.size, -20.0)
    for name, share in p.items():
        log_p[note.vocabulary.symbols().index(name)] = np.log(share)
    heads = replace(note.heads, by_voice=np.array(voices))
    return why.sentence(replace(note, log_p=log_p, heads=heads))


def test_the_chord_of_a_note_is_known(note: NoteEffects) -> None:
    (chord,) = (one for one in numeral_search.numerals(HYMN) if one.start <= 4 < one.stop)
    assert note.chord == chord


def test_a_likely_note_has_its_chord_its_probability_and_the_voice_that_helped(
    note: NoteEffects,
) -> None:
    sentence = sentence_of(note, {"71": 0.7, "74": 0.2}, (0.0, 0.2, 0.0, np.log(3.5)))
    assert sentence == (
        "In bar 1, beat 2, the soprano has B4, the third of V: the model gave this note "
        "70 %, more than D5 with 20 %, mainly because of the bass, without which it would have "
        "20 %."
    )


def test_an_unlikely_note_says_what_the_model_preferred(note: NoteEffects) -> None:
    sentence = sentence_of(note, {"71": 0.2, "74": 0.7}, (0.0, 0.0, 0.7, 0.0))
    assert sentence.endswith(
        "the model preferred D5, at 70 % to 20 %; what spoke for this note was the tenor, without "
        "which it would have 10 %."
    )
    alone = sentence_of(note, {"71": 0.2, "74": 0.7}, (-1.0, 0.01, 0.0, 0.0))
    assert alone.endswith(
        "the model preferred D5, at 70 % to 20 %, and no single voice decided it."
    )


def test_the_reason_is_the_same_while_heads_are_muted(note: NoteEffects) -> None:
    muted = np.full(note.vocabulary.size, -20.0)
    muted[note.vocabulary.symbols().index("72")] = np.log(0.9)
    p, voices = {"71": 0.3, "72": 0.1, "74": 0.6}, (0.0, 0.0, 0.0, 0.0)
    assert sentence_of(replace(note, log_p_muted=muted), p, voices) == sentence_of(note, p, voices)


def test_a_nearly_certain_note_names_no_rival_nor_its_own_voice(
    note: NoteEffects,
) -> None:
    sentence = sentence_of(note, {"71": 0.95, "74": 0.04}, (1.0, 0.0, 0.0, 0.0))
    assert sentence.endswith(
        "the model gave this note 95 %, mainly because of the notes before it in "
        "this voice, without which it would have 35 %."
    )


def test_a_note_outside_the_chord_and_a_held_one_are_called_so(note: NoteEffects) -> None:
    chord = replace(note.chord, root=0) if note.chord else None  # B in a triad of C
    assert "has B4, a note outside " in why.sentence(replace(note, chord=chord))
    held = replace(note, cell=len(Voice) * 5, chord=None)
    assert why.sentence(held).startswith("In bar 1, beat 2¼, the soprano holds B4: ")
