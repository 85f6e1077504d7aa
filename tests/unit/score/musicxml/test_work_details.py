"""Names, numbers and rights of a work in MusicXML: those that are left out are named."""

from __future__ import annotations

import pytest

from tests.unit.score.musicxml.foreign_scores import HYMN, hymn, pitches, read

_CREATOR = "<identification><creator type='{}'>A</creator></identification>"


@pytest.mark.parametrize(
    ("head", "clause"),
    [
        (_CREATOR.format("composer"), ""),
        (_CREATOR.format("lyricist"), "lyricist was left out"),
        (_CREATOR.format("arranger"), "arranger was left out"),
        (_CREATOR.format("editor"), "other names were left out"),
        (("<work><work-number>BWV 1</work-number><work-title>A</work-title></work>"
         "<movement-number>6</movement-number><movement-title>B</movement-title>"
         "<identification><creator type='poet'>C</creator><rights>D</rights></identification>"),
         "movement title, movement number, work number, lyricist and copyright were left out"),
        (("<work><work-number/><work-title>A</work-title></work><movement-title>A</movement-title>"
         "<identification><rights/></identification>"), ""),
    ],
)  # fmt: skip
def test_names_numbers_and_rights_of_a_work_are_named(head: str, clause: str) -> None:
    """Empty ones are none."""
    piece = read(hymn().replace("<part-list>", f"{head}<part-list>", 1))

    assert (pitches(piece), piece.report) == (HYMN, (clause,) if clause else ())
