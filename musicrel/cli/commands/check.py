"""``musicrel check``: check that all models work on a device as torch computes them on the CPU."""

from __future__ import annotations

import argparse

from musicrel.cli import output
from musicrel.cli.options import arguments
from musicrel.generation import kernel
from musicrel.model import devices


def add(parser: argparse.ArgumentParser) -> None:
    arguments.add(parser, (*arguments.DEVICE, arguments.JSON))


def run(options: argparse.Namespace) -> int:
    device = devices.resolve(options.device)
    from musicrel.checkup import checkup

    checks, findings = checkup.checks(device, options.threads), []
    with output.ProgressBar("checking", len(checks), "checks") as bar:
        for done, one in enumerate(checks):
            bar.set_done(done, f"{one.subject}: {one.name}")
            findings.append(checkup.tried(one))
    verdicts = [one.verdict for one in findings]
    passed, failed, rest = (verdicts.count(one) for one in ("passed", "failed", "not tried"))
    uses_kernel = device.type == "cpu" and kernel.available()
    machine = devices.describe(device, kernel="compiled" if uses_kernel else "torch")
    shown = [one.to_json() for one in findings]
    rows = [
        (one.subject, one.name, one.verdict, round(one.seconds, 1), one.finding) for one in findings
    ]
    output.print_result(
        {"machine": machine, "passed": not failed, "checks": shown},
        output.table(("with", "check", "verdict", "s", "finding"), rows)
        + f"\n{device}: {passed} checks passed, {failed} failed, {rest} could not be tried here",
        as_json=options.json,
    )
    return int(failed > 0)
