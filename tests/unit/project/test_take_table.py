"""The strip of takes as plain data."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import Chorale, Provenance
from musicrel.generation.heads.mutes import Mutes
from musicrel.presentation.compose.form import Form
from musicrel.project import take_table
from musicrel.project.take import Take
from musicrel.project.take_table import TakeRow

PIECE = Chorale.of([(72, 67, 64, 48)] * 16, title="Air")
OTHER = replace(
    Chorale.of([(72, 69, 64, 48)] * 16), provenance=Provenance(model="relative", sha256="", seed=7)
)
TAKES = (
    Take(number=1, name="Air", piece=PIECE, form=Form(), action="opened", accepted=True),
    Take(number=2, name="Zion", piece=OTHER, form=Form(), action="rewritten", parent=1, rating=2),
    Take(number=3, name="bell", piece=OTHER, form=Form(), action="generated", parent=2, rating=3),
)


def rows(show: str = "all", order: str = "newest", current: int | None = None) -> list[TakeRow]:
    """Return the rows of the three takes."""
    return list(take_table.rows(TAKES, TAKES, current=current, show=show, order=order))


def numbers(show: str = "all", order: str = "newest") -> list[int]:
    """Return the numbers of the rows."""
    return [row.number for row in rows(show, order)]


@pytest.mark.parametrize(
    ("show", "expected"),
    [
        ("all", [3, 2, 1]), ("accepted", [1]), ("rated", [3, 2]), ("rewritten", [2]),
        ("opened", [1]), ("continued", []),
    ],
)  # fmt: skip
def test_takes_are_filtered(show: str, expected: list[int]) -> None:
    """By what happened to them, or by what made them."""
    assert numbers(show) == expected


@pytest.mark.parametrize(
    ("order", "expected"),
    [("newest", [3, 2, 1]), ("oldest", [1, 2, 3]), ("rating", [3, 2, 1]), ("name", [1, 3, 2])],
)
def test_takes_are_sorted(order: str, expected: list[int]) -> None:
    """Upper and lower case make no difference."""
    assert numbers(order=order) == expected


def test_a_derived_take_names_the_one_it_was_made_from() -> None:
    """It is compared with that one, also after this was deleted."""
    (row,) = take_table.rows(TAKES, TAKES[1:2], current=2, show="all", order="newest")

    assert (row.origin, row.source) == ("rewritten from “Air”", "relative · seed 7")
    assert row.before is PIECE
    assert row.details == "1 note changed  ·  rewritten from “Air”  ·  relative · seed 7"


def test_a_new_piece_is_compared_with_nothing() -> None:
    """Whichever take was the current one before."""
    row = rows()[0]

    assert (row.origin, row.before, row.changes) == ("generated", None, "")
    assert rows()[2].details == "opened"


def test_a_screen_reader_gets_everything_in_words() -> None:
    """With the rating and the mark of the current take."""
    assert rows(current=2)[1].spoken == (
        "Zion, current take, rewritten from “Air”, 1 note changed, relative, seed 7, rated 2 of 3"
    )
    assert rows()[2].spoken == "Air, opened, not rated"


def test_a_take_names_its_muted_heads() -> None:
    """Two takes of one seed differ in them."""
    provenance = Provenance(
        model="relative", sha256="", seed=7, settings=Mutes.parse("2.3").to_json()
    )
    take = replace(TAKES[2], piece=replace(OTHER, provenance=provenance))
    (row,) = take_table.rows((take,), (take,), current=None, show="all", order="newest")

    assert row.source == "relative, 2.3 muted · seed 7"
