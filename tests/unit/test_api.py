"""The public functions of ``import musicrel``: generation, attention and what it does."""

from __future__ import annotations

import contextlib
import inspect
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import musicrel
from musicrel import api
from musicrel.api import EditOptions, RequestOptions
from musicrel.chorale import Key, Lyric, Mark, Meter, Voice
from musicrel.errors import ModelError, MusicrelError, UsageError
from musicrel.generation.candidates.candidate_job import CandidateSet
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.scoring.teacher_forcing import conditions_of
from musicrel.score.importing.conversion import ImportedPiece
from tests.helpers.known import known
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import random_chorale, with_words

NARROW = ((60, 72), (57, 69), (50, 62), (43, 55))
ONE_BAR = replace(random_chorale(0, steps=16), pickup=0, meter=Meter())


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    return musicrel.load_model(str(tiny_model_directory(tmp_path_factory.mktemp("m") / "tiny")))


def test_a_part_of_a_piece_can_be_rewritten(model: LoadedModel) -> None:
    piece = random_chorale(2, 24)
    new = musicrel.generate(model, original=piece, rewrite="alto", seed=3)
    others = [0, 2, 3]
    assert np.array_equal(new.pitches[:, others], piece.pitches[:, others])
    assert not np.array_equal(new.pitches, piece.pitches)


def test_candidates_are_ranked_and_measured(model: LoadedModel) -> None:
    piece = random_chorale(2, 24)
    made = musicrel.generate(
        model, candidates=2, original=piece, keep=["soprano", "bass"], weights={"nats": 2.0}
    )
    assert isinstance(made, CandidateSet)
    assert known(made.original).chorale == piece
    assert made.ranked[0].score <= made.ranked[1].score


def test_locks_and_rules_are_accepted(model: LoadedModel, tmp_path: Path) -> None:
    values = {"steps": 16, "cells": [[0, 0, 72]]}
    (tmp_path / "locks.json").write_text(json.dumps(values), encoding="utf-8")
    by_file = musicrel.generate(model, bars=1, locks=tmp_path / "locks.json", rules="range")
    by_value = musicrel.generate(model, bars=1, locks=Locks.from_json(values), rules=("range",))
    assert by_file == by_value
    assert by_file.pitches[0, 0] == 72


def test_contradicting_options_are_refused(model: LoadedModel) -> None:
    with pytest.raises(UsageError, match="keep and rewrite name parts of a piece: give it as orig"):
        musicrel.generate(model, keep="soprano")
    with pytest.raises(UsageError, match="count is 0: expected 1 to 10,000"):
        musicrel.generate(model, count=0)
    with pytest.raises(UsageError, match="no part of the piece to rewrite is given"):
        musicrel.generate(model, original=random_chorale(2, 24))


@pytest.mark.parametrize("name", ["generate", "infill"])
def test_names_of_version_1_are_accepted(name: str, model: LoadedModel) -> None:
    start = {"piece": random_chorale(2, 16)} if name == "infill" else {"bars": 1}
    old: dict[str, Any] = {"model": model, "patience": "careful", "seed": 1, **start}

    piece = getattr(musicrel, name)(**old)

    assert known(piece.provenance).settings["quality"] == "high"


def settings(piece: musicrel.Chorale) -> dict[str, Any]:
    return dict(known(piece.provenance).settings)


def test_phrases_are_drawn_unless_they_are_given(model: LoadedModel) -> None:
    draft: dict[str, Any] = {"bars": 2, "quality": "draft"}
    pieces = musicrel.generate(model, count=2, seed=4, **draft)
    for seed, piece in zip((4, 5), pieces, strict=True):
        found = settings(piece)
        drawn = GenerationRequest(bars=2, phrases=None, pickup=None, seed=seed).resolved()
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


def test_a_piece_has_the_form_and_the_first_chord_that_are_asked_for(
    model: LoadedModel, caplog: pytest.LogCaptureFixture
) -> None:
    form: dict[str, Any] = {"phrases": (1, 1, 1), "form": "AAB", "begins_on": "Tonic"}
    found = settings(musicrel.generate(model, quality="draft", **form))
    assert "although begins-on is tonic: expected quality normal or high" in caplog.text
    assert (found["bars"], found["form"], found["begins_on"]) == (3, "aab", "tonic")
    found = settings(
        musicrel.generate(model, bars=2, form="through-composed", begins_on="any", quality="draft")
    )
    assert not {"form", "begins_on"} & found.keys()
    with pytest.raises(UsageError, match="form is 'aba': expected auto, aab or through"):
        musicrel.generate(model, form="aba")  # type: ignore[call-overload]  # another form


def test_kept_notes_widen_the_ranges_of_a_preset(model: LoadedModel) -> None:
    low = musicrel.Chorale.of([(72, 67, 60, 38)] * 8, title="Low")
    new = musicrel.infill(low, voices="A", model=model, quality="draft")
    assert new.title == "Low"
    assert settings(new)["ranges"][3] == [38, 62]
    with pytest.raises(UsageError, match="the rule 'range'"):
        musicrel.harmonise(low, voice="B", model=model, ranges=NARROW)


