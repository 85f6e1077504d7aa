"""Pack a bundle as a package for Debian 12, Ubuntu 24.04 and newer.

The package has the program with its menu entry, icon and file type. It depends on the libraries
that set-up installs (``system_libraries.py``). The desktop's own triggers register menu entry and
file type, so the package runs no script.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

import debian_pages
from system_libraries import LIBRARIES

ROOT: Final = Path(__file__).resolve().parent.parent
PROGRAM: Final = "usr/lib/musicrel"
ARCHITECTURES: Final = {"x86_64": "amd64", "aarch64": "arm64"}
"""Machine, as Python names it -> architecture, as Debian does."""
OF_PYTHON: Final = (
    *("libbrotli1", "libbz2-1.0", "libexpat1", "libffi8", "libgcc-s1", "libgomp1"),
    *("libgssapi-krb5-2", "liblzma5", "libncursesw6", "libsqlite3-0", "libssl3", "libstdc++6"),
    *("libuuid1", "zlib1g"),
)
"""Packages that Python and compiled packages need; a bundle has no library of the system."""
EPOCH: Final = 1_580_601_600
"""Time of all members in seconds unless SOURCE_DATE_EPOCH is set; as in wheels, early in 2020."""

_FILES: Final = {
    "packaging/bundle/musicrel.desktop": "usr/share/applications/musicrel.desktop",
    "packaging/bundle/musicrel-mime.xml": "usr/share/mime/packages/musicrel.xml",
    "assets/icons/musicrel.svg": "usr/share/icons/hicolor/scalable/apps/musicrel.svg",
}
_CONTROL: Final = """\
Package: {package}
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Depends: {depends}
Recommends: timgm6mb-soundfont
Conflicts: {other}
Replaces: {other}
Section: sound
Priority: optional
Description: desktop studio for four-voice chorales
 Trained transformers write chorales for soprano, alto, tenor and bass on this
 computer. Listen to them, see what the models attend to, lock notes, rewrite
 the rest, and export MIDI, MusicXML, audio or PDF.
{difference}"""
_NAMES: Final = ("musicrel", "musicrel-light")
"""Names of the full package and of the one without torch."""
_DIFFERENCE: Final = """\
 .
 This light package writes, rewrites, harmonises, plays, shows and exports. The
 package musicrel needs twice the room, for torch, and adds the training and
 comparison of models, the attention of infilling models, the diagnosis of
 models, GPUs, and models with other layers than the bundled ones.
"""


def build(bundle: Path, folder: Path, version: str, *, light: bool = False) -> Path:
    """Pack ``bundle`` as ``folder``/NAME_VERSION_ARCHITECTURE.deb and return that path.

    Args:
        bundle: folder with the executable ``musicrel``; its files are linked or copied.
        folder: the package is written here.
        version: of the program.
        light: whether the bundle is the one without torch.

    Raises:
        subprocess.CalledProcessError: dpkg-deb failed.
    """
    architecture = ARCHITECTURES.get(platform.machine(), platform.machine())
    package = folder / f"{_NAMES[light]}_{version}_{architecture}.deb"
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", EPOCH))
    with tempfile.TemporaryDirectory(dir=folder) as root:
        _lay_out(bundle, Path(root), _NAMES[light])
        _write_pages(Path(root), _NAMES[light], version, epoch)
        _write_control(Path(root), version, architecture, light=light)
        Path(root).chmod(0o755)  # a temporary folder is its owner's only
        command = ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z9", "--build", str(root)]
        environment = os.environ | {"SOURCE_DATE_EPOCH": str(epoch)}
        subprocess.run(
            [*command, str(package)], check=True, env=environment, stdout=subprocess.DEVNULL
        )
    return package


def depends() -> str:
    """Return the field Depends: this system's C library or a newer one, and all libraries."""
    _, c_library = platform.libc_ver()
    packages = [*OF_PYTHON, *(" | ".join(library.packages) for library in LIBRARIES)]
    return ", ".join([f"libc6 (>= {c_library})", *dict.fromkeys(packages)])


def _lay_out(bundle: Path, root: Path, name: str) -> None:
    """Put the files where Debian has them."""
    shutil.copytree(bundle, root / PROGRAM, symlinks=True, copy_function=_link)
    for source, target in _FILES.items():
        (root / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, root / target)
    (root / "usr/bin").mkdir()
    (root / "usr/bin/musicrel").symlink_to("../lib/musicrel/musicrel")
    notice = root / "usr/share/doc" / name / "copyright"
    notice.parent.mkdir(parents=True)
    shutil.copyfile(bundle / "THIRD-PARTY-LICENSES.txt", notice)


def _write_pages(root: Path, name: str, version: str, epoch: int) -> None:
    pages = {
        f"usr/share/doc/{name}/changelog.gz": debian_pages.changelog(name, version, epoch),
        "usr/share/man/man1/musicrel.1.gz": debian_pages.manual(version),
    }
    for target, content in pages.items():
        (root / target).parent.mkdir(parents=True, exist_ok=True)
        (root / target).write_bytes(content)


def _link(source: str, target: str) -> str:
    """Link a file to its copy, which costs no room, or copy it to another disk."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)
    return target


def _write_control(root: Path, version: str, architecture: str, *, light: bool) -> None:
    total = sum(path.lstat().st_size for path in root.rglob("*"))
    control = root / "DEBIAN" / "control"
    control.parent.mkdir()
    fields = {"kilobytes": total // 1024, "depends": depends(), "version": version}
    names = {"package": _NAMES[light], "other": _NAMES[not light]}
    names["maintainer"] = debian_pages.MAINTAINER
    difference = _DIFFERENCE if light else ""
    text = _CONTROL.format(architecture=architecture, difference=difference, **names, **fields)
    control.write_text(text, "utf-8")
