"""Matrix products by tiles: a few rows by one panel of columns, summed in vector registers.

A row of the result depends on that row alone, to the bit: its sums run over the inputs in order,
in tiles of every size. The compiler does not find this form for loops over arrays, so a tile is
written in its intermediate language; vectors longer than the processor's are split by it.

Dimensions: R rows, I inputs, O outputs, P panels of n columns each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from musicrel.model.compiled.arithmetic import F32, Floats, compiled

_FEATURES: Final = binding.get_host_cpu_features()
_LANES: Final = 16 if _FEATURES.get("avx512f") else 8 if _FEATURES.get("avx2") else 4
"""Numbers in a vector register."""
_VECTORS: Final = 2
PANEL: Final = _VECTORS * _LANES
"""Columns n of a panel."""
HEIGHT: Final = 4
"""Rows of a low tile; rows that are padded to a multiple of it are multiplied fastest."""
_TALL: Final = 2 * HEIGHT if _FEATURES.get("avx512f") else HEIGHT
"""Rows of a tile that fills the registers: 16 sums of 32 registers, else 8 of 16."""
_ABREAST: Final = 2
"""Panels of the tile of a single row, whose sums would otherwise wait for each other."""

_BYTES: Final = 4
_INT: Final = ir.IntType(64)
_FLOAT: Final = ir.FloatType()
_VECTOR: Final = ir.VectorType(_FLOAT, _LANES)
_INTEGERS: Final = ir.VectorType(ir.IntType(32), _LANES)
_UNDEFINED: Final = ir.Constant(_VECTOR, ir.Undefined)
_FIRST_LANE: Final = ir.Constant(_INTEGERS, [0] * _LANES)


def padded(size: int, unit: int = PANEL) -> int:
    """Return the smallest multiple of ``unit`` that is at least ``size``."""
    return -(-size // unit) * unit


def panels(w_IO: Floats) -> Floats:
    """Return the columns of a matrix, float32, in panels filled up with zeros: (P, I, n)."""
    inputs, outputs = w_IO.shape
    wide_IO = np.zeros((inputs, padded(outputs)), dtype=F32)
    wide_IO[:, :outputs] = w_IO
    return np.ascontiguousarray(wide_IO.reshape(inputs, -1, PANEL).transpose(1, 0, 2))


def _tile(height: int, breadth: int = 1) -> Callable[..., None]:
    """Return the function that adds a tile of some rows by some panels; see ``add_product``."""

    @intrinsic  # type: ignore[untyped-decorator]  # numba has no types
    def add_tile(
        _context: Any, x: Any, _row: Any, _column: Any, w: Any, _panel: Any, y: Any, _place: Any
    ) -> Any:
        """Add to y[place:, panel:] the product of x[row:, column:] and the panels of w."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            x, w, y = (_Array(context, builder, signature, arguments, n) for n in (0, 3, 5))
            _, row, column, _, panel, _, place = arguments
            first = builder.mul(panel, _INT(PANEL))
            _Tile(
                builder,
                rows=[x.at(builder.add(row, _INT(r)), column) for r in range(height)],
                weights=[
                    w.at(builder.add(panel, _INT(p)), _INT(0), _INT(0)) for p in range(breadth)
                ],
                sums=[y.at(builder.add(place, _INT(r)), first) for r in range(height)],
            ).add(inputs=w.shape[1])
            return context.get_dummy_value()

        places = types.int64
        return types.void(x, places, places, w, places, y, places), generate

    made: Callable[..., None] = add_tile
    return made


class _Array:
    """An array among the arguments of a function that is being generated."""

    def __init__(
        self, context: Any, builder: Any, signature: Any, arguments: Any, number: int
    ) -> None:
        made = arrayobj.make_array(signature.args[number])(context, builder, arguments[number])
        self._builder = builder
        self._data = builder.bitcast(made.data, ir.IntType(8).as_pointer())
        self._strides = cgutils.unpack_tuple(builder, made.strides)
        self.shape = cgutils.unpack_tuple(builder, made.shape)

    def at(self, *indices: Any) -> Any:
        address = self._data
        for stride, index in zip(self._strides, indices, strict=True):
            address = self._builder.gep(address, [self._builder.mul(stride, index)])
        return address


