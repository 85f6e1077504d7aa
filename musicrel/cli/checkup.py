"""The checks of ``musicrel check``: models and training on a device beside torch on the CPU.

On the CPU they compare the compiled kernel with torch. Infilling models read in float32, so that
their notes can be compared; bfloat16 is compared with float32 on the device itself. Small models of
the shipped kinds are trained for 50 steps, without dropout, so that the first loss is that of the
CPU.

Dimensions: B sequences, N tokens or cells, V vocabulary, L layers, H heads, S tokens seen,
C conditions, T steps, 4 voices, M hidden cells.
"""

from __future__ import annotations

import math
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from functools import cache, cached_property, partial
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from musicrel import jobs
from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale, Meter, Voice
from musicrel.errors import MusicrelError
from musicrel.experiment.data import dataset
from musicrel.experiment.objectives import objectives
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs.events import TrainStep
from musicrel.experiment.training.learner import Learner
from musicrel.experiment.training.train import train
from musicrel.generation import edit_requests, kernel
from musicrel.generation.candidates import candidate_job
from musicrel.generation.causal import causal_generator, device_writer
from musicrel.generation.causal.compiled_choice import Choosing
from musicrel.generation.causal.decoder import Chooser
from musicrel.generation.causal.written import Written
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.infill.infill_generator import InfillBatch
from musicrel.generation.infill.masked_reader import (
    MaskedReader,
    cell_nats,
    open_masked_reader,
    read_cells,
)
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Sampler, uniforms
from musicrel.model import catalogue, devices, torch_reader
from musicrel.model.card import read_card
from musicrel.model.devices import Precision
from musicrel.model.reading import Reader
from musicrel.model.tokens import codec, conditions
from musicrel.model.tokens.vocabulary import MASK, START

Floats = npt.NDArray[np.float32]

_FAILURES: Final = (MusicrelError, RuntimeError, TypeError, MemoryError, OSError)
"""Errors that are findings; torch has no class of its own, and MPS refuses float64 as TypeError."""
_BARS: Final = 4
_LARGEST_DIFFERENCE: Final = 1e-4
"""Difference of two numbers of a model, logits or weights of attention, that passes."""
_CANDIDATES: Final = 4
_SEQUENCES: Final = 3
_LONG_BARS: Final = 20  # with steps of all numbers of keys, and motifs that come back
_KEYS: Final = (33, 129, 225)
"""Numbers of keys that a kernel of attention was wrong for, with a mask in bfloat16
(pytorch#191937)."""
_COARSER: Final = 2.0  # error of the kernels of attention that passes, beside plain products'
_NO_CUDA: Final = "only CUDA records a step and replays it"
_VOICES: Final = [Voice.ALTO, Voice.TENOR]
_STEPS: Final = slice(16, 32)  # steps that are hidden and rewritten: the second bar
_SCORED_PIECES: Final = 4
_MIXED_LIMIT: Final = 1e-3  # change of the mean loss by bfloat16 that passes, in nats a note
_RECIPES: Final = ("vanilla-base", "relative-base", "relative-infill-base")
_TRAINED_STEPS: Final = 50
_SAVED: Final = 40  # steps until the checkpoint of a run, from which it is resumed
_SOME: Final = 10  # steps whose mean losses are compared
_TIMED_STEPS: Final = {"cuda": 400}
"""Steps of whole models whose speed is measured; elsewhere a few."""
_FEW: Final = 3
_RATE: Final = 5e-3
"""Learning rate of the small models, which learn more slowly than whole ones at the same rate."""
_SLOW: Final = 2.0**-10  # learning rate of steps that are compared one by one
_DROPOUT: Final = 0.1
_LEARNED: Final = 0.5  # nats by which the loss falls at least
_NEVER: Final = 1_000_000
_FIRST_LOSS_LIMIT: Final[dict[Precision, float]] = {"single": 1e-4, "mixed": 2e-2}
"""Differences of the first loss from that of the CPU that pass, in nats."""


class Outcome(NamedTuple):
    finding: str  # what was found, in words, or why it was not tried
    figure: float | None = None  # what was measured, less is better; None: only a yes or no
    limit: float = 0.0  # largest figure that passes
    holds: bool | None = True  # whether all that has no figure is as it should be; None: not tried

    @property
    def verdict(self) -> Literal["passed", "failed", "not tried"]:
        if self.holds is None:
            return "not tried"
        # a figure that is no number fails
        within = self.figure is None or self.figure <= self.limit
        return "passed" if self.holds and within else "failed"


