"""The bill of materials and the licences: complete, consistent, refused where one is unknown."""

from __future__ import annotations

import json
import tomllib
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement

from musicrel import paths

ROOT = Path(__file__).parents[3]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "LICENSE").write_text("Do as you like.", "utf-8")
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nversion = "1.2"\nlicense = "MIT"\ndependencies = ["Some_Thing>=1"]\n'
        '[project.optional-dependencies]\nmore = ["absent"]\n',
        "utf-8",
    )
    return tmp_path


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, *lines: str, text: str = "") -> None:
    """Install the metadata of Some_Thing 1.5 with more lines, and with a licence text or none."""
    inside = folder / "some_thing-1.5.dist-info"
    (inside / "licenses").mkdir(parents=True)
    head = ["Metadata-Version: 2.4", "Name: Some_Thing", "Version: 1.5", *lines]
    (inside / "METADATA").write_text("\n".join(head) + "\n", "utf-8")
    record = [f"{inside.name}/METADATA,,"]
    if text:
        (inside / "licenses" / "COPYING").write_text(text, "utf-8")
        record.append(f"{inside.name}/licenses/COPYING,,")
    (inside / "RECORD").write_text("\n".join(record) + "\n", "utf-8")
    monkeypatch.syspath_prepend(str(folder))


@pytest.fixture
def bill(sbom: ModuleType) -> dict[str, Any]:
    made = sbom.bill(sbom.distributions.components())
    found: dict[str, Any] = json.loads(sbom.JsonV1Dot6(made).output_as_string())
    return found


def test_every_dependency_is_listed_with_its_installed_version(
    sbom: ModuleType, bill: dict[str, Any]
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [Requirement(line) for line in project["dependencies"]]
    direct = {one.name for one in wanted if one.marker is None or one.marker.evaluate()}
    listed = {entry["name"]: entry.get("version") for entry in bill["components"]}

    for name in direct | {"llvmlite", "sympy", "shiboken6", "pyfluidsynth"}:
        assert listed[sbom.distributions.normal_name(name)] == metadata.version(name)
    assert not {"pytest", "ray", "hatchling"} & set(listed)
    assert bill["metadata"]["component"]["version"] == project["version"]


def test_the_bill_of_the_light_bundle_leaves_torch_out(sbom: ModuleType) -> None:
    found = sbom.distributions.components(without=sbom.distributions.HEAVY)
    names = {one.name for one in found}

    assert {"musicrel", "numba", "verovio"} < names
    assert not {"torch", "sympy", "networkx"} & names
    assert "torch" not in found[0].needs


def test_the_bill_is_consistent(bill: dict[str, Any]) -> None:
    """References are unique and lead to components; each library has a licence and an address."""
    entries = [bill["metadata"]["component"], *bill["components"]]
    known = [entry["bom-ref"] for entry in entries]

    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert len(known) == len(set(known))
    assert {ref for edge in bill["dependencies"] for ref in edge.get("dependsOn", ())} < set(known)
    libraries = [entry for entry in entries if entry["type"] == "library"]
    assert all(entry["licenses"] and entry["purl"].startswith("pkg:pypi/") for entry in libraries)
    models = {
        entry["name"]: entry["hashes"][0]["content"]
        for entry in bill["components"]
        if entry["type"] == "machine-learning-model"
    }
    assert set(models) == {path.name for path in (paths.assets() / "models").iterdir()}
    assert all(len(checksum) == 64 for checksum in models.values())


def test_the_licences_have_a_text_for_every_component(sbom: ModuleType) -> None:
    """Qt's packages ship none: the text of their licence is verovio's."""
    found = sbom.distributions.components()
    text = sbom.licences(found)

    assert all(f"\n{one.name} {one.version}: {one.licence}\n" in text for one in found)
    assert all(one.texts for one in found if one.name != "python")
    (qt,) = (one for one in found if one.name == "pyside6-essentials")
    assert any("GNU LESSER GENERAL PUBLIC LICENSE" in text for text in qt.texts.values())
    (own,) = (one for one in found if one.name == "musicrel")
    assert "assets/corpus/SOURCE.md" in own.texts


def test_the_command_writes_the_same_files_again(sbom: ModuleType, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        assert sbom.main(["--out", str(tmp_path / folder)]) == 0

    for name in (sbom.BILL, sbom.LICENCES):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.parametrize(
    ("line", "licence"),
    [
        ("License-Expression: MIT-0", ("MIT-0", True)),
        ("License: MIT", ("MIT", False)),
        ("Classifier: License :: OSI Approved :: BSD License", ("BSD License", False)),
    ],
)
def test_a_licence_is_read_from_new_and_old_metadata(
    distributions: ModuleType,
    small: Path,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    licence: tuple[str, bool],
) -> None:
    """Only the new kind is an expression; the text is in the folder of the metadata."""
    install(small, monkeypatch, line, text="Terms.")

    own, python, thing = distributions.components((), small)

    assert (own.name, python.name, thing.name) == ("musicrel", "python", "some-thing")
    assert (thing.licence, thing.is_expression) == licence
    assert (thing.version, thing.texts) == ("1.5", {"COPYING": "Terms."})


@pytest.mark.parametrize(("line", "text"), [("License: MIT", ""), ("Summary: nothing", "Terms.")])
def test_a_distribution_without_a_licence_is_refused(
    distributions: ModuleType, small: Path, monkeypatch: pytest.MonkeyPatch, line: str, text: str
) -> None:
    install(small, monkeypatch, line, text=text)

    with pytest.raises(
        distributions.IncompleteError,
        match=r"some-thing 1\.5 states no licence, or has no text of it",
    ):
        distributions.components((), small)


def test_a_missing_distribution_is_named(
    distributions: ModuleType, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bill would be incomplete without it."""
    install(small, monkeypatch, "License: MIT", text="Terms.")

    with pytest.raises(
        distributions.IncompleteError, match="absent is needed but not installed: run make test"
    ):
        distributions.components(("more",), small)


def test_the_command_prints_why_there_is_no_bill(
    sbom: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ends with exit code 1 and writes nothing."""

    def incomplete(*, without: tuple[str, ...]) -> None:
        assert without == ()
        raise sbom.IncompleteError("thing 1 states no licence")

    monkeypatch.setattr(sbom.distributions, "components", incomplete)

    assert sbom.main([]) == 1
    assert capsys.readouterr().err == "No bill of materials: thing 1 states no licence\n"