class _Tile:
    def __init__(
        self,
        builder: Any,
        *,
        rows: Sequence[Any],
        weights: Sequence[Any],
        sums: Sequence[Any],
    ) -> None:
        self._builder, self._rows, self._weights = builder, rows, weights
        vectors = _VECTORS * len(weights)
        self._sums = [[self._vector_at(first, n) for n in range(vectors)] for first in sums]

    def add(self, inputs: Any) -> None:
        registers = [
            [cgutils.alloca_once_value(self._builder, self._load(place)) for place in row]
            for row in self._sums
        ]
        with cgutils.for_range(self._builder, inputs, intp=_INT) as loop:
            self._add_input(loop.index, registers)
        for register_row, row in zip(registers, self._sums, strict=True):
            for register, place in zip(register_row, row, strict=True):
                self._builder.store(self._builder.load(register), place).align = _BYTES

    def _add_input(self, index: Any, registers: Sequence[Sequence[Any]]) -> None:
        builder = self._builder
        place = builder.mul(index, _INT(PANEL * _BYTES))
        starts = [builder.gep(first, [place]) for first in self._weights]
        w = [self._load(self._vector_at(start, n)) for start in starts for n in range(_VECTORS)]
        for first, register_row in zip(self._rows, registers, strict=True):
            x = self._broadcast(builder.gep(first, [builder.mul(index, _INT(_BYTES))]))
            for register, vector in zip(register_row, w, strict=True):
                product = builder.fmul(x, vector, flags=("contract",))
                total = builder.fadd(builder.load(register), product, flags=("contract",))
                builder.store(total, register)

    def _broadcast(self, address: Any) -> Any:
        builder = self._builder
        number = builder.load(builder.bitcast(address, _FLOAT.as_pointer()))
        single = builder.insert_element(_UNDEFINED, number, ir.IntType(32)(0))
        return builder.shuffle_vector(single, _UNDEFINED, _FIRST_LANE)

    def _load(self, place: Any) -> Any:
        loaded = self._builder.load(place)
        loaded.align = _BYTES
        return loaded

    def _vector_at(self, address: Any, number: int) -> Any:
        place = self._builder.gep(address, [_INT(number * _LANES * _BYTES)])
        return self._builder.bitcast(place, _VECTOR.as_pointer())


_add_tall = _tile(_TALL)
_add_low = _tile(HEIGHT)
_add_abreast = _tile(1, _ABREAST)
_add_row = _tile(1)


@compiled
def add_product(
    x_RI: Floats,
    row: int,
    column: int,
    rows: int,
    panels_PIn: Floats,
    y_RO: Floats,
    place: int,
) -> None:
    """Add a product to ``y_RO``.

    Args:
        x_RI: inputs, contiguous in each row: those from ``column`` on are read.
        row: first row that is read.
        column: first input.
        y_RO: gets the sums; its rows are contiguous and hold all columns of the panels.
        place: row of the first sum.
    """
    for first in range(0, panels_PIn.shape[0], _ABREAST):
        abreast, done = min(_ABREAST, panels_PIn.shape[0] - first), 0
        for panel in range(first, first + abreast):
            done = 0
            while done + _TALL <= rows:
                _add_tall(x_RI, row + done, column, panels_PIn, panel, y_RO, place + done)
                done += _TALL
            while done + HEIGHT <= rows:
                _add_low(x_RI, row + done, column, panels_PIn, panel, y_RO, place + done)
                done += HEIGHT
        for r in range(done, rows):
            if abreast == _ABREAST:
                _add_abreast(x_RI, row + r, column, panels_PIn, first, y_RO, place + r)
            else:
                _add_row(x_RI, row + r, column, panels_PIn, first, y_RO, place + r)
