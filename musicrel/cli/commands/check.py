"""``musicrel check``: check that all models work on a device as torch computes them on the CPU."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from musicrel import jobs
from musicrel.cli import output
from musicrel.cli.options import arguments
from musicrel.generation import kernel
from musicrel.model import devices

if TYPE_CHECKING:
    from musicrel.checkup.findings import Checking, Finding

_HEAD = ("with", "check", "verdict", "s", "finding")


def add(parser: argparse.ArgumentParser) -> None:
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Check the device; return the exit code, 1 if a check failed."""
    device = devices.resolve(options.device)
    from musicrel.checkup import checkup

    with _Bar() as bar:
        findings = jobs.run(checkup.check(device, options.threads), bar.show)
    failed = sum(one.verdict == "failed" for one in findings)
    if options.json:
        uses_kernel = device.type == "cpu" and kernel.available()
        machine = devices.describe(device, kernel="compiled" if uses_kernel else "torch")
        checks = [one.to_json() for one in findings]
        output.print_json({"machine": machine, "passed": not failed, "checks": checks})
    else:
        output.print_text(_table(findings))
        output.print_text(_sentence(device, findings))
    return int(failed > 0)


class _Bar(output.ProgressBar):
    """A progress bar that names the check."""

    def __init__(self) -> None:
        super().__init__("checking", 0, "checks")

    def show(self, event: Checking | Finding) -> None:
        from musicrel.checkup.findings import Checking

        if isinstance(event, Checking):
            self.set_total(event.total)
            self.set_done(event.number - 1, f"{event.subject}: {event.name}")


def _table(findings: Sequence[Finding]) -> str:
    cells = [
        (one.subject, one.name, one.verdict, round(one.seconds, 1), one.finding) for one in findings
    ]
    return output.table(_HEAD, cells)


def _sentence(device: str, findings: Sequence[Finding]) -> str:
    """Return how many checks passed, failed and were not tried."""
    verdicts = [one.verdict for one in findings]
    passed, failed, rest = (verdicts.count(one) for one in ("passed", "failed", "not tried"))
    return f"{device}: {passed} checks passed, {failed} failed, {rest} could not be tried here"
