"""Entry point of the bundle: musicrel, or one of its modules as ``python -m`` starts them.

The program starts further processes of itself with ``sys.executable -m MODULE``, and here that is
the bundle's own executable.
"""

from __future__ import annotations

import runpy
import sys
from typing import Final

MODULES: Final = ("musicrel", "musicrel.generation")
"""Modules that the program starts as processes of their own."""


def main() -> int:
    """Run the module after ``-m``, or musicrel; return the exit code."""
    words = sys.argv[1:]
    module = MODULES[0]
    if words[:1] == ["-m"] and words[1:2] and words[1] in MODULES:
        module = words[1]
        sys.argv[1:] = words[2:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
