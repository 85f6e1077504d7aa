"""``musicrel diagnose``: test a model for defects that its losses do not show."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from musicrel import jobs
from musicrel.cli import output
from musicrel.cli.options import arguments

if TYPE_CHECKING:
    from musicrel.experiment.probes.probes import Probe


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.add_model(parser)
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Run all probes; return the exit code, 0 for any finding."""
    from musicrel.experiment.probes.diagnosis import diagnose
    from musicrel.experiment.probes.probes import PROBES
    from musicrel.model import devices

    devices.use_threads(options.threads)
    with output.ProgressBar("examining", len(PROBES), "probes") as bar:
        job = diagnose(options.model, devices.resolve(options.device))
        found = jobs.run(job, lambda _: bar.update())
    if options.json:
        output.print_json({"model": options.model, "probes": [_to_json(probe) for probe in found]})
    else:
        rows = [(probe.name, probe.verdict, probe.finding) for probe in found]
        output.print_text(output.table(("probe", "verdict", "finding"), rows))
    return 0


def _to_json(probe: Probe) -> dict[str, Any]:
    """Return the values of a probe; a non-finite figure becomes null."""
    values = probe.to_json()
    if probe.figure is not None and not math.isfinite(probe.figure):
        values["figure"] = None
    return values
