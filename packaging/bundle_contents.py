"""The contents of a bundle: files that are left out, forbidden ones, and required ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final

LEFT_OUT: Final = MappingProxyType(
    {
        "*.sf2": "SoundFonts under the GPL",
        "*.pyi": "for type checkers",
        "torch/bin/[!t]*": "programs that build and test torch",
        "torch/bin/test*": "programs that build and test torch",
        "torch/include/*": "for C++",
        "torch/share/*": "for C++",
        "torch/test/*": "tests of torch",
        "torch/*/tests/*": "tests of torch",
        "torch/lib/*_test.so": "tests of torch",
        "torch/lib/libaoti_custom_ops.so": "tests of torch",
        "torch/lib/libbackend_with_compiler.so": "tests of torch",
        "PySide6/Qt/qml/*": "the window has widgets only",
        "PySide6/Qt/translations/[!q]*": "translations of tools that are not there",
        "PySide6/Qt/translations/qt[!b]*": "translations of tools that are not there",
        "PySide6/Qt/translations/qtbase_[!d]*": "the window is in English and German",
        "PySide6/Qt/translations/qtbase_da*": "the window is in English and German",
        "*libQt6Qml*": "QML",
        "*libQt6Quick*": "QML",
        "*libQt6VirtualKeyboard*": "QML",
        "*libQt6Pdf*": "readers of PDF",
        "PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboard*": "QML",
        "PySide6/Qt/plugins/imageformats/libqpdf*": "readers of PDF",
        "PySide6/Qt/plugins/platformthemes/libqgtk3*": "needs GTK",
        "PySide6/Qt/plugins/egldeviceintegrations/*": "screens without a desktop",
        "PySide6/Qt/plugins/generic/*": "screens without a desktop",
        "PySide6/Qt/plugins/platforms/libqeglfs*": "screens without a desktop",
        "PySide6/Qt/plugins/platforms/libqlinuxfb*": "screens without a desktop",
        "PySide6/Qt/plugins/platforms/libqvnc*": "screens without a desktop",
        "PySide6/Qt/plugins/platforms/libqminimal*": "screens without a desktop",
        "*libQt6EglFS*": "screens without a desktop",
    }
)
"""Pattern of paths inside the bundle -> why they are not needed."""
MODULES_LEFT_OUT: Final = ("tkinter", "readline")
"""Modules that nothing uses; GNU readline is under the GPL."""
STRIPPED: Final = (
    *("torch/lib/libtorch_*.so", "llvmlite/binding/libllvmlite.so", "libpython3*.so*"),
)
"""Patterns of large libraries that are bundled without their symbols for debuggers."""
FORBIDDEN: Final = (
    "*.sf2",
    "*.sf3",
    "libreadline*",
    "tests/*",
    "musicrel/tests/*",
    "*/events.jsonl",
)
"""Patterns of what no bundle contains: SoundFonts, GNU readline, tests, training runs."""
_PACKAGE: Final = Path(__file__).resolve().parent.parent / "musicrel"
DATA: Final = tuple(
    sorted(
        path.relative_to(_PACKAGE.parent).as_posix()
        for path in _PACKAGE.rglob("*")
        if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts
    )
)
"""Files that modules read from beside themselves, such as the template of reports."""
REQUIRED: Final = (
    *DATA,
    "musicrel/_assets/models/*/model.safetensors",
    "musicrel/_assets/corpus/chorales.npz",
    "musicrel/_assets/docs/*.md",
    "musicrel/_assets/docs/guide/*.md",
    "musicrel/_assets/manual/index.html",
    "musicrel/ui/app.py",
    "verovio/data/*",
    "pyphen/dictionaries/*.dic",
    "PySide6/Qt/plugins/platforms/libqxcb.so",
    "PySide6/Qt/plugins/platforms/libqoffscreen.so",
)
"""Patterns of which each matches at least one file of a bundle."""
REQUIRED_IN_FULL: Final = ("torch/lib/libtorch_cpu.so",)
"""Patterns of which each matches at least one file of the full bundle."""

OF_TORCH: Final = ("torch/*", "torch-*", "sympy/*", "networkx/*")
"""Patterns of what only the full bundle contains."""

_OF_SYSTEM: Final = re.compile(r"(/usr)?/lib(64)?(/[^/]+-linux-gnu)?/(?!libpython)[^/]+$")


def is_left_out(path: str, source: str) -> bool:
    """Return True if a file is not bundled.

    Libraries of a Linux system stay the system's, with their licences and updates.

    Args:
        path: relative to the bundle's folder of files.
        source: where it is installed.
    """
    if _OF_SYSTEM.match(source):
        return True
    return any(fnmatch(PurePosixPath(path).as_posix(), pattern) for pattern in LEFT_OUT)


def problems(paths: Iterable[str], *, light: bool = False) -> list[str]:
    """Return what is wrong with the contents of a bundle, a sentence each.

    Args:
        paths: its files, relative to its folder of files.
        light: whether it is the one without torch.
    """
    found = list(paths)
    forbidden = (*FORBIDDEN, *OF_TORCH) if light else FORBIDDEN
    required = REQUIRED if light else (*REQUIRED, *REQUIRED_IN_FULL)
    bad = [path for path in found if any(fnmatch(path, pattern) for pattern in forbidden)]
    absent = [one for one in required if not any(fnmatch(path, one) for path in found)]
    return [f"{path} must not be bundled" for path in bad] + [
        f"no file matches {pattern}" for pattern in absent
    ]