class Check(NamedTuple):
    subject: str  # what it is tried with, mostly the name of a model
    name: str
    work: Callable[[], Outcome]  # tries it


def checks(device: str, threads: int) -> list[Check]:
    devices.use_threads(threads)
    found: list[Check] = []
    for folder in filter(catalogue.is_shipped, catalogue.model_directories()):
        subject = Subject(folder, device, threads)  # the first check that needs the model loads it
        kind = CAUSAL if read_card(folder).config.is_causal else INFILL
        found += [Check(folder.name, name, partial(work, subject)) for name, work in kind.items()]
    for name in _RECIPES:
        for precision in _FIRST_LOSS_LIMIT:
            work = partial(learns, small(name, precision), device, threads)
            title = f"{_TRAINED_STEPS} steps, {precision} precision"
            found.append(Check(f"training {name}", title, work))
        work = partial(recorded_training, small(name, "single"), device)
        found.append(Check(f"training {name}", "recorded steps beside a thread", work))
        work = partial(training_speed, recipe.load(name), device, threads)
        found.append(Check(f"training {name}", "speed", work))
    resumed = partial(resumes, small(_RECIPES[-1], "single"), device, threads)
    return [*found, Check(f"training {_RECIPES[-1]}", "resumed", resumed)]


def tried(check: Check) -> dict[str, Any]:
    """Try a check, and return it as plain values; an error of device or model is a finding.

    A figure that is not finite becomes None.
    """
    began = time.perf_counter()
    try:
        found = check.work()
    except _FAILURES as reason:
        found = Outcome(str(reason).partition("\n")[0] or type(reason).__name__, holds=False)
    return {
        "subject": check.subject,
        "name": check.name,
        "verdict": found.verdict,
        "finding": found.finding,
        "figure": found.figure if math.isfinite(found.figure or 0) else None,
        "limit": None if found.figure is None else found.limit,
        "seconds": round(time.perf_counter() - began, 3),
    }


class Subject:
    """A model on a device, the same read by torch on the CPU, and a piece to read."""

    def __init__(self, folder: Path, device: str, threads: int) -> None:
        self.folder, self._device, self._threads = folder, device, threads

    @cached_property
    def model(self) -> LoadedModel:
        return load_model(str(self.folder), self._device, self._threads)

    @cached_property
    def reference(self) -> LoadedModel:
        """Return the model on the CPU; except for its speed, it is used without the kernel."""
        return load_model(str(self.folder), "cpu", self._threads)

    @cached_property
    def rows_NC(self) -> conditions.Rows:
        names = tuple(name for name in self.model.conditions if name in conditions.CONDITIONS)
        return self.model.condition_rows(piece(), names)[: piece().steps * len(Voice)]

    @cached_property
    def ids_N(self) -> codec.Ids:
        """Return the token before each cell, START first."""
        return self.model.encode(piece())[: len(self.rows_NC)]

    def read(self, reader: Reader) -> tuple[Floats, list[Floats]]:
        """Return the logits of all steps, (N, V), and the attention weights of each, (L, H, S)."""
        logits, attention = [], []
        for token in self.ids_N:
            logits_1V, weights_1LHS = reader.step(np.array([token]))
            logits.append(logits_1V[0].copy())
            if weights_1LHS is not None:
                attention.append(weights_1LHS[0].copy())
        return np.stack(logits), attention

    def reader(self, *, record: bool = False) -> Reader:
        return self.model.reader(self.rows_NC[None], record=record, replay=True)

    def compared_logits(self, found: Floats) -> Outcome:
        with kernel.switched_off():
            expected_NV = self.reference.logits(self.ids_N, self.rows_NC)
        return compared_numbers("logits", found, expected_NV)

    def compared_notes(self, write: Callable[[LoadedModel], Chorale]) -> Outcome:
        found = write(self.model)
        with kernel.switched_off():
            expected = write(self.reference)
        return compared_pieces(found, expected)


@cache
def pieces() -> tuple[Chorale, ...]:
    meter = Meter(4, 4)
    return tuple(one for one in bundled.load("valid") if one.meter == meter and not one.pickup)


@cache
def piece() -> Chorale:
    first = pieces()[0]
    return first.cropped(0, _BARS * first.meter.steps)


def compared_numbers(what: str, found: npt.NDArray[Any], expected: npt.NDArray[Any]) -> Outcome:
    if found.shape != expected.shape:
        return Outcome(f"{what} of shape {found.shape} instead of {expected.shape}", holds=False)
    largest = float(np.abs(found.astype(np.float64) - expected).max(initial=0.0))
    text = f"largest difference of {found.size:,} {what}: {largest:.1e}"
    return Outcome(text, largest, _LARGEST_DIFFERENCE)


