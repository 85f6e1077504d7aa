"""The commands about this machine: ``models``, ``check``, ``verify`` and ``bench``."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Collection, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from musicrel import jobs
from musicrel.cli import arguments, inputs, output
from musicrel.cli.arguments import Command, argument
from musicrel.errors import MusicrelError, UsageError, readable
from musicrel.experiment.study.measures import MEASURES
from musicrel.generation import kernel
from musicrel.model import catalogue, device_choice, devices
from musicrel.model.card import read_card
from musicrel.model.device_choice import Speeds, Task
from musicrel.model.devices import Device
from musicrel.presentation.compose import model_card

if TYPE_CHECKING:
    from musicrel.cli.verification import Item

_INFILL_NOTICE: Final = (
    "family infill: nats per hidden note, each predicted by itself; not comparable with the losses "
    "of other families"
)
# Keys of an entry, and titles of their columns.
_COLUMNS: Final = {
    "name": "name",
    "scheme": "scheme",
    "family": "family",
    "tokens": "tokens",
    "parameters": "parameters",
    "valid_nats_per_note": "validation",
    "test_nats_per_note": "test",
}
_CHECKOUT: Final = Path(__file__).parents[3]
PARTS: Final = (
    "writing", "rewriting", "two_models", "ablation", "decoder", "limit", "training", "overhead",
    "sound", "projects", "window", "gaps",
)  # fmt: skip
_NO_CHECKOUT: Final = (
    "musicrel bench runs only from a checkout of its sources, which has the folder training/bench: "
    "clone the repository and run it there"
)


def _models(options: argparse.Namespace) -> None:
    if options.name is None:
        _print_list(as_json=options.json)
        return
    card = read_card(catalogue.find(options.name))
    text = model_card.to_markdown(card, options.name)
    output.print_result(json.loads(card.to_json()), text, as_json=options.json)


def _print_list(*, as_json: bool) -> None:
    entries = []
    for folder in catalogue.model_directories():
        try:
            entries.append(_entry(folder))
        except MusicrelError as reason:
            output.print_message(f"skipped: {reason}")
    rows = [[_cell(entry[key]) for key in _COLUMNS] for entry in entries]
    notices = _notices({entry["family"] for entry in entries})
    text = "\n".join([output.table(list(_COLUMNS.values()), rows), *notices])
    output.print_result({"models": entries}, text, as_json=as_json)


def _notices(families: Collection[str]) -> list[str]:
    infill = [_INFILL_NOTICE] if "infill" in families else []
    units = {family: MEASURES[family].unit for family in MEASURES if family in families}
    others = [f"family {family}: {unit}" for family, unit in units.items() if unit != "nats/note"]
    return [*infill, *others]


def _entry(folder: Path) -> dict[str, Any]:
    from musicrel.model.checkpoint import weights_sha256

    card = read_card(folder)
    return {
        "name": folder.name,
        "scheme": card.config.scheme,
        "family": card.config.family,
        "parameters": card.parameters,
        "tokens": card.vocabulary["name"],
        "conditions": list(card.config.conditions),
        "valid_nats_per_note": card.valid_nats_per_note,
        "test_nats_per_note": card.test_nats_per_note,
        "sha256": weights_sha256(folder),
    }


def _cell(value: object) -> object:
    return f"{value:.4f}" if isinstance(value, float) else value


def _check(options: argparse.Namespace) -> int:
    device = devices.resolve(options.device)
    from musicrel.cli import checkup

    checks, found = checkup.checks(device, options.threads), []
    with output.ProgressBar("checking", len(checks), "checks") as bar:
        for done, one in enumerate(checks):
            bar.set_done(done, f"{one.subject}: {one.name}")
            found.append(checkup.tried(one))
    verdicts = [one["verdict"] for one in found]
    passed, failed, rest = (verdicts.count(one) for one in ("passed", "failed", "not tried"))
    uses_kernel = device.type == "cpu" and kernel.available()
    machine = devices.describe(device, kernel="compiled" if uses_kernel else "torch")
    rows = [
        (one["subject"], one["name"], one["verdict"], round(one["seconds"], 1), one["finding"])
        for one in found
    ]
    values: dict[str, Any] = {"machine": machine, "passed": not failed, "checks": found}
    text = output.table(("with", "check", "verdict", "s", "finding"), rows)
    text += f"\n{device}: {passed} checks passed, {failed} failed, {rest} could not be tried here"
    if device.type != "cpu":
        speeds = _speeds(device)
        values["speeds"] = {task: asdict(one) for task, one in speeds.items()}
        text += f"\n\n{_speed_table(device, speeds)}\n{device_choice.described()}"
    output.print_result(values, text, as_json=options.json)
    return int(failed > 0)


def _speeds(device: Device) -> dict[Task, Speeds]:
    """Measure the device beside the CPU; ``auto`` means the faster one from now on."""
    jobs_of = {task: device_choice.measure(task, device) for task in device_choice.TASKS}
    return {task: inputs.with_measurements(job)[0] for task, job in jobs_of.items()}


def _speed_table(device: Device, speeds: Mapping[Task, Speeds]) -> str:
    rows = [
        (task, *(found.in_words(name) for name in ("cpu", device)))
        for task, found in speeds.items()
    ]
    return output.table(("tokens a second", "cpu", device), rows, right=(1, 2))


def _verify(options: argparse.Namespace) -> int:
    from musicrel.cli import verification

    found: list[Item] = []

    def show(one: Item) -> None:
        found.append(one)
        if not options.json:
            output.print_text(_line(one), flush=True)

    named = [item for name in options.what for item in verification.named(name)]
    jobs.run(verification.verify(named if options.what else verification.known()), show)
    damaged = sum(bool(one.problem) for one in found)
    items = [
        {"kind": one.kind, "path": str(one.path), "problem": one.problem, "remark": one.remark}
        for one in found
    ]
    text = f"{len(found)} verified, {damaged} damaged"
    output.print_result({"items": items, "damaged": damaged}, text, as_json=options.json)
    return int(damaged > 0)


def _line(one: Item) -> str:
    path, text = str(one.path), one.problem or one.remark
    described = text if path in text else f"{path}: {text}" if text else path
    return f"{'damaged' if one.problem else 'intact':8} {one.kind:8} {readable(described)}"


def _bench(options: argparse.Namespace) -> int:
    if not (_CHECKOUT / "training/bench/__main__.py").is_file():
        raise UsageError(_NO_CHECKOUT)
    values = [("window-seconds", options.window_seconds), ("device", options.device)]
    values += [("threads", options.threads)] if options.threads else []
    command = [sys.executable, "-m", "training.bench"]
    command += [word for name, value in values for word in (f"--{name}", str(value))]
    command += ["--json"] * options.json + ["--only", *options.only]
    environment = os.environ | {"PYTHONPATH": str(_CHECKOUT)}
    return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603


COMMANDS: Final = {
    "models": Command(
        _models,
        (
            argument("name", "print the card of the model of this name or folder", nargs="?"),
            arguments.JSON,
        ),
    ),
    "check": Command(_check, (*arguments.CHECKED_DEVICE, arguments.JSON)),
    "verify": Command(
        _verify,
        (
            argument(
                "what",
                "the name of a model, 'corpus', a project, or a folder with models, runs, studies "
                "or projects (default: all models, the corpus, and your runs and studies)",
                nargs="*",
                metavar="MODEL|PATH",
            ),
            arguments.JSON,
        ),
    ),
    "bench": Command(
        _bench,
        (
            argument("--only", "parts (default: all)", nargs="+", choices=PARTS, default=[*PARTS]),
            argument(
                "--window-seconds",
                "how long to measure each page of the window (default: 120; 0 opens no window)",
                arguments.number("window-seconds"),
                120.0,
            ),
            *arguments.MEASURED_DEVICE,
            arguments.JSON,
        ),
    ),
}
