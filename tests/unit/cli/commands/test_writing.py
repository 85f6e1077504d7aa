"""``musicrel generate``, and the commands that rewrite a piece."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import musicrel
from musicrel import cores
from musicrel.analysis import voice_leading
from musicrel.analysis.corpus import melodies
from musicrel.chorale import RANGES, REST, Chorale, Key, Lyric, Voice, spans
from musicrel.cli.main import main
from musicrel.generation.candidates.ranking import TERMS
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.request import GenerationRequest
from musicrel.score import files
from tests.helpers.known import known
from tests.helpers.measured_devices import Graphics
from tests.unit.cli.conftest import Place, write_five_parts

DRAFT = "--quality draft"
TINY = "--model tiny --quality draft"
INFILL = "--model infill --quality draft"


def settings(here: Place, name: str) -> dict[str, Any]:
    provenance = known(here.read(name).provenance)
    return dict(provenance.settings)


def test_a_piece_has_the_requested_form(here: Place) -> None:
    found = here.json(
        "generate --model tiny --bars 3 --meter 3/4 --key 'F# minor' --tempo 96 --seed 5 "
        "--out new.mid"
    )
    assert found["files"] == ["new.mid"]
    assert (found["seed"], found["tokens"], found["threads"]) == (5, 3 * 12 * 4, cores.physical())
    piece = here.read("new.mid")
    assert (piece.steps, piece.key, piece.tempo) == (36, Key("F#", "minor"), 96)
    assert known(piece.provenance).seed == 5


def test_the_same_seed_gives_the_same_file_and_another_seed_another(here: Place) -> None:
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        here.run(f"generate {TINY} --bars 2 --seed {seed} --out {name}")
    first, again, other = (Path(f"{name}.mid").read_bytes() for name in "abc")
    assert first == again != other


def test_devices_are_measured_once_and_what_auto_means_is_printed(
    here: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gpu = Graphics(monkeypatch, tmp_path / "cache")
    gpu.folder.mkdir()
    gpu.answer(
        {"device": "cpu", "share": 0.5},
        {"device": "cpu", "tokens_per_second": 2.0},
        {"device": "cuda", "tokens_per_second": 1.0},
    )
    command = "generate --model tiny --bars 1 --seed 7 --out a.json --json"

    first, again = here.run(command), here.run(command)

    assert (first.err, again.err) == ("writing on the CPU\n", "")
    assert first.json["device"] == "cpu"
    assert known(here.read("a.json").provenance).machine["device"] == "cpu"
    assert gpu.started == ["writing"]


def test_count_writes_one_piece_a_seed_in_every_format(here: Place) -> None:
    here.run(f"generate {TINY} --bars 1 --seed 3 --count 2 --format mid,json --out many")
    names = [f"chorale-{seed}.{suffix}" for seed in (3, 4) for suffix in ("json", "mid")]
    assert here.names("many/*") == names


def test_a_part_is_rewritten_and_the_rest_is_kept(here: Place) -> None:
    here.run(f"generate {TINY} --from piece.json --rewrite alto,tenor:1 --out new.json")

    original, new = here.read("piece.json"), here.read("new.json")
    changed, first = new.pitches != original.pitches, original.pickup
    assert changed.any()
    assert not changed[:, [0, 3]].any()
    assert not changed[:first].any()
    assert not changed[first + 16 :].any()
    assert np.array_equal(new.onsets[:, 0], original.onsets[:, 0])
    assert (new.meter, new.pickup, new.key) == (original.meter, original.pickup, original.key)


def test_candidates_are_listed_with_all_measures_and_the_best_is_written(here: Place) -> None:
    answer = here.json(
        "generate --model tiny --from piece.json --keep soprano --candidates 3 --seed 8 "
        "--out best.json"
    )

    original, *ranked = answer["candidates"]
    assert (answer["files"], answer["stuck"]) == (["best.json"], [])
    assert (original["number"], original["seed"]) == (0, None)
    assert original["distance"] == {"changed": 0.0, "interval": 0.0}
    assert sorted(one["seed"] for one in ranked) == [8, 9, 10]
    assert [one["score"] for one in ranked] == sorted(one["score"] for one in ranked)
    assert answer["nats_per_note"] == ranked[0]["nats_per_note"]
    assert list(ranked[0]["terms"]) == list(TERMS)
    assert ranked[0]["violations"]["crossing"].keys() == {"count", "rate", "unit"}
    written = here.read("best.json")
    found = [finding.rule for finding in voice_leading.find(written)]
    counts = {rule: row["count"] for rule, row in ranked[0]["violations"].items()}
    assert counts == {rule: found.count(rule) for rule in counts}
    assert ranked[0]["memorisation"].keys() == {"2", "longest_steps"}
    assert known(written.provenance).seed == answer["seed"] == ranked[0]["seed"]


def test_a_folder_gets_all_candidates_and_the_table_is_printed(here: Place) -> None:
    text = here.run("generate --model tiny --bars 1 --candidates 2 --format json --out all/").out
    assert here.names("all/*") == ["chorale-0.json", "chorale-1.json"]
    assert [line.split("  ")[0] for line in sorted(text.splitlines()[:3])] == [
        "candidate", "seed 0", "seed 1",
    ]  # fmt: skip


def test_weights_change_the_score(here: Place) -> None:
    answer = here.json(
        "generate --model tiny --bars 1 --candidates 2 --weights grade=0,nats=2 --out a.mid"
    )
    for one in answer["candidates"]:
        assert one["terms"]["grade"] == 0.0
        assert one["terms"]["nats"] == pytest.approx(2 * one["onward_nats_per_note"])


def test_a_preferred_cadence_changes_the_score(here: Place) -> None:
    answer = here.json(
        "generate --model tiny --bars 4 --phrases 1,1,2 --candidates 2 --cadence half --out a.json"
    )
    for one in answer["candidates"]:
        assert len(one["cadences"]) == 3
        missed = sum(kind != "half" for kind in one["cadences"]) / 3
        assert one["terms"]["cadence"] == pytest.approx(TERMS["cadence"].weight * missed)
    assert settings(here, "a.json")["cadence"] == "half"


def test_a_prompt_is_continued(here: Place) -> None:
    here.run("generate --model tiny --prompt piece.json --bars 4 --out longer.json")
    prompt, longer = here.read("piece.json"), here.read("longer.json")
    assert longer.steps == 64
    assert np.array_equal(longer.pitches[:40], prompt.pitches)
    assert np.array_equal(longer.onsets[:40], prompt.onsets)
    assert (longer.key, longer.pickup) == (prompt.key, prompt.pickup)

    here.run("generate --model tiny --prompt piece.json --phrases 1,2 --out phrases.json")
    assert here.read("phrases.json").steps == 48


def test_single_notes_are_locked_by_a_file(here: Place) -> None:
    locks = {"steps": 16, "cells": [[0, 0, 72, True, 4], [8, 3, 48]]}
    Path("locks.json").write_text(json.dumps(locks), encoding="utf-8")
    here.run("generate --model tiny --bars 1 --lock locks.json --rules range,crossing --out a.mid")

    piece = here.read("a.mid")
    assert piece.pitches[:4, 0].tolist() == [72] * 4
    assert piece.onsets[:4, 0].tolist() == [True, False, False, False]
    assert piece.pitches[8, 3] == 48
    assert settings(here, "a.mid")["locks"] == locks
    assert settings(here, "a.mid")["rules"] == ["range", "crossing"]


def test_the_piece_is_stored_up_to_a_cell_without_a_legal_note(here: Place) -> None:
    cells = [[0, 0, 60], [0, 1, 60], [0, 2, 60], [1, 2, 62, True]]
    Path("locks.json").write_text(json.dumps({"steps": 16, "cells": cells}), encoding="utf-8")

    command = f"generate {TINY} --bars 1 --pickup 0 --lock locks.json --temperature 3"
    options = "--rules range,crossing,parallels,rests --out out.json"
    sentence = ""
    for seed in range(60):
        code = main([*f"{command} --seed {seed} {options}".split()])
        sentence = here.capsys.readouterr().err
        if code == 1:
            break

    assert "no note is left for the Alto in bar 1, step 1" in sentence
    assert "the piece up to there is in out.json" in sentence
    assert here.read("out.json").pitches[:, :3].tolist() == [[60, 60, 60]]


@pytest.mark.parametrize("onset", [0, False])
def test_a_held_note_at_step_0_is_refused(here: Place, onset: object) -> None:
    """There is no note before it to hold; and a number is not an onset."""
    locks = {"steps": 16, "cells": [[0, 1, 60, onset]]}
    Path("locks.json").write_text(json.dumps(locks), encoding="utf-8")
    sentence = here.run("generate --bars 1 --lock locks.json --out a.mid", code=1).err
    assert "locks.json holds invalid locks" in sentence
    assert sentence.count("\n") == 1


def form_of(settings: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(settings[name] for name in ("phrases", "fermatas", "pickup"))


def drawn(seed: int) -> tuple[Any, ...]:
    request = GenerationRequest(bars=3, phrases=None, pickup=None, seed=seed)
    return form_of(request.resolved().to_json())


def test_phrases_and_pickup_are_drawn_for_each_seed(here: Place) -> None:
    here.run(f"generate {TINY} --bars 3 --format json --count 3 --out n/")
    here.run(f"generate {TINY} --bars 3 --seed 2 --out 2.json")
    several = [settings(here, f"n/chorale-{seed}.json") for seed in range(3)]
    assert several[2] == settings(here, "2.json")
    assert [form_of(one) for one in several] == [drawn(seed) for seed in range(3)]


def test_candidates_have_the_phrases_of_the_first_seed(here: Place) -> None:
    here.run(f"generate {TINY} --bars 3 --format json --candidates 3 --seed 6 --out n/")
    several = [settings(here, f"n/chorale-{seed}.json") for seed in (6, 7, 8)]
    assert [form_of(one) for one in several] == [drawn(6)] * 3


def test_length_form_and_first_chord_are_drawn_unless_they_are_given(here: Place) -> None:
    """With fixed notes and no phrases a piece has 16 bars, as a prompt always had."""
    here.run(f"generate {TINY} --quality draft --seed 7 --out a.json")
    open_ = GenerationRequest(bars=None, phrases=None, pickup=None, form=None, begins_on=None)
    expected = replace(open_, seed=7).resolved().to_json()
    found = settings(here, "a.json")
    for name in ("bars", "phrases", "form", "begins_on"):
        assert found.get(name) == expected.get(name)

    options = "--bars 5 --phrases 1,1,1,1,1 --form AAB --begins-on DOMINANT"
    answer = here.run(f"generate {TINY} {options} --out b.json")
    assert "although begins-on is dominant: expected quality" in answer.err
    found = settings(here, "b.json")
    assert (found["form"], found["begins_on"]) == ("aab", "dominant")

    options = "--phrases 1,2 --form through-composed --begins-on any"
    here.run(f"generate {TINY} {options} --out c.json")
    found = settings(here, "c.json")
    assert found["bars"] == 3
    assert not {"form", "begins_on"} & found.keys()


def test_phrases_and_ranges_may_be_left_to_the_model(here: Place) -> None:
    here.run(f"generate {TINY} --bars 1 --phrases none --ranges full --out a.json")
    found = settings(here, "a.json")
    assert (found["phrases"], found["pickup"]) == ([], 0)
    assert "ranges" not in found


def test_ranges_bind_the_new_notes(here: Place) -> None:
    command = f"generate {TINY} --bars 2 --temperature 2 --out a.json"
    here.run(command)
    found = settings(here, "a.json")["ranges"]
    assert tuple(map(tuple, found)) == voice_ranges.PRESETS["choir"].ranges

    here.run(f"{command} --ranges 70-72,65-67,55-57,48-50")

    lines = here.read("a.json").pitches.T
    for line, (low, high) in zip(lines, ((70, 72), (65, 67), (55, 57), (48, 50)), strict=True):
        assert {*line.tolist()} <= {-1, *range(low, high + 1)}


def test_muted_heads_are_in_the_settings_of_the_piece(here: Place) -> None:
    command = f"generate {TINY} --bars 1 --seed 3 --phrases none"
    here.run(f"{command} --out plain.json")
    here.run(f"{command} --mute 2.1,1 --mute-by zero --out muted.json")

    assert (here.read("plain.json").pitches != here.read("muted.json").pitches).any()
    found = settings(here, "muted.json")
    assert (found["mute"], found["mute_by"]) == ("1,2.1", "zero")


def test_an_infilling_model_generates_pieces(here: Place) -> None:
    answer = here.json(f"generate {INFILL} --bars 2 --count 2 --out n/")

    first, second = here.read("n/chorale-0.mid"), here.read("n/chorale-1.mid")
    assert answer["files"] == [str(Path("n") / f"chorale-{seed}.mid") for seed in (0, 1)]
    assert (first.steps, first.title) == (32, "Chorale 0")
    assert not np.array_equal(first.pitches, second.pitches)
    assert answer["nats_per_note"] > 0
    assert answer["tokens"] >= 2 * 32 * 4
    again = musicrel.generate(Path("infill"), bars=2, quality="draft")
    assert np.array_equal(again.pitches, first.pitches)
    assert known(again.provenance).settings["quality"] == "draft"


@pytest.mark.parametrize("model", [INFILL, f"{TINY} --candidates 2"])
def test_a_melody_gets_three_voices(here: Place, model: str) -> None:
    answer = here.json(f"harmonise tune.json {model} --out out.json")

    harmonised, original = here.read("out.json"), here.read("tune.json")
    assert np.array_equal(harmonised.pitches[:, 0], original.pitches[:, 0])
    assert np.array_equal(harmonised.onsets[:, 0], original.onsets[:, 0])
    assert (harmonised.pitches[:, 1:] != REST).any()
    assert harmonised.title == "A tune"
    assert answer["files"] == ["out.json"]
    assert {"model", "seed", "device", "threads", "tokens", "seconds"} <= set(answer)
    assert answer["tokens_per_second"] > 0
    assert answer["nats_per_note"] > 0


def test_phrases_replace_the_fermatas_of_a_melody(here: Place) -> None:
    answer = here.json(
        f"harmonise tune.json {INFILL} --phrases 1,1 --candidates 2 --cadence half --out out.json"
    )
    fermatas = np.flatnonzero(here.read("out.json").fermatas).tolist()
    assert fermatas == [*range(8, 16), *range(24, 32)]
    assert len(answer["candidates"][0]["cadences"]) == 2


@pytest.mark.parametrize(("higher", "moved"), [(24, -12), (16, 0), (15, 0), (-24, 24), (-1, 0)])
def test_a_melody_out_of_range_takes_the_choir_along(higher: int, moved: int, here: Place) -> None:
    tune = here.read("tune.json").pitches[:, 0] + higher
    pitches = np.full((32, 4), REST)
    pitches[:, 0] = tune
    Chorale.of(pitches).write("high.json")

    printed = here.run("harmonise high.json --model infill --seed 1 --out out.json").err

    made = here.read("out.json").pitches
    assert np.array_equal(made[:, 0], tune + moved)
    assert ("it was transposed" in printed) == (moved != 0)
    assert made[made != REST].min() >= RANGES[Voice.BASS][0] - 2


def test_a_bundled_tune_is_harmonised_in_any_voice(here: Place) -> None:
    answer = here.json(f"harmonise frere-jacques {INFILL} --voice T --candidates 2 --out n/")
    assert len(answer["files"]) == len(answer["candidates"]) == 2
    assert (here.read(answer["files"][0]).pitches[:, 2] != REST).any()


def test_only_the_named_cells_change(here: Place) -> None:
    here.run(f"infill piece.json {INFILL} --voices A,T --steps 16:32 --out out.json")

    before, after = here.read("piece.json"), here.read("out.json")
    differs = (before.pitches != after.pitches) | (before.onsets != after.onsets)
    assert differs.any()
    assert not differs[:, [0, 3]].any()
    assert not differs[:16].any()
    assert not differs[32:].any()


def test_a_piece_is_continued(here: Place) -> None:
    here.run(f"continue piece.json {INFILL} --bars 2 --out out.json")
    before, after = here.read("piece.json"), here.read("out.json")
    assert after.steps == before.steps + 32
    assert np.array_equal(after.pitches[: before.steps], before.pitches)


def test_a_piece_is_varied(here: Place) -> None:
    here.run(f"vary piece.json {INFILL} --change 0.2 --voices B --out out.json")
    differs = here.read("piece.json").pitches != here.read("out.json").pitches
    assert 0 < differs[:, 3].mean() < 0.4
    assert not differs[:, :3].any()


def test_a_verse_is_written_out_with_a_harmony_of_its_own(here: Place) -> None:
    bar = here.read("bar.json")
    words = tuple(Lyric(Voice.SOPRANO, verse, 0, "la") for verse in (1, 2, 3))
    files.write(replace(bar, lyrics=words), here.folder / "sung.json")
    here.run(f"infill sung.json {INFILL} --verse 3 --out own.json")
    here.run("convert own.json all.json --all-verses")

    own, in_order = here.read("own.json"), here.read("all.json")
    assert np.array_equal(own.pitches[:16], bar.pitches)
    assert np.array_equal(own.pitches[16:, 0], bar.pitches[:, 0])
    assert [(word.verse, word.step) for word in own.lyrics] == [(1, 0), (2, 0), (3, 16)]
    assert [(word.verse, word.step) for word in in_order.lyrics] == [(1, 0), (2, 16), (3, 32)]
    refused = here.run(f"infill sung.json {INFILL} --verse 3 --voices A --out x.json", code=2)
    assert "leave out --voices and --steps" in refused.err


@pytest.mark.parametrize("command", ["infill", "vary", "continue"])
def test_heads_are_muted_while_a_piece_is_rewritten(command: str, here: Place) -> None:
    here.run(f"{command} piece.json {INFILL} --mute 2 --mute-by zero --out new.json")
    found = settings(here, "new.json")
    assert (found["mute"], found["mute_by"]) == ("2", "zero")


@pytest.mark.parametrize("command", ["infill", "vary", "continue"])
def test_a_rewritten_piece_keeps_its_title(command: str, here: Place) -> None:
    titled = replace(files.read(here.folder / "piece.json"), title="Aurelia")
    files.write(titled, here.folder / "piece.json")
    here.run(f"{command} piece.json {INFILL} --out new.json")
    assert files.read(here.folder / "new.json").title == "Aurelia"


@pytest.mark.usefixtures("here")
def test_python_has_the_same_functions() -> None:
    model = Path("infill")
    harmonised = musicrel.harmonise("ode-to-joy", model=model, quality="draft", seed=3)
    result = musicrel.infill(
        "piece.json", voices="A", steps=(0, 8), model=model, quality="draft", candidates=2
    )

    assert isinstance(harmonised, Chorale)
    tune = files.read(melodies.path("ode-to-joy"))
    assert np.array_equal(harmonised.pitches[:, 0], tune.pitches[:, 0])
    assert len(result.ranked) == 2


@pytest.fixture
def long_file(here: Place) -> None:
    """Write forty minutes at 120 quarters per minute."""
    write_five_parts(here.folder / "long.mid", steps=4_800)


@pytest.mark.usefixtures("long_file")
def test_a_passage_of_forty_minutes_is_rewritten(here: Place) -> None:
    printed = here.run(f"infill long.mid {INFILL} --voices A,T --steps 0:16 --out out.json").err

    assert "too long for a piece: the first 16,384 were kept" in printed
    assert "long.mid: it is too long, only its first 255 bars are used" in printed
    piece = here.read("out.json")
    assert piece.bars == 255
    low, high = RANGES[Voice.ALTO]
    assert np.isin(piece.pitches[:, Voice.ALTO], [REST, *range(low, high + 1)]).all()


@pytest.mark.usefixtures("long_file")
@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("continue long.mid", "the piece would have 1,028 bars: expected at most 256 of 4/4"),
        (
            "generate --from long.mid --rewrite alto:1",
            "the piece has 1,024 bars: expected at most 256 of 4/4",
        ),
    ],
)
def test_forty_minutes_are_too_long_to_continue_or_rewrite(
    command: str, sentence: str, here: Place
) -> None:
    assert sentence in here.run(f"{command} --model infill --out out.mid", code=2).err


def test_the_help_gives_the_weights_as_they_are(here: Place) -> None:
    with pytest.raises(SystemExit):
        here.run("generate --help")
    text = "".join(here.capsys.readouterr().out.split())
    assert ",".join(f"{name}={term.weight:g}" for name, term in TERMS.items()) in text
    assert "atdraftitdoesnotseethem" in text


def test_words_give_the_form_of_a_piece_and_stand_under_its_soprano(here: Place) -> None:
    """Every piece has a note for each syllable; the settings are stored with the piece."""
    here.run(f"generate {TINY} --words words --language english --count 2 --out new --format json")
    for name in here.names("new/*.json"):
        piece = here.read(f"new/{name}")
        assert [(word.verse, word.step, word.text) for word in piece.lyrics] == [
            (1, 0, "Gen"), (1, 4, "tle"), (1, 8, "ri"), (1, 12, "ver"),
            (2, 0, "Wea"), (2, 4, "ry"), (2, 8, "wa"), (2, 12, "ters"),
        ]  # fmt: skip
        assert piece.title == "Gentle river"
        assert np.flatnonzero(piece.onsets[:, 0]).tolist() == [0, 4, 8, 12]
        assert settings(here, f"new/{name}")["rhythm"] == [0, 4, 8, 12]
    here.run(f"generate {TINY} --words words --lines-begin upbeat --meter 3/4 --out up.json")
    assert (here.read("up.json").pickup, here.read("up.json").steps) == (4, 24)


def test_words_are_set_under_a_melody_that_is_harmonised(here: Place) -> None:
    answer = here.run(f"harmonise tune.json {TINY} --words words --out sung.json")
    assert "verse 1, line 1: 4 syllables for 8 notes" in answer.err
    assert len(here.read("sung.json").lyrics) == 8
    (here.folder / "long").write_text("la la la la la la la la\n" * 4, encoding="utf-8")
    here.run(f"harmonise old-hundredth {TINY} --words long --out sung.json")
    assert len(here.read("sung.json").lyrics) == 32


def test_words_of_a_bundled_tune_go_with_its_voice_and_given_phrases(here: Place) -> None:
    (here.folder / "long").write_text("la la la la la la la la\n" * 4, encoding="utf-8")
    tune = "harmonise old-hundredth --words long --phrases 4,4"
    here.run(f"{tune} {TINY} --voice T --out sung.json")
    piece = here.read("sung.json")
    assert {word.voice for word in piece.lyrics} == {Voice.TENOR}
    assert len(piece.lyrics) == 32
    assert len(spans(piece.fermatas)) == 2
