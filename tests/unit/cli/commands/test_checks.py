"""``musicrel models``, ``bench``, and ``check`` with checks that take no time."""

from __future__ import annotations

import subprocess
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from musicrel.cli import checkup
from musicrel.cli.checkup import Check, Outcome
from musicrel.cli.commands import checks
from musicrel.errors import ModelError
from tests.devices import IS_THERE
from tests.helpers.measured_devices import Graphics
from tests.unit.cli.conftest import Place


def passing() -> Outcome:
    return Outcome(finding="largest difference of 2 logits: 1.0e-06", figure=1e-6, limit=1e-4)


def failing() -> Outcome:
    raise ModelError("it is damaged")


def impossible() -> Outcome:
    return Outcome("only CUDA does this", holds=None)


def interrupted() -> Outcome:
    raise KeyboardInterrupt


def use(monkeypatch: pytest.MonkeyPatch, **works: object) -> None:
    checks = [Check("model", name, work) for name, work in works.items()]  # type: ignore[arg-type]
    monkeypatch.setattr(checkup, "checks", lambda _device, _threads: checks)


def test_findings_are_printed_as_a_table(here: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, logits=passing, replay=impossible)

    head, first, second, last = here.run("check --device cpu").out.splitlines()

    assert head.split() == ["with", "check", "verdict", "s", "finding"]
    assert first.split(maxsplit=3)[:3] == ["model", "logits", "passed"]
    assert first.endswith("largest difference of 2 logits: 1.0e-06")
    assert second.endswith("only CUDA does this")
    assert last == "cpu: 1 checks passed, 0 failed, 1 could not be tried here"


def test_a_failed_check_sets_the_exit_code(here: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, load=failing, logits=passing)

    printed = here.run("check --device cpu", code=1).out
    answer = here.json("check --device cpu", code=1)

    assert "cpu: 1 checks passed, 1 failed, 0 could not" in printed
    assert (answer["machine"]["device"], answer["passed"]) == ("cpu", False)
    load, logits = answer["checks"]
    assert (load["verdict"], load["finding"], load["figure"]) == ("failed", "it is damaged", None)
    assert (logits["verdict"], logits["figure"], logits["limit"]) == ("passed", 1e-6, 1e-4)


def test_an_interruption_ends_it(here: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, logits=interrupted)
    assert here.run("check --device cpu", code=130).err.splitlines()[-1] == "interrupted"


def test_speeds_are_measured_beside_those_of_the_cpu(
    here: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """They are what auto means from then on."""
    use(monkeypatch, logits=passing)
    gpu = Graphics(monkeypatch, tmp_path / "cache")
    gpu.folder.mkdir()
    gpu.have(cpu=31000.4, cuda=100.0)

    *_, summary, empty, head, writing, training, last = here.run("check").out.splitlines()
    gpu.answer({"device": "cpu", "tokens_per_second": 2}, {"device": "cuda", "failed": "no driver"})
    answer = here.json("check --device cuda")["speeds"]

    assert summary.startswith("cuda: 1 checks passed")
    assert (empty, last) == ("", "writing on the CPU, training on the CPU")
    assert head.split() == ["tokens", "a", "second", "cpu", "cuda"]
    assert writing.split() == ["writing", "31,000", "100"]
    assert training.split() == ["training", "31,000", "100"]
    assert answer["training"]["tokens_per_second"] == {"cpu": 2}
    assert answer["writing"]["failed"] == {"cuda": "no driver"}
    assert gpu.started == ["writing", "training"] * 2


@pytest.mark.skipif(IS_THERE["cuda"], reason="there is a cuda device here")
def test_a_device_that_is_not_there_is_a_sentence(here: Place) -> None:
    assert here.run("check --device cuda", code=2).err == (
        "musicrel check: torch finds no cuda device on this machine: use --device cpu or auto\n"
    )


def test_options_are_handed_on(here: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def run(command: list[str], **_: object) -> CompletedProcess[str]:
        commands.append(command[1:])
        return CompletedProcess(command, 3)

    monkeypatch.setattr(subprocess, "run", run)

    here.run("bench --only gaps sound --window-seconds 5 --json", code=3)
    assert commands == [[
        "-m", "training.bench", "--window-seconds", "5.0", "--device", "auto",
        "--json", "--only", "gaps", "sound",
    ]]  # fmt: skip


def test_an_installed_copy_refuses_with_a_sentence(
    here: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "_CHECKOUT", here.folder)
    assert "runs only from a checkout" in here.run("bench", code=2).err


def test_models_of_the_user_are_listed_unless_they_have_no_weights(
    here: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUSICREL_HOME", str(here.folder))
    (here.folder / "models" / "half").mkdir(parents=True)
    (here.folder / "models" / "half" / "card.json").write_text(here.text("tiny/card.json"))
    (here.folder / "models" / "mine").symlink_to(here.folder / "tiny")

    answer = here.run("models --json")

    listed = {entry["name"]: entry for entry in answer.json["models"]}
    assert "skipped: " in answer.err
    assert "half" not in listed
    assert (listed["mine"]["scheme"], listed["mine"]["family"]) == ("relative", "causal")
    assert listed["mine"]["tokens"] == "articulated"
    assert len(listed["mine"]["sha256"]) == 64
