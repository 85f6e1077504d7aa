"""``musicrel ablate``: effects on a note and a piece, the lens, the means."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.analysis.corpus import bundled
from musicrel.generation.heads import replacement
from musicrel.generation.loaded_model import load_model
from musicrel.model.companions import MEANS
from tests.helpers.known import known
from tests.helpers.music import random_chorale
from tests.unit.cli.conftest import Place


@pytest.fixture(autouse=True)
def two_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the training pieces be two short ones."""
    monkeypatch.setattr(bundled, "load", lambda _: [random_chorale(1, 12), random_chorale(2, 8)])


NOTE = "ablate note bar.json --model tiny --note alto:1.3"


def test_the_effects_on_a_note_are_a_table_of_heads_and_voices(here: Place) -> None:
    first, _head, *lines = here.run(f"{NOTE} --by zero").out.splitlines()
    assert first.startswith("-log p ")
    names = [line.split()[0] for line in lines]
    assert names == ["1.1", "1.2", "2.1", "2.2", "soprano", "alto", "tenor", "bass"]


def test_earlier_notes_are_removed_on_demand(here: Place) -> None:
    found = here.json(f"{NOTE} --by zero --sources")
    assert len(found["sources"]) >= found["strongest"] > 0
    assert set(found["sources"][0]) == {"voice", "steps", "weight", "effect"}
    assert "weight" in here.run(f"{NOTE} --by zero --sources").out


def test_the_effects_on_a_piece_are_those_of_the_named_heads(here: Place) -> None:
    found = here.json("ablate piece bar.json --model tiny --heads 2,1.1 --by zero")
    assert (list(found["heads"]), found["by"]) == (["1.1", "2.1", "2.2"], "zero")
    printed = here.run("ablate piece bar.json --model tiny --heads 1.1 --by zero").out
    assert printed.splitlines()[-1].startswith("1.1")


def test_the_lens_lists_the_likeliest_tokens_of_each_layer(here: Place) -> None:
    command = "ablate lens bar.json --model tiny --note bass:1.2"
    lines = here.run(command).out.splitlines()
    assert [line.split()[0] for line in lines] == ["layer", "0", "1", "2"]
    layers = here.json(command)["layers"]
    assert all(len(layer) == 3 and layer[0]["log_p"] >= layer[1]["log_p"] for layer in layers)


def test_means_are_written_into_a_folder_and_used_from_it(here: Place) -> None:
    printed = here.run("ablate means --model tiny --store tiny").out
    assert Path(printed.strip()) == Path("tiny") / MEANS
    model = load_model("tiny")
    means = known(replacement.known(model))
    assert means.sha256 == model.sha256
    assert here.json(NOTE)["by"] == "mean"


@pytest.mark.parametrize(
    "mistake", ["lens bar.json --note alto:9.1", "note bar.json --note alto:9.1",
                "piece bar.json --heads 7"]
)  # fmt: skip
def test_mistakes_are_named_before_the_means_are_computed(
    mistake: str, here: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    monkeypatch.setattr(bundled, "load", read.append)
    here.run(f"ablate {mistake} --model tiny", code=2)
    assert read == []


@pytest.mark.parametrize("more", ["", " --models vanilla --notes 100 --out x"])
def test_the_study_says_where_it_is_now(more: str, here: Place) -> None:
    refusal = here.run(f"ablate study{more}", code=2).err
    assert "run python -m training.ablation in a checkout" in refusal