def compared_pieces(found: Chorale, expected: Chorale) -> Outcome:
    if found.steps != expected.steps:
        return Outcome(f"{found.steps} steps instead of {expected.steps}", holds=False)
    same = (found.pitches == expected.pitches) & (found.onsets == expected.onsets)
    others = int((~same).sum())
    return Outcome(f"{others} of {same.size} cells have another note", others)


def recorded_attention(subject: Subject) -> Outcome:
    _, rows = subject.read(subject.reader(record=True))
    with kernel.switched_off():
        expected_LHNN = subject.reference.attention(subject.ids_N, subject.rows_NC)
    found_LHNN = np.zeros_like(expected_LHNN)
    for n, row_LHS in enumerate(rows):
        found_LHNN[:, :, n, : row_LHS.shape[-1]] = row_LHS
    return compared_numbers("attention weights", found_LHNN, expected_LHNN)


def compiled_step(subject: Subject) -> Outcome:
    if subject.model.device.type != "cpu":
        return Outcome("the compiled step is for the CPU", holds=None)
    if kernel.is_switched_off():
        return Outcome(kernel.reason(), holds=None)
    is_used = subject.model.compiled is not None
    return Outcome("it is used" if is_used else kernel.reason(), holds=is_used)


@contextmanager
def computing_beside() -> Iterator[None]:
    """Compute on the GPU in another thread meanwhile."""
    ended = threading.Event()

    def compute() -> None:
        while not ended.is_set():
            torch.ones(512, 512, device="cuda").cumsum(0).cpu()

    with ThreadPoolExecutor(1) as thread:
        computing = thread.submit(compute)
        try:
            yield
        finally:
            ended.set()
        computing.result()


def replayed_step(subject: Subject, *, beside_others: bool = False) -> Outcome:
    if subject.model.device.type != "cuda":
        return Outcome(_NO_CUDA, holds=None)
    reader = subject.reader()
    with computing_beside() if beside_others else nullcontext():
        subject.read(reader)
    return Outcome(reader.failure or "it is used", holds=reader.failure is None)


def tokens_of_device(subject: Subject) -> Outcome:
    """Compare what the device chooses with what the host does after the same tokens."""
    model = subject.model
    if model.device.type == "mps":
        return Outcome("MPS has no float64", holds=None)
    is_captured = model.device.type == "cuda"
    bars = _LONG_BARS if is_captured else 1
    request = GenerationRequest(bars=bars, rules=("range", "crossing", "parallels"))
    constraints, sampler = Constraints.of(request, model.vocabulary), Sampler()
    capture = torch_reader.cuda_capture() if is_captured else None
    rows_NC = model.condition_rows(request.plan(), request.given_conditions())[:-2]
    rows_BNC = np.repeat(rows_NC[None], _SEQUENCES, axis=0)
    reader = torch_reader.TorchReader(model.network, rows_BNC, capture=capture)
    length, others = request.steps * len(Voice), 0
    uniforms_BN = np.stack([uniforms(seed, length) for seed in range(_SEQUENCES)])
    starts_B1 = np.full((_SEQUENCES, 1), START)
    found, expected = (Written.of(starts_B1, length, uniforms_BN) for _ in range(2))
    device_writer.loops(reader)(found, 1, length + 1, Choosing.of(constraints, sampler))
    reader.cache.length, chooser = 0, Chooser(constraints, sampler, model.name)
    for index in range(1, length + 1):
        chooser.choose(expected, index, reader.step(found.ids_BN[:, index - 1])[0])
        others += int((expected.ids_BN[:, index] != found.ids_BN[:, index]).sum())
        expected.ids_BN[:, index] = found.ids_BN[:, index]
    return Outcome(f"{others} of {_SEQUENCES * length} tokens differ", others)


@torch.inference_mode()
def attention_kernels(subject: Subject) -> Outcome:
    """Compare the kernels of attention with plain products, by their errors in bfloat16."""
    network, device = subject.model.network, subject.model.device
    ids_1N, rows_1NC = (
        torch.from_numpy(array[None]).to(device) for array in (subject.ids_N, subject.rows_NC)
    )

    def logits(keys: int, *, mixed: bool = True) -> torch.Tensor:
        mask = torch.ones(1, 1, 1, keys, dtype=torch.bool, device=device)
        with torch.autocast(device.type, torch.bfloat16, enabled=mixed):
            found: torch.Tensor = network(
                ids_1N[:, :keys], rows_1NC[:, :keys], mask=mask
            ).logits_BTV
        return found.double()

    largest = 0.0
    for keys in _KEYS:
        found = logits(keys)
        with sdpa_kernel(SDPBackend.MATH):
            plain, exact = logits(keys), logits(keys, mixed=False)
        largest = max(largest, float((found - exact).norm() / (plain - exact).norm()))
    text = f"error in bfloat16 relative to plain products: {largest:.2f}"
    return Outcome(text, largest, _COARSER)


