"""Writing with the compiled step: tokens are read and chosen without the interpreter's lock.

Imported only where the compiled kernel is used.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import typeof, types
from numba.core import cgutils
from numba.extending import intrinsic

from musicrel import cores
from musicrel.generation.causal import compiled_choice
from musicrel.generation.causal.compiled_choice import Choosing
from musicrel.generation.causal.written import Written
from musicrel.model.compiled import decoder
from musicrel.model.compiled.arithmetic import F32, compiled_exactly
from musicrel.model.compiled.decoder import CompiledDecoder, CompiledModel, Step
from musicrel.model.features.interval_tables import NEIGHBOURS
from musicrel.model.tokens.vocabulary import VOCABULARIES


def loops(reader: CompiledDecoder) -> Callable[[Written, int, int, Choosing], int]:
    """Return ``write`` for the sequences of a reader."""
    address = _address(typeof(reader.step_of(np.arange(1), 0)))
    return functools.partial(write, reader, address)


def write(  # noqa: PLR0917  # bound to its first arguments
    reader: CompiledDecoder, address: int, written: Written, first: int, stop: int, by: Choosing
) -> int:
    """Read and choose the tokens from ``first`` up to ``stop``, the sequences among all cores.

    Return the index of a token with a logit that is not finite; 0: there is none.
    """
    reader.check_room(stop - first)
    broken: list[int] = []

    def part(sequences: range) -> None:
        step = reader.step_of(np.arange(sequences.start, sequences.stop), first - 1)
        broken.append(_write(address, step, first, stop, written, by))

    cores.run_all([functools.partial(part, some) for some in cores.parts(reader.batch)])
    reader.length = stop - 1
    return min(filter(None, broken), default=0)


def run_once(model: CompiledModel) -> None:
    """Write a token, so that all functions are compiled or loaded from the cache."""
    conditions_1NC = np.zeros((1, 2, len(model.condition_tables)), dtype=np.int64)
    vocabulary = next(one for one in VOCABULARIES.values() if one.size == model.config.tokens)
    written, by = compiled_choice.trial(vocabulary)
    loops(CompiledDecoder(model, conditions_1NC))(written, 1, 2, by)


@functools.cache
def _address(step: Any) -> int:
    """Return the address of the code of ``decoder.read`` for a step of this type.

    There is one such code, so that a token's logits are the same to the bit wherever it is read.
    """
    code, signature = cast("Any", decoder.read), (step, types.float32[:, ::1])
    code.compile(signature)
    found = code.overloads[signature]
    address: int = found.library.get_pointer_to_function(found.fndesc.llvm_func_name)
    return address


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _read(_context: Any, address: Any, step: Any, logits: Any) -> Any:
    """Call ``decoder.read`` at an address."""
    given = step, logits

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        form = context.call_conv.get_function_type(types.none, given)
        code = builder.inttoptr(arguments[0], form.as_pointer())
        status, _ = context.call_conv.call_function(builder, code, types.none, given, arguments[1:])
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.void(address, *given), generate


@compiled_exactly
def _write(  # noqa: PLR0917  # numba passes by place
    address: int, step: Step, first: int, stop: int, written: Written, by: Choosing
) -> int:
    """Write tokens of the sequences of a step, which reads the token before ``first``."""
    rows, ids_BL = step.rows, step.memory.ids_BL
    begin, count = rows.sequence_R[0], rows.sequence_R.shape[0]
    logits_RV = np.empty((count, by.rules.column_V.shape[0]), dtype=F32)
    all_wanted = np.empty((0, 0), dtype=np.bool_)
    for index in range(first, stop):
        for b in range(begin, begin + count):
            ids_BL[b, index - 1 + NEIGHBOURS - 1] = written.choices.tokens[b, index - 1]
        rows.place_R[:] = index - 1
        _read(address, step, logits_RV)
        if not compiled_choice.choose(index, logits_RV, all_wanted, begin, written, by):
            return index
    return 0
