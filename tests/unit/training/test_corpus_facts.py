"""The counts of SOURCE.md."""

from __future__ import annotations

import numpy as np

from musicrel.chorale import Chorale
from training import corpus_facts


def piece(fermatas: str) -> Chorale:
    flags = np.array([mark == "f" for mark in fermatas])
    return Chorale.of([[67, 62, 59, 43]] * len(fermatas), fermatas=flags)


def test_fermatas_are_measured_in_steps() -> None:
    """One of two, one of three."""
    assert corpus_facts.fermata_lengths(piece("..ff....fff")) == [2, 3]


def test_a_phrase_ends_with_its_fermata() -> None:
    """The next begins on the step after."""
    assert corpus_facts.phrase_lengths(piece("..ff....fff.")) == [4, 7]


def test_an_overlap_table_has_a_row_a_pair() -> None:
    """A set is found whole in itself."""
    pieces = [piece("." * 16)]
    table = corpus_facts.overlap_table([("a", pieces, "b", pieces)])
    assert "| a | b | 100.00% | 0.00% | 0.00% |" in table