def speeds(subject: Subject) -> Outcome:
    request, found = GenerationRequest(bars=_BARS), []
    for name, model in {"cpu": subject.reference, subject.model.device: subject.model}.items():
        jobs.run(causal_generator.generate(model, request))  # the device is prepared
        began = time.perf_counter()
        jobs.run(causal_generator.generate(model, request))
        rate = request.steps * len(Voice) / (time.perf_counter() - began)
        found.append(f"{rate:,.0f} tokens a second on {name}")
    return Outcome(", ".join(found))


def masked_piece(subject: Subject) -> Outcome:
    found_MV = _hidden_logits(open_masked_reader(subject.model, "single"), subject)
    with kernel.switched_off():
        expected_MV = _hidden_logits(open_masked_reader(subject.reference, "single"), subject)
    return compared_numbers("logits", found_MV, expected_MV)


def mixed_precision(subject: Subject) -> Outcome:
    if lacking := devices.without_bfloat16(subject.model.device):
        return Outcome(lacking, holds=None)
    single, mixed = (
        np.mean(_nats(subject.model, open_masked_reader(subject.model, precision)))
        for precision in ("single", "mixed")
    )
    text = f"loss {single:.4f} nats a note in float32, {mixed:.4f} in bfloat16"
    return Outcome(text, float(abs(mixed - single)), _MIXED_LIMIT)


def greedy_rewriting(subject: Subject) -> Outcome:
    request = edit_requests.infill_request(
        piece(), _VOICES, _STEPS.start, _STEPS.stop, quality="draft", temperature=0.0
    )
    return subject.compared_notes(partial(_infilled, request=request))


