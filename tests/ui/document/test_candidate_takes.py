"""Takes of candidates."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.presentation.compose import form
from musicrel.presentation.compose.form import Form, RequestBuilder
from musicrel.presentation.roll import lock_cells
from musicrel.ui.document.candidate_takes import CandidateTakes
from musicrel.ui.document.document import Document

PIECE = Chorale.of([(72, 67, 64, 48)] * 16, title="Air")
CANDIDATE = Chorale.of([(72, 69, 64, 48)] * 16, title="Air, candidate 1")


@pytest.fixture
def document(qtbot: QtBot) -> Document:
    """Return a document with one take, the current one."""
    del qtbot
    document = Document()
    document.show_piece(PIECE, form=Form(model="writes", seed=1), action="opened")
    return document


def test_a_candidate_is_a_take_of_the_piece_with_its_own_seed(document: Document) -> None:
    """Its form has the model for new pieces, so that a take can be used without changing it."""
    asked = Form(model="rewrites", seed=7, temperature=1.2)
    builder = form.rewrite(PIECE, None, lock_cells.nothing(PIECE), asked, 2)
    takes = CandidateTakes(document, builder)
    takes.keep(2, CANDIDATE, 8)
    take = takes.take_of(2)

    assert take is not None
    assert (take.name, take.action, take.parent) == ("Air, rewritten", "rewritten", 1)
    assert take.form == Form(model="writes", seed=8, temperature=1.2)
    assert not take.accepted
    assert takes.take_of(1) is None


def test_a_candidate_becomes_a_take_once(document: Document) -> None:
    """Later calls change nothing."""
    takes = CandidateTakes(document, RequestBuilder(form=Form(seed=3), count=2))
    for _ in range(2):
        takes.keep(1, CANDIDATE, 3)

    assert [take.action for take in document.takes.all] == ["opened", "generated"]
    assert document.takes.all[1].parent is None
