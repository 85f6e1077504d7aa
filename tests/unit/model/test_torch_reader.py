"""Reading by torch against the plain forward pass, for every positional scheme."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.config import ModelConfig
from musicrel.model.torch_reader import Step, TorchReader, cuda_capture
from tests.helpers.decoding import assert_decodes_as_in_one_pass
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.unit.model.positions.scheme_cases import every_scheme

TOLD = ("voice", "beat", "key")


def config_of(scheme: str, options: Mapping[str, Any], length: int, **fields: Any) -> ModelConfig:
    return tiny_config(scheme, options=options, trained_length=length, conditions=TOLD, **fields)


def check_equals_full_pass(
    config: ModelConfig, length: int, prompt: int, dtype: torch.dtype = torch.float64
) -> None:
    model = tiny_model(config, dtype=dtype)
    ids_BT, rows_BTC = tiny_ids(config, 2, length), tiny_rows(config, 2, length)
    tolerance = 1e-6 if dtype is torch.float64 else 1e-4  # logits are returned as float32
    assert_decodes_as_in_one_pass(model, ids_BT, rows_BTC, [prompt], tolerance)


def stepped(reader: TorchReader, ids_BT: Tensor) -> list[np.ndarray[Any, Any]]:
    return [reader.step(ids_B)[0] for ids_B in ids_BT.numpy().T]


@every_scheme
@pytest.mark.parametrize("prompt", [0, 15])
def test_reading_is_the_full_pass(scheme: str, options: Mapping[str, Any], prompt: int) -> None:
    check_equals_full_pass(config_of(scheme, options, 30), 30, prompt)


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", ["gelu", "relu"])
def test_every_kind_of_block_can_be_read(norm: str, activation: str) -> None:
    check_equals_full_pass(config_of("relative", {}, 40, norm=norm, activation=activation), 40, 3)


def test_a_long_prompt_is_read_in_parts() -> None:
    """1,100 tokens are more than two parts."""
    check_equals_full_pass(config_of("relative", {}, 1110), 1110, 1100)


@every_scheme
@pytest.mark.parametrize(("width", "heads"), [(24, 3), (256, 4)])
def test_a_sequence_is_the_same_in_every_batch(
    scheme: str, options: Mapping[str, Any], width: int, heads: int
) -> None:
    """Logits are equal to the bit in single precision, for any prompt and conditions."""
    shape = {"width": width, "heads": heads, "feedforward": 2 * width + 5}
    config = config_of(scheme, options, 30, **shape)
    model, rows_BTC = tiny_model(config), tiny_rows(config, 9, 30).numpy()
    ids_BT = tiny_ids(config, 9, 14)

    def logits_of(some: slice) -> np.ndarray[Any, Any]:
        reader = TorchReader(model, rows_BTC[some])
        reader.prefill(ids_BT[some, :4].numpy())
        return np.stack(stepped(reader, ids_BT[some, 4:]), axis=1)

    alone = np.concatenate([logits_of(slice(n, n + 1)) for n in range(9)])
    for batch in (2, 9):
        assert np.array_equal(logits_of(slice(batch)), alone[:batch])


@every_scheme
def test_recording_changes_no_logit_and_returns_the_weights_of_the_full_pass(
    scheme: str, options: Mapping[str, Any]
) -> None:
    """Logits are equal to the bit; the weights are those of all layers and heads."""
    config = config_of(scheme, options, 20)
    model, rows_BTC = tiny_model(config), tiny_rows(config, 2, 20)
    ids_BT = tiny_ids(config, 2, 20)
    plain, recording = (
        TorchReader(model, rows_BTC.numpy(), record=record) for record in (False, True)
    )

    with torch.inference_mode():
        whole = torch.stack(model(ids_BT, rows_BTC, record=True).weights, dim=1).numpy()
    for place, ids_B in enumerate(ids_BT.numpy().T):
        logits, none = plain.step(ids_B)
        seen, weights = recording.step(ids_B)
        assert none is None
        assert weights is not None
        assert np.array_equal(seen, logits)
        np.testing.assert_allclose(weights, whole[:, :, :, place, : place + 1], atol=1e-5)


def test_equal_prompts_are_read_once() -> None:
    """Candidates with equal conditions share their prompt; others read it again."""
    config = config_of("relative", {}, 30)
    model, rows_BTC = tiny_model(config), tiny_rows(config, 1, 30).repeat(4, 1, 1)
    rows_BTC[3, 0, 0] += 1
    passes: list[int] = []
    reader = TorchReader(model, rows_BTC.numpy())

    with model.register_forward_hook(lambda *_: passes.append(1)):
        reader.prefill(tiny_ids(config, 1, 10).repeat(4, 1).numpy())
    logits, _ = reader.step(np.full(4, 7))

    assert len(passes) == 2
    assert np.array_equal(logits[0], logits[1])
    assert not np.array_equal(logits[0], logits[3])


def test_more_positions_than_the_scheme_has_are_refused_at_once() -> None:
    model = tiny_model(tiny_config("learned", options={"max_length": 16}))

    with pytest.raises(ModelError, match="17 tokens, but the model learned positions for 16"):
        TorchReader(model, np.zeros((1, 17, 0), dtype=np.int64))


def test_no_more_is_read_than_the_capacity() -> None:
    reader = TorchReader(tiny_model(tiny_config("relative")), np.zeros((1, 2, 0), dtype=np.int64))
    stepped(reader, torch.tensor([[5, 5]]))

    with pytest.raises(ModelError, match="holds 2 of 2 tokens, 1 more do not fit"):
        reader.step(np.array([5]))


class Capture:
    """A capture that repeats the step, instead of a GPU; it fails after ``most``."""

    def __init__(self, most: int = 99) -> None:
        self.made = 0
        self._most = most

    def __call__(self, step: Step) -> Step:
        if self.made == self._most:
            raise RuntimeError("operation not permitted when stream is capturing\nand so on")
        self.made += 1
        step()  # a warm-up
        return step


def check_captured(scheme: str, options: Mapping[str, Any], capture: Capture, length: int) -> str:
    """Compare captured steps with plain ones; return why capturing failed."""
    config = config_of(scheme, options, length)
    model, rows_BTC = tiny_model(config, dtype=torch.float64), tiny_rows(config, 2, length).numpy()
    plain, captured = TorchReader(model, rows_BTC), TorchReader(model, rows_BTC, capture=capture)
    ids_BT = tiny_ids(config, 2, length)
    for found, expected in zip(stepped(captured, ids_BT), stepped(plain, ids_BT), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-6, rtol=0)
    return captured.failure or ""


@every_scheme
def test_captured_steps_are_the_plain_ones(scheme: str, options: Mapping[str, Any]) -> None:
    """They read more keys than are written, and the position is a tensor."""
    assert not check_captured(scheme, options, Capture(), 40)


@pytest.mark.parametrize("most", [0, 1, 99])
def test_a_step_is_captured_for_each_size_and_reading_continues_if_that_fails(most: int) -> None:
    """The sizes are 256, 512 and the whole capacity of 600."""
    capture = Capture(most)
    failure = check_captured("relative", {}, capture, 600)

    assert capture.made == min(most, 3)
    assert failure == ("" if most > 3 else "operation not permitted when stream is capturing")


def test_a_capture_that_fails_late_leaves_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache was longer by then, and reading went on one token too far."""
    config = config_of("relative", {}, 6)
    model, rows_BTC = tiny_model(config, dtype=torch.float64), tiny_rows(config, 1, 6).numpy()
    ids_BT = tiny_ids(config, 1, 6)
    expected = stepped(TorchReader(model, rows_BTC), ids_BT)

    def fail(_hidden: Tensor) -> Tensor:
        raise RuntimeError("operation not permitted when stream is capturing")

    def capture(step: Step) -> Step:
        with monkeypatch.context() as patched:
            patched.setattr(model.head, "forward", fail)
            step()
        return step

    found = stepped(TorchReader(model, rows_BTC, capture=capture), ids_BT)

    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6, rtol=0)


