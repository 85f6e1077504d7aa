"""The rows of ``musicrel bench``, with small sizes or with parts that take no time."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from musicrel.errors import GenerationError
from musicrel.jobs import Job
from musicrel.model import devices
from training.bench import __main__ as bench
from training.bench import (
    bare_loop,
    decoder,
    peers,
    projects,
    rows,
    sound,
    training,
    workloads,
    writing,
)
from training.bench.bare_loop import BareLoop, CompilerError
from training.bench.rows import Row

CONFIG = workloads.config("relative", 8, width=16, layers=1)
NORMAL = "1 bars, shipped, relative, normal quality"


def by_name(found: list[Row]) -> dict[str, str | None]:
    """Return the figure that each row is compared with; every value is positive."""
    assert all(one["value"] > 0 and (one["ratio"] or 1) > 0 for one in found)
    return {one["name"]: one["ratio_to"] for one in found}


@pytest.fixture
def quick_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    def rows_of(name: str) -> list[Row]:
        return [rows.row(f"{name}, cpu", 2.0, "s", "another", 0.5)]

    quick = {name: lambda _device, _threads, name=name: rows_of(name) for name in bench.PARTS}
    monkeypatch.setattr(bench, "PARTS", quick)
    monkeypatch.setattr(peers, "find_spec", lambda _: None)
    monkeypatch.setattr(bare_loop, "missing", lambda: "there is no compiler")


@pytest.mark.usefixtures("quick_parts")
def test_all_parts_but_the_window_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """One message names the missing libraries; without ``--json`` there is a table."""
    assert bench.main(["--window-seconds", "0", "--json"]) == 0

    answer = capsys.readouterr()
    found = json.loads(answer.out)
    assert found.keys() == {"machine", "rows"}
    assert [one["name"] for one in found["rows"]] == [f"{name}, cpu" for name in bench.PARTS]
    assert found["rows"][0].keys() == {"name", "value", "unit", "ratio_to", "ratio"}
    assert answer.err.count("pip install 'musicrel[bench]'") == 1
    assert answer.err.splitlines()[-1] == "there is no compiler"

    assert bench.main(["--only", "sound"]) == 0
    answer = capsys.readouterr()
    assert " ".join(answer.out.splitlines()[1].split()) == "sound, cpu 2.0 s 0.50 x another"
    assert answer.err == ""


def test_the_parts_of_the_window_run_in_a_process_of_their_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []

    def run(command: list[str], **_: object) -> CompletedProcess[str]:
        commands.append(command[2:])
        row = json.dumps(rows.row("longest gap", 9.0, "ms"))
        return CompletedProcess(command, 0, row + "\n", "")

    monkeypatch.setattr(subprocess, "run", run)
    assert bench.main(["--only", "gaps", "window", "--window-seconds", "5", "--json"]) == 0

    assert commands == [
        ["training.bench.window", "--only", "gaps", "--seconds", "5.0"],
        ["training.bench.window", "--only", "roll", "study", "start", "--seconds", "5.0"],
    ]
    names = [one["name"] for one in json.loads(capsys.readouterr().out)["rows"]]
    assert names == ["longest gap"] * 2


def test_contenders_take_turns_and_the_best_counts() -> None:
    turns: list[str] = []
    seconds = rows.best({name: partial(turns.append, name) for name in "ab"}, repeats=3)

    assert turns == list("ababab")
    assert set(seconds) == {"a", "b"}


def test_speeds_are_compared_with_the_first_and_steps_with_the_one_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rows, "best", lambda _: {"a": 1.0, "b": 2.0, "c": 8.0})

    speeds = rows.speeds({}, {"a": 10, "b": 10, "c": 320})
    steps = rows.each_beside_the_last({})

    assert [(one["value"], one["ratio_to"], one["ratio"]) for one in speeds] == [
        (10, None, None), (5, "a", 0.5), (40, "a", 4),
    ]  # fmt: skip
    assert [(one["ratio_to"], one["ratio"]) for one in steps] == [
        (None, None), ("a", 2), ("b", 4),
    ]  # fmt: skip


def test_effects_on_a_note_and_on_the_piece_are_measured() -> None:
    found = writing.ablation("cpu", 1, bars=2, models=("relative",))
    assert list(by_name(found)) == [
        "heads and voices of a note of 2 bars, relative",
        "64 + 64 sources of a note of 2 bars, relative",
        "a head of 2 bars, relative, and none",
    ]


def test_wall_clock_and_processor_time_are_measured_for_each_request() -> None:
    names = [
        *(f"rewrite 2 bars of 4 in 2 voices, {quality}" for quality in ("draft", "normal", "high")),
        "harmonise 4 bars, draft, 1 candidate",
        "harmonise 4 bars, normal, 1 candidate",
        "harmonise 4 bars, normal, 2 candidates",
    ]
    expected = {
        key: value for name in names for key, value in ((name, None), (f"{name}, processor", name))
    }
    assert by_name(writing.rewriting("cpu", 1, bars=4, candidates=2)) == expected


def turns(log: list[str], name: str) -> Job[str, str]:
    for _ in range(2):
        log.append(name)
        yield name
    return name


def test_the_speed_of_each_is_relative_to_one_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here both together take 4 s, and alone 1 s and 2 s."""
    log: list[str] = []
    seconds = {"write, a": 1.0, "write, b": 2.0, "write, a and b at once": 4.0}

    def best(works: dict[str, Callable[[], object]]) -> dict[str, float]:
        for one in works.values():
            one()
        return {name: seconds[name] for name in works}

    monkeypatch.setattr(writing, "best", best)
    found = writing.pair_rows("write", {name: partial(turns, log, name) for name in "ab"})

    assert {one["name"]: one["value"] for one in found} == seconds
    assert (found[2]["ratio_to"], found[2]["ratio"]) == ("the speed of one alone", 0.375)
    assert sorted(log) == ["a"] * 4 + ["b"] * 4


