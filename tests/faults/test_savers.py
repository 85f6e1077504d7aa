"""A fault at every write of everything that saves leaves the old file or the new one."""

from __future__ import annotations

import shutil
import signal
import sys
from itertools import count
from pathlib import Path

import pytest

from musicrel import replacement
from musicrel.errors import ModelError
from musicrel.model import checkpoint
from tests.faults import savers
from tests.faults.savers import QUICK, REFUSED, SAVED, SAVERS, UNDISTURBED, Fault, Saver

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot fork"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]

PARTS = (0.0, 0.01, 0.5, 0.99)
"""Shares of the largest file after which the disk is full."""
Files = dict[str, bytes]

each_saver = pytest.mark.parametrize(
    "saver",
    [
        pytest.param(one, id=one.name, marks=() if one.name in QUICK else pytest.mark.slow)
        for one in SAVERS
    ],
)


class Place:
    """A folder with version 1 of something, and what version 2 is.

    Args:
        folder: an empty folder.
        saver: writes it.
    """

    def __init__(self, folder: Path, saver: Saver) -> None:
        self.saver, self.folder, self._kept = saver, folder / "here", folder / "kept"
        saver.save(self._kept, 1)
        self.old = contents(self._kept)
        self.reset()
        saver.save(self.folder, 2)
        self.new = contents(self.folder)
        self.reset()

    def reset(self) -> None:
        """Put version 1 back."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self._kept, self.folder)

    def check(self, *, finished: bool) -> None:
        """Check that each file is old or new, and nothing is left over; all new if finished."""
        replacement.sweep(self.folder)
        found = contents(self.folder)
        assert set(found) <= set(self.old) | set(self.new)
        for name, content in found.items():
            old, new = self.old.get(name), self.new.get(name)
            if self.saver.appends and old is not None and new is not None:
                assert content.startswith(old)
                assert new.startswith(content)
            else:
                assert content in (old, new)
        assert set(self.old) & set(self.new) <= set(found)
        if finished:
            assert found == self.new


def contents(folder: Path) -> Files:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@each_saver
@pytest.mark.parametrize("fault", ["disk full", "no permission", "kill"])
def test_a_fault_at_a_change_of_the_disk(tmp_path: Path, saver: Saver, fault: Fault) -> None:
    place = Place(tmp_path, saver)
    codes = []
    for number in count(1):
        codes.append(savers.at_change(saver, place.folder, fault, number))
        place.check(finished=codes[-1] in (SAVED, UNDISTURBED))
        place.reset()
        if codes[-1] == UNDISTURBED:
            break

    failed = -signal.SIGKILL if fault == "kill" else REFUSED
    assert failed in codes
    assert set(codes) <= {failed, SAVED, UNDISTURBED}


@each_saver
@pytest.mark.parametrize("kill", [False, True], ids=["disk full", "kill"])
@pytest.mark.parametrize("part", PARTS)
def test_a_fault_in_the_middle_of_a_file(
    tmp_path: Path, saver: Saver, part: float, kill: bool
) -> None:
    place = Place(tmp_path, saver)
    size = int(max(map(len, place.new.values())) * part)

    code = savers.at_byte(saver, place.folder, kill=kill, size=size)

    # an append may be cut short first, which is noticed before the kill
    assert code == (-signal.SIGXFSZ if kill else REFUSED) or (saver.appends and code == REFUSED)
    place.check(finished=False)


def test_a_model_of_old_and_new_files_is_refused(tmp_path: Path) -> None:
    (saver,) = (saver for saver in SAVERS if saver.name == "model")
    place = Place(tmp_path, saver)
    (place.folder / "card.json").write_bytes(place.new["card.json"])
    with pytest.raises(ModelError, match="is damaged or was changed"):
        checkpoint.load(place.folder)
