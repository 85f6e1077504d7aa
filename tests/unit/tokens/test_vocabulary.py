"""The two token vocabularies."""

from __future__ import annotations

import pytest

from musicrel.errors import UsageError
from musicrel.tokens.vocabulary import (
    ARTICULATED,
    END,
    HIGHEST_PITCH,
    LOWEST_PITCH,
    MASK,
    PAD,
    PITCH,
    REST_TOKEN,
    START,
    VOCABULARIES,
    Vocabulary,
    vocabulary,
)


@pytest.mark.parametrize(("table", "size"), [(PITCH, 51), (ARTICULATED, 97)])
def test_a_table_has_five_special_tokens_and_the_pitches(table: Vocabulary, size: int) -> None:
    """46 pitches once, or once as onset and once as hold."""
    assert table.size == size
    assert len(table.symbols()) == size
    assert len(set(table.symbols())) == size


@pytest.mark.parametrize("table", VOCABULARIES.values(), ids=list(VOCABULARIES))
def test_the_special_tokens_come_first(table: Vocabulary) -> None:
    """Their ids are the same in both tables, so padding does not depend on the vocabulary."""
    special = {PAD: "PAD", MASK: "MASK", START: "START", END: "END", REST_TOKEN: "REST"}

    assert {id_: table.symbols()[id_] for id_ in special} == special


@pytest.mark.parametrize("table", VOCABULARIES.values(), ids=list(VOCABULARIES))
def test_an_onset_is_named_after_its_pitch(table: Vocabulary) -> None:
    """Ids follow the pitches in semitones."""
    span = range(LOWEST_PITCH, HIGHEST_PITCH + 1)
    ids = [table.first_onset + pitch - LOWEST_PITCH for pitch in span]

    assert [table.symbols()[id_] for id_ in ids] == [str(pitch) for pitch in span]


def test_a_hold_follows_its_onset_at_a_fixed_distance() -> None:
    """The name of a hold is that of its onset with an underscore."""
    names = ARTICULATED.symbols()

    assert names[ARTICULATED.first_hold :] == tuple(
        f"{name}_" for name in names[ARTICULATED.first_onset : ARTICULATED.first_hold]
    )


def test_the_published_grid_has_no_holds() -> None:
    """A held and a repeated note have the same symbol."""
    assert PITCH.first_hold == PITCH.first_onset
    assert not any(name.endswith("_") for name in PITCH.symbols())


def test_a_vocabulary_is_found_by_its_name() -> None:
    """The names are those of recipes and cards."""
    assert vocabulary("pitch") is PITCH
    assert vocabulary("articulated") is ARTICULATED


def test_an_unknown_vocabulary_is_refused() -> None:
    """The message lists the known ones."""
    with pytest.raises(
        UsageError, match="unknown vocabulary 'chords': expected pitch or articulated"
    ):
        vocabulary("chords")
