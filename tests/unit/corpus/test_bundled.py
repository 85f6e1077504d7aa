"""The bundled corpus: the properties its readers rely on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from musicrel import paths
from musicrel.analysis import memorisation
from musicrel.chorale import REST, Chorale
from musicrel.corpus import archive, bundled
from musicrel.corpus.splits import SPLITS, Split
from musicrel.errors import UsageError

Corpus = Mapping[Split, list[Chorale]]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return bundled.load_all()


@pytest.fixture(scope="module")
def everything(corpus: Corpus) -> list[Chorale]:
    return [chorale for split in SPLITS for chorale in corpus[split]]


def test_the_splits_have_their_sizes(corpus: Corpus) -> None:
    """Figures of a model name this corpus; it does not change by accident."""
    sizes = {split: (len(corpus[split]), sum(c.steps for c in corpus[split])) for split in SPLITS}
    assert sizes == {"train": (230, 50_804), "valid": (72, 15_280), "test": (75, 16_632)}


def test_the_hash_is_that_of_the_file() -> None:
    """A model card names its data by this hash."""
    content = (paths.assets() / bundled.FILE_NAME).read_bytes()
    assert bundled.source_sha256() == hashlib.sha256(content).hexdigest()


def test_every_piece_comes_back_from_the_archive(corpus: Corpus) -> None:
    """Packing the loaded pieces gives the same bytes."""
    content = (paths.assets() / bundled.FILE_NAME).read_bytes()
    assert archive.unpack(archive.pack(corpus)) == corpus
    assert archive.unpack(content) == corpus


def test_no_title_is_in_two_splits(everything: list[Chorale]) -> None:
    """A work counts once; every title begins with its number."""
    titles = [chorale.title for chorale in everything]
    assert len(set(titles)) == len(titles)
    assert all(title.startswith("BWV ") for title in titles)


def test_every_pitch_is_in_the_vocabulary(everything: list[Chorale]) -> None:
    """MIDI 36 to 81."""
    pitches = np.concatenate([c.pitches[c.pitches != REST] for c in everything])
    assert (int(pitches.min()), int(pitches.max())) == (36, 81)


def test_every_piece_begins_and_ends_with_sound(everything: list[Chorale]) -> None:
    """No silence before the first note or after the last."""
    for chorale in everything:
        assert (chorale.pitches[0] != REST).any(), chorale.title
        assert (chorale.pitches[-1] != REST).any(), chorale.title


def test_no_silence_is_as_long_as_a_bar(everything: list[Chorale]) -> None:
    """Interludes of instruments are taken out."""
    for chorale in everything:
        silent = "".join("x" if (step == REST).all() else "." for step in chorale.pitches)
        assert "x" * chorale.meter.steps not in silent, chorale.title


def test_almost_every_piece_ends_under_a_fermata_and_names_its_key(
    everything: list[Chorale],
) -> None:
    """The conditions for training are there."""
    assert sum(bool(c.fermatas[-1]) for c in everything) > 0.98 * len(everything)
    assert all(chorale.key for chorale in everything)


def test_fermatas_begin_on_strong_beats(everything: list[Chorale]) -> None:
    """The grid is right also after bars cut by repeats and pickups."""
    places = [
        int(chorale.bar_positions()[step])
        for chorale in everything
        if chorale.meter.steps == 16
        for step in np.flatnonzero(np.diff(chorale.fermatas.astype(int), prepend=0) == 1)
    ]
    assert sum(place in (0, 8) for place in places) > 0.95 * len(places)


@pytest.mark.parametrize("held_out", ["valid", "test"])
def test_no_piece_of_valid_or_test_is_in_train(corpus: Corpus, held_out: Split) -> None:
    """No piece shares a fifth of its two-bar chunks with train."""
    reference = memorisation.chunk_set(corpus["train"], 32)
    for chorale in corpus[held_out]:
        assert memorisation.share_found(chorale, reference, 32) < 0.2, chorale.title


def test_an_unknown_split_is_named() -> None:
    """The message lists what there is."""
    with pytest.raises(UsageError, match="no split 'dev': expected train, valid or test"):
        bundled.load("dev")  # type: ignore[arg-type]  # what a command line may pass


def test_changing_a_loaded_list_changes_nothing_for_others() -> None:
    """Every caller gets a list of its own."""
    bundled.load("test").clear()
    assert bundled.load("test")


def test_the_source_note_lies_beside_the_corpus() -> None:
    """It quotes the licence of the data."""
    note = Path(paths.assets() / bundled.FILE_NAME).with_name("SOURCE.md").read_text("utf-8")
    assert "not under the MIT licence" in note
    assert "music21/corpus/license.txt" in note