def test_a_model_that_fails_ends_the_measurement() -> None:
    def fails() -> Job[str, None]:
        yield "a"
        raise GenerationError("no legal note")

    with pytest.raises(GenerationError, match="no legal note"):
        writing.run_both(fails, lambda: turns([], "b"))


def test_both_pairs_are_measured_at_two_qualities() -> None:
    names = list(by_name(writing.two_models("cpu", 1, bars=4)))

    assert names[:3] == [
        "write 4 bars, draft, attention recorded, relative",
        "write 4 bars, draft, attention recorded, vanilla",
        "write 4 bars, draft, attention recorded, relative and vanilla at once",
    ]
    assert names[-1] == (
        "rewrite 2 bars of 4 in 2 voices, normal, relative-infill and vanilla-infill at once"
    )
    assert len(names) == 12


def test_decoding_is_compared_with_other_decoders_and_the_bare_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = ("another decoder", peers.GPT2)
    monkeypatch.setattr(peers, "found", lambda *_: dict.fromkeys(names, lambda: None))
    found = decoder.decoder("cpu", 1, tokens=8, batch_tokens=8, prompt=8, bars=1)
    ratios, ours = by_name(found), "decode 8 tokens, vanilla"

    assert ratios["decode 8 tokens, vanilla, batch 8"] == "decode 8 tokens, vanilla, batch 1"
    assert ratios["another decoder"] == ratios["decode 8 tokens, relative"] == ours
    assert ratios[f"{ours}, attention recorded"] == ours
    assert ratios[f"{ours}, beside GPT-2"] == peers.GPT2
    if not bare_loop.missing():
        assert ratios["bare loop, 8 tokens, width 256"] == ours
    assert {
        "first token after 8 of a prompt, relative",
        "1 bars, width 256, vanilla",
        "8 candidates of 4 bars, shipped, relative",
    } <= ratios.keys()


def test_shares_are_those_of_the_bare_loop_of_the_same_shape() -> None:
    if bare_loop.missing():
        pytest.skip(bare_loop.missing())
    piece, one = "bare loop, 256 tokens, shape of relative", "bare loop, 8 tokens, width 256"
    once, four = f"{piece}, one pass", NORMAL.replace("1 bars", "4 bars")

    assert by_name(decoder.limit("cpu", 1, bars=4, tokens=8, batch=2, candidates=2)) == {
        piece: None,
        "write 4 bars, relative, attention recorded, rules": piece,
        once: once,
        "4 bars": once,
        "harmonise 4 bars": once,
        "harmonise 4 bars, 2 candidates": once,
        "harmonise 4 bars, 2 candidates, one thread": once,
        "2 candidates of 4 bars": once,
        "rewrite 2 bars of 4 in 2 voices": once,
        one: None,
        "decode 8 tokens, width 256, batch 1": one,
        "decode 8 tokens, width 256, batch 2": one,
        four: None,
        f"{four}, torch alone": four,
    }


def test_without_a_compiler_the_rows_beside_torch_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bare_loop, "missing", lambda: "there is no compiler")

    found = decoder.limit("cpu", 1, bars=1)

    assert by_name(found) == {NORMAL: None, f"{NORMAL}, torch alone": NORMAL}


