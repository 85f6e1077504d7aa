"""Accidentals: what the singer needs to read, and no more."""

from __future__ import annotations

from musicrel.score.notation.accidentals import Accidental, Staff
from musicrel.score.notation.spelling import Spelled

F_SHARP = Spelled("F", 1, 4)
F_NATURAL = Spelled("F", 0, 4)
C_SHARP = Spelled("C", 1, 5)
C_NATURAL = Spelled("C", 0, 5)
SHARP = Accidental("sharp", courtesy=False)
NATURAL = Accidental("natural", courtesy=False)


def staff(signature: int = 0) -> Staff:
    """A staff at its first bar line."""
    empty = Staff(signature)
    empty.begin_bar()
    return empty


def test_what_the_signature_says_needs_no_accidental() -> None:
    """Two sharps are F and C, two flats B and E; what differs from them has a natural."""
    in_d, in_b_flat = staff(2), staff(-2)

    assert in_d.sung(0, 0, F_SHARP) is None
    assert in_d.sung(0, 4, C_SHARP) is None
    assert in_d.sung(0, 8, C_NATURAL) == NATURAL
    assert in_b_flat.sung(0, 0, Spelled("B", -1, 4)) is None
    assert in_b_flat.sung(0, 4, Spelled("E", -1, 4)) is None
    assert in_b_flat.sung(0, 8, Spelled("A", -1, 4)) == Accidental("flat", courtesy=False)


def test_an_accidental_holds_to_the_bar_line_on_its_own_line() -> None:
    """Not an octave higher."""
    bar = staff()

    assert bar.sung(0, 0, F_SHARP) == SHARP
    assert bar.sung(0, 4, F_SHARP) is None
    assert bar.sung(0, 8, Spelled("F", 1, 5)) == SHARP
    assert bar.sung(0, 12, F_NATURAL) == NATURAL
    bar.begin_bar()
    assert bar.sung(0, 16, Spelled("F", 1, 5)) == SHARP


def test_the_bar_after_an_accidental_has_a_courtesy_one() -> None:
    """Once, and only in the next bar."""
    bar = staff()
    bar.sung(0, 0, F_SHARP)
    bar.begin_bar()

    assert bar.sung(0, 16, F_NATURAL) == Accidental("natural", courtesy=True)
    assert bar.sung(0, 20, F_NATURAL) is None
    bar.begin_bar()
    assert bar.sung(0, 32, F_NATURAL) is None


def test_a_tied_note_has_no_accidental_and_leaves_none_behind() -> None:
    """The same note sung anew in its bar has one, the natural is recalled."""
    again, recalled = staff(), staff()
    for bar in (again, recalled):
        bar.sung(0, 12, F_SHARP)
        bar.begin_bar()
        bar.held(F_SHARP)

    assert again.sung(0, 20, F_SHARP) == SHARP
    assert recalled.sung(0, 20, F_NATURAL) == Accidental("natural", courtesy=True)


def test_each_voice_of_a_staff_has_its_own_accidental() -> None:
    """What one voice has does not hold for the other, but unisons share one."""
    bar = staff()

    assert bar.sung(0, 0, C_SHARP) == SHARP
    assert bar.sung(1, 0, C_SHARP) is None
    assert bar.sung(0, 4, C_NATURAL) == NATURAL
    assert bar.sung(1, 8, C_SHARP) == SHARP
    assert bar.sung(0, 12, C_NATURAL) == NATURAL


def test_double_accidentals_have_names() -> None:
    """As G sharp minor's leading note."""
    bar = staff(5)

    assert bar.sung(0, 0, Spelled("F", 2, 4)) == Accidental("double-sharp", courtesy=False)
    assert bar.sung(0, 4, Spelled("B", -2, 4)) == Accidental("flat-flat", courtesy=False)
