"""The public functions of ``import musicrel``: generation from given notes."""

from __future__ import annotations

import contextlib
import inspect
import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import musicrel
from musicrel.api import EditOptions, RequestOptions
from musicrel.errors import MusicrelError, UsageError
from musicrel.generation.candidates.candidate_job import CandidateSet
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.drawn_phrases import DrawnPhrases
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import random_chorale

NARROW = ((60, 72), (57, 69), (50, 62), (43, 55))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """Load a model with random weights."""
    return musicrel.load_model(str(tiny_model_directory(tmp_path_factory.mktemp("m") / "tiny")))


def test_a_part_of_a_piece_can_be_rewritten(model: LoadedModel) -> None:
    """All other notes are kept."""
    piece = random_chorale(2, 24)
    new = musicrel.generate(model, original=piece, rewrite="alto", seed=3)
    others = [0, 2, 3]
    assert np.array_equal(new.pitches[:, others], piece.pitches[:, others])
    assert not np.array_equal(new.pitches, piece.pitches)


def test_candidates_are_ranked_and_measured(model: LoadedModel) -> None:
    """The best comes first; the original is measured, too."""
    piece = random_chorale(2, 24)
    made = musicrel.generate(
        model, candidates=2, original=piece, keep=["soprano", "bass"], weights={"nats": 2.0}
    )
    assert isinstance(made, CandidateSet)
    assert made.original is not None
    assert made.original.chorale == piece
    assert made.ranked[0].score <= made.ranked[1].score


def test_locks_and_rules_are_accepted(model: LoadedModel, tmp_path: Path) -> None:
    """Locks are a value or a file; rules are one name or several."""
    values = {"steps": 16, "cells": [[0, 0, 72]]}
    (tmp_path / "locks.json").write_text(json.dumps(values), encoding="utf-8")
    by_file = musicrel.generate(model, bars=1, locks=tmp_path / "locks.json", rules="range")
    by_value = musicrel.generate(model, bars=1, locks=Locks.from_json(values), rules=("range",))
    assert by_file == by_value
    assert by_file.pitches[0, 0] == 72


def test_contradicting_options_are_refused(model: LoadedModel) -> None:
    """The message names the options."""
    with pytest.raises(UsageError, match="keep and rewrite name parts of a piece: give it as orig"):
        musicrel.generate(model, keep="soprano")
    with pytest.raises(UsageError, match="count is 0: expected 1 to 10,000"):
        musicrel.generate(model, count=0)
    with pytest.raises(UsageError, match="no part of the piece to rewrite is given"):
        musicrel.generate(model, original=random_chorale(2, 24))


@pytest.mark.parametrize("name", ["generate", "infill"])
def test_names_of_version_1_are_accepted(name: str, model: LoadedModel) -> None:
    """The keyword of the quality and its highest level are translated."""
    start = {"piece": random_chorale(2, 16)} if name == "infill" else {"bars": 1}
    old: dict[str, Any] = {"model": model, "patience": "careful", "seed": 1, **start}

    piece = getattr(musicrel, name)(**old)

    assert piece.provenance is not None
    assert piece.provenance.settings["quality"] == "high"


def settings(piece: musicrel.Chorale) -> dict[str, Any]:
    """Return the settings that a piece was generated with."""
    assert piece.provenance is not None
    return dict(piece.provenance.settings)


def test_phrases_are_drawn_unless_they_are_given(model: LoadedModel) -> None:
    """Every piece has those of its seed; ranges are those of a choir."""
    draft: dict[str, Any] = {"bars": 2, "quality": "draft"}
    pieces = musicrel.generate(model, count=2, seed=4, **draft)
    for seed, piece in zip((4, 5), pieces, strict=True):
        found, request = settings(piece), GenerationRequest(bars=2, seed=seed)
        drawn = DrawnPhrases(phrases=True, pickup=True).applied(request, ("fermata", "bar"))
        expected = drawn.to_json()
        for name in ("phrases", "fermatas", "pickup"):
            assert found[name] == expected[name]
        assert tuple(map(tuple, found["ranges"])) == voice_ranges.PRESETS["choir"].ranges
    plain = settings(musicrel.generate(model, phrases="none", pickup=4, ranges="full", **draft))
    assert (plain["phrases"], plain["pickup"]) == ([], 4)
    assert "ranges" not in plain
    given = musicrel.generate(model, phrases=(1, 1), cadence="half,", ranges=NARROW, **draft)
    assert settings(given)["phrases"] == [1, 1]
    assert settings(given)["ranges"] == [list(pair) for pair in NARROW]


def test_kept_notes_widen_the_ranges_of_a_preset(model: LoadedModel) -> None:
    """Numbers are not widened, and a note outside is refused."""
    low = musicrel.Chorale.of([(72, 67, 60, 38)] * 8)
    new = musicrel.infill(low, voices="A", model=model, quality="draft")
    assert settings(new)["ranges"][3] == [38, 62]
    with pytest.raises(UsageError, match="the rule 'range'"):
        musicrel.harmonise(low, voice="B", model=model, ranges=NARROW)


def test_heads_are_muted_by_name(model: LoadedModel) -> None:
    """The piece is another one, of the same seed."""
    options: dict[str, Any] = {"bars": 1, "seed": 3, "quality": "draft"}

    plain = musicrel.generate(model, **options)
    muted = musicrel.generate(model, **options, mute="2.1", mute_by="zero")
    harmonised = musicrel.harmonise(plain, model=model, mute="2", mute_by="zero", quality="draft")

    assert not np.array_equal(muted.pitches, plain.pitches)
    for piece, heads in ((muted, "2.1"), (harmonised, "2")):
        assert piece.provenance is not None
        assert piece.provenance.settings["mute"] == heads


PIECE: Final = random_chorale(2, 16)
CALLS: Final[dict[str, tuple[frozenset[str], dict[str, Any]]]] = {
    "generate": (RequestOptions.__optional_keys__, {"bars": 1, "quality": "draft"}),
    "harmonise": (EditOptions.__optional_keys__, {"melody": PIECE, "quality": "draft"}),
    "infill": (EditOptions.__optional_keys__, {"piece": PIECE, "quality": "draft"}),
    "evaluate": (frozenset(), {}),
    "grade": (frozenset(), {"chorale": PIECE}),
    "load_model": (frozenset(), {"name_or_dir": "relative"}),
}
"""Function -> the options it takes besides those in its signature, and arguments of a call."""
ODD: Final[tuple[object, ...]] = (
    -1, 3, 1.5, float("nan"), True, None, "x", "\0", "", b"x", [], [3], [[]], (), (1,), ((1,),),
    (object(), 1), {}, {3: 4}, {"nats": "x"}, np.int64(3), np.float64(3), np.str_("x"),
    np.zeros(2), np.zeros((4, 2)), object(), PIECE,
)  # fmt: skip
"""Values of types that no keyword, or only one of another name, can have."""


@pytest.mark.parametrize(
    ("name", "keyword"),
    [
        (name, keyword)
        for name, (options, _) in CALLS.items()
        for keyword in [*inspect.signature(getattr(musicrel, name)).parameters, *sorted(options)]
        if keyword != "options"
    ],
)
def test_a_value_of_another_type_is_refused_in_a_sentence(
    name: str, keyword: str, model: LoadedModel
) -> None:
    """Of every keyword, unless it can be used."""
    call = getattr(musicrel, name)
    given = {"model": model} if "model" in inspect.signature(call).parameters else {}
    for value in ODD:
        with contextlib.suppress(MusicrelError):
            call(**{**given, **CALLS[name][1], keyword: value})
