"""The device of computations, and every positional scheme on those of this machine."""

from __future__ import annotations

import copy
import platform
from collections.abc import Callable, Iterator
from importlib import util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
import torch
from torch import Tensor

from musicrel.errors import UsageError
from musicrel.model import devices
from musicrel.model.config import ModelConfig
from musicrel.model.devices import Device
from musicrel.model.families.transformer import Transformer
from musicrel.model.positions.table import SCHEMES
from musicrel.model.torch_reader import TorchReader
from tests.devices import accelerators_here
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.helpers.processes import printed

LENGTH = 24
every_scheme = pytest.mark.parametrize("scheme", SCHEMES)


@pytest.fixture
def _threads() -> Iterator[None]:
    yield
    devices.use_threads(1)


def there_are(monkeypatch: pytest.MonkeyPatch, *, cuda: bool, mps: bool) -> None:
    monkeypatch.setattr(devices, "may_have_accelerator", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)


def inputs(config: ModelConfig) -> tuple[Tensor, Tensor]:
    return tiny_ids(config, 2, LENGTH), tiny_rows(config, 2, LENGTH)


def on_both(scheme: str, device: str) -> tuple[Transformer, Transformer]:
    model = tiny_model(tiny_config(scheme, conditions=("voice", "beat")))
    return model, copy.deepcopy(model).to(device)


