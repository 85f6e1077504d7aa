"""Which tokens may stand in a cell."""

from __future__ import annotations

import pytest

from musicrel.chorale import RANGES, Voice
from musicrel.generation.constraints import Legality
from musicrel.tokens.vocabulary import (
    ARTICULATED,
    LOWEST_PITCH,
    PITCH,
    REST_TOKEN,
    VOCABULARIES,
    Vocabulary,
)

both = pytest.mark.parametrize("table", VOCABULARIES.values(), ids=list(VOCABULARIES))


def legal(table: Vocabulary, voice: Voice, before: int | None) -> set[str]:
    """The names of the legal tokens."""
    mask = Legality(table).mask(voice, before)
    return {name for name, is_legal in zip(table.symbols(), mask.tolist(), strict=True) if is_legal}


def beginnings(voice: Voice) -> set[str]:
    """A rest, and an onset of every pitch in the voice's range."""
    low, high = RANGES[voice]
    return {"REST", *(str(pitch) for pitch in range(low, high + 1))}


@both
@pytest.mark.parametrize("voice", list(Voice))
def test_at_first_a_voice_rests_or_begins_a_note_in_its_range(
    table: Vocabulary, voice: Voice
) -> None:
    """No PAD, MASK, START or END, nothing out of range, nothing to hold."""
    assert legal(table, voice, None) == beginnings(voice)


@pytest.mark.parametrize("voice", list(Voice))
@pytest.mark.parametrize("held", [False, True], ids=["after-an-onset", "after-a-hold"])
def test_only_the_pitch_before_may_be_held(voice: Voice, held: bool) -> None:
    """Whether it began there or was held itself; it may be repeated too."""
    pitch = RANGES[voice][0] + 3
    first = ARTICULATED.first_hold if held else ARTICULATED.first_onset

    assert legal(ARTICULATED, voice, first + pitch - LOWEST_PITCH) == {
        *beginnings(voice), f"{pitch}_",
    }  # fmt: skip


@both
@pytest.mark.parametrize("before", range(REST_TOKEN + 1))
def test_nothing_is_held_after_a_rest(table: Vocabulary, before: int) -> None:
    """Or after a token that is no note."""
    assert legal(table, Voice.ALTO, before) == beginnings(Voice.ALTO)


def test_the_published_grid_has_nothing_to_hold() -> None:
    """A pitch may always stand."""
    assert legal(PITCH, Voice.ALTO, PITCH.first_onset + 30) == beginnings(Voice.ALTO)


def test_one_question_does_not_change_the_answer_to_another() -> None:
    """Masks are not shared."""
    legality = Legality(ARTICULATED)
    before = legality.mask(Voice.BASS, None).clone()

    legality.mask(Voice.BASS, ARTICULATED.first_onset + 5)

    assert legality.mask(Voice.BASS, None).equal(before)
