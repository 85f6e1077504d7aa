"""The device of computations."""

from __future__ import annotations

import pytest
import torch

from musicrel.errors import UsageError
from musicrel.model import devices


def there_are(monkeypatch: pytest.MonkeyPatch, *, cuda: bool, mps: bool) -> None:
    """Simulate the devices of a machine."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)


@pytest.mark.parametrize(
    ("cuda", "mps", "expected"),
    [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")],
)
def test_auto_takes_the_fastest_there_is(
    monkeypatch: pytest.MonkeyPatch, cuda: bool, mps: bool, expected: str
) -> None:
    """CUDA, then MPS, then CPU."""
    there_are(monkeypatch, cuda=cuda, mps=mps)

    assert devices.resolve("auto") == torch.device(expected)


def test_the_cpu_is_always_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on a machine with a faster device."""
    there_are(monkeypatch, cuda=True, mps=True)

    assert devices.resolve("cpu") == torch.device("cpu")


@pytest.mark.parametrize("name", ["cuda", "mps"])
def test_a_device_the_machine_lacks_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The error suggests another device."""
    there_are(monkeypatch, cuda=False, mps=False)

    with pytest.raises(UsageError, match=f"finds no {name} device .*: use --device cpu or"):
        devices.resolve(name)


@pytest.mark.parametrize("name", ["gpu", "", "cuda:0"])
def test_an_unknown_device_is_refused(name: str) -> None:
    """The error lists the known ones."""
    with pytest.raises(UsageError, match=f"unknown device '{name}': expected one of auto, cpu"):
        devices.resolve(name)


def test_the_number_of_threads_is_set() -> None:
    """For the whole process."""
    before = torch.get_num_threads()
    try:
        devices.use_threads(2)
        assert torch.get_num_threads() == 2
    finally:
        devices.use_threads(before)


@pytest.mark.parametrize("threads", [0, -1, 257])
def test_an_absurd_number_of_threads_is_refused(threads: int) -> None:
    """Before it is passed to torch."""
    with pytest.raises(UsageError, match=f"threads is {threads}: expected 1 to 256"):
        devices.use_threads(threads)


@pytest.mark.parametrize(
    ("kind", "has", "expected"),
    [
        ("cuda", True, ""),
        ("cuda", False, "cuda of this machine has no hardware support for bfloat16"),
        ("cpu", True, ""),
        ("cpu", False, "cpu of this machine has no hardware support for bfloat16"),
        ("mps", True, "mps of this machine has no hardware support for bfloat16"),
    ],
)
def test_bfloat16_is_used_where_the_hardware_has_it(
    monkeypatch: pytest.MonkeyPatch, kind: str, has: bool, expected: str
) -> None:
    """Emulated, it would be slower than single precision."""
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda **_: has)
    for ability in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        monkeypatch.setattr(torch.cpu, ability, lambda: has)
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "AVX512")

    assert devices.without_bfloat16(torch.device(kind)) == expected
