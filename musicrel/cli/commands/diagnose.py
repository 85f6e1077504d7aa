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
from musicrel.errors import UsageError

if TYPE_CHECKING:
    from musicrel.experiment.probes.claim_results import ClaimResults
    from musicrel.experiment.probes.claims import ClaimProgress
    from musicrel.experiment.probes.probes import Probe

_DEFAULT_MODEL: Final = "relative"
_CLAIMED: Final = ("vanilla", "relative")
"""The models of ``--claims`` by default; the first is the reference."""
_TABLE: Final = ".md"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        action="append",
        help="name or folder of a model; with --claims several, the first is the one that the "
        f"others are compared with (default: {_DEFAULT_MODEL}; with --claims "
        f"{' and '.join(_CLAIMED)})",
    )
    parser.add_argument(
        "--claims",
        action="store_true",
        help="measure the attention to the step before, the phrase beginning and the last events, "
        "and repeated notes, on the test pieces and on as many pieces that each model writes",
    )
    parser.add_argument(
        "--pieces",
        type=arguments.number("pieces"),
        help="with --claims: number of test pieces (default: all)",
    )
    parser.add_argument(
        "--seed",
        type=arguments.number("seed"),
        help="with --claims: seed of the first piece that each model writes (default: 0)",
    )
    parser.add_argument(
        "--out", type=Path, help="with --claims: JSON file to write; beside it a table as .md"
    )
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Run all probes, or measure the claims; return the exit code, 0 for any finding."""
    from musicrel.model import devices

    devices.use_threads(options.threads)
    if options.claims:
        return _claims(options)
    _check_without_claims(options)
    return _probes(options)


def _check_without_claims(options: argparse.Namespace) -> None:
    """Refuse what only --claims uses."""
    if options.model and len(options.model) > 1:
        raise UsageError(
            f"there are {len(options.model)} models: expected one, or --claims to compare several"
        )
    for name in ("pieces", "seed", "out"):
        if getattr(options, name) is not None:
            raise UsageError(f"--{name} needs --claims: add it, or leave --{name} out")


def _probes(options: argparse.Namespace) -> int:
    from musicrel.experiment.probes.diagnosis import diagnose
    from musicrel.experiment.probes.probes import PROBES
    from musicrel.model import devices

    (name,) = options.model or (_DEFAULT_MODEL,)
    with output.ProgressBar("examining", len(PROBES), "probes") as bar:
        job = diagnose(name, devices.resolve(options.device))
        found = jobs.run(job, lambda _: bar.update())
    if options.json:
        output.print_json({"model": name, "probes": [_to_json(probe) for probe in found]})
    else:
        rows = [(probe.name, probe.verdict, probe.finding) for probe in found]
        output.print_text(output.table(("probe", "verdict", "finding"), rows))
    return 0


def _claims(options: argparse.Namespace) -> int:
    from musicrel.experiment.probes import claim_report
    from musicrel.experiment.probes.claims import examine_claims

    names = options.model or _CLAIMED
    if options.out is not None:
        _check_out(options.out)
    job = examine_claims(
        names, pieces=options.pieces, device=options.device, first_seed=options.seed or 0
    )
    with output.ProgressBar("examining", 1, "pieces") as bar:

        def show(progress: ClaimProgress) -> None:
            bar.set_total(progress.total)
            bar.set_done(progress.done, f"{progress.model}, {progress.task}")

        found = jobs.run(job, show)
    if options.out is not None:
        _write(options, names, found)
    if options.json:
        output.print_json(found.to_json())
    else:
        output.print_text(output.table(claim_report.head(found), list(claim_report.rows(found))))
    return 0


def _check_out(out: Path) -> None:
    """Check that the results can be written, before hours of work."""
    if out.suffix.lower() == _TABLE or out.is_dir():
        raise UsageError(
            f"--out is {out}: expected a JSON file, beside which the table is written as {_TABLE}"
        )
    paths.require_writable(out.parent)


def _write(options: argparse.Namespace, names: Sequence[str], found: ClaimResults) -> None:
    """Write the results as JSON, and the tables beside them."""
    from musicrel.experiment.probes import claim_report

    pieces = f" --pieces {options.pieces}" if options.pieces else ""
    seed = f" --seed {options.seed}" if options.seed else ""
    models = "".join(f" --model {name}" for name in names)
    command = f"musicrel diagnose --claims{models}{pieces}{seed}"
    values = {"command": command} | found.to_json()
    content = json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False)
    paths.write_text(options.out, content + "\n")
    paths.write_text(options.out.with_suffix(_TABLE), claim_report.markdown(found, command))


def _to_json(probe: Probe) -> dict[str, Any]:
    """Return the values of a probe; a non-finite figure becomes null."""
    values = probe.to_json()
    if probe.figure is not None and not math.isfinite(probe.figure):
        values["figure"] = None
    return values
