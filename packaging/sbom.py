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
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import distributions
from distributions import ROOT, Component, IncompleteError

BILL: Final = "musicrel.cdx.json"
LICENCES: Final = "THIRD-PARTY-LICENSES.txt"
FORMAT_VERSION: Final = "1.6"

_TYPES: Final = {"musicrel": "application", "python": "platform"}
_LINE: Final = "=" * 80
_NAMESPACE: Final = uuid.uuid5(uuid.NAMESPACE_DNS, "musicrel")


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
    text = json.dumps(bill(found), indent=1, ensure_ascii=False)
    (folder / BILL).write_text(text + "\n", "utf-8")
    (folder / LICENCES).write_text(licences(found), "utf-8")
    print(f"{len(found)} components: {folder / BILL}, {folder / LICENCES}")


def bill(found: Sequence[Component], root: Path = ROOT) -> dict[str, Any]:
    """Return the bill of materials as a CycloneDX document.

    Args:
        found: the components, the program first.
        root: the source tree; its models are components, too.
    """
    program, *others = found
    models = _models(root)
    content: dict[str, Any] = {
        "metadata": {"component": _entry(program)},
        "components": [*map(_entry, others), *models],
        "dependencies": _dependencies(found, models),
    }
    serial = uuid.uuid5(_NAMESPACE, json.dumps(content, sort_keys=True))
    return {
        "$schema": f"http://cyclonedx.org/schema/bom-{FORMAT_VERSION}.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": FORMAT_VERSION,
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        **content,
    }


def licences(found: Sequence[Component]) -> str:
    """Return the licences of all components with their texts, to be read by a person."""
    parts = ["What musicrel is made of, and the licences of its parts.\n"]
    for one in found:
        parts.append(f"{_LINE}\n{one.name} {one.version}: {one.licence}\n{_LINE}\n")
        parts += [f"--- {name}\n\n{text.strip()}\n" for name, text in one.texts.items()]
    return "\n".join(parts)


def _entry(component: Component) -> dict[str, Any]:
    entry = {
        "type": _TYPES.get(component.name, "library"),
        "bom-ref": component.name,
        "name": component.name,
        "version": component.version,
        "licenses": [_licence(component)],
    }
    if component.name not in _TYPES:
        entry["purl"] = f"pkg:pypi/{component.name}@{quote(component.version)}"
    return entry


def _licence(component: Component) -> dict[str, Any]:
    if component.is_expression:
        return {"expression": component.licence}
    return {"license": {"name": component.licence}}


def _models(root: Path) -> list[dict[str, Any]]:
    """Return the entries of the bundled models, with the checksums on their cards."""
    entries = []
    for path in sorted((root / "assets" / "models").glob("*/card.json")):
        card = json.loads(path.read_text("utf-8"))
        entries.append(
            {
                "type": "machine-learning-model",
                "bom-ref": f"model-{path.parent.name}",
                "name": path.parent.name,
                "hashes": [{"alg": "SHA-256", "content": card["weights_sha256"]}],
            }
        )
    return entries


def _dependencies(
    found: Sequence[Component], models: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    program, *others = found
    own = ["python", *program.needs, *(str(model["bom-ref"]) for model in models)]
    edges = {program.name: own, **{other.name: list(other.needs) for other in others}}
    return [{"ref": name, "dependsOn": sorted(needs)} for name, needs in edges.items()]


if __name__ == "__main__":
    sys.exit(main())