def ranked_candidates(subject: Subject, quality: str = "normal") -> Outcome:
    request = GenerationRequest(bars=_BARS // 2, quality=quality)
    job = candidate_job.generate_candidates(subject.model, request, _CANDIDATES)
    found = len(jobs.run(job).ranked)
    return Outcome(f"{found} of {_CANDIDATES} are ranked", holds=found == _CANDIDATES)


def _hidden_logits(reader: MaskedReader, subject: Subject) -> Floats:
    tokens_T4 = subject.model.encode(piece())[1:-1].reshape(-1, len(Voice))
    wanted_T4 = np.zeros(tokens_T4.shape, dtype=np.bool_)
    tokens_T4[_STEPS, _VOICES] = MASK
    wanted_T4[_STEPS, _VOICES] = True
    (logits,) = read_cells(reader, [tokens_T4], [subject.rows_NC], wanted_T4[None])
    return logits[wanted_T4]


def _nats(model: LoadedModel, reader: MaskedReader) -> Floats:
    found = []
    for one in pieces()[:_SCORED_PIECES]:
        cells_T4 = model.encode(one)[1:-1].reshape(-1, len(Voice))
        rows_NC = model.condition_rows(one, model.conditions)[: cells_T4.size]
        found.append(cell_nats(reader, cells_T4, rows_NC).ravel())
    return np.concatenate(found)


_GREEDY: Final = GenerationRequest(bars=_BARS, quality="draft", temperature=0.0)


def _written(model: LoadedModel) -> Chorale:
    return jobs.run(causal_generator.generate(model, _GREEDY)).chorale


def _infilled(model: LoadedModel, request: GenerationRequest = _GREEDY) -> Chorale:
    constraints = Constraints.of(request, model.vocabulary)
    batch = InfillBatch(model, request, constraints, [request.seed], "single")
    (ids,), _ = jobs.run(batch.run())
    return model.decode(ids, constraints.plan)


CAUSAL: Final[Mapping[str, Callable[[Subject], Outcome]]] = {
    "logits, whole piece": lambda one: one.compared_logits(
        one.model.logits(one.ids_N, one.rows_NC)
    ),
    "logits, step by step": lambda one: one.compared_logits(one.read(one.reader())[0]),
    "attention recorded": recorded_attention,
    "compiled step": compiled_step,
    "replayed step": replayed_step,
    "replayed step beside a thread": partial(replayed_step, beside_others=True),
    "tokens chosen there": tokens_of_device,
    "kernels of attention": attention_kernels,
    "notes at temperature 0": lambda one: one.compared_notes(_written),
    "candidates": ranked_candidates,
    "speed": speeds,
}
INFILL: Final[Mapping[str, Callable[[Subject], Outcome]]] = {
    "logits": masked_piece,
    "bfloat16": mixed_precision,
    "notes at temperature 0": lambda one: one.compared_notes(_infilled),
    "rewritten at temperature 0": greedy_rewriting,
    "candidates": partial(ranked_candidates, quality="draft"),
}


def small(name: str, precision: Precision) -> Recipe:
    whole = recipe.load(name)
    return replace(
        whole,
        model=replace(whole.model, width=32, layers=2, heads=2, feedforward=64, dropout=0.0),
        data=replace(whole.data, window=128),
        training=replace(
            whole.training,
            tokens=0,
            steps=_NEVER,
            batch=2,
            learning_rate=_RATE,
            warmup_steps=_SOME,
            precision=precision,
            evaluate_every=_NEVER,
            checkpoint_every=_SAVED,
        ),
    )


def learns(plan: Recipe, device: str, threads: int) -> Outcome:
    precision = plan.training.precision
    if precision == "mixed" and (lacking := devices.without_bfloat16(device)):
        return Outcome(lacking, holds=None)
    with tempfile.TemporaryDirectory() as folder:
        losses = list(_losses(plan, Path(folder), _TRAINED_STEPS, device=device, threads=threads))
        single = replace(plan, training=replace(plan.training, precision="single"))
        (expected,) = _losses(single, Path(folder) / "cpu", 1, device="cpu", threads=threads)
    before, after, off = fmean(losses[:_SOME]), fmean(losses[-_SOME:]), abs(losses[0] - expected)
    return Outcome(
        f"loss from {before:.2f} to {after:.2f} nats; the first one differs from the CPU's by "
        f"{off:.1e}",
        off,
        _FIRST_LOSS_LIMIT[precision],
        holds=after < before - _LEARNED,
    )


def recorded_training(plan: Recipe, device: str) -> Outcome:
    """Compare steps recorded as a whole with the same ones run operation by operation."""
    if device != "cuda":
        return Outcome(_NO_CUDA, holds=None)
    plan = plan.changed(model={"dropout": _DROPOUT})
    objective = objectives.for_recipe(plan, dataset.load(plan.data.source))
    recorded, plain = (
        Learner(plan, torch.device(device), capture=capture) for capture in (True, False)
    )
    largest = 0.0
    with computing_beside():
        for number in range(_SOME):
            inputs = recorded.prepare(objective.at(number), number)
            found, expected = (each.start(inputs, number, _SLOW) for each in (recorded, plain))
            largest = max(largest, abs(found().nats - expected().nats))
    text = recorded.failure or f"largest difference of {_SOME} losses: {largest:.1e}"
    return Outcome(text, largest, _LARGEST_DIFFERENCE, holds=not recorded.failure)


def training_speed(plan: Recipe, device: str, threads: int) -> Outcome:
    steps = _TIMED_STEPS.get(device, _FEW)
    begun = plan.changed(training={"evaluate_every": _NEVER, "checkpoint_every": _NEVER})
    with tempfile.TemporaryDirectory() as folder:
        events = list(_steps(begun, Path(folder), steps + _FEW, device=device, threads=threads))
    first, last = events[_FEW - 1], events[-1]
    rate = (last.tokens - first.tokens) / (last.seconds - first.seconds)
    return Outcome(f"{rate:,.0f} tokens a second")


def resumes(plan: Recipe, device: str, threads: int) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        losses = partial(_losses, plan, Path(folder), device=device, threads=threads)
        whole, again = list(losses(_SAVED + 1)), list(losses(1, resume=True))
    off = abs(whole[-1] - again[0])
    text = f"the loss of the next step differs by {off:.1e}"
    return Outcome(text, off, _FIRST_LOSS_LIMIT["single"])


def _losses(plan: Recipe, folder: Path, steps: int, **how: Any) -> Iterator[float]:
    return (event.nats for event in _steps(plan, folder, steps, **how))


def _steps(
    plan: Recipe, folder: Path, steps: int, *, device: str, threads: int, resume: bool = False
) -> Iterator[TrainStep]:
    with closing(train(plan, folder, device=device, threads=threads, resume=resume)) as events:
        made = (event for event in events if isinstance(event, TrainStep))
        yield from islice(made, steps)
