"""Write what musicrel is made of: a bill of materials (CycloneDX) and the licences of all parts.

    python packaging/sbom.py [--out DIR] [--light]

Run it in the environment that is bundled. It writes DIR/musicrel.cdx.json and
DIR/THIRD-PARTY-LICENSES.txt, always the same for the same environment.
"""

from __future__ import annotations

import argparse
import json
import sys
import uuid
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import distributions
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model import component as cyclonedx
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from distributions import ROOT, Component, IncompleteError
from packageurl import PackageURL

BILL: Final = "musicrel.cdx.json"
LICENCES: Final = "THIRD-PARTY-LICENSES.txt"
_TYPES: Final = {"musicrel": ComponentType.APPLICATION, "python": ComponentType.PLATFORM}
_LINE: Final = "=" * 80
_NAMESPACE: Final = uuid.uuid5(uuid.NAMESPACE_DNS, "musicrel")
_NO_TIME: Final = datetime(1980, 1, 1, tzinfo=UTC)
"""The bill is the same for the same environment."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write both files and return the exit code."""
    parser = argparse.ArgumentParser(prog="sbom.py", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder of the results")
    parser.add_argument("--light", action="store_true", help="of the bundle without torch")
    args = parser.parse_args(arguments)
    try:
        write(args.out, without=distributions.HEAVY if args.light else ())
    except IncompleteError as problem:
        print(f"No bill of materials: {problem}", file=sys.stderr)
        return 1
    return 0


def write(folder: Path, *, without: Collection[str] = ()) -> None:
    """Write the bill and the licences into ``folder``, and print the number of components.

    Args:
        folder: created where it is missing.
        without: names of distributions that are left out.

    Raises:
        IncompleteError: a needed distribution is not installed, or has no licence.
    """
    found = distributions.components(without=without)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / BILL).write_text(JsonV1Dot6(bill(found)).output_as_string(indent=1), "utf-8")
    (folder / LICENCES).write_text(licences(found), "utf-8")
    print(f"{len(found)} components: {folder / BILL}, {folder / LICENCES}")


def bill(found: Sequence[Component], root: Path = ROOT) -> Bom:
    """Return the bill of materials.

    Args:
        found: the components, the program first.
        root: the source tree; its models are components, too.
    """
    parts = {one.name: _entry(one) for one in found}
    own, *others = parts.values()
    models = _models(root)
    content = Bom(components=[*others, *models])
    content.metadata.component = own
    content.metadata.timestamp = _NO_TIME
    for one in found:
        needs = [parts[name] for name in one.needs]
        is_program = parts[one.name] is own
        content.register_dependency(
            parts[one.name], [*needs, parts["python"], *models] if is_program else needs
        )
    content.serial_number = uuid.uuid5(_NAMESPACE, repr(found))
    return content


def licences(found: Sequence[Component]) -> str:
    """Return the licences of all components with their texts, to be read by a person."""
    parts = ["What musicrel is made of, and the licences of its parts.\n"]
    for one in found:
        parts.append(f"{_LINE}\n{one.name} {one.version}: {one.licence}\n{_LINE}\n")
        parts += [f"--- {name}\n\n{text.strip()}\n" for name, text in one.texts.items()]
    return "\n".join(parts)


def _entry(component: Component) -> cyclonedx.Component:
    is_library = component.name not in _TYPES
    purl = PackageURL("pypi", name=component.name, version=component.version)
    return cyclonedx.Component(
        type=_TYPES.get(component.name, ComponentType.LIBRARY),
        bom_ref=component.name,
        name=component.name,
        version=component.version,
        licenses=[
            LicenseExpression(component.licence)
            if component.is_expression
            else DisjunctiveLicense(name=component.licence)
        ],
        purl=purl if is_library else None,
    )


def _models(root: Path) -> list[cyclonedx.Component]:
    """Return the entries of the bundled models, with the checksums on their cards."""
    cards = sorted((root / "assets" / "models").glob("*/card.json"))
    return [
        cyclonedx.Component(
            type=ComponentType.MACHINE_LEARNING_MODEL,
            bom_ref=f"model-{path.parent.name}",
            name=path.parent.name,
            hashes=[
                HashType(
                    alg=HashAlgorithm.SHA_256,
                    content=json.loads(path.read_text("utf-8"))["weights_sha256"],
                )
            ],
        )
        for path in cards
    ]


if __name__ == "__main__":
    sys.exit(main())
