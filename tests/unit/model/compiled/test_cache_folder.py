"""The folder of compiled functions: one for each version of the sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numba
import pytest

from musicrel.model.compiled import cache_folder


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "loops.py").write_text("one = 1\n", encoding="utf-8")
    return folder


def test_each_version_of_the_sources_has_its_folder(tmp_path: Path, sources: Path) -> None:
    """A change in any file leads to another folder; the same files lead back."""
    first = cache_folder.prepared(tmp_path / "cache", [sources])
    again = cache_folder.prepared(tmp_path / "cache", [sources])
    (sources / "tables.py").write_text("two = 2\n", encoding="utf-8")
    other = cache_folder.prepared(tmp_path / "cache", [sources])

    assert first == again
    assert other != first
    assert first.is_dir()
    assert other.is_dir()


def test_each_version_of_the_compiler_and_each_installation_has_its_folder(
    sources: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = cache_folder.digest([sources])
    monkeypatch.setattr("numba.__version__", "0.1")

    assert cache_folder.digest([sources]) != before

    other = tmp_path / "other"
    shutil.copytree(sources, other)

    assert cache_folder.digest([other]) != cache_folder.digest([sources])


def test_the_folders_used_last_are_kept(tmp_path: Path, sources: Path) -> None:
    """A program that still runs finds the functions it has not loaded yet."""
    cache = tmp_path / "cache"
    for age in range(6):
        (cache / f"old-{age}").mkdir(parents=True)
        os.utime(cache / f"old-{age}", (1e9 - age, 1e9 - age))

    folder = cache_folder.prepared(cache, [sources])

    kept = {path.name for path in cache.iterdir()}
    assert kept == {folder.name, "old-0", "old-1", "old-2"}


def test_a_source_that_was_written_again_leads_to_another_folder(sources: Path) -> None:
    """Numba compares the times of files, and would compile everything again."""
    before = cache_folder.digest([sources])
    os.utime(sources / "loops.py", (1e9, 1e9))

    assert cache_folder.digest([sources]) != before


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path, sources: Path) -> None:
    (tmp_path / "cache").write_text("a file", encoding="utf-8")

    with pytest.raises(OSError, match="cache"):
        cache_folder.prepared(tmp_path / "cache", [sources])


def test_one_process_at_a_time_compiles(
    tmp_path: Path, sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = cache_folder.prepared(tmp_path / "cache", [sources])
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(folder))
    code = (
        "import numba\n"
        "from musicrel.model.compiled import cache_folder\n"
        f"numba.config.CACHE_DIR = {str(folder)!r}\n"
        "print('waits', flush=True)\n"
        "with cache_folder.locked():\n"
        "    print('compiles', flush=True)\n"
    )
    with cache_folder.locked():
        other = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert other.stdout is not None
        assert other.stdout.readline() == "waits\n"
        lines: list[str] = []
        reader = threading.Thread(target=lambda out: lines.append(out.read()), args=[other.stdout])
        reader.start()
        reader.join(timeout=0.2)
        assert not lines
    with other:
        reader.join()
    assert lines == ["compiles\n"]


def test_compiled_functions_are_deleted_and_the_mark_with_them(
    tmp_path: Path, sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folders stay: a running program may still write into them."""
    folder = cache_folder.prepared(tmp_path / "cache", [sources])
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(folder))
    (folder / "compiled_1").mkdir()
    for name in ("loops.nbi", "loops.1.nbc"):
        (folder / "compiled_1" / name).touch()
    cache_folder.mark_complete()
    assert cache_folder.is_complete()

    cache_folder.clear()

    assert not cache_folder.is_complete()
    assert list(folder.rglob("*")) == [folder / "compiled_1"]


def test_the_compiled_modules_and_the_tables_in_them_count(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str] = set()

    def read(path: Path) -> bytes:
        seen.add(path.name)
        return b""

    monkeypatch.setattr(Path, "read_bytes", read)

    cache_folder.digest(cache_folder.SOURCES)

    assert {
        "arithmetic.py", "decoder.py", "interval_tables.py", "config.py"
    } <= seen  # fmt: skip


def test_logits_are_the_same_in_the_process_that_compiles_and_in_those_that_load(
    tmp_path: Path,
) -> None:
    code = (
        "from pathlib import Path\n"
        "from musicrel import paths\n"
        f"paths.cache = lambda: Path({str(tmp_path)!r})\n"
        "from musicrel.generation.loaded_model import load_model\n"
        "print(load_model('relative').logits(range(60)).tobytes().hex())\n"
    )
    compiling, loading = (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
        for _ in range(2)
    )

    assert list(tmp_path.glob("compiled/*/*/decoder.read*.nbc"))
    assert compiling == loading
