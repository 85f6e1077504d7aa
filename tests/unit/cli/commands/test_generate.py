"""``musicrel generate`` with fixed notes, and with several candidates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel.analysis import voice_leading
from musicrel.chorale import Chorale
from musicrel.cli.main import main
from musicrel.generation.candidates.ranking import TERMS
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.request import GenerationRequest
from musicrel.score import files
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import random_chorale

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model_directory(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def piece(tmp_path: Path) -> Path:
    path = tmp_path / "piece.json"
    random_chorale(4, 44).cropped(0, 40).write(path)
    return path


def generate(capsys: Capture, model: Path, *words: object) -> Any:
    code = main(["generate", "--model", str(model), "--device", "cpu", *map(str, words), "--json"])
    answer = capsys.readouterr()
    assert code == 0, answer.err
    return json.loads(answer.out)


def refusal(capsys: Capture, model: Path, *words: object) -> str:
    assert main(["generate", "--model", str(model), *map(str, words)]) in {1, 2}
    return capsys.readouterr().err


def test_a_part_is_rewritten_and_the_rest_is_kept(
    model: Path, piece: Path, tmp_path: Path, capsys: Capture
) -> None:
    original, out = files.read(piece), tmp_path / "new.json"

    generate(capsys, model, "--from", piece, "--rewrite", "alto,tenor:1", "--out", out)

    new = files.read(out)
    changed = new.pitches != original.pitches
    first = original.pickup
    assert changed.any()
    assert not changed[:, [0, 3]].any()
    assert not changed[:first].any()
    assert not changed[first + 16 :].any()
    assert np.array_equal(new.onsets[:, 0], original.onsets[:, 0])
    assert (new.meter, new.pickup, new.key) == (original.meter, original.pickup, original.key)


def test_candidates_are_listed_with_all_measures_and_the_best_is_written(
    model: Path, piece: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "best.json"
    words = ("--from", piece, "--keep", "soprano", "--candidates", 3, "--seed", 8, "--out", out)

    answer = generate(capsys, model, *words)

    assert answer["files"] == [str(out)]
    original, *ranked = answer["candidates"]
    assert (original["number"], original["seed"]) == (0, None)
    assert original["distance"] == {"changed": 0.0, "interval": 0.0}
    assert sorted(one["seed"] for one in ranked) == [8, 9, 10]
    assert [one["score"] for one in ranked] == sorted(one["score"] for one in ranked)
    assert answer["seed"] == ranked[0]["seed"]
    assert answer["nats_per_note"] == ranked[0]["nats_per_note"]
    assert list(ranked[0]["terms"]) == list(TERMS)
    assert ranked[0]["violations"]["crossing"].keys() == {"count", "rate", "unit"}
    found = [finding.rule for finding in voice_leading.find(files.read(out))]
    counts = {rule: row["count"] for rule, row in ranked[0]["violations"].items()}
    assert counts == {rule: found.count(rule) for rule in counts}
    assert ranked[0]["memorisation"].keys() == {"2", "longest_steps"}
    written = files.read(out)
    assert written.provenance is not None
    assert written.provenance.seed == answer["seed"]
    assert answer["stuck"] == []


def test_a_folder_gets_all_candidates_and_the_table_is_printed(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "all"
    words = ["--bars", "1", "--candidates", "2", "--format", "json", "--out", f"{out}/"]
    assert main(["generate", "--model", str(model), *words]) == 0

    text = capsys.readouterr().out
    assert {path.name for path in out.iterdir()} == {"chorale-0.json", "chorale-1.json"}
    assert text.splitlines()[0].split("  ")[0] == "candidate"
    assert {line.split("  ")[0] for line in text.splitlines()[1:3]} == {"seed 0", "seed 1"}


def test_weights_change_the_score(model: Path, tmp_path: Path, capsys: Capture) -> None:
    words = ("--bars", 1, "--candidates", 2, "--out", tmp_path / "a.mid")
    answer = generate(capsys, model, *words, "--weights", "grade=0,nats=2")
    for one in answer["candidates"]:
        assert one["terms"]["grade"] == 0.0
        assert one["terms"]["nats"] == pytest.approx(2 * one["onward_nats_per_note"])


def test_a_preferred_cadence_changes_the_score(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    words = ("--bars", 4, "--phrases", "1,1,2", "--candidates", 2, "--out", tmp_path / "a.json")
    answer = generate(capsys, model, *words, "--cadence", "half")
    for one in answer["candidates"]:
        assert len(one["cadences"]) == 3
        missed = sum(kind != "half" for kind in one["cadences"]) / 3
        assert one["terms"]["cadence"] == pytest.approx(TERMS["cadence"].weight * missed)
    written = files.read(tmp_path / "a.json")
    assert written.provenance is not None
    assert written.provenance.settings["cadence"] == "half"


def test_a_prompt_is_continued(model: Path, piece: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "longer.json"
    generate(capsys, model, "--prompt", piece, "--bars", 4, "--out", out)
    prompt, longer = files.read(piece), files.read(out)
    assert longer.steps == 64
    assert np.array_equal(longer.pitches[:40], prompt.pitches)
    assert np.array_equal(longer.onsets[:40], prompt.onsets)
    assert (longer.key, longer.pickup) == (prompt.key, prompt.pickup)


def test_single_notes_are_locked_by_a_file(model: Path, tmp_path: Path, capsys: Capture) -> None:
    locks = {"steps": 16, "cells": [[0, 0, 72, True, 4], [8, 3, 48]]}
    (tmp_path / "locks.json").write_text(json.dumps(locks), encoding="utf-8")
    words = ("--bars", 1, "--lock", tmp_path / "locks.json", "--rules", "range,crossing")
    generate(capsys, model, *words, "--out", tmp_path / "a.mid")

    piece = files.read(tmp_path / "a.mid")
    assert piece.pitches[:4, 0].tolist() == [72] * 4
    assert piece.onsets[:4, 0].tolist() == [True, False, False, False]
    assert piece.pitches[8, 3] == 48
    assert piece.provenance is not None
    assert piece.provenance.settings["locks"] == locks
    assert piece.provenance.settings["rules"] == ["range", "crossing"]


def test_the_piece_is_stored_up_to_a_cell_without_a_legal_note(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    cells = [[0, 0, 60], [0, 1, 60], [0, 2, 60], [1, 2, 62, True]]
    locks = tmp_path / "locks.json"
    locks.write_text(json.dumps({"steps": 16, "cells": cells}), encoding="utf-8")
    options = ["--bars", "1", "--pickup", "0", "--lock", str(locks)]
    options += ["--rules", "range,crossing,parallels,rests"]
    out = tmp_path / "out.json"
    for seed in range(60):
        words = [*options, "--temperature", "3", "--seed", str(seed), "--out", str(out)]
        if main(["generate", "--model", str(model), "--quality", "draft", *words]) == 1:
            break
        capsys.readouterr()

    sentence = capsys.readouterr().err
    assert "no note is left for the Alto in bar 1, step 1" in sentence
    assert f"the piece up to there is in {out}" in sentence
    assert files.read(out).pitches[:, :3].tolist() == [[60, 60, 60]]


def test_the_old_name_of_quality_gives_the_same_piece(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    generate(capsys, model, "--bars", 1, "--quality", "high", "--out", first)
    generate(capsys, model, "--bars", 1, "--patience", "careful", "--out", second)
    assert first.read_bytes() == second.read_bytes()
    assert '"quality": "high"' in second.read_text(encoding="utf-8")


@pytest.mark.parametrize("onset", [0, False])
def test_a_held_note_at_step_0_is_refused(
    model: Path, tmp_path: Path, capsys: Capture, onset: object
) -> None:
    """There is no note before it to hold; and a number is not an onset."""
    locks = tmp_path / "locks.json"
    locks.write_text(json.dumps({"steps": 16, "cells": [[0, 1, 60, onset]]}), encoding="utf-8")

    sentence = refusal(capsys, model, "--bars", 1, "--lock", locks, "--out", tmp_path / "a.mid")

    assert "locks.json holds invalid locks" in sentence
    assert len(sentence.splitlines()) == 1


def test_the_help_gives_the_weights_as_they_are(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["generate", "--help"])
    text = "".join(capsys.readouterr().out.split())
    weights = ",".join(f"{name}={term.weight:g}" for name, term in TERMS.items())
    assert weights in text
    assert "atdraftitdoesnotseethem" in text


def test_a_piece_is_written_without_rules(model: Path, tmp_path: Path, capsys: Capture) -> None:
    generate(capsys, model, "--bars", 1, "--rules", "none", "--out", tmp_path / "a.json")
    assert isinstance(files.read(tmp_path / "a.json"), Chorale)


def settings(answer: Any) -> list[dict[str, Any]]:
    pieces = [files.read(Path(file)) for file in answer["files"]]
    return [dict(piece.provenance.settings) for piece in pieces if piece.provenance is not None]


def form_of(settings: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(settings[name] for name in ("phrases", "fermatas", "pickup"))


def drawn(seed: int) -> tuple[Any, ...]:
    request = GenerationRequest(bars=3, phrases=None, pickup=None, seed=seed)
    return form_of(request.resolved().to_json())


def test_phrases_and_pickup_are_drawn_for_each_seed(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    words = ("--bars", 3, "--quality", "draft", "--format", "json")
    several = settings(generate(capsys, model, *words, "--count", 3, "--out", f"{tmp_path}/n/"))
    (alone,) = settings(generate(capsys, model, *words, "--seed", 2, "--out", tmp_path / "2.json"))
    assert several[2] == alone
    for seed, one in enumerate(several):
        assert form_of(one) == drawn(seed)


def test_candidates_have_the_phrases_of_the_first_seed(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    words = ("--bars", 3, "--quality", "draft", "--format", "json", "--candidates", 3)
    several = settings(generate(capsys, model, *words, "--seed", 6, "--out", f"{tmp_path}/n/"))
    assert [form_of(one) for one in several] == [drawn(6)] * 3


def test_phrases_and_ranges_may_be_left_to_the_model(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    words = ("--bars", 1, "--out", tmp_path / "a.json", "--quality", "draft")
    (found,) = settings(generate(capsys, model, *words, "--phrases", "none", "--ranges", "full"))
    assert (found["phrases"], found["pickup"]) == ([], 0)
    assert "ranges" not in found


def test_ranges_bind_the_new_notes(model: Path, tmp_path: Path, capsys: Capture) -> None:
    words = ("--bars", 2, "--temperature", 2, "--quality", "draft", "--out", tmp_path / "a.json")
    (found,) = settings(generate(capsys, model, *words))
    assert tuple(map(tuple, found["ranges"])) == voice_ranges.PRESETS["choir"].ranges

    generate(capsys, model, *words, "--ranges", "70-72,65-67,55-57,48-50")

    pitches = files.read(tmp_path / "a.json").pitches
    for line, (low, high) in zip(pitches.T, ((70, 72), (65, 67), (55, 57), (48, 50)), strict=True):
        assert {*line.tolist()} <= {-1, *range(low, high + 1)}


def test_muted_heads_are_in_the_settings_of_the_piece(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    plain, muted = tmp_path / "plain.json", tmp_path / "muted.json"
    form = ("--bars", 1, "--seed", 3, "--phrases", "none", "--quality", "draft")

    generate(capsys, model, *form, "--out", plain)
    generate(capsys, model, *form, "--mute", "2.1,1", "--mute-by", "zero", "--out", muted)

    one, other = files.read(plain), files.read(muted)
    assert (one.pitches != other.pitches).any()
    assert other.provenance is not None
    assert other.provenance.settings["mute"] == "1,2.1"
    assert other.provenance.settings["mute_by"] == "zero"