def test_heads_are_muted_by_name(model: LoadedModel) -> None:
    options: dict[str, Any] = {"bars": 1, "seed": 3, "quality": "draft"}

    plain = musicrel.generate(model, **options)
    muted = musicrel.generate(model, **options, mute="2.1", mute_by="zero")
    harmonised = musicrel.harmonise(plain, model=model, mute="2", mute_by="zero", quality="draft")

    assert not np.array_equal(muted.pitches, plain.pitches)
    for piece, heads in ((muted, "2.1"), (harmonised, "2")):
        assert known(piece.provenance).settings["mute"] == heads


@pytest.mark.parametrize(("away", "shift"), [(-9, 5), (-5, 0), (0, 0)])
def test_changes_of_key_move_with_a_melody(away: int, shift: int) -> None:
    change = Mark(kind="key", start=8, stop=8, value=Key("G", "major"))
    line = [(64, -1, -1, -1)] * 8 + [(79, -1, -1, -1)] * 8
    tune = musicrel.Chorale.of(line, key=Key("C", "major"), marks=(change,)).transposed(away)
    task = api.harmony(ImportedPiece(chorale=tune), Voice.SOPRANO, {})
    written = known(task.transposition).back(known(task.source))
    assert written.marks == tune.with_keys_transposed(shift).marks


def test_a_verse_gets_lower_voices_of_its_own(model: LoadedModel) -> None:
    words = tuple(Lyric(Voice.SOPRANO, verse, 0, "la") for verse in (1, 2))
    hymn = musicrel.Chorale.of([(72, 67, 60, 48)] * 16, lyrics=words)
    new = musicrel.infill(hymn, verse=2, model=model, quality="draft")
    assert np.array_equal(new.pitches[:16], hymn.pitches)
    assert np.array_equal(new.pitches[16:, 0], hymn.pitches[:, 0])
    assert [(word.verse, word.step) for word in new.lyrics] == [(1, 0), (2, 16)]
    with pytest.raises(UsageError, match="no verse 3: its verses are 1, 2"):
        musicrel.infill(hymn, verse=3, model=model)
    with pytest.raises(UsageError, match="leave out voices and steps"):
        musicrel.infill(hymn, verse=2, steps=(0, 4), model=model)


def test_words_and_names_stay_where_other_voices_are_written(model: LoadedModel) -> None:
    words = tuple(word for word in with_words(PIECE).lyrics if word.voice == Voice.SOPRANO)
    melody = replace(PIECE, poet="Anna B.", tune="LINN", lyrics=words)
    options: dict[str, Any] = {"model": model, "quality": "draft", "rules": ()}

    for new in (
        musicrel.harmonise(melody, **options),
        musicrel.infill(melody, voices="A,T,B", **options),
        musicrel.generate(original=melody, rewrite="bass", **options),
        musicrel.infill(melody, voices="B", candidates=1, **options).ranked[0].chorale,
    ):
        assert (new.poet, new.tune, new.lyrics) == ("Anna B.", "LINN", words)


PIECE: Final = random_chorale(2, 16)


CALLS: Final[dict[str, tuple[frozenset[str], dict[str, Any]]]] = {
    "generate": (RequestOptions.__optional_keys__, {"bars": 1, "quality": "draft"}),
    "harmonise": (EditOptions.__optional_keys__, {"melody": PIECE, "quality": "draft"}),
    "infill": (EditOptions.__optional_keys__, {"piece": PIECE, "quality": "draft"}),
    "evaluate": (frozenset(), {}),
    "grade": (frozenset(), {"chorale": PIECE}),
    "load_model": (frozenset(), {"name_or_dir": "relative"}),
}  # function -> the options it takes besides those in its signature, and arguments of a call


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
    call = getattr(musicrel, name)
    given = {"model": model} if "model" in inspect.signature(call).parameters else {}
    for value in ODD:
        with contextlib.suppress(MusicrelError):
            call(**{**given, **CALLS[name][1], keyword: value})


def test_text_is_parsed() -> None:
    options = {"meter": "3/4", "key": "F# minor", "rules": "range", "phrases": "none", "seed": 3}
    assert api.parsed(options) == {
        "meter": Meter(3, 4),
        "key": Key.parse("F# minor"),
        "rules": ("range",),
        "phrases": (),
        "seed": 3,
    }


def test_muted_heads_are_named_by_text() -> None:
    mean, zero = ({"mute": "2.3"}, {"mute": "2.3", "mute_by": "zero"})
    assert api.parsed(mean) == {"mutes": Mutes((Head(1, 2),), "mean")}
    assert api.parsed(zero) == {"mutes": Mutes((Head(1, 2),), "zero")}