class Graph:
    """A graph of torch without a GPU: a pool whose graphs are all gone is not taken again."""

    living: ClassVar[weakref.WeakSet[Graph]] = weakref.WeakSet()

    def __init__(self) -> None:
        self._pool: object = None

    def pool(self) -> object:
        return self._pool

    def replay(self) -> None: ...

    @contextmanager
    def recorded(self, pool: object, *_: object, **__: object) -> Iterator[None]:
        assert pool is None or pool in {graph.pool() for graph in self.living}
        yield
        self._pool = pool or object()
        self.living.add(self)


def test_graphs_share_the_memory_of_those_that_live(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_stream(_: object) -> AbstractContextManager[None]:
        return nullcontext()

    stream = SimpleNamespace(wait_stream=no_stream)
    for name, replaced in {
        "CUDAGraph": Graph, "graph": Graph.recorded, "stream": no_stream,
        "Stream": lambda: stream, "current_stream": lambda: stream,
    }.items():  # fmt: skip
        monkeypatch.setattr(torch.cuda, name, replaced)
    capture = cuda_capture()

    steps = [capture(lambda: "one"), capture(lambda: "two")]
    assert [repeat() for repeat in steps] == ["one", "two"]
    assert len({graph.pool() for graph in Graph.living}) == 1
    steps.clear()
    again = capture(lambda: "three")
    assert (again(), len(Graph.living)) == ("three", 1)
