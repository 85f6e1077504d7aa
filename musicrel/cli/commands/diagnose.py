"""``musicrel diagnose``: what can be wrong with a model without anybody noticing.

This file knows arguments and tables; the probes are ``musicrel.experiment.probes.probes``'.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from musicrel.cli import output
from musicrel.cli.options import arguments

if TYPE_CHECKING:
    from musicrel.experiment.probes.examined import Probe


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    arguments.add_model(parser)
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(asked: argparse.Namespace) -> int:
    """Examine the model; the exit code, which is 0 whatever was found."""
    from musicrel import jobs
    from musicrel.experiment.probes.diagnosis import diagnose
    from musicrel.experiment.probes.probes import PROBES
    from musicrel.model import devices

    devices.use_threads(asked.threads)
    with output.Progress("examining", len(PROBES), "probes") as progress:
        done = 0

        def show(_: Probe) -> None:
            nonlocal done
            done += 1
            progress.reach(done)

        found = jobs.run(diagnose(asked.model, devices.resolve(asked.device)), show)
    if asked.json:
        output.say_json({"model": asked.model, "probes": [_entry(probe) for probe in found]})
    else:
        rows = [(probe.name, probe.verdict, probe.says) for probe in found]
        output.say(output.table(("probe", "verdict", "what was found"), rows))
    return 0


def _entry(probe: Probe) -> dict[str, Any]:
    """A probe as JSON values; a figure that is no number stands as null."""
    values = asdict(probe) | {"details": dict(probe.details)}
    if probe.figure is not None and not math.isfinite(probe.figure):
        values["figure"] = None
    return values
