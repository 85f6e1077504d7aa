"""Abilities of the machine, found without torch."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from importlib import util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
import torch

from musicrel.model import processor
from tests.helpers.processes import printed

Machine = Callable[..., None]
_INTEL = "processor : 0\nflags\t\t: fpu avx2 {flag}\nbugs : none\n"


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Machine]:
    """Return a function that simulates a machine."""

    def simulate(
        system: str = "Linux",
        chip: str = "x86_64",
        *,
        build: str | None = "cuda: Optional[str] = None\n",
        files: tuple[str, ...] = (),
        flag: str | None = None,
    ) -> None:
        folder = tmp_path / "dev"
        folder.mkdir()
        for name in files:
            (folder / name).touch()
        if flag is not None:
            (tmp_path / "cpuinfo").write_text(_INTEL.format(flag=flag))
        monkeypatch.setattr(platform, "system", lambda: system)
        monkeypatch.setattr(platform, "machine", lambda: chip)
        monkeypatch.setattr(processor, "_DEVICE_FILES", folder)
        monkeypatch.setattr(processor, "_CPU_INFO", tmp_path / "cpuinfo")
        if build is not None:
            (tmp_path / "version.py").write_text(build)
        torch_found = ModuleSpec("torch", None, is_package=True)
        torch_found.submodule_search_locations = [str(tmp_path)]
        monkeypatch.setattr(util, "find_spec", lambda _: torch_found)

    processor.has_bfloat16.cache_clear()
    yield simulate
    processor.has_bfloat16.cache_clear()


CUDA = "cuda: Optional[str] = '12.8'\nhip: Optional[str] = None\n"
ROCM = "cuda: Optional[str] = None\nhip: Optional[str] = '6.4'\n"


@pytest.mark.parametrize(
    ("system", "chip", "build", "files", "expected"),
    [
        ("Linux", "x86_64", "cuda: Optional[str] = None\nhip = None\n", ("nvidiactl",), False),
        ("Linux", "x86_64", CUDA, (), False),
        ("Linux", "x86_64", CUDA, ("nvidia0", "nvidiactl"), True),
        ("Linux", "aarch64", CUDA, ("nvhost-gpu",), True),
        ("Linux", "x86_64", CUDA, ("dxg",), True),
        ("Linux", "x86_64", ROCM, ("kfd",), True),
        ("Linux", "x86_64", "", ("nvidiactl",), False),
        ("Linux", "x86_64", None, ("nvidiactl",), True),
        ("Linux", "x86_64", None, (), False),
        ("Windows", "AMD64", CUDA, (), True),
        ("Windows", "AMD64", "cuda = None\n", (), False),
        ("Darwin", "arm64", "", (), True),
        ("Darwin", "x86_64", "", (), False),
    ],
)
def test_torch_is_asked_where_there_may_be_an_accelerator(
    machine: Machine,
    *,
    system: str,
    chip: str,
    build: str | None,
    files: tuple[str, ...],
    expected: bool,
) -> None:
    """A build for it is needed, or one of an unknown kind, and on Linux a driver."""
    machine(system, chip, build=build, files=files)

    assert processor.may_have_accelerator() is expected


def test_without_torch_there_is_no_accelerator(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else could use it."""
    machine(build=CUDA, files=("nvidia0",))
    monkeypatch.setattr(util, "find_spec", lambda _: None)

    assert not processor.may_have_accelerator()


@pytest.mark.parametrize(
    ("chip", "flag", "expected"),
    [
        ("x86_64", "avx512_bf16", True),
        ("AMD64", "amx_tile", True),
        ("x86_64", "avx512f", False),
        ("arm64", "bf16", False),
    ],
)
def test_the_processor_lists_its_instructions(
    machine: Machine, chip: str, flag: str, expected: bool
) -> None:
    """Torch multiplies bfloat16 with two sets of instructions of x86."""
    machine(chip=chip, flag=flag)

    assert processor.has_bfloat16() is expected


@pytest.mark.parametrize("abilities", ["AVX512", "DEFAULT"])
def test_torch_is_asked_where_the_processor_lists_nothing(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, abilities: str
) -> None:
    """Other systems than Linux have no such list."""
    machine("Windows", "AMD64")
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: abilities)
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: True)

    assert processor.has_bfloat16() is (abilities == "AVX512")


def test_this_machine_is_judged_as_by_torch() -> None:
    """In a process that has not imported it before."""
    lines = printed(
        "from musicrel.model import processor\n"
        "print(processor.has_bfloat16() == processor._torch_finds_bfloat16())\n"
        "import torch\n"
        "there_is = torch.cuda.is_available() or torch.backends.mps.is_available()\n"
        "print(processor.may_have_accelerator() or not there_is)\n"
    )

    assert lines == ["True", "True"]


def test_the_light_package_computes_in_single_precision_on_the_cpu(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the processor and its drivers are: torch computes in bfloat16 and on GPUs."""
    machine(build=CUDA, files=("nvidia0",), flag="avx512_bf16")
    assert processor.has_bfloat16()
    processor.has_bfloat16.cache_clear()
    monkeypatch.setattr(processor, "has_torch", lambda: False)

    assert not processor.has_bfloat16()
    assert not processor.may_have_accelerator()
