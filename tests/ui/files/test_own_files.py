"""Files that the window has exported open without a remark, and look as they did there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.request import GenerationRequest
from musicrel.score import files
from musicrel.score.musicxml import mxl, xml_tree
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import earlier_piece

Export = Callable[[Chorale, str], Path]

ASKED = {
    "tempo": GenerationRequest(bars=3, tempo=76),
    "top-k, and colder than the form": GenerationRequest(bars=3, top_k=5, temperature=0.1),
    "fermatas and locked notes of a melody": GenerationRequest(
        length=20, fermatas=((12, 16),), locks=Locks(steps=20, cells=(Cell(0, 0, 67),))
    ),
}


@pytest.fixture
def export(app_controller: AppController, qtbot: QtBot, tmp_path: Path) -> Export:
    """Return a function that exports a piece in some format and waits for the end."""

    def to(piece: Chorale, suffix: str) -> Path:
        path = tmp_path / f"own{suffix}"
        app_controller.files.export(piece, path)
        qtbot.waitUntil(lambda: not app_controller.files.busy)
        return path

    return to


@pytest.mark.parametrize("suffix", [".mid", ".json", ".musicxml", ".mxl"])
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_own_pieces_are_opened_without_a_remark(
    app_controller: AppController,
    window: MainWindow,
    export: Export,
    qtbot: QtBot,
    *,
    suffix: str,
    asked: GenerationRequest,
) -> None:
    """The form need not show all that a piece was made with; another version may have made it."""
    piece = earlier_piece(asked)
    assert piece.provenance is not None
    origin = replace(piece.provenance, machine={"kernel": "torch", "musicrel": "0.9.0"})
    path = export(replace(piece, provenance=origin), suffix)

    app_controller.projects.open(path)
    qtbot.waitUntil(lambda: not app_controller.files.busy and not app_controller.recall.busy)

    assert window.compose_page.banner.message == ""
    assert window.state == f"Opened own{suffix}"
    assert app_controller.document.piece is not None
    assert np.array_equal(app_controller.document.piece.pitches, piece.pitches)


@pytest.mark.parametrize("suffix", [".musicxml", ".mxl"])
@pytest.mark.parametrize(("four", "staves"), [(False, 2), (True, 4)])
@pytest.mark.parametrize("numerals", [False, True])
def test_scores_are_exported_in_the_layout_of_the_window(
    window: MainWindow, export: Export, *, suffix: str, four: bool, staves: int, numerals: bool
) -> None:
    """With Roman numerals or without."""
    window.commands.four_staves.setChecked(four)
    window.commands.numerals.setChecked(numerals)

    path = export(earlier_piece(), suffix)

    score = xml_tree.parse(mxl.unpack(path.read_bytes()))
    assert len(score.findall("part")) == staves
    assert bool(score.findall(".//harmony")) is numerals
    assert files.import_satb(path).report == ()