def test_a_step_of_relative_attention_is_compared_with_vanilla() -> None:
    """At two lengths; with all scores written out; in bfloat16 where there is arithmetic for it."""
    sizes = ["2 x 32 tokens, {}", "4 x 16 tokens, {}"]
    if not devices.without_bfloat16("cpu"):
        sizes += ["4 x 16 tokens, {}, mixed", "2 x 32 tokens, {}, mixed"]
    expected: dict[str, str | None] = {}
    for size in (f"training step, {size}" for size in sizes):
        expected |= {size.format("vanilla"): None}
        expected |= {size.format("relative"): size.format("vanilla")}
    first = "training step, 2 x 32 tokens, relative"

    found = training.training("cpu", 1, length=32, batch=2, width=16, layers=1)
    assert by_name(found) == expected | {f"{first}, scores written out": first}


def test_a_step_of_a_run_is_measured_beside_a_bare_one() -> None:
    found = training.overhead("cpu", 1, study="smoke", repeats=1)

    names = list(by_name(found))
    assert len(names) % 3 == 0
    for bare in names[::3]:
        assert bare.startswith("training step, smoke study, ")
        assert by_name(found)[f"{bare}, in a run"] == bare
        assert by_name(found)[f"{bare}, checkpoint"] == f"{bare}, spread over all steps"


def test_opening_projects_and_writing_their_edits_is_measured() -> None:
    found = projects.rows(takes=20, edits=5, saves=2)

    assert by_name(found)
    assert {one["name"]: one["unit"] for one in found} == {
        "project of 20 takes: size": "MB",
        "project of 20 takes: open": "s",
        "project of 20 takes: first edit after a save, snapshot and edit": "ms",
        "project of 20 takes: write a later edit, median": "ms",
        "project of 20 takes: write a later edit, p99": "ms",
    }


def test_rendering_is_compared_with_the_music_and_all_else_with_rendering() -> None:
    """An instrument of a SoundFont is measured where FluidSynth is installed."""
    organ, *others, start, block = sound.rows(seconds=2)

    assert organ["name"] == "sound of 2 s of music"
    assert organ["ratio_to"] == block["ratio_to"] == "its duration"
    assert {row["ratio_to"] for row in (*others, start)} == {organ["name"]}
    assert others[0]["name"] == f"{organ['name']}, choir"


# ------------------------------------------------------------------------- loop in C, and peers


@pytest.fixture
def _compiled_again() -> Iterator[None]:
    bare_loop.library.cache_clear()
    yield
    bare_loop.library.cache_clear()


@pytest.mark.parametrize("scheme", ["relative", "sinusoidal"])
def test_the_bare_loop_decodes_all_tokens(scheme: str) -> None:
    """The last depends on random numbers, so that nothing is left out by the compiler."""
    if bare_loop.missing():
        pytest.skip(bare_loop.missing())
    loop = BareLoop(workloads.config(scheme, 8, width=16, layers=1), 8)

    last = {loop.decode() for _ in range(20)}

    assert all(0 <= token < CONFIG.tokens for token in last)
    assert len(last) > 1


@pytest.mark.skipif(os.name == "nt", reason="a script is no program there")
@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.usefixtures("_compiled_again")
def test_without_a_compiler_that_works_there_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    compiler, reason = tmp_path / "clang", "there is no C compiler here"
    if fails:
        compiler.write_text("#!/bin/sh\necho 'no header found' >&2\necho 'stopped' >&2\nexit 1\n")
        compiler.chmod(0o755)
        reason = f"{compiler} does not compile it (no header found)"
    monkeypatch.setenv("PATH", str(tmp_path))

    assert reason in bare_loop.missing()
    with pytest.raises(CompilerError, match=re.escape(reason)):
        BareLoop(CONFIG, 8)


@pytest.mark.parametrize(
    ("installed", "named"),
    [
        ((), "transformers and x-transformers are"),
        (("transformers",), "of x-transformers are"),
        (("x_transformers",), "of transformers are"),
        (("transformers", "x_transformers"), ""),
    ],
)
def test_missing_libraries_are_named_with_the_extra_that_installs_them(
    monkeypatch: pytest.MonkeyPatch, installed: tuple[str, ...], named: str
) -> None:
    monkeypatch.setattr(peers, "find_spec", lambda module: module in installed)

    assert named in peers.missing()
    assert peers.missing().endswith("'musicrel[bench]'") == bool(named)
    if not installed:
        assert peers.found(CONFIG, 8, "cpu") == {}


def test_every_peer_decodes_the_tokens_asked_for() -> None:
    for package in ("transformers", "x_transformers"):
        pytest.importorskip(package, reason="the extra bench is not installed")

    found = peers.found(workloads.config("sinusoidal", 8, width=16, layers=1), 4, "cpu")

    assert len(found) == 3
    for decode in found.values():
        decode()
