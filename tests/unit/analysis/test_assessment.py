"""All measures of a piece together."""

from __future__ import annotations

from musicrel.analysis import assessment, grade_reference, voice_leading
from musicrel.analysis.grade import grade
from musicrel.corpus import bundled


def test_an_assessment_holds_every_measure() -> None:
    """Each measure equals that of its own module."""
    reference = grade_reference.load().reference
    known, new = bundled.load("train")[0], bundled.load("test")[0]
    found = assessment.assess(new, reference, assessment.known_chunks([known]))
    assert found.grade == grade(new, reference)
    assert found.rates == voice_leading.rates(new)
    assert list(found.memorisation) == [1, 2, 4]
    assert max(found.memorisation.values()) < 0.1


def test_a_copy_is_found_at_every_length() -> None:
    """A transposed copy has a share of 1 for every chunk length."""
    known = bundled.load("train")[0]
    copy = known.transposed(2)
    found = assessment.assess(
        copy, grade_reference.load().reference, assessment.known_chunks([known])
    )
    assert dict(found.memorisation) == {1: 1.0, 2: 1.0, 4: 1.0}