def test_text_of_another_form_is_refused() -> None:
    with pytest.raises(UsageError, match="waltz"):
        api.parsed({"meter": "waltz"})


def test_locks_may_be_a_file(tmp_path: Path) -> None:
    locks = Locks.of(random_chorale(1), np.ones((random_chorale(1).steps, 4), dtype=np.bool_))
    path = tmp_path / "locks.json"
    path.write_text(json.dumps(locks.to_json()), encoding="utf-8")
    assert api.parsed({"locks": path})["locks"].to_json() == locks.to_json()


@pytest.mark.parametrize(
    ("options", "pickup"), [({}, None), ({"pickup": "auto"}, None), ({"pickup": 4}, 4)], ids=str
)
def test_fields_are_drawn_where_nothing_else_is_given(
    options: dict[str, object], pickup: int | None
) -> None:
    assert api.request(None, options).pickup == pickup


@pytest.mark.parametrize(
    ("options", "bars"), [({}, 16), ({"bars": "auto"}, 16), ({"phrases": (2, 4)}, 6)], ids=str
)
def test_a_piece_with_locked_notes_has_sixteen_bars_or_those_of_its_phrases(
    options: dict[str, object], bars: int
) -> None:
    locks = Locks(steps=16 * bars)
    assert api.request(None, {"locks": locks, **options}).bars == bars


@pytest.mark.parametrize("name", ["phrases", "pickup"])
def test_a_given_piece_has_its_own_phrases_and_pickup(name: str) -> None:
    with pytest.raises(UsageError, match=f"{name} is 'auto'"):
        api.request(ONE_BAR, {"rewrite": "alto", name: "auto"})


def test_attention_of_a_note_is_a_row_of_that_of_the_piece(model: LoadedModel) -> None:
    whole = musicrel.attention(ONE_BAR, model)
    one = musicrel.attention(ONE_BAR, model, note="alto:1.2")
    assert whole.weights_CLHK.shape == (64, 2, 2, 64)
    assert one.cells_C.tolist() == [17]
    np.testing.assert_allclose(one.weights_CLHK[0], whole.weights_CLHK[17, :, :, :18], atol=1e-6)
    assert len(whole.axes["weights_CLHK"]) == whole.weights_CLHK.ndim


def test_a_note_is_ablated_head_by_head_and_a_piece_by_the_heads_that_are_named(
    model: LoadedModel,
) -> None:
    found = musicrel.ablate(ONE_BAR, model, note="alto:1.2", by="zero")
    assert found.effects_LH.shape == (2, 2)
    assert found.voices_4.shape == (4,)

    of_piece = musicrel.ablate(ONE_BAR, model, heads="2", by="zero")
    assert np.isnan(of_piece.effects_LH[0]).all()
    assert np.isfinite(of_piece.effects_LH[1]).all()
    assert of_piece.nats_T4.shape == (16, 4)

    # All heads are ablated there; a choice would be ignored.
    expected = "heads is '2' for the note 'alto:1.2': expected no heads"
    with pytest.raises(UsageError, match=expected):
        musicrel.ablate(ONE_BAR, model, note="alto:1.2", heads="2", by="zero")


def test_sources_and_the_lens_of_a_note(model: LoadedModel) -> None:
    found = musicrel.sources(ONE_BAR, model, note="bass:1.4", strongest=2, random=1)
    assert len(found.sources) == len(found.effects_S) == 3
    lens = musicrel.lens(ONE_BAR, model, note="bass:1.4")
    assert lens.log_p_NV.shape == (3, model.vocabulary.size)


def test_the_attributions_of_a_note_or_of_all_cells(model: LoadedModel) -> None:
    found = musicrel.attributions(ONE_BAR, model, note="bass:1.4")
    assert found.cells_C.tolist() == [51]
    whole = musicrel.attributions(ONE_BAR, model)
    assert whole.heads_CLHV.shape == (64, 2, 2, model.vocabulary.size)
    np.testing.assert_allclose(whole.logits_CV[51], found.logits_CV[0])
    rows = model.condition_rows(ONE_BAR, conditions_of(ONE_BAR))
    logits = model.logits(model.encode(ONE_BAR), rows)[:64]
    np.testing.assert_allclose(whole.logits_CV, logits, atol=1e-4)


def test_only_heads_of_darope_learn_places(model: LoadedModel, tmp_path: Path) -> None:
    darope = tiny_model_directory(tmp_path / "darope", "darope")
    assert musicrel.places(ONE_BAR, darope).places_LHT4.shape == (2, 2, 16, 4)
    with pytest.raises(ModelError, match="learn no places for notes: choose a causal model with"):
        musicrel.places(ONE_BAR, model)


def test_a_piece_is_read_from_a_file(model: LoadedModel, tmp_path: Path) -> None:
    ONE_BAR.write(tmp_path / "piece.json")
    found = musicrel.ablate(str(tmp_path / "piece.json"), model, note="alto:1.2", by="zero")
    assert found.effects_LH.any()
