"""The device of computations."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from musicrel.errors import UsageError
from musicrel.model import devices, processor
from musicrel.model.devices import Device
from tests.helpers.processes import printed


@pytest.fixture
def _threads() -> Iterator[None]:
    """Compute with one thread again after the test."""
    yield
    devices.use_threads(1)


def there_are(monkeypatch: pytest.MonkeyPatch, *, cuda: bool, mps: bool) -> None:
    """Simulate the devices of a machine."""
    monkeypatch.setattr(processor, "may_have_accelerator", lambda: True)
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

    assert devices.resolve("auto") == expected


def test_the_cpu_is_always_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on a machine with a faster device."""
    there_are(monkeypatch, cuda=True, mps=True)

    assert devices.resolve("cpu") == "cpu"


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


def test_where_nothing_faster_can_be_auto_takes_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Torch is not asked."""
    there_are(monkeypatch, cuda=True, mps=True)
    monkeypatch.setattr(processor, "may_have_accelerator", lambda: False)

    assert devices.resolve("auto") == "cpu"


def test_a_device_is_a_text_that_torch_accepts() -> None:
    """It has the same kind as torch's own."""
    assert Device("cuda:1").type == torch.device(Device("cuda:1")).type == "cuda"
    assert torch.zeros(1).to(devices.CPU).device.type == devices.CPU.type == "cpu"
    assert str(Device("mps")) == "mps"


@pytest.mark.usefixtures("_threads")
def test_the_number_of_threads_is_set() -> None:
    """For the whole process."""
    devices.use_threads(2)

    assert torch.get_num_threads() == 2
    assert devices.describe("cpu")["threads"] == 2


def test_the_number_of_threads_is_kept_until_torch_is_imported() -> None:
    """Torch may be needed later or never."""
    lines = printed(
        "import sys\n"
        "from musicrel.model import devices\n"
        "devices.use_threads(2)\n"
        "print(devices.describe(devices.resolve('cpu'))['threads'], 'torch' in sys.modules)\n"
        "devices.apply_threads()\n"
        "import torch\n"
        "print(torch.get_num_threads())\n"
    )

    assert lines == ["2 False", "2"]


def test_a_description_names_what_a_result_depends_on() -> None:
    """Versions are those of the packages that are installed."""
    found = devices.describe("cpu", kernel="compiled", precision="mixed")

    assert found["kernel"] == "compiled"
    assert found["precision"] == "mixed"
    assert found["torch"] == torch.__version__
    assert list(found) == ["device", "threads", "kernel", "precision", "torch", "musicrel"]


@pytest.mark.parametrize("threads", [0, -1, 257])
def test_an_absurd_number_of_threads_is_refused(threads: int) -> None:
    """Before it is passed to torch."""
    with pytest.raises(UsageError, match=f"threads is {threads}: expected 1 to 256"):
        devices.use_threads(threads)


@pytest.mark.parametrize(
    ("kind", "has", "expected"),
    [
        ("cuda", True, ""),
        ("cuda:1", True, ""),
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
    monkeypatch.setattr(processor, "has_bfloat16", lambda: has)

    assert devices.without_bfloat16(kind) == expected
