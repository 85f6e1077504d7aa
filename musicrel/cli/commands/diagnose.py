"""``musicrel diagnose``: test a model for defects that its losses do not show.

With ``--claims``: measure what Huang et al. 2018 describe of relative attention in chorales.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from musicrel import jobs, paths
from musicrel.cli import output
from musicrel.cli.options import arguments
from musicrel.cli.options.arguments import argument, flag
from musicrel.errors import UsageError

if TYPE_CHECKING:
    from musicrel.experiment.probes.claims import ClaimResults
    from musicrel.experiment.probes.probes import Probe

_DEFAULT_MODEL: Final = "relative"
_CLAIMED: Final = ("vanilla", "relative")
"""The models of ``--claims`` by default; the first is the reference."""
_TABLE: Final = ".md"


def add(parser: argparse.ArgumentParser) -> None:
    model = argument(
        "--model",
        "name or folder of a model; with --claims several, the first is the one that the others "
        f"are compared with (default: {_DEFAULT_MODEL}; with --claims {' and '.join(_CLAIMED)})",
        action="append",
    )
    claims = flag(
        "--claims",
        "measure the attention to the step before, the phrase beginning and the last events, and "
        "repeated notes, on the test pieces and on as many pieces that each model writes",
    )
    of_claims = (
        argument(
            "--pieces",
            "with --claims: number of test pieces (default: all)",
            arguments.number("pieces"),
        ),
        argument(
            "--seed",
            "with --claims: seed of the first piece that each model writes (default: 0)",
            arguments.number("seed"),
        ),
        argument("--out", "with --claims: JSON file to write; beside it a table as .md", Path),
    )
    arguments.add(parser, (model, claims, *of_claims, *arguments.DEVICE, arguments.JSON))


def run(options: argparse.Namespace) -> int:
    from musicrel.model import devices

    devices.use_threads(options.threads)
    if options.claims:
        return _claims(options)
    _check_without_claims(options)
    return _probes(options)


def _check_without_claims(options: argparse.Namespace) -> None:
    if options.model and len(options.model) > 1:
        raise UsageError(
            f"there are {len(options.model)} models: expected one, or --claims to compare several"
        )
    for name in ("pieces", "seed", "out"):
        if getattr(options, name) is not None:
            raise UsageError(f"--{name} needs --claims: add it, or leave --{name} out")


def _probes(options: argparse.Namespace) -> int:
    from musicrel.experiment.probes.probes import PROBES, diagnose
    from musicrel.model import devices

    (name,) = options.model or (_DEFAULT_MODEL,)
    with output.ProgressBar("examining", len(PROBES), "probes") as bar:
        job = diagnose(name, devices.resolve(options.device))
        found = jobs.run(job, lambda _: bar.update())
    rows = [(probe.name, probe.verdict, probe.finding) for probe in found]
    output.print_result(
        {"model": name, "probes": [_to_json(probe) for probe in found]},
        output.table(("probe", "verdict", "finding"), rows),
        as_json=options.json,
    )
    return 0


def _claims(options: argparse.Namespace) -> int:
    from musicrel.experiment.probes import claims

    names = options.model or _CLAIMED
    if options.out is not None:  # before hours of work
        if options.out.suffix.lower() == _TABLE or options.out.is_dir():
            raise UsageError(
                f"--out is {options.out}: expected a JSON file, beside which the table is written "
                f"as {_TABLE}"
            )
        paths.require_writable(options.out.parent)
    job = claims.examine_claims(
        names, pieces=options.pieces, device=options.device, first_seed=options.seed or 0
    )
    found = output.followed(
        job, "examining", "pieces", lambda at: (at.done, f"{at.model}, {at.task}", at.total)
    )
    if options.out is not None:
        _write(options, names, found)
    table = output.table(claims.head(found), list(claims.rows(found)))
    output.print_result(found.to_json(), table, as_json=options.json)
    return 0


def _write(options: argparse.Namespace, names: Sequence[str], found: ClaimResults) -> None:
    from musicrel.experiment.probes import claims

    pieces = f" --pieces {options.pieces}" if options.pieces else ""
    seed = f" --seed {options.seed}" if options.seed else ""
    models = "".join(f" --model {name}" for name in names)
    command = f"musicrel diagnose --claims{models}{pieces}{seed}"
    values = {"command": command} | found.to_json()
    content = json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False)
    paths.write_text(options.out, content + "\n")
    paths.write_text(options.out.with_suffix(_TABLE), claims.markdown(found, command))


def _to_json(probe: Probe) -> dict[str, Any]:
    """Return the values of a probe; a non-finite figure becomes null."""
    values = probe.to_json()
    if probe.figure is not None and not math.isfinite(probe.figure):
        values["figure"] = None
    return values
