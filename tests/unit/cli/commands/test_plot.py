"""``musicrel plot``."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest

from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.score import files
from tests.helpers.models import tiny_model_directory
from tests.unit.cli.conftest import Place


@pytest.mark.parametrize(
    ("command", "texts"),
    [
        ("across piece.json --model harmoniser",
         ("Cross-attention of harmoniser, layer 1, mean of its heads",)),
        ("across piece.json --model harmoniser --given A,B --layer 2 --head 1",
         ("Cross-attention of harmoniser, layer 2, head 1",)),
        ("attention piece.json --model harmoniser",
         ("Attention of harmoniser, layer 1, mean of its heads",)),
        ("attention piece.json --model both --head 2",
         ("Attention of both, layer 1, head 2", "each predicted from all others")),
        ("difference piece.json --model tiny --other plain",
         ("tiny and plain: surprisal compared",)),
        ("shares piece.json --model tiny", ("Shares of attention: tiny<",)),
        ("shares piece.json --model tiny --other plain",
         ("Shares of attention: tiny and plain<",)),
        ("claims piece.json --model tiny", ("All voices of the step before",)),
        ("note piece.json --model tiny --note bass:0.3", ("Bass",)),
        ("note piece.json --model tiny --note bass:0.3 --other plain", ("plain",)),
        ("effects bar.json --model tiny --note alto:1.2 --mute-by zero --mute 2.1",
         ("Effects of heads: Alto ", "(bar 1, beat 2)", "H2", "L2")),
        ("choices bar.json --model tiny --note alto:1.2 --mute-by zero --mute 2",
         ("Most probable notes: Alto ", "all heads", "2 muted")),
        ("lens bar.json --model tiny --note alto:1.2 --mute-by zero",
         ("What each layer would choose: Alto ", "Before layer 1", "Layer 2 (model)")),
        ("sources bar.json --model tiny --note alto:1.2",
         ("Sources of Alto ", "Strongest by weight", "Soprano ")),
    ],
)  # fmt: skip
def test_a_picture_names_what_it_shows(command: str, texts: tuple[str, ...], here: Place) -> None:
    here.run(f"plot {command} --out x.svg")
    assert [text for text in texts if text not in here.text("x.svg")] == []


def test_the_difference_of_two_models_is_written_as_numbers(here: Place) -> None:
    here.run("plot difference piece.json --model tiny --other plain --out x.csv")
    head, *rows = here.text("x.csv").splitlines()
    assert head.startswith("step,voice,pitch,steps,tiny,plain,difference")
    assert len(rows) == int(here.read("piece.json").onsets.sum())


def test_two_pieces_are_compared(here: Place) -> None:
    bar = here.read("bar.json")
    pitches = bar.pitches.copy()
    pitches[8:, 0] += 1
    files.write(Chorale.of(pitches), here.folder / "other.json")

    here.run("plot agreement bar.json other.json --out x.svg")
    assert "87 % of notes agree; first difference bar 1, beat 3" in here.text("x.svg")
    here.run("plot agreement bar.json other.json --out x.csv")
    _, *rows = csv.reader(here.text("x.csv").splitlines())
    assert [row[:4] for row in rows] == [
        [letter, name, "Soprano", f"bar 1, beat {beat}"]
        for beat in (3, 4)
        for letter, name in (("A", "bar"), ("B", "other"))
    ]


def test_a_map_is_written_as_numbers(here: Place) -> None:
    short = replace(here.read("piece.json").cropped(0, 12), pickup=0)
    files.write(short, here.folder / "short.json")

    here.run("plot attention short.json --model tiny --out x.csv")

    head, *rows = here.text("x.csv").splitlines()
    assert head.startswith("model,head,step,voice,START,0 S")
    assert len(rows) == 48
    _, named, *row = next(csv.reader([rows[7]]))
    assert named == "layer 1, mean of its heads"
    assert sum(map(float, row[2:])) == pytest.approx(1, abs=1e-4)


def test_sources_need_no_means_of_heads(here: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(bundled, "load", read.append)
    here.run("plot sources bar.json --model tiny --note alto:1.2 --out x.svg")
    assert read == []


def test_effects_on_a_piece_are_written_as_numbers(here: Place) -> None:
    here.run("plot effects bar.json --mute-by zero --model tiny --out x.csv")
    rows = [row.split(",") for row in here.text("x.csv").splitlines()]
    assert [row[0] for row in rows] == ["source", "1.1", "1.2", "2.1", "2.2"]
    assert any(abs(float(row[1])) > 0 for row in rows[1:])


def test_votes_are_written_as_numbers_that_add_up_to_nothing(here: Place) -> None:
    """They are differences from the mean of the notes shown."""
    here.run("plot votes bar.json --model tiny --note alto:1.2 --out x.csv")
    head, *rows = csv.reader(here.text("x.csv").splitlines())
    assert head[0] == "part"
    assert {"Input", "Layer 1, head 2", "Layer 2, network"} <= {row[0] for row in rows}
    assert all(sum(map(float, row[1:])) == pytest.approx(0, abs=1e-4) for row in rows)


def test_places_are_written_for_a_head_or_for_all(here: Place) -> None:
    tiny_model_directory(here.folder / "darope", "darope")
    here.run("plot places bar.json --model ./darope --out x.csv")
    head, *rows = csv.reader(here.text("x.csv").splitlines())
    assert head == ["step", "voice", *(f"Layer {n}, head {h}" for n in (1, 2) for h in (1, 2))]
    assert len(rows) == 64
    here.run("plot places bar.json --model ./darope --layer 2 --head 1 --theme dark --out x.svg")
    assert "Where layer 2, head 1 puts the notes" in here.text("x.svg")
