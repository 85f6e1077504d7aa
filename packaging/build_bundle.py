"""Build what runs without Python: a folder, an archive of it, and on Debian a package.

    python packaging/build_bundle.py [--out DIR] [--work DIR] [--torch cpu] [--light] [--no-archive]

An environment with the pinned packages is made in the folder of work, PyInstaller collects what
musicrel uses from it, and the bill of materials and all licences are added. Windows and macOS get
folder and archive by the same command, which has not been tried there. With ``--light`` torch and
what only torch needs are left out.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import build_wheel
import bundle_contents
import debian_package
import distributions
import prepare

ROOT: Final = Path(__file__).resolve().parent.parent
SPEC: Final = ROOT / "packaging" / "bundle" / "musicrel.spec"
LIGHT: Final = "musicrel-light"
"""Name of the bundle and of the package without torch."""
FILES: Final = "_internal"
"""Folder of the bundle with everything but the executable."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Build everything, print its sizes, and return the exit code."""
    args = _parser().parse_args(arguments)
    try:
        bundle = build(args.out.resolve(), args.work.resolve(), torch=args.torch, light=args.light)
    except subprocess.CalledProcessError as failure:
        print(f"The build stopped: {failure}; see its last lines above.", file=sys.stderr)
        return 1
    wrong = bundle_contents.problems(files(bundle), light=args.light)
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    _print_size(bundle)
    if args.archive and not wrong:
        for path in _archives(bundle, light=args.light):
            _print_size(path)
    return int(bool(wrong))


def build(out: Path, work: Path, *, torch: str, light: bool = False) -> Path:
    """Build the bundle and return its folder.

    Args:
        out: the bundle is ``out``/musicrel, or ``out``/musicrel-light.
        work: holds the environment, which the next build uses again, and PyInstaller's files.
        torch: build of torch, as in ``cpu``; empty takes the registry's own.
        light: leave torch out.

    Raises:
        subprocess.CalledProcessError: pip or PyInstaller failed.
    """
    name, option = (LIGHT, ["--light"]) if light else ("musicrel", [])
    python = str(prepare.python_of(work / f"environment{name.removeprefix('musicrel')}"))
    if not Path(python).exists():
        _run(sys.executable, "-m", "venv", Path(python).parent.parent)
    wheel = build_wheel.build("wheel", work)
    index = ["--extra-index-url", prepare.TORCH_INDEX + torch] if torch else []
    pip = [python, "-m", "pip", "install", "--constraint", ROOT / "constraints.txt", *index]
    extras = (*distributions.EXTRAS, "bundle")
    _run(*pip, *distributions.requirements(extras, without=distributions.HEAVY if light else ()))
    _run(*pip, "--force-reinstall", "--no-deps", wheel)  # the source may have changed
    folders = ["--distpath", out, "--workpath", work / "pyinstaller"]
    # Not in the source tree, whose musicrel would come before the installed one with its assets.
    _run(python, "-m", "PyInstaller", "--noconfirm", *folders, SPEC, "--", name, folder=work)
    _strip(out / name / FILES)
    compiling = ("compileall", "-q", "--invalidation-mode", "unchecked-hash")  # times may change
    _run(python, "-m", *compiling, out / name / FILES / "musicrel")
    _run(python, ROOT / "packaging" / "sbom.py", "--out", out / name, *option)
    return out / name


def files(bundle: Path) -> list[str]:
    """Return the files of a bundle, relative to its folder of files, in order."""
    root = bundle / FILES
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def version() -> str:
    """Return the version in pyproject.toml."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="build_bundle.py", description="Build the bundle.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder of the results")
    parser.add_argument("--work", type=Path, default=ROOT / "build", help="folder of intermediates")
    parser.add_argument("--torch", default="cpu", help="build of torch; empty: the registry's own")
    parser.add_argument("--light", action="store_true", help="leave torch out")
    parser.add_argument(
        "--no-archive", dest="archive", action="store_false", help="build the folder only"
    )
    return parser


def _run(*words: object, folder: Path | None = None) -> None:
    """Run a command in ``folder``; no variable adds modules to those of its environment."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([*map(str, words)], check=True, cwd=folder, env=variables)


def _strip(folder: Path) -> None:
    """Take the symbols out of the largest libraries, where the tool for that is installed."""
    if shutil.which("strip"):
        for pattern in bundle_contents.STRIPPED:
            for path in folder.glob(pattern):
                _run("strip", "--strip-unneeded", path)


def _archives(bundle: Path, *, light: bool) -> list[Path]:
    """Pack a bundle: for any system, and for Debian where its tools are."""
    name = bundle.with_name(f"{bundle.name}-{version()}-{sys.platform}")
    kind = "gztar" if os.name == "posix" else "zip"
    packed = [Path(shutil.make_archive(str(name), kind, bundle.parent, bundle.name))]
    if shutil.which("dpkg-deb"):
        packed.append(debian_package.build(bundle, bundle.parent, version(), light=light))
    return packed


def _print_size(path: Path) -> None:
    size = sum(one.lstat().st_size for one in [path, *path.rglob("*")])
    print(f"{size / 1e6:8.1f} MB  {path}")


if __name__ == "__main__":
    start = time.monotonic()
    code = main()
    print(f"{time.monotonic() - start:8.0f} s")
    sys.exit(code)