def assert_same(found: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(found.cpu(), expected, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize(
    ("cuda", "mps", "expected"),
    [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")],
)
def test_auto_takes_the_fastest_there_is(
    monkeypatch: pytest.MonkeyPatch, cuda: bool, mps: bool, expected: str
) -> None:
    there_are(monkeypatch, cuda=cuda, mps=mps)

    assert devices.resolve("auto") == expected


def test_the_cpu_is_always_there_and_taken_where_nothing_faster_can_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there_are(monkeypatch, cuda=True, mps=True)

    assert devices.resolve("cpu") == "cpu"

    there_are(monkeypatch, cuda=True, mps=True)
    monkeypatch.setattr(devices, "may_have_accelerator", lambda: False)

    assert devices.resolve("auto") == "cpu"


@pytest.mark.parametrize("name", ["cuda", "mps"])
def test_a_device_the_machine_lacks_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    there_are(monkeypatch, cuda=False, mps=False)

    with pytest.raises(UsageError, match=f"finds no {name} device .*: use --device cpu or"):
        devices.resolve(name)


@pytest.mark.parametrize("name", ["gpu", "", "cuda:0"])
def test_an_unknown_device_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=f"unknown device '{name}': expected one of auto, cpu"):
        devices.resolve(name)


def test_a_device_is_a_text_that_torch_accepts() -> None:
    assert Device("cuda:1").type == torch.device(Device("cuda:1")).type == "cuda"
    assert torch.zeros(1).to(devices.CPU).device.type == devices.CPU.type == "cpu"
    assert str(Device("mps")) == "mps"


@pytest.mark.usefixtures("_threads")
def test_the_number_of_threads_is_set() -> None:
    devices.use_threads(2)

    assert torch.get_num_threads() == 2
    assert devices.describe("cpu")["threads"] == 2


def test_the_number_of_threads_is_kept_until_torch_is_imported() -> None:
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
    found = devices.describe("cpu", kernel="compiled", precision="mixed")

    assert found["kernel"] == "compiled"
    assert found["precision"] == "mixed"
    assert found["torch"] == torch.__version__
    assert list(found) == ["device", "threads", "kernel", "precision", "torch", "musicrel"]


@pytest.mark.parametrize("threads", [0, -1, 257])
def test_an_absurd_number_of_threads_is_refused(threads: int) -> None:
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
    monkeypatch.setattr(devices, "has_bfloat16", lambda: has)

    assert devices.without_bfloat16(kind) == expected


Machine = Callable[..., None]


_INTEL = "processor : 0\nflags\t\t: fpu avx2 {flag}\nbugs : none\n"


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Machine]:
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
        monkeypatch.setattr(devices, "_DEVICE_FILES", folder)
        monkeypatch.setattr(devices, "_CPU_INFO", tmp_path / "cpuinfo")
        if build is not None:
            (tmp_path / "version.py").write_text(build)
        torch_found = ModuleSpec("torch", None, is_package=True)
        torch_found.submodule_search_locations = [str(tmp_path)]
        monkeypatch.setattr(util, "find_spec", lambda _: torch_found)

    devices.has_bfloat16.cache_clear()
    yield simulate
    devices.has_bfloat16.cache_clear()


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
    machine(system, chip, build=build, files=files)

    assert devices.may_have_accelerator() is expected


def test_without_torch_there_is_no_accelerator(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else could use it."""
    machine(build=CUDA, files=("nvidia0",))
    monkeypatch.setattr(util, "find_spec", lambda _: None)

    assert not devices.may_have_accelerator()


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

    assert devices.has_bfloat16() is expected


@pytest.mark.parametrize("abilities", ["AVX512", "DEFAULT"])
def test_torch_is_asked_where_the_processor_lists_nothing(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, abilities: str
) -> None:
    machine("Windows", "AMD64")
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: abilities)
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: True)

    assert devices.has_bfloat16() is (abilities == "AVX512")


def test_this_machine_is_judged_as_by_torch() -> None:
    lines = printed(
        "from musicrel.model import devices\n"
        "print(devices.has_bfloat16() == devices._torch_finds_bfloat16())\n"
        "import torch\n"
        "there_is = torch.cuda.is_available() or torch.backends.mps.is_available()\n"
        "print(devices.may_have_accelerator() or not there_is)\n"
    )

    assert lines == ["True", "True"]


def test_the_light_package_computes_in_single_precision_on_the_cpu(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the processor and its drivers are: torch computes in bfloat16 and on GPUs."""
    machine(build=CUDA, files=("nvidia0",), flag="avx512_bf16")
    assert devices.has_bfloat16()
    devices.has_bfloat16.cache_clear()
    monkeypatch.setattr(devices, "has_torch", lambda: False)

    assert not devices.has_bfloat16()
    assert not devices.may_have_accelerator()


@accelerators_here
@every_scheme
def test_logits_and_attention_are_those_of_the_cpu(scheme: str, device: str) -> None:
    model, other = on_both(scheme, device)
    ids_BT, rows_BTC = inputs(model.config)

    for record in (False, True):
        expected = model(ids_BT, rows_BTC, record=record)
        found = other(ids_BT.to(device), rows_BTC.to(device), record=record)

        assert_same(found.logits_BTV, expected.logits_BTV)
        for found_BHTS, expected_BHTS in zip(found.weights, expected.weights, strict=True):
            assert_same(found_BHTS, expected_BHTS)


@accelerators_here
@every_scheme
def test_gradients_are_those_of_the_cpu(scheme: str, device: str) -> None:
    model, other = on_both(scheme, device)
    ids_BT, rows_BTC = inputs(model.config)

    model(ids_BT, rows_BTC).logits_BTV.square().mean().backward()
    other(ids_BT.to(device), rows_BTC.to(device)).logits_BTV.square().mean().backward()

    for own, others in zip(model.parameters(), other.parameters(), strict=True):
        assert (own.grad is None) == (others.grad is None)
        if own.grad is not None and others.grad is not None:
            assert_same(others.grad, own.grad)


@accelerators_here
@every_scheme
def test_steps_are_those_of_the_cpu(scheme: str, device: str) -> None:
    model, other = on_both(scheme, device)
    ids_BT, rows_BTC = inputs(model.config)
    readers = [TorchReader(network, rows_BTC.numpy()) for network in (model, other)]

    for place in range(LENGTH):
        expected, found = (reader.step(ids_BT[:, place].numpy())[0] for reader in readers)

        assert_same(torch.from_numpy(found), torch.from_numpy(expected))
