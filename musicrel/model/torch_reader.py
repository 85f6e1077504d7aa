"""Reading by torch: every causal model, scheme and device; the reference of the compiled step.

A step is ``Predictor.forward`` of the newest token with a cache. On a CPU each sequence is read by
itself: libraries choose a kernel by the number of rows, and a sequence must be the same to the bit
in every batch. On CUDA the same step is captured as a graph, because most of its time is spent on
kernel launches. A graph has fixed shapes: it reads a fixed number of keys, the smallest of 256,
512, 1,024, ... that includes the newest, and there is one for each number; keys not yet written
have weight 0.

Dimensions: B sequences, N positions, C conditions, T tokens, V vocabulary, L layers, H heads, S
keys.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
import torch
from torch import Tensor

from musicrel.model.blocks.ablation import Ablation
from musicrel.model.blocks.kv_cache import ID_CONTEXT, KeyValueCache
from musicrel.model.families.transformer import Output, Transformer
from musicrel.model.features.interval_tables import VOICES
from musicrel.model.reading import Floats, Ids, Reading
from musicrel.model.replaced_heads import Ablations

Result = TypeVar("Result")
Step: TypeAlias = Callable[[], Output]
Capture: TypeAlias = Callable[[Step], Step]
"""Capture a step; the result repeats it on the same memory, faster."""

_PREFILL_TOKENS: Final = 512
_MIN_KEYS: Final = 256
_WARM_UPS: Final = 3
_CAPTURING: Final = threading.Lock()  # a capture waits for the whole device when it begins


class TorchReader:
    """A reader by torch; see ``Reader``.

    Attributes:
        tokens: number of tokens of the vocabulary.
        ids_B1: the tokens that the next step reads, int64, on the device.
        place_1: their position, as ``Place``.
        known_B1: number of tokens of each sequence, int64, on the device, that steps leave as they
            are: they read them again; None: ``ids_B1`` are read everywhere.
        failure: the reason why steps cannot be captured; None if they can.
    """

    @torch.inference_mode()
    def __init__(
        self,
        network: Transformer,
        conditions_BNC: Ids,
        *,
        record: bool = False,
        replaced: Ablations | None = None,
        capture: Capture | None = None,
    ) -> None:
        self._network, self._record, self._capture = network, record, capture
        self._device, self.tokens = network.embed_token.weight.device, network.config.tokens
        batch, length, _ = conditions_BNC.shape
        network.positions.reserve(length)
        self.cache = network.new_cache(batch, length)
        rows_BNC = network.with_lookahead(torch.from_numpy(conditions_BNC).to(self._device))
        alone = self._device.type == "cpu"
        self._parts_BNC = rows_BNC.chunk(batch if alone else 1)
        is_shared = bool((rows_BNC == rows_BNC[:1]).all())
        own = self._parts_BNC[:1] if is_shared else self._parts_BNC
        known = [network.embed_conditions(part_BNC) for part_BNC in own]
        self._conditioning = known * (len(self._parts_BNC) // len(known))
        voice_1N = torch.arange(length, device=self._device)[None] % VOICES
        self._ablation = Ablation.everywhere(replaced, voice_1N)
        self.ids_B1 = torch.zeros(batch, 1, dtype=torch.int64, device=self._device)
        self.place_1 = torch.zeros(1, dtype=torch.int64, device=self._device)
        self.known_B1: Tensor | None = None
        self._then: Callable[[Tensor], None] | None = None
        self._graphs: dict[int, Step] = {}
        self._buffers = list(network.buffers())  # graphs read them wherever they are
        self.failure: str | None = None

    @torch.inference_mode()
    def prefill(self, ids_BT: Ids) -> None:
        """Read a prompt in parts; sequences with equal prompts and conditions once."""
        done: dict[bytes, KeyValueCache] = {}
        first, stop = self.cache.length, self.cache.length + ids_BT.shape[1]
        for number, cache in enumerate(self._caches()):
            part_BT = ids_BT[number : number + 1] if len(self._parts_BNC) > 1 else ids_BT
            same = part_BT.tobytes() + self._parts_BNC[number].cpu().numpy().tobytes()
            if same in done:
                cache.fill(done[same], slice(1), stop)
                continue
            for start in range(0, stop - first, _PREFILL_TOKENS):
                ids = torch.from_numpy(part_BT[:, start : start + _PREFILL_TOKENS])
                self._read(number, cache, ids.to(self._device))
            done[same] = cache
        self.cache.length = stop

    @torch.inference_mode()
    def step(self, ids_B: Ids, ablations: Ablations | None = None) -> tuple[Floats, Floats | None]:
        self.ids_B1.copy_(torch.from_numpy(ids_B[:, None]))
        output = self.advance(ablations)
        seen = slice(self.cache.length)
        weights = [layer_BH1S[:, :, 0, seen] for layer_BH1S in output.weights]
        # stacked on the device: a copy to the host waits for it
        rows_BLHS = _array(torch.stack(weights, dim=1)) if weights else None
        return _array(output.logits_BTV[:, 0]), rows_BLHS

    @torch.inference_mode()
    def follow(self, then: Callable[[Tensor], None]) -> None:
        """Make ``then`` part of every step, and capture the steps, those of most keys first.

        It is called with the logits (B, V), has fixed shapes and does not synchronise the host.
        """
        self._then = then
        self._graphs.clear()
        for keys in reversed(self._sizes()):
            self._graph(keys)

    @torch.inference_mode()
    def advance(self, ablations: Ablations | None = None) -> Output:
        """Read ``ids_B1``; the output is overwritten by the next step."""
        self.cache.check_room(1)
        self.place_1.fill_(self.cache.length)
        keys = next(size for size in self._sizes() if size > self.cache.length)
        repeat = None if ablations is not None else self._graph(keys)
        output = self._step(ablations) if repeat is None else repeat()
        self.cache.length += 1
        return output

    @torch.inference_mode()
    def read(self, ids_T: Ids) -> Reading:
        ids_1T = torch.from_numpy(ids_T)[None].to(self._device)
        output = self._read(0, self.cache, ids_1T, record=self._record)
        return _reading(output)

    def branch_from(self, other: TorchReader, rows_B: Ids, tokens: int, shared: int = 0) -> None:
        only, is_one = int(rows_B[0]), (rows_B == rows_B[0]).all()
        rows = slice(only, only + 1) if is_one else torch.from_numpy(rows_B).to(self._device)
        self.cache.fill(other.cache, rows, tokens, shared)

    def take(self, row: int, other: TorchReader, source: int, tokens: int, shared: int = 0) -> None:
        self.cache.row(row).fill(other.cache, slice(source, source + 1), tokens, shared)
        self.cache.length = tokens

    def select(self, rows_B: Ids, shared: int = 0) -> None:
        self.cache.select(torch.from_numpy(rows_B).to(self._device), shared)

    def _caches(self) -> list[KeyValueCache]:
        if len(self._parts_BNC) == 1:
            return [self.cache]
        return [self.cache.row(row) for row in range(len(self._parts_BNC))]

    def _step(self, ablations: Ablations | None = None) -> Output:
        """Return the output of a step for ``ids_B1``; the length of the cache stays as it is."""
        length, caches = self.cache.length, self._caches()
        if self.known_B1 is not None:
            read_B1 = self.cache.ids_BL.index_select(1, ID_CONTEXT + self.place_1)
            self.ids_B1.copy_(read_B1.where(self.place_1 < self.known_B1, self.ids_B1))
        try:
            own: list[Ablation | None] = [None] * len(caches)
            if ablations is not None:
                parts = ablations.parts(len(ablations) // len(caches))
                voice, seen = length % VOICES, length + 1
                own = [Ablation.of_rows(part, voice, self._device, seen) for part in parts]
            outputs = [
                self._read(number, cache, ids, ablation, record=self._record)
                for number, (cache, ids, ablation) in enumerate(
                    zip(caches, self.ids_B1.chunk(len(caches)), own, strict=True)
                )
            ]
        finally:  # a capture that fails is followed by a step without one
            self.cache.length = length
        output = outputs[0] if len(outputs) == 1 else _joined(outputs)
        if self._then is not None:
            self._then(output.logits_BTV[:, 0])
        return output

    def _read(
        self,
        number: int,
        cache: KeyValueCache,
        ids_BT: Tensor,
        ablation: Ablation | None = None,
        *,
        record: bool = False,
    ) -> Output:
        """Read the next tokens of one part of the sequences."""
        first = cache.start
        at = first if isinstance(first, Tensor) else slice(first, first + ids_BT.shape[1])
        output: Output = self._network(
            ids_BT,
            self._parts_BNC[number][:, at],
            cache=cache,
            conditioning=self._conditioning[number].at(at),
            ablation=self._ablation.at(at) if ablation is None else ablation,
            record=record,
        )
        return output

    def _sizes(self) -> list[int]:
        """Return the numbers of keys that steps of fixed shapes read."""
        sizes = [min(_MIN_KEYS, self.cache.capacity)]
        while sizes[-1] < self.cache.capacity:
            sizes.append(min(2 * sizes[-1], self.cache.capacity))
        return sizes

    def _graph(self, keys: int) -> Step | None:
        """Return the captured step that reads so many keys; None if it cannot be captured."""
        if self._capture is None or self.failure:
            return None

        def step() -> Output:
            self.cache.fixed = self.place_1, keys
            try:
                return self._step()
            finally:
                self.cache.fixed = None

        if keys not in self._graphs:
            try:
                self._graphs[keys] = self._capture(step)
            except RuntimeError as reason:
                self.failure = str(reason).partition("\n")[0]
                return None
        return self._graphs[keys]


def _joined(outputs: list[Output]) -> Output:
    weights = zip(*(output.weights for output in outputs), strict=True)
    return Output(
        torch.cat([output.logits_BTV for output in outputs]), tuple(map(torch.cat, weights))
    )


def cuda_capture() -> Callable[[Callable[[], Result]], Callable[[], Result]]:
    """Return a capture of CUDA graphs that share their memory: their owner replays them in turn.

    Once all of them are gone the next one takes memory of its own, because torch refuses to use
    theirs again.
    """
    graphs = weakref.WeakSet[torch.cuda.CUDAGraph]()
    stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]  # torch leaves it untyped
    return lambda step: _capture_graph(graphs, stream, step)


def _capture_graph(
    graphs: weakref.WeakSet[torch.cuda.CUDAGraph], stream: Any, step: Callable[[], Result]
) -> Callable[[], Result]:
    graph = torch.cuda.CUDAGraph()
    pool = next((other.pool() for other in graphs), None)
    with _CAPTURING:
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):  # kernels are chosen and memory is taken before recording
            for _ in range(_WARM_UPS):
                step()
        torch.cuda.current_stream().wait_stream(stream)
        # other threads compute meanwhile; the outer context leaves the stream if recording fails
        with (
            torch.cuda.stream(torch.cuda.current_stream()),
            torch.cuda.graph(graph, pool, stream, capture_error_mode="thread_local"),
        ):
            captured = step()
    graphs.add(graph)

    def repeat() -> Result:
        graph.replay()
        return captured

    return repeat


@torch.inference_mode()
def read_whole(network: Transformer, ids_N: Ids, rows_1NC: Ids, *, record: bool) -> Reading:
    """Read a whole piece with a network of any family."""
    device = network.embed_token.weight.device
    ids_1N, rows = (torch.from_numpy(x).to(device) for x in (ids_N[None], rows_1NC))
    return _reading(network(ids_1N, rows, record=record))


def _reading(output: Output) -> Reading:
    weights, cross_weights = (
        np.stack([_array(layer[0]) for layer in kind]) if kind else None
        for kind in (output.weights, output.cross_weights)
    )
    return Reading(_array(output.logits_BTV[0]), weights, cross_weights)


def _array(tensor: Tensor) -> Floats:
    return tensor.float().cpu().numpy()
