"""Printed accidentals: the necessary ones and courtesy ones."""

from __future__ import annotations

from musicrel.score.notation.accidentals import Accidental, AccidentalState
from musicrel.score.notation.spelling import SpelledPitch

F_SHARP = SpelledPitch("F", 1, 4)
F_NATURAL = SpelledPitch("F", 0, 4)
C_SHARP = SpelledPitch("C", 1, 5)
C_NATURAL = SpelledPitch("C", 0, 5)
SHARP = Accidental("sharp", courtesy=False)
NATURAL = Accidental("natural", courtesy=False)


def staff(signature: int = 0) -> AccidentalState:
    """Build the state of a staff at its first bar line."""
    state = AccidentalState(signature)
    state.begin_bar()
    return state


def test_notes_of_the_signature_need_no_accidental() -> None:
    """Two sharps are F and C, two flats B and E; other notes need one."""
    in_d, in_b_flat = staff(2), staff(-2)

    assert in_d.accidental_for(0, 0, F_SHARP) is None
    assert in_d.accidental_for(0, 4, C_SHARP) is None
    assert in_d.accidental_for(0, 8, C_NATURAL) == NATURAL
    assert in_b_flat.accidental_for(0, 0, SpelledPitch("B", -1, 4)) is None
    assert in_b_flat.accidental_for(0, 4, SpelledPitch("E", -1, 4)) is None
    assert in_b_flat.accidental_for(0, 8, SpelledPitch("A", -1, 4)) == Accidental(
        "flat", courtesy=False
    )


def test_an_accidental_applies_to_its_position_until_the_bar_line() -> None:
    """It does not apply an octave higher."""
    bar = staff()

    assert bar.accidental_for(0, 0, F_SHARP) == SHARP
    assert bar.accidental_for(0, 4, F_SHARP) is None
    assert bar.accidental_for(0, 8, SpelledPitch("F", 1, 5)) == SHARP
    assert bar.accidental_for(0, 12, F_NATURAL) == NATURAL
    bar.begin_bar()
    assert bar.accidental_for(0, 16, SpelledPitch("F", 1, 5)) == SHARP


def test_the_bar_after_an_accidental_has_a_courtesy_one() -> None:
    """Once, and only in the next bar."""
    bar = staff()
    bar.accidental_for(0, 0, F_SHARP)
    bar.begin_bar()

    assert bar.accidental_for(0, 16, F_NATURAL) == Accidental("natural", courtesy=True)
    assert bar.accidental_for(0, 20, F_NATURAL) is None
    bar.begin_bar()
    assert bar.accidental_for(0, 32, F_NATURAL) is None


def test_a_tied_note_has_no_accidental_and_sets_none() -> None:
    """A repetition in the bar needs one; a natural is a courtesy accidental."""
    repeated, natural = staff(), staff()
    for bar in (repeated, natural):
        bar.accidental_for(0, 12, F_SHARP)
        bar.begin_bar()
        bar.tied(F_SHARP)

    assert repeated.accidental_for(0, 20, F_SHARP) == SHARP
    assert natural.accidental_for(0, 20, F_NATURAL) == Accidental("natural", courtesy=True)


def test_each_voice_of_a_staff_has_its_own_accidental() -> None:
    """It does not apply to the other voice; unisons share one."""
    bar = staff()

    assert bar.accidental_for(0, 0, C_SHARP) == SHARP
    assert bar.accidental_for(1, 0, C_SHARP) is None
    assert bar.accidental_for(0, 4, C_NATURAL) == NATURAL
    assert bar.accidental_for(1, 8, C_SHARP) == SHARP
    assert bar.accidental_for(0, 12, C_NATURAL) == NATURAL


def test_double_accidentals_have_names() -> None:
    """The leading note of G# minor is F double sharp."""
    bar = staff(5)

    assert bar.accidental_for(0, 0, SpelledPitch("F", 2, 4)) == Accidental(
        "double-sharp", courtesy=False
    )
    assert bar.accidental_for(0, 4, SpelledPitch("B", -2, 4)) == Accidental(
        "flat-flat", courtesy=False
    )
